//! What Mukherjee & Schapire 2013 promises of AdaBoost.MM, on random data: every round lowers the loss by the factor of Lemma 23, and the mean loss,
//! which is the bound, never exceeds (k − 1) ∏ √(1 − δ²) (Theorem 25). (`bounds.rs` shows that it bounds the training error.)

mod coarse;
mod common;

use coarse::{rows, table};
use common::{Choice, Training, prepared};
use proptest::prelude::*;

const CHOICES: [Choice; 5] = [
    ("mm", &[]),
    ("mm", &[("step", "exact")]),
    ("mm", &[("learner", "tree"), ("depth", "2")]),
    ("mm", &[("learner", "tree"), ("leaves", "6"), ("step", "exact")]),
    ("mm", &[("learner", "tree"), ("leaves", "6"), ("features", "0.5"), ("cuts", "1")]),
];

/// Long after the last mistake the loss still falls as it should: two stumps are enough for every row, never one alone.
#[test]
fn far_ahead() {
    let rows = [(0, 0, 0, 0, 1), (1, 0, 0, 1, 1), (2, 0, 0, 2, 1)];
    let prepared = prepared(table(&rows, false));
    let outcome = Training::new(&prepared, CHOICES[0], 600).run(None, &mut ());
    assert_eq!(outcome.history.len(), 600, "{:?}", outcome.stop);
    for pair in outcome.history.windows(2) {
        let delta = pair[1].edge.unwrap();
        let factor = (1.0 - delta * delta).sqrt();
        assert!(pair[1].loss <= pair[0].loss * factor * (1.0 + 1e-9), "{pair:?}");
    }
    assert!(outcome.history[599].loss < 1e-20, "{:?}", outcome.history[599]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn losses_fall_and_bounds_hold(
        rows in rows(6),
        which in 0..CHOICES.len(),
        weighted in any::<bool>(),
    ) {
        let prepared = prepared(table(&rows, weighted));
        let k = prepared.dataset.labels.classes() as f64;
        let training = Training::new(&prepared, CHOICES[which], 15);
        let outcome = training.run(None, &mut ());
        let (mut loss, mut bound) = (k - 1.0, k - 1.0);
        for (t, record) in outcome.history.iter().enumerate() {
            let delta = record.edge.unwrap();
            prop_assert!(delta > 0.0 && delta <= 1.0 + 1e-12, "round {}: edge {delta}", t + 1);
            let factor = (1.0 - delta * delta).max(0.0).sqrt();
            // A perfect hypothesis has an infinite step; the step that is taken leaves 2⁻²⁰ of the loss.
            let floor = if delta > 1.0 - 1e-6 { 1e-5 } else { 0.0 };
            prop_assert!(record.loss <= loss * (factor + floor) * (1.0 + 1e-9), "round {}: {} > {factor} × {loss}", t + 1, record.loss);
            let z = record.z.unwrap();
            prop_assert!((record.loss - z * loss).abs() <= 1e-8 * loss, "round {}: {z}", t + 1);
            if CHOICES[which].1.contains(&("step", "exact")) && delta < 1.0 - 1e-6 && z > 1e-6 {
                // (58): z = (1 − c) + √(c² − δ²), where c is a share and at least δ.
                let c = (delta * delta + (1.0 - z) * (1.0 - z)) / (2.0 * (1.0 - z));
                prop_assert!(c >= delta - 1e-6 && c <= 1.0 + 1e-6, "round {}: c = {c}, δ = {delta}", t + 1);
                prop_assert!(((1.0 - c) + (c * c - delta * delta).max(0.0).sqrt() - z).abs() < 1e-6);
            }
            loss = record.loss;
            bound *= factor;
            let ours = record.bound.unwrap();
            prop_assert!((ours - loss).abs() <= 1e-9 * loss, "round {}: bound {ours}, loss {loss}", t + 1);
            prop_assert!(ours <= (bound + floor) * (1.0 + 1e-9), "round {}: bound {ours} > {bound}", t + 1);
        }
    }
}
