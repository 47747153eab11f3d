//! Values and conditions: read token by token, and written anew if every token is known.

use super::{Parsed, Refusal, property::Kind, refuse, write};
use cssparser::{ParseError, Parser, ToCss, Token};

/// Deeper than any colour or calculation.
const MAX_DEPTH: u8 = 8;

/// No number is larger; what is longer than a hundred screens is no design.
const MAX_NUMBER: f32 = 10_000.0;

/// The prefix of callers' custom properties: a sheet can then set none of ours.
const PREFIX: &str = "--caller-";

/// A value that may be written.
#[derive(Debug)]
pub(super) struct Value {
    pub css: String,
    /// Whether it is one thing, and that no picture: in `background`, a colour.
    pub is_colour: bool,
}

/// The value of a property, up to the end or a last `!important`, which is left out.
pub(super) fn value(input: &mut Parser, kind: Kind) -> Parsed<Value> {
    let mut writer = Writer::new(match kind {
        Kind::Picture => Takes { pictures: true, ..Takes::VALUE },
        Kind::Content => Takes { pictures: true, generated: true, ..Takes::VALUE },
        Kind::Positive | Kind::Word(_) => Takes { functions: false, negatives: false, ..Takes::VALUE },
        Kind::Motion => Takes { variables: false, ..Takes::VALUE },
        Kind::Free => Takes::VALUE,
    });
    let count = writer.tokens(input, 0)?;
    let Writer { out: css, drawn, .. } = writer;
    let word = css.to_ascii_lowercase();
    match kind {
        _ if count == 0 => refuse("syntax", "a property without a value"),
        Kind::Word(words) if !words.contains(&word.as_str()) => refuse("value", css),
        // It would keep on the screen what is to go.
        Kind::Motion if word.contains("allow-discrete") => refuse("value", css),
        Kind::Word(_) => Ok(Value { css: word, is_colour: false }),
        _ => Ok(Value { css, is_colour: count == 1 && !drawn }),
    }
}

/// The value of a custom property: whatever some property may have.
pub(super) fn custom(input: &mut Parser) -> Parsed<Value> {
    value(input, Kind::Picture)
}

/// The condition of `@media` or `@supports`.
pub(super) fn condition(input: &mut Parser) -> Parsed<String> {
    let mut writer = Writer::new(Takes { condition: true, ..Takes::VALUE });
    writer.tokens(input, 0)?;
    Ok(writer.out)
}

/// The name of a custom property of a caller's.
pub(super) fn custom_name(out: &mut String, name: &str) {
    if name.starts_with(PREFIX) {
        write::name(out, name);
    } else {
        write::name(out, &name.replacen("--", PREFIX, 1));
    }
}

/// What may be in a value.
#[derive(Clone, Copy)]
struct Takes {
    functions: bool,
    variables: bool,
    negatives: bool,
    pictures: bool,
    /// What only `content` has: counters and attributes.
    generated: bool,
    /// What only a condition has: colons and comparisons.
    condition: bool,
}

impl Takes {
    const VALUE: Self = Self {
        functions: true,
        variables: true,
        negatives: true,
        pictures: false,
        generated: false,
        condition: false,
    };
}

struct Writer {
    out: String,
    takes: Takes,
    /// Whether there is a picture in it.
    drawn: bool,
}

impl Writer {
    fn new(takes: Takes) -> Self {
        Self { out: String::new(), takes, drawn: false }
    }

    /// Writes everything that is left, and says of how many parts it was.
    fn tokens(&mut self, input: &mut Parser, depth: u8) -> Parsed<usize> {
        let mut count = 0;
        while let Ok(token) = input.next() {
            let token = token.clone();
            if token == Token::Delim('!') && depth == 0 && !self.takes.condition {
                input.expect_ident_matching("important")?;
                input.expect_exhausted()?;
                break;
            }
            self.token(input, token, depth)?;
            count += 1;
        }
        Ok(count)
    }

