//! JavaScript's numbers as text and text as numbers. Only the last step, digits to binary and back, is std's.

/// `Number.prototype.toString` in base 10.
pub(crate) fn print(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    // Nearly every number is a small integer, and those are quick to write.
    if value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0 {
        return (value as i64).to_string();
    }
    let sign = if value < 0.0 { "-" } else { "" };
    // The shortest digits that read back as the same number: std and JavaScript agree on them, not on how to lay them out.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mut digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if let Some(even) = even_neighbour(value, &digits) {
        digits = even;
    }
    // Where the decimal point stands, counted from before the first digit.
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.len() as i32;
    let zeros = |count: i32| "0".repeat(count.max(0) as usize);
    if (1..=21).contains(&point) {
        if count <= point {
            return format!("{sign}{digits}{}", zeros(point - count));
        }
        let (whole, fraction) = digits.split_at(point as usize);
        return format!("{sign}{whole}.{fraction}");
    }
    if (-5..=0).contains(&point) {
        return format!("{sign}0.{}{digits}", zeros(-point));
    }
    let (first, rest) = digits.split_at(1);
    let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
    let exponent = point - 1;
    format!("{sign}{first}{fraction}e{}{}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// `Number(text)`: NaN where the text is no number, 0 where it is blank.
pub(crate) fn parse(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return 0.0;
    }
    let radix = match text.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => return parse_decimal(text),
    };
    parse_power_of_two(&text[2..], radix)
}

/// What printing a number costs beside what everything costs, in steps: std takes its time with those far from 1.
pub(crate) fn cost_of_printing(value: f64) -> u64 {
    let size = value.abs();
    if size == 0.0 || (1e-7..1e21).contains(&size) || !size.is_finite() { 0 } else { 8 }
}

/// What reading a text as a number costs beside what everything costs, in steps: a text with more digits than a number holds can
/// stand just between two numbers, and then takes a hundred times longer.
pub(crate) fn cost_of_reading(text: &str) -> u64 {
    if text.len() > 19 && is_decimal(text.trim_matches(is_space)) { 64 } else { 0 }
}

/// What JavaScript's `trim` and `\s` take for a space: not quite Unicode's set.
pub(crate) fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// The digits that JavaScript prefers where a number is as near to them as to those that std chose: they end evenly.
///
/// Such a number has one digit more than either, a 5. Shorter digits than 16 never leave two to choose from. So it is below 2⁵³,
/// since no odd number of 17 digits is an f64, times whatever power of ten; and it has at most 25 decimals, since it is a multiple
/// of 5 to the power of how many there are, and 5²⁶ has too many digits.
fn even_neighbour(value: f64, digits: &str) -> Option<String> {
    const DECIMALS: u32 = 26;
    let scaled = value.abs() * f64::from(1u32 << DECIMALS);
    if digits.len() < 16 || value.abs() >= 9_007_199_254_740_992.0 || scaled.fract() != 0.0 {
        return None;
    }
    // An odd number times 2 to the -n is that number times 5 to the n, and n decimals.
    let zeros = (scaled as u128).trailing_zeros().min(DECIMALS);
    let exact = ((scaled as u128 >> zeros) * 5u128.pow(DECIMALS - zeros)).to_string();
    let below = exact.strip_suffix('5').filter(|below| below.len() == digits.len())?;
    below.ends_with(['0', '2', '4', '6', '8']).then(|| below.to_owned())
}

fn parse_decimal(text: &str) -> f64 {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "Infinity" {
        return if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    // std also reads "inf", "nan" and the like, but everything that it reads out of these characters, JavaScript does too.
    if is_decimal(unsigned) { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

/// Whether there is no character that stands in no decimal number.
fn is_decimal(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'))
}

fn parse_power_of_two(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    let bits = radix.trailing_zeros();
    let mut mantissa: u64 = 0;
    let mut dropped: i32 = 0;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(radix) else { return f64::NAN };
        if mantissa >> (64 - bits) == 0 {
            mantissa = mantissa << bits | u64::from(digit);
        } else {
            // Beyond 64 bits a digit only matters as "there is more", for rounding.
            mantissa |= u64::from(digit != 0);
            dropped = dropped.saturating_add(bits as i32);
        }
    }
    mantissa as f64 * 2f64.powi(dropped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_javascript_does() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (123456789012345680000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e-9, "1.5e-9"),
            (-1.25e300, "-1.25e+300"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (100.0, "100"),
            (0.000123, "0.000123"),
            (90_469_368_535_957.0 + 0.125, "90469368535957.12"),
            (1_801_439_850_948_198.0 + 0.25, "1801439850948198.2"),
            (1_801_439_850_948_198.0 + 0.75, "1801439850948198.8"),
        ] {
            assert_eq!(print(value), expected);
        }
    }

    #[test]
    fn what_takes_std_long_costs_more() {
        assert_eq!((cost_of_printing(1.5), cost_of_printing(0.0), cost_of_printing(-1e-304)), (0, 0, 8));
        assert_eq!((cost_of_reading("12.5"), cost_of_reading("2024-03-05T07:08:09.123Z")), (0, 0));
        assert_eq!(cost_of_reading(" 1.79769313486231580793e308"), 64);
    }

    #[test]
    fn parses_as_javascript_does() {
        for (text, expected) in [
            ("", 0.0),
            (" \u{feff}\n", 0.0),
            (" 12 ", 12.0),
            ("1e3", 1000.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("-.5e1", -5.0),
            ("0x1F", 31.0),
            ("0b101", 5.0),
            ("0o17", 15.0),
            ("+Infinity", f64::INFINITY),
            ("0xFFFFFFFFFFFFFFFFF", 295147905179352830000.0),
            ("0x20000000000001", 9007199254740992.0),
            ("1e999", f64::INFINITY),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        for text in [
            "abc", "1,000", "inf", "nan", "infinity", "1_000", "0x", "0xg", "-0x1", "1e", ".", "+", "--1",
            "1 2", "\u{85}1", "é", "1n",
        ] {
            assert!(parse(text).is_nan(), "{text}");
        }
    }
}
