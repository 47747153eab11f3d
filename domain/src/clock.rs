//! Time as it is handed in: moments on the server's clock.

use crate::calendar::Date;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An instant, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    /// The moment `seconds` later.
    pub fn plus_seconds(self, seconds: u32) -> Self {
        Self(self.0 + i64::from(seconds) * 1000)
    }

    /// Milliseconds from this moment until `later`; zero where that is past.
    pub fn until(self, later: Self) -> u64 {
        u64::try_from(later.0 - self.0).unwrap_or(0)
    }
}

impl fmt::Display for Moment {
    /// RFC 3339 in UTC with milliseconds and `Z`: `2026-07-16T12:00:00.000Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, ms) = (self.0.div_euclid(86_400_000), self.0.rem_euclid(86_400_000));
        let Date { year, month, day } = Date::from_days(days);
        let (hour, minute, second, milli) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

/// Where the time comes from; the server reads its machine's clock, tests wind theirs by hand.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Moment;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(Moment(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Moment(1_784_203_200_000).to_string(), "2026-07-16T12:00:00.000Z");
        assert_eq!(Moment(-1).to_string(), "1969-12-31T23:59:59.999Z");
        assert_eq!(Moment(1_709_164_800_007).to_string(), "2024-02-29T00:00:00.007Z");
    }
}
