//! Rows that are drawn are drawn by what is in them: neither their order matters nor whether they are repeated or weighted, to
//! the last bit of the model's file. Class weights and rows that are held out are the same.

mod common;

use common::{Choice, Training, data, label_sets, mixed, setup, weighted};
use manyboost::model::Model;
use manyboost_data::{ClassWeights, PrepareOptions, Table, apply, prepare};
use manyboost_kernel::Seed;

/// Learners that draw, each with boosters of several kinds.
const DRAWING: [Choice; 14] = [
    ("samme", &[("subsample", "0.5")]),
    ("samme", &[("subsample", "0.3"), ("learner", "tree"), ("leaves", "5"), ("criterion", "gini")]),
    ("mm", &[("subsample", "0.7"), ("learner", "tree"), ("depth", "2")]),
    ("mcboost", &[("subsample", "0.5"), ("leaves", "8")]),
    ("mcboost", &[("subsample", "0.5"), ("leaves", "8"), ("precision", "narrow")]),
    ("mcboost", &[("subsample", "0.6"), ("sketch", "2"), ("leaves", "8"), ("cuts", "0")]),
    ("mh-real", &[("subsample", "0.5"), ("precision", "narrow")]),
    ("mh", &[("subsample", "0.6"), ("learner", "product"), ("factors", "2")]),
    ("iter", &[("subsample", "0.8"), ("epoch", "4")]),
    ("mcboost", &[("subsample", "0.5"), ("learner", "line")]),
    ("samme", &[("subsample", "0.6"), ("learner", "linear")]),
    ("mm", &[("subsample", "0.8"), ("learner", "linear"), ("regression", "resampled")]),
    ("iter", &[("epoch", "4"), ("learner", "linear"), ("regression", "resampled")]),
    ("samme", &[("learner", "linear"), ("regression", "resampled")]),
];

/// A table in which some rows are there more than once.
fn with_equal_rows(table: &Table) -> Table {
    let rows = table.rows as u32;
    table.select(&(0..rows).chain(rows / 3..rows / 2).chain([5, 5, 5, 7]).collect::<Vec<u32>>())
}

fn counts(rows: usize, kind: u64) -> Vec<u64> {
    let draw = |row: u64| Seed::new(9).part(row).below(3);
    match kind {
        0 => (0..rows as u64).map(draw).collect(),
        1 => (0..rows as u64).map(|row| 2 + 2 * draw(row)).collect(),
        _ => vec![3; rows],
    }
}

fn repeated(table: &Table, counts: &[u64]) -> Table {
    let each = |(row, &n): (u32, &u64)| std::iter::repeat_n(row, n as usize);
    table.select(&(0u32..).zip(counts).flat_map(each).collect::<Vec<u32>>())
}

fn shuffled(table: &Table) -> Table {
    let mut order: Vec<u32> = (0..table.rows as u32).collect();
    order.sort_by_key(|&row| Seed::new(77).part(u64::from(row)).bits());
    table.select(&order)
}

/// A model of a table, of which perhaps a fifth is held out for validation.
fn model(table: &Table, choice: Choice, classes: Option<ClassWeights>, held: bool) -> Model {
    let options = PrepareOptions { values: true, class_weights: classes, ..PrepareOptions::default() };
    let (kept, held) = if held {
        let [kept, held] = table.split(0.2, 11).unwrap();
        (kept, Some(held))
    } else {
        (table.clone(), None)
    };
    let prepared = prepare(kept, &options).unwrap();
    let valid = held.map(|held| apply(held, &prepared.schema, &prepared.encoder).unwrap());
    let setup = setup(choice, 6).for_data(&prepared.dataset).unwrap();
    let training = Training { prepared: &prepared, setup, valid: valid.as_ref(), patience: None };
    let outcome = training.run(None, &mut ());
    assert!(!outcome.history.is_empty(), "{choice:?} trained nothing");
    training.model(outcome)
}

fn check(
    table: &Table,
    choice: Choice,
    kinds: std::ops::Range<u64>,
    classes: Option<&ClassWeights>,
    held: bool,
) {
    let bytes = |table: &Table| model(table, choice, classes.cloned(), held).to_bytes().unwrap();
    for kind in kinds {
        let counts = counts(table.rows, kind);
        let heavy = weighted(table.clone(), counts.iter().map(|&n| n as f64).collect());
        let usual = bytes(&heavy);
        assert!(usual == bytes(&shuffled(&heavy)), "order: {choice:?}, {kind}, {classes:?}, {held}");
        let twice = shuffled(&repeated(table, &counts));
        assert!(usual == bytes(&twice), "repetition: {choice:?}, {kind}, {classes:?}, {held}");
    }
}

#[test]
fn neither_order_nor_repetition_matters() {
    for choice in DRAWING {
        check(&with_equal_rows(&data(choice, 200)), choice, 0..3, None, false);
    }
    // Narrow sums.
    for choice in [DRAWING[3], DRAWING[5], DRAWING[8]] {
        check(&with_equal_rows(&data(choice, 9000)), choice, 1..2, None, false);
    }
}

#[test]
fn the_same_of_label_sets() {
    let choices: [Choice; 3] =
        [("mh", &[("subsample", "0.5")]), ("mcboost", &[("subsample", "0.5"), ("leaves", "4")]), ("mr", &[])];
    for choice in choices {
        check(&with_equal_rows(&label_sets(200)), choice, 0..3, None, choice.0 == "mr");
    }
}

#[test]
fn class_weights_multiply_exactly() {
    let given: ClassWeights = "a=0.7310585786300049".parse().unwrap();
    let ClassWeights::Given(given) = given else { panic!("given") };
    let table = with_equal_rows(&mixed(200));
    let names = prepare(table.clone(), &PrepareOptions::default()).unwrap().dataset.labels.names().to_vec();
    let given = ClassWeights::Given(vec![(names[1].clone(), given[0].1), (names[2].clone(), 3.3)]);
    let whole =
        ClassWeights::Given(names.iter().zip([2.0, 3.0, 2.0, 5.0]).map(|(n, w)| (n.clone(), w)).collect());
    let choices: [Choice; 5] = [
        ("samme", &[]),
        ("mcboost", &[]),
        ("mh-real", &[("learner", "tree"), ("leaves", "4")]),
        DRAWING[1],
        DRAWING[3],
    ];
    for choice in choices {
        for classes in [&ClassWeights::Balanced, &given, &whole] {
            check(&table, choice, 0..3, Some(classes), false);
        }
    }
}

#[test]
fn rows_that_are_held_out() {
    let choices: [Choice; 4] =
        [("samme", &[]), ("mcboost", &[]), ("mcboost", &[("subsample", "0.5")]), ("mh", &[])];
    for choice in choices {
        check(&with_equal_rows(&mixed(300)), choice, 0..3, None, true);
    }
    check(&with_equal_rows(&mixed(300)), ("samme", &[]), 0..3, Some(&ClassWeights::Balanced), true);
}

#[test]
fn other_weights_and_the_order_of_rows() {
    for choice in DRAWING {
        let table = with_equal_rows(&data(choice, 150));
        let weights = (0..table.rows).map(|row| 0.37 + Seed::new(4).part(row as u64).unit()).collect();
        let heavy = weighted(table, weights);
        let bytes = |table: &Table| model(table, choice, None, true).to_bytes().unwrap();
        assert!(bytes(&heavy) == bytes(&shuffled(&heavy)), "{choice:?}");
    }
}
