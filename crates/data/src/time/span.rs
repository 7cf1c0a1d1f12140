//! Times of day and durations as texts say them.

use super::calendar::whole_and_rest;
use super::moment::{NANOS, Rest};

/// Seconds of what durations of ISO 8601 count, before and behind their `T`.
const DATES: [(u8, i64); 2] = [(b'W', 604_800), (b'D', 86_400)];
const TIMES: [(u8, i64); 3] = [(b'H', 3600), (b'M', 60), (b'S', 1)];

/// A text as seconds: `15:30`, `36:15:00.5`, `2 days 03:00:00`, `P2DT3H`, `3:05 PM`.
pub(crate) fn span(text: &str) -> Option<f64> {
    let mut rest = Rest(text.trim().as_bytes());
    let minus = rest.eat(b'-');
    let (whole, nanos) = if rest.eat(b'P') { rest.iso()? } else { rest.plain(minus)? };
    let seconds = whole_and_rest(whole, nanos, NANOS);
    rest.0.is_empty().then_some(if minus && seconds != 0.0 { -seconds } else { seconds })
}

impl Rest<'_> {
    /// Days and a time, or one of them. As pandas writes it, `-1 days +23:00:00` is an hour before: only the days are behind the minus.
    fn plain(&mut self, minus: bool) -> Option<(i64, i64)> {
        let all = self.0;
        let days = self.number(9).map(|(days, _)| i64::from(days) * 86_400)?;
        self.blanks();
        if !matches!(self.word().as_str(), "day" | "days" | "d") {
            self.0 = all;
            return self.hours();
        }
        let parted = self.eat(b',');
        self.blanks();
        if self.0.is_empty() {
            return (!parted).then_some((days, 0));
        }
        let back = self.eat(b'-');
        self.eat(b'+');
        let (time, nanos) = self.hours()?;
        let time = i128::from(time) * i128::from(NANOS) + i128::from(nanos);
        let sum = i128::from(days) * i128::from(NANOS) + if minus || back { -time } else { time };
        let nanos = i64::try_from(sum.rem_euclid(i128::from(NANOS))).ok()?;
        Some((i64::try_from(sum.div_euclid(i128::from(NANOS))).ok()?, nanos))
    }

    /// Hours and minutes, of which there may be more than a day has; or a time of day.
    fn hours(&mut self) -> Option<(i64, i64)> {
        let all = self.0;
        let hours = i64::from(self.number(9)?.0);
        let minutes = i64::from(self.after_colon()?);
        let (seconds, nanos) = if self.0.first() == Some(&b':') { self.seconds()? } else { (0, 0) };
        if self.0.is_empty() {
            return Some((3600 * hours + 60 * minutes + i64::from(seconds), nanos));
        }
        self.0 = all;
        self.time()
    }

    /// What follows the P of ISO 8601; years and months have no length of their own.
    fn iso(&mut self) -> Option<(i64, i64)> {
        let (mut sum, mut nanos, mut any) = (0, 0, false);
        for units in [&DATES[..], &TIMES[..]] {
            for &(unit, length) in units {
                let all = self.0;
                let Some((count, _)) = self.number(9) else {
                    self.0 = all;
                    continue;
                };
                let decimals =
                    if unit == b'S' && (self.eat(b'.') || self.eat(b',')) { self.decimals()? } else { 0 };
                if self.eat(unit) {
                    (sum, nanos, any) = (sum + i64::from(count) * length, decimals, true);
                } else {
                    self.0 = all;
                }
            }
            if !self.eat(b'T') {
                break;
            }
            any = false;
        }
        any.then_some((sum, nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_of_texts() {
        for (text, wanted) in [
            ("0:00", 0.0),
            ("15:30", 55_800.0),
            ("3:30 pm", 55_800.0),
            ("36:15:00.5", 130_500.5),
            ("-1:30:00", -5400.0),
            ("2 days", 172_800.0),
            ("2 days 03:00:00", 183_600.0),
            ("1 day, 0:00:01", 86_401.0),
            ("-1 days +23:00:00", -3600.0),
            ("-1 day, 23:59:59.500000", -0.5),
            ("P2DT3H", 183_600.0),
            ("P1W", 604_800.0),
            ("PT1H30M0.25S", 5400.25),
            ("-PT5M", -300.0),
            ("PT36H", 129_600.0),
        ] {
            assert_eq!(span(text), Some(wanted), "{text}");
        }
        for text in [
            "", "5", "P", "PT", "P1DT", "P1Y", "P1M", "12:5", "12:60", "12:00:99", "1:2:3", "x", "3 dogs",
            "10:00 x", "-", "1 days,", "13:00 PM",
        ] {
            assert_eq!(span(text), None, "{text}");
        }
    }
}
