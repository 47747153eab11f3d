//! What an agent shows: a secret that is told once and kept as a digest, for a name, good for some scopes.

use crate::chance::Chance;
pub use crate::config::Scope;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use std::fmt;

/// What every token begins with, so that one that leaked is found and known for what it is.
pub const PREFIX: &str = "sayso_";

/// 256 bits in base64url.
const LENGTH: usize = 43;

/// A token itself. It shows in no log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one: 256 unguessable bits.
    pub fn new(chance: &Chance) -> Self {
        let bits = [chance.bits().to_be_bytes(), chance.bits().to_be_bytes()].concat();
        Self(format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(bits)))
    }

    /// The token that this text is, if it looks like one.
    pub fn parse(text: &str) -> Option<Self> {
        let bits = text.strip_prefix(PREFIX)?;
        let is_token =
            bits.len() == LENGTH && bits.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        is_token.then(|| Self(text.to_owned()))
    }

    /// What the store knows of it. 256 random bits need no salt and no slow hash; and a search by digest tells nobody, by
    /// the time it takes, how near they came.
    pub fn digest(&self) -> String {
        Sha256::digest(self.0.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The token as its holder has to know it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Some scopes. There is none that lets an agent decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scopes {
    ask: bool,
    read: bool,
}

impl Scopes {
    /// Every scope.
    pub const ALL: Self = Self { ask: true, read: true };

    /// These.
    pub fn of(scopes: &[Scope]) -> Self {
        Self { ask: scopes.contains(&Scope::Ask), read: scopes.contains(&Scope::Read) }
    }

    /// Those of which one of `words` is the name, by `name`.
    pub fn among<'a>(
        words: impl Iterator<Item = &'a str> + Clone,
        name: impl Fn(Scope) -> &'static str,
    ) -> Self {
        let has = |scope| words.clone().any(|word| word == name(scope));
        Self { ask: has(Scope::Ask), read: has(Scope::Read) }
    }

    /// Whether this one is there.
    pub fn has(self, scope: Scope) -> bool {
        match scope {
            Scope::Ask => self.ask,
            Scope::Read => self.read,
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        !self.ask && !self.read
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> =
            Scope::ALL.into_iter().filter(|scope| self.has(*scope)).map(Scope::word).collect();
        f.write_str(&words.join(" "))
    }
}

/// Whose a token is. Requests belong to the name, not to the token: a new token for it finds them all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

/// A name that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// It is written otherwise.
    #[error(
        "`{0}` is no name for an agent: 1 to 64 small letters, digits, `.`, `-` and `_`, the first of them a letter or a digit"
    )]
    Shape(String),
    /// It is the server's own word.
    #[error("`local` is what everybody is called on a server that runs open; choose another name")]
    Local,
}

impl Name {
    /// The name that `text` is.
    ///
    /// # Errors
    /// It is none, or means somebody else.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        // No colon: ids of tokens have one, and so have the principals of access tokens.
        let is_name = (1..=64).contains(&text.len())
            && text.bytes().all(|b| letter(b) || b".-_".contains(&b))
            && text.bytes().next().is_some_and(letter);
        match text {
            "local" => Err(NameError::Local),
            _ if is_name => Ok(Self(text.to_owned())),
            _ => Err(NameError::Shape(text.chars().take(80).collect())),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_256_bits_that_no_log_shows() {
        let chance = Chance::seeded(1);
        let (one, other) = (Secret::new(&chance), Secret::new(&chance));
        assert_ne!(one.reveal(), other.reveal());
        assert_eq!(one.reveal().len(), PREFIX.len() + LENGTH);
        assert_eq!(BASE64_URL_SAFE_NO_PAD.decode(&one.reveal()[PREFIX.len()..]).unwrap().len(), 32);
        assert_eq!(Secret::parse(one.reveal()), Some(one.clone()));
        assert_eq!(one.digest().len(), 64);
        assert!(!format!("{one:?}").contains(&one.reveal()[PREFIX.len()..]));
        let cut = &one.reveal()[..one.reveal().len() - 1];
        for wrong in
            ["", "sayso_", cut, &format!("{cut}=="), &format!("{}x", one.reveal()), &one.reveal()[1..]]
        {
            assert_eq!(Secret::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_plain_and_nobody_elses() {
        for good in ["a", "crm-enrichment", "3.ops_bot", &"x".repeat(64)] {
            assert_eq!(Name::parse(good).unwrap().to_string(), good);
        }
        for bad in ["", "-a", ".a", "A", "a b", "a:b", "ä", "a\n", &"x".repeat(65)] {
            assert!(matches!(Name::parse(bad), Err(NameError::Shape(_))), "{bad}");
        }
        assert!(matches!(Name::parse("local"), Err(NameError::Local)));
    }

    #[test]
    fn scopes_are_those_that_are_named() {
        let of = |text: &'static str| Scopes::among(text.split(' '), Scope::word);
        assert_eq!(of("read ask"), Scopes::ALL);
        assert_eq!(of("read").to_string(), "read");
        assert!(of("decide asks ").is_empty() && !of("read").has(Scope::Ask));
        assert_eq!(Scopes::ALL.to_string(), "ask read");
        assert_eq!(Scopes::among("sayso:ask openid".split(' '), Scope::of_issuer).to_string(), "ask");
    }
}
