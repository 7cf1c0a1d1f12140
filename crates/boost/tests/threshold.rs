//! A ranking of labels has no zero: AdaBoost.MR finds the threshold that gets the fewest labels of the training rows wrong, and every
//! stage of a model has its own.

mod common;

use common::{Choice, Training, label_sets, prepared, watched, weighted};
use manyboost::engine::scores::Scores;
use manyboost::engine::train::Outcome;
use manyboost::evaluate::metrics::quality;
use manyboost::model::ensemble::parted;
use manyboost::predict::Predictor;
use manyboost_data::{Labels, Weights};

const CHOICES: [Choice; 4] = [
    ("mr", &[]),
    ("mr", &[("step", "exact"), ("learner", "tree"), ("leaves", "5")]),
    ("mr", &[("learner", "product"), ("factors", "2")]),
    ("mr", &[("subsample", "0.6")]),
];

/// The least Hamming loss of any threshold, by trying each.
fn least(scores: &Scores, labels: &Labels, weights: &Weights) -> f64 {
    let units = weights.units();
    let mut all: Vec<(f64, i64)> = Vec::new();
    for (row, &units) in units.iter().enumerate() {
        for (label, &score) in scores.row(row).iter().enumerate() {
            let weight = i64::from(units);
            all.push((score, if labels.has(row, label as u32) { weight } else { -weight }));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let absent: i64 = all.iter().map(|(_, weight)| (-weight).max(0)).sum();
    let (mut wrong, mut least) = (absent, absent);
    for (at, (score, weight)) in all.iter().enumerate() {
        wrong += weight;
        // Equal scores are on one side.
        if all.get(at + 1).is_none_or(|next| next.0 > *score) {
            least = least.min(wrong);
        }
    }
    let total: i64 = units.iter().map(|&units| i64::from(units)).sum();
    least as f64 / (total * labels.classes() as i64) as f64
}

#[test]
fn every_stage_has_the_best_threshold() {
    let tables =
        [label_sets(300), weighted(label_sets(200), (0..200).map(|i| f64::from(1 + i % 5)).collect())];
    for (table, choice) in tables.into_iter().flat_map(|table| CHOICES.map(|choice| (table.clone(), choice)))
    {
        let prepared = prepared(table.clone());
        let run = Training::new(&prepared, choice, 12).run(None, &mut ());
        assert!(run.history.len() > 5, "{choice:?}");
        let rows = watched(table, &prepared);
        for (at, record) in run.history.iter().enumerate() {
            let scores = Predictor::new(&run.ensemble, at + 1).scores(&rows.frame);
            let found = quality(&scores, run.ensemble.reading.link, &rows.labels, &rows.weights);
            assert!((found.error - record.train_error).abs() < 1e-12, "{choice:?}, round {}", at + 1);
            assert!((found.ranking_loss.unwrap() - record.ranking_loss.unwrap()).abs() < 1e-12);
            // Up to scores that are closer than a part of their range: 4,096 parts tell a few hundred rows apart.
            let least = least(&scores, &rows.labels, &rows.weights);
            assert!(
                found.error <= least + 0.005,
                "{choice:?}, round {}: {} and {least}",
                at + 1,
                found.error
            );
        }
    }
}

/// The order of labels is what it was: thresholds change neither hypotheses nor steps, nor what is ranked.
#[test]
fn rankings_are_as_they_were() {
    let prepared = prepared(label_sets(300));
    let run = Training::new(&prepared, CHOICES[0], 12).run(None, &mut ());
    let shifts: Vec<f64> = run.ensemble.rounds.iter().filter_map(|terms| parted(terms).1).collect();
    assert!(shifts.len() == 12 && shifts.iter().any(|shift| shift.abs() > 0.01), "{shifts:?}");
    let mut product = 1.0;
    for record in &run.history {
        product *= record.z.unwrap();
        assert!((record.loss - product).abs() < 1e-9 && record.alpha.is_some(), "{record:?}");
    }
    // With one class per row there is nothing to find.
    let classes = common::prepared(common::mixed(100));
    let run: Outcome = Training::new(&classes, CHOICES[0], 4).run(None, &mut ());
    assert!(run.ensemble.rounds.iter().all(|terms| terms.len() == 1));
}
