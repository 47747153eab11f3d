//! What proves a decision afterwards: digests that anybody can make again, and a receipt that anybody can check.
//!
//! A receipt is a compact JWS (RFC 7515) by Ed25519 (RFC 8037). It says of which request, as it was shown, which decision was
//! taken, when, by whom, and with which values; the keys are at `/.well-known/jwks.json`.

use crate::{config::PublicUrl, signing::Signer};
use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::header;
use sayso_domain::{Ask, Closed, Ending, canonical::canonical, review::Open};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a receipt calls itself in its header.
pub const KIND: &str = "sayso-receipt+jwt";

/// Proves what was decided.
#[derive(Clone)]
pub struct Proofs {
    signer: Signer,
    issuer: String,
}

impl Proofs {
    /// By this key, in the name of the server at this URL.
    pub fn new(signer: Signer, public_url: &PublicUrl) -> Self {
        Self { signer, issuer: public_url.to_string() }
    }

    /// What proves this decision: `{ digest, decidedBy, decidedAt, receipt }`; nothing where nobody decided. The same text every
    /// time, as long as the key is.
    pub fn of(&self, closed: &Closed) -> Option<Value> {
        let Ending::Answered { answer, by } = closed.ending() else {
            return None;
        };
        let open = closed.open();
        let digest = digest_of(open);
        let head = json!({ "alg": "EdDSA", "kid": self.signer.kid(), "typ": KIND });
        let claims = json!({
            "iss": self.issuer, "sub": open.id, "iat": closed.at().0.div_euclid(1000),
            "digest": digest, "contextDigest": digest_of_value(&given_context(&open.ask)),
            "decision": answer.decision(), "valuesDigest": digest_of_value(&answer.given()),
            "decidedBy": by.name, "decidedAt": closed.at().to_string()
        });
        let text = format!("{}.{}", encode(head.to_string()), encode(claims.to_string()));
        let receipt = format!("{text}.{}", self.signer.sign_text(text.as_bytes()));
        Some(json!({
            "digest": digest, "decidedBy": by.name, "decidedAt": closed.at().to_string(), "receipt": receipt
        }))
    }

    /// `/.well-known/jwks.json`: the keys that sign, and have signed.
    pub fn routes<S: Clone + Send + Sync + 'static>(self) -> Router<S> {
        Router::new().route("/.well-known/jwks.json", get(jwks).with_state(self))
    }
}

/// The digest of a request as it is shown: SHA-256 over the canonical form of what a reviewer may see of it.
pub fn digest_of(open: &Open) -> String {
    digest_of_value(&json!({
        "elicitationId": open.id, "askedBy": open.by.client, "askedAt": open.at.to_string(),
        "expiresAt": open.deadline.to_string(), "request": open.ask
    }))
}

/// The digest of a value: `sha256:` and the hexadecimal digits of SHA-256 over its canonical form.
pub fn digest_of_value(value: &Value) -> String {
    let digest = Sha256::digest(canonical(value));
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

fn given_context(ask: &Ask) -> Value {
    ask.context().cloned().unwrap_or_default()
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

async fn jwks(State(proofs): State<Proofs>) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/jwk-set+json"), (header::CACHE_CONTROL, "public, max-age=300")];
    (headers, proofs.signer.public_jwks().to_string()).into_response()
}
