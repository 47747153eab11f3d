//! One field of a form: what it is called, what it admits, what it starts with.

use super::Format;
use crate::wire::{Wire, wire_enum, wire_struct};
use serde::Serialize;
use serde_json::Value;

/// One property of `requestedSchema`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// The property's name.
    pub name: String,
    /// Its title, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A sentence about it, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether `required` names it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// What it admits.
    pub kind: Kind,
    /// What it starts with; admitted by `kind`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
}

/// What a field admits.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A text.
    Text(Text),
    /// A number or an integer.
    Number(Number),
    /// True or false.
    Boolean,
    /// One of some texts.
    Choice(Vec<Choice>),
    /// A set of some texts.
    Choices(Choices),
}

/// A text and its limits, in characters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Text {
    /// At least so many characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// At most so many characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
    /// A regular expression that must match somewhere in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// What it must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
}

/// A number and its limits, both included.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Number {
    /// Whole numbers only.
    pub whole: bool,
    /// At least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<serde_json::Number>,
    /// At most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<serde_json::Number>,
}

/// One option: the value that comes back and the words that are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The value.
    pub value: String,
    /// Its title, where that differs from the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A set of options and how many may be picked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choices {
    /// The options, in the caller's order.
    pub options: Vec<Choice>,
    /// At least so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u64>,
    /// At most so many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u64>,
}

/// A regular expression of the caller's.
///
/// The server compiles it with the linear-time `regex` crate, by whose word it stands. The browser's build leaves
/// that crate out: there a pattern admits every text, and the page may hint with the browser's own expressions.
#[derive(Clone, Debug, Serialize)]
#[serde(into = "String")]
pub struct Pattern {
    source: String,
    #[cfg(feature = "regex")]
    compiled: regex::Regex,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// What the `regex` crate says of a pattern that it cannot compile, look-around and back-references among them,
    /// or that grows beyond 1 MiB.
    pub fn parse(source: &str) -> Result<Self, String> {
        Ok(Self {
            source: source.to_owned(),
            #[cfg(feature = "regex")]
            compiled: regex::RegexBuilder::new(source)
                .size_limit(1 << 20)
                .build()
                .map_err(|error| error.to_string().lines().last().unwrap_or_default().trim().to_owned())?,
        })
    }

    /// The pattern as the caller wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether it matches somewhere in `text`.
    #[cfg_attr(not(feature = "regex"), expect(unused_variables, reason = "the server's word is final"))]
    pub fn matches(&self, text: &str) -> bool {
        #[cfg(feature = "regex")]
        return self.compiled.is_match(text);
        #[cfg(not(feature = "regex"))]
        true
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

wire_struct!(Field { name, title, description, required, kind, default });
wire_enum!(Kind {
    "text" => Text(text), "number" => Number(number), "boolean" => Boolean, "choice" => Choice(options),
    "choices" => Choices(choices),
});
wire_struct!(Text { min, max, pattern, format });
wire_struct!(Number { whole, min, max });
wire_struct!(Choice { value, title });
wire_struct!(Choices { options, min, max });

impl Wire for Pattern {
    fn read(value: Value) -> Option<Self> {
        Self::parse(value.as_str()?).ok()
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.source
    }
}

impl Field {
    /// What the field is called on a page.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// Whether a text field wants room for several lines: no format, and long or unlimited, or starting with a
    /// line break inside.
    pub fn is_long_text(&self) -> bool {
        let Kind::Text(text) = &self.kind else {
            return false;
        };
        let breaks = self.default.as_ref().and_then(Value::as_str).is_some_and(|text| text.contains('\n'));
        text.format.is_none() && (text.max.is_none_or(|max| max > 200) || breaks)
    }

    /// What a form takes of what this field's control holds: an emptied field is absent, save a set that must be there
    /// and may be empty.
    pub fn entered(&self, value: Option<Value>) -> Option<Value> {
        value.filter(|value| match value {
            Value::String(text) => !text.is_empty(),
            Value::Array(picks) => !picks.is_empty() || self.required,
            _ => true,
        })
    }

    /// What the field holds once a person has emptied it: an empty text or set where it can hold one, else nothing.
    pub fn emptied(&self) -> Option<Value> {
        match &self.kind {
            Kind::Text(_) => Some(Value::from("")).filter(|empty| self.problem(empty).is_none()),
            Kind::Choices(_) => Some(Value::Array(Vec::new())),
            Kind::Number(_) | Kind::Boolean | Kind::Choice(_) => None,
        }
    }
}

impl Choice {
    /// The words to show.
    pub fn label(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.value)
    }
}
