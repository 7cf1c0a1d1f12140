//! Algorithms that reduce many classes to binary questions, on random data: one-vs-all and AdaBoost.ECC keep their bounds in
//! every round, with two classes both are the same `AdaBoost`, and `LogitBoost` with short steps lowers its loss.

mod coarse;
mod common;

use coarse::{rows, table};
use common::{Choice, Training, prepared};
use proptest::prelude::*;

const BOUNDED: [Choice; 7] = [
    ("ova", &[]),
    ("ova", &[("learner", "tree"), ("leaves", "5"), ("features", "0.5")]),
    ("ecc", &[]),
    ("ecc", &[("votes", "two")]),
    ("ecc", &[("code", "exhaustive"), ("learner", "tree"), ("depth", "2")]),
    ("ecc", &[("code", "random"), ("votes", "two"), ("learner", "tree"), ("leaves", "6")]),
    ("ecc", &[("code", "random")]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn losses_fall_and_bounds_hold(rows in rows(6), which in 0..BOUNDED.len(), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let k = prepared.dataset.labels.classes() as f64;
        let outcome = Training::new(&prepared, BOUNDED[which], 15).run(None, &mut ());
        let ova = BOUNDED[which].0 == "ova";
        // Both bounds are the loss, up to the same constant.
        let (mut loss, share) = if ova { (k, 0.5) } else { (k - 1.0, 1.0) };
        for (t, record) in outcome.history.iter().enumerate() {
            let z = record.z.unwrap();
            prop_assert!((record.loss - z * loss).abs() <= 1e-9 * loss, "round {}: {} and {z} × {loss}", t + 1, record.loss);
            // The smallest edges leave no trace in the last bit of Z.
            prop_assert!(z <= 1.0, "round {}: Z {z}", t + 1);
            loss = record.loss;
            let bound = record.bound.unwrap();
            prop_assert!((bound - share * loss).abs() <= 1e-9, "round {}: bound {bound}, loss {loss}", t + 1);
            prop_assert!(record.train_error <= bound + 1e-12, "round {}: {} > {bound}", t + 1, record.train_error);
        }
    }

    #[test]
    fn two_classes_are_plain_adaboost(rows in rows(2), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        prop_assume!(prepared.dataset.labels.classes() == 2);
        let steps = |choice: Choice| -> Vec<(f64, f64)> {
            let outcome = Training::new(&prepared, choice, 8).run(None, &mut ());
            let alpha = |t: usize| outcome.ensemble.rounds[t][0].alpha;
            outcome.history.iter().enumerate().map(|(t, record)| (alpha(t), record.z.unwrap())).collect()
        };
        let (ova, ecc) = (steps(("ova", &[])), steps(("ecc", &[])));
        prop_assert_eq!(ova.len(), ecc.len());
        for ((a, z), (b, v)) in ova.into_iter().zip(ecc) {
            prop_assert!((a - b).abs() <= 1e-9 * a.max(1.0) && (z - v).abs() <= 1e-9, "{} {}, {} {}", a, z, b, v);
        }
    }

    #[test]
    fn short_newton_steps_lower_the_loss(rows in rows(5), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let k = prepared.dataset.labels.classes() as f64;
        let outcome = Training::new(&prepared, ("logitboost", &[("shrinkage", "0.1")]), 10).run(None, &mut ());
        let mut loss = k.ln();
        for (t, record) in outcome.history.iter().enumerate() {
            prop_assert!(record.loss < loss + 1e-12, "round {}: {} after {loss}", t + 1, record.loss);
            loss = record.loss;
        }
    }
}
