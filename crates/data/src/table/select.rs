//! Tables of some of a table's rows.

use crate::table::{Column, Numbers, Table, Values, Words};

impl Table {
    /// The table of the given rows, in the given order (a row may come twice).
    ///
    /// # Panics
    /// If a row is not below `self.rows`.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let columns = self.columns.iter().map(|column| Column {
            name: column.name.clone(),
            role: column.role,
            values: column.values.select(rows),
        });
        Self { source: self.source.clone(), columns: columns.collect(), rows: rows.len(), notes: Vec::new() }
    }
}

impl Values {
    /// The values of the given rows.
    pub(crate) fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(numbers.select(rows)),
            Self::SparseNumbers(all) => Self::SparseNumbers(entries(all, rows)),
            Self::Words(words) => {
                Self::Words(Words { codes: gather(&words.codes, rows), dictionary: words.dictionary.clone() })
            }
        }
    }
}

impl Numbers {
    /// The numbers of the given rows.
    pub(crate) fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::I8(v) => Self::I8(gather(v, rows)),
            Self::I16(v) => Self::I16(gather(v, rows)),
            Self::I32(v) => Self::I32(gather(v, rows)),
            Self::F32(v) => Self::F32(gather(v, rows)),
            Self::F64(v) => Self::F64(gather(v, rows)),
        }
    }
}

/// The entries of the given rows among `(row, value)`, rows ascending.
pub(crate) fn entries(all: &[(u32, f64)], rows: &[u32]) -> Vec<(u32, f64)> {
    let find = |row: &u32| all.binary_search_by_key(row, |&(r, _)| r).ok();
    rows.iter().enumerate().filter_map(|(at, row)| Some((at as u32, all[find(row)?].1))).collect()
}

pub(crate) fn gather<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::role::{Kind, Role};

    #[test]
    fn every_layout_selects_the_same_rows() {
        let role = Role::Feature(Some(Kind::Number));
        let column = |name: &str, values| Column { name: name.into(), role, values };
        let table = Table {
            source: "t".into(),
            columns: vec![
                column("dense", Values::Numbers(Numbers::I8(vec![0, 5, 0, 7]))),
                column("sparse", Values::SparseNumbers(vec![(1, 5.0), (3, 7.0)])),
            ],
            rows: 4,
            notes: Vec::new(),
        };
        let some = table.select(&[3, 0, 3, 1]);
        assert_eq!(some.rows, 4);
        let Values::Numbers(dense) = &some.columns[0].values else { panic!("numbers") };
        assert_eq!((0..4).map(|r| dense.get(r)).collect::<Vec<_>>(), [7.0, 0.0, 7.0, 5.0]);
        let Values::SparseNumbers(sparse) = &some.columns[1].values else { panic!("sparse") };
        assert_eq!(sparse, &[(0, 7.0), (2, 7.0), (3, 5.0)]);
    }
}
