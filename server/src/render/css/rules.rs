//! The rules of a sheet: which are kept, and of what they are said then.

use super::declarations::{self, Declaration};
use super::property::Levels;
use super::selector::{self, Selector, Subject};
use super::{Parsed, Refusal, Remarks, Sheet, refuse, value, write};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, Parser, ParserState, QualifiedRuleParser, RuleBodyItemParser,
    RuleBodyParser, SourceLocation,
};

/// No sheet has selectors that cost more: a browser asks each of every element of its kind, of which there are thousands.
const MAX_COST: usize = 1_000;
/// How deep `@media` may stand in `@media`.
const MAX_DEPTH: u8 = 4;

/// Where a subject may be: what `:where()` says behind a selector. It adds no weight.
const INSIDE: &str = ":where(.sayso-cell *)";
const CELL: &str = ":where(.sayso-cell)";
const CELL_OR_INSIDE: &str = ":where(.sayso-cell,.sayso-cell *)";
const ROW: &str = ":where(.sayso-table>*>tr)";
const TABLE: &str = ":where(.sayso-table,.sayso-table>*)";
const ROOT: &str = ":where(:root,body)";

/// All places, for whoever checks that every rule has one.
#[cfg(test)]
pub(super) fn places() -> impl Iterator<Item = &'static str> {
    [INSIDE, CELL, CELL_OR_INSIDE, ROW, TABLE, ROOT].into_iter()
}

/// What is to be kept of a sheet that is whole.
pub(super) fn walk(css: &str) -> Sheet {
    let mut rules = Rules { out: String::new(), remarks: Remarks::default(), cost: 0, depth: 0 };
    rules.list(&mut Parser::new(css));
    let css = match rules.out {
        nothing if nothing.is_empty() => nothing,
        kept => format!("@layer sayso-caller{{{kept}}}"),
    };
    Sheet { css, dropped: rules.remarks.0 }
}

struct Rules {
    out: String,
    remarks: Remarks,
    cost: usize,
    depth: u8,
}

impl Rules {
    fn list(&mut self, input: &mut Parser) {
        let mut body = RuleBodyParser::new(input, self);
        while let Some(rule) = body.next() {
            if let Err((error, source, at)) = rule {
                body.parser.remarks.push_error(error, source, at);
            }
        }
    }

    /// Writes a rule once for each place where something of it may stand.
    fn rule(&mut self, selectors: &[Selector], declarations: &[Declaration]) {
        let inside = Levels::INSIDE;
        if declarations.iter().all(|it| it.levels.meets(inside) == it.levels.meets(Levels::CELL)) {
            self.part(selectors, declarations, inside, |it| suffixed(it, CELL_OR_INSIDE));
        } else {
            self.part(selectors, declarations, inside, |it| match it.pseudo_element {
                "" => suffixed(it, INSIDE),
                // What a cell generates is in it.
                _ => suffixed(it, CELL_OR_INSIDE),
            });
            self.part(selectors, declarations, Levels::CELL, |it| match it.pseudo_element {
                "" => suffixed(it, CELL),
                _ => None,
            });
        }
        let around = |it: &Selector| match (it.pseudo_element, it.subject) {
            ("", Subject::Row) => Some(ROW),
            ("", Subject::Table) => Some(TABLE),
            ("", Subject::Root) => Some(ROOT),
            _ => None,
        };
        let handed_on = |it: &Selector| Some(format!(":where({}{} .sayso-cell)", it.css, around(it)?));
        let real = |it: &Selector| Some(format!("{}{}", it.css, around(it)?));
        self.part(selectors, declarations, Levels::HANDED_ON, handed_on);
        self.part(selectors, declarations, Levels::HANDED_ON_BY_ROWS, |it| match it.subject {
            Subject::Row => handed_on(it),
            _ => None,
        });
        self.part(selectors, declarations, Levels::BEHIND, |it| match it.subject {
            Subject::Row | Subject::Table => real(it),
            _ => None,
        });
        self.part(selectors, declarations, Levels::ROOT, |it| match it.subject {
            Subject::Root => real(it),
            _ => None,
        });
    }

    fn part(
        &mut self,
        selectors: &[Selector],
        declarations: &[Declaration],
        levels: Levels,
        place: impl Fn(&Selector) -> Option<String>,
    ) {
        if !declarations.iter().any(|it| it.levels.meets(levels)) {
            return;
        }
        let selectors: Vec<String> = selectors.iter().filter_map(place).collect();
        if selectors.is_empty() {
            return;
        }
        self.out.push_str(&selectors.join(","));
        self.out.push('{');
        for declaration in declarations {
            declaration.write(&mut self.out, levels);
        }
        self.out.push('}');
    }

    /// Notes what is for none of the selectors.
    fn note_misplaced(&mut self, selectors: &[Selector], declarations: &[Declaration]) {
        for declaration in declarations {
            if !selectors.iter().any(|it| declaration.levels.meets(levels_of(it))) {
                let what = format!("{} on {}", declaration.name, selectors[0].css);
                self.remarks.push(Refusal { code: "place", what }, declaration.at);
            }
        }
    }
}

