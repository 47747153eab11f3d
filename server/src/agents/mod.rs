//! Who asks: the door in front of `/mcp`. What has no good credentials does not reach MCP at all.
//!
//! A server for which nobody ever made a credential runs open, and everybody is `local`. The first token closes it, and
//! it never opens again by itself: not when the last token is revoked, and not when the store does not answer.

pub mod alone;
mod bearer;
pub mod command;
mod good;
mod needs;
pub mod oauth;
mod refusal;
pub mod token;

use crate::{
    config::{Access, PublicUrl, Rates},
    guard,
    limits::{Limit, neighbourhood},
    mcp::{BODY_BYTES, sessions::Principal},
    reviews::Reviews,
    store::StoreError,
    streams::{self, Streams},
};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bearer::Shown;
use good::{Good, Looks};
use http::{HeaderMap, Method, StatusCode, header};
use needs::Need;
use oauth::{AccessTokens, metadata};
use refusal::{Challenge, Refusal};
use sayso_domain::{
    Clock, Moment,
    audit::{Actor, Door, Event, Via},
};
use std::{
    net::IpAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use token::{Scope, Scopes, Secret};
use tokio::time::Instant;

/// How often an open server looks whether a first token was made.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// So many answers of one principal may be open at once: calls that wait, and streams of sessions.
pub const EACH_PRINCIPAL: usize = 5_000;

/// How often it is written down that a token is in use, in milliseconds.
const NOTED_EVERY: u64 = 300_000;

/// Who may ask.
#[derive(Clone)]
pub struct Agents(Arc<Inner>);

struct Inner {
    reviews: Reviews,
    challenge: Challenge,
    access_tokens: Option<AccessTokens>,
    metadata: Router,
    /// Whether credentials are wanted. Once they are, they are for good.
    closed: AtomicBool,
    looked: Mutex<Option<Instant>>,
    limits: Limits,
    streams: Streams<String>,
    looks: Looks,
}

/// How often they may come.
struct Limits {
    creations: Limit<String>,
    calls: Limit<String>,
    session: Limit<(String, String)>,
    refusals: Limit<Option<IpAddr>>,
    /// Refusals that are written down, whoever was refused: enough to see an attack, and too few to fill a disk.
    recorded: Limit<()>,
    unrecorded: AtomicU64,
}

impl Limits {
    fn new(rates: Rates) -> Self {
        Self {
            creations: Limit::new(rates.creations),
            calls: Limit::new(rates.calls),
            session: Limit::new(rates.session),
            refusals: Limit::new(rates.refusals),
            recorded: Limit::slowly(Duration::from_secs(60), 20),
            unrecorded: AtomicU64::new(0),
        }
    }
}

/// Whose credentials were good, and for what.
struct Caller {
    principal: String,
    scopes: Scopes,
    good: Good,
}

impl Agents {
    /// Agents that come in like this.
    ///
    /// # Errors
    /// There is an issuer, and nothing can be fetched from here.
    pub fn new(
        reviews: Reviews,
        clock: Arc<dyn Clock>,
        access: &Access,
        public_url: &PublicUrl,
    ) -> Result<Self, reqwest::Error> {
        let access_tokens = access.oauth.as_ref().map(|oauth| AccessTokens::new(oauth, public_url, clock));
        Ok(Self(Arc::new(Inner {
            reviews,
            challenge: Challenge::new(access, public_url),
            access_tokens: access_tokens.transpose()?,
            metadata: access
                .oauth
                .as_ref()
                .map_or_else(Router::new, |oauth| metadata::routes(oauth, public_url)),
            closed: AtomicBool::new(access.wants_credentials()),
            looked: Mutex::new(None),
            limits: Limits::new(access.rates),
            streams: Streams::default(),
            looks: Looks::every(access.patience.look_again),
        })))
    }

    /// Where clients read whose access tokens are taken; nowhere, where none are.
    pub fn metadata(&self) -> Router {
        self.0.metadata.clone()
    }

    /// Whether credentials are wanted.
    ///
    /// # Errors
    /// The store.
    pub async fn is_closed(&self) -> Result<bool, StoreError> {
        let inner = &self.0;
        if inner.closed.load(Ordering::Acquire) {
            return Ok(true);
        }
        let now = Instant::now();
        {
            let mut looked = inner.looked.lock().expect("no panic happens under this lock");
            match *looked {
                Some(at) if now.duration_since(at) < LOOK_AGAIN => return Ok(false),
                // The others need not wait for the answer; without a first one, they do.
                Some(_) => *looked = Some(now),
                None => {}
            }
        }
        let closed = inner.reviews.store().has_tokens().await?;
        if closed && !inner.closed.swap(true, Ordering::AcqRel) {
            tracing::info!("a token was made: /mcp wants credentials from now on");
        }
        *inner.looked.lock().expect("no panic happens under this lock") = Some(now);
        Ok(closed)
    }

    /// What a request asks for is done, if it may be asked by whoever asks.
    async fn let_in(&self, request: Request, next: Next) -> Result<Response, Refusal> {
        let address = guard::address(request.extensions());
        let caller = match self.identify(request.headers()).await {
            Ok(caller) => caller,
            Err(refusal) => return Err(self.refused(refusal, address).await),
        };
        let (limits, now) = (&self.0.limits, Instant::now());
        limits.calls.take(&caller.principal, now)?;
        let session = request.headers().get("mcp-session-id").and_then(|id| id.to_str().ok());
        // Ours are shorter; any other is nobody's anyway.
        if let Some(session) = session.filter(|id| id.len() <= 64) {
            limits.session.take(&(caller.principal.clone(), session.to_owned()), now)?;
        }
        let mut request =
            if *request.method() == Method::POST { self.read(request, &caller, now).await? } else { request };
        let held = self.0.streams.hold(caller.principal.clone(), EACH_PRINCIPAL);
        let held = held.ok_or(Refusal::TooMany(Duration::from_secs(1)))?;
        request.extensions_mut().insert(Principal(caller.principal));
        let response = next.run(request).await;
        Ok(streams::until(response, held, self.clone().ended(caller.good)))
    }

    /// Comes back when credentials are no longer good, a little later.
    async fn ended(self, good: Good) {
        loop {
            tokio::time::sleep(self.0.looks.pause()).await;
            // In a box, which is gone while this sleeps: thousands do.
            match Box::pin(self.0.looks.still(&good, &self.0.reviews)).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => tracing::error!(%error, "looking whether a token has ended"),
            }
        }
    }

    /// Reads what is asked for, and whether this caller may ask for it.
    async fn read(&self, request: Request, caller: &Caller, now: Instant) -> Result<Request, Refusal> {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, BODY_BYTES).await.map_err(|_| Refusal::TooLarge)?;
        let need = Need::of(&body).ok_or(Refusal::Unreadable)?;
        match need.scope {
            Some(scope) if !caller.scopes.has(scope) => return Err(Refusal::Insufficient(scope)),
            _ => {}
        }
        if need.creates {
            self.0.limits.creations.take(&caller.principal, now)?;
        }
        Ok(Request::from_parts(parts, Body::from(body)))
    }

    /// Whose credentials these are.
    async fn identify(&self, headers: &HeaderMap) -> Result<Caller, Refusal> {
        match bearer::shown(headers) {
            Shown::Nothing => Err(Refusal::Missing),
            Shown::TwoThings => Err(Refusal::Malformed),
            Shown::Bearer(text) if text.starts_with(token::PREFIX) => self.know(text).await,
            Shown::Bearer(text) => match &self.0.access_tokens {
                Some(access_tokens) => access_tokens.know(text).await,
                None => Err(Refusal::Invalid("this is no token that this server knows")),
            },
        }
    }

    async fn know(&self, text: &str) -> Result<Caller, Refusal> {
        let secret = Secret::parse(text)
            .ok_or(Refusal::Invalid("the token is cut short, or otherwise not as it was made"))?;
        let (store, now) = (self.0.reviews.store(), self.0.reviews.now());
        let token = store.token_by(&secret.digest()).await.map_err(|error| {
            tracing::error!(%error, "looking for a token");
            Refusal::Unavailable
        })?;
        let token = token.ok_or(Refusal::Invalid("this is no token that this server knows"))?;
        if token.revoked_at.is_some() {
            return Err(Refusal::Invalid("the token was revoked"));
        }
        if !token.is_live(now) {
            return Err(Refusal::Invalid("the token has expired"));
        }
        if token.used_at.is_none_or(|at| Moment(at).until(now) >= NOTED_EVERY) {
            let (store, id) = (store.clone(), token.id.clone());
            tokio::spawn(async move {
                if let Err(error) = store.token_used(&id, now).await {
                    tracing::error!(%error, "noting that a token is in use");
                }
            });
        }
        let scopes = Scopes::among(token.scopes.split(' '), Scope::word);
        Ok(Caller { principal: token.name, scopes, good: Good::Token(secret.digest()) })
    }

    /// What somebody without good credentials is told, and what is written down of it.
    async fn refused(&self, refusal: Refusal, address: Option<IpAddr>) -> Refusal {
        let limits = &self.0.limits;
        let why = match &refusal {
            Refusal::Unavailable => return refusal,
            Refusal::Invalid(why) => Some(*why),
            Refusal::Malformed => Some("more than one Authorization header"),
            // Every client comes without at first, to be told what it needs.
            _ => None,
        };
        let now = Instant::now();
        if let Some(why) = why {
            if limits.recorded.take(&(), now).is_ok() {
                let unrecorded = limits.unrecorded.swap(0, Ordering::Relaxed);
                tracing::warn!(
                    why,
                    unrecorded,
                    address = address.map(tracing::field::display),
                    "credentials refused"
                );
                let event = Event::CredentialsRefused { why: why.to_owned(), unrecorded };
                let via = Via { door: Door::Mcp, address };
                if let Err(error) = self.0.reviews.note(Actor::System, event, via).await {
                    tracing::error!(%error, "writing down that credentials were refused");
                }
            } else {
                limits.unrecorded.fetch_add(1, Ordering::Relaxed);
            }
        }
        match limits.refusals.take(&address.map(neighbourhood), now) {
            Ok(()) => refusal,
            Err(wait) => Refusal::TooMany(wait),
        }
    }
}

