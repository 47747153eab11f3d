//! JavaScript's `Date.parse` as V8 does it: ISO 8601 first, and what is left by the rules of old browsers, which read nearly
//! anything that has a day, a month and a year. Times without a zone are UTC.

use super::civil::{DAY, days_before};
use super::clip;
use super::token::{Reader, Token};

/// Milliseconds since 1970, or nothing where the text is no date.
pub(super) fn parse(text: &str) -> Option<i64> {
    let mut reader = Reader::new(text);
    let mut date = Parts::default();
    match date.iso(&mut reader)? {
        Token::End => {}
        token => date.legacy(token, &mut reader)?,
    }
    date.milliseconds()
}

/// A date under construction.
#[derive(Default)]
struct Parts {
    days: Vec<i64>,
    month: Option<i64>,
    times: Vec<i64>,
    half: Option<i64>,
    sign: Option<i64>,
    zone_hour: Option<i64>,
    zone_minute: Option<i64>,
    iso: bool,
}

impl Parts {
    /// Reads an ISO date. It gives back the token with which it stopped being one: the end, if it never did.
    fn iso(&mut self, reader: &mut Reader<'_>) -> Option<Token> {
        if reader.peek().is_sign() {
            let sign = reader.next();
            let Some(year) = reader.peek().fixed(6) else { return Some(sign) };
            reader.next();
            if sign == Token::Symbol('-') && year == 0 {
                return Some(sign);
            }
            self.days.push(if sign == Token::Symbol('-') { -year } else { year });
        } else if let Some(year) = reader.peek().fixed(4) {
            reader.next();
            self.days.push(year);
        } else {
            return Some(reader.next());
        }
        for limit in [12, 31] {
            if !reader.skip('-') {
                break;
            }
            match reader.peek().fixed(2) {
                Some(part) if (1..=limit).contains(&part) => self.days.push(part),
                _ => return Some(reader.next()),
            }
            reader.next();
        }
        if reader.peek() == Token::Separator {
            reader.next();
            self.iso_time(reader)?;
        } else if reader.peek() != Token::End {
            return Some(reader.next());
        }
        self.iso = true;
        Some(Token::End)
    }

    /// Reads what follows the `T`, which has to be a time to the end.
    fn iso_time(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        let hour = reader.fixed(2, 24)?;
        // At 24 o'clock the day is over.
        let last = if hour == 24 { 0 } else { 59 };
        self.times.push(hour);
        if !reader.skip(':') {
            return None;
        }
        self.times.push(reader.fixed(2, last)?);
        if reader.skip(':') {
            self.times.push(reader.fixed(2, last)?);
            if reader.skip('.') {
                let fraction = reader.next();
                if hour == 24 && matches!(fraction, Token::Number { value: 1.., .. }) {
                    return None;
                }
                self.times.push(fraction.milliseconds()?);
            }
        }
        if reader.peek().is_z() {
            reader.next();
            self.zone(0);
        } else if reader.peek().is_sign() {
            self.sign = Some(if reader.next() == Token::Symbol('-') { -1 } else { 1 });
            let (hour, minute) = match reader.peek().fixed(4) {
                Some(both) => {
                    reader.next();
                    (both / 100, both % 100)
                }
                None => {
                    let hour = reader.fixed(2, 23)?;
                    if !reader.skip(':') {
                        return None;
                    }
                    (hour, reader.fixed(2, 59)?)
                }
            };
            if hour > 23 || minute > 59 {
                return None;
            }
            self.zone_hour = Some(hour);
            self.zone_minute = Some(minute);
        }
        (reader.peek() == Token::End).then_some(())
    }

