//! Filters for dates. They read what JavaScript's `Date` reads and write by a `strftime` format; UTC unless told another zone.

mod civil;
mod format;
mod parse;
mod token;
mod zone;

use super::Call;
use crate::budget::Stop;
use crate::value::Value;

use civil::{LIMIT, MINUTE};
use format::format;
use zone::Zone;

/// What `date` writes where no format is told.
const DEFAULT_FORMAT: &str = "%A, %B %-e, %Y at %-l:%M %P %z";

/// A point in time, and the clock that shows it.
#[derive(Clone, Debug)]
struct Date {
    /// Milliseconds since 1970 in UTC.
    utc: i64,
    /// The same, moved by the zone's offset.
    local: i64,
    zone: Zone,
}

/// The date in a format (and a zone: minutes west of UTC, or a name). What is no date is handed through.
pub(super) fn date(call: Call<'_>) -> Result<Value, Stop> {
    let zone = call.arg(1)?;
    let Some(date) = read(&call, &zone)? else { return Ok(call.input) };
    let pattern = match call.arg(0)? {
        Value::Undefined | Value::Null | Value::Nil => DEFAULT_FORMAT.into(),
        pattern => pattern.to_text(call.env)?,
    };
    format(&date, &pattern, call.meter())
}

pub(super) fn date_to_xmlschema(call: Call<'_>) -> Result<Value, Stop> {
    fixed(call, "%Y-%m-%dT%H:%M:%S%:z")
}

pub(super) fn date_to_rfc822(call: Call<'_>) -> Result<Value, Stop> {
    fixed(call, "%a, %d %b %Y %H:%M:%S %z")
}

pub(super) fn date_to_string(call: Call<'_>) -> Result<Value, Stop> {
    styled(call, "%b")
}

pub(super) fn date_to_long_string(call: Call<'_>) -> Result<Value, Stop> {
    styled(call, "%B")
}

/// `01 Mar 2024`; in the style `ordinal` it is `1st Mar 2024`, and `Mar 1st, 2024` in the style `ordinal, US`.
fn styled(call: Call<'_>, month: &str) -> Result<Value, Stop> {
    let is = |index: usize, name: &str| {
        Ok::<_, Stop>(matches!(call.arg(index)?, Value::Text(text) if &*text == name))
    };
    let pattern = match (is(0, "ordinal")?, is(1, "US")?) {
        (true, true) => format!("{month} %-d%q, %Y"),
        (true, false) => format!("%-d%q {month} %Y"),
        _ => format!("%d {month} %Y"),
    };
    fixed(call, &pattern)
}

fn fixed(call: Call<'_>, pattern: &str) -> Result<Value, Stop> {
    let Some(date) = read(&call, &Value::Undefined)? else { return Ok(call.input) };
    format(&date, pattern, call.meter())
}

fn read(call: &Call<'_>, zone: &Value) -> Result<Option<Date>, Stop> {
    let meter = call.meter();
    meter.step(8)?;
    let utc = match &call.input {
        Value::Undefined | Value::Null | Value::Nil => return Ok(None),
        Value::Number(number) => clip(number.value * 1000.0),
        Value::Bool(value) => clip(f64::from(u8::from(*value))),
        Value::Text(text) if matches!(&**text, "now" | "today") => clip(call.env.now.as_millisecond() as f64),
        Value::Text(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            clip(call.input.to_number(meter)? * 1000.0)
        }
        other => {
            let text = other.clone().plain().spell(meter)?;
            // Longer texts than dates are can be read as such, too, and take their time.
            meter.step(text.len() as u64 / 4)?;
            parse::parse(&text)
        }
    };
    let Some(utc) = utc else { return Ok(None) };
    let zone = match zone {
        Value::Undefined | Value::Null => Zone::Utc,
        Value::Text(name) => Zone::named(name, utc)?,
        minutes => Zone::Minutes(minutes.to_number(meter)?),
    };
    let local = clip(utc as f64 - zone.minutes_west() * MINUTE);
    Ok(local.map(|local| Date { utc, local, zone }))
}

/// JavaScript's `TimeClip`: whole milliseconds, within the time that a `Date` can hold.
fn clip(milliseconds: f64) -> Option<i64> {
    (milliseconds.abs() <= LIMIT).then_some(milliseconds as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use crate::filters::testing::apply;

    fn date(input: Json, args: &[Json]) -> String {
        apply("date", input, args)
    }

    #[test]
    fn inputs() {
        let day = || json!("%F|%Y-%m-%d %H:%M:%S.%L");
        assert_eq!(date(json!("2024-03-05T07:08:09.123Z"), &[day()]), r#""%F|2024-03-05 07:08:09.123""#);
        assert_eq!(date(json!(1700000000), &[json!("%s")]), r#""1700000000""#);
        assert_eq!(date(json!("1152098955"), &[json!("%Y")]), r#""2006""#);
        assert_eq!(date(json!("now"), &[json!("%Y-%m-%d")]), r#""2024-01-01""#);
        assert_eq!(date(json!(true), &[json!("%L")]), r#""001""#);
        assert_eq!(date(json!(["2024-03-05"]), &[json!("%d")]), r#""05""#);
        assert_eq!(date(json!("no date"), &[json!("%Y")]), r#""no date""#);
        assert_eq!(date(json!({ "a": 1 }), &[json!("%Y")]), r#"{"a":1}"#);
        assert_eq!(date(json!(null), &[json!("%Y")]), "null");
        assert_eq!(date(json!(""), &[json!("%Y")]), r#""""#);
        assert_eq!(date(json!(1e308), &[json!("%Y")]), "1e+308");
        assert_eq!(date(json!(-9e18), &[json!("%Y")]), "-9000000000000000000");
        assert_eq!(date(json!(0), &[]), r#""Thursday, January 1, 1970 at 12:00 am +0000""#);
    }

    #[test]
    fn zones() {
        let at = |zone: Json| date(json!("2024-07-01T00:00:00Z"), &[json!("%H:%M %z %:z %Z"), zone]);
        assert_eq!(at(json!(null)), r#""00:00 +0000 +00:00 UTC""#);
        assert_eq!(at(json!(360)), r#""18:00 -0600 -06:00 -0600""#);
        assert_eq!(at(json!(-345)), r#""05:45 +0545 +05:45 +0545""#);
        assert_eq!(at(json!("America/New_York")), r#""20:00 -0400 -04:00 America/New_York""#);
        assert!(at(json!("Mars/Olympus")).starts_with("Refused"));
        assert_eq!(at(json!(1e308)), r#""2024-07-01T00:00:00Z""#);
    }

    #[test]
    fn styles() {
        let first = || json!("2024-03-01");
        assert_eq!(apply("date_to_string", first(), &[]), r#""01 Mar 2024""#);
        assert_eq!(apply("date_to_string", first(), &[json!("ordinal")]), r#""1st Mar 2024""#);
        assert_eq!(
            apply("date_to_long_string", first(), &[json!("ordinal"), json!("US")]),
            r#""March 1st, 2024""#
        );
        assert_eq!(apply("date_to_xmlschema", first(), &[]), r#""2024-03-01T00:00:00+00:00""#);
        assert_eq!(apply("date_to_rfc822", first(), &[]), r#""Fri, 01 Mar 2024 00:00:00 +0000""#);
        assert_eq!(apply("date_to_rfc822", json!("x"), &[]), r#""x""#);
    }
}