fn suffixed(selector: &Selector, place: &str) -> Option<String> {
    let place = match selector.subject {
        // A row of a table in a cell.
        Subject::Row | Subject::Table if place == CELL_OR_INSIDE => INSIDE,
        Subject::Row | Subject::Table if place == CELL => return None,
        Subject::Root => return None,
        _ => place,
    };
    Some(format!("{}{place}{}", selector.css, selector.pseudo_element))
}

/// Where a selector most probably is meant to match.
fn levels_of(selector: &Selector) -> Levels {
    match selector.subject {
        _ if !selector.pseudo_element.is_empty() => Levels::INSIDE,
        Subject::Any => Levels::INSIDE.and(Levels::CELL),
        Subject::Cell => Levels::CELL,
        Subject::Row => Levels::BEHIND.and(Levels::HANDED_ON).and(Levels::HANDED_ON_BY_ROWS),
        Subject::Table => Levels::BEHIND.and(Levels::HANDED_ON),
        Subject::Root => Levels::ROOT.and(Levels::HANDED_ON),
    }
}

impl<'i> QualifiedRuleParser<'i> for Rules {
    type Prelude = Vec<Selector>;
    type QualifiedRule = ();
    type Error = Refusal;

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Parsed<Vec<Selector>> {
        let mut kept = Vec::new();
        for (at, source, parsed) in selector::list(input) {
            match parsed {
                Ok(selector) if self.cost + selector.cost > MAX_COST => {
                    let what = format!("{}: the sheet has too many selectors", selector.css);
                    self.remarks.push(Refusal { code: "selector", what }, at);
                }
                Ok(selector) => {
                    self.cost += selector.cost;
                    kept.push(selector);
                }
                Err(error) => self.remarks.push_error(error, &source, at),
            }
        }
        while input.next().is_ok() {}
        Ok(kept)
    }

    fn parse_block(
        &mut self,
        selectors: Vec<Selector>,
        _: &ParserState,
        input: &mut Parser<'i>,
    ) -> Parsed<()> {
        if selectors.is_empty() {
            while input.next().is_ok() {}
            return Ok(());
        }
        let declarations = declarations::list(input, &mut self.remarks);
        self.note_misplaced(&selectors, &declarations);
        self.rule(&selectors, &declarations);
        Ok(())
    }
}

/// What stands before the block of an at-rule that is kept, such as `@media print`.
struct Head {
    css: String,
    /// Whether it may end without a block.
    statement: bool,
    /// Whether it may have a block.
    block: bool,
}

impl<'i> AtRuleParser<'i> for Rules {
    type Prelude = Head;
    type AtRule = ();
    type Error = Refusal;

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Parsed<Head> {
        let (css, statement, block) = match name.to_ascii_lowercase().as_str() {
            "media" => (format!("@media {}", value::condition(input)?), false, true),
            "supports" => (format!("@supports {}", value::condition(input)?), false, true),
            "layer" => {
                let names = layers(input)?;
                // Inside of our own layer for callers, whatever they are called.
                (format!("@layer {}", names.join(",")), !names.is_empty(), names.len() < 2)
            }
            _ => return refuse("at_rule", format!("@{name}")),
        };
        if self.depth == MAX_DEPTH {
            return refuse("at_rule", format!("@{name} in @{name} in @{name}"));
        }
        Ok(Head { css, statement, block })
    }

    fn rule_without_block(&mut self, head: Head, _: &ParserState) -> Result<(), ()> {
        if !head.statement {
            return Err(());
        }
        self.out.push_str(&head.css);
        self.out.push(';');
        Ok(())
    }

    fn parse_block(&mut self, head: Head, start: &ParserState, input: &mut Parser<'i>) -> Parsed<()> {
        if !head.block {
            let at: SourceLocation = start.source_location();
            self.remarks.push(Refusal { code: "at_rule", what: head.css }, at);
            while input.next().is_ok() {}
            return Ok(());
        }
        let before = self.out.len();
        self.out.push_str(&head.css);
        self.out.push('{');
        let empty = self.out.len();
        self.depth += 1;
        self.list(input);
        self.depth -= 1;
        // An empty layer still says that it comes before the next.
        if self.out.len() == empty && !head.css.starts_with("@layer") {
            self.out.truncate(before);
        } else {
            self.out.push('}');
        }
        Ok(())
    }
}

/// Names of layers, with their dots.
fn layers(input: &mut Parser) -> Parsed<Vec<String>> {
    let mut names = Vec::new();
    while !input.is_exhausted() {
        let mut layer = String::new();
        write::name(&mut layer, input.expect_ident()?);
        while input.try_parse(|input| input.expect_delim('.')).is_ok() {
            layer.push('.');
            write::name(&mut layer, input.expect_ident()?);
        }
        names.push(layer);
        if !input.is_exhausted() {
            input.expect_comma()?;
        }
    }
    Ok(names)
}

impl DeclarationParser<'_> for Rules {
    type Declaration = ();
    type Error = Refusal;
}

impl RuleBodyItemParser<'_, (), Refusal> for Rules {
    fn parse_declarations(&self) -> bool {
        false
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}
