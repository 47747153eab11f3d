//! How far from UTC a date is shown.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::civil::DAY;
use crate::budget::Stop;

/// The zone that a filter was told.
#[derive(Clone, Debug)]
pub(super) enum Zone {
    /// None was told.
    Utc,
    /// Minutes west of UTC, as JavaScript counts them.
    Minutes(f64),
    /// A name of the time zone database, and what it means at the date.
    Named(Arc<str>, f64),
}

impl Zone {
    /// Looks up a name for a point in time.
    pub fn named(name: &Arc<str>, milliseconds: i64) -> Result<Zone, Stop> {
        let known =
            if is_special(name) { None } else { TimeZone::get(abbreviated(name).unwrap_or(name)).ok() };
        let Some(zone) = known else {
            return Err(Stop::Refused(format!(
                "the time zone {:?} is not known; write a name such as \"Europe/Berlin\" or the minutes west of UTC",
                name.chars().take(40).collect::<String>()
            )));
        };
        let seconds = zone.to_offset(representable(milliseconds)).seconds();
        Ok(Zone::Named(name.clone(), -f64::from(seconds) / 60.0))
    }

    pub fn minutes_west(&self) -> f64 {
        match self {
            Zone::Utc => 0.0,
            Zone::Minutes(minutes) | Zone::Named(_, minutes) => *minutes,
        }
    }
}

/// The nearest time with the same offset that jiff can hold: rules repeat every 400 years, and there were none before year -9999.
fn representable(milliseconds: i64) -> Timestamp {
    const CYCLE: i64 = 146_097 * DAY;
    let latest = Timestamp::MAX.as_millisecond() - DAY;
    let beyond = milliseconds - latest;
    let milliseconds =
        if beyond > 0 { milliseconds - (beyond + CYCLE - 1) / CYCLE * CYCLE } else { milliseconds };
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::MIN)
}

/// Names that jiff knows and JavaScript does not.
fn is_special(name: &str) -> bool {
    ["Z", "Factory", "localtime", "Etc/Unknown"].iter().any(|special| special.eq_ignore_ascii_case(name))
}

/// The abbreviations that JavaScript engines take for zones, though the database has no such names.
fn abbreviated(name: &str) -> Option<&'static str> {
    const ABBREVIATIONS: [(&str, &str); 24] = [
        ("ACT", "Australia/Darwin"),
        ("AET", "Australia/Sydney"),
        ("AGT", "America/Argentina/Buenos_Aires"),
        ("ART", "Africa/Cairo"),
        ("AST", "America/Anchorage"),
        ("BET", "America/Sao_Paulo"),
        ("BST", "Asia/Dhaka"),
        ("CAT", "Africa/Maputo"),
        ("CNT", "America/St_Johns"),
        ("CST", "America/Chicago"),
        ("CTT", "Asia/Shanghai"),
        ("EAT", "Africa/Addis_Ababa"),
        ("ECT", "Europe/Paris"),
        ("IET", "America/Indianapolis"),
        ("IST", "Asia/Kolkata"),
        ("JST", "Asia/Tokyo"),
        ("MIT", "Pacific/Apia"),
        ("NET", "Asia/Yerevan"),
        ("NST", "Pacific/Auckland"),
        ("PLT", "Asia/Karachi"),
        ("PNT", "America/Phoenix"),
        ("PRT", "America/Puerto_Rico"),
        ("PST", "America/Los_Angeles"),
        ("VST", "Asia/Ho_Chi_Minh"),
    ];
    ABBREVIATIONS.iter().find(|(short, _)| short.eq_ignore_ascii_case(name)).map(|(_, long)| *long)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn west(name: &str, milliseconds: i64) -> Option<f64> {
        Zone::named(&Arc::from(name), milliseconds).ok().map(|zone| zone.minutes_west())
    }

    #[test]
    fn names() {
        let summer = 1_719_792_000_000;
        assert_eq!(west("America/New_York", summer), Some(240.0));
        assert_eq!(west("america/new_york", 1_704_067_200_000), Some(300.0));
        assert_eq!(west("UTC", summer), Some(0.0));
        assert_eq!(west("PST", summer), Some(420.0));
        for unknown in ["", "Z", "+08:00", "480", "GMT+5", "Mars/Olympus", "../../etc/passwd"] {
            assert_eq!(west(unknown, summer), None, "{unknown}");
        }
    }

    #[test]
    fn far_times() {
        assert_eq!(west("America/New_York", 6_248_000_000_000_000), Some(240.0));
        assert_eq!(west("Asia/Tokyo", 8_640_000_000_000_000), Some(-540.0));
        assert!(west("Asia/Tokyo", -8_640_000_000_000_000).is_some());
    }
}
