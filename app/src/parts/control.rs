//! The control of a proposed value: one shape for every kind of field, and what it shows of a value.
//!
//! The server writes controls as HTML (`row_html`); in the browser, `hand` reads and writes them.

use super::cell;
use sayso_domain::{
    calendar::{Date, DateTime, offset_minutes},
    form::{Choice, Field, Format, Kind},
};
use serde_json::Value;

/// Up to so many options of a single choice are all on view as radios.
const RADIOS: usize = 7;

/// The shape of a field's control; it follows from the field and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Line,
    Lines,
    Digits,
    Tick,
    Radios,
    Select,
    Ticks,
    Day,
    Instant,
}

impl Shape {
    pub(super) fn of(field: &Field) -> Self {
        match &field.kind {
            Kind::Text(text) => match text.format {
                Some(Format::Date) => Self::Day,
                Some(Format::DateTime) => Self::Instant,
                _ if field.is_long_text() => Self::Lines,
                _ => Self::Line,
            },
            Kind::Number(_) => Self::Digits,
            Kind::Boolean => Self::Tick,
            Kind::Choice(options) if options.len() <= RADIOS => Self::Radios,
            Kind::Choice(_) => Self::Select,
            Kind::Choices(_) => Self::Ticks,
        }
    }

    /// What a control of one text shows of a value; nothing where it cannot show it.
    pub(super) fn text(self, value: Option<&Value>) -> String {
        match (self, value) {
            (_, None) => String::new(),
            (Self::Instant, Some(value)) => value
                .as_str()
                .and_then(DateTime::parse)
                .map_or_else(String::new, |at| at.wall.replace('t', "T")),
            // The browser shows nothing in its place either, but complains of it.
            (Self::Day, Some(value)) if value.as_str().and_then(Date::parse).is_none() => String::new(),
            (_, Some(value)) => cell::plain(value),
        }
    }
}

/// The options of a field, where it has any.
pub(super) fn options(field: &Field) -> &[Choice] {
    match &field.kind {
        Kind::Choice(options) => options,
        Kind::Choices(choices) => &choices.options,
        Kind::Text(_) | Kind::Number(_) | Kind::Boolean => &[],
    }
}

/// The words beside a tick: it has three states, and none of them is told by looks alone.
pub(super) fn tick_words(on: Option<bool>) -> &'static str {
    on.map_or("Not set", cell::yes_or_no)
}

/// The zone of an instant as a person reads it, where the value is one.
pub(super) fn zone_of(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).and_then(DateTime::parse).map(|at| zone(at.offset))
}

/// An offset as a person reads it.
pub(super) fn zone(offset: &str) -> String {
    if offset_minutes(offset) == Some(0) { "UTC".to_owned() } else { format!("UTC{offset}") }
}
