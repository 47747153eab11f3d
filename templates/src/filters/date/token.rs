//! The words, numbers and signs of which V8 takes a date to be made.

use crate::number::is_space;

/// More digits of a number are read but make no difference.
const SIGNIFICANT_DIGITS: usize = 9;

/// A piece of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number {
        value: i64,
        length: usize,
    },
    Symbol(char),
    Month(i64),
    /// `am` and `pm`, and the hours that they add.
    Half(i64),
    /// The hours from UTC, and how long the word is.
    Zone {
        hours: i64,
        length: usize,
    },
    /// The `T` between date and time.
    Separator,
    Word,
    Space,
    Other,
    End,
}

impl Token {
    pub fn fixed(self, digits: usize) -> Option<i64> {
        match self {
            Token::Number { value, length } if length == digits => Some(value),
            _ => None,
        }
    }

    pub fn is_sign(self) -> bool {
        matches!(self, Token::Symbol('+' | '-'))
    }

    pub fn is_z(self) -> bool {
        matches!(self, Token::Zone { length: 1, .. })
    }

    /// The first three digits of a fraction. The odd part is what V8 makes of leading zeros and of very many digits.
    pub fn milliseconds(self) -> Option<i64> {
        let Token::Number { value, length } = self else { return None };
        Some(match length {
            1 => value * 100,
            2 => value * 10,
            _ => value / 10i64.pow(length.min(SIGNIFICANT_DIGITS) as u32 - 3),
        })
    }
}

/// Tokens of a text, with one in hand.
pub(super) struct Reader<'t> {
    rest: &'t str,
    current: Token,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut reader = Reader { rest: text, current: Token::End };
        reader.next();
        reader
    }

    pub fn peek(&self) -> Token {
        self.current
    }

    pub fn next(&mut self) -> Token {
        let scanned = self.scan();
        std::mem::replace(&mut self.current, scanned)
    }

    pub fn skip(&mut self, symbol: char) -> bool {
        let there = self.current == Token::Symbol(symbol);
        if there {
            self.next();
        }
        there
    }

    /// A number of so many digits, up to a limit.
    pub fn fixed(&mut self, digits: usize, limit: i64) -> Option<i64> {
        let number = self.peek().fixed(digits).filter(|number| *number <= limit)?;
        self.next();
        Some(number)
    }

    fn scan(&mut self) -> Token {
        let Some(first) = self.rest.chars().next() else { return Token::End };
        if first.is_ascii_digit() {
            let digits = self.take(|c| c.is_ascii_digit());
            let significant = digits.trim_start_matches('0');
            let value = significant[..significant.len().min(SIGNIFICANT_DIGITS)].parse().unwrap_or(0);
            return Token::Number { value, length: digits.len() };
        }
        if first >= 'A' && !is_space(first) {
            return keyword(self.take(|c| c >= 'A' && !is_space(c)));
        }
        if first == '(' {
            self.skip_parentheses();
            return Token::Other;
        }
        self.rest = &self.rest[first.len_utf8()..];
        match first {
            ':' | '-' | '+' | '.' | ')' => Token::Symbol(first),
            space if is_space(space) => Token::Space,
            _ => Token::Other,
        }
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let after = self.rest.trim_start_matches(belongs);
        let taken = &self.rest[..self.rest.len() - after.len()];
        self.rest = after;
        taken
    }

    /// Passes over what is in parentheses, to the end of the text if they are not closed.
    fn skip_parentheses(&mut self) {
        let mut depth = 0usize;
        let end = self.rest.char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        });
        self.rest = end.map_or("", |end| &self.rest[end..]);
    }
}

/// Months may be longer than three letters, and only those are looked at; every other word is a whole one.
fn keyword(word: &str) -> Token {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let prefix: String = word.chars().take(3).collect::<String>().to_ascii_lowercase();
    let length = word.chars().count();
    if let Some(index) = MONTHS.iter().position(|month| *month == prefix) {
        return Token::Month(index as i64 + 1);
    }
    let zone = |hours: i64| Token::Zone { hours, length };
    if length > 3 {
        return Token::Word;
    }
    match &*prefix {
        "am" => Token::Half(0),
        "pm" => Token::Half(12),
        "ut" | "utc" | "z" | "gmt" => zone(0),
        "est" | "cdt" => zone(-5),
        "edt" => zone(-4),
        "cst" | "mdt" => zone(-6),
        "mst" | "pdt" => zone(-7),
        "pst" => zone(-8),
        "t" => Token::Separator,
        _ => Token::Word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let mut reader = Reader::new("Tue 0007:é(a (b) c)-september Zulu z");
        let mut tokens = Vec::new();
        while reader.peek() != Token::End {
            tokens.push(reader.next());
        }
        assert_eq!(
            tokens,
            [
                Token::Word,
                Token::Space,
                Token::Number { value: 7, length: 4 },
                Token::Symbol(':'),
                Token::Word,
                Token::Other,
                Token::Symbol('-'),
                Token::Month(9),
                Token::Space,
                Token::Word,
                Token::Space,
                Token::Zone { hours: 0, length: 1 },
            ]
        );
    }

    #[test]
    fn fractions() {
        let milliseconds = |text| Reader::new(text).next().milliseconds();
        assert_eq!(milliseconds("5"), Some(500));
        assert_eq!(milliseconds("05"), Some(50));
        assert_eq!(milliseconds("1239999"), Some(123));
        assert_eq!(milliseconds("x"), None);
    }
}