    fn legacy(&mut self, first: Token, reader: &mut Reader<'_>) -> Option<()> {
        let mut has_number = !self.days.is_empty();
        let mut token = first;
        while token != Token::End {
            match token {
                Token::Number { value, .. } => {
                    has_number = true;
                    self.legacy_number(value, reader)?;
                }
                Token::Half(hours) if !self.times.is_empty() => self.half = Some(hours),
                Token::Month(month) => {
                    self.month = Some(month);
                    reader.skip('-');
                }
                Token::Zone { hours, .. } if has_number => self.zone(hours),
                Token::Half(_) | Token::Zone { .. } | Token::Separator | Token::Word => {
                    // Words are ignored before the first number, unless they touch it.
                    if has_number || matches!(reader.peek(), Token::Number { .. }) {
                        return None;
                    }
                }
                Token::Symbol(sign @ ('+' | '-')) if self.is_utc() || !self.times.is_empty() => {
                    has_number = true;
                    self.legacy_zone(if sign == '-' { -1 } else { 1 }, reader)?;
                }
                Token::Symbol('+' | '-' | ')') if has_number => return None,
                Token::Symbol(_) | Token::Space | Token::Other | Token::End => {}
            }
            token = reader.next();
        }
        Some(())
    }

    fn legacy_number(&mut self, number: i64, reader: &mut Reader<'_>) -> Option<()> {
        if reader.skip(':') {
            if reader.skip(':') {
                if !self.times.is_empty() {
                    return None;
                }
                self.times.extend([number, 0]);
            } else {
                self.add_time(number)?;
                reader.skip('.');
            }
            return Some(());
        }
        // The point is passed over even where no time is expected.
        if reader.skip('.') && self.expects_time(number) {
            self.add_time(number)?;
            let fraction = reader.next().milliseconds()?;
            self.finish_time(fraction);
            return Some(());
        }
        if self.zone_hour.is_some() && self.zone_minute.is_none() && (0..60).contains(&number) {
            self.zone_minute = Some(number);
        } else if self.expects_time(number) {
            self.finish_time(number);
            let next = reader.peek();
            if !(matches!(next, Token::End | Token::Space) || next.is_z() || next.is_sign()) {
                return None;
            }
        } else {
            if self.days.len() == 3 {
                return None;
            }
            self.days.push(number);
            reader.skip('-');
        }
        Some(())
    }

    fn legacy_zone(&mut self, sign: i64, reader: &mut Reader<'_>) -> Option<()> {
        self.sign = Some(sign);
        let (number, length) = match reader.peek() {
            Token::Number { value, length } => {
                reader.next();
                (value, length)
            }
            _ => (0, 0),
        };
        (self.zone_hour, self.zone_minute) = match length {
            _ if reader.peek() == Token::Symbol(':') => (Some(number), None),
            1 | 2 => (Some(number), Some(0)),
            3 | 4 => (Some(number / 100), Some(number % 100)),
            _ => return None,
        };
        Some(())
    }

    fn zone(&mut self, hours: i64) {
        self.sign = Some(if hours < 0 { -1 } else { 1 });
        self.zone_hour = Some(hours.abs());
        self.zone_minute = Some(0);
    }

    fn is_utc(&self) -> bool {
        self.zone_hour == Some(0) && self.zone_minute == Some(0)
    }

    fn expects_time(&self, number: i64) -> bool {
        match self.times.len() {
            1 | 2 => (0..60).contains(&number),
            3 => (0..1000).contains(&number),
            _ => false,
        }
    }

    fn add_time(&mut self, number: i64) -> Option<()> {
        if self.times.len() == 4 {
            return None;
        }
        self.times.push(number);
        Some(())
    }

    /// Adds the last part of a time, if there is room for it.
    fn finish_time(&mut self, number: i64) {
        self.times.push(number);
        self.times.resize(4, 0);
    }

    fn milliseconds(self) -> Option<i64> {
        let (year, month, day) = self.day()?;
        let time = self.time()?;
        let west = match self.sign {
            Some(sign) => {
                -sign * (self.zone_hour.unwrap_or(0) * 3_600 + self.zone_minute.unwrap_or(0) * 60) * 1_000
            }
            None => 0,
        };
        clip((days_before(year, month, day) * DAY + time + west) as f64)
    }

    fn day(&self) -> Option<(i64, i64, i64)> {
        let is_day = |number: i64| (1..=31).contains(&number);
        let mut parts = self.days.iter().copied();
        let first = parts.next()?;
        let (second, third) = (parts.next().unwrap_or(1), parts.next().unwrap_or(1));
        let (mut year, month, day) = match self.month {
            None if self.iso || !is_day(first) => (first, second, third),
            None => (third, first, second),
            Some(month) if is_day(first) => (second, month, first),
            Some(month) => (first, month, second),
        };
        if !self.iso {
            year += match year {
                0..=49 => 2000,
                50..=99 => 1900,
                _ => 0,
            };
        }
        // No `Date` reaches further, and days are counted in what would not hold any year.
        ((1..=12).contains(&month) && is_day(day) && year.abs() < 300_000).then_some((year, month, day))
    }

