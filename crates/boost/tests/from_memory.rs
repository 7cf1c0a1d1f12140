//! Rows are the same rows wherever they come from: a file, an array, record batches.

use std::io::Write;
use std::sync::Arc;

use manyboost::data::arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use manyboost::data::ndarray::Array2;
use manyboost::data::{PredictionPlan, write_csv};
use manyboost::prelude::*;

const ROWS: usize = 240;

/// A value of a row: some are missing, and some are whole numbers.
fn value(row: usize, column: usize) -> f64 {
    match (row * 31 + column * 17) % 23 {
        0 => f64::NAN,
        x if column == 0 => x as f64 - 11.0,
        x => (x as f64 - 11.0) / 7.0,
    }
}

fn class(row: usize) -> &'static str {
    let sum: f64 = (0..3).map(|column| value(row, column)).filter(|x| !x.is_nan()).sum();
    if sum < -3.0 {
        "low"
    } else if sum < 4.0 {
        "middle"
    } else {
        "high"
    }
}

fn word(row: usize) -> Option<&'static str> {
    [Some("red"), None, Some("green"), Some("blue")][row % 4]
}

/// A table as a file gives it back.
fn reread(table: &Table) -> Table {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    write_csv(table, &mut file).unwrap();
    file.flush().unwrap();
    Table::read(file.path()).unwrap()
}

fn model(table: &Table, booster: &str) -> Model {
    Boost::named(booster).rounds(12).fit(table).unwrap()
}

#[test]
fn arrays_give_the_model_of_the_same_file() {
    let rows = Array2::from_shape_fn((ROWS, 3), |(row, column)| value(row, column));
    let classes: Vec<&str> = (0..ROWS).map(class).collect();
    let table = Table::from_array(rows.view(), &classes).unwrap();
    let file = reread(&table);
    for booster in ["mcboost", "samme"] {
        let (ours, theirs) = (model(&table, booster), model(&file, booster));
        assert_eq!(ours.to_bytes().unwrap(), theirs.to_bytes().unwrap(), "{booster}");
        let unanswered = Table::builder().array(rows.view()).build().unwrap();
        assert_eq!(ours.predict(&unanswered).unwrap(), theirs.predict(&file).unwrap(), "{booster}");
    }
}

#[test]
fn batches_give_the_model_of_the_same_file() {
    let columns = |rows: std::ops::Range<usize>| -> Vec<(String, ArrayRef)> {
        let numbers = |column: usize| {
            let value = |row: usize| Some(value(row, column)).filter(|x| !x.is_nan());
            (
                format!("x{}", column + 1),
                Arc::new(rows.clone().map(value).collect::<Float64Array>()) as ArrayRef,
            )
        };
        let words = Arc::new(rows.clone().map(word).collect::<StringArray>()) as ArrayRef;
        (0..3).map(numbers).chain([("colour".to_string(), words)]).collect()
    };
    let answered = |rows: std::ops::Range<usize>| {
        let classes = Arc::new(rows.clone().map(|row| Some(class(row))).collect::<StringArray>()) as ArrayRef;
        let columns = columns(rows).into_iter().chain([("class".to_string(), classes)]);
        RecordBatch::try_from_iter(columns).unwrap()
    };
    let batches = [answered(0..100), answered(100..100), answered(100..ROWS)];
    let table = Table::from_batches(&batches, &TrainingPlan::default()).unwrap();
    let file = reread(&table);
    let (ours, theirs) = (model(&table, "mcboost"), model(&file, "mcboost"));
    assert_eq!(ours.to_bytes().unwrap(), theirs.to_bytes().unwrap());
    assert_eq!(ours.evaluate(&table).unwrap(), theirs.evaluate(&file).unwrap());
    // To predict, nothing but the features has to be there.
    let unanswered = RecordBatch::try_from_iter(columns(0..ROWS)).unwrap();
    let unanswered = Table::from_batches(&[unanswered], &PredictionPlan::predict(&ours.schema)).unwrap();
    assert_eq!(ours.predict(&unanswered).unwrap(), theirs.predict(&file).unwrap());
}
