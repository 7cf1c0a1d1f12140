//! A table as a model looks at it: any feature of any row as a number.
//!
//! Numbers are themselves, times their seconds and parts of the calendar, categories are the number of their level, words are 1 where they occur and 0 elsewhere, and
//! whatever is missing or unknown is NaN. Trees compare these values; nothing is binned.

use std::ops::Range;
use std::sync::Arc;

use crate::encode::{Codec, ColumnEncoder, Encoder};
use crate::error::Result;
use crate::schema::names::Names;
use crate::table::select::gather;
use crate::table::{Numbers, Table, Values};
use crate::time::Part;

/// The values of a table's features.
#[derive(Clone, Debug)]
pub struct Frame {
    rows: usize,
    columns: Vec<Column>,
    /// The first feature of each column, and the number of features.
    starts: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Column {
    Numbers(Numbers),
    /// `(row, value)`, rows ascending; zero elsewhere.
    Sparse(Vec<(u32, f64)>),
    /// Seconds, and the parts that are features behind them.
    Times {
        seconds: Numbers,
        parts: Vec<Part>,
    },
    /// Level of each row; missing from `levels` on.
    Levels {
        of: Vec<u32>,
        levels: u32,
    },
    /// The n-grams of each distinct text, ascending, the text of each row, and the texts.
    Texts {
        grams: Vec<Vec<u32>>,
        of: Vec<u32>,
        texts: Arc<Vec<Box<str>>>,
    },
}

/// The values of one column, apart from their frame.
#[derive(Clone, Debug)]
pub struct FrameColumn(Column);

impl Column {
    fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(numbers.select(rows)),
            Self::Times { seconds, parts } => {
                Self::Times { seconds: seconds.select(rows), parts: parts.clone() }
            }
            Self::Sparse(entries) => Self::Sparse(crate::table::select::entries(entries, rows)),
            Self::Levels { of, levels } => Self::Levels { of: gather(of, rows), levels: *levels },
            Self::Texts { grams, of, texts } => {
                Self::Texts { grams: grams.clone(), of: gather(of, rows), texts: Arc::clone(texts) }
            }
        }
    }
}

impl Frame {
    /// Takes the features of a table, column by column and by name.
    pub fn new(table: Table, encoder: &Encoder) -> Result<Self> {
        encoder.check(&table)?;
        let rows = table.rows;
        let mut names = Names::new(&table.columns, |column| &column.name);
        let encoders = encoder.column_encoders().iter();
        let places: Vec<Option<usize>> = encoders.clone().map(|column| names.find(&column.name)).collect();
        let mut values: Vec<Option<Values>> =
            table.columns.into_iter().map(|column| Some(column.values)).collect();
        let mut own = |place: Option<usize>| place.and_then(|at| values[at].take());
        let take = |(column, place): (&ColumnEncoder, Option<usize>)| match (&column.codec, own(place)) {
            (Codec::Category(codec), Some(Values::Words(words))) => {
                let codes: Vec<u32> = words.dictionary.iter().map(|text| codec.code(text)).collect();
                let code = |&word: &u32| codes.get(word as usize).copied().unwrap_or(codec.bins());
                Column::Levels { of: words.codes.iter().map(code).collect(), levels: codec.bins() }
            }
            (Codec::Text(codec), Some(Values::Words(words))) => {
                let grams = codec.find(&words.dictionary);
                Column::Texts { grams, of: words.codes, texts: Arc::new(words.dictionary) }
            }
            (Codec::Time(codec), Some(Values::Numbers(seconds))) => {
                Column::Times { seconds, parts: codec.parts().to_vec() }
            }
            (_, Some(Values::SparseNumbers(entries))) => Column::Sparse(entries),
            (_, Some(Values::Numbers(numbers))) => Column::Numbers(numbers),
            // `check` has seen every column; a table without one has no values there.
            _ => Column::Numbers(Numbers::F64(vec![f64::NAN; rows])),
        };
        let columns: Vec<Column> = encoders.zip(places).map(take).collect();
        Ok(Self { rows, columns, starts: encoder.starts().to_vec() })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The frame of the given rows, in the given order (a row may come twice).
    ///
    /// # Panics
    /// If a row is not below `self.rows()`.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let columns = self.columns.iter().map(|column| column.select(rows)).collect();
        Self { rows: rows.len(), columns, starts: self.starts.clone() }
    }

    /// A column (by its place among the encoder's) with these numbers, levels by their numbers, or seconds, row by row; NaN is
    /// missing.
    pub fn column_of(&self, column: usize, values: Vec<f64>) -> FrameColumn {
        let values = Numbers::F64(values);
        FrameColumn(match &self.columns[column] {
            Column::Times { parts, .. } => Column::Times { seconds: values, parts: parts.clone() },
            _ => Column::Numbers(values),
        })
    }

