//! The people who decide: how they sign in with a provider, what their browsers carry, and who stands before a page.
//!
//! Nothing here knows HTML. What a visitor may see or decide is the waist's to say (`Reviews::show`, `Reviews::submit`).

mod cookies;
mod http;
mod pending;
mod provider;

use crate::{
    chance::Chance,
    config::{PublicUrl, SignIn},
    limits::Limit,
    reviews::Reviews,
    store::{Store, StoreError, people::PersonSession},
    token::Tokens,
};
use ::http::{HeaderMap, HeaderValue};
use cookies::Cookies;
pub use pending::Next;
use pending::{Back, Pending};
use provider::Provider;
pub use provider::Unavailable;
use sayso_domain::{
    audit::{Actor, Event, Via},
    people::{Person, Visitor},
};
use sha2::{Digest, Sha256};
use std::{sync::Arc, time::Duration};
use tokio::time::Instant;

/// A session that nobody uses ends after so long, in milliseconds.
pub const IDLE: i64 = 8 * 3_600_000;
/// A session ends after so long, in milliseconds.
pub const LIFE: i64 = 24 * 3_600_000;
/// That a session is in use is written down at most so often, in milliseconds.
const SEEN_EVERY: i64 = 60_000;

/// Who a request is from.
#[derive(Clone)]
pub struct People(Arc<Inner>);

struct Inner {
    reviews: Reviews,
    store: Store,
    chance: Arc<Chance>,
    sign_in: Option<SigningIn>,
    /// Refused sign-ins that are written down: enough to see an attack, and too few to fill a disk.
    recorded: Limit<()>,
}

struct SigningIn {
    provider: Provider,
    pending: Pending,
    cookies: Cookies,
    groups: Vec<String>,
}

/// Who a request is from, and by what that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who stands there.
    pub visitor: Visitor,
    /// What tokens of theirs are bound to: it names their session and them, and is no secret that opens it.
    pub bearer: String,
}

/// Who it is to whom a token was given that is bound like this, also when their session is over: by a name that says nothing, and
/// that the same person has again who signs in anew. Where the server runs open there are no sessions, and none that are over.
pub fn holder(bearer: &str) -> Option<&str> {
    bearer.split_once(HELD_BY).map(|(_, holder)| holder)
}

/// Where a browser goes next, and what it carries from now on.
#[derive(Debug)]
pub struct Onward {
    /// An address of the provider, or of this server.
    pub to: String,
    /// What `Set-Cookie` says.
    pub cookies: Vec<HeaderValue>,
}

/// What a browser is told whose person has signed out.
#[derive(Debug, Default)]
pub struct Farewell {
    /// An address of the provider, where they sign out as well.
    pub onward: Option<String>,
    /// What `Set-Cookie` says.
    pub cookies: Vec<HeaderValue>,
}

/// Why somebody was not signed in.
#[derive(Debug)]
pub enum NotSignedIn {
    /// People do not sign in here: the server runs open.
    Open,
    /// The provider does not answer, or not as one.
    Unavailable(Unavailable),
    /// What came back is not what was sent for, came twice, or too late.
    Stale,
    /// The provider does not vouch for anybody.
    Refused(String),
    /// The store.
    Store(StoreError),
}

impl From<StoreError> for NotSignedIn {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What comes back from the provider by way of the browser.
#[derive(Debug, Default)]
pub struct Returned {
    /// What the provider gives for an identity.
    pub code: Option<String>,
    /// What was sent along.
    pub state: Option<String>,
    /// Why there is no code.
    pub error: Option<String>,
    /// Who says so (RFC 9207).
    pub issuer: Option<String>,
}

/// What stands between the name of a session and the name of its person.
const HELD_BY: char = '-';

/// What tokens of an open server are bound to.
const LOCAL: &str = "local";

impl People {
    /// Puts the pieces together; without `sign_in` everybody is the one person whose server this is.
    pub fn new(
        reviews: Reviews,
        tokens: Tokens,
        chance: Arc<Chance>,
        public_url: &PublicUrl,
        sign_in: Option<SignIn>,
    ) -> Self {
        let store = reviews.store().clone();
        let sign_in = sign_in.map(|settings| SigningIn {
            groups: settings.groups.clone(),
            provider: Provider::new(settings, public_url),
            pending: Pending::new(tokens, Arc::clone(&chance)),
            cookies: Cookies::of(public_url),
        });
        let recorded = Limit::slowly(Duration::from_secs(60), 20);
        Self(Arc::new(Inner { reviews, store, chance, sign_in, recorded }))
    }

