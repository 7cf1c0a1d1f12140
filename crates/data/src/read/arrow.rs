//! Arrow record batches that a program has in memory, column by column.
//!
//! Truth values, integers, floats, decimals, times, texts and lists of texts are read, also those kept in a dictionary; null is missing, as is NaN. What is read as what
//! follows the rules of Parquet files, so that a file and its batches give one table.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayAccessor, PrimitiveArray, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};

use crate::error::{Error, ErrorKind, Result};
use crate::read::Limits;
use crate::read::chunk::Reading;
use crate::read::infer::kind_of_words;
use crate::read::message::{in_file, shown};
use crate::read::roles::{self, too_many_rows};
use crate::read::text::check_names;
use crate::read::typed::{Sink, refused};
use crate::schema::role::{Clock, Kind, Plan};
use crate::table::{Table, Values};
use crate::time;

/// The rows of all batches, one after the other.
pub(crate) fn read_batches(
    batches: &[RecordBatch],
    source: &str,
    plan: &dyn Plan,
    limits: &Limits,
) -> Result<Table> {
    let first = batches.first().ok_or_else(|| roles::no_rows(source))?;
    let schema = first.schema();
    for (at, batch) in batches.iter().enumerate() {
        check_schema(source, &schema, &batch.schema(), at)?;
    }
    let rows = batches.iter().map(RecordBatch::num_rows).fold(0, usize::saturating_add);
    if rows > limits.rows {
        return Err(too_many_rows(source, limits));
    }
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    check_names(source, 1, &names)?;
    let kind = |column: usize| {
        let field = schema.fields().get(column)?;
        let text = is_text(field.data_type()).then_some(Kind::Category);
        Some(text.or(clock_of(field.data_type()).map(Kind::Time)).unwrap_or(Kind::Number))
    };
    let mut columns = roles::resolve(source, names, plan, kind)?;
    let mut values = Vec::with_capacity(columns.len());
    for (column, reading) in columns.readings().into_iter().enumerate() {
        if reading == Reading::Skip {
            values.push(None);
            continue;
        }
        let mut into = Sink::new(source, &columns, column, reading);
        for array in batches.iter().filter_map(|batch| batch.columns().get(column)) {
            put(&mut into, array, &mut (0..array.len()).map(Some))?;
        }
        let part = into.part;
        columns.settle(source, column, &part)?;
        let read = part.finish();
        if let Some(Values::Words(words)) = &read {
            let listed = schema.fields().get(column).is_some_and(|field| is_list(field.data_type()));
            columns.infer(column, if listed { Kind::Text } else { kind_of_words(words, limits.sample_rows) });
        }
        values.push(read);
    }
    columns.into_table(source, values.into_iter(), rows)
}

/// Refuses a batch whose columns are not those of the first one.
fn check_schema(source: &str, first: &Schema, own: &Schema, at: usize) -> Result<()> {
    let columns = |schema: &Schema| schema.fields().len();
    let mut pairs = first.fields().iter().zip(own.fields());
    let other = pairs.find(|(a, b)| a.name() != b.name() || a.data_type() != b.data_type());
    let what = if let Some((a, b)) = other {
        let named = |name: &str, kind: &DataType| format!("{} of type {kind}", shown(name.as_bytes()));
        let (a, b) = (named(a.name(), a.data_type()), named(b.name(), b.data_type()));
        format!("batch {} has column {b} where the first one has {a}", at + 1)
    } else if columns(first) != columns(own) {
        format!("batch {} has {} columns, and the first one {}", at + 1, columns(own), columns(first))
    } else {
        return Ok(());
    };
    let remedy = "give batches of one schema";
    Err(Error::new(ErrorKind::Column, in_file(source, &what), remedy))
}

/// Whether values of a type are texts.
fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => is_list(kind),
    }
}

