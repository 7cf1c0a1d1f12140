//! Parquet, column by column.
//!
//! Flat columns of truth values, integers, floats, decimals, times and UTF-8 text are read; NULL is missing, as is NaN. Three nets lie
//! under the decoder: [`guard`] and [`pages`] check every size before it is believed, the table may not grow out of all
//! proportion to the file, and a panic inside the parquet crate ends as an error of the file.

mod compact;
mod delta;
mod guard;
mod pages;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parquet::basic::{ConvertedType as C, LogicalType, TimeUnit, Type as Physical};
use parquet::column::reader::get_column_reader;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use parquet::schema::types::ColumnDescriptor;

use crate::error::{Error, ErrorKind, Result};
use crate::read::chunk::{Part, Reading};
use crate::read::infer::kind_of_words;
use crate::read::message::in_file;
use crate::read::parquet::guard::{check_footer, check_pages, damaged, fault};
use crate::read::parquet::pages::Pages;
use crate::read::parquet::values::{Decoded, Whole};
use crate::read::roles::{self, Columns, too_many_rows};
use crate::read::text::check_names;
use crate::read::typed::{Sink, refused};
use crate::read::{Limits, Request, Take};
use crate::schema::role::{Clock, Kind};
use crate::table::{Table, Values};
use crate::wording::grouped;

/// Reads a Parquet file, so many row groups after the other.
pub(crate) fn read_groups<R: ChunkReader + 'static>(
    file: R,
    request: Request<'_>,
    at_once: usize,
    take: &mut Take<'_>,
) -> Result<()> {
    let Request { source, plan, limits } = request;
    check_footer(&file, source, limits)?;
    let parse = || ParquetMetaDataReader::new().parse_and_finish(&file).map_err(|e| fault(source, e));
    let metadata = caught(source, parse)?;
    let schema = metadata.file_metadata().schema_descr_ptr();
    let names: Vec<String> = schema.columns().iter().map(|c| c.name().to_owned()).collect();
    check_names(source, 1, &names)?;
    let kind = |column: usize| {
        let column = schema.columns().get(column)?;
        Some(match (column.physical_type(), ticks(column)) {
            (Physical::BYTE_ARRAY, _) if !is_decimal(column) => Kind::Category,
            (Physical::INT96, _) => Kind::Time(Clock::Plain),
            (_, Some(Whole::Ticks(_, clock))) => Kind::Time(clock),
            _ => Kind::Number,
        })
    };
    let columns = roles::resolve(source, names, plan, kind)?;
    let room = Room { source, size: file.len(), left: limits.unpacked(file.len()) };
    check_rows(&metadata, &columns.readings(), &room, limits)?;
    let mut file = File { reader: Arc::new(file), metadata: &metadata, room, limits };
    for groups in metadata.row_groups().chunks(at_once.max(1)) {
        let rows = groups.iter().map(|group| group.num_rows() as usize).sum();
        if rows > 0 {
            take(file.table(&columns, groups, rows)?)?;
        }
    }
    Ok(())
}

/// What the parquet crate is known to panic on, by file and words: pages that contradict themselves where only the decoder can see it.
/// [`caught`] turns any panic into an error; one that is not listed here fails our tests.
#[doc(hidden)]
pub const KNOWN_PANICS: &[(&str, &str)] = &[
    // Levels or values that end after their page.
    ("src/bytes.rs", "range end out of bounds"),
    ("src/bytes.rs", "range start must not be greater than end"),
    ("src/data_type.rs", "set_data should have been called"),
    ("src/encodings/decoding/byte_stream_split_decoder.rs", "index out of bounds"),
    // Numbers of variable length without an end, and pages that end within a number.
    ("src/util/bit_util.rs", "MAX_VLQ_BYTE_LEN"),
    ("src/util/bit_util.rs", "with overflow"),
    ("src/util/bit_util.rs", "size <= src.len()"),
    ("src/util/bit_util.rs", "out of range for slice"),
    // Codes of a dictionary that is not there.
    ("src/column/reader/decoder.rs", "Decoder for dict should have been set"),
    // A list of no differences for a page with values: debug builds see the overflow of the next line first.
    ("src/encodings/decoding.rs", "out of range for slice"),
    // Differences that leave the range of numbers; release builds wrap around.
    ("src/encodings/decoding.rs", "with overflow"),
];

