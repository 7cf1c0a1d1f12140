//! Random tables of a few coarse numbers, a category and a class, so that ties, perfect cuts and hopeless rows all occur.

use manyboost_data::{Column, Kind, Numbers, Role, Table, Values, Words};
use proptest::prelude::*;

/// Two numbers, a category, a class and a weight.
pub type Row = (i8, i8, u8, u8, u8);

/// Rows of up to so many classes.
pub fn rows(classes: u8) -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((-4i8..4, -9i8..9, 0u8..4, 0..classes, 1u8..5), 2..120)
}

/// The rows as a table, with or without their weights.
pub fn table(rows: &[Row], weighted: bool) -> Table {
    let words = |prefix: &str, of: &dyn Fn(&Row) -> u8| {
        let dictionary = (0..8).map(|i| format!("{prefix}{i}").into()).collect();
        Values::Words(Words { codes: rows.iter().map(|r| u32::from(of(r))).collect(), dictionary })
    };
    let number = |of: &dyn Fn(&Row) -> i8| Values::Numbers(Numbers::I8(rows.iter().map(of).collect()));
    let column = |name: &str, role, values| Column { name: name.into(), role, values };
    let mut columns = vec![
        column("a", Role::Feature(Some(Kind::Number)), number(&|r| r.0)),
        column("b", Role::Feature(Some(Kind::Number)), number(&|r| r.1)),
        column("c", Role::Feature(Some(Kind::Category)), words("level", &|r| r.2)),
        column("class", Role::Target, words("class", &|r| r.3)),
    ];
    if weighted {
        columns.push(column("weight", Role::Weight, number(&|r| r.4 as i8)));
    }
    Table { source: "random".into(), columns, rows: rows.len(), notes: Vec::new() }
}
