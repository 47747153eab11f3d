//! The block of a rule: a list of declarations, each for where it may stand.

use super::property::{Kind, Levels, on_cell, property};
use super::{Parsed, Refusal, Remarks, refuse, value};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, Parser, ParserState, QualifiedRuleParser, RuleBodyItemParser,
    RuleBodyParser, SourceLocation, Token,
};

/// A declaration that may be written.
#[derive(Debug)]
pub(super) struct Declaration {
    pub name: String,
    pub value: String,
    pub levels: Levels,
    /// Whether it is a `background` that is but a colour, and so may be one of a row.
    colour: bool,
    pub at: SourceLocation,
}

impl Declaration {
    /// Writes what of it is for one of these levels.
    pub fn write(&self, out: &mut String, levels: Levels) {
        if self.levels.meets(levels) {
            // A row takes colours and nothing else, not even a picture from a variable.
            let colour = self.colour && levels.meets(Levels::BEHIND);
            out.push_str(if colour { "background-color" } else { &self.name });
            out.push(':');
            out.push_str(&self.value);
            out.push(';');
        }
    }
}

/// The declarations of a block; what is none, or none that a caller may make, is noted.
pub(super) fn list(input: &mut Parser, remarks: &mut Remarks) -> Vec<Declaration> {
    let mut declarations = Vec::new();
    for item in RuleBodyParser::new(input, &mut Block) {
        match item {
            Ok(declaration) => declarations.push(declaration),
            Err((error, source, at)) => remarks.push_error(error, source, at),
        }
    }
    declarations
}

struct Block;

impl<'i> DeclarationParser<'i> for Block {
    type Declaration = Declaration;
    type Error = Refusal;

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        start: &ParserState,
    ) -> Parsed<Declaration> {
        let at = start.source_location();
        if name.starts_with("--") {
            let mut prefixed = String::new();
            value::custom_name(&mut prefixed, &name);
            let value = value::custom(input)?.css;
            return Ok(Declaration { name: prefixed, value, levels: Levels::EVERYWHERE, colour: false, at });
        }
        let name = name.to_ascii_lowercase();
        let Some((kind, mut levels)) = property(&name) else {
            return if opens_block(input) { nested() } else { refuse("property", name) };
        };
        let value = value::value(input, kind)?;
        let colour = name == "background" && value.is_colour;
        if colour {
            levels = levels.and(Levels::BEHIND);
        }
        if matches!(kind, Kind::Word(_)) && name == "display" && !on_cell(&value.css) {
            levels = Levels::INSIDE;
        }
        Ok(Declaration { name, value: value.css, levels, colour, at })
    }
}

/// `a:hover { … }` begins like a declaration.
fn opens_block(input: &mut Parser) -> bool {
    while let Ok(token) = input.next() {
        if *token == Token::CurlyBracketBlock {
            return true;
        }
    }
    false
}

fn nested<T>() -> Parsed<T> {
    refuse("nesting", "a rule in a rule")
}

impl<'i> QualifiedRuleParser<'i> for Block {
    type Prelude = ();
    type QualifiedRule = Declaration;
    type Error = Refusal;

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Parsed<()> {
        while input.next().is_ok() {}
        Ok(())
    }

    fn parse_block(&mut self, (): (), _: &ParserState, _: &mut Parser<'i>) -> Parsed<Declaration> {
        nested()
    }
}

impl AtRuleParser<'_> for Block {
    type Prelude = ();
    type AtRule = Declaration;
    type Error = Refusal;

    fn parse_prelude(&mut self, name: CowRcStr<'_>, _: &mut Parser<'_>) -> Parsed<()> {
        refuse("nesting", format!("@{name} in a rule"))
    }
}

impl RuleBodyItemParser<'_, Declaration, Refusal> for Block {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        // Read to be refused: what follows a nested rule is to be read again.
        true
    }
}
