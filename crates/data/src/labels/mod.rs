//! The answers of rows: one class each, or a set of labels each.
//!
//! Names are kept to the letter and their order is canonical, so that it does not depend on the order of rows.

pub mod classes;
pub mod sets;

use manyboost_kernel::Exchange;

use crate::agree::{ALONE, all_or_none};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::TargetSpec;
use crate::schema::role::Role;
use crate::table::{Column, Table};
use crate::wording;
pub use sets::Sets;

/// The class of a row whose class the model does not know.
pub const UNKNOWN: u32 = u32::MAX;

/// The answers of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Labels {
    /// One class per row.
    Classes {
        /// The classes, in canonical order.
        names: Vec<String>,
        /// The class of each row: an index of `names`, or [`UNKNOWN`] (never in training).
        of: Vec<u32>,
    },
    /// A set of labels per row.
    Sets {
        /// The label columns, by their full names.
        names: Vec<String>,
        /// The labels of each row.
        sets: Sets,
    },
}

/// The numbers that rows have for the user: those of the table, even after some rows were dropped.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowNumbers<'a>(pub Option<&'a [u32]>);

impl RowNumbers<'_> {
    /// "row 7" (counted from 1) for a row of the table at hand.
    fn say(self, row: usize) -> String {
        let original = self.0.and_then(|kept| kept.get(row)).map_or(row, |&r| r as usize);
        format!("row {}", original + 1)
    }

    /// The first of some rows, and how many there are.
    fn list(self, rows: &[usize]) -> String {
        let shown: Vec<String> = rows.iter().take(3).map(|&row| self.say(row)).collect();
        wording::with_rest(&shown, rows.len())
    }
}

impl Labels {
    /// The answers of a training table, what the schema keeps of them, and notes for the user. `prefix` is what
    /// label columns begin with, if it is known.
    pub fn read(
        table: &Table,
        prefix: Option<&str>,
        rows: RowNumbers<'_>,
    ) -> Result<(Self, TargetSpec, Vec<String>)> {
        Self::read_among(table, prefix, rows, ALONE)
    }

    /// The same, of rows of which other workers have some too.
    pub(crate) fn read_among(
        table: &Table,
        prefix: Option<&str>,
        rows: RowNumbers<'_>,
        exchange: &dyn Exchange,
    ) -> Result<(Self, TargetSpec, Vec<String>)> {
        if let Some(column) = target(table) {
            let (names, of, notes) = classes::read(table, column, rows, exchange)?;
            let spec = TargetSpec::Classes { column: column.name.clone(), names: names.clone() };
            return Ok((Self::Classes { names, of }, spec, notes));
        }
        let columns: Vec<&Column> = table.columns.iter().filter(|c| c.role == Role::Label).collect();
        if columns.is_empty() {
            let what = format!("{}: neither a target column nor label columns", table.source);
            return Err(Error::new(ErrorKind::Label, what, "name the target or the prefix of the labels"));
        }
        let names: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
        let sets = all_or_none(exchange, sets::read(table, &columns, rows))?;
        let notes = sets.constant(&names, exchange);
        let prefix = prefix.unwrap_or(crate::schema::plan::DEFAULT_LABELS);
        let prefix = if names.iter().all(|n| n.starts_with(prefix)) { prefix } else { "" };
        let spec = TargetSpec::Sets { names: names.clone(), prefix: prefix.to_string() };
        Ok((Self::Sets { names, sets }, spec, notes))
    }

    /// The answers of another table, by the names of a model: a class that the model does not know is [`UNKNOWN`].
    pub fn read_known(table: &Table, spec: &TargetSpec, rows: RowNumbers<'_>) -> Result<(Self, Vec<String>)> {
        match spec {
            TargetSpec::Classes { column, names } => {
                let there = target(table).ok_or_else(|| absent(table, column))?;
                let (of, notes) = classes::read_known(table, there, names, rows)?;
                Ok((Self::Classes { names: names.clone(), of }, notes))
            }
            TargetSpec::Sets { names, .. } => {
                let columns: Result<Vec<&Column>> =
                    names.iter().map(|name| table.column(name).ok_or_else(|| absent(table, name))).collect();
                let sets = sets::read(table, &columns?, rows)?;
                Ok((Self::Sets { names: names.clone(), sets }, Vec::new()))
            }
        }
    }

    /// Number of classes, or of labels.
    pub fn classes(&self) -> usize {
        self.names().len()
    }

    /// The names of the classes, or of the label columns.
    pub fn names(&self) -> &[String] {
        match self {
            Self::Classes { names, .. } | Self::Sets { names, .. } => names,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Classes { of, .. } => of.len(),
            Self::Sets { sets, .. } => sets.rows(),
        }
    }

    /// The class of a row, if rows have one class that is known.
    pub fn class(&self, row: usize) -> Option<u32> {
        match self {
            Self::Classes { of, .. } => of.get(row).copied().filter(|&class| class != UNKNOWN),
            Self::Sets { .. } => None,
        }
    }

    /// The labels of a row, ascending: its class, or its set.
    pub fn labels(&self, row: usize) -> &[u32] {
        match self {
            Self::Classes { of, .. } if of[row] == UNKNOWN => &[],
            Self::Classes { of, .. } => &of[row..=row],
            Self::Sets { sets, .. } => sets.row(row),
        }
    }

    /// Whether a row has a label.
    pub fn has(&self, row: usize, label: u32) -> bool {
        self.labels(row).binary_search(&label).is_ok()
    }

    /// The answers of the given rows, in the given order.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::Classes { names, of } => {
                Self::Classes { names: names.clone(), of: rows.iter().map(|&row| of[row as usize]).collect() }
            }
            Self::Sets { names, sets } => Self::Sets { names: names.clone(), sets: sets.select(rows) },
        }
    }

    /// Whether rows have sets of labels.
    pub fn is_sets(&self) -> bool {
        matches!(self, Self::Sets { .. })
    }
}

fn target(table: &Table) -> Option<&Column> {
    table.columns.iter().find(|c| c.role == Role::Target)
}

fn absent(table: &Table, name: &str) -> Error {
    let names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let what = format!("{}: there is no column {}", table.source, wording::name(name));
    Error::new(ErrorKind::Column, what, wording::nearest(name, &names))
}
