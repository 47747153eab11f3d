//! Filters that change a text as a whole or replace parts of it.

use std::sync::Arc;

use super::{Call, Output};
use crate::budget::{Meter, Stop};
use crate::value::{Array, Value};

pub(super) fn append(call: Call<'_>) -> Result<Value, Stop> {
    let (text, affix) = affix(&call, "append")?;
    concat(&[&text, &affix], call.meter())
}

pub(super) fn prepend(call: Call<'_>) -> Result<Value, Stop> {
    let (text, affix) = affix(&call, "prepend")?;
    concat(&[&affix, &text], call.meter())
}

pub(super) fn upcase(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.work(text.len())?;
    // No character's upper or lower case takes more than three times its bytes.
    call.meter().memory(text.len().saturating_mul(3))?;
    Ok(Value::Text(text.to_uppercase().into()))
}

pub(super) fn downcase(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.work(text.len())?;
    call.meter().memory(text.len().saturating_mul(3))?;
    Ok(Value::Text(text.to_lowercase().into()))
}

pub(super) fn capitalize(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.work(text.len())?;
    call.meter().memory(text.len().saturating_mul(3))?;
    let Some(first) = text.chars().next() else { return Ok(Value::Text(text)) };
    let (head, rest) = text.split_at(first.len_utf8());
    // JavaScript's first code unit is half a character beyond the basic plane, and half a character has no case.
    let mut out = if first.len_utf16() == 1 { head.to_uppercase() } else { head.to_owned() };
    out.push_str(&rest.to_lowercase());
    Ok(Value::Text(out.into()))
}

pub(super) fn replace(call: Call<'_>) -> Result<Value, Stop> {
    substitute(&call.text()?, &call.arg_text(0)?, &call.arg_text(1)?, &call)
}

pub(super) fn replace_first(call: Call<'_>) -> Result<Value, Stop> {
    let (text, pattern, replacement) = (call.text()?, call.arg_text(0)?, call.arg_text(1)?);
    exchange(
        &text,
        sought(&pattern, &text, &call)?.and_then(|pattern| text.find(pattern)),
        pattern.len(),
        &replacement,
        call.meter(),
    )
}

pub(super) fn replace_last(call: Call<'_>) -> Result<Value, Stop> {
    let (text, pattern, replacement) = (call.text()?, call.arg_text(0)?, call.arg_text(1)?);
    exchange(
        &text,
        sought(&pattern, &text, &call)?.and_then(|pattern| text.rfind(pattern)),
        pattern.len(),
        &replacement,
        call.meter(),
    )
}

pub(super) fn remove(call: Call<'_>) -> Result<Value, Stop> {
    substitute(&call.text()?, &call.arg_text(0)?, "", &call)
}

pub(super) fn remove_first(call: Call<'_>) -> Result<Value, Stop> {
    let (text, pattern) = (call.text()?, call.arg_text(0)?);
    exchange(
        &text,
        sought(&pattern, &text, &call)?.and_then(|pattern| text.find(pattern)),
        pattern.len(),
        "",
        call.meter(),
    )
}

pub(super) fn remove_last(call: Call<'_>) -> Result<Value, Stop> {
    let (text, pattern) = (call.text()?, call.arg_text(0)?);
    exchange(
        &text,
        sought(&pattern, &text, &call)?.and_then(|pattern| text.rfind(pattern)),
        pattern.len(),
        "",
        call.meter(),
    )
}

/// Splits and drops the empty pieces at the end. An empty separator splits between UTF-16 code units.
pub(super) fn split(call: Call<'_>) -> Result<Value, Stop> {
    let (text, separator) = (call.text()?, call.arg_text(0)?);
    let meter = call.meter();
    let mut pieces = Vec::new();
    let mut keep = |piece: &str| -> Result<(), Stop> {
        meter.step(1)?;
        pieces.push(Value::text(piece, meter)?);
        Ok(())
    };
    if separator.is_empty() {
        each_unit(&text, &mut keep)?;
    } else {
        match sought(&separator, &text, &call)? {
            Some(separator) => text.split(separator).try_for_each(keep)?,
            None => keep(&text)?,
        }
    }
    while matches!(pieces.last(), Some(Value::Text(piece)) if piece.is_empty()) {
        pieces.pop();
    }
    Array::new(pieces, meter)
}

fn affix(call: &Call<'_>, name: &str) -> Result<(Arc<str>, Arc<str>), Stop> {
    if call.count() != 1 {
        return Err(Stop::Refused(format!(
            "`{name}` takes 1 argument and was given {}; write `{name}: \"text\"`",
            call.count()
        )));
    }
    Ok((call.text()?, call.arg_text(0)?))
}

