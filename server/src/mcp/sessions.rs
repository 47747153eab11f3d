//! Sessions of the handshake revisions: each belongs to one principal, outlives the server, and takes memory only while it is in use.
//!
//! rmcp keeps the living ones; what a client said when it began one is in the store, from which rmcp wakes it again, here or on
//! another server on the same database.

mod telling;

pub use telling::Telling;

use crate::{
    chance::Chance,
    store::{Store, sessions::Session},
};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::{Stream, StreamExt, stream};
use http::{Extensions, HeaderValue, StatusCode};
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        RestoreOutcome, ServerSseMessage, SessionId, SessionManager, SessionState, SessionStore,
        SessionStoreError,
        local::{self, LocalSessionManager, LocalSessionManagerError},
    },
};
use sayso_domain::{Clock, Moment};
use std::{
    collections::HashMap,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// How long a session may be silent before it leaves the memory; the store keeps it for longer.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// So many sessions live at once. One more sends that to sleep which was silent longest, of those in which no call is under way
/// as long as there are any.
const AT_ONCE: usize = 2_000;

/// How often it is written down that a session is in use, in milliseconds.
const NOTED_EVERY: u64 = 3_600_000;

/// Whose credentials a request showed: set by whoever checks them, in front of this.
#[derive(Clone, Debug)]
pub struct Principal(pub String);

/// Whom a request is from. Where nothing is checked, everybody is the one person who uses the server.
pub(super) fn principal(extensions: Option<&Extensions>) -> String {
    let shown = extensions.and_then(|extensions| extensions.get::<Principal>());
    shown.map_or_else(|| "local".to_owned(), |principal| principal.0.clone())
}

tokio::task_local! {
    /// The request that is being answered; rmcp does not say when it asks for a session.
    static CALL: Arc<Call>;
}

/// A request that may name a session.
struct Call {
    /// Whom it is from.
    principal: String,
    /// Whether its session was ended while it was on its way.
    too_late: AtomicBool,
}

/// All sessions.
#[derive(Clone)]
pub struct Sessions {
    store: Store,
    clock: Arc<dyn Clock>,
    chance: Arc<Chance>,
    living: Arc<Mutex<HashMap<SessionId, Living>>>,
    manager: Arc<LocalSessionManager>,
}

/// A session in memory.
struct Living {
    principal: String,
    seen: Moment,
    noted: Moment,
    /// Told in the ids of its events. rmcp counts streams and events from 0 in every life of a session, so that an id of
    /// an earlier life would name, and take away, the stream of another call.
    life: String,
    /// Shared with the stream of every call that is under way.
    calls: Arc<()>,
}

/// The events of a stream.
type Events = Pin<Box<dyn Stream<Item = ServerSseMessage> + Send + Sync>>;

impl Sessions {
    /// Sessions that this store keeps.
    pub fn new(store: Store, clock: Arc<dyn Clock>, chance: Arc<Chance>) -> Self {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(IDLE);
        Self { store, clock, chance, living: Arc::default(), manager: Arc::new(manager) }
    }

    /// How many are in memory.
    pub fn living(&self) -> usize {
        self.map().len()
    }

    fn map(&self) -> MutexGuard<'_, HashMap<SessionId, Living>> {
        self.living.lock().expect("no panic happens under this lock")
    }

    /// Whose session this is, if it is anybody's.
    async fn owner(&self, id: &str) -> Option<String> {
        if let Some(living) = self.map().get(id) {
            return Some(living.principal.clone());
        }
        match self.store.session(id).await {
            Ok(session) => session.map(|session| session.principal),
            Err(error) => {
                tracing::error!(%error, "looking for a session");
                None
            }
        }
    }

    fn begin(&self, id: &SessionId, principal: String) {
        let now = self.clock.now();
        let life = format!("{:08x}", self.chance.bits() & 0xffff_ffff);
        self.map()
            .insert(id.clone(), Living { principal, seen: now, noted: now, life, calls: Arc::default() });
    }

    /// The events of a stream, with the life of their session in their ids.
    fn tagged(
        &self,
        id: &SessionId,
        events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
    ) -> Events {
        let life = self.map().get(id).map(|living| living.life.clone()).unwrap_or_default();
        Box::pin(events.map(move |mut event| {
            event.event_id = event.event_id.map(|id| format!("{id}.{life}"));
            event
        }))
    }

    /// The same of a call, which is under way until its stream ends.
    fn tagged_call(
        &self,
        id: &SessionId,
        events: impl Stream<Item = ServerSseMessage> + Send + Sync + 'static,
    ) -> Events {
        let call = self.map().get(id).map(|living| Arc::clone(&living.calls));
        self.tagged(
            id,
            events.map(move |event| {
                let _under_way = &call;
                event
            }),
        )
    }

    /// Whether an event was of the present life of its session, and its id as rmcp gave it.
    fn untagged<'a>(&self, id: &SessionId, event: &'a str) -> (bool, &'a str) {
        let (event, life) = event.rsplit_once('.').unwrap_or((event, ""));
        (self.map().get(id).is_some_and(|living| living.life == life), event)
    }

    /// Notes that a session is in use, now and then in the store as well.
    async fn touch(&self, id: &str) {
        let now = self.clock.now();
        let note = match self.map().get_mut(id) {
            Some(living) => {
                living.seen = now;
                let due = living.noted.until(now) >= NOTED_EVERY;
                if due {
                    living.noted = now;
                }
                due
            }
            None => false,
        };
        if note && let Err(error) = self.store.session_seen(id, now).await {
            tracing::error!(%error, "noting that a session is in use");
        }
    }

    /// Makes room for one more. Who is sent to sleep wakes at its next call.
    async fn make_room(&self) {
        let silent = {
            let map = self.map();
            if map.len() < AT_ONCE {
                return;
            }
            let rank = |living: &Living| (Arc::strong_count(&living.calls) > 1, living.seen.0);
            map.iter().min_by_key(|(_, living)| rank(living)).map(|(id, _)| id.clone())
        };
        if let Some(id) = silent
            && let Err(error) = self.close_session(&id).await
        {
            tracing::debug!(%error, "sending a session to sleep");
        }
    }
}

