//! What an agent asked and will get, though not as it may think.

use sayso_domain::{Object, Pointer};
use serde_json::{Value, json};

/// The warnings about a request that was taken.
pub(super) fn of(arguments: &Object) -> Vec<Value> {
    let mut warnings = Vec::new();
    if arguments.contains_key("displayTemplate") {
        let message =
            "This version does not render templates yet: the template is kept, and the page shows no header.";
        warnings.push(warning(&Pointer::root().child("displayTemplate"), "template_not_shown", message));
    }
    for member in ["context", "fields", "requestedSchema"] {
        if let Some(value) = arguments.get(member) {
            large_integers(value, &Pointer::root().child(member), &mut warnings);
        }
    }
    warnings
}

/// Integers beyond 2^53 are kept to the digit here; what reads the answer may round them.
fn large_integers(value: &Value, at: &Pointer, warnings: &mut Vec<Value>) {
    const AT_MOST: usize = 20;
    const EXACT: u64 = (1 << 53) - 1;
    if warnings.len() >= AT_MOST {
        return;
    }
    match value {
        Value::Number(number) => {
            let whole = number.as_str().bytes().all(|b| b.is_ascii_digit() || b == b'-');
            let exact = number.as_i64().is_some_and(|n| n.unsigned_abs() <= EXACT);
            if whole && !exact {
                let message = "Kept to the digit, but many JSON readers round integers beyond 2^53: pass it as a string where you can.";
                warnings.push(warning(at, "large_integer", message));
            }
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| large_integers(item, &at.child(index), warnings)),
        Value::Object(members) => {
            members.iter().for_each(|(name, member)| large_integers(member, &at.child(name), warnings))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

fn warning(at: &Pointer, code: &str, message: &str) -> Value {
    json!({ "pointer": at, "code": code, "message": message })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader of the answer may round is told where it stands.
    #[test]
    fn integers_that_readers_round_are_told() {
        let arguments: Object =
            serde_json::from_str(r#"{ "context": { "ids": [9007199254740991, 9007199254740992, -9007199254740993, 1.5, 1e30, "3791411052119578828"] } }"#).unwrap();
        let told: Vec<_> =
            of(&arguments).iter().map(|warning| warning["pointer"].as_str().unwrap().to_owned()).collect();
        assert_eq!(told, ["/context/ids/1", "/context/ids/2"]);
    }
}
