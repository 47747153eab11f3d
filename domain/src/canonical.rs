//! One spelling of a JSON value (RFC 8785): for telling whether two say the same, and for digests that others can make too.

use crate::number::Decimal;
use serde_json::{Number, Value};

/// The value with the members of every object in the order of their names' UTF-16 units and nothing between tokens; numbers
/// as ECMAScript writes them.
///
/// One departure: a number that no double holds exactly as it is written (`3791411052119578828`) keeps its text, where RFC 8785
/// would round it. Two requests that differ only in such a number are not one.
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
        Value::Number(number) => text.push_str(&spelled(number)),
        Value::Null | Value::Bool(_) | Value::String(_) => text.push_str(&value.to_string()),
    }
}

fn spelled(number: &Number) -> String {
    let exact = number.as_f64().filter(|double| double.is_finite()).map(as_ecmascript).filter(|text| {
        text.parse().is_ok_and(|spelled: Number| Decimal::of(&spelled) == Decimal::of(number))
    });
    exact.unwrap_or_else(|| number.to_string())
}

/// The shortest text of a finite double, by the rules of ECMAScript's `Number::toString`.
fn as_ecmascript(double: f64) -> String {
    if double == 0.0 {
        return "0".to_owned();
    }
    let sign = if double < 0.0 { "-" } else { "" };
    let shortest = format!("{:e}", double.abs());
    let (mantissa, power) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits = mantissa.replace('.', "");
    // Where the point stands, counted from before the first digit.
    let point = power.parse::<i32>().unwrap_or(0) + 1;
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let body = match point {
        1..=21 if length <= point => format!("{digits}{}", zeros(point - length)),
        1..=21 => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
            format!("{whole}.{fraction}")
        }
        -5..=0 => format!("0.{}{digits}", zeros(-point)),
        _ => {
            let (first, rest) = digits.split_at(1);
            let dot = if rest.is_empty() { "" } else { "." };
            format!("{first}{dot}{rest}e{:+}", point - 1)
        }
    };
    format!("{sign}{body}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_members_does_not_count_and_everything_else_does() {
        let read = |text: &str| canonical(&serde_json::from_str(text).unwrap());
        assert_eq!(
            read(r#"{ "b": [1.10, {"d":null,"c":"\u00e9"}], "a": true }"#),
            r#"{"a":true,"b":[1.1,{"c":"é","d":null}]}"#
        );
        assert_eq!(read(r#"{"x":1,"y":2}"#), read(r#"{"y":2,"x":1}"#));
        assert_ne!(read("[1,2]"), read("[2,1]"));
        assert_ne!(read("[1]"), read(r#"["1"]"#));
        // A name beyond the basic plane sorts by its surrogates, before U+FFFF.
        assert_eq!(read(r#"{"\uffff":1,"\ud83d\ude00":2}"#), "{\"\u{1f600}\":2,\"\u{ffff}\":1}");
    }

    /// The samples of RFC 8785, appendix B, and where it would round.
    #[test]
    fn numbers_are_spelled_as_ecmascript_spells_them_unless_that_would_change_them() {
        for (written, spelled) in [
            ("-0", "0"),
            ("0.0", "0"),
            ("1.10", "1.1"),
            ("10e1", "100"),
            ("1E30", "1e+30"),
            ("4.50", "4.5"),
            ("2e-3", "0.002"),
            ("0.000000000000000000000000001", "1e-27"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("9007199254740992", "9007199254740992"),
            ("295147905179352830000", "295147905179352830000"),
            ("1e21", "1e+21"),
            ("999999999999999900000", "999999999999999900000"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("-333333333.3333333", "-333333333.3333333"),
            ("9007199254740993", "9007199254740993"),
            ("3791411052119578828", "3791411052119578828"),
            ("0.10000000000000000001", "0.10000000000000000001"),
            ("1e999", "1e+999"),
        ] {
            let number: Number = written.parse().unwrap();
            assert_eq!(canonical(&Value::Number(number)), spelled, "{written}");
        }
    }
}
