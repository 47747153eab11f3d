//! One step of a path such as `a.b[c]`. Only a value's own properties are there, never anything inherited.

use super::json::array_index;
use super::print::scan;
use super::{Array, Value, lookup};
use crate::budget::Stop;
use crate::env::Env;

impl Value {
    /// The property that `key` names, or undefined. `size`, `first` and `last` are LiquidJS's; `length` is what JavaScript owns.
    pub fn property(&self, key: &Value, env: &Env) -> Result<Value, Stop> {
        env.meter.step(1)?;
        if self.is_nil() {
            return Ok(self.clone());
        }
        if let (Value::Array(array), Value::Number(index)) = (self, key) {
            return Ok(array.at(index.value));
        }
        let key = key.clone().plain().spell(&env.meter)?;
        self.named(&key, env)
    }

    /// The property of this name, or undefined.
    pub fn named(&self, key: &str, env: &Env) -> Result<Value, Stop> {
        Ok(match self {
            Value::Undefined | Value::Null => self.clone(),
            Value::Object(object) => match lookup(&object.entries, key) {
                Some(value) => value.clone(),
                None if key == "size" => Value::number(object.entries.len() as f64),
                None => Value::Undefined,
            },
            Value::Array(array) => match key {
                "size" | "length" => Value::number(array.items.len() as f64),
                "first" => array.at(0.0),
                "last" => array.at(-1.0),
                _ => array_index(key).map_or(Value::Undefined, |index| array.at(f64::from(index))),
            },
            Value::Text(text) => {
                scan(text.len(), &env.meter)?;
                match key {
                    "size" | "length" => Value::number(text.encode_utf16().count() as f64),
                    _ => match array_index(key).and_then(|index| text.encode_utf16().nth(index as usize)) {
                        Some(unit) => Value::text(String::from_utf16_lossy(&[unit]), &env.meter)?,
                        None => Value::Undefined,
                    },
                }
            }
            Value::Bool(_) | Value::Number(_) | Value::Nil | Value::Empty | Value::Blank => Value::Undefined,
        })
    }
}

impl Array {
    /// The item at an index, counted from the end where it is negative; undefined where there is none.
    pub fn at(&self, index: f64) -> Value {
        let index = if index < 0.0 { self.items.len() as f64 + index } else { index };
        // Anything beyond the length, a fraction and NaN all name no item.
        if index >= 0.0 && index < self.items.len() as f64 && index.fract() == 0.0 {
            return self.items[index as usize].clone();
        }
        Value::Undefined
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::filters::testing::{env, show};

    fn step(value: serde_json::Value, key: serde_json::Value) -> String {
        let value = Value::from_json(&value).expect("shallow");
        let key = Value::from_json(&key).expect("shallow");
        show(&value.property(&key, &env()).expect("cheap"))
    }

    #[test]
    fn arrays() {
        let list = || json!([1, 2, 3]);
        assert_eq!(step(list(), json!(-1)), "3");
        assert_eq!(step(list(), json!(-4)), "undefined");
        assert_eq!(step(list(), json!("0")), "1");
        assert_eq!(step(list(), json!("00")), "undefined");
        assert_eq!(step(list(), json!(1e308)), "undefined");
        assert_eq!(step(list(), json!(0.5)), "undefined");
        assert_eq!(step(list(), json!("last")), "3");
        assert_eq!(step(list(), json!("map")), "undefined");
        assert_eq!(step(json!([]), json!("first")), "undefined");
    }

    #[test]
    fn objects_have_only_their_own() {
        assert_eq!(step(json!({ "a": 1 }), json!("size")), "1");
        assert_eq!(step(json!({ "size": null }), json!("size")), "null");
        assert_eq!(step(json!({ "a": 1 }), json!("constructor")), "undefined");
        assert_eq!(step(json!({ "a": 1 }), json!("first")), "undefined");
        assert_eq!(step(json!({ "null": 1 }), json!(null)), "1");
    }

    #[test]
    fn texts_count_in_utf16() {
        assert_eq!(step(json!("a😀b"), json!("size")), "4");
        assert_eq!(step(json!("a😀b"), json!(3)), "\"b\"");
        assert_eq!(step(json!("a😀b"), json!(1)), "\"\u{fffd}\"");
        assert_eq!(step(json!("abc"), json!("first")), "undefined");
    }
}
