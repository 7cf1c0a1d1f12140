//! Features that somebody else keeps: they are looked at a few columns at a time, so that a table need not be copied
//! to be trained on.

use std::borrow::Cow;

use crate::error::Result;
use crate::schema::FeatureSpec;
use crate::schema::role::{Kind, Role};
use crate::table::{Column, Table, Values};

/// The features of a table.
pub trait ColumnSource: Sync {
    /// Where they came from, for messages.
    fn source(&self) -> &str;

    /// Number of rows.
    fn rows(&self) -> usize;

    /// The columns.
    fn features(&self) -> Vec<FeatureSpec>;

    /// The values of a column, which need not be kept for longer than they are looked at. An error ends the work.
    fn values(&self, column: usize) -> Result<Cow<'_, Values>>;

    /// About how many values there are to look at in a column.
    fn work(&self, _column: usize) -> usize {
        self.rows()
    }

    /// Whether a column of numbers only lists those that are not zero.
    fn is_sparse(&self, _column: usize) -> bool {
        false
    }

    /// All of them, copied.
    fn table(&self) -> Result<Table> {
        let copy = |(at, spec): (usize, FeatureSpec)| {
            let values = self.values(at)?.into_owned();
            Ok(Column { name: spec.name, role: Role::Feature(Some(spec.kind)), values })
        };
        let columns = self.features().into_iter().enumerate().map(copy).collect::<Result<_>>()?;
        Ok(Table { source: self.source().to_string(), columns, rows: self.rows(), notes: Vec::new() })
    }
}

/// A table lends its features.
pub(crate) struct Features<'a> {
    table: &'a Table,
    columns: Vec<(&'a Column, Kind)>,
}

impl<'a> Features<'a> {
    /// The columns of a table that are features.
    pub(crate) fn of(table: &'a Table) -> Self {
        let feature = |column: &'a Column| match column.role {
            Role::Feature(Some(kind)) => Some((column, kind)),
            _ => None,
        };
        Self { table, columns: table.columns.iter().filter_map(feature).collect() }
    }
}

impl ColumnSource for Features<'_> {
    fn source(&self) -> &str {
        &self.table.source
    }

    fn rows(&self) -> usize {
        self.table.rows
    }

    fn features(&self) -> Vec<FeatureSpec> {
        let spec = |(column, kind): &(&Column, Kind)| FeatureSpec { name: column.name.clone(), kind: *kind };
        self.columns.iter().map(spec).collect()
    }

    fn values(&self, column: usize) -> Result<Cow<'_, Values>> {
        Ok(Cow::Borrowed(&self.columns[column].0.values))
    }

    fn work(&self, column: usize) -> usize {
        match &self.columns[column].0.values {
            Values::SparseNumbers(entries) => entries.len(),
            _ => self.table.rows,
        }
    }

    fn is_sparse(&self, column: usize) -> bool {
        matches!(self.columns[column].0.values, Values::SparseNumbers(_))
    }
}

/// Some rows of features.
pub struct RowSubset<'a> {
    /// The features.
    pub of: &'a dyn ColumnSource,
    /// The rows, in any order.
    pub rows: &'a [u32],
}

impl ColumnSource for RowSubset<'_> {
    fn source(&self) -> &str {
        self.of.source()
    }

    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn features(&self) -> Vec<FeatureSpec> {
        self.of.features()
    }

    fn values(&self, column: usize) -> Result<Cow<'_, Values>> {
        Ok(Cow::Owned(self.of.values(column)?.select(self.rows)))
    }

    fn work(&self, column: usize) -> usize {
        self.of.work(column)
    }

    fn is_sparse(&self, column: usize) -> bool {
        self.of.is_sparse(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::mixed::mixed;
    use crate::table::Numbers;
    use crate::{PrepareOptions, fingerprint, prepare, prepare_columns};

    /// What a table has besides features.
    fn answers(table: &Table) -> Table {
        let columns = table.columns.iter().filter(|c| !matches!(c.role, Role::Feature(_))).cloned().collect();
        Table { source: table.source.clone(), columns, rows: table.rows, notes: Vec::new() }
    }

    #[test]
    fn lent_features_are_prepared_as_a_table_is() {
        let mut table = mixed(300, 4, 5);
        let weights = (0..300).map(|row| f64::from(row % 3)).collect();
        table.columns.push(Column {
            name: "w".into(),
            role: Role::Weight,
            values: Values::Numbers(Numbers::F64(weights)),
        });
        for values in [false, true] {
            let options = PrepareOptions { values, ..PrepareOptions::default() };
            let own = prepare(table.clone(), &options).unwrap();
            let lent = prepare_columns(answers(&table), &Features::of(&table), &options).unwrap();
            assert_eq!((lent.schema, lent.encoder), (own.schema, own.encoder));
            assert_eq!(lent.dataset.rows(), 200);
            assert_eq!(lent.dataset.values.is_some(), values);
            assert_eq!(fingerprint(&lent.dataset), fingerprint(&own.dataset));
        }
    }

    #[test]
    fn some_rows_are_the_rows_of_a_selection() {
        let table = mixed(50, 3, 2);
        let rows: Vec<u32> = (0..50).rev().step_by(3).collect();
        let features = Features::of(&table);
        let some = RowSubset { of: &features, rows: &rows }.table().unwrap();
        let other = Features::of(&table.select(&rows)).table().unwrap();
        assert_eq!(format!("{some:?}"), format!("{other:?}"));
    }
}
