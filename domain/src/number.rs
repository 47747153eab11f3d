//! Numbers by their value and by their text: compared exactly, never through a float.

use serde_json::Number;
use std::cmp::Ordering;

/// The exact value of a JSON number: `0.digits × 10^exponent`, without leading or trailing zeros in `digits`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// The exact value of a number, whatever its spelling: `1.0`, `1` and `10e-1` are one value.
    pub fn of(number: &Number) -> Self {
        let text = number.as_str();
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        // An exponent beyond 64 bits is astronomically large or small either way: the sign is all that matters.
        let power =
            power.parse::<i64>().unwrap_or(if power.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 });
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let leading = all.len() - significant.len();
        let digits = significant.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: 0 };
        }
        let point = i64::try_from(whole.len()).unwrap_or(i64::MAX / 4)
            - i64::try_from(leading).unwrap_or(i64::MAX / 4);
        Self { negative, digits, exponent: power.saturating_add(point) }
    }

    /// Whether it is a whole number (`1.0` is).
    pub fn is_whole(&self) -> bool {
        i64::try_from(self.digits.len()).is_ok_and(|len| len <= self.exponent) || self.digits.is_empty()
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |d: &Self| match (d.digits.is_empty(), d.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let size = || self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            1 => size(),
            _ => size().reverse(),
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number that a person typed, its text kept where JSON writes numbers so; spellings that JSON lacks but
/// everybody reads (`+5`, `.5`, `5.`, `007`) are mended. `None` where it is no number.
pub fn typed(text: &str) -> Option<Number> {
    let text = text.trim();
    if let Some(number) = spelled(text) {
        return Some(number);
    }
    let (sign, rest) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let plain = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !plain(whole) || !plain(fraction) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if fraction.is_empty() { "" } else { "." };
    spelled(&format!("{sign}{whole}{point}{fraction}"))
}

/// The JSON number that `text` is, to the letter.
fn spelled(text: &str) -> Option<Number> {
    let starts = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let ends = text.ends_with(|c: char| c.is_ascii_digit());
    (starts && ends).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::of(&text.parse().unwrap())
    }

    #[test]
    fn spellings_of_one_value_are_equal_and_neighbours_are_not() {
        for (a, b) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("0.001", "1e-3"),
            ("-0", "0.00"),
            ("1.10", "1.1"),
            ("12e1", "1.2E+2"),
        ] {
            assert_eq!(decimal(a), decimal(b), "{a} {b}");
        }
        assert!(decimal("3791411052119578828") < decimal("3791411052119578829"));
        assert!(
            decimal("-2") < decimal("-1") && decimal("-1") < decimal("0") && decimal("0") < decimal("1e-9")
        );
        assert!(
            decimal("1e99999999999999999999") > decimal("9e9")
                && decimal("1e-99999999999999999999") > decimal("0")
        );
    }

    #[test]
    fn whole_numbers_are_told_by_value() {
        for whole in ["0", "-3", "1.0", "1e3", "1200e-2", "18446744073709551616"] {
            assert!(decimal(whole).is_whole(), "{whole}");
        }
        for broken in ["0.5", "1e-1", "123e-2", "18446744073709551616.1"] {
            assert!(!decimal(broken).is_whole(), "{broken}");
        }
    }

    #[test]
    fn what_a_person_types_keeps_its_text() {
        for (text, number) in [
            ("42", "42"),
            (" 1.10 ", "1.10"),
            ("+5", "5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("007", "7"),
            ("-.5", "-0.5"),
            ("3791411052119578828", "3791411052119578828"),
        ] {
            assert_eq!(typed(text).map(|n| n.to_string()).as_deref(), Some(number), "{text}");
        }
        for wrong in ["", " ", ".", "-", "12a", "1,000", "201–500", "1e", "NaN", "0x10", "1 2"] {
            assert_eq!(typed(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_the_integers(a in any::<i64>(), b in any::<i64>(), zeros in 0usize..4) {
            let (x, y) = (decimal(&a.to_string()), decimal(&format!("{b}.{:0zeros$}0", 0)));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }
    }
}
