//! A column of times that grows, and what its first texts say of it.

use super::calendar::turned;
use super::moment::{Order, Said, moment};
use super::span::span;
use crate::schema::role::Clock;
use crate::table::Numbers;

/// Seconds, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// The seconds; NaN where they are missing.
    pub numbers: Numbers,
    /// How texts are read.
    pub clock: Clock,
    /// Whether some dates have the day first, and others the month.
    pub torn: bool,
}

impl Times {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { numbers: Numbers::new(), clock, torn: false }
    }

    /// Adds the time of a text, if it is one.
    pub(crate) fn push(&mut self, text: &str) -> Option<()> {
        let seconds = match self.clock {
            Clock::Span => span(text)?,
            clock => self.at(clock, moment(text)?)?,
        };
        self.numbers.push(seconds);
        Some(())
    }

    fn at(&mut self, clock: Clock, Said { seconds, order }: Said) -> Option<f64> {
        match (clock, order) {
            (Clock::Plain | Clock::DayFirst | Clock::MonthFirst, Order::Plain)
            | (Clock::Plain, Order::Points)
            | (Clock::DayFirst, Order::Points | Order::Day | Order::Either)
            | (Clock::MonthFirst, Order::Month)
            | (Clock::Open, Order::Either) => Some(seconds),
            (Clock::MonthFirst, Order::Points | Order::Either) => Some(turned(seconds)),
            (Clock::Open, Order::Points | Order::Day) => {
                self.settle(Clock::DayFirst);
                Some(seconds)
            }
            (Clock::Open, Order::Month) => {
                self.settle(Clock::MonthFirst);
                Some(seconds)
            }
            _ => None,
        }
    }

    /// Reads what is there in another order, if it was left open.
    pub(crate) fn settle(&mut self, clock: Clock) {
        if self.clock.turns(clock) {
            self.numbers = turned_all(&self.numbers);
        }
        self.clock = clock;
    }

    /// Adds the times of another part of the column.
    pub(crate) fn append(&mut self, mut other: Self) {
        match self.clock.beside(other.clock) {
            Some(clock) => {
                self.settle(clock);
                other.settle(clock);
            }
            None => self.torn = true,
        }
        self.torn |= other.torn;
        self.numbers.append(&other.numbers);
    }
}

/// All days and months of a column in each other's place.
pub(crate) fn turned_all(seconds: &Numbers) -> Numbers {
    let mut all = Numbers::new();
    (0..seconds.len()).for_each(|row| all.push(turned(seconds.get(row))));
    all
}

/// What texts of a column say; all counts are of rows.
#[derive(Default)]
pub(crate) struct Seen {
    all: usize,
    spans: usize,
    /// Points in time that leave nothing open, and those of them that are written with points.
    plain: usize,
    points: usize,
    /// Others, of which some say what is first.
    numbers: usize,
    days: usize,
    months: usize,
}

