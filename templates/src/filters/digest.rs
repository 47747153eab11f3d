//! Filters for digests.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::{Call, Output};
use crate::budget::{Meter, Stop};
use crate::value::Value;

pub(super) fn sha256(call: Call<'_>) -> Result<Value, Stop> {
    let text = call.text()?;
    charge(text.len(), call.meter())?;
    hex(&Sha256::digest(text.as_bytes()), call.meter())
}

pub(super) fn hmac_sha256(call: Call<'_>) -> Result<Value, Stop> {
    let (text, key) = (call.text()?, call.arg_text(0)?);
    charge(text.len().saturating_add(key.len()), call.meter())?;
    let mac = Hmac::<Sha256>::new_from_slice(key.as_bytes());
    let mut mac = mac
        .map_err(|_| Stop::Refused("`hmac_sha256` was given a key of a length that it cannot use".into()))?;
    mac.update(text.as_bytes());
    hex(&mac.finalize().into_bytes(), call.meter())
}

/// A digest is dearer than the scan that a text is charged for otherwise.
fn charge(bytes: usize, meter: &Meter) -> Result<(), Stop> {
    meter.step(bytes as u64 / 16 + 16)
}

fn hex(bytes: &[u8], meter: &Meter) -> Result<Value, Stop> {
    let mut out = Output::new(meter);
    bytes.iter().try_for_each(|byte| out.push_str(&format!("{byte:02x}")))?;
    out.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn digests() {
        assert_eq!(
            apply("sha256", json!("abc"), &[]),
            r#""ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad""#
        );
        assert_eq!(
            apply("hmac_sha256", json!("what do ya want for nothing?"), &[json!("Jefe")]),
            r#""5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843""#
        );
    }
}
