//! The tags that go through something: `for`, `tablerow` and `cycle`.

use std::sync::Arc;

use liquid_core::runtime::{Renderable, Template as Block};

use super::{Nodes, Parser, no_arguments, node};
use crate::cursor::Cursor;
use crate::error::{Malformed, malformed};
use crate::expression;
use crate::node::{Cycle, For, Loop, Tablerow};

impl<'s> Parser<'s> {
    pub(super) fn for_loop(
        &mut self,
        at: usize,
        args: &mut Cursor<'s>,
    ) -> Result<Box<dyn Renderable>, Malformed> {
        let over = self.over(at, args, "for")?;
        let (block, mut end) = self.inside("for", at, &["else", "endfor"])?;
        // A second `else` goes on with the block of the first, as in LiquidJS.
        let mut otherwise = Nodes::new();
        while end.tag.name == "else" {
            no_arguments(&end)?;
            let (part, next) = self.inside("for", at, &["else", "endfor"])?;
            otherwise.push(Box::new(part));
            end = next;
        }
        no_arguments(&end)?;
        Ok(node(at, For { over, block, otherwise: Block::new(otherwise) }))
    }

    pub(super) fn tablerow(
        &mut self,
        at: usize,
        args: &mut Cursor<'s>,
    ) -> Result<Box<dyn Renderable>, Malformed> {
        let over = self.over(at, args, "tablerow")?;
        let (block, _) = self.inside("tablerow", at, &["endtablerow"])?;
        Ok(node(at, Tablerow { over, block }))
    }

    /// What a loop goes over.
    fn over(&mut self, at: usize, args: &mut Cursor<'s>, name: &str) -> Result<Loop, Malformed> {
        let wrong = || malformed(at, format!("a `{name}` reads `{{% {name} item in items %}}`"));
        let variable = args.word();
        let within = args.word();
        args.skip_blank();
        let start = args.at();
        let collection = expression::operand(args, 0)?.ok_or_else(wrong)?;
        let name_of_loop: Arc<str> = format!("{variable}-{}", args.since(start)).into();
        if within != "in" || (variable.is_empty() && name == "for") {
            return Err(wrong());
        }
        let mut arguments = Vec::new();
        loop {
            args.skip_blank();
            args.take(",");
            let name = args.word();
            if name.is_empty() {
                return Ok(Loop { variable: variable.into(), collection, name: name_of_loop, arguments });
            }
            args.skip_blank();
            let value = if args.take(":") { Some(expression::operand(args, 0)?) } else { None };
            match value {
                None => arguments.push((name.into(), None)),
                Some(Some(value)) => arguments.push((name.into(), Some(value))),
                // A colon with nothing behind it: as if the name were not there.
                Some(None) => arguments.push((name.into(), None)),
            }
        }
    }

    pub(super) fn cycle(&mut self, at: usize, args: &mut Cursor<'s>) -> Result<Cycle, Malformed> {
        let start = args.at();
        let mut group = expression::operand(args, 0)?;
        args.skip_blank();
        if group.is_none() || !args.take(":") {
            group = None;
            args.back_to(start);
        }
        let (mut candidates, mut texts) = (Vec::new(), Vec::new());
        while !args.is_at_end() {
            let start = args.at();
            let candidate = self.filtered(args)?;
            self.remarks.of_output(&candidate);
            candidates.push(candidate);
            texts.push(args.since(start));
            args.skip_to(",");
        }
        if candidates.is_empty() {
            return Err(malformed(at, "a `cycle` needs values to go through: `{% cycle 'odd', 'even' %}`"));
        }
        Ok(Cycle { group, text: texts.join(","), candidates })
    }
}
