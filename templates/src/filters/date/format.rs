//! LiquidJS's `strftime`.

use super::Date;
use super::civil::Civil;
use super::zone::Zone;
use crate::budget::{Meter, Stop};
use crate::filters::Output;
use crate::number;
use crate::value::Value;
use crate::value::print::scan;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Writes a date by a pattern. What is no conversion is copied as it stands.
pub(super) fn format(date: &Date, pattern: &str, meter: &Meter) -> Result<Value, Stop> {
    scan(pattern.len(), meter)?;
    let civil = Civil::at(date.local);
    let mut out = Output::new(meter);
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at])?;
        rest = &rest[at..];
        let (directive, length) = Directive::parse(rest);
        let converted = match directive.conversion {
            Some(conversion) => {
                meter.step(2)?;
                convert(date, &civil, &directive, conversion, &mut out)?
            }
            None => false,
        };
        if !converted {
            out.push_str(&rest[..length])?;
        }
        rest = &rest[length..];
    }
    out.push_str(rest)?;
    out.finish()
}

/// `%`, flags, a width, a modifier (which changes nothing) and the conversion.
struct Directive<'p> {
    flags: &'p str,
    width: usize,
    conversion: Option<char>,
}

impl<'p> Directive<'p> {
    /// Also says how much of the pattern it is. Where the conversion is missing, LiquidJS takes the last character before for
    /// one that it does not know.
    fn parse(pattern: &'p str) -> (Self, usize) {
        let flags_on = &pattern[1..];
        let width_on = flags_on.trim_start_matches(['-', '_', '0', '^', '#', ':']);
        let modifier_on = width_on.trim_start_matches(|c: char| c.is_ascii_digit());
        let conversion_on = modifier_on.strip_prefix(['E', 'O']).unwrap_or(modifier_on);
        let conversion =
            conversion_on.chars().next().filter(|c| !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}'));
        let digits = &width_on[..width_on.len() - modifier_on.len()];
        let directive = Directive {
            flags: &flags_on[..flags_on.len() - width_on.len()],
            // A width that is not even a number is more than any budget.
            width: if digits.is_empty() { 0 } else { digits.parse().unwrap_or(usize::MAX) },
            conversion,
        };
        let length = pattern.len() - conversion_on.len() + conversion.map_or(0, char::len_utf8);
        (directive, length)
    }

    fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }
}

/// Writes one conversion; false where there is none of this letter.
fn convert(
    date: &Date,
    civil: &Civil,
    directive: &Directive<'_>,
    conversion: char,
    out: &mut Output<'_>,
) -> Result<bool, Stop> {
    let Some(mut text) = expand(date, civil, directive, conversion, out.meter())? else { return Ok(false) };
    if directive.has('^') {
        text = text.to_uppercase();
    } else if directive.has('#') {
        let has_lower = text.bytes().any(|byte| byte.is_ascii_lowercase());
        text = if has_lower { text.to_uppercase() } else { text.to_lowercase() };
    }
    let pad = match conversion {
        _ if directive.has('_') => ' ',
        _ if directive.has('0') => '0',
        'a' | 'A' | 'b' | 'B' | 'c' | 'e' | 'k' | 'l' | 'p' | 'P' => ' ',
        _ => '0',
    };
    let width = match directive.width {
        _ if directive.has('-') => 0,
        0 => default_width(conversion),
        width => width,
    };
    let missing = width.saturating_sub(text.encode_utf16().count());
    // A sign stands before the zeros.
    let unsigned = if pad == '0' { text.strip_prefix('-') } else { None };
    if unsigned.is_some() {
        out.push('-')?;
    }
    out.fill(pad, missing)?;
    out.push_str(unsigned.unwrap_or(&text))?;
    Ok(true)
}

fn default_width(conversion: char) -> usize {
    match conversion {
        'C' | 'd' | 'e' | 'H' | 'I' | 'k' | 'l' | 'm' | 'M' | 'S' | 'U' | 'W' | 'y' => 2,
        'j' | 'L' => 3,
        'Y' => 4,
        _ => 0,
    }
}

