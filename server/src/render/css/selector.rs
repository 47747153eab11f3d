//! Selectors: read part by part, and written anew if every part is known.
//!
//! A selector may ask about anything of the document; what counts is its subject, the last compound. Where it may be is
//! said behind it by [`rules`](super::rules), in a `:where()` that leaves its weight alone.

use super::{Parsed, refuse, write};
use cssparser::{Delimiter, ParseError, Parser, SourceLocation, ToCss, Token, parse_nth};

/// How many compounds a selector has, and how deep they are nested in `:is()`, `:where()` and `:not()`.
const MAX_COMPOUNDS: u8 = 12;
const MAX_DEPTH: u8 = 3;
/// How many `~`: each lets a browser try all siblings for each sibling.
const MAX_SIBLINGS: u8 = 1;

/// A compound that names neither a type nor a class nor an id is asked of every element.
const COST_OF_ANYTHING: usize = 10;

/// A selector that may be written.
#[derive(Debug)]
pub(super) struct Selector {
    /// Up to its pseudo-element.
    pub css: String,
    /// With its colons; empty where there is none.
    pub pseudo_element: &'static str,
    pub subject: Subject,
    /// What it costs a browser to ask whether it matches, by a rough count.
    pub cost: usize,
}

/// What a selector is said of, as far as its type tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Anything that a template makes.
    Any,
    /// `td` or `th`.
    Cell,
    /// `tr`.
    Row,
    /// `table`, or a section of it.
    Table,
    /// The document.
    Root,
}

/// A list of selectors, each with what became of it.
pub(super) fn list(input: &mut Parser) -> Vec<(SourceLocation, String, Parsed<Selector>)> {
    let mut selectors = Vec::new();
    loop {
        input.skip_whitespace();
        let (start, at) = (input.position(), input.current_source_location());
        let parsed = input.parse_until_before(Delimiter::Comma, |input| {
            let mut reader = Reader::default();
            let subject = reader.complex(input, 0)?;
            let pseudo_element = reader.pseudo_element.unwrap_or_default();
            let cost = reader.cost;
            Ok(Selector { css: reader.out, pseudo_element, subject, cost })
        });
        selectors.push((at, input.slice_from(start).to_owned(), parsed));
        if input.next().is_err() {
            return selectors;
        }
    }
}

#[derive(Default)]
struct Reader {
    out: String,
    compounds: u8,
    siblings: u8,
    cost: usize,
    pseudo_element: Option<&'static str>,
}

impl Reader {
    fn complex(&mut self, input: &mut Parser, depth: u8) -> Parsed<Subject> {
        input.skip_whitespace();
        loop {
            let subject = self.compound(input, depth)?;
            let before = input.state();
            input.skip_whitespace();
            let spaced = before.position() != input.position();
            let state = input.state();
            let combinator = match input.next_including_whitespace() {
                Err(_) => return Ok(subject),
                // The next selector of `:is(a, b)`.
                Ok(Token::Comma) => {
                    input.reset(&state);
                    return Ok(subject);
                }
                Ok(Token::Delim(sign @ ('>' | '+' | '~'))) => *sign,
                Ok(_) if spaced => {
                    input.reset(&state);
                    ' '
                }
                Ok(other) => return refuse("selector", other.to_css_string()),
            };
            if self.pseudo_element.is_some() {
                return refuse("selector", "a pseudo-element before the end");
            }
            self.siblings += u8::from(combinator == '~');
            if self.siblings > MAX_SIBLINGS {
                return refuse("selector", "`~` more than once");
            }
            self.out.push(combinator);
            input.skip_whitespace();
        }
    }

