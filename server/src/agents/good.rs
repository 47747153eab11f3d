//! Whether credentials that were good still are: for answers that stay open.

use crate::{reviews::Reviews, store::StoreError};
use quick_cache::sync::Cache;
use sayso_domain::Moment;
use std::time::Duration;
use tokio::time::Instant;

/// The answers of so many tokens are remembered.
const REMEMBERED: usize = 10_000;

/// By what credentials are good.
pub(super) enum Good {
    /// One of our tokens: until it ends or is revoked. By its digest.
    Token(String),
    /// An issuer's: until then, whatever the issuer thinks of it meanwhile.
    Until(Moment),
}

/// How often it is looked. All answers that are open by one token share a look.
pub(super) struct Looks {
    every: Duration,
    known: Cache<String, (Instant, bool)>,
}

impl Looks {
    pub(super) fn every(every: Duration) -> Self {
        Self { every, known: Cache::new(REMEMBERED) }
    }

    /// How long until the next.
    pub(super) fn pause(&self) -> Duration {
        self.every
    }

    /// Whether credentials are good, as of the latest look.
    ///
    /// # Errors
    /// The store.
    pub(super) async fn still(&self, good: &Good, reviews: &Reviews) -> Result<bool, StoreError> {
        let digest = match good {
            Good::Until(end) => return Ok(reviews.now() < *end),
            Good::Token(digest) => digest,
        };
        let now = Instant::now();
        if let Some((_, live)) = self.known.get(digest).filter(|(at, _)| now.duration_since(*at) < self.every)
        {
            return Ok(live);
        }
        let token = reviews.store().token_by(digest).await?;
        let live = token.is_some_and(|token| token.is_live(reviews.now()));
        self.known.insert(digest.clone(), (now, live));
        Ok(live)
    }
}