fn expand(
    date: &Date,
    civil: &Civil,
    directive: &Directive<'_>,
    conversion: char,
    meter: &Meter,
) -> Result<Option<String>, Stop> {
    let month = MONTHS[(civil.month - 1) as usize];
    let weekday = WEEKDAYS[civil.weekday as usize];
    let hour_of_12 = if civil.hour % 12 == 0 { 12 } else { civil.hour % 12 };
    let half = if civil.hour < 12 { "AM" } else { "PM" };
    let american_date = || {
        // There is no year 0 and no era in this notation: 1 BC is written like 1 AD.
        let year = if civil.year > 0 { civil.year } else { 1 - civil.year };
        format!("{}/{}/{year}", civil.month, civil.day)
    };
    let american_time = || format!("{hour_of_12}:{:02}:{:02} {half}", civil.minute, civil.second);
    Ok(Some(match conversion {
        'a' => weekday[..3].to_owned(),
        'A' => weekday.to_owned(),
        'b' | 'h' => month[..3].to_owned(),
        'B' => month.to_owned(),
        'c' => format!("{}, {}", american_date(), american_time()),
        'C' => civil.year.div_euclid(100).to_string(),
        'd' | 'e' => civil.day.to_string(),
        'H' | 'k' => civil.hour.to_string(),
        'I' | 'l' => hour_of_12.to_string(),
        'j' => civil.day_of_year.to_string(),
        'L' => civil.millisecond.to_string(),
        'm' => civil.month.to_string(),
        'M' => civil.minute.to_string(),
        'N' => {
            let width = if directive.width == 0 { 9 } else { directive.width };
            let mut text = format!("{:03}", civil.millisecond);
            text.truncate(width);
            let missing = width - text.len();
            meter.memory(missing)?;
            text.extend(std::iter::repeat_n('0', missing));
            text
        }
        'p' => half.to_owned(),
        'P' => half.to_lowercase(),
        'q' => ordinal(civil.day).to_owned(),
        's' => date.utc.div_euclid(1000).to_string(),
        'S' => civil.second.to_string(),
        'u' => (if civil.weekday == 0 { 7 } else { civil.weekday }).to_string(),
        'U' => civil.week(0).to_string(),
        'w' => civil.weekday.to_string(),
        'W' => civil.week(1).to_string(),
        'x' => american_date(),
        'X' => american_time(),
        'y' => civil.year.rem_euclid(100).to_string(),
        'Y' => civil.year.to_string(),
        'z' => offset(date, directive),
        'Z' => match &date.zone {
            Zone::Utc => "UTC".to_owned(),
            Zone::Named(name, _) => name.to_string(),
            Zone::Minutes(_) => offset(date, directive),
        },
        't' => "\t".to_owned(),
        'n' => "\n".to_owned(),
        '%' => "%".to_owned(),
        _ => return Ok(None),
    }))
}

fn ordinal(day: i64) -> &'static str {
    match day {
        11..=13 => "th",
        _ if day % 10 == 1 => "st",
        _ if day % 10 == 2 => "nd",
        _ if day % 10 == 3 => "rd",
        _ => "th",
    }
}

fn offset(date: &Date, directive: &Directive<'_>) -> String {
    let west = date.zone.minutes_west();
    let sign = if west > 0.0 { '-' } else { '+' };
    let colon = if directive.has(':') { ":" } else { "" };
    let hours = number::print((west.abs() / 60.0).floor());
    let minutes = number::print(west.abs() % 60.0);
    format!("{sign}{hours:0>2}{colon}{minutes:0>2}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::filters::testing::apply;

    fn at(input: &str, pattern: &str) -> String {
        serde_json::from_str(&apply("date", json!(input), &[json!(pattern)])).expect("a text")
    }

    #[test]
    fn conversions() {
        let moment = "2024-03-05T07:08:09.123Z";
        for (pattern, expected) in [
            ("%a %A %b %B %h", "Tue Tuesday Mar March Mar"),
            ("%c|%x|%X", "3/5/2024, 7:08:09 AM|3/5/2024|7:08:09 AM"),
            ("%C %d %e %H %I %j %k %l", "20 05  5 07 07 065  7  7"),
            ("%L %m %M %N %3N %12N", "123 03 08 123000000 123 123000000000"),
            ("%p %P %q %s %S %u %U %w %W %y %Y", "AM am th 1709622489 09 2 09 2 10 24 2024"),
            ("%z %:z %Z %t %n %%", "+0000 +00:00 UTC \t \n %"),
            ("%-d %_d %05d %^a %#a %#p %10Y %-10Y", "5  5 00005 TUE TUE am 0000002024 2024"),
            ("%Ey %Od %5% %F %T", "24 05 0000% %F %T"),
            ("% %- %5", "% %- %5"),
            ("%é %\n%d", "%é %\n05"),
            ("%_10a|%^B|%-l", "       Tue|MARCH|7"),
        ] {
            assert_eq!(at(moment, pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn years_before_ours() {
        assert_eq!(at("-000044-03-15", "%Y %C %y %6Y %x"), "-044 -1 56 -00044 3/15/45");
    }

    #[test]
    fn widths_are_charged_for() {
        let width = |width: &str| apply("date", json!(0), &[json!(format!("%{width}Y"))]);
        assert_eq!(width("100000").len(), 100_002);
        assert!(width("999999999").starts_with("Budget"));
        assert!(width("99999999999999999999999999").starts_with("Budget"));
        assert!(width("99999999999999999999999999").contains("bytes"));
        assert!(apply("date", json!(0), &[json!("%99999999999999999999999999N")]).starts_with("Budget"));
    }
}