    fn compound(&mut self, input: &mut Parser, depth: u8) -> Parsed<Subject> {
        self.compounds += 1;
        if self.compounds > MAX_COMPOUNDS {
            return refuse("selector", "a selector of too many parts");
        }
        let mut subject = Subject::Any;
        let (mut empty, mut named) = (true, false);
        loop {
            let state = input.state();
            let Ok(token) = input.next_including_whitespace().cloned() else { break };
            named |= matches!(token, Token::Ident(_) | Token::Delim('.') | Token::IDHash(_));
            match token {
                Token::Ident(name) if empty => {
                    let name = name.to_ascii_lowercase();
                    // Not `--x`: at the start of a rule, it is taken for a custom property.
                    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
                        return refuse("selector", name);
                    }
                    subject = subject_of(&name);
                    write::name(&mut self.out, &name);
                }
                Token::Delim('*') if empty => self.out.push('*'),
                Token::Delim('.') => match input.next_including_whitespace()? {
                    Token::Ident(class) => {
                        let class = class.clone();
                        self.own_name('.', &class)?;
                    }
                    _ => return Err(ParseError::unexpected_token()),
                },
                Token::IDHash(id) => self.own_name('#', &id)?,
                Token::SquareBracketBlock => input.parse_nested_block(|input| self.attribute(input))?,
                Token::Colon => {
                    if self.pseudo(input, depth)? {
                        subject = Subject::Root;
                    }
                }
                _ => {
                    input.reset(&state);
                    break;
                }
            }
            empty = false;
            if self.pseudo_element.is_some() {
                break;
            }
        }
        self.cost += if named { 1 } else { COST_OF_ANYTHING };
        if empty { Err(ParseError::unexpected_token()) } else { Ok(subject) }
    }

    /// A class or an id, if it is not ours.
    fn own_name(&mut self, sign: char, name: &str) -> Parsed<()> {
        if is_ours(name) {
            return refuse("selector", format!("{sign}{name}"));
        }
        self.out.push(sign);
        write::name(&mut self.out, name);
        Ok(())
    }

    fn attribute(&mut self, input: &mut Parser) -> Parsed<()> {
        let name = input.expect_ident()?.to_ascii_lowercase();
        // Not `name` and `value`: what a form of ours holds is none of a caller's business.
        let known = matches!(
            name.as_str(),
            "class" | "id" | "title" | "lang" | "dir" | "href" | "alt" | "colspan" | "rowspan" | "scope"
        ) || matches!(name.as_str(), "headers" | "open" | "datetime" | "role" | "align")
            || name.starts_with("aria-")
            || name.strip_prefix("data-").is_some_and(|rest| !is_ours(rest));
        if !known {
            return refuse("selector", format!("[{name}]"));
        }
        self.out.push('[');
        write::name(&mut self.out, &name);
        if !input.is_exhausted() {
            self.out.push_str(match input.next()? {
                Token::Delim('=') => "=",
                Token::IncludeMatch => "~=",
                Token::DashMatch => "|=",
                Token::PrefixMatch => "^=",
                Token::SuffixMatch => "$=",
                Token::SubstringMatch => "*=",
                other => return refuse("selector", other.to_css_string()),
            });
            write::text(&mut self.out, input.expect_ident_or_string()?);
            if let Ok(flag) = input.try_parse(|input| input.expect_ident_cloned()) {
                self.out.push_str(match flag.as_ref() {
                    "i" | "I" => " i",
                    "s" | "S" => " s",
                    _ => return refuse("selector", flag.as_ref()),
                });
            }
        }
        self.out.push(']');
        Ok(())
    }

    /// What stands behind a colon. Says whether it makes the subject the document.
    fn pseudo(&mut self, input: &mut Parser, depth: u8) -> Parsed<bool> {
        match input.next_including_whitespace()?.clone() {
            Token::Colon => {
                let name = match input.next_including_whitespace()? {
                    Token::Ident(name) => name.to_ascii_lowercase(),
                    other => return refuse("selector", format!("::{}", other.to_css_string())),
                };
                self.element(&name, depth)?;
            }
            Token::Ident(name) => {
                let name = name.to_ascii_lowercase();
                match name.as_str() {
                    "root" => {
                        self.out.push_str(":root");
                        return Ok(true);
                    }
                    // As they were written before there were two colons.
                    "before" | "after" | "first-line" | "first-letter" => self.element(&name, depth)?,
                    "hover" | "active" | "focus" | "focus-visible" | "focus-within" | "link" | "any-link"
                    | "empty" | "first-child" | "last-child" | "only-child" | "first-of-type"
                    | "last-of-type" | "only-of-type" => {
                        self.out.push(':');
                        self.out.push_str(&name);
                    }
                    _ => return refuse("selector", format!(":{name}")),
                }
            }
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                self.out.push(':');
                self.out.push_str(&name);
                self.out.push('(');
                match name.as_str() {
                    "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                        let (step, offset) = input.parse_nested_block(|input| -> Parsed<_> {
                            let nth = parse_nth(input)?;
                            input.expect_exhausted()?;
                            Ok(nth)
                        })?;
                        self.out.push_str(&format!("{step}n{offset:+}"));
                    }
                    "is" | "where" | "not" if depth < MAX_DEPTH => {
                        input.parse_nested_block(|input| self.alternatives(input, depth + 1))?;
                    }
                    _ => return refuse("selector", format!(":{name}(…)")),
                }
                self.out.push(')');
            }
            other => return refuse("selector", format!(":{}", other.to_css_string())),
        }
        Ok(false)
    }

    fn alternatives(&mut self, input: &mut Parser, depth: u8) -> Parsed<()> {
        loop {
            self.complex(input, depth)?;
            match input.next() {
                Err(_) => return Ok(()),
                Ok(_) => self.out.push(','),
            }
        }
    }

    fn element(&mut self, name: &str, depth: u8) -> Parsed<()> {
        const ELEMENTS: [&str; 6] =
            ["::before", "::after", "::first-line", "::first-letter", "::marker", "::selection"];
        let known = ELEMENTS.into_iter().find(|known| &known[2..] == name);
        match known {
            Some(known) if depth == 0 => {
                self.pseudo_element = Some(known);
                Ok(())
            }
            _ => refuse("selector", format!("::{name}")),
        }
    }
}

fn subject_of(element: &str) -> Subject {
    match element {
        "td" | "th" => Subject::Cell,
        "tr" => Subject::Row,
        "table" | "thead" | "tbody" | "tfoot" => Subject::Table,
        "html" | "body" => Subject::Root,
        _ => Subject::Any,
    }
}

/// Whether a name is one of ours, which may change from one release to the next.
fn is_ours(name: &str) -> bool {
    name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("sayso"))
}
