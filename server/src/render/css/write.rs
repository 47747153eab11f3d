//! Names and texts as CSS, with nothing in them that the HTML around could take for its own.

use std::fmt::Write;

/// Whether a name can stand as it is.
pub(super) fn is_plain(name: &str) -> bool {
    let start = name.trim_start_matches('-');
    name.chars().all(in_name) && start.starts_with(|first: char| !first.is_ascii_digit())
}

/// A name, such as a class.
pub(super) fn name(out: &mut String, name: &str) {
    let plain = is_plain(name);
    let mut leading = true;
    for character in name.chars() {
        // A name that is not plain may begin with a digit, or be of nothing but dashes.
        if in_name(character) && (plain || !leading) {
            out.push(character);
        } else {
            escape(out, character);
        }
        leading = false;
    }
}

/// A text in quotes.
pub(super) fn text(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        // A backslash before them would do for CSS. `</style` is not for CSS to find, and a reader who looks for
        // `@import` or `url(` should find none where none is.
        if matches!(character, '"' | '\\' | '<' | '@' | '(') || character.is_control() {
            escape(out, character);
        } else {
            out.push(character);
        }
    }
    out.push('"');
}

/// The beginning of a text, on one line.
pub(super) fn shortened(text: &str) -> String {
    const CHARACTERS: usize = 60;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn in_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_')
}

fn escape(out: &mut String, character: char) {
    // CSS has no NUL.
    let code = if character == '\0' { 0xfffd } else { u32::from(character) };
    let _ = write!(out, "\\{code:x} ");
}

#[cfg(test)]
mod tests {
    use super::*;
    use cssparser::{BasicParseError, CowRcStr, Parser};

    #[test]
    fn what_is_written_is_read_as_it_was() {
        for source in
            ["a", "1a", "-", "--", "-1", "--x", "a/b", "</style", "größe", "a b", "\u{b7}x", "@import"]
        {
            let (mut as_name, mut as_text) = (String::new(), String::new());
            name(&mut as_name, source);
            text(&mut as_text, source);
            let read =
                |result: Result<&CowRcStr, BasicParseError>| result.map(|it| it.as_ref().to_owned()).ok();
            assert_eq!(read(Parser::new(&as_name).expect_ident()).as_deref(), Some(source));
            assert_eq!(read(Parser::new(&as_text).expect_string()).as_deref(), Some(source));
            for out in [as_name, as_text] {
                assert!(!out.contains('<') && !out.contains('@'), "{out}");
            }
        }
        assert_eq!(shortened(" a\n\n b "), "a b");
        assert_eq!(shortened(&"ä".repeat(61)), format!("{}…", "ä".repeat(60)));
    }
}
