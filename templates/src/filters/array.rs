//! Filters that take a list apart and put it together.

use std::borrow::Cow;
use std::sync::Arc;

use super::call::{add, list, slice_bound};
use super::words::prefix;
use super::{Call, Env};
use crate::budget::Stop;
use crate::value::print::join as join_to;
use crate::value::{Array, Value};

pub(super) fn join(call: Call<'_>) -> Result<Value, Stop> {
    let items = call.items()?;
    let separator = match call.arg(0)? {
        Value::Undefined | Value::Null | Value::Nil => Arc::from(" "),
        separator => separator.to_text(call.env)?,
    };
    let mut out = String::new();
    join_to(&items, &separator, &mut out, call.meter())?;
    Ok(Value::Text(out.into()))
}

pub(super) fn first(call: Call<'_>) -> Result<Value, Stop> {
    end(&call, 0.0)
}

pub(super) fn last(call: Call<'_>) -> Result<Value, Stop> {
    end(&call, -1.0)
}

/// What JavaScript calls the length: a text's in UTF-16 code units, and also whatever an object calls its `length`.
pub(super) fn size(call: Call<'_>) -> Result<Value, Stop> {
    let length = length(&call.input, call.env)?;
    Ok(if length.is_truthy() { length } else { Value::number(0.0) })
}

pub(super) fn reverse(call: Call<'_>) -> Result<Value, Stop> {
    let mut items = owned(&call)?;
    items.reverse();
    Array::new(items, call.meter())
}

pub(super) fn map(call: Call<'_>) -> Result<Value, Stop> {
    let path = call.arg_text(0)?;
    let items = call.items()?;
    let found = items.iter().map(|item| dig(item, &path, call.env)).collect::<Result<Vec<_>, _>>()?;
    Array::new(found, call.meter())
}

pub(super) fn sum(call: Call<'_>) -> Result<Value, Stop> {
    let path = property(&call)?;
    let mut sum = 0.0;
    for item in call.items()?.iter() {
        let number = match &path {
            Some(path) => dig(item, path, call.env)?.to_number(call.meter())?,
            None => item.to_number(call.meter())?,
        };
        sum += if number.is_nan() { 0.0 } else { number };
    }
    Ok(Value::number(sum))
}

pub(super) fn compact(call: Call<'_>) -> Result<Value, Stop> {
    let items = call.items()?;
    let kept = items.iter().filter(|item| !item.is_nil() && !matches!(item, Value::Nil)).cloned().collect();
    Array::new(kept, call.meter())
}

pub(super) fn concat(call: Call<'_>) -> Result<Value, Stop> {
    let mut items = owned(&call)?;
    let more = call.arg(0)?;
    let more = list(&more);
    call.meter().step(more.len() as u64)?;
    items.extend_from_slice(&more);
    Array::new(items, call.meter())
}

pub(super) fn push(call: Call<'_>) -> Result<Value, Stop> {
    let mut items = owned(&call)?;
    items.push(call.arg(0)?);
    Array::new(items, call.meter())
}

pub(super) fn unshift(call: Call<'_>) -> Result<Value, Stop> {
    let mut items = owned(&call)?;
    items.insert(0, call.arg(0)?);
    Array::new(items, call.meter())
}

pub(super) fn pop(call: Call<'_>) -> Result<Value, Stop> {
    let mut items = owned(&call)?;
    items.pop();
    Array::new(items, call.meter())
}

pub(super) fn shift(call: Call<'_>) -> Result<Value, Stop> {
    let items = owned(&call)?;
    Array::new(items.into_iter().skip(1).collect(), call.meter())
}