fn concat(pieces: &[&str], meter: &Meter) -> Result<Value, Stop> {
    meter.memory(pieces.iter().map(|piece| piece.len()).sum())?;
    Ok(Value::Text(pieces.concat().into()))
}

/// Replaces every occurrence. An empty pattern is found between code units, not at the ends.
fn substitute(text: &str, pattern: &str, replacement: &str, call: &Call<'_>) -> Result<Value, Stop> {
    let Some(pattern) = sought(pattern, text, call)? else { return Value::text(text, call.meter()) };
    let mut out = Output::new(call.meter());
    let mut first = true;
    let mut add = |piece: &str| {
        call.meter().step(1)?;
        if !std::mem::take(&mut first) {
            out.push_str(replacement)?;
        }
        out.push_str(piece)
    };
    if !pattern.is_empty() {
        text.split(pattern).try_for_each(&mut add)?;
    } else if replacement.is_empty() {
        add(text)?;
    } else {
        each_unit(text, &mut add)?;
    }
    out.finish()
}

/// The pattern, charged for the search's preparations, unless it is too long to be found.
fn sought<'p>(pattern: &'p str, text: &str, call: &Call<'_>) -> Result<Option<&'p str>, Stop> {
    if pattern.len() > text.len() {
        return Ok(None);
    }
    call.work(pattern.len())?;
    Ok(Some(pattern))
}

/// Calls with every UTF-16 code unit; half a character is U+FFFD.
fn each_unit(text: &str, call: &mut impl FnMut(&str) -> Result<(), Stop>) -> Result<(), Stop> {
    for c in text.chars() {
        if c.len_utf16() == 1 {
            call(c.encode_utf8(&mut [0; 4]))?;
        } else {
            call("\u{fffd}")?;
            call("\u{fffd}")?;
        }
    }
    Ok(())
}

fn exchange(
    text: &str,
    at: Option<usize>,
    length: usize,
    replacement: &str,
    meter: &Meter,
) -> Result<Value, Stop> {
    match at {
        Some(at) => concat(&[&text[..at], replacement, &text[at + length..]], meter),
        None => Value::text(text, meter),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn affixes_take_exactly_one_argument() {
        assert_eq!(apply("append", json!("a"), &[json!(1.0)]), r#""a1""#);
        assert_eq!(apply("prepend", json!(null), &[json!(["x", null, "y"])]), r#""xy""#);
        assert!(apply("append", json!("a"), &[]).starts_with("Refused"));
        assert!(apply("prepend", json!("a"), &[json!("b"), json!("c")]).starts_with("Refused"));
    }

    #[test]
    fn cases() {
        assert_eq!(apply("capitalize", json!("hELLO wORLD"), &[]), r#""Hello world""#);
        assert_eq!(apply("capitalize", json!("ßA"), &[]), r#""SSa""#);
        assert_eq!(apply("upcase", json!("straße"), &[]), r#""STRASSE""#);
        assert_eq!(apply("downcase", json!("ΑΣ"), &[]), r#""ας""#);
    }

    #[test]
    fn replacing() {
        assert_eq!(apply("replace", json!("aaa"), &[json!("a"), json!("$&b")]), r#""$&b$&b$&b""#);
        assert_eq!(apply("replace", json!("abc"), &[json!(""), json!("-")]), r#""a-b-c""#);
        assert_eq!(apply("replace", json!("abc"), &[json!("b")]), r#""ac""#);
        assert_eq!(apply("replace_first", json!("abab"), &[json!("b"), json!("x")]), r#""axab""#);
        assert_eq!(apply("replace_last", json!("abab"), &[json!(""), json!("x")]), r#""ababx""#);
        assert_eq!(apply("remove", json!("a😀b"), &[json!("")]), r#""a😀b""#);
        assert_eq!(apply("remove_last", json!("abab"), &[json!("a")]), r#""abb""#);
    }

    #[test]
    fn splitting() {
        assert_eq!(apply("split", json!("a,b,,"), &[json!(",")]), r#"["a","b"]"#);
        assert_eq!(apply("split", json!(",a"), &[json!(",")]), r#"["","a"]"#);
        assert_eq!(apply("split", json!("abc"), &[]), r#"["a","b","c"]"#);
        assert_eq!(apply("split", json!(""), &[json!(",")]), "[]");
    }

    #[test]
    fn growth_is_charged_before_it_happens() {
        let long = "a".repeat(100_000);
        assert!(apply("replace", json!(long), &[json!(""), json!(long)]).starts_with("Budget"));
        assert!(apply("split", json!("a".repeat(600_000)), &[json!("")]).starts_with("Budget"));
    }
}
