//! What is wrong with an input: where, what was found, what is allowed, and how to mend it.

use crate::{
    Pointer,
    wire::{Wire, wire_enum, wire_struct},
};
use serde::Serialize;
use serde_json::Value;

/// One thing wrong with an agent's arguments or a reviewer's draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Where it stands, in the agent's arguments or in the draft.
    pub pointer: Pointer,
    /// What kind of thing is wrong; never changes its meaning.
    pub code: Code,
    /// One sentence for a person, without a full stop.
    pub message: String,
    /// What was there, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// What may be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// The kinds of faults; listed in `docs/tools.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Something required is not there.
    Missing,
    /// A member that is not known at this place.
    UnknownProperty,
    /// A JSON value of another type.
    WrongType,
    /// Shorter than allowed, in characters or items; empty where something is needed.
    TooShort,
    /// Longer than allowed, in characters, bytes or items.
    TooLong,
    /// A number below its minimum.
    TooSmall,
    /// A number above its maximum.
    TooLarge,
    /// A text that is not in its format (uri, email, date, date-time).
    WrongFormat,
    /// A text that its pattern does not match.
    PatternMismatch,
    /// A value that is not among the options.
    UnknownOption,
    /// The same value twice where each may stand once.
    Duplicate,
    /// A key that names no property of `requestedSchema`.
    UnknownField,
    /// A key that names no source column.
    UnknownSource,
    /// A part of JSON Schema outside the subset that a form can show.
    Unsupported,
    /// Two parts of a schema that contradict each other.
    Contradiction,
    /// A pattern that the server's regular expressions cannot compile.
    InvalidPattern,
    /// A default that its own property does not admit.
    InvalidDefault,
    /// An idempotency key that stands for another call already.
    KeyReused,
}

wire_struct!(Fault { pointer, code, message, found, allowed, fix });
wire_enum!(Code {
    "missing" => Missing, "unknown_property" => UnknownProperty, "wrong_type" => WrongType,
    "too_short" => TooShort, "too_long" => TooLong, "too_small" => TooSmall, "too_large" => TooLarge,
    "wrong_format" => WrongFormat, "pattern_mismatch" => PatternMismatch, "unknown_option" => UnknownOption,
    "duplicate" => Duplicate, "unknown_field" => UnknownField, "unknown_source" => UnknownSource,
    "unsupported" => Unsupported, "contradiction" => Contradiction, "invalid_pattern" => InvalidPattern,
    "invalid_default" => InvalidDefault, "key_reused" => KeyReused,
});

impl Wire for Faults {
    fn read(value: Value) -> Option<Self> {
        Vec::read(value).map(Self)
    }
}

impl Code {
    /// All of them, for whoever lists them.
    pub const ALL: [Self; 18] = [
        Self::Missing,
        Self::UnknownProperty,
        Self::WrongType,
        Self::TooShort,
        Self::TooLong,
        Self::TooSmall,
        Self::TooLarge,
        Self::WrongFormat,
        Self::PatternMismatch,
        Self::UnknownOption,
        Self::Duplicate,
        Self::UnknownField,
        Self::UnknownSource,
        Self::Unsupported,
        Self::Contradiction,
        Self::InvalidPattern,
        Self::InvalidDefault,
        Self::KeyReused,
    ];
}

impl Fault {
    /// A fault with its sentence; see [`found`](Self::found), [`allowed`](Self::allowed) and [`fix`](Self::fix).
    pub fn new(pointer: &Pointer, code: Code, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.clone(),
            code,
            message: message.into(),
            found: None,
            allowed: None,
            fix: None,
        }
    }

    /// Says what was there.
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = Some(excerpt(&found.into()));
        self
    }

    /// Says what may be there.
    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = Some(excerpt(&allowed.into()));
        self
    }

    /// Says how to mend it.
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// A value of the wrong JSON type, `wanted` being told in words ("a string").
    pub fn wrong_type(pointer: &Pointer, wanted: &str, found: &Value) -> Self {
        Self::new(pointer, Code::WrongType, format!("Must be {wanted}; this is {}", type_name(found)))
            .found(found.to_string())
            .allowed(wanted)
    }
}

/// All faults of one input, at least one, in the order in which they were met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Ok` where there is nothing to say.
    pub fn check(faults: Vec<Fault>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self(faults)) }
    }

    /// The faults, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.0.iter()
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self(vec![fault])
    }
}

impl IntoIterator for Faults {
    type Item = Fault;
    type IntoIter = std::vec::IntoIter<Fault>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// The JSON type of a value in words, with its article.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// At most 120 characters of a text, so that a fault never carries a document.
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
