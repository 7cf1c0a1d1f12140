//! Parts of the calendar as operators: seconds since 1970 in, years, months and hours out, all as whole numbers in doubles.
//!
//! Days are counted from the first of March of the year 0, so that leap days are at the ends of years, and eras are 400 years
//! (Howard Hinnant, "chrono-compatible low-level date algorithms").

use manyboost_data::TimePart;

use crate::graph::{Graph, Op};

const DAY: f64 = 86_400.0;
/// Days from the first of March of the year 0 to 1970.
const BEFORE: f64 = 719_468.0;
/// Days of 400 years, of 100 and of 4 less their last day, and of one.
const ERA: f64 = 146_097.0;
const CENTURY: f64 = 36_524.0;
const FOUR_YEARS: f64 = 1460.0;
const YEAR: f64 = 365.0;
/// Months from March on until January.
const UNTIL_JANUARY: f64 = 10.0;

/// Operators that are put into a graph.
struct Calendar<'a>(&'a mut Graph);

/// Adds the part of the calendar of seconds; gives its name.
pub fn part(graph: &mut Graph, seconds: &str, part: TimePart) -> String {
    let mut to = Calendar(graph);
    let seconds = to.0.put(Op::Floor, &[seconds]);
    let days = to.quotient(&seconds, DAY);
    match part {
        TimePart::Hour => {
            let rest = to.rest(&seconds, &days, DAY);
            to.quotient(&rest, 3600.0)
        }
        TimePart::Weekday => {
            // 1970 began on a Thursday.
            let days = to.plus(&days, 3.0);
            let weeks = to.quotient(&days, 7.0);
            let rest = to.rest(&days, &weeks, 7.0);
            to.plus(&rest, 1.0)
        }
        TimePart::Year | TimePart::Month | TimePart::DayOfYear => to.of_year(&days, part),
    }
}

impl Calendar<'_> {
    fn of(&mut self, op: Op, a: &str, number: f64) -> String {
        let number = self.0.number(number);
        self.0.put(op, &[a, &number])
    }

    fn plus(&mut self, a: &str, number: f64) -> String {
        self.of(Op::Add, a, number)
    }

    fn times(&mut self, a: &str, number: f64) -> String {
        self.of(Op::Mul, a, number)
    }

    fn add(&mut self, a: &str, b: &str) -> String {
        self.0.put(Op::Add, &[a, b])
    }

    fn less(&mut self, a: &str, b: &str) -> String {
        self.0.put(Op::Sub, &[a, b])
    }

    /// How often a number goes into another one. Both are whole, and small enough for the quotient to be on the right side of any whole
    /// number.
    fn quotient(&mut self, a: &str, number: f64) -> String {
        let quotient = self.of(Op::Div, a, number);
        self.0.put(Op::Floor, &[&quotient])
    }

    /// What is left of it.
    fn rest(&mut self, a: &str, quotient: &str, number: f64) -> String {
        let whole = self.times(quotient, number);
        self.less(a, &whole)
    }

    /// The one or the other, by whether a month of the year that begins in March is before January.
    fn by_month(&mut self, month: &str, before: &str, after: &str) -> String {
        let is_before = self.of(Op::Less, month, UNTIL_JANUARY);
        self.0.put(Op::Where, &[&is_before, before, after])
    }

    fn of_year(&mut self, days: &str, part: TimePart) -> String {
        let days = self.plus(days, BEFORE);
        let era = self.quotient(&days, ERA);
        let day = self.rest(&days, &era, ERA);
        // The year of the era: leap days are taken off first.
        let (fours, centuries, last) =
            (self.quotient(&day, FOUR_YEARS), self.quotient(&day, CENTURY), self.quotient(&day, ERA - 1.0));
        let plain = self.less(&day, &fours);
        let plain = self.add(&plain, &centuries);
        let plain = self.less(&plain, &last);
        let year = self.quotient(&plain, YEAR);
        // The day of a year that begins in March, and its month.
        let (fours, centuries) = (self.quotient(&year, 4.0), self.quotient(&year, 100.0));
        let before = self.times(&year, YEAR);
        let before = self.add(&before, &fours);
        let before = self.less(&before, &centuries);
        let day = self.less(&day, &before);
        let months = self.times(&day, 5.0);
        let months = self.plus(&months, 2.0);
        let month = self.quotient(&months, 153.0);
        let eras = self.times(&era, 400.0);
        let year = self.add(&year, &eras);
        match part {
            TimePart::Year => {
                let next = self.plus(&year, 1.0);
                self.by_month(&month, &year, &next)
            }
            TimePart::Month => {
                let (before, after) = (self.plus(&month, 3.0), self.plus(&month, -9.0));
                self.by_month(&month, &before, &after)
            }
            _ => {
                // January and February have 59 days, or one more.
                let (now, last) = (self.leap_days(&year, 0.0), self.leap_days(&year, -1.0));
                let leap = self.less(&now, &last);
                let before = self.plus(&day, 60.0);
                let (before, after) = (self.add(&before, &leap), self.plus(&day, -305.0));
                self.by_month(&month, &before, &after)
            }
        }
    }

    /// Leap days of all years up to so many after one.
    fn leap_days(&mut self, year: &str, after: f64) -> String {
        let year = self.plus(year, after);
        let (fours, centuries, eras) =
            (self.quotient(&year, 4.0), self.quotient(&year, 100.0), self.quotient(&year, 400.0));
        let days = self.less(&fours, &centuries);
        self.add(&days, &eras)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Port, Type};
    use crate::run::Input;

    #[test]
    fn the_operators_are_the_calendar() {
        let mut seconds: Vec<f64> = (-300_000..300_000).step_by(37).map(|day| f64::from(day) * DAY).collect();
        seconds.extend((-4000..40_000).map(|day| f64::from(day) * DAY - 0.25));
        seconds.extend((0..2000).map(|step| 1.6e9 + 1799.0 * f64::from(step)));
        seconds.push(f64::NAN);
        for part in TimePart::ALL {
            let mut graph = Graph::default();
            graph.inputs.push(Port { name: "numbers".into(), kind: Type::Double, columns: Some(1) });
            let name = super::part(&mut graph, "numbers", part);
            graph.put_as(Op::Double, &[&name], "scores");
            let input = Input { rows: seconds.len(), numbers: seconds.clone(), categories: Vec::new() };
            for (at, found) in seconds.iter().zip(graph.run(&input).scores) {
                let wanted = part.of(*at);
                assert!(found == wanted || found.is_nan() && wanted.is_nan(), "{part:?} of {at}: {found}");
            }
        }
    }
}
