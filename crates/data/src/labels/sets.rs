//! A set of labels per row, kept as the ascending list of the labels that are there.

use manyboost_kernel::Exchange;

use super::RowNumbers;
use crate::error::{Error, ErrorKind, Result};
use crate::table::{Column, Table, Values};
use crate::wording;

/// Sets of labels of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sets {
    starts: Vec<usize>,
    ids: Vec<u32>,
}

impl Sets {
    /// From the rows of each label, ascending.
    pub fn from_labels(rows: usize, labels: &[Vec<u32>]) -> Self {
        let mut starts = vec![0usize; rows + 1];
        for &row in labels.iter().flatten() {
            starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut ids = vec![0; labels.iter().map(Vec::len).sum()];
        for (label, rows) in labels.iter().enumerate() {
            for &row in rows {
                ids[next[row as usize]] = label as u32;
                next[row as usize] += 1;
            }
        }
        Self { starts, ids }
    }

    /// The sets of the given rows, in the given order.
    pub(super) fn select(&self, rows: &[u32]) -> Self {
        let mut selected = Self { starts: vec![0], ids: Vec::new() };
        for &row in rows {
            selected.ids.extend(self.row(row as usize));
            selected.starts.push(selected.ids.len());
        }
        selected
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The labels of a row, ascending.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.ids[self.starts[row]..self.starts[row + 1]]
    }

    /// Number of labels of all rows.
    pub fn total(&self) -> usize {
        self.ids.len()
    }

    /// Notes on labels that all rows have, or none.
    pub(super) fn constant(&self, names: &[String], exchange: &dyn Exchange) -> Vec<String> {
        let mut counts = vec![0; names.len() + 1];
        for &id in &self.ids {
            counts[id as usize] += 1;
        }
        counts[names.len()] = self.rows() as i64;
        exchange.sum(&mut counts);
        let rows = counts.pop().unwrap_or(0);
        let constant = names.iter().zip(counts).filter(|&(_, n)| n == 0 || n == rows);
        constant
            .map(|(name, n)| {
                let value = u8::from(n > 0);
                format!(
                    "the label {} is {value} in every row: its answer will be constant",
                    wording::name(name)
                )
            })
            .collect()
    }
}

/// Reads label columns of zeros and ones.
pub(super) fn read(table: &Table, columns: &[&Column], rows: RowNumbers<'_>) -> Result<Sets> {
    let labels: Result<Vec<Vec<u32>>> =
        columns.iter().map(|column| read_label(table, column, rows)).collect();
    Ok(Sets::from_labels(table.rows, &labels?))
}

/// The rows that have a label.
fn read_label(table: &Table, column: &Column, rows: RowNumbers<'_>) -> Result<Vec<u32>> {
    let mut have = Vec::new();
    let mut take = |row: usize, value: f64| {
        if value == 1.0 {
            have.push(row as u32);
            return Ok(());
        }
        if value == 0.0 {
            return Ok(());
        }
        let value = if value.is_nan() { "missing".to_string() } else { value.to_string() };
        Err(wrong(table, column, &format!("{}: the label is {value}", rows.say(row))))
    };
    match &column.values {
        Values::Numbers(numbers) => {
            for row in 0..table.rows {
                take(row, numbers.get(row))?;
            }
        }
        Values::SparseNumbers(entries) => {
            for &(row, value) in entries {
                take(row as usize, value)?;
            }
        }
        Values::Words(_) => return Err(wrong(table, column, "labels are not numbers")),
    }
    Ok(have)
}

fn wrong(table: &Table, column: &Column, what: &str) -> Error {
    let what = format!("{}: column {}: {what}", table.source, wording::name(&column.name));
    Error::new(ErrorKind::Label, what, "label columns hold 0 or 1 in every row")
}

#[cfg(test)]
mod tests {
    use super::super::Labels;
    use super::*;
    use crate::schema::TargetSpec;
    use crate::schema::role::Role;
    use crate::table::Numbers;

    fn table(columns: &[(&str, Values)], rows: usize) -> Table {
        let column = |(name, values): &(&str, Values)| Column {
            name: (*name).into(),
            role: Role::Label,
            values: values.clone(),
        };
        Table { source: "t".into(), columns: columns.iter().map(column).collect(), rows, notes: Vec::new() }
    }

    #[test]
    fn sets_are_read_from_dense_and_sparse_columns() {
        let table = table(
            &[
                ("label:a", Values::Numbers(Numbers::I8(vec![1, 0, 1]))),
                ("label:b", Values::SparseNumbers(vec![(2, 1.0)])),
                ("label:c", Values::Numbers(Numbers::F64(vec![0.0, -0.0, 0.0]))),
            ],
            3,
        );
        let (labels, spec, notes) = Labels::read(&table, None, RowNumbers::default()).unwrap();
        assert_eq!((labels.labels(0), labels.labels(1), labels.labels(2)), (&[0][..], &[][..], &[0, 1][..]));
        assert!(labels.has(2, 1) && !labels.has(0, 1));
        assert_eq!(spec.label(1), Some("b"));
        assert_eq!(notes.len(), 1);
        let (again, _) = Labels::read_known(&table, &spec, RowNumbers::default()).unwrap();
        assert_eq!(again, labels);
        let TargetSpec::Sets { prefix, .. } = spec else { panic!("sets") };
        assert_eq!(prefix, "label:");
    }

    #[test]
    fn anything_but_zero_and_one_is_an_error() {
        for (bad, words) in [(2.0, "row 2: the label is 2"), (f64::NAN, "row 2: the label is missing")] {
            let table = table(&[("l", Values::Numbers(Numbers::F64(vec![1.0, bad])))], 2);
            let error = Labels::read(&table, None, RowNumbers::default()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Label);
            assert!(error.what().contains(words), "{error}");
        }
    }
}
