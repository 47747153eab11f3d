//! Filters for URLs.

use super::{Call, Output};
use crate::budget::Stop;
use crate::value::Value;

pub(super) fn url_encode(call: Call<'_>) -> Result<Value, Stop> {
    encode(&call, b"-_.!~*'()", "+")
}

pub(super) fn cgi_escape(call: Call<'_>) -> Result<Value, Stop> {
    encode(&call, b"-_.~", "+")
}

pub(super) fn uri_escape(call: Call<'_>) -> Result<Value, Stop> {
    encode(&call, b"-_.!~*'();/?:@&=+$,#[]", "%20")
}

pub(super) fn url_decode(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.meter().memory(text.len())?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => match (rest.next().and_then(hex), rest.next().and_then(hex)) {
                (Some(high), Some(low)) => high << 4 | low,
                _ => return Err(malformed()),
            },
            plain => plain,
        });
    }
    String::from_utf8(bytes).map(|text| Value::Text(text.into())).map_err(|_| malformed())
}

fn encode(call: &Call<'_>, plain: &[u8], space: &str) -> Result<Value, Stop> {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    let text = call.text()?;
    let mut out = Output::new(call.meter());
    call.work(text.len())?;
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte))?;
        } else if byte == b' ' {
            out.push_str(space)?;
        } else {
            out.push('%')?;
            out.push(HEX[usize::from(byte >> 4)])?;
            out.push(HEX[usize::from(byte & 15)])?;
        }
    }
    out.finish()
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

fn malformed() -> Stop {
    Stop::Refused("`url_decode` was given a malformed URL: after a `%` come two hexadecimal digits, and the bytes are UTF-8".into())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn encoding() {
        assert_eq!(apply("url_encode", json!("a b&é!'()*~[]"), &[]), r#""a+b%26%C3%A9!'()*~%5B%5D""#);
        assert_eq!(apply("cgi_escape", json!("a b!'()*~"), &[]), r#""a+b%21%27%28%29%2A~""#);
        assert_eq!(
            apply("uri_escape", json!("http://a.b/[é]?q=a b%"), &[]),
            r#""http://a.b/[%C3%A9]?q=a%20b%25""#
        );
    }

    #[test]
    fn decoding() {
        assert_eq!(apply("url_decode", json!("a+b%26%C3%A9é"), &[]), r#""a b&éé""#);
        for malformed in ["%", "%4", "%zz", "%C3", "%C3(", "%ED%A0%80", "%C0%80"] {
            assert!(apply("url_decode", json!(malformed), &[]).starts_with("Refused"), "{malformed}");
        }
    }
}