/// Runs a step of the decoder; a panic inside it is a fault of the file.
fn caught<T>(source: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| Err(damaged(source, "it cannot be decoded")))
}

/// What is left of the memory that a file of this size may ask for.
#[derive(Clone, Copy)]
pub(crate) struct Room<'a> {
    source: &'a str,
    size: u64,
    left: u64,
}

impl Room<'_> {
    /// Refuses values that take more.
    pub(crate) fn check(&self, bytes: u64) -> Result<()> {
        if bytes <= self.left {
            return Ok(());
        }
        let what = format!("{} bytes unpack beyond the limit", grouped(self.size));
        let remedy = "check the file, or write it as CSV";
        Err(Error::new(ErrorKind::Limit, in_file(self.source, &what), remedy))
    }
}

/// Checks the number of rows, which is what the row groups claim: it is in proportion to the size of the file.
fn check_rows(
    metadata: &ParquetMetaData,
    readings: &[Reading],
    room: &Room<'_>,
    limits: &Limits,
) -> Result<()> {
    let source = room.source;
    let mut rows = 0_u64;
    for group in metadata.row_groups() {
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
    // What they take at least.
    let bytes = |reading: &Reading| match reading {
        Reading::Number | Reading::Dressed(_) | Reading::Times(_) => 1,
        Reading::Words => 4,
        Reading::Skip => 0,
    };
    room.check(rows.saturating_mul(readings.iter().map(bytes).sum()))
}

/// An open file.
struct File<'a, R: ChunkReader> {
    reader: Arc<R>,
    metadata: &'a ParquetMetaData,
    room: Room<'a>,
    limits: &'a Limits,
}

impl<R: ChunkReader + 'static> File<'_, R> {
    /// The rows of some row groups.
    fn table(&mut self, columns: &Columns, groups: &[RowGroupMetaData], rows: usize) -> Result<Table> {
        let (mut columns, source) = (columns.clone(), self.room.source);
        let mut values = Vec::with_capacity(columns.len());
        for (column, reading) in columns.readings().into_iter().enumerate() {
            if reading == Reading::Skip {
                values.push(None);
                continue;
            }
            let run = Run { file: self, columns: &columns, column };
            let (part, bytes) = caught(source, || run.column(reading, groups, rows))?;
            columns.settle(source, column, &part)?;
            let read = part.finish();
            self.room.left = self.room.left.saturating_sub(bytes);
            if let Some(Values::Words(words)) = &read {
                columns.infer(column, kind_of_words(words, self.limits.sample_rows));
            }
            values.push(read);
        }
        columns.into_table(source, values.into_iter(), rows)
    }
}

/// The most digits behind the point of a decimal.
const MOST_DECIMALS: u32 = 38;

/// Whether a column is one of decimals.
fn is_decimal(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Decimal(_)))
        || column.converted_type() == C::DECIMAL
}

/// What a column of times holds, and how many of its whole numbers make a second; none make a day.
fn ticks(column: &ColumnDescriptor) -> Option<Whole> {
    let of = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1000,
        TimeUnit::MICROS => 1_000_000,
        TimeUnit::NANOS => 1_000_000_000,
    };
    let whole = matches!(column.physical_type(), Physical::INT32 | Physical::INT64);
    let found = match (column.logical_type_ref(), column.converted_type()) {
        (Some(LogicalType::Date), _) | (None, C::DATE) => Some((0, Clock::Plain)),
        (Some(LogicalType::Timestamp(time)), _) => Some((of(&time.unit), Clock::Plain)),
        (Some(LogicalType::Time(time)), _) => Some((of(&time.unit), Clock::Span)),
        (None, C::TIMESTAMP_MILLIS) => Some((1000, Clock::Plain)),
        (None, C::TIMESTAMP_MICROS) => Some((1_000_000, Clock::Plain)),
        (None, C::TIME_MILLIS) => Some((1000, Clock::Span)),
        (None, C::TIME_MICROS) => Some((1_000_000, Clock::Span)),
        _ => None,
    };
    found.filter(|_| whole).map(|(per_second, clock)| Whole::Ticks(per_second, clock))
}