/// A part of a list, or of a text counted in characters (code points).
pub(super) fn slice(call: Call<'_>) -> Result<Value, Stop> {
    let meter = call.meter();
    let mut begin = call.arg(0)?;
    let length = match call.arg(1)? {
        Value::Undefined => Value::number(1.0),
        length => length,
    };
    // JavaScript adds the length to a negative beginning as it adds anything: a text is appended, and then is no number.
    let from_end = begin.to_number(meter)? < 0.0;
    let none = |begin: &Value| Ok(begin.to_number(meter)? < 0.0 || length.to_number(meter)? < 0.0);
    match &call.input {
        Value::Undefined | Value::Null | Value::Nil => Array::new(Vec::new(), meter),
        Value::Array(array) => {
            let items = array.items();
            if from_end {
                begin = Value::number(add(&Value::number(items.len() as f64), &begin, meter)?);
            }
            if none(&begin)? {
                return Array::new(Vec::new(), meter);
            }
            let end = slice_bound(add(&begin, &length, meter)?, items.len());
            let start = slice_bound(begin.to_number(meter)?, items.len()).min(end);
            meter.step((end - start) as u64)?;
            Array::new(items[start..end].to_vec(), meter)
        }
        _ => {
            let text = call.text()?;
            if from_end {
                begin = Value::number(add(&Value::number(text.chars().count() as f64), &begin, meter)?);
            }
            if none(&begin)? {
                return Ok(Value::Text("".into()));
            }
            let rest = &text[prefix(&text, begin.to_number(meter)?).len()..];
            Value::text(prefix(rest, length.to_number(meter)?), meter)
        }
    }
}

/// One item by chance, or, told how many, a list of them. Chance begins with the environment's seed.
pub(super) fn sample(call: Call<'_>) -> Result<Value, Stop> {
    let meter = call.meter();
    let mut items: Vec<Value> = match &call.input {
        Value::Undefined | Value::Null | Value::Nil => return Array::new(Vec::new(), meter),
        Value::Array(_) => owned(&call)?,
        _ => {
            let text = call.text()?;
            meter.step(text.len() as u64)?;
            text.chars()
                .map(|c| Value::text(c.encode_utf8(&mut [0; 4]) as &str, meter))
                .collect::<Result<_, _>>()?
        }
    };
    // The steps taken so far make two samples of one template differ.
    let mut chance = call.env.seed ^ meter.steps().rotate_left(32);
    for end in (1..items.len()).rev() {
        chance = chance.wrapping_add(0x9e37_79b9_7f4a_7c15);
        items.swap(end, (split_mix(chance) % (end as u64 + 1)) as usize);
    }
    match call.arg(0)? {
        Value::Undefined => Ok(items.into_iter().next().unwrap_or(Value::Undefined)),
        Value::Number(number) if number.value == 1.0 => {
            Ok(items.into_iter().next().unwrap_or(Value::Undefined))
        }
        count => {
            items.truncate(slice_bound(count.to_number(meter)?, items.len()));
            Array::new(items, meter)
        }
    }
}

/// What a path of names separated by dots leads to.
pub(super) fn dig(item: &Value, path: &str, env: &Env) -> Result<Value, Stop> {
    let mut value = item.clone();
    for name in path.split('.') {
        if value.is_nil() {
            break;
        }
        env.meter.step(1 + name.len() as u64 / 64)?;
        value = value.named(name, env)?;
    }
    Ok(value)
}

/// The optional argument that names a property.
pub(super) fn property(call: &Call<'_>) -> Result<Option<Arc<str>>, Stop> {
    let property = call.arg(0)?;
    if super::call::is_given(&property) { property.to_text(call.env).map(Some) } else { Ok(None) }
}

/// A copy of the input's items, charged for.
fn owned(call: &Call<'_>) -> Result<Vec<Value>, Stop> {
    call.items().map(Cow::into_owned)
}

fn end(call: &Call<'_>, index: f64) -> Result<Value, Stop> {
    match &call.input {
        Value::Array(array) => Ok(array.at(index)),
        input => match length(input, call.env)? {
            // Anything with a length is a list to JavaScript, be it empty.
            Value::Number(length) if !matches!(input, Value::Text(text) if text.is_empty()) => {
                let index = if index < 0.0 { length.value + index } else { index };
                input.property(&Value::number(index), call.env)
            }
            _ => Ok(Value::Text("".into())),
        },
    }
}

fn length(value: &Value, env: &Env) -> Result<Value, Stop> {
    if value.is_nil() { Ok(Value::Undefined) } else { value.named("length", env) }
}

