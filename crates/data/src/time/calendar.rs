//! Seconds and what the calendar says of them.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use serde::{Deserialize, Serialize};

use crate::schema::role::Clock;
use crate::table::Numbers;

/// Seconds of a day.
const DAY: i64 = 86_400;

/// What a point in time has beside its seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Part {
    /// The year.
    Year,
    /// The month, from 1.
    Month,
    /// The day of the year, from 1.
    DayOfYear,
    /// The day of the week, from 1 (Monday) to 7.
    Weekday,
    /// The hour, from 0.
    Hour,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Year, Self::Month, Self::DayOfYear, Self::Weekday, Self::Hour];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Month => "month",
            Self::DayOfYear => "day of year",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
        }
    }

    /// Of seconds since 1970; NaN where they are missing.
    pub fn of(self, seconds: f64) -> f64 {
        let Some(at) = moment(seconds) else { return f64::NAN };
        match self {
            Self::Year => f64::from(at.year()),
            Self::Month => f64::from(at.month()),
            Self::DayOfYear => f64::from(at.ordinal()),
            Self::Weekday => f64::from(at.weekday().number_from_monday()),
            Self::Hour => f64::from(at.hour()),
        }
    }

    /// Of all seconds of a column.
    pub(crate) fn of_all(self, seconds: &Numbers) -> Numbers {
        let mut parts = Numbers::new();
        (0..seconds.len()).for_each(|row| parts.push(self.of(seconds.get(row))));
        parts
    }
}

/// The point in time, if it is one that the calendar has.
fn moment(seconds: f64) -> Option<NaiveDateTime> {
    let whole = seconds.floor();
    if !whole.is_finite() {
        return None;
    }
    let fraction = ((seconds - whole) * 1e6).round().min(999_999.0);
    DateTime::from_timestamp(whole as i64, fraction as u32 * 1000).map(|at| at.naive_utc())
}

/// The seconds of so many ticks, of which some make a second; none beyond the calendar.
pub(crate) fn seconds(ticks: i64, per_second: i64) -> Option<f64> {
    let seconds = whole_and_rest(ticks.div_euclid(per_second), ticks.rem_euclid(per_second), per_second);
    moment(seconds).map(|_| seconds)
}

/// Whole seconds and some ticks: the same number whatever the ticks are.
pub(super) fn whole_and_rest(whole: i64, rest: i64, per_second: i64) -> f64 {
    whole as f64 + rest as f64 / per_second as f64
}

/// The seconds at the beginning of a day, if the calendar has it.
pub(super) fn day(year: u32, month: u32, day: u32) -> Option<i64> {
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    Some(date.and_time(NaiveTime::MIN).and_utc().timestamp())
}

/// The same time of the day whose number is that of the month, in the month whose number is that of the day, if there is one.
pub(crate) fn turned(seconds: f64) -> f64 {
    let turned = moment(seconds).and_then(|at| {
        let (before, after) = (day_of(at), day(u32::try_from(at.year()).ok()?, at.day(), at.month())?);
        Some(seconds + (after - before) as f64)
    });
    turned.unwrap_or(seconds)
}

fn day_of(at: NaiveDateTime) -> i64 {
    at.and_utc().timestamp().div_euclid(DAY) * DAY
}

/// Seconds as a text that is read as the same time.
pub(crate) fn shown(clock: Clock, seconds: f64) -> String {
    if clock == Clock::Span {
        return span(seconds);
    }
    let Some(at) = moment(seconds) else { return String::new() };
    if at.time() == NaiveTime::MIN {
        return at.date().to_string();
    }
    at.format("%Y-%m-%dT%H:%M:%S%.f").to_string()
}

/// Hours, minutes and seconds.
fn span(seconds: f64) -> String {
    if !seconds.is_finite() {
        return String::new();
    }
    let sign = if seconds < 0.0 { "-" } else { "" };
    let size = seconds.abs();
    let (whole, rest) = (size.floor() as u64, (size.fract() * 1e6).round() as u64);
    let (whole, rest) = if rest == 1_000_000 { (whole + 1, 0) } else { (whole, rest) };
    let text = format!("{sign}{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    if rest == 0 {
        return text;
    }
    let digits = format!("{rest:06}");
    format!("{text}.{}", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_times() {
        let of = |seconds: f64| Part::ALL.map(|part| part.of(seconds));
        assert_eq!(of(0.0), [1970.0, 1.0, 1.0, 4.0, 0.0]);
        // 2024-02-29T23:59:59.5, a Thursday.
        assert_eq!(of(1_709_251_199.5), [2024.0, 2.0, 60.0, 4.0, 23.0]);
        assert_eq!(of(-0.25), [1969.0, 12.0, 365.0, 3.0, 23.0]);
        assert!(of(f64::NAN).iter().all(|part| part.is_nan()));
        assert!(of(1e300).iter().all(|part| part.is_nan()));
    }

    #[test]
    fn the_calendar_by_counting_days() {
        let (mut year, mut month, mut date) = (1895, 1, 1);
        let mut weekday = 2;
        for number in -27_393..40_000 {
            let at = f64::from(number) * 86_400.0;
            let found = [Part::Year, Part::Month, Part::Weekday].map(|part| part.of(at));
            assert_eq!(found, [year, month, weekday].map(f64::from));
            assert_eq!(day(year as u32, month as u32, date), Some(i64::from(number) * DAY));
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            weekday = weekday % 7 + 1;
            date += 1;
            if date > days[month as usize - 1] {
                (date, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
    }

    #[test]
    fn days_and_months_change_places() {
        let at = |text: &str| super::super::moment::moment(text).unwrap().seconds;
        assert_eq!(turned(at("2021-04-03 10:30")), at("2021-03-04 10:30"));
        assert_eq!(turned(turned(at("2021-04-03"))), at("2021-04-03"));
        assert_eq!(turned(at("2021-05-05")), at("2021-05-05"));
        assert!(turned(f64::NAN).is_nan());
    }

    #[test]
    fn ticks_are_seconds_whatever_their_size() {
        assert_eq!(seconds(1500, 1000), Some(1.5));
        assert_eq!(seconds(-1, 4), Some(-0.25));
        assert_eq!(seconds(1_700_000_000_123, 1000), seconds(1_700_000_000_123_000_000, 1_000_000_000));
        assert_eq!(seconds(i64::MAX, 1), None);
    }

    #[test]
    fn texts_are_read_again_as_they_are_shown() {
        for text in
            ["2021-03-04", "2021-03-04T10:00:00", "0999-12-31T23:59:59.250", "1969-12-31T23:59:59.999999"]
        {
            let read = super::super::moment::moment(text).unwrap().seconds;
            assert_eq!(shown(Clock::Plain, read).trim_end_matches('0'), text.trim_end_matches('0'));
        }
        for text in ["00:00:00", "36:15:00", "-01:30:00.5"] {
            assert_eq!(shown(Clock::Span, super::super::span::span(text).unwrap()), text);
        }
    }
}
