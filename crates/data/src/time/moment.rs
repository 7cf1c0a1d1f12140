//! Points in time as texts say them: ISO 8601, days, months and years by numbers or names, with or without a time of day and its distance
//! from UTC.

use super::calendar::{day, whole_and_rest};

/// What a text says of day and month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// It leaves nothing open.
    Plain,
    /// The same, because dates with points have the day first wherever they are usual.
    Points,
    /// The day is first: the second number is a month, and the first is none.
    Day,
    /// The month is first.
    Month,
    /// Both can be.
    Either,
}

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Said {
    /// Since 1970; with the day first where both can be.
    pub seconds: f64,
    pub order: Order,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Parts of seconds that are told apart.
pub(super) const NANOS: i64 = 1_000_000_000;

/// A text as a point in time, if it is one.
pub(crate) fn moment(text: &str) -> Option<Said> {
    let mut rest = Rest(text.trim().as_bytes());
    rest.weekday();
    let (days, order) = rest.date()?;
    let (mut whole, mut nanos) = (days, 0);
    if !rest.0.is_empty() {
        rest.before_time()?;
        let time = rest.time()?;
        whole += time.0 - rest.zone()?;
        nanos = time.1;
    }
    rest.0.is_empty().then(|| Said { seconds: whole_and_rest(whole, nanos, NANOS), order })
}

/// What is left of a text.
pub(super) struct Rest<'a>(pub(super) &'a [u8]);

impl<'a> Rest<'a> {
    /// Takes a sign, if it is next.
    pub(super) fn eat(&mut self, sign: u8) -> bool {
        let there = self.0.first() == Some(&sign);
        if there {
            self.skip(1);
        }
        there
    }

    fn skip(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }

    pub(super) fn blanks(&mut self) {
        while self.eat(b' ') {}
    }