/// Sebastiano Vigna's SplitMix64, which needs no more than a counter.
fn split_mix(counter: u64) -> u64 {
    let mixed = (counter ^ (counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn joining() {
        assert_eq!(apply("join", json!([1, null, [2, 3]]), &[]), r#""1  2,3""#);
        assert_eq!(apply("join", json!("ab"), &[json!("-")]), r#""ab""#);
        assert_eq!(apply("join", json!([1, 2]), &[json!(null)]), r#""1 2""#);
    }

    #[test]
    fn ends() {
        assert_eq!(apply("first", json!("abc"), &[]), r#""a""#);
        assert_eq!(apply("last", json!([]), &[]), "undefined");
        assert_eq!(apply("last", json!(""), &[]), r#""""#);
        assert_eq!(apply("last", json!({ "length": 2, "1": "x" }), &[]), r#""x""#);
        assert_eq!(apply("first", json!(null), &[]), r#""""#);
        assert_eq!(apply("shift", json!([]), &[]), "[]");
        assert_eq!(apply("pop", json!([1, 2]), &[]), "[1]");
        assert_eq!(apply("unshift", json!([1]), &[json!([2])]), "[[2],1]");
        assert_eq!(apply("push", json!(null), &[json!(1)]), "[1]");
    }

    #[test]
    fn sizes() {
        assert_eq!(apply("size", json!("a😀"), &[]), "3");
        assert_eq!(apply("size", json!({ "a": 1 }), &[]), "0");
        assert_eq!(apply("size", json!({ "length": "x" }), &[]), r#""x""#);
        assert_eq!(apply("size", json!(12), &[]), "0");
    }

    #[test]
    fn slicing() {
        let list = || json!([1, 2, 3, 4]);
        assert_eq!(apply("slice", list(), &[json!(-2), json!(5)]), "[3,4]");
        assert_eq!(apply("slice", list(), &[json!(-5)]), "[]");
        assert_eq!(apply("slice", list(), &[json!(1), json!("2")]), "[2,3,4]");
        assert_eq!(apply("slice", list(), &[json!(1e308), json!(1e308)]), "[]");
        assert_eq!(apply("slice", list(), &[json!(-9e18), json!(9e18)]), "[]");
        assert_eq!(apply("slice", json!("a😀bc"), &[json!(1), json!(2)]), r#""😀b""#);
        assert_eq!(apply("slice", json!("abc"), &[json!(-2)]), r#""b""#);
        assert_eq!(apply("slice", json!("abc"), &[json!("-2")]), r#""a""#);
        assert_eq!(apply("slice", json!(12345), &[json!(1), json!(2)]), r#""23""#);
        assert_eq!(apply("slice", json!(null), &[json!(1)]), "[]");
    }

    #[test]
    fn mapping_and_summing() {
        let list = || json!([{ "a": { "b": 1 } }, { "a": null }, 5, "x"]);
        assert_eq!(apply("map", list(), &[json!("a.b")]), "[1,null,undefined,undefined]");
        assert_eq!(apply("sum", list(), &[json!("a.b")]), "1");
        assert_eq!(apply("sum", json!([1, "2", "x", [3], null]), &[]), "6");
        assert_eq!(apply("compact", json!([1, null, false, ""]), &[]), r#"[1,false,""]"#);
        assert_eq!(apply("concat", json!(1), &[json!("x")]), r#"[1,"x"]"#);
    }

    #[test]
    fn samples_are_reproducible_and_whole() {
        let once = apply("sample", json!([1, 2, 3, 4, 5]), &[json!(5)]);
        assert_eq!(once, apply("sample", json!([1, 2, 3, 4, 5]), &[json!(5)]));
        assert_eq!(once.len(), "[1,2,3,4,5]".len());
        assert_eq!(apply("sample", json!([7]), &[]), "7");
        assert_eq!(apply("sample", json!([]), &[]), "undefined");
        assert_eq!(apply("sample", json!([1]), &[json!(1e308)]), "[1]");
    }
}
