//! Takes in the caller's JSON.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value as Json;
use thiserror::Error;

use super::{Array, MAX_DEPTH, Number, Object, Value};

/// JSON that is nested too deep to be a template's data.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the data is nested deeper than {MAX_DEPTH} levels; flatten it")]
pub struct TooDeep;

impl Value {
    /// Converts what the caller hands in, outside of any budget. It looks no deeper than [`MAX_DEPTH`], whatever is below.
    pub fn from_json(json: &Json) -> Result<Value, TooDeep> {
        convert(json, 0)
    }
}

fn convert(json: &Json, outside: u16) -> Result<Value, TooDeep> {
    Ok(match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(Number::from_digits(&number.to_string())),
        Json::String(text) => Value::Text(Arc::from(text.as_str())),
        Json::Array(list) => {
            let inside = deeper(outside)?;
            let items = list.iter().map(|item| convert(item, inside)).collect::<Result<Vec<_>, _>>()?;
            let depth = 1 + items.iter().map(Value::depth).max().unwrap_or(0);
            Value::Array(Arc::new(Array { items, depth }))
        }
        Json::Object(map) => {
            let inside = deeper(outside)?;
            let mut entries = IndexMap::with_capacity(map.len());
            for (key, value) in map {
                entries.insert(Arc::from(key.as_str()), convert(value, inside)?);
            }
            // JavaScript lists the keys that look like an array's indices first, in their order.
            if entries.keys().any(|key| array_index(key).is_some()) {
                entries.sort_by_cached_key(|key: &Arc<str>, _| array_index(key).map_or(u64::MAX, u64::from));
            }
            let depth = 1 + entries.values().map(Value::depth).max().unwrap_or(0);
            Value::Object(Arc::new(Object { entries, depth }))
        }
    })
}

fn deeper(outside: u16) -> Result<u16, TooDeep> {
    if outside >= MAX_DEPTH { Err(TooDeep) } else { Ok(outside + 1) }
}

/// The index that a key spells the way JavaScript prints it, which is what makes it an array's index.
pub(super) fn array_index(key: &str) -> Option<u32> {
    let spelled = key.len() <= 10
        && key.bytes().all(|byte| byte.is_ascii_digit())
        && (key == "0" || !key.starts_with('0'));
    if !spelled { None } else { key.parse().ok().filter(|index| *index != u32::MAX) }
}

/// Below 2^53 every integer is an f64.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Number {
    /// Reads a JSON number and keeps the digits of an integer that would lose some.
    pub fn from_digits(digits: &str) -> Number {
        let value = digits.parse::<f64>().unwrap_or(f64::NAN);
        let integer = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let exact = value.abs() < EXACT || format!("{value:.0}") == digits;
        let text = if integer && !exact { Some(Arc::from(digits)) } else { None };
        Number { value, text }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text_of(digits: &str) -> Option<String> {
        Number::from_digits(digits).text.map(|text| text.to_string())
    }

    #[test]
    fn integers_that_a_float_cannot_hold_keep_their_digits() {
        assert_eq!(text_of("9007199254740992"), None);
        assert_eq!(text_of("9007199254740993"), Some("9007199254740993".into()));
        assert_eq!(text_of("-9007199254740993"), Some("-9007199254740993".into()));
        assert_eq!(text_of("1000000000000000000000"), None);
        assert_eq!(text_of("12345678901234567890123"), Some("12345678901234567890123".into()));
        assert_eq!(text_of("-0"), None);
        assert_eq!(text_of("1e400"), None);
        assert_eq!(text_of("1.10"), None);
    }

    #[test]
    fn depth_is_limited_whatever_is_below() {
        let mut json = json!(1);
        for _ in 0..MAX_DEPTH {
            json = json!([json]);
        }
        assert_eq!(Value::from_json(&json).map(|value| value.depth()), Ok(MAX_DEPTH));
        assert!(matches!(Value::from_json(&json!({ "a": json })), Err(TooDeep)));
    }

    #[test]
    fn index_like_keys_come_first() {
        let json: Json = serde_json::from_str(r#"{"b":1,"10":1,"a":1,"9":1,"01":1}"#).expect("valid JSON");
        let Ok(Value::Object(object)) = Value::from_json(&json) else { panic!("an object") };
        let keys: Vec<&str> = object.entries().keys().map(|key| &**key).collect();
        assert_eq!(keys[..2], ["9", "10"]);
    }
}
