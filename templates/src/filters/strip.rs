//! Filters that take white space, or other characters at the ends, away.

use std::collections::HashSet;

use super::call::is_given;
use super::{Call, Output};
use crate::budget::Stop;
use crate::number::is_space;
use crate::value::Value;

pub(super) fn strip(call: Call<'_>) -> Result<Value, Stop> {
    trim(call, true, true)
}

pub(super) fn lstrip(call: Call<'_>) -> Result<Value, Stop> {
    trim(call, true, false)
}

pub(super) fn rstrip(call: Call<'_>) -> Result<Value, Stop> {
    trim(call, false, true)
}

pub(super) fn strip_newlines(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    let mut out = Output::new(call.meter());
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        // A carriage return goes only together with its line feed.
        out.push_str(if lines.peek().is_some() { line.strip_suffix('\r').unwrap_or(line) } else { line })?;
    }
    out.finish()
}

pub(super) fn normalize_whitespace(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    collapse(&text, &call)
}

pub(super) fn squish(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    collapse(text.trim_matches(is_space), &call)
}

fn collapse(text: &str, call: &Call<'_>) -> Result<Value, Stop> {
    call.work(text.len())?;
    call.meter().memory(text.len())?;
    let mut out = String::with_capacity(text.len());
    let mut in_space = false;
    for c in text.chars() {
        let space = is_space(c);
        if !space {
            out.push(c);
        } else if !in_space {
            out.push(' ');
        }
        in_space = space;
    }
    Ok(Value::Text(out.into()))
}

fn trim(call: Call<'_>, start: bool, end: bool) -> Result<Value, Stop> {
    let text = call.text()?;
    let chars = call.arg(0)?;
    let set: Option<HashSet<char>> = if is_given(&chars) {
        let chars = chars.to_text(call.env)?;
        call.work(text.len())?;
        call.meter().step(chars.len() as u64)?;
        Some(chars.chars().collect())
    } else {
        None
    };
    let goes = |c: char| set.as_ref().map_or_else(|| is_space(c), |set| set.contains(&c));
    let mut kept: &str = &text;
    if start {
        kept = kept.trim_start_matches(goes);
    }
    if end {
        kept = kept.trim_end_matches(goes);
    }
    Value::text(kept, call.meter())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn stripping() {
        assert_eq!(apply("strip", json!(" \u{feff}a b\n"), &[]), r#""a b""#);
        assert_eq!(apply("lstrip", json!("xxyax"), &[json!("xy")]), r#""ax""#);
        assert_eq!(apply("rstrip", json!("a😀😀"), &[json!("😀")]), r#""a""#);
        assert_eq!(apply("strip", json!(" a "), &[json!("")]), r#""a""#);
        assert_eq!(apply("strip", json!("\u{85}a"), &[]), "\"\u{85}a\"");
    }

    #[test]
    fn white_space_inside() {
        assert_eq!(apply("squish", json!("  a \n b "), &[]), r#""a b""#);
        assert_eq!(apply("normalize_whitespace", json!("  a \n b "), &[]), r#"" a b ""#);
        assert_eq!(apply("strip_newlines", json!("a\r\nb\nc\rd\r\n\r"), &[]), r#""abc\rd\r""#);
    }
}
