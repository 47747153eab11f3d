//! Cuts a source into pieces: markup, outputs and tags, with LiquidJS's rules for where each ends and which blanks around it
//! go.

use crate::cursor::{Cursor, is_blank};
use crate::error::{Malformed, malformed};

/// At most so many pieces.
pub(crate) const MAX_PIECES: usize = 4_000;

/// A piece of a source. Offsets are bytes from its beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'s> {
    /// Where it begins.
    pub at: usize,
    pub kind: Kind<'s>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'s> {
    /// Markup as it stands; in a raw block, untouched by what stands around it.
    Markup(&'s str),
    /// `{{ … }}`: what stands inside.
    Output(Cursor<'s>),
    Tag(Tag<'s>),
}

/// `{% name … %}`, or a line of `{% liquid %}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag<'s> {
    pub name: &'s str,
    /// Stands behind the name and the blanks after it.
    pub args: Cursor<'s>,
    /// The whole of it.
    pub text: &'s str,
}

/// All pieces of a source.
pub(crate) fn scan(source: &str) -> Result<Vec<Piece<'_>>, Malformed> {
    let mut scanner = Scanner { source, pieces: Vec::new(), trims_next: false };
    let mut at = 0;
    while at < source.len() {
        at = scanner.piece(at)?;
        if scanner.pieces.len() > MAX_PIECES {
            let message = format!(
                "more than {MAX_PIECES} tags, outputs and pieces of markup; make the template smaller"
            );
            return Err(malformed(at, message));
        }
    }
    Ok(scanner.pieces)
}

/// The lines of a `{% liquid %}` tag, each a tag without delimiters.
pub(crate) fn lines<'s>(source: &'s str, mut inside: Cursor<'s>) -> Result<Vec<Piece<'s>>, Malformed> {
    let mut pieces = Vec::new();
    loop {
        inside.skip_blank();
        if inside.is_at_end() {
            return Ok(pieces);
        }
        let at = inside.at();
        inside.skip_to("\n");
        let line = inside.since(at);
        // Dashes at its ends count as those of delimiters do, only that there is nothing around to trim.
        let content = line.strip_prefix('-').unwrap_or(line);
        let content = content.strip_suffix('-').unwrap_or(content).trim_end_matches(is_blank);
        let start = at + usize::from(line.starts_with('-'));
        let tag = tag(source, at, (start, start + content.len()), line, "a line of `liquid`")?;
        pieces.push(Piece { at, kind: Kind::Tag(tag) });
        if pieces.len() > MAX_PIECES {
            return Err(malformed(at, format!("more than {MAX_PIECES} lines; make the template smaller")));
        }
    }
}

struct Scanner<'s> {
    source: &'s str,
    pieces: Vec<Piece<'s>>,
    /// Whether the last delimiter takes the blanks behind it.
    trims_next: bool,
}

impl<'s> Scanner<'s> {
    /// Reads the piece at `at`; where the next one begins.
    fn piece(&mut self, at: usize) -> Result<usize, Malformed> {
        let rest = &self.source[at..];
        if rest.starts_with("{%") {
            return self.tag(at);
        }
        if rest.starts_with("{{") {
            return self.output(at);
        }
        let length = self.markup_length(rest);
        let mut markup = &rest[..length];
        if std::mem::take(&mut self.trims_next) {
            markup = markup.trim_start_matches(is_blank);
        }
        self.pieces.push(Piece { at, kind: Kind::Markup(markup) });
        Ok(at + length)
    }

    fn markup_length(&self, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        let mut from = 0;
        while let Some(found) = bytes[from..].iter().position(|byte| *byte == b'{') {
            let brace = from + found;
            if matches!(bytes.get(brace + 1), Some(b'{' | b'%')) {
                return brace;
            }
            from = brace + 1;
        }
        rest.len()
    }

    fn output(&mut self, at: usize) -> Result<usize, Malformed> {
        let mut cursor = Cursor::new(self.source, at, self.source.len());
        cursor.take("{{");
        loop {
            match cursor.peek() {
                Some('"' | '\'') => cursor.skip_quoted(),
                Some('}') if cursor.is_at("}}") => break,
                Some(_) => drop(cursor.step()),
                None => return Err(malformed(at, "this output is not closed; end it with `}}`")),
            }
        }
        let (inside, end) = ((at + 2, cursor.at()), cursor.at() + 2);
        let content = self.trim_around(inside);
        self.pieces.push(Piece { at, kind: Kind::Output(Cursor::new(self.source, content.0, content.1)) });
        Ok(end)
    }

