//! Cells and rows: which there are, and that whatever stands outside of a cell gets one.

use super::allow;
use super::report::{Code, Report};
use super::tree::{Content, Id, Node};
use super::write::{self, Writer};
use super::{MAX_COLUMNS, MAX_ROWS, Place};
use html5ever::interface::Attribute;
use std::iter::successors;

/// The markup of a tree that was parsed for this place, and how many columns it takes; `None` where it is much longer
/// than what it was parsed from, which had so many bytes.
pub(super) fn write(
    tree: &[Node],
    bytes: usize,
    place: Place,
    report: &mut Report,
) -> Option<(String, usize)> {
    /// The longest that a character becomes is `&quot;`. Tags that the template left out come to no more.
    const GROWTH: usize = 6;
    let root = tree[0].first.and_then(|root| tree[root].first);
    let mut writer = Writer::new(tree, GROWTH * bytes + 1_000, report);
    if place == Place::Detail {
        writer.content(root);
        return writer.finish().map(|out| (out, 1));
    }
    let mut rows = Rows { tree, place, writer, cell: None, start: 0, columns: 0, widest: 0, count: 0 };
    for id in siblings(tree, root) {
        rows.part(id);
        if rows.writer.is_full {
            return None;
        }
    }
    rows.finish()
}

/// The source of markup that is not to be parsed, as text.
pub(super) fn source(html: &str, place: Place) -> (String, usize) {
    /// More of it tells nobody more.
    const MOST: usize = 16 << 10;
    let shown = &html[..html.floor_char_boundary(MOST)];
    let mut out = String::new();
    write::text(&mut out, &shown.replace('\0', "\u{fffd}"));
    if shown.len() < html.len() {
        out.push('…');
    }
    let cell = place.cell();
    let out = match place {
        Place::Row | Place::Heading => format!("<{cell}>{out}</{cell}>"),
        Place::Footer => format!("<tr><td>{out}</td></tr>"),
        Place::Detail => out,
    };
    (out, 1)
}

struct Rows<'t> {
    tree: &'t [Node],
    place: Place,
    writer: Writer<'t>,
    /// The cell that is being written. It stays open until another begins, for what has no cell of its own.
    cell: Option<Cell<'t>>,
    /// Where in the output the row begins.
    start: usize,
    /// Columns of the row so far.
    columns: usize,
    /// Columns of the widest row before it.
    widest: usize,
    /// Rows before it.
    count: usize,
}

struct Cell<'t> {
    element: &'t str,
    /// Where in the output it begins.
    start: usize,
    columns: usize,
    /// We made it, for what stood outside of cells.
    is_ours: bool,
}

impl<'t> Rows<'t> {
    /// Writes a row, a cell, or what stands where they should.
    fn part(&mut self, id: Id) {
        let tree = self.tree;
        match &tree[id].content {
            Content::Element(name, attributes) if self.place == Place::Footer && &*name.local == "tr" => {
                for attribute in attributes {
                    self.writer.report.note(Code::Attribute, &attribute.name.local);
                }
                self.end_row();
                for id in siblings(tree, tree[id].first) {
                    self.part_of_row(id);
                    if self.writer.is_full {
                        return;
                    }
                }
                self.end_row();
            }
            _ => self.part_of_row(id),
        }
    }

    fn part_of_row(&mut self, id: Id) {
        let tree = self.tree;
        let has_room = self.columns < MAX_COLUMNS;
        let is_between = self.cell.as_ref().is_none_or(|cell| !cell.is_ours);
        match &tree[id].content {
            Content::Element(name, attributes) if matches!(&*name.local, "td" | "th") => {
                if has_room {
                    self.begin_cell(&name.local, attributes, false);
                    return self.writer.content(tree[id].first);
                }
                self.writer.report.note(Code::Cells, "");
            }
            // What parts one cell from the next.
            Content::Text(text) if is_between && text.as_bytes().trim_ascii().is_empty() => return,
            _ => {}
        }
        if is_between && has_room {
            self.begin_cell(self.place.cell(), &[], true);
        }
        self.writer.only(id);
    }

    fn begin_cell(&mut self, element: &'t str, attributes: &'t [Attribute], is_ours: bool) {
        self.end_cell();
        if self.columns == 0 && self.place == Place::Footer {
            self.writer.out.push_str("<tr>");
        }
        let start = self.writer.out.len();
        let span = attributes.iter().find(|attribute| &*attribute.name.local == "colspan");
        let columns = span.map_or(1, |span| allow::columns(&span.value)).min(MAX_COLUMNS - self.columns);
        self.writer.open_tag(element, attributes, columns);
        self.writer.is_visible = false;
        self.columns += columns;
        self.cell = Some(Cell { element, start, columns, is_ours });
    }

    /// Ends the cell; one that we made for nothing visible has never been.
    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        if !cell.is_ours || self.writer.is_visible {
            return self.writer.close_tag(cell.element);
        }
        self.columns -= cell.columns;
        self.writer.out.truncate(if self.columns == 0 { self.start } else { cell.start });
    }

    /// Ends the row, if there is one. The last that may be takes all that comes after it.
    fn end_row(&mut self) {
        if self.count + 1 < MAX_ROWS {
            self.end_cell();
        }
        if self.columns == 0 {
            return;
        }
        if self.count + 1 == MAX_ROWS {
            return self.writer.report.note(Code::Cells, "");
        }
        self.writer.out.push_str("</tr>");
        self.widest = self.widest.max(self.columns);
        self.start = self.writer.out.len();
        self.columns = 0;
        self.count += 1;
    }

    fn finish(mut self) -> Option<(String, usize)> {
        self.end_cell();
        match (self.place, self.columns) {
            (Place::Footer, 1..) => self.writer.out.push_str("</tr>"),
            (Place::Row | Place::Heading, 0) => {
                self.begin_cell(self.place.cell(), &[], false);
                self.end_cell();
            }
            _ => {}
        }
        let columns = self.widest.max(self.columns);
        self.writer.finish().map(|out| (out, columns))
    }
}

fn siblings(tree: &[Node], first: Option<Id>) -> impl Iterator<Item = Id> {
    successors(first, |id| tree[*id].next)
}