/// What columns of times hold.
fn clock_of(kind: &DataType) -> Option<Clock> {
    match kind {
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Some(Clock::Plain),
        DataType::Time32(_) | DataType::Time64(_) | DataType::Duration(_) => Some(Clock::Span),
        DataType::Dictionary(_, values) => clock_of(values),
        _ => None,
    }
}

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Whether values of a type are lists of texts: words.
fn is_list(kind: &DataType) -> bool {
    match kind {
        DataType::List(item) | DataType::LargeList(item) => {
            matches!(item.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
        }
        _ => false,
    }
}

/// Where the values of rows are in an array; nowhere where they are missing.
type Places<'a> = dyn Iterator<Item = Option<usize>> + 'a;

/// Adds an array to a column.
fn put(into: &mut Sink<'_>, array: &dyn Array, places: &mut Places<'_>) -> Result<()> {
    /// Numbers of a type: what they are in double precision, and their text.
    macro_rules! numbers {
        ($type:ty, $float:expr, $text:literal) => {
            each(into, array.as_primitive::<$type>(), places, |into, value| {
                into.number($float(value), || format!($text, value))
            })
        };
    }
    match array.data_type() {
        kind if clock_of(kind).is_some() && !matches!(kind, DataType::Dictionary(..)) => {
            times(into, array, places)
        }
        DataType::Null => {
            places.for_each(|_| into.missing());
            Ok(())
        }
        DataType::Boolean => each(into, array.as_boolean(), places, |into, value| {
            into.number(f64::from(u8::from(value)), || value.to_string())
        }),
        DataType::Int8 => numbers!(Int8Type, f64::from, "{}"),
        DataType::Int16 => numbers!(Int16Type, f64::from, "{}"),
        DataType::Int32 => numbers!(Int32Type, f64::from, "{}"),
        DataType::Int64 => numbers!(Int64Type, |value| value as f64, "{}"),
        DataType::UInt8 => numbers!(UInt8Type, f64::from, "{}"),
        DataType::UInt16 => numbers!(UInt16Type, f64::from, "{}"),
        DataType::UInt32 => numbers!(UInt32Type, f64::from, "{}"),
        DataType::UInt64 => numbers!(UInt64Type, |value| value as f64, "{}"),
        DataType::Float16 => numbers!(Float16Type, f64::from, "{:?}"),
        DataType::Float32 => numbers!(Float32Type, f64::from, "{:?}"),
        DataType::Float64 => numbers!(Float64Type, |value| value, "{:?}"),
        DataType::Utf8 => each(into, array.as_string::<i32>(), places, Sink::text),
        DataType::LargeUtf8 => each(into, array.as_string::<i64>(), places, Sink::text),
        DataType::Utf8View => each(into, array.as_string_view(), places, Sink::text),
        DataType::Dictionary(..) => by_key(into, array, places),
        DataType::Decimal32(..) => decimals(into, array.as_primitive::<Decimal32Type>(), places),
        DataType::Decimal64(..) => decimals(into, array.as_primitive::<Decimal64Type>(), places),
        DataType::Decimal128(..) => decimals(into, array.as_primitive::<Decimal128Type>(), places),
        DataType::Decimal256(..) => decimals(into, array.as_primitive::<Decimal256Type>(), places),
        DataType::List(_) if is_list(array.data_type()) => {
            each(into, array.as_list::<i32>(), places, |into, words| into.text(&joined(&words)))
        }
        DataType::LargeList(_) if is_list(array.data_type()) => {
            each(into, array.as_list::<i64>(), places, |into, words| into.text(&joined(&words)))
        }
        other => Err(refused(into.source, into.name, &format!("of type {other}"))),
    }
}

/// Adds times by their ticks.
fn times(into: &mut Sink<'_>, array: &dyn Array, places: &mut Places<'_>) -> Result<()> {
    /// Times of a type, of which so many make a second.
    macro_rules! ticks {
        ($type:ty, $per_second:expr) => {{
            let clock = clock_of(array.data_type()).unwrap_or(Clock::Plain);
            each(into, array.as_primitive::<$type>(), places, |into, value| {
                into.time(time::seconds(i64::from(value), $per_second), clock)
            })
        }};
    }
    match array.data_type() {
        DataType::Date32 => each(into, array.as_primitive::<Date32Type>(), places, |into, days| {
            into.time(time::seconds(DAY * i64::from(days), 1), Clock::Plain)
        }),
        DataType::Date64 => ticks!(Date64Type, 1000),
        DataType::Timestamp(TimeUnit::Second, _) => ticks!(TimestampSecondType, 1),
        DataType::Timestamp(TimeUnit::Millisecond, _) => ticks!(TimestampMillisecondType, 1000),
        DataType::Timestamp(TimeUnit::Microsecond, _) => ticks!(TimestampMicrosecondType, 1_000_000),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => ticks!(TimestampNanosecondType, 1_000_000_000),
        DataType::Time32(TimeUnit::Second) => ticks!(Time32SecondType, 1),
        DataType::Time32(_) => ticks!(Time32MillisecondType, 1000),
        DataType::Time64(TimeUnit::Microsecond) => ticks!(Time64MicrosecondType, 1_000_000),
        DataType::Time64(_) => ticks!(Time64NanosecondType, 1_000_000_000),
        DataType::Duration(TimeUnit::Second) => ticks!(DurationSecondType, 1),
        DataType::Duration(TimeUnit::Millisecond) => ticks!(DurationMillisecondType, 1000),
        DataType::Duration(TimeUnit::Microsecond) => ticks!(DurationMicrosecondType, 1_000_000),
        DataType::Duration(TimeUnit::Nanosecond) => ticks!(DurationNanosecondType, 1_000_000_000),
        other => Err(refused(into.source, into.name, &format!("of type {other}"))),
    }
}

/// Adds decimals by their digits.
fn decimals<T: DecimalType>(
    into: &mut Sink<'_>,
    array: &PrimitiveArray<T>,
    places: &mut Places<'_>,
) -> Result<()> {
    for place in places {
        match place.filter(|&place| array.is_valid(place)) {
            Some(place) => into.text(&array.value_as_string(place))?,
            None => into.missing(),
        }
    }
    Ok(())
}

/// The words of a list, as one text.
fn joined(words: &dyn Array) -> String {
    let mut text = String::new();
    let mut add = |word: Option<&str>| {
        if let Some(word) = word {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(word);
        }
    };
    match words.data_type() {
        DataType::Utf8 => words.as_string::<i32>().iter().for_each(&mut add),
        DataType::LargeUtf8 => words.as_string::<i64>().iter().for_each(&mut add),
        _ => words.as_string_view().iter().for_each(&mut add),
    }
    text
}

/// Adds values one by one.
fn each<'s, A: ArrayAccessor + Copy>(
    into: &mut Sink<'s>,
    array: A,
    places: &mut Places<'_>,
    put: impl Fn(&mut Sink<'s>, A::Item) -> Result<()>,
) -> Result<()> {
    for place in places {
        match place.filter(|&place| array.is_valid(place)) {
            Some(place) => put(into, array.value(place))?,
            None => into.missing(),
        }
    }
    Ok(())
}

/// Adds values of a dictionary.
fn by_key(into: &mut Sink<'_>, array: &dyn Array, places: &mut Places<'_>) -> Result<()> {
    let dictionary = array.as_any_dictionary();
    let (keys, values) = (dictionary.keys(), dictionary.values());
    // The keys of nulls may be anything.
    let places_of = if values.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
    let behind = |place: usize| places_of.get(place).copied().filter(|_| keys.is_valid(place));
    put(into, values, &mut places.map(|place| place.and_then(behind)))
}
