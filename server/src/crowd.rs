//! How often people's browsers may come, and how many streams of events they may hold open.
//!
//! Each address has its buckets, and each person's session one more, which whoever carries it cannot get around by coming from
//! elsewhere. An office may come from one address, so those of an address are large.

use crate::{
    config::{Access, Rates},
    guard,
    limits::{Limit, later, neighbourhood},
    reviewers::People,
    streams::{self, Streams},
};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::StatusCode;
use std::{net::IpAddr, sync::Arc, time::Duration};
use tokio::time::Instant;

/// So many streams of events are open to one session; a browser has six connections for all pages of a server.
pub const EACH_SESSION: usize = 20;
/// So many are open to one address.
pub const EACH_ADDRESS: usize = 500;
/// So many are open.
pub const AT_ONCE: usize = 10_000;

/// Whoever holds a stream.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Holder {
    Anybody,
    Address(Option<IpAddr>),
    Session(String),
}

/// People's browsers, all together.
#[derive(Clone)]
pub struct Crowd(Arc<Inner>);

struct Inner {
    people: People,
    pages: Limit<Option<IpAddr>>,
    decisions: Limit<Option<IpAddr>>,
    sign_ins: Limit<Option<IpAddr>>,
    person: Limit<String>,
    streams: Streams<Holder>,
    look_again: Duration,
}

impl Crowd {
    /// These people, who may come so often.
    pub fn new(people: People, access: &Access) -> Self {
        let Rates { pages, decisions, sign_ins, person, .. } = access.rates;
        Self(Arc::new(Inner {
            people,
            pages: Limit::new(pages),
            decisions: Limit::new(decisions),
            sign_ins: Limit::new(sign_ins),
            person: Limit::new(person),
            streams: Streams::default(),
            look_again: access.patience.look_again,
        }))
    }

    /// How many streams of events are open.
    pub fn streams(&self) -> usize {
        self.0.streams.of(&Holder::Anybody)
    }

    fn take(&self, request: &Request, by_address: &Limit<Option<IpAddr>>) -> Result<(), Duration> {
        let now = Instant::now();
        by_address.take(&address(request), now)?;
        match self.0.people.session_in(request.headers()) {
            Some(session) => self.0.person.take(&session, now),
            None => Ok(()),
        }
    }

    /// Comes back when a session has ended, a little later; never where nobody signs in.
    async fn ended(self, session: Option<String>) {
        let Some(session) = session else { return std::future::pending().await };
        loop {
            tokio::time::sleep(self.0.look_again).await;
            match self.0.people.lives(&session).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => tracing::error!(%error, "looking whether a session has ended"),
            }
        }
    }
}

/// In front of pages and of what they send: not too often.
pub async fn admit(State(crowd): State<Crowd>, request: Request, next: Next) -> Response {
    let limit = if request.method().is_safe() { &crowd.0.pages } else { &crowd.0.decisions };
    match crowd.take(&request, limit) {
        Ok(()) => next.run(request).await,
        Err(wait) => later(StatusCode::TOO_MANY_REQUESTS, wait, TOO_OFTEN),
    }
}

/// In front of sign-in, each of which may ask the provider.
pub async fn admit_sign_in(State(crowd): State<Crowd>, request: Request, next: Next) -> Response {
    match crowd.take(&request, &crowd.0.sign_ins) {
        Ok(()) => next.run(request).await,
        Err(wait) => later(StatusCode::TOO_MANY_REQUESTS, wait, TOO_OFTEN),
    }
}

const TOO_OFTEN: &str = "Too many requests from here. Nothing was changed; try again in a moment.\n";

/// In front of events: not too many at once, and none any longer than the session of whom it tells them.
pub async fn hold(State(crowd): State<Crowd>, request: Request, next: Next) -> Response {
    const LATER: Duration = Duration::from_secs(60);
    const TOO_MANY: &str = "Too many pages are open from here. This one asks from time to time instead.\n";
    let session = crowd.0.people.session_in(request.headers());
    let streams = &crowd.0.streams;
    let held = (|| {
        let address = streams.hold(Holder::Address(address(&request)), EACH_ADDRESS)?;
        let session = match &session {
            Some(session) => Some(streams.hold(Holder::Session(session.clone()), EACH_SESSION)?),
            None => None,
        };
        Some((address, session, streams.hold(Holder::Anybody, AT_ONCE)?))
    })();
    match held {
        Some(held) => streams::until(next.run(request).await, held, crowd.ended(session)),
        None => later(StatusCode::TOO_MANY_REQUESTS, LATER, TOO_MANY),
    }
}

fn address(request: &Request) -> Option<IpAddr> {
    guard::address(request.extensions()).map(neighbourhood)
}
