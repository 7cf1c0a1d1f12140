//! The values of a Parquet column, type by type, into a column of the table.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};

use crate::error::{Error, ErrorKind, Result};
use crate::read::chunk::Part;
use crate::read::message::{not_a_number, shown};
use crate::read::number::Problem;
use crate::read::parquet::Room;
use crate::read::parquet::guard::{damaged, fault};
use crate::schema::role::Role;

/// Rows that are decoded at a time.
const BATCH: usize = 8192;

/// Where values go, and what messages need.
pub(crate) struct Sink<'a> {
    /// The file.
    pub source: &'a str,
    /// The column.
    pub name: &'a str,
    /// Its role as the plan asked.
    pub role: Role,
    /// Whether its integers are unsigned.
    pub unsigned: bool,
    /// The values so far.
    pub part: Part,
    /// Their number.
    pub row: usize,
    /// How many bytes they may take.
    pub room: Room<'a>,
}

impl Sink<'_> {
    /// Reads the column in one row group.
    pub(crate) fn read(&mut self, column: ColumnReader, rows: usize, optional: bool) -> Result<()> {
        let unsigned = self.unsigned;
        match column {
            ColumnReader::BoolColumnReader(c) => {
                self.drain(c, rows, optional, |s, v| s.number(f64::from(u8::from(*v)), || v.to_string()))
            }
            ColumnReader::Int32ColumnReader(c) => self.drain(c, rows, optional, move |s, v| {
                let wide = if unsigned { i64::from(*v as u32) } else { i64::from(*v) };
                s.number(wide as f64, || wide.to_string())
            }),
            ColumnReader::Int64ColumnReader(c) => self.drain(c, rows, optional, move |s, v| {
                if unsigned {
                    s.number(*v as u64 as f64, || (*v as u64).to_string())
                } else {
                    s.number(*v as f64, || v.to_string())
                }
            }),
            ColumnReader::FloatColumnReader(c) => {
                self.drain(c, rows, optional, |s, v| s.number(f64::from(*v), || format!("{v:?}")))
            }
            ColumnReader::DoubleColumnReader(c) => {
                self.drain(c, rows, optional, |s, v| s.number(*v, || format!("{v:?}")))
            }
            ColumnReader::ByteArrayColumnReader(c) => self.drain(c, rows, optional, Self::text),
            _ => Err(damaged(self.source, "a column of another type than its schema says")),
        }
    }

    fn drain<T: DataType>(
        &mut self,
        mut column: ColumnReaderImpl<T>,
        rows: usize,
        optional: bool,
        put: impl Fn(&mut Self, &T::T) -> Result<()>,
    ) -> Result<()> {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let mut left = rows;
        while left > 0 {
            values.clear();
            levels.clear();
            let wanted = left.min(BATCH);
            let seen = column.read_records(wanted, optional.then_some(&mut levels), None, &mut values);
            let (records, _, _) = seen.map_err(|error| fault(self.source, error))?;
            if records == 0 || records > left {
                return Err(damaged(self.source, "a column with too few values"));
            }
            let mut values = values.iter();
            for record in 0..records {
                let present = !optional || levels.get(record).is_some_and(|level| *level > 0);
                match (present, values.as_slice().is_empty()) {
                    (true, false) => values.next().map_or(Ok(()), |value| put(self, value))?,
                    (false, _) => self.missing(),
                    (true, true) => return Err(damaged(self.source, "a column with too few values")),
                }
                self.row += 1;
            }
            self.room.check(self.part.bytes())?;
            left -= records;
        }
        Ok(())
    }

    fn missing(&mut self) {
        match &mut self.part {
            Part::Number(numbers) => numbers.push(f64::NAN),
            Part::Words(words) => words.push_missing(),
            Part::Skip => {}
        }
    }

    /// A number, or its text where the role wants text.
    fn number(&mut self, value: f64, text: impl Fn() -> String) -> Result<()> {
        match &mut self.part {
            _ if value.is_nan() => self.missing(),
            Part::Number(numbers) if value.is_finite() => numbers.push(value),
            Part::Words(words) => words.push(&text()),
            Part::Number(_) => return Err(self.not_a_number(text().as_bytes(), Problem::Infinite)),
            Part::Skip => {}
        }
        Ok(())
    }

    fn text(&mut self, value: &ByteArray) -> Result<()> {
        if std::str::from_utf8(value.data()).is_err() {
            let what = format!(
                "{}, row {}, column {}: bytes that are not UTF-8",
                self.source,
                self.row + 1,
                shown(self.name.as_bytes())
            );
            return Err(Error::new(
                ErrorKind::Column,
                what,
                "write the column as UTF-8 text, or pass it to `ignore`",
            ));
        }
        self.part.push(value.data()).map_err(|problem| self.not_a_number(value.data(), problem))
    }

    fn not_a_number(&self, value: &[u8], problem: Problem) -> Error {
        not_a_number(self.source, &format!("row {}", self.row + 1), (self.name, self.role), value, problem)
    }
}