/// The reading of one column.
struct Run<'a, R: ChunkReader> {
    file: &'a File<'a, R>,
    columns: &'a Columns,
    column: usize,
}

impl<R: ChunkReader + 'static> Run<'_, R> {
    /// The values, and about how many bytes they take.
    fn column(&self, reading: Reading, groups: &[RowGroupMetaData], rows: usize) -> Result<(Part, u64)> {
        let File { reader, metadata, room, limits } = self.file;
        let source = room.source;
        let descriptor = metadata.file_metadata().schema_descr().column(self.column);
        let whole = self.check_type(&descriptor)?;
        let values = Sink::new(source, self.columns, self.column, reading);
        let mut into = Decoded { values, whole, room: *room };
        for group in groups {
            let chunk = group.columns().get(self.column);
            let chunk = chunk.ok_or_else(|| damaged(source, "a row group lacks a column"))?;
            if chunk.num_values() != group.num_rows() {
                return Err(damaged(source, "a column and its row group differ in length"));
            }
            let sizes = check_pages(&**reader, source, chunk, limits)?;
            let pages = Pages::new(reader, source, chunk, sizes, limits)?;
            let column = get_column_reader(Arc::clone(&descriptor), Box::new(pages));
            let optional = descriptor.max_def_level() > 0;
            into.read(column, group.num_rows() as usize, optional)?;
        }
        let Sink { part, row, .. } = into.values;
        if row != rows {
            return Err(damaged(source, "columns differ in length"));
        }
        let bytes = part.bytes();
        Ok((part, bytes))
    }

    /// Refuses types that are not read; what whole numbers are.
    fn check_type(&self, column: &ColumnDescriptor) -> Result<Whole> {
        if column.max_rep_level() > 0 || column.max_def_level() > 1 {
            return Err(self.refused("nested (repeated)"));
        }
        let physical = column.physical_type();
        if is_decimal(column) && physical != Physical::INT96 {
            let decimals =
                u32::try_from(column.type_scale()).ok().filter(|decimals| *decimals <= MOST_DECIMALS);
            return decimals.map(Whole::Decimal).ok_or_else(|| self.refused("a decimal of too many digits"));
        }
        if physical == Physical::INT96 {
            return Ok(Whole::Signed);
        }
        if let Some(ticks) = ticks(column) {
            return Ok(ticks);
        }
        if physical == Physical::FIXED_LEN_BYTE_ARRAY {
            return Err(self.refused(&format!("of type {physical}")));
        }
        match column.logical_type_ref() {
            None
            | Some(LogicalType::String | LogicalType::Enum | LogicalType::Json | LogicalType::Unknown) => {}
            Some(LogicalType::Integer(integer)) if integer.is_signed => return Ok(Whole::Signed),
            Some(LogicalType::Integer(_)) => return Ok(Whole::Unsigned),
            Some(other) => return Err(self.refused(&format!("of type {}", type_name(&format!("{other:?}"))))),
        }
        match column.converted_type() {
            C::NONE | C::UTF8 | C::ENUM | C::JSON | C::INT_8 | C::INT_16 | C::INT_32 | C::INT_64 => {
                Ok(Whole::Signed)
            }
            C::UINT_8 | C::UINT_16 | C::UINT_32 | C::UINT_64 => Ok(Whole::Unsigned),
            other => Err(self.refused(&format!("of type {other}"))),
        }
    }

    fn refused(&self, what: &str) -> Error {
        refused(self.file.room.source, self.columns.name(self.column), what)
    }
}

/// The first word of a type's debug form, in lower case: `timestamp`, `decimal`, …
fn type_name(debug: &str) -> String {
    debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase()
}