    /// Takes what fits.
    fn run(&mut self, fits: impl Fn(&u8) -> bool) -> &'a [u8] {
        let end = self.0.iter().position(|byte| !fits(byte)).unwrap_or(self.0.len());
        let (run, rest) = self.0.split_at(end);
        self.0 = rest;
        run
    }

    /// A whole number of so many digits at most, and how many there are.
    pub(super) fn number(&mut self, most: usize) -> Option<(u32, usize)> {
        let digits = self.run(u8::is_ascii_digit);
        let fits = (1..=most.min(9)).contains(&digits.len());
        let value =
            digits.iter().fold(0u32, |all, digit| all.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
        fits.then_some((value, digits.len()))
    }

    /// A word, in lower case.
    pub(super) fn word(&mut self) -> String {
        String::from_utf8_lossy(self.run(u8::is_ascii_alphabetic)).to_ascii_lowercase()
    }

    /// Passes over a day of the week at the beginning.
    fn weekday(&mut self) {
        let all = self.0;
        let word = self.word();
        if is_one_of(&word, &WEEKDAYS).is_some() {
            self.eat(b'.');
            self.eat(b',');
            self.blanks();
        } else {
            self.0 = all;
        }
    }

    /// The first second of a day.
    fn date(&mut self) -> Option<(i64, Order)> {
        if self.0.first()?.is_ascii_alphabetic() {
            return self.month_by_name_first();
        }
        let first = self.number(4)?;
        let sign = *self.0.first()?;
        if !matches!(sign, b'-' | b'/' | b'.' | b' ') {
            return None;
        }
        self.skip(1);
        if self.0.first()?.is_ascii_alphabetic() {
            let month = is_one_of(&self.word(), &MONTHS)?;
            self.eat(b'.');
            (self.eat(sign) || self.eat(b' ') || self.eat(b',')).then_some(())?;
            self.blanks();
            let year = self.number(4)?;
            return (year.1 == 4 && first.1 <= 2).then(|| day(year.0, month, first.0))?.map(plain);
        }
        let second = self.number(2)?;
        (sign != b' ' && self.eat(sign)).then_some(())?;
        let third = self.number(4)?;
        match (first.1, third.1) {
            (4, 1 | 2) => day(first.0, second.0, third.0).map(plain),
            (1 | 2, 4) => {
                let (with_day, with_month) =
                    (day(third.0, second.0, first.0), day(third.0, first.0, second.0));
                match (with_day, with_month) {
                    (Some(found), _) if sign == b'.' => Some((found, Order::Points)),
                    (Some(found), Some(_)) => Some((found, Order::Either)),
                    (Some(found), None) => Some((found, Order::Day)),
                    (None, Some(found)) => Some((found, Order::Month)),
                    (None, None) => None,
                }
            }
            _ => None,
        }
    }

    fn month_by_name_first(&mut self) -> Option<(i64, Order)> {
        let month = is_one_of(&self.word(), &MONTHS)?;
        self.eat(b'.');
        (self.eat(b' ') || self.eat(b'-')).then_some(())?;
        self.blanks();
        let date = self.number(2)?;
        (self.eat(b',') || self.eat(b' ') || self.eat(b'-')).then_some(())?;
        self.blanks();
        let year = self.number(4)?;
        (year.1 == 4).then(|| day(year.0, month, date.0))?.map(plain)
    }

    /// What stands between a date and a time.
    fn before_time(&mut self) -> Option<()> {
        let found = self.eat(b'T') || self.eat(b't') || self.eat(b':');
        let found = found || self.eat(b',') || self.0.first() == Some(&b' ');
        self.blanks();
        found.then_some(())
    }

    /// A time of day: seconds, and billionths of one.
    pub(super) fn time(&mut self) -> Option<(i64, i64)> {
        let (hour, minute) = (self.number(2)?.0, self.after_colon()?);
        let (second, nanos) = if self.0.first() == Some(&b':') { self.seconds()? } else { (0, 0) };
        let hour = match self.half_of_day() {
            None => Some(hour).filter(|hour| *hour < 24),
            Some(late) => (1..=12).contains(&hour).then_some(hour % 12 + if late { 12 } else { 0 }),
        }?;
        Some((i64::from(3600 * hour + 60 * minute + second), nanos))
    }

    /// Minutes.
    pub(super) fn after_colon(&mut self) -> Option<u32> {
        self.eat(b':').then_some(())?;
        self.number(2).filter(|(minute, digits)| *minute < 60 && *digits == 2).map(|(minute, _)| minute)
    }

    /// Seconds with their decimals. A leap second is the first one of the next minute.
    pub(super) fn seconds(&mut self) -> Option<(u32, i64)> {
        self.eat(b':').then_some(())?;
        let (second, digits) = self.number(2)?;
        let nanos = if self.eat(b'.') || self.eat(b',') { self.decimals()? } else { 0 };
        (second <= 60 && digits == 2).then_some((second, nanos))
    }

    /// Billionths; further digits are left out.
    pub(super) fn decimals(&mut self) -> Option<i64> {
        let digits = self.run(u8::is_ascii_digit);
        let digit = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
        (!digits.is_empty()).then(|| (0..9).fold(0, |all, at| 10 * all + digit(at)))
    }

    /// Whether a time is after noon, if it says so.
    fn half_of_day(&mut self) -> Option<bool> {
        let all = self.0;
        self.blanks();
        match self.word().as_str() {
            "am" => Some(false),
            "pm" => Some(true),
            _ => {
                self.0 = all;
                None
            }
        }
    }

    /// How far the time is ahead of UTC, in seconds; nothing where no zone is named.
    fn zone(&mut self) -> Option<i64> {
        self.blanks();
        match self.0.first() {
            None => Some(0),
            Some(b'+' | b'-') => {
                let sign = if self.eat(b'-') { -1 } else { i64::from(self.eat(b'+')) };
                let (hours, minutes) = match self.number(4)? {
                    (both, 4) => (both / 100, both % 100),
                    (hours, 1 | 2) if self.0.is_empty() => (hours, 0),
                    (hours, 1 | 2) => (hours, self.after_colon()?),
                    _ => return None,
                };
                (hours <= 18 && minutes < 60).then(|| sign * i64::from(3600 * hours + 60 * minutes))
            }
            Some(_) => matches!(self.word().as_str(), "z" | "utc" | "gmt").then_some(0),
        }
    }
}

