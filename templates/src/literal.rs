//! Values that stand in the source: texts, numbers, and the words that name one.

use crate::cursor::{Cursor, is_word};
use crate::value::Value;

/// Reads a literal, if one comes next. Where none does, the cursor stays.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Option<Value> {
    let start = cursor.at();
    match cursor.peek()? {
        '"' | '\'' => {
            cursor.skip_quoted();
            Some(Value::Text(unquote(cursor.since(start)).into()))
        }
        '0'..='9' | '+' | '-' => number(cursor),
        'a'..='z' => {
            let value = named(cursor.word());
            if value.is_none() {
                cursor.back_to(start);
            }
            value
        }
        _ => None,
    }
}

fn named(word: &str) -> Option<Value> {
    Some(match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "nil" | "null" => Value::Nil,
        "empty" => Value::Empty,
        "blank" => Value::Blank,
        _ => return None,
    })
}

fn number(cursor: &mut Cursor<'_>) -> Option<Value> {
    let start = cursor.at();
    let bytes = cursor.rest().as_bytes();
    let mut length = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let (mut digits, mut point) = (false, false);
    while let Some(byte) = bytes.get(length) {
        match byte {
            b'0'..=b'9' => digits = true,
            b'.' if bytes.get(length + 1) != Some(&b'.') => {
                if point || !digits {
                    return None;
                }
                point = true;
            }
            _ => break,
        }
        length += 1;
    }
    let mut end = *cursor;
    // Signs, digits and points are one byte each.
    end.back_to(start + length);
    if !digits || end.peek().is_some_and(is_word) {
        return None;
    }
    *cursor = end;
    // `1.` and `+1` are numbers to Rust as they are to JavaScript.
    Some(Value::number(cursor.since(start).parse().unwrap_or(f64::NAN)))
}

/// A quoted text without its quotes and with its escapes resolved; one that was not closed loses its last character, as in
/// LiquidJS.
fn unquote(quoted: &str) -> String {
    let mut inside = quoted.chars();
    inside.next();
    inside.next_back();
    let inside = inside.as_str();
    if !inside.contains('\\') {
        return inside.to_owned();
    }
    // JavaScript's texts are UTF-16, and an escape can be half of a character.
    let mut units: Vec<u16> = Vec::with_capacity(inside.len());
    let mut rest = inside.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            push(&mut units, c);
            continue;
        }
        match rest.clone().next() {
            None => {}
            Some('u') => {
                rest.next();
                units.push(digits(&mut rest, 16, 4));
            }
            Some('0'..='7') => {
                units.push(digits(&mut rest, 8, 3));
            }
            Some(c) => {
                rest.next();
                let c = match c {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'v' => '\u{b}',
                    other => other,
                };
                push(&mut units, c);
            }
        }
    }
    String::from_utf16_lossy(&units)
}

fn push(units: &mut Vec<u16>, c: char) {
    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
}

/// At most so many digits as a number.
fn digits(rest: &mut std::str::Chars<'_>, radix: u32, at_most: usize) -> u16 {
    let mut value = 0;
    for _ in 0..at_most {
        let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(radix)) else { break };
        rest.next();
        value = value * radix + digit;
    }
    // Four hexadecimal digits fit exactly, three octal ones with room to spare.
    value as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(source: &str) -> String {
        let mut cursor = Cursor::new(source, 0, source.len());
        match read(&mut cursor) {
            Some(value) => format!("{} then {:?}", crate::filters::testing::show(&value), cursor.rest()),
            None => format!("none, then {:?}", cursor.rest()),
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(show("-1.5 x"), "-1.5 then \" x\"");
        assert_eq!(show("1..3"), "1 then \"..3\"");
        assert_eq!(show("1."), "1 then \"\"");
        assert_eq!(show("1a"), "none, then \"1a\"");
        assert_eq!(show("-"), "none, then \"-\"");
        assert_eq!(show("1.2.3"), "none, then \"1.2.3\"");
    }

    #[test]
    fn words_end_where_names_do() {
        assert_eq!(show("nil.x"), "nil then \".x\"");
        assert_eq!(show("trueish"), "none, then \"trueish\"");
        assert_eq!(show("empty_cart"), "none, then \"empty_cart\"");
    }

    #[test]
    fn escapes_are_javascripts() {
        assert_eq!(show(r#""a\n\x\u0041\101\"" b"#), "\"a\\nxAA\\\"\" then \" b\"");
        assert_eq!(show(r#""\ud83d\ude00\ud83d""#), "\"😀\u{fffd}\" then \"\"");
        assert_eq!(show("'open"), "\"ope\" then \"\"");
    }
}