    /// Whether people sign in here; otherwise the server runs open for one person's own use.
    pub fn sign_in(&self) -> bool {
        self.0.sign_in.is_some()
    }

    /// Who a request with these headers is from.
    ///
    /// # Errors
    /// The store.
    pub async fn caller(&self, headers: &HeaderMap) -> Result<Caller, StoreError> {
        self.caller_by(&self.session_in(headers).unwrap_or_default()).await
    }

    /// Who it is to whom a token was given that is bound like this.
    ///
    /// # Errors
    /// The store.
    pub async fn caller_by(&self, bearer: &str) -> Result<Caller, StoreError> {
        let Some(sign_in) = &self.0.sign_in else {
            return Ok(Caller { visitor: Visitor::Local, bearer: LOCAL.to_owned() });
        };
        let session = bearer.split_once(HELD_BY).map_or(bearer, |(session, _)| session);
        let Some(person) = self.session(session).await? else {
            return Ok(Caller { visitor: Visitor::Stranger, bearer: String::new() });
        };
        let reviews = sign_in.groups.is_empty() || sign_in.groups.iter().any(|g| person.groups.contains(g));
        let bearer = format!("{session}{HELD_BY}{}", digest(&person.subject));
        let visitor = if reviews { Visitor::Reviewer(person) } else { Visitor::Outsider(person) };
        Ok(Caller { visitor, bearer })
    }

    /// What names the session that these headers carry, whether there is such a session or not.
    pub fn session_in(&self, headers: &HeaderMap) -> Option<String> {
        self.0.sign_in.as_ref()?.cookies.session(headers).map(|carried| digest(&carried))
    }

    /// Whether a session has not ended. To ask is not to use it.
    ///
    /// # Errors
    /// The store.
    pub async fn lives(&self, session: &str) -> Result<bool, StoreError> {
        Ok(self.living(session).await?.is_some())
    }

    async fn living(&self, id: &str) -> Result<Option<PersonSession>, StoreError> {
        let now = self.0.reviews.now();
        let session = self.0.store.person_session(id).await?;
        // One that began in the future is of a clock that was wrong then, or is now.
        Ok(session.filter(|PersonSession { made, seen, .. }| {
            made.0 + LIFE > now.0 && seen.0 + IDLE > now.0 && made.0 <= now.0 + LIFE
        }))
    }

    async fn session(&self, id: &str) -> Result<Option<Person>, StoreError> {
        if id.is_empty() {
            return Ok(None);
        }
        let now = self.0.reviews.now();
        let Some(PersonSession { person, seen, .. }) = self.living(id).await? else {
            return Ok(None);
        };
        if seen.0 + SEEN_EVERY <= now.0 {
            self.0.store.person_seen(id, now).await?;
        }
        Ok(Some(person))
    }

    /// Begins a sign-in that leads to `next`.
    ///
    /// # Errors
    /// People do not sign in here, the provider does not answer, or the store does not.
    pub async fn begin(&self, next: &Next) -> Result<Onward, NotSignedIn> {
        let sign_in = self.0.sign_in.as_ref().ok_or(NotSignedIn::Open)?;
        let (carried, secrets) = sign_in.pending.begin(next, self.0.reviews.now()).await?;
        let to = sign_in.provider.address(secrets).await.map_err(NotSignedIn::Unavailable)?;
        Ok(Onward { to, cookies: vec![sign_in.cookies.pending(&carried, pending::LIFE)] })
    }

