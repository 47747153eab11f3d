//! Digests that anybody can make again: of a request as it is shown, and of a value.

use sayso_domain::{canonical::canonical, review::Open};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The digest of a request: of everything that a reviewer is shown of it, and of everything that they are not shown but
/// that decides how. The page sends it back with the decision, and the receipt carries it.
pub fn of_request(open: &Open) -> String {
    of_value(&json!({
        "elicitationId": open.id, "askedBy": open.by.client, "askedAt": open.at.to_string(),
        "expiresAt": open.deadline.to_string(), "request": open.ask
    }))
}

/// The digest of a value: `sha256:` and the hexadecimal digits of SHA-256 over its canonical form (RFC 8785).
pub fn of_value(value: &Value) -> String {
    let digest = Sha256::digest(canonical(value));
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}