    fn token(&mut self, input: &mut Parser, token: Token, depth: u8) -> Parsed<()> {
        let takes = self.takes;
        match &token {
            Token::Ident(word) if write::is_plain(word) => self.push(word),
            Token::QuotedString(text) => {
                self.space();
                write::text(&mut self.out, text);
            }
            Token::Hash(digits) | Token::IDHash(digits)
                if matches!(digits.len(), 3 | 4 | 6 | 8)
                    && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) =>
            {
                self.push("#");
                self.out.push_str(digits);
            }
            Token::Number { value, .. } => self.number(*value, &token)?,
            Token::Percentage { unit_value, .. } => self.number(*unit_value * 100.0, &token)?,
            Token::Dimension { value, unit, .. }
                if unit.bytes().all(|letter| letter.is_ascii_alphabetic()) =>
            {
                self.number(*value, &token)?;
            }
            Token::Comma => self.out.push(','),
            Token::Delim('/') => self.push("/"),
            Token::Delim(sign @ ('+' | '-' | '*')) if depth > 0 => self.push(sign.encode_utf8(&mut [0; 4])),
            Token::Colon if takes.condition && depth > 0 => self.out.push(':'),
            Token::Delim(sign @ ('<' | '>')) if takes.condition && depth > 0 => {
                self.push(sign.encode_utf8(&mut [0; 4]));
            }
            Token::Delim('=') if takes.condition && depth > 0 => {
                if self.out.ends_with(['<', '>']) {
                    self.out.push('=')
                } else {
                    self.push("=")
                }
            }
            Token::ParenthesisBlock if takes.functions => {
                self.push("(");
                self.block(input, depth, |writer, input| writer.tokens(input, depth + 1).map(drop))?;
            }
            Token::UnquotedUrl(address) => self.picture(address)?,
            Token::Function(name) => self.function(input, &name.to_ascii_lowercase(), depth)?,
            other => return refuse("value", other.to_css_string()),
        }
        Ok(())
    }

    fn function(&mut self, input: &mut Parser, name: &str, depth: u8) -> Parsed<()> {
        let takes = self.takes;
        match name {
            "url" => {
                let address = input.parse_nested_block(|input| -> Parsed<_> {
                    let address = input.expect_string()?.clone();
                    input.expect_exhausted()?;
                    Ok(address)
                })?;
                return self.picture(&address);
            }
            "var" if takes.functions && takes.variables && !takes.condition => {
                return self.variable(input, depth);
            }
            "attr" if takes.generated => {
                self.push("attr(");
                return self.block(input, depth, |writer, input| {
                    let attribute = input.expect_ident()?;
                    write::name(&mut writer.out, attribute);
                    Ok(())
                });
            }
            "counter" | "counters" if takes.generated => {}
            "calc" | "min" | "max" | "clamp" if takes.functions => {}
            _ if !takes.functions => return refuse("value", format!("{name}(…)")),
            "linear-gradient"
            | "radial-gradient"
            | "conic-gradient"
            | "repeating-linear-gradient"
            | "repeating-radial-gradient"
            | "repeating-conic-gradient" => self.drawn = true,
            "rgb" | "rgba" | "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" | "color"
            | "color-mix" | "light-dark" => {}
            "minmax" | "repeat" | "fit-content" | "cubic-bezier" | "steps" => {}
            _ => return refuse("value", format!("{name}(…)")),
        }
        self.push(name);
        self.out.push('(');
        self.block(input, depth, |writer, input| writer.tokens(input, depth + 1).map(drop))
    }

    /// `var(--x)`: the sheet's own `--x`, else one that the markup has set.
    fn variable(&mut self, input: &mut Parser, depth: u8) -> Parsed<()> {
        self.push("var(");
        self.block(input, depth, |writer, input| {
            let name = input.expect_ident()?.clone();
            if !name.starts_with("--") {
                return refuse("value", name.as_ref());
            }
            custom_name(&mut writer.out, &name);
            let inherits = !name.starts_with(PREFIX);
            if inherits {
                writer.out.push_str(", var(");
                write::name(&mut writer.out, &name);
            }
            if !input.is_exhausted() {
                input.expect_comma()?;
                writer.out.push(',');
                writer.tokens(input, depth + 1)?;
            }
            if inherits {
                writer.out.push(')');
            }
            Ok(())
        })
    }

    /// An address that is a picture itself; every other would tell somebody that somebody looks.
    fn picture(&mut self, address: &str) -> Parsed<()> {
        const SCHEME: &str = "data:image/";
        let (scheme, rest) = address.split_at_checked(SCHEME.len()).unwrap_or(("", address));
        if !scheme.eq_ignore_ascii_case(SCHEME) || !self.takes.pictures {
            return refuse("url", format!("url({address})"));
        }
        self.drawn = true;
        self.push("url(");
        write::text(&mut self.out, &format!("{SCHEME}{rest}"));
        self.out.push(')');
        Ok(())
    }

    /// What is in the block that has just been opened, and its end.
    fn block<'i>(
        &mut self,
        input: &mut Parser<'i>,
        depth: u8,
        inside: impl FnOnce(&mut Self, &mut Parser<'i>) -> Result<(), ParseError<Refusal>>,
    ) -> Parsed<()> {
        if depth == MAX_DEPTH {
            return refuse("value", "brackets in brackets in brackets");
        }
        input.parse_nested_block(|input| inside(self, input))?;
        self.out.push(')');
        Ok(())
    }

    fn number(&mut self, value: f32, token: &Token) -> Parsed<()> {
        let known = value.abs() <= MAX_NUMBER && (self.takes.negatives || value >= 0.0);
        if !known {
            return refuse("value", token.to_css_string());
        }
        self.push(&token.to_css_string());
        Ok(())
    }

    fn push(&mut self, token: &str) {
        self.space();
        self.out.push_str(token);
    }

    /// A space between any two tokens, so that they stay two.
    fn space(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('(') {
            self.out.push(' ');
        }
    }
}
