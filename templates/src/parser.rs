//! Pieces → nodes: which tags there are, what stands in each, and where each block ends.

mod choose;
mod repeat;

use std::sync::Arc;

use liquid_core::runtime::{Interrupt, Renderable, Template as Block};

use crate::cursor::Cursor;
use crate::error::{Malformed, malformed};
use crate::expression::{self, Filtered, snapshot};
use crate::node::{Assign, Capture, Count, Echo, Interruption, Markup};
use crate::scanner::{self, Kind, Piece, Tag};
use crate::state::Node;
use crate::warning::Remarks;

/// How deep blocks may stand in each other.
pub(crate) const MAX_BLOCKS: usize = 32;

/// The nodes of a source, and what its author should know.
pub(crate) fn parse(source: &str) -> Result<(Block, Remarks), Malformed> {
    let pieces = scanner::scan(source)?;
    let mut remarks = Remarks::default();
    remarks.of_markup(&pieces);
    let mut parser = Parser { source, pieces: pieces.into_iter(), depth: 0, remarks };
    let (nodes, _) = parser.block(&[], None)?;
    Ok((Block::new(nodes), parser.remarks))
}

struct Parser<'s> {
    source: &'s str,
    pieces: std::vec::IntoIter<Piece<'s>>,
    depth: usize,
    remarks: Remarks,
}

type Nodes = Vec<Box<dyn Renderable>>;

/// The tag at which a block stopped, and where it stands.
struct End<'s> {
    at: usize,
    tag: Tag<'s>,
}

impl<'s> Parser<'s> {
    /// Everything up to one of these tags; `opened` is the block that they end, which must be ended.
    fn block(
        &mut self,
        ends: &[&str],
        opened: Option<(&str, usize)>,
    ) -> Result<(Nodes, Option<End<'s>>), Malformed> {
        let mut nodes = Nodes::new();
        while let Some(Piece { at, kind }) = self.pieces.next() {
            match kind {
                Kind::Markup("") => {}
                Kind::Markup(text) => nodes.push(node(at, Markup(text.into()))),
                Kind::Output(mut inside) => {
                    let value = self.filtered(&mut inside)?;
                    self.remarks.of_output(&value);
                    nodes.push(node(at, Echo(value)));
                }
                Kind::Tag(tag) if ends.contains(&tag.name) => return Ok((nodes, Some(End { at, tag }))),
                Kind::Tag(tag) => nodes.extend(self.tag(at, tag)?),
            }
        }
        match opened {
            Some((name, at)) => {
                Err(malformed(at, format!("this `{name}` is not closed; end it with `{{% end{name} %}}`")))
            }
            None => Ok((nodes, None)),
        }
    }

    /// The inside of a block one level deeper, up to one of these tags.
    fn inside(&mut self, name: &str, at: usize, ends: &[&str]) -> Result<(Block, End<'s>), Malformed> {
        if self.depth >= MAX_BLOCKS {
            let message = format!("blocks nest more than {MAX_BLOCKS} deep; take some of them apart");
            return Err(malformed(at, message));
        }
        self.depth += 1;
        let (nodes, end) = self.block(ends, Some((name, at)))?;
        self.depth -= 1;
        let end = end.ok_or_else(|| malformed(at, format!("this `{name}` is not closed")))?;
        Ok((Block::new(nodes), end))
    }

    /// The nodes of a tag: none for a comment, several for `liquid`.
    fn tag(&mut self, at: usize, tag: Tag<'s>) -> Result<Nodes, Malformed> {
        let mut args = tag.args;
        let one: Box<dyn Renderable> = match tag.name {
            "if" => self.choice(at, tag, true)?,
            "unless" => self.choice(at, tag, false)?,
            "case" => self.case(at, tag)?,
            "for" => self.for_loop(at, &mut args)?,
            "tablerow" => self.tablerow(at, &mut args)?,
            "assign" => {
                let name = self.name(&mut args, "assign")?;
                args.skip_blank();
                if !args.take("=") {
                    let message = format!("`=` is expected behind the name; found {}", snapshot(&args));
                    return Err(malformed(args.at(), message));
                }
                node(at, Assign { name, value: self.filtered(&mut args)? })
            }
            "capture" => {
                let name = self.captured(&mut args)?;
                let (block, _) = self.inside("capture", at, &["endcapture"])?;
                node(at, Capture { name, block })
            }
            "increment" => node(at, Count { name: args.word().into(), up: true }),
            "decrement" => node(at, Count { name: args.word().into(), up: false }),
            "echo" if args.is_at_end() => return Ok(Nodes::new()),
            "echo" => {
                let value = self.filtered(&mut args)?;
                self.remarks.of_output(&value);
                node(at, Echo(value))
            }
            "cycle" => node(at, self.cycle(at, &mut args)?),
            "break" => node(at, Interruption(Interrupt::Break)),
            "continue" => node(at, Interruption(Interrupt::Continue)),
            "liquid" => return self.liquid(at, args),
            "raw" => return self.raw(at),
            "comment" => return self.comment(at),
            "#" => return inline_comment(at, args),
            unknown => return Err(malformed(at, unknown_tag(unknown))),
        };
        Ok(vec![one])
    }

