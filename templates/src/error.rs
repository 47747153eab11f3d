//! What goes wrong with a template, and where.

use std::fmt;

use crate::budget::Stop;

/// A template that cannot be rendered at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What is wrong and how to mend it, without a full stop.
    pub message: String,
}

/// A rendering that did not come to its end. Nothing of it is handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    /// The line of the tag or output at which it stopped, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// What happened, without a full stop.
    pub message: String,
    /// Whose limit it was.
    pub cause: Cause,
}

/// Why a rendering stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It would have cost more than its [`Budget`](crate::Budget).
    Budget,
    /// LiquidJS refuses this too.
    Refused,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
impl std::error::Error for RenderError {}

/// What is wrong with a source, and at which byte of it.
#[derive(Debug)]
pub(crate) struct Malformed {
    pub at: usize,
    pub message: String,
}

pub(crate) fn malformed(at: usize, message: impl Into<String>) -> Malformed {
    Malformed { at, message: message.into() }
}

/// The line and the column of a byte, both from 1, the column in characters.
pub(crate) fn place(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..at.min(source.len())];
    let line_start = before.rfind('\n').map_or(0, |line_break| line_break + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

impl ParseError {
    pub(crate) fn new(source: &str, Malformed { at, message }: Malformed) -> Self {
        let (line, column) = place(source, at);
        ParseError { line, column, message }
    }
}

impl RenderError {
    pub(crate) fn new(source: &str, at: usize, stop: &Stop) -> Self {
        let (line, column) = place(source, at);
        let (cause, message) = match stop {
            Stop::Budget(limit) => (Cause::Budget, format!("this template costs too much: {limit}")),
            Stop::Refused(message) => (Cause::Refused, message.clone()),
        };
        RenderError { line, column, message, cause }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        assert_eq!(place("é\nüx", 6), (2, 3));
        assert_eq!(place("é\nüx", 0), (1, 1));
        assert_eq!(place("a", 100), (1, 2));
    }
}
