//! Comparing two values: LiquidJS's operators, and the JavaScript order under them.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::budget::{Meter, Stop};
use crate::number::is_space;
use crate::value::Value;
use crate::value::print::scan;

/// `==`: the literals by their own rules, arrays item by item, other containers by identity, everything else as JavaScript's `===`.
pub(crate) fn equals(left: &Value, right: &Value, meter: &Meter) -> Result<bool, Stop> {
    meter.step(1)?;
    if left.is_drop() {
        return equals_drop(left, right, meter);
    }
    if right.is_drop() {
        return equals_drop(right, left, meter);
    }
    let (Value::Array(left), Value::Array(right)) = (left, right) else { return same(left, right, meter) };
    if left.items().len() != right.items().len() {
        return Ok(false);
    }
    for (left, right) in left.items().iter().zip(right.items()) {
        if !equals(left, right, meter)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `<`, `>`, `<=`, `>=`: nothing where the two cannot be ordered, then all four are false.
pub(crate) fn order(left: &Value, right: &Value, meter: &Meter) -> Result<Option<Ordering>, Stop> {
    if left.is_drop() || right.is_drop() {
        meter.step(1)?;
        return Ok(None);
    }
    relate(left, right, meter)
}

/// `contains`: an array's items by [`equals`], a text's parts; nothing else contains anything.
pub(crate) fn contains(left: &Value, right: &Value, meter: &Meter) -> Result<bool, Stop> {
    match left {
        Value::Array(array) => {
            for item in array.items() {
                if equals(item, right, meter)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Text(_) | Value::Empty | Value::Blank => {
            let text = left.clone().plain().spell(meter)?;
            let part = right.clone().plain().spell(meter)?;
            if part.len() > text.len() {
                return Ok(false);
            }
            // Preparing to search takes longer for every byte than searching does.
            meter.step(part.len() as u64 / 16)?;
            Ok(text.contains(&*part))
        }
        _ => Ok(false),
    }
}

/// JavaScript's relational comparison, which reads numbers out of everything unless both sides are texts.
pub(crate) fn relate(left: &Value, right: &Value, meter: &Meter) -> Result<Option<Ordering>, Stop> {
    meter.step(1)?;
    let (left, right) = (primitive(left, meter)?, primitive(right, meter)?);
    if let (Value::Text(left), Value::Text(right)) = (&left, &right) {
        scan(left.len().min(right.len()), meter)?;
        return Ok(Some(compare_units(left, right)));
    }
    Ok(left.to_number(meter)?.partial_cmp(&right.to_number(meter)?))
}

/// The order of JavaScript's texts, by UTF-16 code units. It differs from UTF-8's only beyond the basic plane.
pub(crate) fn compare_units(left: &str, right: &str) -> Ordering {
    if left.is_ascii() || right.is_ascii() {
        left.cmp(right)
    } else {
        left.encode_utf16().cmp(right.encode_utf16())
    }
}

/// JavaScript's `===`.
pub(crate) fn same(left: &Value, right: &Value, meter: &Meter) -> Result<bool, Stop> {
    Ok(match (left, right) {
        (Value::Undefined, Value::Undefined) | (Value::Null, Value::Null) => true,
        (Value::Nil, Value::Nil) | (Value::Empty, Value::Empty) | (Value::Blank, Value::Blank) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => left.value == right.value,
        (Value::Text(left), Value::Text(right)) => {
            if left.len() == right.len() {
                scan(left.len(), meter)?;
            }
            left == right
        }
        (Value::Array(left), Value::Array(right)) => Arc::ptr_eq(left, right),
        (Value::Object(left), Value::Object(right)) => Arc::ptr_eq(left, right),
        _ => false,
    })
}

fn equals_drop(drop: &Value, value: &Value, meter: &Meter) -> Result<bool, Stop> {
    let nothing = value.is_nil() || matches!(value, Value::Nil);
    let empty = match value {
        Value::Text(text) => text.is_empty(),
        Value::Array(array) => array.items().is_empty(),
        Value::Object(object) => object.entries().is_empty(),
        _ => false,
    };
    Ok(match (drop, value) {
        (Value::Nil, _) => nothing,
        (Value::Blank, Value::Bool(false)) => true,
        (Value::Blank, Value::Text(text)) => {
            scan(text.len(), meter)?;
            text.chars().all(is_space)
        }
        (Value::Blank, _) => nothing || empty,
        _ => empty,
    })
}

fn primitive(value: &Value, meter: &Meter) -> Result<Value, Stop> {
    Ok(match value {
        Value::Array(_) | Value::Object(_) => Value::Text(value.spell(meter)?),
        other => other.clone().plain(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::filters::testing::env;

    fn value(json: Json) -> Value {
        Value::from_json(&json).expect("shallow")
    }

    fn equal(left: &Value, right: &Value) -> bool {
        let there = equals(left, right, &env().meter).expect("cheap");
        assert_eq!(there, equals(right, left, &env().meter).expect("cheap"));
        there
    }

    #[test]
    fn equality() {
        assert!(equal(&value(json!([1, [2]])), &value(json!([1, [2]]))));
        assert!(!equal(&value(json!([1, 2])), &value(json!([1, "2"]))));
        assert!(!equal(&value(json!({})), &value(json!({}))));
        assert!(!equal(&value(json!(null)), &Value::Undefined));
        assert!(equal(&Value::Nil, &Value::Undefined));
        assert!(equal(&Value::Nil, &Value::Null));
        let object = value(json!({ "a": 1 }));
        assert!(equal(&object, &object.clone()));
    }

    #[test]
    fn empty_and_blank() {
        for (json, empty, blank) in [
            (json!(""), true, true),
            (json!([]), true, true),
            (json!({}), true, true),
            (json!(" \n"), false, true),
            (json!(false), false, true),
            (json!(null), false, true),
            (json!(0), false, false),
            (json!([1]), false, false),
        ] {
            assert_eq!(equal(&value(json.clone()), &Value::Empty), empty, "{json}");
            assert_eq!(equal(&value(json.clone()), &Value::Blank), blank, "{json}");
        }
        assert!(!equal(&Value::Empty, &Value::Empty));
        assert!(!equal(&Value::Undefined, &Value::Empty));
    }

    #[test]
    fn ordering() {
        let order = |left, right| order(&value(left), &value(right), &env().meter).expect("cheap");
        assert_eq!(order(json!("10"), json!("9")), Some(Ordering::Less));
        assert_eq!(order(json!("10"), json!(9)), Some(Ordering::Greater));
        assert_eq!(order(json!(null), json!(0)), Some(Ordering::Equal));
        assert_eq!(order(json!("x"), json!(1)), None);
        assert_eq!(order(json!([2]), json!(10)), Some(Ordering::Less));
        assert_eq!(order(json!("\u{ff5e}"), json!("😀")), Some(Ordering::Greater));
    }

    #[test]
    fn containing() {
        let contains = |left, right| contains(&value(left), &value(right), &env().meter).expect("cheap");
        assert!(contains(json!("a1"), json!(1)));
        assert!(contains(json!("a null"), json!(null)));
        assert!(!contains(json!([1]), json!("1")));
        assert!(contains(json!([[1]]), json!([1])));
        assert!(!contains(json!({ "a": 1 }), json!("a")));
        assert!(!contains(json!(123), json!(2)));
    }
}
