//! Writing the parsed tree anew, so that every parser reads from it the tree that was meant.
//!
//! Parsers mend what is nested as it should not be: a box closes the paragraph that it stands in, a link the link around
//! it. A tree that was mended can hold such nestings again as soon as parts of it are left out. An element that cannot
//! stand where it would is therefore written as `<span>`, which parsers have no rules for.

use super::MAX_DEPTH;
use super::allow::{self, Kind};
use super::report::{Code, Report};
use super::tree::{Content, Id, Node};
use html5ever::interface::Attribute;
use html5ever::ns;

/// Writes what stands in cells.
pub(super) struct Writer<'t> {
    /// What has been written.
    pub(super) out: String,
    /// Whether it has written anything that can be seen. Whoever wants to know sets it back.
    pub(super) is_visible: bool,
    /// Whether what was to be written is more than there is room for. It is then broken off.
    pub(super) is_full: bool,
    /// What has been left out.
    pub(super) report: &'t mut Report,
    tree: &'t [Node],
    /// The elements that are open within the cell, as they were written.
    open: Vec<&'t str>,
    /// What is still to do in the cell; empty between cells.
    steps: Vec<Step>,
    /// How long the output may become.
    room: usize,
}

enum Step {
    /// Write this node, then its siblings after it.
    From(Id),
    /// Close the innermost open element.
    Close,
}

/// What became of a node.
enum Entered {
    /// It is done with, and what is in it too.
    Wholly,
    /// What is in it is to be written.
    Content,
    /// It was opened: what is in it is to be written, and then its end.
    Element,
}

impl<'t> Writer<'t> {
    /// A writer that has written nothing, and may write so many bytes.
    pub(super) fn new(tree: &'t [Node], room: usize, report: &'t mut Report) -> Self {
        Self {
            out: String::new(),
            is_visible: false,
            is_full: false,
            report,
            tree,
            open: Vec::new(),
            steps: Vec::new(),
            room,
        }
    }

    /// All that was written; `None` where it is more than there is room for.
    pub(super) fn finish(self) -> Option<String> {
        (!self.is_full && self.out.len() <= self.room).then_some(self.out)
    }

    /// Writes a node and its siblings after it.
    pub(super) fn content(&mut self, first: Option<Id>) {
        self.steps.extend(first.map(Step::From));
        self.run();
    }

    /// Writes a node without its siblings.
    pub(super) fn only(&mut self, id: Id) {
        self.step_into(id);
        self.run();
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            if self.out.len() > self.room {
                self.is_full = true;
                self.steps.clear();
                self.open.clear();
                return;
            }
            match step {
                Step::From(id) => {
                    self.steps.extend(self.tree[id].next.map(Step::From));
                    self.step_into(id);
                }
                Step::Close => {
                    if let Some(element) = self.open.pop() {
                        self.close_tag(element);
                    }
                }
            }
        }
    }

    fn step_into(&mut self, id: Id) {
        let entered = self.enter(id);
        if matches!(entered, Entered::Element) {
            self.steps.push(Step::Close);
        }
        if !matches!(entered, Entered::Wholly) {
            self.steps.extend(self.tree[id].first.map(Step::From));
        }
    }

    fn enter(&mut self, id: Id) -> Entered {
        let tree = self.tree;
        let (name, attributes) = match &tree[id].content {
            Content::Element(name, attributes) => (name, attributes),
            Content::Text(shown) => {
                self.is_visible |= !shown.as_bytes().trim_ascii().is_empty();
                text(&mut self.out, shown);
                return Entered::Wholly;
            }
            Content::Other => return Entered::Wholly,
        };
        let element: &str = &name.local;
        // SVG and MathML have parsing rules of their own, in which the same text means other things.
        let kind = if name.ns == ns!(html) { allow::kind(element) } else { Kind::Nothing };
        let as_written = match kind {
            Kind::Nothing | Kind::Content => {
                // The table tells of its parts.
                if !matches!(element, "tbody" | "tfoot" | "thead" | "tr") {
                    self.report.note(Code::Element, element);
                }
                return if kind == Kind::Content { Entered::Content } else { Entered::Wholly };
            }
            Kind::Break | Kind::Rule | Kind::Picture => {
                let element = if kind == Kind::Rule && self.is_in("p") { "br" } else { element };
                self.is_visible |= kind != Kind::Break;
                self.open_tag(element, attributes, 1);
                return Entered::Wholly;
            }
            _ if self.open.len() >= MAX_DEPTH => {
                self.report.note(Code::Depth, "");
                return Entered::Content;
            }
            _ => self.place(kind, element),
        };
        if kind == Kind::Box && !matches!(element, "td" | "th") {
            self.report.note(Code::Element, element);
        }
        self.open_tag(as_written, attributes, 1);
        self.open.push(as_written);
        if as_written == "pre" {
            // Parsers take one newline off its beginning: this one.
            self.out.push('\n');
        }
        Entered::Element
    }

    /// As what an element can stand here.
    fn place(&self, kind: Kind, element: &'t str) -> &'t str {
        let is_heading = |name: &&str| matches!(*name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
        match (kind, self.open.as_slice()) {
            (Kind::Link, open) if open.contains(&"a") => "span",
            (Kind::Inline | Kind::Link, _) => element,
            _ if self.is_in("p") => "span",
            (Kind::Heading, open) if open.iter().any(is_heading) => "span",
            (Kind::Block | Kind::Heading, _)
            | (Kind::Item, [.., "ul" | "ol"])
            | (Kind::Term, [.., "dl"] | [.., "dl", "div"]) => element,
            _ => "div",
        }
    }

    fn is_in(&self, element: &str) -> bool {
        self.open.contains(&element)
    }

    /// Writes the start of an element, or the whole of one without content.
    pub(super) fn open_tag(&mut self, element: &str, attributes: &[Attribute], columns: usize) {
        self.out.push('<');
        self.out.push_str(element);
        if columns > 1 {
            self.out.push_str(" colspan=\"");
            self.out.push_str(&columns.to_string());
            self.out.push('"');
        }
        for attribute in attributes {
            let name = &*attribute.name.local;
            if let Some(value) = allow::attribute(element, name, &attribute.value, self.report) {
                self.out.push(' ');
                self.out.push_str(name);
                self.out.push_str("=\"");
                escape(&mut self.out, &value, true);
                self.out.push('"');
            }
        }
        self.out.push('>');
    }

    /// Writes the end of an element.
    pub(super) fn close_tag(&mut self, element: &str) {
        self.out.push_str("</");
        self.out.push_str(element);
        self.out.push('>');
    }
}

/// Writes text.
pub(super) fn text(out: &mut String, text: &str) {
    escape(out, text, false);
}

fn escape(out: &mut String, mut text: &str, is_value: bool) {
    let is_special = |byte: &u8| matches!(byte, b'&' | b'<' | b'>' | b'\r') || (is_value && *byte == b'"');
    while let Some(at) = text.as_bytes().iter().position(is_special) {
        out.push_str(&text[..at]);
        out.push_str(match text.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            // As itself it would be read as a newline.
            _ => "&#13;",
        });
        text = &text[at + 1..];
    }
    out.push_str(text);
}
