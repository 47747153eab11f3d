//! How a value reads in a cell.

use serde_json::Value;

/// A value as text where no field is known.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => yes_or_no(*yes).to_owned(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A boolean in words.
pub(super) fn yes_or_no(yes: bool) -> &'static str {
    if yes { "Yes" } else { "No" }
}
