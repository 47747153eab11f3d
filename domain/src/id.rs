//! The name of one review: 128 bits of chance, handed in by whoever has chance to give.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{fmt, str::FromStr};

/// The id of one review (`elicitationId`), written as 32 lower-case hexadecimal digits.
///
/// It is unguessable, but it is a name and no authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReviewId(u128);

impl ReviewId {
    /// The id made of these random bits.
    pub fn from_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl fmt::Display for ReviewId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A text that is no review's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAnId;

impl FromStr for ReviewId {
    type Err = NotAnId;

    /// Takes exactly what [`Display`](fmt::Display) writes: no other spelling names the same review.
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let plain = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let bits = plain.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        bits.map(Self).ok_or(NotAnId)
    }
}

impl Serialize for ReviewId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ReviewId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(|NotAnId| D::Error::custom("not the id of a request"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        let id = ReviewId::from_bits(0xab);
        assert_eq!(id.to_string().parse(), Ok(id));
        for other in ["", "ab", "000000000000000000000000000000AB", "+00000000000000000000000000000ab"] {
            assert_eq!(other.parse::<ReviewId>(), Err(NotAnId), "{other}");
        }
    }
}
