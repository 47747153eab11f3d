//! The tokens that authorise a decision from a document whose origin is nobody's: no cookie and no origin can.
//!
//! A token is bound to one request, one purpose and whoever it was given to (by the name of their session), and ends with the request, or an hour after it was made. It is not
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

/// What a token is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Honour {
    /// It authorises whoever it was given to.
    Good {
        /// Who that is.
        bearer: String,
    },
    /// It did so, and its time is over.
    TooOld {
        /// Who that was.
        bearer: String,
    },
    /// It is none of ours, or for something else.
    None,
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

    /// A token for this request in the hands of `bearer`, good until `deadline` and for an hour at most.
    ///
    /// # Errors
    /// The store.
    pub async fn mint(
        &self,
        purpose: Purpose,
        id: ReviewId,
        bearer: &str,
        deadline: Moment,
        now: Moment,
    ) -> Result<String, StoreError> {
        let key = match self.store.signing_key().await? {
            Some(key) => key,
            None => self.rotate(now).await?,
        };
        let ends = deadline.0.min(now.0 + LIFE);
        let seal = seal(&key, purpose, id, bearer, ends).finalize().into_bytes();
        let seal: String = seal.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("{}.{ends}.{bearer}.{seal}", key.id))
    }

    /// Whether a token authorises this now, and whom.
    ///
    /// # Errors
    /// The store.
    pub async fn honours(
        &self,
        token: &str,
        purpose: Purpose,
        id: ReviewId,
        now: Moment,
    ) -> Result<Honour, StoreError> {
        let parts: Vec<&str> = token.splitn(5, '.').collect();
        let [key, ends, bearer, given] = parts[..] else { return Ok(Honour::None) };
        let (Ok(ends), Some(given)) = (ends.parse::<i64>(), unhex(given)) else { return Ok(Honour::None) };
        if ends > now.0 + LIFE {
            return Ok(Honour::None);
        }
        let Some(key) = self.store.key(key, Moment(now.0 - LIFE)).await? else { return Ok(Honour::None) };
        // Compared in constant time.
        if seal(&key, purpose, id, bearer, ends).verify_slice(&given).is_err() {
            return Ok(Honour::None);
        }
        let bearer = bearer.to_owned();
        Ok(if ends <= now.0 { Honour::TooOld { bearer } } else { Honour::Good { bearer } })
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

    /// Sees to it that there is a key, so that nobody's look has to make one.
    ///
    /// # Errors
    /// The store.
    pub async fn ready(&self, now: Moment) -> Result<(), StoreError> {
        if self.store.signing_key().await?.is_none() {
            self.rotate(now).await?;
        }
        Ok(())
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

fn seal(key: &Key, purpose: Purpose, id: ReviewId, bearer: &str, ends: i64) -> Hmac<Sha256> {
    let mut seal =
        Hmac::<Sha256>::new_from_slice(key.secret.as_bytes()).expect("a key of any length will do");
    seal.update(format!("{}|{id}|{bearer}|{ends}|{}", purpose.word(), key.id).as_bytes());
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
