//! Dates and date-times as text: RFC 3339, as a form's `date` and `date-time` mean it.
//!
//! Written here rather than taken from a date library because it runs in the browser too, where such a library
//! would weigh more than the whole grid, and because a form only asks two things of a text: is it well-formed,
//! and where does its wall clock end and its offset begin.

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    /// 0 to 9999 in texts.
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// The day `days` after 1970-01-01.
    ///
    /// Howard Hinnant's `civil_from_days`: years start in March, eras of 400 years.
    pub fn from_days(days: i64) -> Self {
        let z = days + 719_468;
        let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
        let mp = (5 * doy + 2) / 153;
        let month = if mp < 10 { mp + 3 } else { mp - 9 };
        let year = yoe + era * 400 + i64::from(month <= 2);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 31 and 1 to 12")]
        Self { year, month: month as u8, day: (doy - (153 * mp + 2) / 5 + 1) as u8 }
    }

    /// The date that `text` writes as `YYYY-MM-DD`, if it is one.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
            return None;
        }
        let date = Self {
            year: i64::from(digits(&bytes[..4])?),
            month: pair(&bytes[5..7])?,
            day: pair(&bytes[8..])?,
        };
        (date.day >= 1 && date.day <= days_in(date.year, date.month)).then_some(date)
    }
}

/// A date-time taken apart: what a clock on the wall shows, and the offset from UTC that makes it an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTime<'a> {
    /// `YYYY-MM-DDTHH:MM:SS`, with its fraction if it has one.
    pub wall: &'a str,
    /// `Z`, or `+HH:MM` or `-HH:MM`.
    pub offset: &'a str,
}

impl<'a> DateTime<'a> {
    /// Takes an RFC 3339 date-time apart, if `text` is one. A 60th second is one only at the end of a UTC day.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (date, time) = (text.get(..10)?, text.get(11..)?);
        Date::parse(date)?;
        if !matches!(text.as_bytes()[10], b'T' | b't') {
            return None;
        }
        let bytes = time.as_bytes();
        if bytes.len() < 9 || bytes[2] != b':' || bytes[5] != b':' {
            return None;
        }
        let (hour, minute, second) = (pair(&bytes[..2])?, pair(&bytes[3..5])?, pair(&bytes[6..8])?);
        let mut end = 8;
        if bytes[end] == b'.' {
            end += 1 + bytes[end + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
            if end == 9 {
                return None;
            }
        }
        let offset = time.get(end..)?;
        let east = offset_minutes(offset)?;
        let utc = (i32::from(hour) * 60 + i32::from(minute) - east).rem_euclid(1440);
        let leap = second == 60 && utc == 1439;
        let sound = hour < 24 && minute < 60 && (second < 60 || leap);
        sound.then_some(Self { wall: &text[..11 + end], offset })
    }
}

/// Minutes east of UTC for `Z`, `+HH:MM` or `-HH:MM`.
pub fn offset_minutes(offset: &str) -> Option<i32> {
    let bytes = offset.as_bytes();
    let sign = match bytes.first()? {
        b'Z' | b'z' if bytes.len() == 1 => return Some(0),
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    if bytes.len() != 6 || bytes[3] != b':' {
        return None;
    }
    let (hours, minutes) = (pair(&bytes[1..3])?, pair(&bytes[4..])?);
    (hours < 24 && minutes < 60).then(|| sign * (i32::from(hours) * 60 + i32::from(minutes)))
}

fn days_in(year: i64, month: u8) -> u8 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    }
}

fn pair(bytes: &[u8]) -> Option<u8> {
    digits(bytes).and_then(|n| u8::try_from(n).ok())
}

fn digits(bytes: &[u8]) -> Option<u16> {
    bytes.iter().try_fold(0, |n, b| b.is_ascii_digit().then(|| n * 10 + u16::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_time_is_taken_apart_where_its_offset_begins() {
        let apart = |text| DateTime::parse(text).map(|at| (at.wall, at.offset));
        assert_eq!(apart("2026-03-24T12:00:00Z"), Some(("2026-03-24T12:00:00", "Z")));
        assert_eq!(apart("2026-03-01t10:00:00.250-08:00"), Some(("2026-03-01t10:00:00.250", "-08:00")));
        for wrong in [
            "2026-02-29T00:00:00Z",
            "2026-03-24 12:00:00Z",
            "2026-03-24T12:00Z",
            "2026-03-24T12:00:00",
            "2026-03-24T12:00:00.Z",
            "2026-03-24T24:00:00Z",
            "2026-03-24T12:00:60Z",
            "2026-03-24T12:00:00+2:00",
            "é026-03-24T12:00:00Z",
        ] {
            assert_eq!(apart(wrong), None, "{wrong}");
        }
        assert!(apart("2016-12-31T23:59:60Z").is_some() && apart("2017-01-01T01:59:60+02:00").is_some());
    }

    #[test]
    fn days_and_dates_agree() {
        assert_eq!(Date::from_days(0), Date { year: 1970, month: 1, day: 1 });
        assert_eq!(Date::from_days(19_782), Date { year: 2024, month: 2, day: 29 });
        assert_eq!(Date::parse("2024-02-29"), Some(Date { year: 2024, month: 2, day: 29 }));
        assert_eq!(
            (Date::parse("2023-02-29"), Date::parse("2024-00-10"), Date::parse("2024-1-10")),
            (None, None, None)
        );
    }
}
