//! Filters for Base64.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::Call;
use crate::budget::Stop;
use crate::value::Value;

/// As lenient as JavaScript's: padding is optional, and the last character may have bits that are not used.
const ENGINE: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn encode(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    call.meter().memory(text.len().saturating_mul(4) / 3 + 4)?;
    Ok(Value::Text(ENGINE.encode(&*text).into()))
}

/// Decodes to UTF-8 text; bytes that are none become U+FFFD.
pub(super) fn decode(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    // A byte can become U+FFFD, which takes three.
    call.meter().memory(text.len().saturating_mul(4))?;
    let bare: Vec<u8> =
        text.bytes().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')).collect();
    let padding = bare.iter().rev().take_while(|byte| **byte == b'=').count();
    // Padding may be left out, but what is there has to be right.
    let decoded = if padding > 0 && !bare.len().is_multiple_of(4) { None } else { ENGINE.decode(bare).ok() };
    let bytes = decoded.ok_or_else(|| {
        Stop::Refused("`base64_decode` was given what is not Base64: only A-Z, a-z, 0-9, `+`, `/` and `=` at the end are".into())
    })?;
    Ok(Value::Text(String::from_utf8_lossy(&bytes).into()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn both_ways() {
        assert_eq!(apply("base64_encode", json!("héé😀"), &[]), r#""aMOpw6nwn5iA""#);
        assert_eq!(apply("base64_encode", json!(null), &[]), r#""""#);
        assert_eq!(apply("base64_decode", json!("aMOp\n w6nwn5iA"), &[]), r#""héé😀""#);
        assert_eq!(apply("base64_decode", json!("YQ"), &[]), r#""a""#);
        assert_eq!(apply("base64_decode", json!("/w=="), &[]), "\"\u{fffd}\"");
        assert_eq!(apply("base64_decode", json!("YR=="), &[]), r#""a""#);
        for wrong in ["YQ=", "Y", "Y-Q_", "YQ==YQ==", "é", "===="] {
            assert!(apply("base64_decode", json!(wrong), &[]).starts_with("Refused"), "{wrong}");
        }
    }
}
