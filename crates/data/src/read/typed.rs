//! Values that come with a type, as in Parquet and Arrow, into a column of the table.

use crate::error::{Error, ErrorKind, Result};
use crate::read::chunk::{Part, Reading};
use crate::read::message::{in_file, not_a_number, shown};
use crate::read::number::Problem;
use crate::read::roles::Columns;
use crate::schema::role::Role;

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
            Part::Number(numbers) => numbers.push(f64::NAN),
            Part::Words(words) => words.push_missing(),
            Part::Skip => {}
        }
        self.row += 1;
    }

    /// A number, or its text where the role wants text.
    pub(crate) fn number(&mut self, value: f64, text: impl Fn() -> String) -> Result<()> {
        match &mut self.part {
            _ if value.is_nan() => {
                self.missing();
                return Ok(());
            }
            Part::Number(numbers) if value.is_finite() => numbers.push(value),
            Part::Words(words) => words.push(&text()),
            Part::Number(_) => return Err(self.not_a_number(text().as_bytes(), Problem::Infinite)),
            Part::Skip => {}
        }
        self.row += 1;
        Ok(())
    }

    /// A text, or its number where the role wants numbers.
    pub(crate) fn text(&mut self, value: &str) -> Result<()> {
        self.part.push(value.as_bytes()).map_err(|problem| self.not_a_number(value.as_bytes(), problem))?;
        self.row += 1;
        Ok(())
    }

    fn not_a_number(&self, value: &[u8], problem: Problem) -> Error {
        not_a_number(self.source, &format!("row {}", self.row + 1), (self.name, self.role), value, problem)
    }
}

/// The error of a column of a type that is not read.
pub(crate) fn refused(source: &str, name: &str, what: &str) -> Error {
    let what = in_file(source, &format!("column {} is {what}, which is not read", shown(name.as_bytes())));
    Error::new(ErrorKind::Column, what, "convert it to numbers or text, or pass it to `ignore`")
}
