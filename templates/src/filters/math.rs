//! Filters that calculate. Everything is an f64, as in JavaScript: nothing overflows, and dividing by 0 is Infinity.

use super::Call;
use super::call::to_number;
use crate::budget::Stop;
use crate::number;
use crate::value::Value;

pub(super) fn abs(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(input(&call)?.abs()))
}

pub(super) fn ceil(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(input(&call)?.ceil()))
}

pub(super) fn floor(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(input(&call)?.floor()))
}

pub(super) fn plus(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(input(&call)? + operand(&call)?))
}

pub(super) fn minus(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(input(&call)? - operand(&call)?))
}

pub(super) fn times(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(input(&call)? * operand(&call)?))
}

/// Divides without rounding, unless a second argument asks for it.
pub(super) fn divided_by(call: Call<'_>) -> Result<Value, Stop> {
    let quotient = input(&call)? / operand(&call)?;
    let whole = call.arg_number(1)? != 0.0;
    Ok(Value::number(if whole { quotient.floor() } else { quotient }))
}

/// The remainder, with the sign of the divisor.
pub(super) fn modulo(call: Call<'_>) -> Result<Value, Stop> {
    let divisor = operand(&call)?;
    Ok(Value::number((input(&call)? % divisor + divisor) % divisor))
}

pub(super) fn at_least(call: Call<'_>) -> Result<Value, Stop> {
    (0..call.count())
        .try_fold(input(&call)?, |most, index| Ok(most.max(call.arg_number(index)?)))
        .map(Value::number)
}

pub(super) fn at_most(call: Call<'_>) -> Result<Value, Stop> {
    (0..call.count())
        .try_fold(input(&call)?, |least, index| Ok(least.min(call.arg_number(index)?)))
        .map(Value::number)
}

/// Rounds half up, away from zero below it, to a number of decimals.
pub(super) fn round(call: Call<'_>) -> Result<Value, Stop> {
    let value = input(&call)?;
    let decimals = call.arg_number(0)?;
    // The digits are written twice and read twice.
    call.meter().step(2 * number::cost_of_printing(value) + 4)?;
    let scaled = shift_decimal(value.abs(), decimals);
    // Beyond this every f64 is an integer.
    if scaled.is_nan() || scaled > MAX_SAFE_INTEGER {
        return Ok(Value::number(value));
    }
    let rounded = shift_decimal(scaled.round(), -decimals);
    Ok(Value::number(if value < 0.0 { -rounded } else { rounded }))
}

/// JavaScript's `Number(value)`: NaN stays NaN, and nothing is rounded.
pub(super) fn to_integer(call: Call<'_>) -> Result<Value, Stop> {
    Ok(Value::number(call.input.to_number(call.meter())?))
}

fn input(call: &Call<'_>) -> Result<f64, Stop> {
    call.meter().step(1)?;
    to_number(&call.input, call.meter())
}

/// The argument that an operation needs. Without one the result is NaN.
fn operand(call: &Call<'_>) -> Result<f64, Stop> {
    if call.count() == 0 { Ok(f64::NAN) } else { call.arg_number(0) }
}

/// Up to here every integer is an f64.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Moves the decimal point in the number's decimal digits, where multiplying would add an error of its own.
fn shift_decimal(value: f64, places: f64) -> f64 {
    // Two exact numbers make one rounding: what the digits would come to. Powers of ten are exact up to 22.
    if value.fract() == 0.0 && value <= MAX_SAFE_INTEGER && places.fract() == 0.0 && places.abs() <= 22.0 {
        let power = 10f64.powi(places.abs() as i32);
        return if places < 0.0 { value / power } else { value * power };
    }
    let text = number::print(value);
    match text.split_once('e') {
        None if places.fract() == 0.0 && places.abs() < 1e9 => {
            number::parse(&format!("{text}e{}", places as i64))
        }
        None => number::parse(&format!("{text}e{}", number::print(places))),
        Some((mantissa, exponent)) => {
            number::parse(&format!("{mantissa}e{}", number::print(number::parse(exponent) + places)))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    #[test]
    fn arithmetic() {
        assert_eq!(apply("plus", json!("1.5"), &[json!(" 2 ")]), "3.5");
        assert_eq!(apply("plus", json!("x"), &[json!(2)]), "2");
        assert_eq!(apply("minus", json!(1), &[]), "NaN");
        assert_eq!(apply("times", json!(1e308), &[json!(10)]), "Infinity");
        assert_eq!(apply("divided_by", json!(7), &[json!(2)]), "3.5");
        assert_eq!(apply("divided_by", json!(-7), &[json!(2), json!(true)]), "-4");
        assert_eq!(apply("divided_by", json!(-9223372036854775808i64), &[json!(-1)]), "9223372036854776000");
        assert_eq!(apply("divided_by", json!(1), &[json!(-0.0)]), "Infinity");
        assert_eq!(apply("modulo", json!(-7), &[json!(3)]), "2");
        assert_eq!(apply("modulo", json!(7), &[json!(0)]), "NaN");
        assert_eq!(apply("at_least", json!("3"), &[json!(5), json!(4)]), "5");
        assert_eq!(apply("at_most", json!(3), &[json!(null)]), "0");
    }

    #[test]
    fn rounding() {
        assert_eq!(apply("round", json!(1.005), &[json!(2)]), "1.01");
        assert_eq!(apply("round", json!(-2.5), &[]), "-3");
        assert_eq!(apply("round", json!(1234.5), &[json!(-2)]), "1200");
        assert_eq!(apply("round", json!(1.5), &[json!(0.5)]), "1.5");
        assert_eq!(apply("round", json!(1e300), &[json!(-9e18)]), "0");
        assert_eq!(apply("round", json!(1.5), &[json!(1e308)]), "1.5");
        assert_eq!(apply("ceil", json!(1.2), &[]), "2");
        assert_eq!(apply("floor", json!(-1.2), &[]), "-2");
        assert_eq!(apply("abs", json!("-1.5"), &[]), "1.5");
    }

    #[test]
    fn numbers() {
        assert_eq!(apply("to_integer", json!("1.5"), &[]), "1.5");
        assert_eq!(apply("to_integer", json!("x"), &[]), "NaN");
        assert_eq!(apply("to_integer", json!(null), &[]), "0");
    }
}
