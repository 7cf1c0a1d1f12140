//! Rows of numbers that are mostly zero.

use rayon::prelude::*;

/// Sparse rows, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseRows {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl SparseRows {
    /// From the entries of each row, by ascending column.
    pub fn new(rows: &[Vec<(u32, f32)>]) -> Self {
        let mut all = Self { starts: vec![0], ..Self::default() };
        let entries = rows.iter().map(Vec::len).sum();
        all.columns.reserve(entries);
        all.values.reserve(entries);
        for row in rows {
            all.columns.extend(row.iter().map(|entry| entry.0));
            all.values.extend(row.iter().map(|entry| entry.1));
            all.starts.push(all.columns.len());
        }
        all
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// The columns and values of a row, by ascending column.
    #[inline]
    pub fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let of = self.starts[row]..self.starts[row + 1];
        (&self.columns[of.clone()], &self.values[of])
    }

    /// The given rows, in the given order; a row of several tables side by side has the entries of all, and the columns of each begin at
    /// the place that stands beside it.
    pub fn side_by_side(
        rows: usize,
        tables: &[(&Self, u32)],
        of: impl Fn(usize, usize) -> Option<usize> + Sync,
    ) -> Self {
        let row = |row: usize| {
            let mut entries = Vec::new();
            for (at, (table, first)) in tables.iter().enumerate() {
                if let Some(own) = of(at, row) {
                    let (columns, values) = table.row(own);
                    entries
                        .extend(columns.iter().zip(values).map(|(&column, &value)| (first + column, value)));
                }
            }
            entries
        };
        let rows: Vec<Vec<(u32, f32)>> = (0..rows).into_par_iter().map(row).collect();
        Self::new(&rows)
    }
}
