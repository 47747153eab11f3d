//! What callers' templates made for one row of a selection, made safe to stand in our table.
//!
//! The document around it runs no scripts, and its form and controls are ours. What strangers wrote is parsed as HTML in
//! a table of its own, and what is shown is written anew from that tree: only what [`allow`] names, nested only in ways
//! that every parser reads back as the same tree. So there is nothing in it that a row of ours could be closed with,
//! nothing that can be focused, clicked, submitted or referred to, and nothing that is fetched.

mod allow;
mod parse;
mod report;
mod rows;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub(super) use report::{Code, Dropped};

use html5ever::{LocalName, local_name};
use report::Report;

/// The parts of a table that callers' templates fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The cells of one option.
    Row,
    /// The cells of the heading.
    Heading,
    /// What stands in `<tfoot>`: a row, several, or the cells of one.
    Footer,
    /// What is told of an option on hovering: the content of one cell.
    Detail,
}

/// What may be shown of a template's markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cleaned {
    /// Balanced markup. Cells, to stand between our `<tr>` and `</tr>`; of a [`Place::Footer`] rows, to stand between
    /// our `<tfoot>` and `</tfoot>`; of a [`Place::Detail`] the content of a cell, to stand right in our `<td>` or a
    /// `<div>` in it. Rows open with `<tr>`, to the letter, which is nowhere else: a cell of ours can be put in there.
    pub html: String,
    /// How many columns it takes; of several rows the most, of a detail 1.
    pub cells: usize,
    /// What was left out, each thing once, and no more than 20 of them.
    pub dropped: Vec<Dropped>,
}

/// Columns that a row may have. A browser lays out every row of a table with the columns of the widest.
const MAX_COLUMNS: usize = 50;
/// Rows that a footer may have.
const MAX_ROWS: usize = 10;
/// How deep elements may be nested in a cell; what is deeper stays as text.
const MAX_DEPTH: usize = 64;

/// Makes markup of strangers safe for its place. Without anything to show, a row and a heading are one empty cell, a
/// footer and a detail are nothing.
///
/// All text stays, but for that of elements whose text nobody would be shown (scripts, styles, frames, objects and the
/// like). A table in a cell becomes boxes, one for each of its cells. Markup that nobody should be asked to read (a tag
/// with hundreds of attributes, megabytes, elements that are opened anew without end) is shown as the beginning of its
/// source and told as [`Code::Excess`]. What is made of anything else is no longer than 6 times the markup and 1 KB.
pub(super) fn clean(html: &str, place: Place) -> Cleaned {
    let mut report = Report::default();
    let (html, cells) = read(html, place, &mut report).unwrap_or_else(|| {
        report = Report::default();
        report.note(Code::Excess, "");
        rows::source(html, place)
    });
    Cleaned { html, cells, dropped: report.finish() }
}

/// The markup and its columns; `None` where it is too much.
fn read(html: &str, place: Place, report: &mut Report) -> Option<(String, usize)> {
    if parse::is_excessive(html) {
        return None;
    }
    let parsed = parse::fragment(html, place.context());
    if parsed.is_flattened {
        report.note(Code::Depth, "");
    }
    rows::write(&parsed.tree, html.len(), place, report)
}

impl Place {
    /// The element in which a browser would find the markup.
    fn context(self) -> LocalName {
        match self {
            Self::Row | Self::Heading => local_name!("tr"),
            Self::Footer => local_name!("tfoot"),
            Self::Detail => local_name!("td"),
        }
    }

    /// What stands in for a cell that the template forgot.
    fn cell(self) -> &'static str {
        if self == Self::Heading { "th" } else { "td" }
    }
}