/// In front of `/mcp`: lets in who may ask, or says why not.
pub async fn admit(State(agents): State<Agents>, request: Request, next: Next) -> Response {
    let answer = match agents.is_closed().await {
        Ok(false) => return next.run(request).await,
        Ok(true) => agents.let_in(request, next).await,
        Err(error) => {
            tracing::error!(%error, "looking for tokens");
            Err(Refusal::Unavailable)
        }
    };
    answer.unwrap_or_else(|refusal| agents.0.challenge.answer(&refusal))
}

/// In front of everything else: a token decides nothing, even where whoever holds it could decide without it. One among
/// several headers is one as well.
pub async fn never_decides(State(agents): State<Agents>, request: Request, next: Next) -> Response {
    let changes = !request.method().is_safe();
    let access_tokens = agents.0.access_tokens.as_ref();
    let is_agents = |text: &str| {
        text.starts_with(token::PREFIX) || access_tokens.is_some_and(|tokens| tokens.is_meant(text))
    };
    if changes && !request.uri().path().ends_with(guard::MCP) && bearer::all(request.headers()).any(is_agents)
    {
        let why = "a token is an agent's: it asks at /mcp and decides nothing\n";
        return (StatusCode::FORBIDDEN, [(header::CACHE_CONTROL, "no-store")], why).into_response();
    }
    next.run(request).await
}
