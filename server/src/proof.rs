//! What proves a decision afterwards: digests that anybody can make again, and a receipt that anybody can check.
//!
//! A receipt is a compact JWS (RFC 7515) by Ed25519 (RFC 8037). It says of which request, as it was shown, which decision was
//! taken, when, by whom, and with which values; the keys are at `/.well-known/jwks.json`.

use crate::{config::PublicUrl, digest, signing::Signer};
use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::header;
use sayso_domain::{Ask, Closed, Ending};
use serde_json::{Value, json};

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
        let Ending::Answered { answer, by, comment } = closed.ending() else {
            return None;
        };
        let open = closed.open();
        let digest = digest::of_request(open);
        let head = json!({ "alg": "EdDSA", "kid": self.signer.kid(), "typ": KIND });
        let claims = json!({
            "iss": self.issuer, "sub": open.id, "iat": closed.at().0.div_euclid(1000),
            "digest": digest, "contextDigest": digest::of_value(&given_context(&open.ask)),
            "decision": answer.decision(), "valuesDigest": digest::of_value(&answer.given()),
            "commentDigest": digest::of_value(&json!(comment)),
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
