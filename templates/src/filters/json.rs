//! The filter `json`, which is JavaScript's `JSON.stringify`.

use super::{Call, Output};
use crate::budget::Stop;
use crate::number;
use crate::value::Value;

/// Writes the input as JSON, indented by a number of spaces or by a text where an argument says so. Undefined stays undefined.
pub(super) fn json(call: Call<'_>) -> Result<Value, Stop> {
    if matches!(call.input, Value::Undefined) {
        return Ok(Value::Undefined);
    }
    let indent = match call.arg(0)? {
        // V8 breaks lines for a fraction of a space, too.
        Value::Number(number) if number.value > 0.0 => Some(" ".repeat(number.value.min(10.0) as usize)),
        Value::Text(text) if !text.is_empty() => {
            Some(String::from_utf16_lossy(&text.encode_utf16().take(10).collect::<Vec<u16>>()))
        }
        _ => None,
    };
    let mut writer = Writer { out: Output::new(call.meter()), indent };
    writer.value(&call.input, 0)?;
    writer.out.finish()
}

struct Writer<'a> {
    out: Output<'a>,
    /// What each level is indented by; nothing where all stands on one line.
    indent: Option<String>,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Stop> {
        match value {
            Value::Undefined | Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Number(number) => match &number.text {
                Some(text) => self.out.push_str(text),
                None if number.value.is_finite() => {
                    self.out.meter().step(number::cost_of_printing(number.value))?;
                    self.out.push_str(&number::print(number.value))
                }
                None => self.out.push_str("null"),
            },
            Value::Text(text) => self.text(text),
            // LiquidJS's literals are objects without properties.
            Value::Nil | Value::Empty | Value::Blank => self.out.push_str("{}"),
            Value::Array(array) => {
                self.out.meter().step(array.items().len() as u64 + 1)?;
                self.out.push('[')?;
                for (index, item) in array.items().iter().enumerate() {
                    self.begin(index, depth + 1)?;
                    self.value(item, depth + 1)?;
                }
                self.end(array.items().is_empty(), depth, ']')
            }
            Value::Object(object) => {
                self.out.meter().step(object.entries().len() as u64 + 1)?;
                self.out.push('{')?;
                let entries = object.entries().iter().filter(|(_, value)| !matches!(value, Value::Undefined));
                let mut written = 0;
                for (key, value) in entries {
                    self.begin(written, depth + 1)?;
                    self.text(key)?;
                    self.out.push_str(if self.indent.is_none() { ":" } else { ": " })?;
                    self.value(value, depth + 1)?;
                    written += 1;
                }
                self.end(written == 0, depth, '}')
            }
        }
    }

    fn begin(&mut self, index: usize, depth: usize) -> Result<(), Stop> {
        if index > 0 {
            self.out.push(',')?;
        }
        self.line(depth)
    }

    fn end(&mut self, empty: bool, depth: usize, bracket: char) -> Result<(), Stop> {
        if !empty {
            self.line(depth)?;
        }
        self.out.push(bracket)
    }

    fn line(&mut self, depth: usize) -> Result<(), Stop> {
        if let Some(indent) = &self.indent {
            self.out.push('\n')?;
            (0..depth).try_for_each(|_| self.out.push_str(indent))?;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Stop> {
        self.out.meter().step(text.len() as u64 / 32)?;
        self.out.push('"')?;
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
            self.out.push_str(&rest[..at])?;
            match rest.as_bytes()[at] {
                b'"' => self.out.push_str("\\\"")?,
                b'\\' => self.out.push_str("\\\\")?,
                b'\n' => self.out.push_str("\\n")?,
                b'\r' => self.out.push_str("\\r")?,
                b'\t' => self.out.push_str("\\t")?,
                b'\x08' => self.out.push_str("\\b")?,
                b'\x0c' => self.out.push_str("\\f")?,
                control => self.out.push_str(&format!("\\u{control:04x}"))?,
            }
            rest = &rest[at + 1..];
        }
        self.out.push_str(rest)?;
        self.out.push('"')
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::{apply, run};
    use crate::value::Value;

    fn text(value: serde_json::Value, args: &[serde_json::Value]) -> String {
        serde_json::from_str(&apply("json", value, args)).expect("a text")
    }

    #[test]
    fn writes_as_javascript_does() {
        assert_eq!(
            text(json!({ "b": [1, 1.5, null, true], "a": "\"\\\n\u{1}é/" }), &[]),
            r#"{"b":[1,1.5,null,true],"a":"\"\\\n\u0001é/"}"#
        );
        assert_eq!(text(json!(1e21), &[]), "1e+21");
        assert_eq!(
            text(json!({ "a": [], "b": {}, "c": [1] }), &[json!(2)]),
            "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1\n  ]\n}"
        );
        assert_eq!(text(json!([1]), &[json!("--")]), "[\n--1\n]");
        assert_eq!(text(json!([1]), &[json!(1e308)]), "[\n          1\n]");
        assert_eq!(text(json!([1]), &[json!(-9e18)]), "[1]");
    }

    #[test]
    fn what_json_has_not() {
        assert!(matches!(run("json", Value::Undefined, &[]), Ok(Value::Undefined)));
        assert!(
            matches!(run("json", Value::number(f64::NAN), &[]), Ok(Value::Text(text)) if &*text == "null")
        );
        assert!(matches!(run("json", Value::Empty, &[]), Ok(Value::Text(text)) if &*text == "{}"));
    }
}
