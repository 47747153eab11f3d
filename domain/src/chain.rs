//! The audit trail as it can be proven: entries that hold each other's hashes, and heads that are signed.
//!
//! Every entry is hashed in its one spelling (RFC 8785) together with the hash of the entry before it. So none can be
//! changed, taken out, put in or moved without a new hash for each that follows; and of some of these, the heads, the
//! hash has been signed.

pub mod key;
pub mod verify;

use crate::canonical::canonical;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub use verify::{Broken, Summary, Trusted, Verifier, verify};

/// What stands for the hash of the entry before the first.
pub const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// What a line says of an event, chained or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Names the entry.
    pub id: String,
    /// When, in milliseconds since 1970 UTC.
    pub at: i64,
    /// Of which request, if of any.
    pub review: Option<String>,
    /// Who.
    pub actor: Value,
    /// By which door, and from where.
    pub via: Value,
    /// What.
    pub event: Value,
}

/// An entry in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Of which chain.
    pub chain: String,
    /// The how manieth, from 1.
    pub seq: i64,
    /// What it says.
    pub told: Told,
    /// The hash of the entry before it.
    pub prev: String,
}

impl Link {
    /// The hash that the next entry holds: 64 hexadecimal digits.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(canonical(&self.value())))
    }

    /// The line of an export that is this entry, with the hash that is kept of it.
    pub fn line(&self, hash: &str) -> String {
        let mut value = self.value();
        value["hash"] = hash.into();
        canonical(&value)
    }

    fn value(&self) -> Value {
        let mut value = self.told.value();
        value["chain"] = self.chain.as_str().into();
        value["seq"] = self.seq.into();
        value["prev"] = self.prev.as_str().into();
        value
    }
}

impl Told {
    /// The line of an export that is an entry from before there was a chain.
    pub fn line(&self) -> String {
        canonical(&self.value())
    }

    fn value(&self) -> Value {
        json!({
            "id": self.id, "at": self.at, "review": self.review,
            "actor": self.actor, "via": self.via, "event": self.event,
        })
    }
}

/// How far a chain had come at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Which chain.
    pub chain: String,
    /// Its last entry then.
    pub seq: i64,
    /// The hash of that.
    pub hash: String,
    /// When it was signed, in milliseconds since 1970 UTC.
    pub at: i64,
    /// The key that signs.
    pub kid: String,
}

impl Head {
    /// What is signed.
    pub fn text(&self) -> String {
        canonical(&self.value())
    }

    /// The line of an export that is this head.
    pub fn line(&self, signature: &str) -> String {
        let mut head = self.value();
        head["signature"] = signature.into();
        canonical(&json!({ "head": head }))
    }

    fn value(&self) -> Value {
        json!({
            "chain": self.chain, "seq": self.seq, "hash": self.hash, "at": self.at, "kid": self.kid
        })
    }
}

/// The first line of an export: what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The request whose entries these are, where not all are there.
    pub review: Option<String>,
    /// How many entries of the chain.
    pub entries: u64,
    /// How many entries from before there was a chain.
    pub unchained: u64,
    /// How many heads.
    pub heads: u64,
    /// How many public keys.
    pub keys: u64,
}

impl Header {
    /// The line.
    pub fn line(&self) -> String {
        canonical(&json!({
            "format": "sayso-audit", "version": 1, "review": self.review, "entries": self.entries,
            "unchained": self.unchained, "heads": self.heads, "keys": self.keys,
        }))
    }
}

/// The last line of an export: the public keys.
pub fn keys_line(jwks: &Value) -> String {
    canonical(jwks)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod laws;
