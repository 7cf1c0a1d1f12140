//! Parquet, column by column.
//!
//! Flat columns of truth values, integers, floats and UTF-8 text are read; NULL is missing, as is NaN. Two nets lie
//! under the decoder: [`guard`] checks every size before it is believed, and a panic inside the parquet crate ends
//! as an error of the file.

mod compact;
mod guard;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::basic::{ConvertedType as C, LogicalType, Type as Physical};
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::chunk::{Part, Reading};
use crate::read::infer::kind_of_words;
use crate::read::message::{grouped, in_file, shown};
use crate::read::parquet::guard::{check_footer, check_pages, damaged};
use crate::read::parquet::values::Sink;
use crate::read::roles::{self, Columns, too_many_rows};
use crate::read::text::check_names;
use crate::role::{Kind, Plan};
use crate::table::{Table, Values};

/// Reads a Parquet file. `check` is a second handle of the same file, for the guards.
pub(crate) fn read_parquet<R: ChunkReader + 'static>(
    file: R,
    check: &R,
    source: &str,
    plan: &dyn Plan,
    limits: &Limits,
) -> Result<Table> {
    check_footer(check, source, limits)?;
    let reader =
        caught(source, || SerializedFileReader::new(file).map_err(|e| damaged(source, &e.to_string())))?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|c| c.name().to_owned()).collect();
    check_names(source, 1, &names)?;
    let kind = |column: usize| match schema.columns().get(column).map(|c| c.physical_type()) {
        Some(Physical::BYTE_ARRAY) => Some(Kind::Category),
        _ => Some(Kind::Number),
    };
    let mut columns = roles::resolve(source, names, plan, kind)?;
    let kept = columns.readings().iter().filter(|r| **r != Reading::Skip).count();
    let rows = count_rows(&reader, source, check.len(), kept, limits)?;
    let mut values = Vec::with_capacity(columns.len());
    for (column, reading) in columns.readings().into_iter().enumerate() {
        if reading == Reading::Skip {
            values.push(None);
            continue;
        }
        let run = Run { reader: &reader, check, source, limits, columns: &columns, column };
        let read = caught(source, || run.column(reading, rows))?;
        if let Some(Values::Words(words)) = &read {
            columns.infer(column, kind_of_words(words, limits.sample_rows));
        }
        values.push(read);
    }
    columns.table_of(source, values.into_iter(), rows)
}

/// Runs a step of the decoder; a panic inside it is a fault of the file.
fn caught<T>(source: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| Err(damaged(source, "it cannot be decoded")))
}

/// The number of rows: what the row groups claim, in proportion to the size of the file.
fn count_rows(
    reader: &dyn FileReader,
    source: &str,
    size: u64,
    kept: usize,
    limits: &Limits,
) -> Result<usize> {
    let mut rows = 0_u64;
    for group in reader.metadata().row_groups() {
        let more =
            u64::try_from(group.num_rows()).map_err(|_| damaged(source, "a negative number of rows"))?;
        rows = rows.saturating_add(more);
    }
    if rows == 0 {
        return Err(roles::no_rows(source));
    }
    if rows > limits.rows as u64 {
        return Err(too_many_rows(source, limits));
    }
    let values = rows.saturating_mul(kept as u64);
    if values > limits.expansion_from && values / limits.expansion.max(1) > size {
        let what = format!("{} values in {} bytes, beyond the limit", grouped(values), grouped(size));
        return Err(Error::new(
            ErrorKind::Limit,
            in_file(source, &what),
            "check the file, or write it as CSV",
        ));
    }
    Ok(rows as usize)
}

/// The reading of one column.
struct Run<'a, R: ChunkReader> {
    reader: &'a SerializedFileReader<R>,
    check: &'a R,
    source: &'a str,
    limits: &'a Limits,
    columns: &'a Columns,
    column: usize,
}

impl<R: ChunkReader + 'static> Run<'_, R> {
    fn column(&self, reading: Reading, rows: usize) -> Result<Option<Values>> {
        let descriptor = self.reader.metadata().file_metadata().schema_descr().column(self.column);
        let unsigned = self.check_type(&descriptor)?;
        let fault = |e: parquet::errors::ParquetError| damaged(self.source, &e.to_string());
        let mut into = Sink {
            source: self.source,
            name: self.columns.name(self.column),
            role: self.columns.asked(self.column),
            unsigned,
            part: Part::new(reading),
            row: 0,
        };
        for (i, group) in self.reader.metadata().row_groups().iter().enumerate() {
            let chunk = group.columns().get(self.column);
            let chunk = chunk.ok_or_else(|| damaged(self.source, "a row group lacks a column"))?;
            if chunk.num_values() != group.num_rows() {
                return Err(damaged(self.source, "a column and its row group differ in length"));
            }
            check_pages(self.check, self.source, chunk, self.limits)?;
            let group_reader = self.reader.get_row_group(i).map_err(fault)?;
            let column = group_reader.get_column_reader(self.column).map_err(fault)?;
            let optional = descriptor.max_def_level() > 0;
            into.read(column, group.num_rows() as usize, optional)?;
        }
        if into.row != rows {
            return Err(damaged(self.source, "columns differ in length"));
        }
        Ok(into.part.finish())
    }

    /// Refuses types that are not read; whether integers are unsigned.
    fn check_type(&self, column: &ColumnDescriptor) -> Result<bool> {
        if column.max_rep_level() > 0 || column.max_def_level() > 1 {
            return Err(self.refused("nested (repeated)"));
        }
        let physical = column.physical_type();
        if matches!(physical, Physical::INT96 | Physical::FIXED_LEN_BYTE_ARRAY) {
            return Err(self.refused(&format!("of type {physical}")));
        }
        match column.logical_type_ref() {
            None
            | Some(LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Unknown) => {}
            Some(LogicalType::Integer(integer)) => return Ok(!integer.is_signed),
            Some(other) => return Err(self.refused(&format!("of type {}", type_name(&format!("{other:?}"))))),
        }
        match column.converted_type() {
            C::NONE | C::UTF8 | C::ENUM | C::JSON | C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 => Ok(false),
            C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => Ok(true),
            other => Err(self.refused(&format!("of type {other}"))),
        }
    }

    fn refused(&self, what: &str) -> Error {
        let name = shown(self.columns.name(self.column).as_bytes());
        let what = in_file(self.source, &format!("column {name} is {what}, which is not read"));
        Error::new(ErrorKind::Column, what, "convert it to numbers or text, or pass it to --ignore")
    }
}

/// The first word of a type's debug form, in lower case: `timestamp`, `decimal`, …
fn type_name(debug: &str) -> String {
    debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase()
}