fn plain(seconds: i64) -> (i64, Order) {
    (seconds, Order::Plain)
}

/// The number of a name, from 1: the whole one, or its first letters (`sept` is one more).
fn is_one_of(word: &str, names: &[&str]) -> Option<u32> {
    let is = |name: &&str| {
        word == *name || word.len() == 3 && name.starts_with(word) || (word == "sept" && *name == "september")
    };
    names.iter().position(is).map(|at| at as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<f64> {
        moment(text).map(|said| said.seconds)
    }

    #[test]
    fn one_moment_in_many_words() {
        // 2021-03-04T15:05:06Z
        let wanted = 1_614_870_306.0;
        for text in [
            "2021-03-04T15:05:06Z",
            "2021-03-04 15:05:06",
            " 2021-03-04t15:05:06z ",
            "2021/03/04 15:05:06 UTC",
            "2021-3-4 15:05:06.000",
            "2021-03-04T17:05:06+02:00",
            "2021-03-04T17:05:06+0200",
            "2021-03-04 10:05:06 -05",
            "2021-03-05T00:50:06+09:45",
            "4 Mar 2021 15:05:06",
            "04-Mar-2021 03:05:06 PM",
            "4 March 2021, 3:05:06 pm",
            "Mar 4, 2021 3:05:06 PM",
            "March 4 2021 15:05:06",
            "Thu, 04 Mar 2021 15:05:06 GMT",
            "Thursday, March 4, 2021 15:05:06",
            "04/Mar/2021:15:05:06 +0000",
            "04.03.2021 15:05:06",
        ] {
            assert_eq!(seconds(text), Some(wanted), "{text}");
        }
        assert_eq!(seconds("2021-03-04T15:05:06.25Z"), Some(wanted + 0.25));
        assert_eq!(seconds("2021-03-04T15:05:06,2500000001234Z"), Some(wanted + 0.25));
        assert_eq!(seconds("2016-12-31T23:59:60Z"), seconds("2017-01-01"));
        assert_eq!(seconds("2021-03-04 12:30 AM"), seconds("2021-03-04T00:30"));
        assert_eq!(seconds("0001-01-01"), Some(-62_135_596_800.0));
    }

    #[test]
    fn what_is_the_day() {
        let order = |text: &str| moment(text).map(|said| said.order);
        assert_eq!(order("2021-04-03"), Some(Order::Plain));
        assert_eq!(order("3 Apr 2021"), Some(Order::Plain));
        assert_eq!(order("03/04/2021"), Some(Order::Either));
        assert_eq!(order("05-05-2021 10:00"), Some(Order::Either));
        assert_eq!(order("13/04/2021"), Some(Order::Day));
        assert_eq!(order("4/13/2021"), Some(Order::Month));
        assert_eq!(order("03.04.2021"), Some(Order::Points));
        assert_eq!(order("04.13.2021"), Some(Order::Month));
        assert_eq!(seconds("03/04/2021"), seconds("2021-04-03"));
        assert_eq!(seconds("4/13/2021"), seconds("2021-04-13"));
    }

    #[test]
    fn what_is_no_moment() {
        for text in [
            "",
            "2021",
            "20210304",
            "2021-03",
            "2021-13-01",
            "2021-02-29",
            "2021-03-04T",
            "2021-03-04T25:00",
            "2021-03-04T10",
            "2021-03-04 10:60",
            "2021-03-04 10:00:61",
            "2021-03-04 10:00 CET",
            "2021-03-04 10:00+25:00",
            "03/04/21",
            "30/30/2021",
            "03/04-2021",
            "3 4 2021",
            "3 Foo 2021",
            "Ma 4 2021",
            "12:30",
            "2021-03-04 13:00 PM",
            "2021-03-04x",
            "1.2.3.4",
            "2021-03-04 10:00Z!",
            "99999-01-01",
            "123-45-6789",
            "monday",
            "4 Mar 21",
            "2021--03-04",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }
}