    /// Puts a column of as many rows in place of one; the one that was there takes its place, and can be put back.
    pub fn swap_column(&mut self, column: usize, other: &mut FrameColumn) {
        std::mem::swap(&mut self.columns[column], &mut other.0);
    }

    /// One column (by its place among the encoder's) with its rows in another order.
    ///
    /// # Panics
    /// If `order` does not have one of the rows for each row.
    pub fn reordered(&self, column: usize, order: &[u32]) -> FrameColumn {
        assert_eq!(order.len(), self.rows, "one row for each row");
        FrameColumn(self.columns[column].select(order))
    }

    /// The column of a feature and the feature's place in it.
    fn locate(&self, feature: usize) -> (&Column, usize) {
        let column = self.starts.partition_point(|&start| start <= feature) - 1;
        (&self.columns[column], feature - self.starts[column])
    }

    /// One value.
    pub fn value(&self, row: usize, feature: usize) -> f64 {
        let (column, place) = self.locate(feature);
        match column {
            Column::Numbers(numbers) => numbers.get(row),
            Column::Times { seconds, parts } => part_of(parts, place, seconds.get(row)),
            Column::Sparse(entries) => {
                entries.binary_search_by_key(&(row as u32), |e| e.0).map_or(0.0, |at| entries[at].1)
            }
            Column::Levels { of, levels } => level(of[row], *levels),
            Column::Texts { grams, of, .. } => {
                let grams = grams.get(of[row] as usize).map_or(&[][..], Vec::as_slice);
                f64::from(u8::from(grams.binary_search(&(place as u32)).is_ok()))
            }
        }
    }

    /// The text of a row in a column of the encoder, if it is one of text and the row has any.
    pub fn text(&self, row: usize, column: usize) -> Option<&str> {
        match self.columns.get(column)? {
            Column::Texts { of, texts, .. } => texts.get(of[row] as usize).map(|text| &**text),
            _ => None,
        }
    }

    /// Writes the values of some features (ascending) for some rows, row by row.
    pub fn fill(&self, rows: Range<usize>, features: &[u32], out: &mut Vec<f64>) {
        let width = features.len();
        out.clear();
        out.resize(rows.len() * width, 0.0);
        let mut at = 0;
        while at < width {
            let (column, place) = self.locate(features[at] as usize);
            let mut own = out.iter_mut().skip(at).step_by(width);
            match column {
                Column::Numbers(numbers) => numbers.copy(rows.clone(), own),
                Column::Times { seconds, parts } => {
                    for (row, slot) in rows.clone().zip(&mut own) {
                        *slot = part_of(parts, place, seconds.get(row));
                    }
                }
                Column::Sparse(entries) => {
                    let first = entries.partition_point(|e| (e.0 as usize) < rows.start);
                    for &(row, value) in entries[first..].iter().take_while(|e| (e.0 as usize) < rows.end) {
                        out[(row as usize - rows.start) * width + at] = value;
                    }
                }
                Column::Levels { of, levels } => {
                    for (&code, slot) in of[rows.clone()].iter().zip(&mut own) {
                        *slot = level(code, *levels);
                    }
                }
                Column::Texts { grams, of, .. } => {
                    // All features of this column at once: both lists ascend.
                    let first = features[at] as usize - place;
                    let end =
                        at + features[at..].partition_point(|&f| (f as usize) < first + self.width_of(first));
                    let wanted = &features[at..end];
                    for (row, &text) in of[rows.clone()].iter().enumerate() {
                        let grams = grams.get(text as usize).map_or(&[][..], Vec::as_slice);
                        mark(grams, wanted, first as u32, &mut out[row * width + at..row * width + end]);
                    }
                    at = end - 1;
                }
            }
            at += 1;
        }
    }

    /// Features of the column that begins with feature `first`.
    fn width_of(&self, first: usize) -> usize {
        let column = self.starts.partition_point(|&start| start <= first) - 1;
        self.starts[column + 1] - self.starts[column]
    }
}

/// Sets the slots of the wanted n-grams that are there.
fn mark(grams: &[u32], wanted: &[u32], first: u32, slots: &mut [f64]) {
    let mut rest = grams;
    for (slot, &feature) in slots.iter_mut().zip(wanted) {
        let gram = feature - first;
        rest = &rest[rest.partition_point(|&g| g < gram)..];
        if rest.first() == Some(&gram) {
            *slot = 1.0;
        }
    }
}

/// The seconds, or the part of them that is at a place of their column.
fn part_of(parts: &[Part], place: usize, seconds: f64) -> f64 {
    place.checked_sub(1).and_then(|at| parts.get(at)).map_or(seconds, |part| part.of(seconds))
}

