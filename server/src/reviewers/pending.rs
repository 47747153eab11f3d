//! A sign-in that is under way: sealed, in the browser that began it, for ten minutes.
//!
//! The browser carries where it goes next and one number that nobody can guess, the `state`. The `nonce` and the verifier of
//! PKCE are derived from that number with the server's key, so that the browser never sees them.

use crate::{
    chance::Chance,
    store::{StoreError, keys::Key},
    token::Tokens,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sayso_domain::Moment;
use sha2::Sha256;
use std::sync::Arc;

/// How long a person may take at the provider, in milliseconds.
pub(super) const LIFE: i64 = 600_000;
/// At most so many bytes in an address to go to.
const NEXT_BYTES: usize = 300;

/// Where somebody goes who has signed in: a page of this server's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next(String);

impl Next {
    /// Reads an address: of a page that begins with `/review`, below the prefix or not.
    pub fn parse(text: &str, prefix: &str) -> Option<Self> {
        let path = text.strip_prefix(prefix).filter(|rest| rest.starts_with('/')).unwrap_or(text);
        let rest = path.strip_prefix("/review")?;
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"/?=&-_.".contains(&byte);
        let whole = rest.is_empty() || rest.starts_with(['?', '/']);
        let plain = rest.bytes().all(good) && !rest.contains("//") && !rest.contains("..");
        (whole && plain && text.len() <= NEXT_BYTES).then(|| Self(format!("{prefix}{path}")))
    }

    /// The page at the root.
    pub fn root(prefix: &str) -> Self {
        Self(format!("{prefix}/"))
    }

    /// As a browser goes there.
    pub fn path(&self) -> &str {
        &self.0
    }
}

/// What the provider is told and asked for, and the browser is not.
pub(super) struct Secrets {
    pub(super) state: String,
    pub(super) nonce: String,
    pub(super) verifier: String,
}

/// A sign-in that has come back.
pub(super) struct Back {
    pub(super) next: String,
    pub(super) secrets: Secrets,
    pub(super) ends: Moment,
}

/// Seals sign-ins and knows its own.
pub(super) struct Pending {
    tokens: Tokens,
    chance: Arc<Chance>,
}

impl Pending {
    pub(super) fn new(tokens: Tokens, chance: Arc<Chance>) -> Self {
        Self { tokens, chance }
    }

    /// A new sign-in: what the browser carries, and what the provider is told.
    pub(super) async fn begin(&self, next: &Next, now: Moment) -> Result<(String, Secrets), StoreError> {
        let keys = self.tokens.keys(LIFE, now).await?;
        let key = keys.first().expect("there is a key: one was made where there was none");
        let state = format!("{:032x}{:032x}", self.chance.bits(), self.chance.bits());
        let ends = now.0 + LIFE;
        let next = BASE64_URL_SAFE_NO_PAD.encode(next.path());
        let said = format!("{}.{ends}.{state}.{next}", key.id);
        let seal = derived(key, "sign-in", &said);
        Ok((format!("{said}.{seal}"), Secrets::of(key, state)))
    }

    /// What a browser brought back together with this `state`, if it is the one that this browser began here.
    pub(super) async fn back(
        &self,
        carried: &str,
        state: &str,
        now: Moment,
    ) -> Result<Option<Back>, StoreError> {
        let parts: Vec<&str> = carried.splitn(6, '.').collect();
        let [key, ends, begun, next, seal] = parts[..] else { return Ok(None) };
        let Ok(ends) = ends.parse::<i64>() else { return Ok(None) };
        if ends <= now.0 || ends > now.0 + LIFE {
            return Ok(None);
        }
        let keys = self.tokens.keys(LIFE, now).await?;
        let Some(key) = keys.iter().find(|ours| ours.id == key) else { return Ok(None) };
        let said = carried.len() - seal.len() - 1;
        let (Ok(seal), true) = (BASE64_URL_SAFE_NO_PAD.decode(seal), begun == state) else {
            return Ok(None);
        };
        // Compared in constant time.
        if code(key, "sign-in", &carried[..said]).verify_slice(&seal).is_err() {
            return Ok(None);
        }
        let next = BASE64_URL_SAFE_NO_PAD.decode(next).ok().and_then(|next| String::from_utf8(next).ok());
        let secrets = Secrets::of(key, state.to_owned());
        Ok(next.map(|next| Back { next, secrets, ends: Moment(ends) }))
    }
}

impl Secrets {
    fn of(key: &Key, state: String) -> Self {
        let (nonce, verifier) = (derived(key, "nonce", &state), derived(key, "verifier", &state));
        Self { state, nonce, verifier }
    }
}

fn code(key: &Key, purpose: &str, said: &str) -> Hmac<Sha256> {
    let mut code =
        Hmac::<Sha256>::new_from_slice(key.secret.as_bytes()).expect("a key of any length will do");
    code.update(format!("people|{purpose}|{said}").as_bytes());
    code
}

/// 256 bits that only the server can find, as 43 letters, digits, `-` and `_`.
fn derived(key: &Key, purpose: &str, said: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(code(key, purpose, said).finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_who_signed_in_goes_to_a_page_of_ours_and_nowhere_else() {
        let next = |text: &str| Next::parse(text, "/sayso").map(|next| next.0);
        let good = "/review?elicitationId=0123456789abcdef0123456789abcdef";
        assert_eq!(next(good), Some(format!("/sayso{good}")));
        assert_eq!(next(&format!("/sayso{good}")), Some(format!("/sayso{good}")));
        assert_eq!(next("/review/trail?x=y"), Some("/sayso/review/trail?x=y".to_owned()));
        assert_eq!(Next::parse("/review", "").unwrap().path(), "/review");
        let long = format!("/review?{}", "x".repeat(NEXT_BYTES));
        for wrong in [
            "",
            "/",
            "//evil.example",
            "//evil.example/review",
            "https://evil.example/review",
            "/reviewed",
            "/review@evil.example",
            "/review\\evil",
            "/review//evil",
            "/review/../mcp",
            "/review?x=https://evil",
            "/review#x",
            "/review?\r\nset-cookie:x=y",
            "review",
            "/sign-out",
            "javascript:alert(1)",
            "/review?é",
            &long,
        ] {
            assert_eq!(next(wrong), None, "{wrong}");
        }
    }
}