    fn time(&self) -> Option<i64> {
        let part = |index: usize| self.times.get(index).copied().unwrap_or(0);
        let (mut hour, minute, second, millisecond) = (part(0), part(1), part(2), part(3));
        if let Some(half) = self.half {
            if !(0..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + half;
        }
        let within = hour < 24 && minute < 60 && second < 60 && millisecond < 1000;
        let midnight = (hour, minute, second, millisecond) == (24, 0, 0, 0);
        (within || midnight).then_some(((hour * 60 + minute) * 60 + second) * 1_000 + millisecond)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(text: &str) -> Option<String> {
        parse(text)
            .and_then(|milliseconds| jiff::Timestamp::from_millisecond(milliseconds).ok())
            .map(|date| date.to_string())
    }

    #[test]
    fn iso_dates() {
        for (text, expected) in [
            ("2024", "2024-01-01T00:00:00Z"),
            ("2024-03", "2024-03-01T00:00:00Z"),
            ("2024-03-05", "2024-03-05T00:00:00Z"),
            ("2024-02-31", "2024-03-02T00:00:00Z"),
            ("2024-03-05T07:08", "2024-03-05T07:08:00Z"),
            ("2024-03-05T07:08:09.1234567Z", "2024-03-05T07:08:09.123Z"),
            ("2024-03-05T24:00:00Z", "2024-03-06T00:00:00Z"),
            ("2024-03-05T07:08:09+02:00", "2024-03-05T05:08:09Z"),
            ("2024-03-05T07:08:09-0330", "2024-03-05T10:38:09Z"),
            ("-000001-01-01", "-000001-01-01T00:00:00Z"),
        ] {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "2024-13-01",
            "2024-03-05T25:00Z",
            "2024-03-05T07",
            "2024-03-05T07:08:09.Z",
            "2024-03-05T07:08Zx",
            "",
        ] {
            assert_eq!(iso(text), None, "{text}");
        }
    }

    #[test]
    fn other_dates() {
        for (text, expected) in [
            ("2024-03-05 07:08:09", "2024-03-05T07:08:09Z"),
            ("2024-03-05 07:08:09 +0200", "2024-03-05T05:08:09Z"),
            ("2024-03-05 07:08:09 UTC", "2024-03-05T07:08:09Z"),
            ("2024/3/5", "2024-03-05T00:00:00Z"),
            ("3/5/2024 7:08 PM", "2024-03-05T19:08:00Z"),
            ("3/5/24", "2024-03-05T00:00:00Z"),
            ("Tue, 05 Mar 2024 07:08:09 GMT", "2024-03-05T07:08:09Z"),
            ("Tue Mar 05 2024 07:08:09 GMT+0200 (CEST)", "2024-03-05T05:08:09Z"),
            ("March 5, 2024", "2024-03-05T00:00:00Z"),
            ("5 March 2024 12:00 AM", "2024-03-05T00:00:00Z"),
            ("Mar 5", "2001-03-05T00:00:00Z"),
            ("2024-03-05 7::08", "2024-03-05T07:00:08Z"),
            ("2024-03-05 7::08:09.5", "2024-03-05T07:00:08.009Z"),
            ("2024-03-05 07:08:09.5 EST", "2024-03-05T12:08:09.5Z"),
        ] {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "5th March 2024",
            "yesterday",
            "3/5/2024 13:00 PM",
            "1 2 3 4",
            "2024-03-05 and more",
            "(",
            "2024-03-05 7:08:09:10:11",
        ] {
            assert_eq!(iso(text), None, "{text}");
        }
    }

    #[test]
    fn hostile_dates_end() {
        for text in [
            "9".repeat(100_000),
            "(".repeat(100_000),
            "1:".repeat(1000),
            "+".repeat(1000),
            "0".repeat(400) + ".0",
            "é".repeat(99),
        ] {
            let _ = parse(&text);
        }
    }
}
