//! A caller's style sheet, made safe to stand in a document that has controls of ours in it.
//!
//! The table of a selection has in every row a selector cell of ours beside cells that a caller's templates made. The
//! sheet may dress those cells, paint the rows behind them, and do nothing else. There are two walls. Here, what comes out
//! is written anew from what was understood: known at-rules, selectors whose subject is in a cell, known properties with
//! known values. In the document, [`FRAMEWORK_GUARD`] holds what a cell can do to its neighbours by being large or strange,
//! and wins over every rule of a caller's.

mod declarations;
mod property;
mod rules;
mod selector;
mod value;
mod whole;
mod write;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tables;

use cssparser::{ParseError, SourceLocation};

/// The rules of ours that a caller's lose to. They stand first in the document: the first sheet that names a layer
/// decides on the order of all, and among important declarations the first layer wins.
///
/// What else is to be styled by us belongs into `@layer sayso-base`; outside of layers it would win over callers' cells.
pub(super) const FRAMEWORK_GUARD: &str = include_str!("css/guard.css");

/// No sheet is longer than this, in bytes.
pub(super) const MAX_SOURCE: usize = 20_480;

/// No sheet has more remarks than this made of it.
const MAX_DROPPED: usize = 20;

/// What a sheet came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sheet {
    /// Ready to stand inside a `<style>` element; empty where nothing was left.
    pub css: String,
    /// What was left out, in the order of the source, the first twenty.
    pub dropped: Vec<Dropped>,
}

/// Something of a sheet that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Dropped {
    /// What kind of thing: `at_rule`, `selector`, `nesting`, `property`, `value`, `url`, `place` (a property that is
    /// not for what the selector names, such as `display` on a row) or `syntax`.
    pub code: &'static str,
    /// The thing itself, shortened.
    pub what: String,
    /// The line, from 1.
    pub line: u32,
    /// The UTF-16 unit in that line, from 1.
    pub column: u32,
}

/// A sheet that does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// The line, from 1.
    pub line: u32,
    /// The UTF-16 unit in that line, from 1.
    pub column: u32,
    /// What is wrong, without a full stop.
    pub message: String,
}

/// Keeps of a sheet what dresses the caller's own cells.
///
/// # Errors
/// The sheet is too long, or something in it is not closed, closed twice or nested too deep. Browsers would guess what was
/// meant; a caller can be asked.
pub(super) fn scope(css: &str) -> Result<Sheet, Broken> {
    if css.len() > MAX_SOURCE {
        let message =
            format!("{} bytes are more than the {MAX_SOURCE} that a style sheet may have", css.len());
        return Err(Broken { line: 1, column: 1, message });
    }
    let css = css.strip_prefix('\u{feff}').unwrap_or(css);
    whole::check(css)?;
    Ok(rules::walk(css))
}

/// Why a part of a sheet is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    code: &'static str,
    what: String,
}

/// What parsing a part of a sheet comes to.
type Parsed<T> = Result<T, ParseError<Refusal>>;

fn refuse<T>(code: &'static str, what: impl Into<String>) -> Parsed<T> {
    Err(ParseError::custom(Refusal { code, what: what.into() }))
}

/// Notes what was left out, as long as there is room.
#[derive(Default)]
struct Remarks(Vec<Dropped>);

impl Remarks {
    fn push(&mut self, refusal: Refusal, at: SourceLocation) {
        if self.0.len() < MAX_DROPPED {
            let (line, column) = place(at);
            let Refusal { code, what } = refusal;
            self.0.push(Dropped { code, what: write::shortened(&what), line, column });
        }
    }

    /// An error of the parser's own has no words; the source has to do.
    fn push_error(&mut self, error: ParseError<Refusal>, source: &str, at: SourceLocation) {
        let refusal = match error.kind {
            cssparser::ParseErrorKind::Custom(refusal) => refusal,
            cssparser::ParseErrorKind::Basic(_) => Refusal { code: "syntax", what: source.to_owned() },
        };
        self.push(refusal, at);
    }
}

fn place(at: SourceLocation) -> (u32, u32) {
    (at.line.saturating_add(1), at.column)
}
