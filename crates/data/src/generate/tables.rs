//! Putting generated columns into a table.

use crate::schema::role::{Kind, Role};
use crate::table::{Column, Numbers, Table, Values, Words};

/// A table of features and a class, row by row.
pub(super) fn table(source: &str, features: Vec<Column>, classes: Vec<u32>, names: Vec<String>) -> Table {
    let rows = classes.len();
    let mut columns = features;
    columns.push(Column {
        name: crate::schema::plan::DEFAULT_TARGET.into(),
        role: Role::Target,
        values: Values::Words(words(classes, names)),
    });
    Table { source: format!("<{source}>"), columns, rows, notes: Vec::new() }
}

/// A numeric feature.
pub(super) fn number(name: String, values: Vec<f64>) -> Column {
    Column { name, role: Role::Feature(Some(Kind::Number)), values: Values::Numbers(Numbers::F64(values)) }
}

/// Numeric features `x1`, `x2` … from rows of equal width.
pub(super) fn numbers(rows: &[f64], width: usize) -> Vec<Column> {
    let column = |at: usize| rows.iter().skip(at).step_by(width).copied().collect();
    (0..width).map(|at| number(format!("x{}", at + 1), column(at))).collect()
}

/// A feature of words.
pub(super) fn worded(name: &str, kind: Kind, words: Words) -> Column {
    Column { name: name.into(), role: Role::Feature(Some(kind)), values: Values::Words(words) }
}

/// Words by number.
pub(super) fn words(codes: Vec<u32>, dictionary: Vec<String>) -> Words {
    Words { codes, dictionary: dictionary.into_iter().map(Into::into).collect() }
}

/// The class names "1" … "k".
pub(super) fn numbered(classes: usize) -> Vec<String> {
    (1..=classes).map(|class| class.to_string()).collect()
}
