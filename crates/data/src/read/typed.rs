//! Values that come with a type, as in Parquet and Arrow, into a column of the table.

use crate::error::{Error, ErrorKind, Result};
use crate::read::chunk::{Part, Reading};
#[cfg(feature = "parquet")]
use crate::read::csv::fields::TENS;
use crate::read::message::{in_file, not_a_number, shown};
#[cfg(feature = "parquet")]
use crate::read::number;
use crate::read::number::{Problem, Tokens};
use crate::read::roles::Columns;
use crate::schema::role::{Clock, Role};
use crate::time;

/// A column that grows, and what messages need.
pub(crate) struct Sink<'a> {
    /// Where it comes from.
    pub source: &'a str,
    /// The column.
    pub name: &'a str,
    /// Its role as the plan asked.
    pub role: Role,
    /// The values so far.
    pub part: Part,
    /// Their number.
    pub row: usize,
}

impl<'a> Sink<'a> {
    /// An empty column.
    pub(crate) fn new(source: &'a str, columns: &'a Columns, column: usize, reading: Reading) -> Self {
        let (name, role) = (columns.name(column), columns.asked(column));
        Self { source, name, role, part: Part::new(reading), row: 0 }
    }

    /// A missing value.
    pub(crate) fn missing(&mut self) {
        match &mut self.part {
            Part::Number(numbers) | Part::Dressed(numbers, _) => numbers.push(f64::NAN),
            Part::Times(times) => times.numbers.push(f64::NAN),
            Part::Words(words) => words.push_missing(),
            Part::Skip => {}
        }
        self.row += 1;
    }

    /// A time by its seconds; none is one that the calendar does not have.
    pub(crate) fn time(&mut self, seconds: Option<f64>, clock: Clock) -> Result<()> {
        let Some(seconds) = seconds else {
            let what = format!(
                "{}, row {}, column {}: a time beyond the calendar",
                self.source,
                self.row + 1,
                shown(self.name.as_bytes())
            );
            return Err(Error::new(ErrorKind::Column, what, "correct the value, or leave it out"));
        };
        let spans = |clock: Clock| clock == Clock::Span;
        match &mut self.part {
            Part::Times(times) if times.clock != Clock::Open && spans(times.clock) == spans(clock) => {
                times.numbers.push(seconds);
            }
            Part::Words(words) => words.push(&time::shown(clock, seconds)),
            Part::Skip => {}
            Part::Times(times) => {
                let problem = Problem::Time(times.clock);
                return Err(self.not_a_number(time::shown(clock, seconds).as_bytes(), problem));
            }
            Part::Number(_) | Part::Dressed(..) => {
                return Err(self.not_a_number(time::shown(clock, seconds).as_bytes(), Problem::Word));
            }
        }
        self.row += 1;
        Ok(())
    }

    /// A number, or its text where the role wants text.
    pub(crate) fn number(&mut self, value: f64, text: impl Fn() -> String) -> Result<()> {
        match &mut self.part {
            _ if value.is_nan() => {
                self.missing();
                return Ok(());
            }
            Part::Number(numbers) | Part::Dressed(numbers, _) if value.is_finite() => numbers.push(value),
            Part::Words(words) => words.push(&text()),
            Part::Times(times) => {
                let problem = Problem::Time(times.clock);
                return Err(self.not_a_number(text().as_bytes(), problem));
            }
            Part::Number(_) | Part::Dressed(..) => {
                return Err(self.not_a_number(text().as_bytes(), Problem::Infinite));
            }
            Part::Skip => {}
        }
        self.row += 1;
        Ok(())
    }

    #[cfg(feature = "parquet")]
    /// A whole number with its last digits behind a point, or its text where the role wants text.
    pub(crate) fn decimal(&mut self, whole: i128, decimals: u32) -> Result<()> {
        let text = || decimal_text(whole, decimals);
        // Both are exact then, and one division rounds once.
        let ten = TENS.get(decimals as usize).filter(|_| whole.unsigned_abs() <= 1 << 53);
        let parsed = || number::parse(text().as_bytes()).unwrap_or(f64::NAN);
        let value = ten.map_or_else(parsed, |ten| whole as f64 / ten);
        self.number(value + 0.0, text)
    }

    /// A text, or its number where the role wants numbers.
    pub(crate) fn text(&mut self, value: &str) -> Result<()> {
        self.part
            .push(value.as_bytes(), &Tokens::NONE)
            .map_err(|problem| self.not_a_number(value.as_bytes(), problem))?;
        self.row += 1;
        Ok(())
    }

    fn not_a_number(&self, value: &[u8], problem: Problem) -> Error {
        not_a_number(self.source, &format!("row {}", self.row + 1), (self.name, self.role), value, problem)
    }
}

#[cfg(feature = "parquet")]
/// A whole number with a point before its last digits.
fn decimal_text(whole: i128, decimals: u32) -> String {
    let sign = if whole < 0 { "-" } else { "" };
    let digits = format!("{:0width$}", whole.unsigned_abs(), width = decimals as usize + 1);
    let (before, behind) = digits.split_at(digits.len() - decimals as usize);
    let point = if decimals > 0 { "." } else { "" };
    format!("{sign}{before}{point}{behind}")
}

/// The error of a column of a type that is not read.
pub(crate) fn refused(source: &str, name: &str, what: &str) -> Error {
    let what = in_file(source, &format!("column {} is {what}, which is not read", shown(name.as_bytes())));
    Error::new(ErrorKind::Column, what, "convert it to numbers or text, or pass it to `ignore`")
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_their_texts() {
        for (whole, decimals, text) in [
            (1250, 2, "12.50"),
            (-5, 3, "-0.005"),
            (7, 0, "7"),
            (0, 2, "0.00"),
            (-123, 1, "-12.3"),
            (9, 30, "0.000000000000000000000000000009"),
        ] {
            assert_eq!(decimal_text(whole, decimals), text);
        }
    }
}