    fn tag(&mut self, at: usize) -> Result<usize, Malformed> {
        let Some(length) = self.source[at + 2..].find("%}") else {
            return Err(malformed(at, "this tag is not closed; end it with `%}`"));
        };
        let (inside, end) = ((at + 2, at + 2 + length), at + 4 + length);
        let content = self.trim_around(inside);
        let tag = tag(self.source, at, content, &self.source[at..end], "a tag")?;
        self.pieces.push(Piece { at, kind: Kind::Tag(tag) });
        if tag.name != "raw" {
            return Ok(end);
        }
        // A raw block takes no blanks: what stands in it stays as it is.
        self.trims_next = false;
        let close = self
            .end_of_raw(end)
            .ok_or_else(|| malformed(at, "this `raw` is not closed; end it with `{% endraw %}`"))?;
        if close > end {
            self.pieces.push(Piece { at: end, kind: Kind::Markup(&self.source[end..close]) });
        }
        self.tag_after_raw(close)
    }

    /// Where the `{%` of the next `endraw` stands.
    fn end_of_raw(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let open = at + self.source[at..].find("{%")?;
            let mut cursor = Cursor::new(self.source, open + 2, self.source.len());
            if cursor.word() == "endraw" {
                let closes = cursor.rest().find("%}")?;
                let nested = cursor.rest().find("{%").is_some_and(|nested| nested < closes);
                if !nested {
                    return Some(open);
                }
            }
            at = open + 2;
        }
    }

    fn tag_after_raw(&mut self, at: usize) -> Result<usize, Malformed> {
        let before = self.pieces.len();
        let end = self.tag(at)?;
        // Its `-` would trim what is raw, and does not.
        debug_assert_eq!(self.pieces.len(), before + 1);
        Ok(end)
    }

    /// The inside of a delimiter without its dashes and blanks; does what the dashes say to the markup around.
    fn trim_around(&mut self, (mut start, mut end): (usize, usize)) -> (usize, usize) {
        let inside = &self.source[start..end];
        let (left, right) = (inside.starts_with('-'), inside.ends_with('-'));
        start += usize::from(left);
        end = (end - usize::from(right)).max(start);
        if left
            && !self.is_in_raw()
            && let Some(Piece { kind: Kind::Markup(markup), .. }) = self.pieces.last_mut()
        {
            *markup = markup.trim_end_matches(is_blank);
        }
        self.trims_next = right;
        let inside = &self.source[start..end];
        let trimmed = inside.trim_start_matches(is_blank);
        start = end - trimmed.len();
        (start, start + trimmed.trim_end_matches(is_blank).len())
    }

    /// Whether the last piece is what a raw block holds.
    fn is_in_raw(&self) -> bool {
        let before = self.pieces.len().checked_sub(2).map(|index| self.pieces[index].kind);
        matches!(before, Some(Kind::Tag(Tag { name: "raw", .. })))
    }
}

/// A tag whose inside stands at `content`.
fn tag<'s>(
    source: &'s str,
    at: usize,
    content: (usize, usize),
    text: &'s str,
    what: &str,
) -> Result<Tag<'s>, Malformed> {
    let mut args = Cursor::new(source, content.0, content.1);
    args.skip_blank();
    let name = if args.is_at("#") {
        let start = args.at();
        args.step();
        args.since(start)
    } else {
        args.word()
    };
    if name.is_empty() {
        return Err(malformed(at, format!("{what} begins with its name, and there is none")));
    }
    args.skip_blank();
    Ok(Tag { name, args, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<String> {
        let piece = |piece: &Piece<'_>| match piece.kind {
            Kind::Markup(text) => format!("{text:?}"),
            Kind::Output(inside) => format!("{{{{{}}}}}", inside.rest()),
            Kind::Tag(tag) => format!("{{%{}|{}%}}", tag.name, tag.args.rest()),
        };
        scan(source).map_or_else(|error| vec![error.message], |pieces| pieces.iter().map(piece).collect())
    }

    #[test]
    fn dashes_take_the_blanks_around() {
        assert_eq!(shown("a \n{{- x -}} \n b"), ["\"a\"", "{{x}}", "\"b\""]);
        assert_eq!(shown("a {%-if x-%} b"), ["\"a\"", "{%if|x%}", "\"b\""]);
    }

    #[test]
    fn quotes_hide_the_end_of_an_output_but_not_of_a_tag() {
        assert_eq!(shown("{{ '}}' }}"), ["{{'}}'}}"]);
        assert_eq!(shown("{% echo '%}' %}"), ["{%echo|'%}", "\"' %}\""]);
    }

    #[test]
    fn raw_is_left_alone() {
        assert_eq!(
            shown("{% raw -%} {{ x {% y %} {%- endraw %}{% endraw %} z"),
            ["{%raw|%}", "\" {{ x {% y %} {%- endraw %}\"", "{%endraw|%}", "\" z\""]
        );
        assert!(shown("{% raw %} {% endraw")[0].contains("not closed"));
    }

    #[test]
    fn what_is_not_closed_is_told() {
        assert!(shown("a {{ b")[0].contains("not closed"));
        assert!(shown("a {% b")[0].contains("not closed"));
        assert!(shown("{%%}")[0].contains("name"));
    }
}
