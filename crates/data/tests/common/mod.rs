//! What the reader tests share: a plan by rule, and tables as plain text to compare.
#![allow(dead_code, reason = "each test file uses its share")]

use manyboost_data::{Column, Error, Kind, Plan, Result, Role, Table, Values};

/// Gives each column the role that a function of its name says.
pub struct By(pub fn(&str) -> Role);

impl Plan for By {
    fn roles(&self, header: &[String]) -> Result<Vec<Role>> {
        Ok(header.iter().map(|name| (self.0)(name)).collect())
    }
}

/// `class` is the target; names that start with `w`, `l`, `i`, `c`, `t`, `n` and end in `!` are a weight, a label,
/// ignored, a category, text and a number; everything else is inferred.
pub const PLAN: By = By(|name| match name {
    "class" => Role::Target,
    "w!" => Role::Weight,
    "l!" => Role::Label,
    "i!" => Role::Ignored,
    "c!" => Role::Feature(Some(Kind::Category)),
    "t!" => Role::Feature(Some(Kind::Text)),
    "n!" => Role::Feature(Some(Kind::Number)),
    _ => Role::Feature(None),
});

/// One value as text; `None` where it is missing.
pub fn cell(column: &Column, row: usize) -> Option<String> {
    match &column.values {
        Values::Numbers(numbers) => Some(numbers.get(row)).filter(|v| !v.is_nan()).map(|v| v.to_string()),
        Values::SparseNumbers(entries) => {
            let value = entries.iter().find(|(at, _)| *at as usize == row).map_or(0.0, |(_, v)| *v);
            Some(value).filter(|v| !v.is_nan()).map(|v| v.to_string())
        }
        Values::Words(words) => words.get(row).map(str::to_owned),
    }
}

/// A column as text.
pub fn cells(table: &Table, name: &str) -> Vec<Option<String>> {
    let column = table.column(name).unwrap_or_else(|| panic!("no column {name}"));
    (0..table.rows).map(|row| cell(column, row)).collect()
}

/// The whole table, types and dictionaries included, for comparison.
pub fn dump(table: &Table) -> String {
    format!("{} rows {:?}", table.rows, table.columns)
}

/// The kind of a feature.
pub fn kind(table: &Table, name: &str) -> Kind {
    match table.column(name).map(|c| c.role) {
        Some(Role::Feature(Some(kind))) => kind,
        other => panic!("{name}: {other:?}"),
    }
}

/// The error, which must hold some words.
pub fn refused(result: Result<Table>, words: &[&str]) -> Error {
    let error = match result {
        Ok(table) => panic!("read: {}", dump(&table)),
        Err(error) => error,
    };
    for word in words {
        assert!(error.what().contains(word), "{word:?} is not in: {error}");
    }
    assert!(!error.remedy().is_empty());
    error
}
