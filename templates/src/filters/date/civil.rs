//! The calendar behind a count of milliseconds: the Gregorian one, at all times, over the whole range of JavaScript's `Date`
//! (which is 27 times that of jiff).

/// Milliseconds in a minute.
pub(super) const MINUTE: f64 = 60_000.0;

/// Milliseconds in a day.
pub(super) const DAY: i64 = 86_400_000;

/// The last millisecond, and the first one with a minus, that a `Date` can hold.
pub(super) const LIMIT: f64 = 8.64e15;

/// A date and a time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    pub year: i64,
    /// 1 to 12.
    pub month: i64,
    /// 1 to 31.
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub millisecond: i64,
    /// 0 is Sunday.
    pub weekday: i64,
    /// 1 to 366.
    pub day_of_year: i64,
}

impl Civil {
    pub fn at(milliseconds: i64) -> Civil {
        let days = milliseconds.div_euclid(DAY);
        let time = milliseconds.rem_euclid(DAY);
        // Howard Hinnant's `civil_from_days`: years begin in March, and 400 of them are an era.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_march_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_march_year + 2) / 153;
        let day = day_of_march_year - (153 * march_month + 2) / 5 + 1;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Civil {
            year,
            month,
            day,
            hour: time / 3_600_000,
            minute: time / 60_000 % 60,
            second: time / 1_000 % 60,
            millisecond: time % 1_000,
            weekday: (days + 4).rem_euclid(7),
            // LiquidJS's year 0 has no leap day, and counts on as if there had been none.
            day_of_year: days - days_before(year, 1, 1) + 1 - i64::from(year == 0 && month > 2),
        }
    }

    /// The week of the year, when weeks begin on a day; the days before the first one are in week 0.
    pub fn week(&self, first_weekday: i64) -> i64 {
        let since_first = (self.weekday - first_weekday).rem_euclid(7);
        (self.day_of_year - 1 - since_first + 7).div_euclid(7)
    }
}

/// Days from 1970 to a date. A day beyond the month's end is in the next month.
pub(super) fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let march_year = if month <= 2 { year - 1 } else { year };
    let era = march_year.div_euclid(400);
    let year_of_era = march_year.rem_euclid(400);
    let day_of_march_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_march_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_there_and_back() {
        for days in (-100_000_000..=100_000_000i64).step_by(9_973) {
            let civil = Civil::at(days * DAY);
            assert_eq!(days_before(civil.year, civil.month, civil.day), days);
            assert!((1..=366).contains(&civil.day_of_year));
        }
    }

    #[test]
    fn known_days() {
        let civil = Civil::at(1_709_622_489_123);
        assert_eq!(
            (civil.year, civil.month, civil.day, civil.weekday, civil.day_of_year),
            (2024, 3, 5, 2, 65)
        );
        assert_eq!((civil.hour, civil.minute, civil.second, civil.millisecond), (7, 8, 9, 123));
        assert_eq!((civil.week(0), civil.week(1)), (9, 10));
        assert_eq!(Civil::at(-1).year, 1969);
        assert_eq!(days_before(2024, 2, 31), days_before(2024, 3, 2));
    }
}