/// In front of rmcp: a session of another principal is one that does not exist.
pub async fn belong(State(sessions): State<Sessions>, mut request: Request, next: Next) -> Response {
    /// No session has this id.
    const NOBODYS: HeaderValue = HeaderValue::from_static("nobodys");
    let principal = principal(Some(request.extensions()));
    let named = request.headers().get("mcp-session-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
    if let Some(id) = &named {
        match sessions.owner(id).await {
            Some(owner) if owner == principal => sessions.touch(id).await,
            _ => drop(request.headers_mut().insert("mcp-session-id", NOBODYS)),
        }
    }
    let call = Arc::new(Call { principal, too_late: AtomicBool::new(false) });
    let response = CALL.scope(Arc::clone(&call), next.run(request)).await;
    if call.too_late.load(Ordering::Relaxed) {
        return (StatusCode::NOT_FOUND, "Not Found: Session not found").into_response();
    }
    response
}

fn caller() -> String {
    CALL.try_with(|call| call.principal.clone()).unwrap_or_else(|_| principal(None))
}

/// What rmcp said, or nothing where the session was ended (by `DELETE`, say) while a message for it was on its way: for rmcp
/// that is a fault of the server's, and it is nobody's.
fn unless_ended<T>(
    said: Result<T, LocalSessionManagerError>,
    nothing: impl FnOnce() -> T,
) -> Result<T, LocalSessionManagerError> {
    use LocalSessionManagerError::{SessionError, SessionNotFound};
    match said {
        Err(SessionNotFound(_) | SessionError(local::SessionError::SessionServiceTerminated)) => {
            // Outside of a request nobody asks.
            let _ = CALL.try_with(|call| call.too_late.store(true, Ordering::Relaxed));
            Ok(nothing())
        }
        said => said,
    }
}

#[async_trait::async_trait]
impl SessionStore for Sessions {
    async fn load(&self, id: &str) -> Result<Option<SessionState>, SessionStoreError> {
        let Some(session) = self.store.session(id).await?.filter(|session| session.principal == caller())
        else {
            return Ok(None);
        };
        Ok(Some(serde_json::from_str(&session.state)?))
    }

    async fn store(&self, id: &str, state: &SessionState) -> Result<(), SessionStoreError> {
        let session = Session { principal: caller(), state: serde_json::to_string(state)? };
        Ok(self.store.keep_session(id, &session, self.clock.now()).await?)
    }

    async fn delete(&self, id: &str) -> Result<(), SessionStoreError> {
        Ok(self.store.end_session(id).await?)
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = Telling;

    async fn create_session(&self) -> Result<(SessionId, Telling), Self::Error> {
        self.make_room().await;
        let (id, transport) = self.manager.create_session().await?;
        self.begin(&id, caller());
        Ok((id, Telling(transport)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.manager.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.manager.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.map().remove(id);
        self.manager.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.manager.create_stream(id, message).await;
        unless_ended(stream.map(|stream| self.tagged_call(id, stream)), || Box::pin(stream::empty()))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        unless_ended(self.manager.accept_message(id, message).await, || ())
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.manager.create_standalone_stream(id).await;
        unless_ended(stream.map(|stream| self.tagged(id, stream)), || Box::pin(stream::empty()))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(match self.untagged(id, &last_event_id) {
            (true, event) => self.tagged_call(id, self.manager.resume(id, event.to_owned()).await?),
            // The call of that stream was lost with the server: it has no more events.
            (false, event) if event.contains('/') => Box::pin(stream::empty()) as Events,
            (false, _) => self.tagged(id, self.manager.create_standalone_stream(id).await?),
        })
    }

    async fn restore_session(&self, id: SessionId) -> Result<RestoreOutcome<Telling>, Self::Error> {
        self.make_room().await;
        Ok(match self.manager.restore_session(id.clone()).await? {
            RestoreOutcome::Restored(transport) => {
                self.begin(&id, caller());
                RestoreOutcome::Restored(Telling(transport))
            }
            RestoreOutcome::AlreadyPresent => RestoreOutcome::AlreadyPresent,
            _ => RestoreOutcome::NotSupported,
        })
    }
}
