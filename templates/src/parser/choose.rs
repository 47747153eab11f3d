//! The tags that choose a block: `if`, `unless` and `case`.

use liquid_core::runtime::{Renderable, Template as Block};

use super::{End, Nodes, Parser, no_arguments, node};
use crate::error::{Malformed, malformed};
use crate::expression::{self, Filtered, Operand, snapshot};
use crate::node::{Branch, Case, Choice};
use crate::scanner::Tag;

/// Where the next block of an `if` or `unless` goes.
enum Goes {
    Into(Filtered, bool),
    Otherwise,
    Nowhere,
}

impl<'s> Parser<'s> {
    pub(super) fn choice(
        &mut self,
        at: usize,
        tag: Tag<'s>,
        wants: bool,
    ) -> Result<Box<dyn Renderable>, Malformed> {
        let (name, end_name) = if wants { ("if", "endif") } else { ("unless", "endunless") };
        let ends = ["elsif", "else", end_name];
        let mut args = tag.args;
        let mut goes = Goes::Into(self.filtered(&mut args)?, wants);
        let (mut branches, mut otherwise) = (Vec::new(), None);
        loop {
            let (block, end) = self.inside(name, at, &ends)?;
            match goes {
                Goes::Into(condition, wants) => branches.push(Branch { condition, wants, block }),
                Goes::Otherwise => otherwise = Some(block),
                Goes::Nowhere => {}
            }
            // `if` is strict where `unless` is not.
            if wants && end.tag.name != "elsif" {
                no_arguments(&end)?;
            }
            goes = match end.tag.name {
                "elsif" if otherwise.is_none() => {
                    let mut args = end.tag.args;
                    Goes::Into(self.filtered(&mut args)?, true)
                }
                "else" if otherwise.is_none() => Goes::Otherwise,
                again @ ("elsif" | "else") if wants => {
                    return Err(malformed(
                        end.at,
                        format!("`{again}` stands behind `else`, which is the last"),
                    ));
                }
                "elsif" | "else" => Goes::Nowhere,
                _ => {
                    let otherwise = otherwise.unwrap_or_else(|| Block::new(Nodes::new()));
                    return Ok(node(at, Choice { branches, otherwise }));
                }
            };
        }
    }

    pub(super) fn case(&mut self, at: usize, tag: Tag<'s>) -> Result<Box<dyn Renderable>, Malformed> {
        let ends = ["when", "else", "endcase"];
        let mut args = tag.args;
        let target = self.filtered(&mut args)?;
        let mut branches = Vec::new();
        // A `when` behind `else` goes on with its block, and what a second `else` begins is nowhere, as in LiquidJS.
        let (mut elses, mut otherwise) = (0, Nodes::new());
        // What stands before the first `when` is nowhere, too.
        let (_, mut end) = self.inside("case", at, &ends)?;
        loop {
            let values = match end.tag.name {
                "when" if elses == 0 => Some(self.values(&end)?),
                "when" => None,
                "else" => {
                    elses += 1;
                    None
                }
                _ => return Ok(node(at, Case { target, branches, otherwise: Block::new(otherwise) })),
            };
            let (block, next) = self.inside("case", at, &ends)?;
            match values {
                Some(values) => branches.push((values, block)),
                None if elses == 1 => otherwise.push(Box::new(block)),
                None => {}
            }
            end = next;
        }
    }

    /// The values of a `when`, with commas or `or` between.
    fn values(&mut self, when: &End<'s>) -> Result<Vec<Operand>, Malformed> {
        let mut args = when.tag.args;
        let mut values = Vec::new();
        while !args.is_at_end() {
            let value = expression::operand(&mut args, 0)?;
            values.push(value.ok_or_else(|| {
                malformed(args.at(), format!("a value is expected here; found {}", snapshot(&args)))
            })?);
            args.skip_blank();
            args.skip_to(if args.is_at(",") { "," } else { "or" });
        }
        Ok(values)
    }
}
