//! One spelling of a JSON value, whatever the order of its members: for telling whether two calls say the same.

use serde_json::Value;

/// The value with the members of every object in the order of their names' UTF-16 units and nothing between tokens; numbers
/// keep their text.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            text.push('{');
            for (at, (name, member)) in members.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(member, text);
            }
            text.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&value.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_members_does_not_count_and_everything_else_does() {
        let read = |text: &str| canonical(&serde_json::from_str(text).unwrap());
        assert_eq!(
            read(r#"{ "b": [1.10, {"d":null,"c":"\u00e9"}], "a": true }"#),
            r#"{"a":true,"b":[1.10,{"c":"é","d":null}]}"#
        );
        assert_eq!(read(r#"{"x":1,"y":2}"#), read(r#"{"y":2,"x":1}"#));
        assert_ne!(read("[1,2]"), read("[2,1]"));
        assert_ne!(read("[1]"), read(r#"["1"]"#));
        // A name beyond the basic plane sorts by its surrogates, before U+FFFF.
        assert_eq!(read(r#"{"\uffff":1,"\ud83d\ude00":2}"#), "{\"\u{1f600}\":2,\"\u{ffff}\":1}");
    }
}
