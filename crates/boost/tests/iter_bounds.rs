//! What Cho, Libgober & Ding 2024 promises of AdaBoost.Iter, on random data: Z never exceeds 1, the sum of |S|/m ∏ Z over epochs is shown as a bound
//! once the last one is under way (`bounds.rs` shows that it is one), every epoch takes the same number of classes off every list;
//! two classes are `AdaBoost`.

mod common;

use common::{Choice, Training, prepared};
use manyboost::engine::history::Told;
use manyboost::engine::train::Outcome;
use manyboost::predict::Predictor;
use manyboost_data::{Column, Frame, Kind, Numbers, Role, Table, Values, Words};
use proptest::prelude::*;

/// Two numbers, a category, a class and a weight.
type Row = (i8, i8, u8, u8, u8);

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
    Table { source: "random".into(), columns, rows: rows.len(), notes: Vec::new() }
}

const CHOICES: [Choice; 8] = [
    ("iter", &[("epoch", "5")]),
    ("iter", &[("epoch", "5"), ("step", "opt"), ("eliminate", "last-negative")]),
    ("iter", &[("epoch", "4"), ("relabel", "position")]),
    ("iter", &[("epoch", "3"), ("relabel", "position"), ("eliminate", "last-negative"), ("drop", "2")]),
    ("iter", &[("epoch", "6"), ("learner", "tree"), ("depth", "2")]),
    ("iter", &[("epoch", "4"), ("criterion", "gini")]),
    ("iter", &[("epoch", "5"), ("relabel", "position"), ("criterion", "entropy")]),
    ("iter", &[("epoch", "4"), ("drop", "3"), ("learner", "tree"), ("leaves", "6"), ("cuts", "1")]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn bounds_are_shown_in_the_last_epoch(
        rows in prop::collection::vec((-4i8..4, -9i8..9, 0u8..4, 0u8..6, 1u8..5), 2..120),
        which in 0..CHOICES.len(),
        weighted in any::<bool>(),
    ) {
        let table = table(&rows, weighted);
        let prepared = prepared(table.clone());
        let k = prepared.dataset.labels.classes();
        let training = Training::new(&prepared, CHOICES[which], 40);
        let outcome = training.run(None, &mut ());
        let frame = Frame::new(table, &prepared.encoder).unwrap();
        let shown = training.setup.bounds(&prepared.dataset.labels).of_run(&outcome);
        let mut one_each = true;
        for (t, Told { record, bound }) in shown.iter().enumerate() {
            let scores = Predictor::new(&outcome.ensemble, t).raw_scores(&frame);
            let left = |row: usize| scores.row(row)[k..].iter().filter(|&&c| c >= 0.0).count();
            prop_assert!(left(0) >= 2);
            prop_assert!((1..scores.rows()).all(|row| left(row) == left(0)));
            let z = record.z.unwrap();
            prop_assert!((0.0..=1.0 + 1e-9).contains(&z), "round {}: Z {z}", t + 1);
            prop_assert!(record.alpha.unwrap() >= 0.0);
            prop_assert_eq!(bound.error, record.bound.filter(|_| left(0) == 2 && one_each), "round {}", t + 1);
            let after = Predictor::new(&outcome.ensemble, t + 1).raw_scores(&frame);
            one_each &= left(0) - after.row(0)[k..].iter().filter(|&&c| c >= 0.0).count() <= 1;
        }
    }

    /// One epoch of `AdaBoost`: the steps of MM are those of `AdaBoost` too, and (17) is L/2 for two classes.
    #[test]
    fn two_classes_are_adaboost(
        rows in prop::collection::vec((-4i8..4, -9i8..9, 0u8..4, 0u8..2, 1u8..5), 6..80),
        weighted in any::<bool>(),
    ) {
        let prepared = prepared(table(&rows, weighted));
        prop_assume!(prepared.dataset.labels.classes() == 2);
        let run = |choice| Training::new(&prepared, choice, 12).run(None, &mut ());
        let (iter, mm) = (run(("iter", &[("epoch", "12")])), run(("mm", &[])));
        for (t, (ours, theirs)) in iter.history.iter().zip(&mm.history).enumerate() {
            // A perfect hypothesis stands alone in its epoch.
            if ours.z == Some(0.0) {
                break;
            }
            prop_assert!((ours.alpha.unwrap() - theirs.alpha.unwrap()).abs() < 1e-9);
            prop_assert!((ours.edge.unwrap() - theirs.edge.unwrap() / 2.0).abs() < 1e-9);
            // Equally good hypotheses may differ by rounding, and what follows them too.
            let cells = |outcome: &Outcome| outcome.ensemble.rounds[t][0].hypothesis.cells.clone();
            if cells(&iter) != cells(&mm) {
                break;
            }
            prop_assert!((ours.train_error - theirs.train_error).abs() < 1e-12);
        }
        prop_assert_eq!(iter.history.is_empty(), mm.history.is_empty());
    }
}
