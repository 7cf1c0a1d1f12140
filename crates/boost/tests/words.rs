//! Real AdaBoost.MH on text keeps its weights from round to round, and they are what they would be if it did not.

mod common;

use common::{Choice, Training, label_sets, mixed, prepared, watched};
use manyboost_data::{Kind, Role, Table};

const ROUNDS: usize = 60;

/// The rows of a table with nothing but their text.
fn texts(mut table: Table) -> Table {
    let number = |role: &Role| matches!(role, Role::Feature(kind) if *kind != Some(Kind::Text));
    table.columns.retain(|column| !number(&column.role));
    table
}

/// The loss of each round, and the loss that the scores of all rounds say; then the words asked for.
fn run(table: &Table, choice: Choice) -> (Vec<f64>, f64, Vec<u32>) {
    let prepared = prepared(table.clone());
    let training = Training::new(&prepared, choice, ROUNDS);
    let model = training.model(training.run(None, &mut ()));
    let rows = watched(table.clone(), &prepared);
    let scores = model.predictor().scores(&rows.frame);
    let labels = &prepared.dataset.labels;
    let k = labels.classes();
    let weight = |row: usize, l: usize| {
        let f = scores.row(row)[l];
        if labels.has(row, l as u32) { (-f).exp() } else { f.exp() }
    };
    let sum: f64 = (0..table.rows).flat_map(|row| (0..k).map(move |l| weight(row, l))).sum();
    let asked = model.ensemble.terms().map(|term| match &term.hypothesis.cells {
        manyboost::model::hypothesis::Cells::Tree(tree) => tree.nodes[0].feature,
        _ => panic!("a stump"),
    });
    let losses = model.history.iter().map(|record| record.loss).collect();
    (losses, sum / (table.rows * k) as f64, asked.collect())
}

#[test]
fn kept_weights_are_those_of_the_scores() {
    for table in [texts(mixed(400)), mixed(400), texts(label_sets(400)), label_sets(400)] {
        // Narrow sums are never kept.
        let (losses, scored, asked) = run(&table, ("mh-real", &[("precision", "wide")]));
        let (plain_losses, plain_scored, plain_asked) = run(&table, ("mh-real", &[("precision", "narrow")]));
        let last = losses.last().unwrap();
        assert!((last - scored).abs() < 1e-9 * scored, "{last} and {scored}");
        assert!((plain_losses.last().unwrap() - plain_scored).abs() < 1e-9 * plain_scored);
        // Rounding decides only between words that are as good.
        assert_eq!(asked[..10], plain_asked[..10]);
        for (a, b) in losses[..10].iter().zip(&plain_losses) {
            assert!((a - b).abs() < 1e-9 * b, "{a} and {b}");
        }
    }
}