    fn liquid(&mut self, at: usize, args: Cursor<'s>) -> Result<Nodes, Malformed> {
        if self.depth >= MAX_BLOCKS {
            return Err(malformed(
                at,
                format!("blocks nest more than {MAX_BLOCKS} deep; take some of them apart"),
            ));
        }
        let lines = scanner::lines(self.source, args)?;
        // Its blocks end within it.
        let around = std::mem::replace(&mut self.pieces, lines.into_iter());
        self.depth += 1;
        let (nodes, _) = self.block(&[], None)?;
        self.depth -= 1;
        self.pieces = around;
        Ok(nodes)
    }

    /// Everything up to `endraw` as it stands in the source.
    fn raw(&mut self, at: usize) -> Result<Nodes, Malformed> {
        let mut nodes = Nodes::new();
        for Piece { at, kind } in self.pieces.by_ref() {
            match kind {
                Kind::Tag(tag) if tag.name == "endraw" => return Ok(nodes),
                Kind::Tag(tag) => nodes.push(node(at, Markup(tag.text.into()))),
                Kind::Markup(text) => nodes.push(node(at, Markup(text.into()))),
                Kind::Output(_) => {}
            }
        }
        Err(malformed(at, "this `raw` is not closed; end it with `{% endraw %}`"))
    }

    fn comment(&mut self, at: usize) -> Result<Nodes, Malformed> {
        let ends = |piece: &Piece<'_>| matches!(piece.kind, Kind::Tag(tag) if tag.name == "endcomment");
        match self.pieces.find(ends) {
            Some(_) => Ok(Nodes::new()),
            None => Err(malformed(at, "this `comment` is not closed; end it with `{% endcomment %}`")),
        }
    }

    fn name(&mut self, args: &mut Cursor<'s>, tag: &str) -> Result<Arc<str>, Malformed> {
        let name = args.word();
        if name.is_empty() {
            let message =
                format!("the name of a variable is expected behind `{tag}`; found {}", snapshot(args));
            return Err(malformed(args.at(), message));
        }
        Ok(name.into())
    }

    fn captured(&mut self, args: &mut Cursor<'s>) -> Result<Arc<str>, Malformed> {
        match (args.peek(), crate::literal::read(&mut args.clone())) {
            (Some('"' | '\''), Some(crate::value::Value::Text(name))) => Ok(name),
            _ => self.name(args, "capture"),
        }
    }

    fn filtered(&mut self, args: &mut Cursor<'s>) -> Result<Filtered, Malformed> {
        let filtered = expression::filtered(args)?;
        self.remarks.of_filters(&filtered);
        Ok(filtered)
    }
}

fn node<R: crate::state::Run + 'static>(at: usize, run: R) -> Box<dyn Renderable> {
    Box::new(Node { at, run })
}

fn no_arguments(end: &End<'_>) -> Result<(), Malformed> {
    if end.tag.args.rest().is_empty() {
        return Ok(());
    }
    let message = format!("nothing stands behind `{}`; found {}", end.tag.name, snapshot(&end.tag.args));
    Err(malformed(end.at, message))
}

fn inline_comment(at: usize, args: Cursor<'_>) -> Result<Nodes, Malformed> {
    let mut lines = args.rest().split('\n').skip(1).map(str::trim);
    match lines.find(|line| !line.is_empty() && !line.starts_with('#')) {
        None => Ok(Nodes::new()),
        Some(_) => Err(malformed(at, "every line of this comment begins with `#`")),
    }
}

fn unknown_tag(name: &str) -> String {
    let name: String = name.chars().take(40).collect();
    match name.as_str() {
        "include" | "render" | "layout" | "block" => {
            format!("there is no `{name}` here: a template is all there is to load")
        }
        "else" | "elsif" | "when" => format!("`{name}` stands in no block that it belongs to"),
        end if end.starts_with("end") => format!("`{end}` ends nothing that is open here"),
        _ => format!("there is no tag `{name}`"),
    }
}
