//! How a value reads in a cell.

use sayso_domain::form::Kind;
use serde_json::Value;

/// A value as text, as its field would put it: options by their titles, booleans as Yes and No.
pub(super) fn text(value: &Value, kind: &Kind) -> String {
    match (kind, value) {
        (Kind::Choice(options), Value::String(value)) => title(options, value).to_owned(),
        (Kind::Choices(choices), Value::Array(picks)) => {
            let pick = |pick: &Value| {
                pick.as_str().map_or_else(
                    || pick.to_string(),
                    |pick| title(&choices.options, pick).to_owned(),
                )
            };
            picks.iter().map(pick).collect::<Vec<_>>().join(", ")
        }
        _ => plain(value),
    }
}

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

fn title<'a>(options: &'a [sayso_domain::form::Choice], value: &'a str) -> &'a str {
    options
        .iter()
        .find(|option| option.value == value)
        .map_or(value, sayso_domain::form::Choice::label)
}
