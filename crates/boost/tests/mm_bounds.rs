//! What paper 000 promises of AdaBoost.MM, on random data: every round lowers the loss by the factor of Lemma 23, and the
//! training error never exceeds (k − 1) ∏ √(1 − δ²) (Theorem 25).

mod common;

use common::{Choice, Training, prepared};
use polyboost_data::{Column, Kind, Numbers, Role, Table, Values, Words};
use proptest::prelude::*;

/// Two numbers, a category, a class and a weight.
type Row = (i8, i8, u8, u8, u8);

/// Rows of a few coarse numbers, a category and a class, so that ties, perfect cuts and hopeless rows all occur.
fn table(rows: &[Row], weighted: bool) -> Table {
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
    Table { source: "random".into(), columns, rows: rows.len() }
}

const CHOICES: [Choice; 5] = [
    ("mm", &[]),
    ("mm", &[("step", "exact")]),
    ("mm", &[("learner", "tree"), ("depth", "2")]),
    ("mm", &[("learner", "tree"), ("leaves", "6"), ("step", "exact")]),
    ("mm", &[("learner", "tree"), ("leaves", "6"), ("features", "0.5"), ("cuts", "1")]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn losses_fall_and_bounds_hold(
        rows in prop::collection::vec((-4i8..4, -9i8..9, 0u8..4, 0u8..6, 1u8..5), 2..120),
        which in 0..CHOICES.len(),
        weighted in any::<bool>(),
    ) {
        let prepared = prepared(table(&rows, weighted));
        let k = prepared.dataset.labels.classes() as f64;
        let training = Training::new(&prepared, CHOICES[which], 15);
        let outcome = training.run(None, &mut ());
        let weight = prepared.dataset.weights.total() as f64;
        let (mut loss, mut bound) = (weight * (k - 1.0), k - 1.0);
        for (t, record) in outcome.history.iter().enumerate() {
            let delta = record.edge.unwrap();
            prop_assert!(delta > 0.0 && delta <= 1.0 + 1e-12, "round {}: edge {delta}", t + 1);
            let factor = (1.0 - delta * delta).max(0.0).sqrt();
            // A perfect hypothesis has an infinite step; the step that is taken leaves 2⁻²⁰ of the loss.
            let floor = if delta > 1.0 - 1e-6 { 1e-5 } else { 0.0 };
            prop_assert!(record.loss <= loss * (factor + floor) * (1.0 + 1e-9), "round {}: {} > {factor} × {loss}", t + 1, record.loss);
            loss = record.loss;
            bound *= factor;
            prop_assert!((record.bound.unwrap() - bound).abs() <= 1e-9 * bound.max(1e-300) + 1e-12);
            prop_assert!(record.train_error <= bound + floor + 1e-12, "round {}: error {} > bound {bound}", t + 1, record.train_error);
        }
    }
}
