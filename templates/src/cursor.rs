//! A place in a template's source, and how LiquidJS reads on from there: blanks, words, quoted texts.

/// What LiquidJS takes for a blank.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}'
            | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// What LiquidJS takes for a part of a name.
pub(crate) fn is_word(c: char) -> bool {
    match c {
        '\0'..='\x7f' => c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '?'),
        // Its tables list these two as punctuation.
        '\u{201c}' | '\u{201d}' => false,
        other => !is_blank(other),
    }
}

/// A part of the source that is being read. It never leaves the part, and always stands between two characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'s> {
    source: &'s str,
    at: usize,
    end: usize,
}

impl<'s> Cursor<'s> {
    /// At the beginning of `source[at..end]`.
    pub fn new(source: &'s str, at: usize, end: usize) -> Self {
        Cursor { source, at: at.min(end), end }
    }

    /// Where it stands, in bytes from the beginning of the whole source.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes back to where it stood before.
    pub fn back_to(&mut self, at: usize) {
        self.at = at;
    }

    /// What is left.
    pub fn rest(&self) -> &'s str {
        &self.source[self.at..self.end]
    }

    /// What has been read since `start`.
    pub fn since(&self, start: usize) -> &'s str {
        &self.source[start..self.at]
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    pub fn peek(&self) -> Option<char> {
        let first = *self.source.as_bytes()[..self.end].get(self.at)?;
        if first.is_ascii() { Some(char::from(first)) } else { self.rest().chars().next() }
    }

    /// Whether what comes next is this.
    pub fn is_at(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Goes on by one character, if there is one.
    pub fn step(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Goes on if what comes next is this.
    pub fn take(&mut self, text: &str) -> bool {
        let there = self.is_at(text);
        if there {
            self.at += text.len();
        }
        there
    }

    pub fn skip_blank(&mut self) {
        while let Some(c) = self.peek().filter(|c| is_blank(*c)) {
            self.at += c.len_utf8();
        }
    }

    /// The name that comes next; empty where there is none.
    pub fn word(&mut self) -> &'s str {
        self.skip_blank();
        let start = self.at;
        while let Some(c) = self.peek().filter(|c| is_word(*c)) {
            self.at += c.len_utf8();
        }
        self.since(start)
    }

    /// Goes on until behind the next `text`, or to the end where there is none; whether there was one.
    pub fn skip_to(&mut self, text: &str) -> bool {
        match self.rest().find(text) {
            Some(found) => {
                self.at += found + text.len();
                true
            }
            None => {
                self.at = self.end;
                false
            }
        }
    }

    /// Goes over a quoted text, whose first quote comes next; one that is not closed ends with the part.
    pub fn skip_quoted(&mut self) {
        let Some(quote) = self.step() else { return };
        let mut escaped = false;
        while let Some(c) = self.step() {
            if c == quote && !escaped {
                return;
            }
            escaped = c == '\\' && !escaped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_liquidjs_names() {
        let mut cursor = Cursor::new(" ünï-c_0de? x", 0, 15);
        assert_eq!(cursor.word(), "ünï-c_0de?");
        assert_eq!(cursor.word(), "x");
        assert_eq!(cursor.word(), "");
        assert!(!is_word('\u{a0}') && !is_word('.') && is_word('é'));
    }

    #[test]
    fn a_part_is_never_left() {
        let mut cursor = Cursor::new("ab'cd'", 0, 4);
        assert!(!cursor.skip_to("'cd'"));
        assert!(cursor.is_at_end());
        let mut cursor = Cursor::new("'a\\'b' c", 0, 8);
        cursor.skip_quoted();
        assert_eq!(cursor.rest(), " c");
    }
}