fn level(code: u32, levels: u32) -> f64 {
    if code < levels { f64::from(code) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use crate::encode::{ColumnEncoder, NumberCodec};
    use crate::{Kind, PrepareOptions, Role, generate, prepare};

    use super::*;

    #[test]
    fn values_are_those_of_the_table() {
        let column = |name: &str, kind, values| crate::Column {
            name: name.into(),
            role: Role::Feature(Some(kind)),
            values,
        };
        let texts = |texts: &[&str], codes: &[u32]| {
            let dictionary = texts.iter().map(|&t| t.into()).collect();
            Values::Words(crate::Words { codes: codes.to_vec(), dictionary })
        };
        let missing = crate::Words::MISSING;
        let table = Table {
            source: "t".into(),
            columns: vec![
                column("t", Kind::Text, texts(&["a b", "b a c"], &[0, 1, missing])),
                column("n", Kind::Number, Values::Numbers(Numbers::I16(vec![-300, i16::MIN, 7]))),
                column("s", Kind::Number, Values::SparseNumbers(vec![(1, 2.5), (2, f64::NAN)])),
                column("c", Kind::Category, texts(&["red", "blue", "new"], &[0, 2, missing])),
            ],
            rows: 3,
            notes: Vec::new(),
        };
        let grams = serde_json::json!({"grams": ["a", "a b", "b"]});
        let levels = serde_json::json!({"levels": ["blue", "red"]});
        let encoder = Encoder::new(vec![
            ColumnEncoder { name: "n".into(), codec: Codec::Number(NumberCodec::default()) },
            ColumnEncoder { name: "t".into(), codec: Codec::Text(serde_json::from_value(grams).unwrap()) },
            ColumnEncoder { name: "s".into(), codec: Codec::Number(NumberCodec::default()) },
            ColumnEncoder {
                name: "c".into(),
                codec: Codec::Category(serde_json::from_value(levels).unwrap()),
            },
        ]);
        let frame = Frame::new(table, &encoder).unwrap();
        let gone = f64::NAN;
        let wanted = [
            // n, then the n-grams of t, then s and c.
            [-300.0, 1.0, 1.0, 1.0, 0.0, 1.0],
            [gone, 1.0, 0.0, 1.0, 2.5, gone],
            [7.0, 0.0, 0.0, 0.0, gone, gone],
        ];
        assert_eq!(frame.rows(), 3);
        for (row, wanted) in wanted.iter().enumerate() {
            for (feature, &want) in wanted.iter().enumerate() {
                let got = frame.value(row, feature);
                assert!(same(got, want), "row {row}, feature {feature}: {got}, not {want}");
            }
        }
    }

    fn same(a: f64, b: f64) -> bool {
        a == b || (a.is_nan() && b.is_nan())
    }

    #[test]
    fn selected_rows_keep_their_values() {
        let table = generate::mixed::mixed(60, 4, 5);
        let prepared = prepare(table.clone(), &PrepareOptions::default()).unwrap();
        let frame = Frame::new(table, &prepared.encoder).unwrap();
        let rows = [7, 3, 3, 59];
        let some = frame.select(&rows);
        let mut other = frame.clone();
        let order: Vec<u32> = (0..60).rev().collect();
        let columns = prepared.encoder.column_encoders().len();
        for column in 0..columns {
            let mut own = frame.reordered(column, &order);
            other.swap_column(column, &mut own);
        }
        for feature in 0..prepared.encoder.features() {
            for (at, &row) in rows.iter().enumerate() {
                let want = frame.value(row as usize, feature);
                assert!(same(some.value(at, feature), want));
                assert!(same(other.value(59 - row as usize, feature), want));
            }
        }
    }

    #[test]
    fn fill_equals_value() {
        let table = generate::mixed::mixed(300, 4, 5);
        let prepared = prepare(table.clone(), &PrepareOptions::default()).unwrap();
        assert!(table.columns.iter().any(|c| c.role == Role::Feature(Some(Kind::Text))));
        let frame = Frame::new(table, &prepared.encoder).unwrap();
        let all: Vec<u32> = (0..prepared.encoder.features() as u32).collect();
        let some: Vec<u32> = all.iter().copied().filter(|f| f % 3 != 1).collect();
        for features in [all, some] {
            let mut out = Vec::new();
            frame.fill(17..205, &features, &mut out);
            for (i, row) in (17..205).enumerate() {
                for (j, &feature) in features.iter().enumerate() {
                    let (got, want) = (out[i * features.len() + j], frame.value(row, feature as usize));
                    assert!(same(got, want), "row {row}, feature {feature}");
                }
            }
        }
    }
}
