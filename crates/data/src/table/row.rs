//! One row at a time, as a model looks at it: no table, no names, nothing but the values that are asked for.

use crate::encode::{CategoryCodec, Codec, Encoder, TextCodec};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Clock;
use crate::time::{Part, Times};
use crate::wording;

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A number; NaN is missing.
    Number(f64),
    /// A category, a text, or a time as files have it.
    Word(&'a str),
    /// A time: seconds since 1970 in UTC, or of a time of day or a duration.
    Seconds(f64),
    /// Nothing.
    Missing,
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(word: &'a str) -> Self {
        Self::Word(word)
    }
}

/// Where the values of some features are in a row that has a cell for each column.
#[derive(Clone, Debug)]
pub struct RowReader {
    names: Vec<String>,
    used: Vec<UsedColumn>,
    features: usize,
}

/// A column with features that are asked for.
#[derive(Clone, Debug)]
struct UsedColumn {
    column: usize,
    intake: Intake,
}

#[derive(Clone, Debug)]
enum Intake {
    Number,
    Category(CategoryCodec),
    /// With the parts that are asked for; nothing is the seconds themselves.
    Time(Clock, Vec<Option<Part>>),
    /// With the n-grams that are asked for, ascending.
    Text(TextCodec, Vec<u32>),
}

impl RowReader {
    /// For these features, ascending.
    pub fn new(encoder: &Encoder, features: &[u32]) -> Self {
        let (columns, starts) = (encoder.column_encoders(), encoder.starts());
        let mut used: Vec<UsedColumn> = Vec::new();
        for &feature in features {
            let column = starts.partition_point(|&start| start <= feature as usize) - 1;
            let place = feature - starts[column] as u32;
            match used.last_mut() {
                Some(UsedColumn { column: last, intake: Intake::Text(_, grams) }) if *last == column => {
                    grams.push(place);
                }
                Some(UsedColumn { column: last, intake: Intake::Time(_, parts) }) if *last == column => {
                    parts.extend(encoder.time(feature as usize).map(|(_, part)| part));
                }
                _ => {
                    let intake = match &columns[column].codec {
                        Codec::Number(_) => Intake::Number,
                        Codec::Category(codec) => Intake::Category(codec.clone()),
                        Codec::Text(codec) => Intake::Text(codec.clone(), vec![place]),
                        Codec::Time(codec) => Intake::Time(codec.clock(), vec![codec.part(place as usize)]),
                    };
                    used.push(UsedColumn { column, intake });
                }
            }
        }
        let names = columns.iter().map(|column| column.name.clone()).collect();
        Self { names, used, features: features.len() }
    }

    /// Number of columns, and so of the cells of a row.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The values of the features in a row, as [`Frame`](crate::Frame) has them.
    pub fn values(&self, row: &[Cell<'_>]) -> Result<Vec<f64>> {
        if row.len() != self.names.len() {
            let what = format!("a row of {} for {} columns", row.len(), self.names.len());
            return Err(Error::new(ErrorKind::Column, what, "give a cell for each column of the model"));
        }
        let mut values = Vec::with_capacity(self.features);
        for UsedColumn { column, intake } in &self.used {
            match (intake, row[*column]) {
                (Intake::Number, Cell::Number(x)) if !x.is_infinite() => values.push(x),
                (Intake::Number | Intake::Category(_), Cell::Missing) => values.push(f64::NAN),
                (Intake::Category(_), Cell::Number(x)) if x.is_nan() => values.push(f64::NAN),
                (Intake::Category(codec), Cell::Word(word)) => {
                    let code = codec.code(word);
                    values.push(if code < codec.bins() { f64::from(code) } else { f64::NAN });
                }
                (Intake::Text(_, grams), Cell::Missing) => values.extend(grams.iter().map(|_| 0.0)),
                (Intake::Text(_, grams), Cell::Number(x)) if x.is_nan() => {
                    values.extend(grams.iter().map(|_| 0.0));
                }
                (Intake::Text(codec, grams), Cell::Word(word)) => {
                    let found = codec.find(&[word.into()]);
                    let has = |gram| found.iter().any(|found| found.binary_search(gram).is_ok());
                    values.extend(grams.iter().map(|gram| f64::from(u8::from(has(gram)))));
                }
                (Intake::Time(clock, parts), cell) => match seconds(*clock, cell) {
                    Some(seconds) => {
                        values.extend(parts.iter().map(|part| part.map_or(seconds, |part| part.of(seconds))));
                    }
                    None => return Err(self.unlike(*column, intake, cell)),
                },
                (intake, cell) => return Err(self.unlike(*column, intake, cell)),
            }
        }
        Ok(values)
    }

    /// The error of a cell of another kind than its column.
    fn unlike(&self, column: usize, intake: &Intake, cell: Cell<'_>) -> Error {
        let name = wording::name(&self.names[column]);
        let wanted = match intake {
            Intake::Number => "finite numbers",
            Intake::Time(..) => "dates or times",
            Intake::Category(_) | Intake::Text(..) => "words",
        };
        let what = format!("column {name} has {wanted}, and here is {cell:?}");
        Error::new(ErrorKind::Column, what, "give each cell as its column was in training, or Cell::Missing")
    }
}

/// The seconds of a cell, NaN where they are missing; nothing if it holds no time.
fn seconds(clock: Clock, cell: Cell<'_>) -> Option<f64> {
    match cell {
        Cell::Missing => Some(f64::NAN),
        Cell::Number(x) => x.is_nan().then_some(x),
        Cell::Seconds(x) => (!x.is_infinite()).then_some(x),
        Cell::Word(text) => {
            let mut times = Times::new(clock);
            times.push(text).map(|()| times.numbers.get(0))
        }
    }
}
