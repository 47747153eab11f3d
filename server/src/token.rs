//! The tokens that authorise a decision from a document whose origin is nobody's: no cookie and no origin can.
//!
//! A token is bound to one request and one purpose, and ends with the request, or an hour after it was made. It is not
//! used up: a request is decided once, whatever arrives.

use crate::{
    chance::Chance,
    store::{Store, StoreError, keys::Key},
};
use hmac::{Hmac, KeyInit, Mac};
use sayso_domain::{Moment, ReviewId};
use sha2::Sha256;
use std::sync::Arc;

/// A token lives at most so long, in milliseconds.
const LIFE: i64 = 3_600_000;

/// Makes tokens, and knows its own.
#[derive(Clone)]
pub struct Tokens {
    store: Store,
    chance: Arc<Chance>,
}

/// What a token is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Deciding on a selection.
    Select,
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Select => "select",
        }
    }
}

impl Tokens {
    /// Puts the pieces together.
    pub fn new(store: Store, chance: Arc<Chance>) -> Self {
        Self { store, chance }
    }

    /// A token for this request, good until `deadline` and for an hour at most.
    ///
    /// # Errors
    /// The store.
    pub async fn mint(
        &self,
        purpose: Purpose,
        id: ReviewId,
        deadline: Moment,
        now: Moment,
    ) -> Result<String, StoreError> {
        let key = match self.store.signing_key().await? {
            Some(key) => key,
            None => self.rotate(now).await?,
        };
        let ends = deadline.0.min(now.0 + LIFE);
        let seal = seal(&key, purpose, id, ends).finalize().into_bytes();
        let seal: String = seal.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{}.{ends}.{seal}", key.id))
    }

    /// Whether a token authorises this now.
    ///
    /// # Errors
    /// The store.
    pub async fn honours(
        &self,
        token: &str,
        purpose: Purpose,
        id: ReviewId,
        now: Moment,
    ) -> Result<bool, StoreError> {
        let mut parts = token.splitn(3, '.');
        let (Some(key), Some(ends), Some(given)) = (parts.next(), parts.next(), parts.next()) else {
            return Ok(false);
        };
        let (Ok(ends), Some(given)) = (ends.parse::<i64>(), unhex(given)) else { return Ok(false) };
        if ends <= now.0 || ends > now.0 + LIFE {
            return Ok(false);
        }
        let Some(key) = self.store.key(key, Moment(now.0 - LIFE)).await? else { return Ok(false) };
        // Compared in constant time.
        Ok(seal(&key, purpose, id, ends).verify_slice(&given).is_ok())
    }

    /// The keys that are honoured for what lives at most `life` milliseconds; the one that signs first.
    ///
    /// # Errors
    /// The store.
    pub async fn keys(&self, life: i64, now: Moment) -> Result<Vec<Key>, StoreError> {
        let keys = self.store.keys(Moment(now.0 - life)).await?;
        if keys.is_empty() {
            return Ok(vec![self.rotate(now).await?]);
        }
        Ok(keys)
    }

    /// Makes a new key. What the old one signed is honoured until it ends.
    ///
    /// # Errors
    /// The store.
    pub async fn rotate(&self, now: Moment) -> Result<Key, StoreError> {
        let id = format!("{:08x}", self.chance.bits() & 0xffff_ffff);
        let secret = format!("{:032x}{:032x}", self.chance.bits(), self.chance.bits());
        let key = Key { id, secret };
        self.store.new_key(&key, now).await?;
        tracing::info!(key = %key.id, "a new signing key");
        Ok(key)
    }
}

fn seal(key: &Key, purpose: Purpose, id: ReviewId, ends: i64) -> Hmac<Sha256> {
    let mut seal =
        Hmac::<Sha256>::new_from_slice(key.secret.as_bytes()).expect("a key of any length will do");
    seal.update(format!("{}|{id}|{ends}|{}", purpose.word(), key.id).as_bytes());
    seal
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    if bytes.len() != 64 {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pair = |pair: &[u8]| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8);
    bytes.chunks_exact(2).map(pair).collect()
}
