//! Values as text: the way LiquidJS prints them, the way JavaScript's `String()` does, and `Number()` the other way round.

use std::sync::Arc;

use super::Value;
use crate::budget::{Meter, Stop};
use crate::env::Env;
use crate::number;

/// How many bytes of text are looked at for one step.
const BYTES_PER_STEP: u64 = 128;

/// What JavaScript prints for every object.
const OBJECT: &str = "[object Object]";

/// Charges for looking at `bytes` of text.
pub(crate) fn scan(bytes: usize, meter: &Meter) -> Result<(), Stop> {
    meter.step(bytes as u64 / BYTES_PER_STEP + 1)
}

impl Value {
    /// Appends what `{{ }}` shows before it is escaped: nothing for undefined and null, an array's items without separator.
    pub fn print(&self, out: &mut String, env: &Env) -> Result<(), Stop> {
        self.print_to(out, &env.meter)
    }

    fn print_to(&self, out: &mut String, meter: &Meter) -> Result<(), Stop> {
        match self {
            Value::Undefined | Value::Null | Value::Nil | Value::Empty | Value::Blank => Ok(()),
            Value::Array(array) => {
                meter.step(array.items.len() as u64 + 1)?;
                array.items.iter().try_for_each(|item| item.print_to(out, meter))
            }
            other => other.spell_to(out, meter),
        }
    }

    /// What [`Value::print`] appends, as a text of its own. A text is not copied.
    pub fn to_text(&self, env: &Env) -> Result<Arc<str>, Stop> {
        if let Value::Text(text) = self {
            scan(text.len(), &env.meter)?;
            return Ok(text.clone());
        }
        let mut out = String::new();
        self.print(&mut out, env)?;
        Ok(out.into())
    }

    /// JavaScript's `String(value)`.
    pub fn spell(&self, meter: &Meter) -> Result<Arc<str>, Stop> {
        if let Value::Text(text) = self {
            scan(text.len(), meter)?;
            return Ok(text.clone());
        }
        let mut out = String::new();
        self.spell_to(&mut out, meter)?;
        Ok(out.into())
    }

    /// Appends JavaScript's `String(value)`.
    pub fn spell_to(&self, out: &mut String, meter: &Meter) -> Result<(), Stop> {
        match self {
            Value::Undefined => put("undefined", out, meter),
            Value::Null => put("null", out, meter),
            Value::Bool(true) => put("true", out, meter),
            Value::Bool(false) => put("false", out, meter),
            Value::Number(number) => match &number.text {
                Some(text) => put(text, out, meter),
                None => {
                    meter.step(number::cost_of_printing(number.value))?;
                    put(&number::print(number.value), out, meter)
                }
            },
            Value::Text(text) => put(text, out, meter),
            Value::Array(array) => join(&array.items, ",", out, meter),
            Value::Object(object) if object.entries.contains_key("toString") => Err(unprintable()),
            Value::Object(_) | Value::Nil | Value::Empty | Value::Blank => put(OBJECT, out, meter),
        }
    }

    /// JavaScript's `Number(value)`.
    pub fn to_number(&self, meter: &Meter) -> Result<f64, Stop> {
        match self {
            Value::Undefined => Ok(f64::NAN),
            Value::Null | Value::Nil | Value::Empty | Value::Blank => Ok(0.0),
            Value::Bool(value) => Ok(f64::from(u8::from(*value))),
            Value::Number(number) => Ok(number.value),
            Value::Text(_) | Value::Array(_) | Value::Object(_) => {
                let text = self.spell(meter)?;
                meter.step(number::cost_of_reading(&text))?;
                Ok(number::parse(&text))
            }
        }
    }
}

/// Appends what JavaScript's `Array.prototype.join` makes of the items.
pub(crate) fn join(items: &[Value], separator: &str, out: &mut String, meter: &Meter) -> Result<(), Stop> {
    meter.step(items.len() as u64 + 1)?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            put(separator, out, meter)?;
        }
        if !item.is_nil() {
            item.spell_to(out, meter)?;
        }
    }
    Ok(())
}

/// Appends a text after charging for it.
pub(crate) fn put(text: &str, out: &mut String, meter: &Meter) -> Result<(), Stop> {
    scan(text.len(), meter)?;
    meter.memory(text.len())?;
    out.push_str(text);
    Ok(())
}

fn unprintable() -> Stop {
    Stop::Refused(
        "an object that has a `toString` of its own cannot be printed as text; print one of its properties"
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::filters::testing::env;

    fn printed(json: serde_json::Value) -> String {
        let mut out = String::new();
        Value::from_json(&json).expect("shallow").print(&mut out, &env()).expect("within the budget");
        out
    }

    #[test]
    fn prints_as_liquidjs_does() {
        assert_eq!(printed(json!(null)), "");
        assert_eq!(printed(json!([1, [2, null, "x"], true])), "12xtrue");
        assert_eq!(printed(json!([{ "a": 1 }])), "[object Object]");
        assert_eq!(printed(json!(1.0)), "1");
    }

    #[test]
    fn spells_as_javascript_does() {
        let list = Value::from_json(&json!([1, [2, null, "x"], null])).expect("shallow");
        assert_eq!(&*list.spell(&env().meter).expect("within the budget"), "1,2,,x,");
        assert_eq!(&*Value::Undefined.spell(&env().meter).expect("within the budget"), "undefined");
    }

    #[test]
    fn an_own_to_string_is_refused() {
        let object = Value::from_json(&json!({ "toString": 1 })).expect("shallow");
        assert!(matches!(object.spell(&env().meter), Err(Stop::Refused(_))));
    }

    #[test]
    fn numbers_of_values() {
        let number = |json| Value::from_json(&json).expect("shallow").to_number(&env().meter).expect("cheap");
        assert_eq!(number(json!([[7]])), 7.0);
        assert_eq!(number(json!(" 12 ")), 12.0);
        assert_eq!(number(json!([])), 0.0);
        assert!(number(json!({})).is_nan());
        assert!(number(json!([1, 2])).is_nan());
    }
}
