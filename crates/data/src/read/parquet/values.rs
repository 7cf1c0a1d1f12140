//! The values of a Parquet column, type by type, into a column of the table.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};

use crate::error::{Error, ErrorKind, Result};
use crate::read::message::shown;
use crate::read::parquet::Room;
use crate::read::parquet::guard::{damaged, fault};
use crate::read::typed::Sink;
use crate::schema::role::Clock;
use crate::time;

/// Rows that are decoded at a time.
const BATCH: usize = 8192;

/// What the whole numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// Themselves, with a sign.
    Signed,
    /// Themselves, without.
    Unsigned,
    /// Decimals with so many digits behind the point.
    Decimal(u32),
    /// Times, of which so many make a second, or days where none do.
    Ticks(i64, Clock),
}

/// Where values go.
pub(crate) struct Decoded<'a> {
    /// The values so far.
    pub values: Sink<'a>,
    /// What whole numbers are.
    pub whole: Whole,
    /// How many bytes they may take.
    pub room: Room<'a>,
}

/// Seconds of a day, and billionths of a second.
const DAY: i64 = 86_400;
const NANOS: i64 = 1_000_000_000;

/// The number of 1970-01-01 in the count of days of old timestamps.
const DAY_OF_1970: i64 = 2_440_588;

/// Seconds of ticks, of which so many make a second, or days where none do.
fn of_ticks(ticks: i64, per_second: i64) -> Option<f64> {
    match per_second {
        0 => time::seconds(ticks.checked_mul(DAY)?, 1),
        per_second => time::seconds(ticks, per_second),
    }
}

impl Decoded<'_> {
    /// Reads the column in one row group.
    pub(crate) fn read(&mut self, column: ColumnReader, rows: usize, optional: bool) -> Result<()> {
        let whole = self.whole;
        match column {
            ColumnReader::BoolColumnReader(c) => self
                .drain(c, rows, optional, |s, v| s.values.number(f64::from(u8::from(*v)), || v.to_string())),
            ColumnReader::Int32ColumnReader(c) => self.drain(c, rows, optional, move |s, v| {
                let value = if whole == Whole::Unsigned { i64::from(*v as u32) } else { i64::from(*v) };
                match whole {
                    Whole::Decimal(decimals) => s.values.decimal(value.into(), decimals),
                    Whole::Ticks(per_second, clock) => s.values.time(of_ticks(value, per_second), clock),
                    _ => s.values.number(value as f64, || value.to_string()),
                }
            }),
            ColumnReader::Int64ColumnReader(c) => self.drain(c, rows, optional, move |s, v| match whole {
                Whole::Unsigned => s.values.number(*v as u64 as f64, || (*v as u64).to_string()),
                Whole::Signed => s.values.number(*v as f64, || v.to_string()),
                Whole::Decimal(decimals) => s.values.decimal((*v).into(), decimals),
                Whole::Ticks(per_second, clock) => s.values.time(of_ticks(*v, per_second), clock),
            }),
            ColumnReader::FloatColumnReader(c) => {
                self.drain(c, rows, optional, |s, v| s.values.number(f64::from(*v), || format!("{v:?}")))
            }
            ColumnReader::DoubleColumnReader(c) => {
                self.drain(c, rows, optional, |s, v| s.values.number(*v, || format!("{v:?}")))
            }
            ColumnReader::ByteArrayColumnReader(c) => match whole {
                Whole::Decimal(decimals) => self.drain(c, rows, optional, |s, v| s.bytes(v.data(), decimals)),
                _ => self.drain(c, rows, optional, Self::text),
            },
            ColumnReader::FixedLenByteArrayColumnReader(c) => match whole {
                Whole::Decimal(decimals) => self.drain(c, rows, optional, |s, v| s.bytes(v.data(), decimals)),
                _ => Err(damaged(self.values.source, "a column of another type than its schema says")),
            },
            ColumnReader::Int96ColumnReader(c) => self.drain(c, rows, optional, |s, v| {
                let &[low, high, day] = v.data() else { return s.values.time(None, Clock::Plain) };
                let nanos = i64::from(low) | i64::from(high) << 32;
                let seconds = DAY * (i64::from(day) - DAY_OF_1970) + nanos.div_euclid(NANOS);
                let rest = time::seconds(nanos.rem_euclid(NANOS), NANOS).unwrap_or_default();
                s.values.time(time::seconds(seconds, 1).map(|seconds| seconds + rest), Clock::Plain)
            }),
        }
    }

    fn drain<T: DataType>(
        &mut self,
        mut column: ColumnReaderImpl<T>,
        rows: usize,
        optional: bool,
        put: impl Fn(&mut Self, &T::T) -> Result<()>,
    ) -> Result<()> {
        let source = self.values.source;
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let mut left = rows;
        while left > 0 {
            values.clear();
            levels.clear();
            let wanted = left.min(BATCH);
            let seen = column.read_records(wanted, optional.then_some(&mut levels), None, &mut values);
            let (records, _, _) = seen.map_err(|error| fault(source, error))?;
            if records == 0 || records > left {
                return Err(damaged(source, "a column with too few values"));
            }
            let mut values = values.iter();
            for record in 0..records {
                let present = !optional || levels.get(record).is_some_and(|level| *level > 0);
                match (present, values.as_slice().is_empty()) {
                    (true, false) => values.next().map_or(Ok(()), |value| put(self, value))?,
                    (false, _) => self.values.missing(),
                    (true, true) => return Err(damaged(source, "a column with too few values")),
                }
            }
            self.room.check(self.values.part.bytes())?;
            left -= records;
        }
        Ok(())
    }

    /// A decimal, the digits of which are a number in two's complement, the highest byte first.
    fn bytes(&mut self, bytes: &[u8], decimals: u32) -> Result<()> {
        let start: i128 = if bytes.first().is_some_and(|byte| *byte >= 0x80) { -1 } else { 0 };
        if bytes.is_empty() || bytes.len() > 16 {
            return Err(damaged(self.values.source, "a decimal of more than 16 bytes, or of none"));
        }
        let whole = bytes.iter().fold(start, |all, byte| all << 8 | i128::from(*byte));
        self.values.decimal(whole, decimals)
    }

    fn text(&mut self, value: &ByteArray) -> Result<()> {
        if let Ok(text) = std::str::from_utf8(value.data()) {
            return self.values.text(text);
        }
        let Sink { source, name, row, .. } = &self.values;
        let name = shown(name.as_bytes());
        let what = format!("{source}, row {}, column {name}: bytes that are not UTF-8", row + 1);
        let remedy = "write the column as UTF-8 text, or pass it to `ignore`";
        Err(Error::new(ErrorKind::Column, what, remedy))
    }
}
