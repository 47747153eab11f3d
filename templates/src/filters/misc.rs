//! Filters that hand a value through.

use super::Call;
use super::call::is_given;
use crate::budget::Stop;
use crate::value::Value;

/// The argument where the input is empty or not true; `allow_false: true` lets false pass.
pub(super) fn default(call: Call<'_>) -> Result<Value, Stop> {
    let input = call.input.clone().plain();
    let kept = match &input {
        Value::Array(array) => !array.items().is_empty(),
        Value::Bool(false) => {
            let mut allowed = false;
            for option in call.args.iter().skip(1) {
                allowed = allowed || pair_allows(option)?;
            }
            // The first argument is the default, even if it is a named one.
            let options = if call.args.is_empty() { call.named.get(1..).unwrap_or(&[]) } else { call.named };
            let named = options.iter().rfind(|(name, _)| &**name == "allow_false");
            allowed || named.is_some_and(|(_, value)| is_given(value))
        }
        other => other.is_truthy(),
    };
    if kept { Ok(input) } else { call.arg(0) }
}

/// Nothing opts out of escaping here: `raw` is the identity.
pub(super) fn raw(call: Call<'_>) -> Result<Value, Stop> {
    Ok(call.input)
}

/// LiquidJS reads every argument after the first as a pair of a name and a value.
fn pair_allows(option: &Value) -> Result<bool, Stop> {
    match option {
        Value::Array(pair) => match pair.items() {
            [Value::Text(name), value, ..] if &**name == "allow_false" => Ok(is_given(value)),
            _ => Ok(false),
        },
        Value::Object(_) | Value::Nil | Value::Empty | Value::Blank => Ok(false),
        _ => Err(Stop::Refused(
            "`default` takes 1 argument beside `allow_false`; write `default: \"x\", allow_false: true`"
                .into(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::filters::testing::{apply, env, show};

    #[test]
    fn defaults() {
        for (input, kept) in [
            (json!(""), false),
            (json!([]), false),
            (json!({}), true),
            (json!(0), false),
            (json!(false), false),
            (json!(" "), true),
            (json!(null), false),
            (json!([null]), true),
        ] {
            assert_eq!(apply("default", input.clone(), &[json!("D")]) != r#""D""#, kept, "{input}");
        }
        assert_eq!(apply("default", json!(null), &[]), "undefined");
        assert!(apply("default", json!(false), &[json!("D"), json!("x")]).starts_with("Refused"));
    }

    #[test]
    fn false_may_be_allowed() {
        let with = |value: Value| {
            let named = [(Arc::from("allow_false"), value)];
            let args = [Value::Text("D".into())];
            default(Call { input: Value::Bool(false), args: &args, named: &named, env: &env() })
                .map(|value| show(&value))
        };
        assert_eq!(with(Value::Bool(true)), Ok("false".into()));
        assert_eq!(with(Value::Bool(false)), Ok(r#""D""#.into()));
    }
}