impl Seen {
    /// Looks at the distinct texts of a column, each with its rows.
    pub(crate) fn of<'a>(texts: impl Iterator<Item = (&'a [u8], usize)>) -> Self {
        let mut seen = Self::default();
        for (text, rows) in texts {
            seen.all += rows;
            let Ok(text) = std::str::from_utf8(text) else { continue };
            match moment(text).map(|said| said.order) {
                Some(Order::Plain) => seen.plain += rows,
                Some(Order::Points) => {
                    seen.plain += rows;
                    seen.points += rows;
                }
                Some(order) => {
                    seen.numbers += rows;
                    seen.days += if order == Order::Day { rows } else { 0 };
                    seen.months += if order == Order::Month { rows } else { 0 };
                }
                None => seen.spans += if span(text).is_some() { rows } else { 0 },
            }
        }
        seen
    }

    /// Whether so many of the values are nearly all of them.
    fn nearly_all(&self, rows: usize) -> bool {
        let strays = self.all - rows;
        rows > strays && (strays <= 1 || strays * 20 <= self.all)
    }

    /// What the column holds, if it is one of times; `given` is what comes first in dates, where somebody said it.
    pub(crate) fn clock(&self, given: Option<Clock>) -> Option<Clock> {
        if self.nearly_all(self.spans) {
            return Some(Clock::Span);
        }
        if self.nearly_all(self.plain) {
            return Some(
                given.filter(|order| *order == Clock::MonthFirst && self.points > 0).unwrap_or(Clock::Plain),
            );
        }
        let order = match (self.days, self.months) {
            (0, 0) if self.nearly_all(self.numbers) => Clock::Open,
            (days, months) if days > 0 && days >= months => Clock::DayFirst,
            (_, months) if months > 0 => Clock::MonthFirst,
            _ => return None,
        };
        self.nearly_all(self.plain + self.numbers).then_some(given.unwrap_or(order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(clock: Clock, texts: &[&str]) -> Option<Times> {
        let mut times = Times::new(clock);
        texts.iter().map(|text| times.push(text)).collect::<Option<Vec<()>>>().map(|_| times)
    }

    fn shown(times: &Times) -> Vec<String> {
        (0..times.numbers.len())
            .map(|row| super::super::shown(Clock::Plain, times.numbers.get(row)))
            .collect()
    }

    #[test]
    fn the_order_may_be_said_late() {
        let texts = ["03/04/2021", "01/02/2021", "05/05/2021", "04/13/2021", "06/07/2021"];
        let wanted = ["2021-03-04", "2021-01-02", "2021-05-05", "2021-04-13", "2021-06-07"];
        let whole = read(Clock::Open, &texts).unwrap();
        assert_eq!((shown(&whole), whole.clock), (wanted.map(String::from).to_vec(), Clock::MonthFirst));
        for cut in 0..=texts.len() {
            let mut parts = read(Clock::Open, &texts[..cut]).unwrap();
            parts.append(read(Clock::Open, &texts[cut..]).unwrap());
            assert_eq!((shown(&parts), parts.clock, parts.torn), (shown(&whole), whole.clock, false));
        }
        let mut torn = read(Clock::Open, &texts).unwrap();
        torn.append(read(Clock::Open, &["13/04/2021"]).unwrap());
        assert!(torn.torn);
        assert!(read(Clock::Open, &["04/13/2021", "13/04/2021"]).is_none());
        assert!(read(Clock::Open, &["03/04/2021", "2021-03-04"]).is_none());
        assert!(read(Clock::Plain, &["2021-03-04", "03/04/2021"]).is_none());
        let given = read(Clock::MonthFirst, &["03/04/2021", "2021-03-04"]).unwrap();
        assert_eq!(shown(&given), ["2021-03-04", "2021-03-04"]);
    }

    #[test]
    fn what_columns_hold() {
        let seen = |texts: &[&str]| Seen::of(texts.iter().map(|text| (text.as_bytes(), 1)));
        let clock = |texts: &[&str]| seen(texts).clock(None);
        let given = |texts: &[&str]| seen(texts).clock(Some(Clock::MonthFirst));
        assert_eq!(clock(&["03.04.2021", "13.04.2021"]), Some(Clock::Plain));
        assert_eq!(given(&["03.04.2021", "12.04.2021"]), Some(Clock::MonthFirst));
        assert_eq!(given(&["03/04/2021"]), Some(Clock::MonthFirst));
        assert_eq!(given(&["2021-03-04"]), Some(Clock::Plain));
        assert_eq!(clock(&["2021-03-04", "4 Mar 2021"]), Some(Clock::Plain));
        assert_eq!(clock(&["2021-03-04", "2021-03-05", "soon"]), Some(Clock::Plain));
        assert_eq!(clock(&["03/04/2021", "01/02/2021"]), Some(Clock::Open));
        assert_eq!(clock(&["03/04/2021", "13/04/2021"]), Some(Clock::DayFirst));
        assert_eq!(clock(&["03/04/2021", "04/13/2021"]), Some(Clock::MonthFirst));
        assert_eq!(clock(&["03/04/2021", "13/04/2021", "2021-03-04"]), Some(Clock::DayFirst));
        assert_eq!(clock(&["03/04/2021", "03/05/2021", "2021-03-04", "2021-03-05"]), None);
        assert_eq!(clock(&["12:30", "15:45:10"]), Some(Clock::Span));
        assert_eq!(clock(&["12:30", "red", "blue"]), None);
        assert_eq!(clock(&["red"]), None);
    }
}
