//! The public half of a key that signs, as a JSON Web Key (RFC 8037), named by its thumbprint (RFC 7638).

use crate::canonical::canonical;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// The key of these bytes, unless they are no point of the curve or one that vouches for everything.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        VerifyingKey::from_bytes(bytes).ok().filter(|key| !key.is_weak()).map(Self)
    }

    /// The key that a JSON Web Key holds. What else stands there is not looked at: a name is no proof.
    pub fn from_jwk(jwk: &Value) -> Option<Self> {
        if jwk["kty"] != "OKP" || jwk["crv"] != "Ed25519" {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(jwk["x"].as_str()?).ok()?;
        Self::from_bytes(&bytes.try_into().ok()?)
    }

    /// Its name: the thumbprint.
    pub fn kid(&self) -> String {
        let required = json!({ "crv": "Ed25519", "kty": "OKP", "x": self.x() });
        URL_SAFE_NO_PAD.encode(Sha256::digest(canonical(&required)))
    }

    /// The JSON Web Key.
    pub fn jwk(&self) -> Value {
        json!({
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": self.kid(), "x": self.x()
        })
    }

    /// Whether it vouches for this message by this signature, which is base64url without padding.
    pub fn vouches(&self, message: &[u8], signature: &str) -> bool {
        let bytes = URL_SAFE_NO_PAD.decode(signature).ok();
        let signature = bytes.and_then(|bytes| Signature::from_slice(&bytes).ok());
        signature.is_some_and(|signature| self.0.verify_strict(message, &signature).is_ok())
    }

    fn x(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key, the thumbprint and the signature that RFC 8037 gives as its examples (A.2, A.3, A.4).
    #[test]
    fn the_examples_of_the_standard() {
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
        let key = PublicKey::from_jwk(&json!({ "kty": "OKP", "crv": "Ed25519", "x": x })).unwrap();
        assert_eq!(key.kid(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
        let message = b"eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
        let signature =
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
        assert!(key.vouches(message, signature));
        assert!(!key.vouches(b"another", signature));
        assert!(!key.vouches(message, &signature[1..]));
        assert_eq!(PublicKey::from_jwk(&key.jwk()), Some(key));
    }

    #[test]
    fn what_is_no_key_of_ours_is_none() {
        assert_eq!(PublicKey::from_bytes(&[0; 32]), None, "of small order");
        for no in [
            json!({}),
            json!({ "kty": "OKP", "crv": "X25519", "x": "" }),
            json!({ "kty": "OKP", "crv": "Ed25519", "x": "AA" }),
        ] {
            assert_eq!(PublicKey::from_jwk(&no), None, "{no}");
        }
    }
}
