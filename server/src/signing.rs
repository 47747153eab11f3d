//! Signs what is carried out of here, with the one key that all servers on a database share.

use crate::{
    chance::Chance,
    store::{Store, StoreError, signing},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer as _, SigningKey};
use sayso_domain::{Moment, chain::key::PublicKey};
use serde_json::{Value, json};
use std::sync::Arc;

/// Signs by Ed25519.
#[derive(Clone)]
pub struct Signer {
    key: Arc<SigningKey>,
    kid: Arc<str>,
    /// That of the key, and those of its predecessors.
    public: Arc<[PublicKey]>,
}

impl Signer {
    /// Takes the key that the database has, or makes it.
    ///
    /// # Errors
    /// The store, or what it keeps is no key.
    pub async fn open(store: &Store, chance: &Chance, now: Moment) -> Result<Self, StoreError> {
        if !store.can_sign().await? {
            store.offer_signing_key(&made(chance)?, now).await?;
        }
        let kept = store.signing_keys().await?;
        let keys = kept.iter().map(|kept| read(&kept.id, &kept.seed)).collect::<Result<Vec<_>, _>>()?;
        let public = keys.iter().map(public).collect::<Result<Arc<[_]>, _>>()?;
        let (Some(kept), Some(key)) = (kept.first(), keys.into_iter().next()) else {
            return Err(StoreError::SigningKey("(none)".to_owned()));
        };
        if public[0].kid() != kept.id {
            return Err(StoreError::SigningKey(kept.id.clone()));
        }
        Ok(Self { key: Arc::new(key), kid: kept.id.as_str().into(), public })
    }

    /// Makes a new key, which signs wherever a server starts from now on; comes back with its name. What the old one signed stays
    /// good: its public half is told for ever.
    ///
    /// # Errors
    /// The store.
    pub async fn rotate(store: &Store, chance: &Chance, now: Moment) -> Result<String, StoreError> {
        let key = made(chance)?;
        store.new_signing_key(&key, now).await?;
        Ok(key.id)
    }

    /// The name of the key that signs: the RFC 7638 thumbprint of its public half.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The signature of these bytes.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }

    /// The signature of these bytes as base64url without padding, as JOSE writes it.
    pub fn sign_text(&self, message: &[u8]) -> String {
        URL_SAFE_NO_PAD.encode(self.sign(message))
    }

    /// The public halves of all keys that sign or did, as a JSON Web Key Set.
    pub fn public_jwks(&self) -> Value {
        json!({ "keys": self.public.iter().map(PublicKey::jwk).collect::<Vec<_>>() })
    }
}

fn made(chance: &Chance) -> Result<signing::SigningKey, StoreError> {
    let seed = [chance.bits().to_be_bytes(), chance.bits().to_be_bytes()].concat();
    let seed = seed.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let id = public(&read("new", &seed)?)?.kid();
    Ok(signing::SigningKey { id, seed })
}

fn read(id: &str, seed: &str) -> Result<SigningKey, StoreError> {
    let byte = |at: usize| u8::from_str_radix(seed.get(2 * at..2 * at + 2)?, 16).ok();
    let mut bytes = [0; 32];
    for (at, slot) in bytes.iter_mut().enumerate() {
        *slot = byte(at).ok_or_else(|| StoreError::SigningKey(id.to_owned()))?;
    }
    Ok(SigningKey::from_bytes(&bytes))
}

fn public(key: &SigningKey) -> Result<PublicKey, StoreError> {
    PublicKey::from_bytes(key.verifying_key().as_bytes())
        .ok_or_else(|| StoreError::SigningKey("(weak)".to_owned()))
}
