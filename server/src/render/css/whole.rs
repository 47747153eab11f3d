//! Whether a sheet is whole: everything closed that was opened, and nothing else.
//!
//! CSS itself knows no broken sheet; it closes at the end whatever is open. To tell, a word of ours is put behind the
//! sheet: whoever swallows it was open.

use super::{Broken, place};
use cssparser::{ParseError, Parser, SourceLocation, Token};

/// Far more than any sheet needs, and far less than a thread's stack takes.
const MAX_DEPTH: u8 = 32;

/// Finds what is open, closed twice or nested too deep.
pub(super) fn check(css: &str) -> Result<(), Broken> {
    // The line break ends a string that is open.
    let marked = format!("{css}\n end");
    let mut input = Parser::new(&marked);
    let start = input.current_source_location();
    let mut walk = Walk { end: css.len() + 2, reached: false, last: start, rule: None };
    walk.level(&mut input, None, 0).map_err(|error| match error.kind {
        cssparser::ParseErrorKind::Custom(broken) => broken,
        cssparser::ParseErrorKind::Basic(_) => broken(walk.last, "this does not parse"),
    })?;
    if !walk.reached {
        return Err(broken(walk.last, "this is not closed"));
    }
    walk.rule.map_or(Ok(()), |at| Err(broken(at, "a rule has no `{ … }`")))
}

struct Walk {
    /// Where our word is.
    end: usize,
    reached: bool,
    /// Where the last token began.
    last: SourceLocation,
    /// Where the rule began that has no block yet.
    rule: Option<SourceLocation>,
}

impl Walk {
    fn level(
        &mut self,
        input: &mut Parser,
        opened: Option<SourceLocation>,
        depth: u8,
    ) -> Result<(), ParseError<Broken>> {
        let mut at_rule = false;
        loop {
            let (start, at) = (input.position().byte_index(), input.current_source_location());
            let Ok(token) = input.next_including_whitespace_and_comments() else { return Ok(()) };
            let opens = match token {
                Token::WhiteSpace(_) => continue,
                Token::Ident(_) if start == self.end => match opened {
                    Some(opened) => return fail(opened, "this is not closed"),
                    None => {
                        self.reached = true;
                        return Ok(());
                    }
                },
                Token::BadString(_) => return fail(at, "a text is not closed on its line"),
                Token::BadUrl(_) => return fail(at, "an address in `url(…)` is not closed"),
                Token::CloseParenthesis => return fail(at, "nothing is open that `)` could close"),
                Token::CloseSquareBracket => return fail(at, "nothing is open that `]` could close"),
                Token::CloseCurlyBracket => return fail(at, "nothing is open that `}` could close"),
                Token::Function(_)
                | Token::ParenthesisBlock
                | Token::SquareBracketBlock
                | Token::CurlyBracketBlock => true,
                _ => false,
            };
            self.last = at;
            if opened.is_none() {
                match token {
                    Token::CurlyBracketBlock => (self.rule, at_rule) = (None, false),
                    Token::Semicolon if at_rule => (self.rule, at_rule) = (None, false),
                    Token::Semicolon | Token::Comment(_) | Token::CDO | Token::CDC => {}
                    // An at-rule need not have a block.
                    Token::AtKeyword(_) if self.rule.is_none() => at_rule = true,
                    _ if at_rule => {}
                    _ => self.rule = self.rule.or(Some(at)),
                }
            }
            if opens {
                if depth == MAX_DEPTH {
                    return fail(at, format!("this is nested more than {MAX_DEPTH} deep"));
                }
                input.parse_nested_block(|input| self.level(input, Some(at), depth + 1))?;
            }
        }
    }
}

fn fail(at: SourceLocation, message: impl Into<String>) -> Result<(), ParseError<Broken>> {
    Err(ParseError::custom(broken(at, message)))
}

fn broken(at: SourceLocation, message: impl Into<String>) -> Broken {
    let (line, column) = place(at);
    Broken { line, column, message: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sheets_are_whole() {
        for css in [
            "",
            " \n",
            "/* a */",
            "a{}",
            "a{b:c};",
            "@import 'x'",
            "@import 'x';",
            "@layer a;b{}",
            "a{b:'}'}",
            "<!-- a{} -->",
            "a{b:url( x )}",
        ] {
            assert_eq!(check(css), Ok(()), "{css}");
        }
    }

    #[test]
    fn what_is_not_whole_is_told_with_its_place() {
        let deep = "(".repeat(5_000);
        for (css, line, column) in [
            ("a{\n b:c", 1, 2),
            ("a{b:(c}", 1, 7),
            ("a{b:'c}\n", 1, 5),
            ("a{b:\"c\\", 1, 5),
            ("a{}\n/* b", 2, 1),
            ("a{b:url(c", 1, 5),
            ("a{b:url(c d)}", 1, 5),
            ("a{}}", 1, 4),
            ("a{b:c)}", 1, 6),
            ("a{}\nthis is no css", 2, 1),
            ("a{} b", 1, 5),
            ("end", 1, 1),
            (&deep, 1, 33),
            ("a{b:[c}", 1, 7),
        ] {
            let broken = check(css).expect_err(css);
            assert_eq!((broken.line, broken.column), (line, column), "{css}: {}", broken.message);
        }
    }
}
