//! Tables as Parquet, some rows after the other: whole numbers, numbers and texts. Of the kinds of values, only
//! [`ParquetValues::Words`] may be missing; a number is by being NaN.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

/// Some values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ParquetValues {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<String>),
    /// Texts of which some may be missing.
    Words(Vec<Option<String>>),
}

impl ParquetValues {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Whole(values) => values.len(),
            Self::Numbers(values) => values.len(),
            Self::Texts(values) => values.len(),
            Self::Words(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets them; the kind stays.
    pub fn clear(&mut self) {
        match self {
            Self::Whole(values) => values.clear(),
            Self::Numbers(values) => values.clear(),
            Self::Texts(values) => values.clear(),
            Self::Words(values) => values.clear(),
        }
    }

    /// How the format has them.
    fn physical(&self) -> Physical {
        match self {
            Self::Whole(_) => Physical::INT64,
            Self::Numbers(_) => Physical::DOUBLE,
            Self::Texts(_) | Self::Words(_) => Physical::BYTE_ARRAY,
        }
    }
}

/// A file under way.
pub struct ParquetWriter<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> ParquetWriter<W> {
    /// A file with columns of these names, and of the kinds of these values.
    pub fn new<'a>(
        out: W,
        columns: impl IntoIterator<Item = (&'a str, &'a ParquetValues)>,
    ) -> io::Result<Self> {
        let field = |(name, values): (&str, &ParquetValues)| -> io::Result<TypePtr> {
            let text = (values.physical() == Physical::BYTE_ARRAY).then_some(LogicalType::String);
            let optional = matches!(values, ParquetValues::Words(_));
            let field = Type::primitive_type_builder(name, values.physical())
                .with_repetition(if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED })
                .with_logical_type(text);
            field.build().map(Arc::new).map_err(failed)
        };
        let fields = columns.into_iter().map(field).collect::<io::Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("table").with_fields(fields).build().map_err(failed)?;
        let properties =
            WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map(Self).map_err(failed)
    }

    /// Writes rows: as many values of each column.
    pub fn put(&mut self, columns: &[ParquetValues]) -> io::Result<()> {
        let mut group = self.0.next_row_group().map_err(failed)?;
        for values in columns {
            let Some(mut column) = group.next_column().map_err(failed)? else {
                return Err(io::Error::other("more columns than the table has"));
            };
            match (column.untyped(), values) {
                (ColumnWriter::Int64ColumnWriter(out), ParquetValues::Whole(values)) => {
                    out.write_batch(values, None, None)
                }
                (ColumnWriter::DoubleColumnWriter(out), ParquetValues::Numbers(values)) => {
                    out.write_batch(values, None, None)
                }
                (ColumnWriter::ByteArrayColumnWriter(out), ParquetValues::Texts(values)) => {
                    let values: Vec<ByteArray> = values.iter().map(|text| text.as_str().into()).collect();
                    out.write_batch(&values, None, None)
                }
                (ColumnWriter::ByteArrayColumnWriter(out), ParquetValues::Words(values)) => {
                    let levels: Vec<i16> = values.iter().map(|text| i16::from(text.is_some())).collect();
                    let values: Vec<ByteArray> =
                        values.iter().flatten().map(|text| text.as_str().into()).collect();
                    out.write_batch(&values, Some(&levels), None)
                }
                _ => return Err(io::Error::other("a column of another kind")),
            }
            .map_err(failed)?;
            column.close().map_err(failed)?;
        }
        group.close().map(drop).map_err(failed)
    }

    /// Writes what is still to be written; gives the writer back.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(failed)
    }
}

/// What failed, as of a file.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => {
            cause.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
        }
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_parquet_from;
    use crate::{Limits, TrainingPlan, Values};

    #[test]
    fn what_is_written_is_read() {
        let columns = |from: i64| {
            [
                ParquetValues::Whole((from..from + 3).collect()),
                ParquetValues::Numbers(vec![0.1, -2.5e300, 3.0]),
                ParquetValues::Texts(["a", "", "b"].map(String::from).to_vec()),
                ParquetValues::Words(vec![None, Some("w".into()), None]),
            ]
        };
        let kinds = columns(0);
        let header = ["row", "x.y", "class", "word"];
        let names = header.into_iter().zip(&kinds);
        let mut writer = ParquetWriter::new(Vec::new(), names).unwrap();
        writer.put(&columns(1)).unwrap();
        writer.put(&columns(4)).unwrap();
        assert!(writer.put(&columns(4)[1..]).is_err());
        let mut writer = ParquetWriter::new(Vec::new(), header.into_iter().zip(&kinds)).unwrap();
        writer.put(&columns(1)).unwrap();
        writer.put(&columns(4)).unwrap();
        let bytes = writer.finish().unwrap();
        let table = read_parquet_from(bytes, "t", &TrainingPlan::default(), &Limits::default()).unwrap();
        assert_eq!((table.rows, table.columns.len()), (6, 4));
        let numbers = |at: usize| match &table.columns[at].values {
            Values::Numbers(numbers) => (0..6).map(|row| numbers.get(row)).collect::<Vec<_>>(),
            _ => panic!("numbers"),
        };
        let Values::Words(words) = &table.columns[3].values else { panic!("words") };
        assert_eq!([words.get(0), words.get(1), words.get(4)], [None, Some("w"), Some("w")]);
        assert_eq!(numbers(0), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(numbers(1), [0.1, -2.5e300, 3.0, 0.1, -2.5e300, 3.0]);
    }
}