    /// Ends a sign-in: whoever the provider vouches for has a new session.
    ///
    /// # Errors
    /// It vouches for nobody, or not in answer to what this browser asked.
    pub async fn finish(
        &self,
        headers: &HeaderMap,
        returned: Returned,
        via: Via,
    ) -> Result<Onward, NotSignedIn> {
        let finished = self.try_finish(headers, returned, via).await;
        if let Err(NotSignedIn::Refused(_) | NotSignedIn::Stale) = &finished
            && self.carries_sign_in(headers)
            && self.0.recorded.take(&(), Instant::now()).is_ok()
        {
            self.0.reviews.note(Actor::System, Event::SignInRefused, via).await?;
        }
        finished
    }

    /// Whether a browser that comes back began something, or says so. Whatever else comes to that address (a scanner of mail,
    /// a search engine) leaves no trace.
    fn carries_sign_in(&self, headers: &HeaderMap) -> bool {
        let sign_in = self.0.sign_in.as_ref();
        sign_in.is_some_and(|sign_in| {
            sign_in.cookies.carried_pending(headers).is_some_and(|carried| !carried.is_empty())
        })
    }

    async fn try_finish(
        &self,
        headers: &HeaderMap,
        returned: Returned,
        via: Via,
    ) -> Result<Onward, NotSignedIn> {
        let sign_in = self.0.sign_in.as_ref().ok_or(NotSignedIn::Open)?;
        let now = self.0.reviews.now();
        let carried = sign_in.cookies.carried_pending(headers).unwrap_or_default();
        let state = returned.state.unwrap_or_default();
        let Some(Back { next, secrets, ends }) = sign_in.pending.back(&carried, &state, now).await? else {
            return Err(NotSignedIn::Stale);
        };
        // Spent before anything is asked of the provider: whatever comes of it, it does not come twice.
        if !self.0.store.spend_state(&state, ends).await? {
            return Err(NotSignedIn::Stale);
        }
        let provider = &sign_in.provider;
        if returned.issuer.is_some_and(|issuer| issuer != provider.issuer()) {
            return Err(NotSignedIn::Refused("another provider answered".to_owned()));
        }
        let Some(code) = returned.code.filter(|_| returned.error.is_none()) else {
            let why = returned.error.unwrap_or_default();
            return Err(NotSignedIn::Refused(format!("the provider says `{}`", plain(&why))));
        };
        let person = provider.person(code, secrets, now).await?;
        let value = format!("{:032x}{:032x}", self.0.chance.bits(), self.0.chance.bits());
        let old = sign_in.cookies.session(headers).map(|old| digest(&old));
        let actor = Actor::Reviewer(person.known_as());
        let session = PersonSession { person, made: now, seen: now };
        self.0.store.keep_person(&digest(&value), old.as_deref(), &session).await?;
        self.0.reviews.note(actor, Event::SignedIn, via).await?;
        let cookies = vec![sign_in.cookies.new_session(&value, LIFE), sign_in.cookies.pending("", 0)];
        Ok(Onward { to: next, cookies })
    }

    /// Signs out whoever sent these headers, here; and where their browser goes to sign out at the provider.
    ///
    /// # Errors
    /// The store; nobody is signed out then.
    pub async fn sign_out(&self, headers: &HeaderMap, via: Via) -> Result<Farewell, StoreError> {
        let Some(sign_in) = &self.0.sign_in else { return Ok(Farewell::default()) };
        let caller = self.caller(headers).await?;
        if let Some(carried) = sign_in.cookies.session(headers) {
            self.0.store.end_person_session(&digest(&carried)).await?;
        }
        if let Some(person) = caller.visitor.person() {
            let actor = Actor::Reviewer(person.known_as());
            self.0.reviews.note(actor, Event::SignedOut, via).await?;
        }
        // Asked last: whatever becomes of it, nobody is signed in here any more.
        let onward = sign_in.provider.farewell().await;
        Ok(Farewell { onward, cookies: vec![sign_in.cookies.new_session("", 0)] })
    }
}

/// What a session is called in the store: what the browser carries cannot be had from it.
fn digest(carried: &str) -> String {
    Sha256::digest(carried).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An error code of OAuth as it may be shown: what is no code shows nothing of itself.
fn plain(code: &str) -> &str {
    let is_code = code.len() <= 40 && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if is_code { code } else { "an unknown error" }
}
