//! Whether values are what a form admits: the one judgement that the browser and the server share.

use super::{Choice, Field, Form, Kind, Number, Text};
use crate::{Code, Fault, Faults, Object, Pointer, fault::excerpt, number::Decimal};
use serde_json::Value;

impl Form {
    /// Checks a whole submission: nothing unknown, nothing required missing, every value admitted.
    ///
    /// # Errors
    /// Every fault at once, each with its pointer below `at`.
    pub fn check(&self, values: &Object, at: &Pointer) -> Result<(), Faults> {
        let missing = self.fields.iter().filter(|field| field.required && !values.contains_key(&field.name));
        let mut faults: Vec<Fault> = missing.map(|field| field.missing(at)).collect();
        faults.extend(check_given(&self.fields.iter().collect::<Vec<_>>(), values, at));
        Faults::check(faults)
    }
}

/// Checks the values that are there, each against its own field, and none besides.
pub(crate) fn check_given(fields: &[&Field], values: &Object, at: &Pointer) -> Vec<Fault> {
    let fault = |(name, value): (&String, &Value)| match fields.iter().find(|field| field.name == *name) {
        Some(field) => field.check(value, at),
        None => Some(
            Fault::new(&at.child(name), Code::UnknownField, "No such field in this form")
                .found(name.as_str())
                .allowed(names(fields.iter().map(|field| field.name.as_str())))
                .fix("Leave it out"),
        ),
    };
    values.iter().filter_map(fault).collect()
}

impl Field {
    /// What is wrong with a value of this field, if anything; `at` points to the object that holds it.
    pub fn check(&self, value: &Value, at: &Pointer) -> Option<Fault> {
        let problem = self.problem(value)?;
        let fault = Fault::new(&at.child(&self.name), problem.code, problem.message).found(problem.found);
        Some(if problem.allowed.is_empty() { fault } else { fault.allowed(problem.allowed) })
    }

    /// The fault of a field that should hold a value and holds none.
    pub fn missing(&self, at: &Pointer) -> Fault {
        Fault::new(&at.child(&self.name), Code::Missing, "A value is needed here").allowed(self.kind.words())
    }

    pub(super) fn problem(&self, value: &Value) -> Option<Problem> {
        match (&self.kind, value) {
            (Kind::Text(text), Value::String(value)) => text.problem(value),
            (Kind::Number(number), Value::Number(value)) => number.problem(value),
            (Kind::Boolean, Value::Bool(_)) => None,
            (Kind::Choice(options), Value::String(value)) => unknown_option(options, value),
            (Kind::Choices(choices), Value::Array(picks)) => {
                let each = picks.iter().find_map(|pick| match pick {
                    Value::String(value) => unknown_option(&choices.options, value),
                    other => Some(Problem::new(Code::WrongType, "Every pick must be a text", other)),
                });
                let twice = || {
                    let twice = picks.iter().enumerate().find(|(at, pick)| picks[..*at].contains(pick))?.1;
                    Some(Problem::new(Code::Duplicate, format!("{} is picked twice", quoted(twice)), twice))
                };
                each.or_else(twice)
                    .or_else(|| count(picks.len() as u64, choices.min, choices.max, "choice", "choices"))
            }
            (kind, other) => Some(
                Problem::new(Code::WrongType, format!("{} is not {}", quoted(other), kind.words()), other)
                    .allowed(kind.words()),
            ),
        }
    }
}

impl Kind {
    /// What a value of this kind is, with its article.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Text(text) => text.format.map_or("a text", super::Format::words),
            Self::Number(number) if number.whole => "a whole number",
            Self::Number(_) => "a number",
            Self::Boolean => "true or false",
            Self::Choice(_) => "one of the options",
            Self::Choices(_) => "a list of options",
        }
    }
}

impl Text {
    fn problem(&self, value: &str) -> Option<Problem> {
        if let Some(format) = self.format.filter(|format| !format.admits(value)) {
            let message = format!("“{}” is not {}", excerpt(value), format.words());
            return Some(Problem::new(Code::WrongFormat, message, value).allowed(format.words()));
        }
        let length = value.chars().count() as u64;
        count(length, self.min, self.max, "character", "characters").or_else(|| {
            let pattern = self.pattern.as_ref().filter(|pattern| !pattern.matches(value))?;
            let message = format!("Must match the pattern {}", excerpt(pattern.source()));
            Some(Problem::new(Code::PatternMismatch, message, value).allowed(pattern.source()))
        })
    }
}

impl Number {
    fn problem(&self, value: &serde_json::Number) -> Option<Problem> {
        let exact = Decimal::of(value);
        if self.whole && !exact.is_whole() {
            return Some(
                Problem::new(Code::WrongType, "Must be a whole number", value).allowed("a whole number"),
            );
        }
        if let Some(min) = self.min.as_ref().filter(|min| exact < Decimal::of(min)) {
            let message = format!("At least {min}; this is {}", excerpt(value.as_str()));
            return Some(Problem::new(Code::TooSmall, message, value).allowed(format!("at least {min}")));
        }
        let max = self.max.as_ref().filter(|max| exact > Decimal::of(max))?;
        let message = format!("At most {max}; this is {}", excerpt(value.as_str()));
        Some(Problem::new(Code::TooLarge, message, value).allowed(format!("at most {max}")))
    }
}

fn count(length: u64, min: Option<u64>, max: Option<u64>, one: &str, many: &str) -> Option<Problem> {
    let (code, word, limit) = match (min, max) {
        (Some(min), _) if length < min => (Code::TooShort, "least", min),
        (_, Some(max)) if length > max => (Code::TooLong, "most", max),
        _ => return None,
    };
    let unit = if limit == 1 { one } else { many };
    let message = format!("At {word} {limit} {unit}; this has {length}");
    Some(Problem::new(code, message, length).allowed(format!("at {word} {limit} {unit}")))
}

fn unknown_option(options: &[Choice], value: &str) -> Option<Problem> {
    if options.iter().any(|option| option.value == value) {
        return None;
    }
    let message = format!("“{}” is not one of the options", excerpt(value));
    let allowed = names(options.iter().map(|option| option.value.as_str()));
    Some(Problem::new(Code::UnknownOption, message, value).allowed(allowed))
}

/// At most ten names with commas between.
pub(crate) fn names<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let mut all = all.peekable();
    let mut text = all.by_ref().take(10).collect::<Vec<_>>().join(", ");
    if all.peek().is_some() {
        text.push_str(", …");
    }
    text
}

fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => format!("“{}”", excerpt(text)),
        other => excerpt(&other.to_string()),
    }
}

/// A fault that does not know its place yet.
pub(super) struct Problem {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) found: String,
    pub(super) allowed: String,
}

impl Problem {
    fn new(code: Code, message: impl Into<String>, found: impl ToString) -> Self {
        Self { code, message: message.into(), found: found.to_string(), allowed: String::new() }
    }

    fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = allowed.into();
        self
    }
}
