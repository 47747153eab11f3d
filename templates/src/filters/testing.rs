//! What the tests of values and filters share.

use crate::budget::{Budget, Meter, Stop};
use crate::filters::{Call, Env};
use crate::value::Value;

/// An environment with the default budget, at the beginning of 2024.
pub fn env() -> Env {
    let now = "2024-01-01T00:00:00Z".parse().expect("a timestamp");
    Env { meter: Meter::new(&Budget::default()), now, seed: 7 }
}

/// A value the way a test writes it down: JSON, and the words for what JSON has not.
pub fn show(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".into(),
        Value::Null => "null".into(),
        Value::Nil => "nil".into(),
        Value::Empty => "empty".into(),
        Value::Blank => "blank".into(),
        Value::Text(text) => serde_json::Value::from(&**text).to_string(),
        Value::Array(array) => {
            let items: Vec<String> = array.items().iter().map(show).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(object) => {
            let entries: Vec<String> = object
                .entries()
                .iter()
                .map(|(key, value)| format!("{}:{}", serde_json::Value::from(&**key), show(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        other => other.spell(&env().meter).expect("cheap").to_string(),
    }
}

/// What a filter makes of JSON, as [`show`] writes it.
pub fn apply(name: &str, input: serde_json::Value, args: &[serde_json::Value]) -> String {
    let args: Vec<Value> = args.iter().map(|arg| Value::from_json(arg).expect("shallow")).collect();
    let input = Value::from_json(&input).expect("shallow");
    match run(name, input, &args) {
        Ok(value) => show(&value),
        Err(stop) => format!("{stop:?}"),
    }
}

/// Applies a filter to values, with the default budget.
pub fn run(name: &str, input: Value, args: &[Value]) -> Result<Value, Stop> {
    let filter = super::find(name).expect("a filter of this name");
    filter(Call { input, args, named: &[], env: &env() })
}
