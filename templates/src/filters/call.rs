//! What a filter does with its input, arguments and output before and after its own work, charging on the way.

use std::borrow::Cow;
use std::sync::Arc;

use super::Call;
use crate::budget::{Meter, Stop};
use crate::number;
use crate::value::{Array, Value};

impl<'a> Call<'a> {
    pub fn meter(&self) -> &'a Meter {
        &self.env.meter
    }

    /// How many arguments there are, named ones included.
    pub fn count(&self) -> usize {
        self.args.len() + self.named.len()
    }

    /// An argument, or undefined. LiquidJS hands a named one over as a pair.
    pub fn arg(&self, index: usize) -> Result<Value, Stop> {
        if let Some(value) = self.args.get(index) {
            return Ok(value.clone());
        }
        match self.named.get(index.wrapping_sub(self.args.len())) {
            Some((name, value)) => Array::new(vec![Value::Text(name.clone()), value.clone()], self.meter()),
            None => Ok(Value::Undefined),
        }
    }

    /// The input as text.
    pub fn text(&self) -> Result<Arc<str>, Stop> {
        self.input.to_text(self.env)
    }

    /// An argument as text.
    pub fn arg_text(&self, index: usize) -> Result<Arc<str>, Stop> {
        self.arg(index)?.to_text(self.env)
    }

    /// An argument as text, or this one where it is undefined. Null is not: it is an empty text.
    pub fn arg_text_or(&self, index: usize, default: &str) -> Result<Arc<str>, Stop> {
        match self.arg(index)? {
            Value::Undefined => Ok(Arc::from(default)),
            value => value.to_text(self.env),
        }
    }

    /// Charges for what takes longer for every byte than a scan.
    pub fn work(&self, bytes: usize) -> Result<(), Stop> {
        self.meter().step(bytes as u64 / 16)
    }

    /// The input as a list: nothing for null, a list of itself for any other single value.
    pub fn items(&self) -> Result<Cow<'_, [Value]>, Stop> {
        let items = list(&self.input);
        self.meter().step(items.len() as u64 + 1)?;
        Ok(items)
    }

    /// An argument as a number, the way LiquidJS's arithmetic reads it: 0 for what is none.
    pub fn arg_number(&self, index: usize) -> Result<f64, Stop> {
        to_number(&self.arg(index)?, self.meter())
    }
}

/// LiquidJS's `toArray`.
pub(super) fn list(value: &Value) -> Cow<'_, [Value]> {
    match value {
        Value::Array(array) => Cow::Borrowed(array.items()),
        Value::Undefined | Value::Null | Value::Nil => Cow::Borrowed(&[]),
        single => Cow::Owned(vec![single.clone().plain()]),
    }
}

/// LiquidJS's `toNumber`: what is no number is 0, and so is -0.
pub(super) fn to_number(value: &Value, meter: &Meter) -> Result<f64, Stop> {
    let number = value.to_number(meter)?;
    Ok(if number.is_nan() || number == 0.0 { 0.0 } else { number })
}

/// JavaScript's truth of an argument. A literal such as `empty` is an object there, and so true.
pub(super) fn is_given(value: &Value) -> bool {
    value.is_drop() || value.is_truthy()
}

/// JavaScript's `left + right`: texts are joined, anything else is added.
pub(crate) fn add(left: &Value, right: &Value, meter: &Meter) -> Result<f64, Stop> {
    let joins = |value: &Value| {
        matches!(value, Value::Text(_) | Value::Array(_) | Value::Object(_) | Value::Empty | Value::Blank)
    };
    if !joins(left) && !joins(right) {
        return Ok(left.to_number(meter)? + right.to_number(meter)?);
    }
    let mut text = String::new();
    left.clone().plain().spell_to(&mut text, meter)?;
    right.clone().plain().spell_to(&mut text, meter)?;
    meter.step(number::cost_of_reading(&text))?;
    Ok(number::parse(&text))
}

/// Where a JavaScript `slice` of `length` items begins or ends when told `bound`.
pub(super) fn slice_bound(bound: f64, length: usize) -> usize {
    // A float as `usize` stops at both ends and takes NaN for 0, as JavaScript does.
    let bound = bound.trunc();
    if bound < 0.0 { length.saturating_sub(-bound as usize) } else { (bound as usize).min(length) }
}

/// A text on the way. Every piece is charged for before it is added.
pub(crate) struct Output<'a> {
    text: String,
    meter: &'a Meter,
}

impl<'a> Output<'a> {
    pub fn new(meter: &'a Meter) -> Self {
        Output { text: String::new(), meter }
    }

    pub fn push_str(&mut self, piece: &str) -> Result<(), Stop> {
        self.meter.memory(piece.len())?;
        self.text.push_str(piece);
        Ok(())
    }

    pub fn push(&mut self, piece: char) -> Result<(), Stop> {
        self.meter.memory(piece.len_utf8())?;
        self.text.push(piece);
        Ok(())
    }

    /// Appends a piece `count` times.
    pub fn fill(&mut self, piece: char, count: usize) -> Result<(), Stop> {
        self.meter.memory(piece.len_utf8().saturating_mul(count))?;
        self.text.extend(std::iter::repeat_n(piece, count));
        Ok(())
    }

    pub fn meter(&self) -> &'a Meter {
        self.meter
    }

    pub fn into_text(self) -> String {
        self.text
    }

    pub fn finish(self) -> Result<Value, Stop> {
        Ok(Value::Text(self.text.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_never_leave_the_list() {
        for (bound, expected) in [
            (0.0, 0),
            (2.9, 2),
            (-1.0, 4),
            (-0.5, 0),
            (-9e18, 0),
            (1e308, 5),
            (f64::NAN, 0),
            (f64::INFINITY, 5),
            (f64::NEG_INFINITY, 0),
        ] {
            assert_eq!(slice_bound(bound, 5), expected, "{bound}");
        }
    }
}
