//! Filters that cut a text or count in it, and the one that writes a list as a sentence.

use super::call::slice_bound;
use super::{Call, Output};
use crate::budget::Stop;
use crate::number::is_space;
use crate::value::Value;
use crate::value::print::join;

/// Cuts to a number of characters (code points, though LiquidJS first looks at the code units), the ellipsis included.
pub(super) fn truncate(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    let limit = number_or(&call, 0, 50.0)?;
    let ellipsis = call.arg_text_or(1, "...")?;
    let within = text.encode_utf16().count() as f64 <= limit || prefix(&text, limit).len() == text.len();
    if within {
        return Ok(call.input);
    }
    let room = limit - ellipsis.chars().count() as f64;
    let kept = prefix(&text, room);
    call.meter().memory(kept.len() + ellipsis.len())?;
    Ok(Value::Text([kept, &*ellipsis].concat().into()))
}

/// Cuts to a number of words. The ellipsis comes as soon as there are that many.
pub(super) fn truncatewords(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.work(text.len())?;
    let mut limit = number_or(&call, 0, 15.0)?;
    let ellipsis = call.arg_text_or(1, "...")?;
    if limit <= 0.0 {
        limit = 1.0;
    }
    let mut out = Output::new(call.meter());
    let kept = slice_bound(limit, usize::MAX);
    let mut count = 0usize;
    for word in split_at_spaces(text.trim_start_matches(is_space)) {
        if count < kept {
            if count > 0 {
                out.push(' ')?;
            }
            out.push_str(word)?;
        }
        count += 1;
    }
    if count as f64 >= limit {
        out.push_str(&ellipsis)?;
    }
    out.finish()
}

/// Counts words; in the modes `cjk` and `auto` every Chinese, Japanese or Korean character is one.
pub(super) fn number_of_words(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.work(text.len())?;
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return Ok(Value::number(0.0));
    }
    let by_character = match call.arg(0)? {
        Value::Text(mode) if &*mode == "cjk" => true,
        Value::Text(mode) if &*mode == "auto" => text.chars().any(is_cjk),
        _ => false,
    };
    if !by_character {
        return Ok(Value::number(split_at_spaces(text).count() as f64));
    }
    let mut count = 0u64;
    let mut in_word = false;
    for c in text.chars() {
        let in_next = !is_cjk(c) && !is_space(c);
        count += u64::from(is_cjk(c) || (in_next && !in_word));
        in_word = in_next;
    }
    Ok(Value::number(count as f64))
}

pub(super) fn array_to_sentence_string(call: Call<'_>) -> Result<Value, Stop> {
    let items = call.items()?;
    let connector = call.arg_text_or(0, "and")?;
    let meter = call.meter();
    let (last, rest) = match items.split_last() {
        None => return Ok(Value::Text("".into())),
        Some((single, [])) => return Ok(single.clone()),
        Some(split) => split,
    };
    let mut out = String::new();
    if let [first] = rest {
        // Two are set into a text one by one, where JavaScript spells null out; more are joined, where it does not.
        first.spell_to(&mut out, meter)?;
    } else {
        join(rest, ", ", &mut out, meter)?;
        out.push(',');
    }
    meter.memory(connector.len() + 3)?;
    out.push(' ');
    out.push_str(&connector);
    out.push(' ');
    last.spell_to(&mut out, meter)?;
    Ok(Value::Text(out.into()))
}

/// An argument as JavaScript compares it with a number: NaN for what is none, the default for undefined.
fn number_or(call: &Call<'_>, index: usize, default: f64) -> Result<f64, Stop> {
    match call.arg(index)? {
        Value::Undefined => Ok(default),
        value => value.to_number(call.meter()),
    }
}

/// The first `count` characters; a fraction counts as one more, NaN and less than nothing as none.
pub(super) fn prefix(text: &str, count: f64) -> &str {
    let count = count.ceil() as usize;
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

/// JavaScript's `split(/\s+/)`: what is before the first and after the last space is there, even if it is empty.
fn split_at_spaces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.find(is_space) else { return rest.take() };
        rest = Some(text[end..].trim_start_matches(is_space));
        Some(&text[..end])
    })
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{3400}'..='\u{4dbf}' | '\u{3040}'..='\u{309f}' | '\u{30a0}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn truncating() {
        assert_eq!(apply("truncate", json!("Ground control"), &[json!(9)]), r#""Ground...""#);
        assert_eq!(apply("truncate", json!("abc"), &[json!(2), json!("")]), r#""ab""#);
        assert_eq!(apply("truncate", json!("abcdef"), &[json!(-5)]), r#""...""#);
        assert_eq!(apply("truncate", json!(1234567), &[json!(7)]), "1234567");
        assert_eq!(apply("truncate", json!("😀😀😀"), &[json!(3)]), r#""😀😀😀""#);
        assert_eq!(apply("truncate", json!("abcdef"), &[json!(1e308)]), r#""abcdef""#);
        assert_eq!(apply("truncate", json!("abcdef"), &[json!("x")]), r#""...""#);
    }

    #[test]
    fn truncating_words() {
        assert_eq!(apply("truncatewords", json!(" one  two three"), &[json!(2)]), r#""one two...""#);
        assert_eq!(apply("truncatewords", json!("one two"), &[json!(2)]), r#""one two...""#);
        assert_eq!(apply("truncatewords", json!("one two"), &[json!(3)]), r#""one two""#);
        assert_eq!(apply("truncatewords", json!("one two"), &[json!(-9e18), json!("!")]), r#""one!""#);
    }

    #[test]
    fn counting_words() {
        assert_eq!(apply("number_of_words", json!(" a b\n c "), &[]), "3");
        assert_eq!(apply("number_of_words", json!("Hello 你好"), &[json!("auto")]), "3");
        assert_eq!(apply("number_of_words", json!("Hello 你好"), &[]), "2");
        assert_eq!(apply("number_of_words", json!("  "), &[json!("cjk")]), "0");
    }

    #[test]
    fn sentences() {
        assert_eq!(apply("array_to_sentence_string", json!(["a", "b", "c"]), &[]), r#""a, b, and c""#);
        assert_eq!(apply("array_to_sentence_string", json!(["a", null]), &[json!("or")]), r#""a or null""#);
        assert_eq!(apply("array_to_sentence_string", json!([1]), &[]), "1");
        assert_eq!(apply("array_to_sentence_string", json!(null), &[]), r#""""#);
    }
}
