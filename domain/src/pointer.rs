//! Where in a JSON document something stands: an RFC 6901 JSON Pointer, built step by step.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A JSON Pointer such as `/fields/name/sources/apollo`; the empty pointer is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// The pointer to a member of the object, or an element of the array, that this one points to.
    ///
    /// ```
    /// use sayso_domain::Pointer;
    /// assert_eq!(Pointer::root().child("a/b").child(0).to_string(), "/a~1b/0");
    /// ```
    pub fn child(&self, step: impl fmt::Display) -> Self {
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        Self(format!("{}/{step}", self.0))
    }

    /// The pointer as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this pointer stands at `other` or somewhere inside it.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.strip_prefix(&other.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl From<&str> for Pointer {
    /// Takes a pointer that is already escaped, as a validator prints it.
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
