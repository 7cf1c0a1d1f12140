//! What Schapire & Singer 1999 promises of its boosters, on random data: bounds are what the normalisers say, weights shrink by them, and with two
//! classes they are one algorithm. (`bounds.rs` shows that bounds hold.)

mod common;

use std::sync::atomic::AtomicBool;

use common::{Choice, Training, prepared};
use manyboost::boosters::{Mr, StepSize};
use manyboost::engine::scores::Scores;
use manyboost::model::answers::Answers;
use manyboost::model::hypothesis::Hypothesis;
use manyboost::spec::booster::{Booster, FittedHypothesis, RoundState, Step};
use manyboost_data::{Column, Frame, Kind, Numbers, Role, Table, Values, Words};
use manyboost_kernel::{Alone, RowWeights, Seed, Totals};
use proptest::prelude::*;

/// Two numbers, a category, labels (bits, or a class) and a weight.
type Row = (i8, i8, u8, u8, u8);

fn column(name: &str, role: Role, values: Values) -> Column {
    Column { name: name.into(), role, values }
}

/// The features and weights of rows of a few coarse numbers, so that ties, perfect cuts and hopeless rows all occur.
fn features(rows: &[Row], weighted: bool) -> Vec<Column> {
    let number = |of: &dyn Fn(&Row) -> i8| Values::Numbers(Numbers::I8(rows.iter().map(of).collect()));
    let dictionary = (0..4).map(|i| format!("level{i}").into()).collect();
    let words = Words { codes: rows.iter().map(|r| u32::from(r.2)).collect(), dictionary };
    let mut columns = vec![
        column("a", Role::Feature(Some(Kind::Number)), number(&|r| r.0)),
        column("b", Role::Feature(Some(Kind::Number)), number(&|r| r.1)),
        column("c", Role::Feature(Some(Kind::Category)), Values::Words(words)),
    ];
    if weighted {
        columns.push(column("weight", Role::Weight, number(&|r| r.4 as i8)));
    }
    columns
}

/// One class per row, of so many.
fn classes(rows: &[Row], weighted: bool, k: u8) -> Table {
    let dictionary = (0..k).map(|i| format!("class{i}").into()).collect();
    // Every class is there.
    let code = |(i, r): (usize, &Row)| if i < k as usize { i as u32 } else { u32::from(r.3 % k) };
    let codes = rows.iter().enumerate().map(code).collect();
    let mut columns = features(rows, weighted);
    columns.push(column("class", Role::Target, Values::Words(Words { codes, dictionary })));
    Table { source: "random".into(), columns, rows: rows.len(), notes: Vec::new() }
}

/// A set of labels per row: its bits.
fn sets(rows: &[Row], weighted: bool) -> Table {
    let mut columns = features(rows, weighted);
    for label in 0..4 {
        let has = rows.iter().map(|r| (r.3 >> label & 1) as i8).collect();
        columns.push(column(&format!("label:{label}"), Role::Label, Values::Numbers(Numbers::I8(has))));
    }
    Table { source: "random".into(), columns, rows: rows.len(), notes: Vec::new() }
}

const TREE: &[(&str, &str)] = &[("learner", "tree"), ("leaves", "5")];

const TWO: [Choice; 10] = [
    ("adaboost", &[("learner", "product")]),
    ("adaboost", &[]),
    ("adaboost", &[("answers", "abstain")]),
    ("adaboost", &[("answers", "abstain"), ("step", "edge"), ("learner", "tree"), ("leaves", "5")]),
    ("adaboost", &[("answers", "confidence")]),
    ("adaboost", &[("answers", "confidence"), ("smoothing", "0.1"), ("learner", "tree"), ("leaves", "5")]),
    ("adaboost", &[("answers", "mean")]),
    ("adaboost", &[("answers", "mean"), ("step", "exact"), ("learner", "tree"), ("leaves", "5")]),
    ("adaboost", &[("answers", "mean"), ("step", "pieces"), ("learner", "tree"), ("leaves", "5")]),
    ("adaboost", &[("answers", "confidence"), ("criterion", "gini"), ("learner", "tree"), ("leaves", "5")]),
];

const MANY: [Choice; 24] = [
    ("m1", &[("leaves", "5")]),
    ("mh", &[]),
    ("mh", TREE),
    ("mh", &[("start", "skewed")]),
    ("mh-real", &[]),
    ("mh-real", &[("start", "skewed"), ("learner", "tree"), ("leaves", "5")]),
    ("mo", &[("code", "exhaustive")]),
    ("mo", &[("answers", "confidence")]),
    ("mo", &[("decode", "hamming")]),
    ("mh-real", &[("smoothing", "0.3")]),
    ("mh-real", TREE),
    ("mh", &[("answers", "class"), ("learner", "tree"), ("leaves", "6")]),
    ("mh", &[("answers", "factored")]),
    ("mh", &[("answers", "factored"), ("learner", "tree"), ("leaves", "6")]),
    ("mh", &[("learner", "product")]),
    ("mh", &[("learner", "product"), ("factors", "2"), ("features", "0.5"), ("subsample", "0.7")]),
    ("mo", &[("answers", "factored"), ("code", "exhaustive"), ("learner", "tree"), ("depth", "2")]),
    ("mh", &[("answers", "abstain")]),
    ("mh", &[("answers", "abstain"), ("smoothing", "0.01"), ("learner", "tree"), ("leaves", "5")]),
    ("mh-real", &[("criterion", "gini"), ("learner", "tree"), ("leaves", "5")]),
    ("mh-real", &[("criterion", "entropy")]),
    ("mo", &[("answers", "abstain")]),
    ("mo", &[("code", "pairs")]),
    ("mo", &[("code", "pairs"), ("answers", "confidence"), ("learner", "tree"), ("leaves", "5")]),
];

const RANKED: [Choice; 10] = [
    ("mr", &[("learner", "product"), ("factors", "2")]),
    ("mr", &[]),
    ("mr", &[("step", "exact")]),
    ("mr", &[("step", "exact"), ("learner", "tree"), ("leaves", "5")]),
    ("mr", TREE),
    ("mr", &[("answers", "abstain")]),
    ("mr", &[("answers", "abstain"), ("step", "edge"), ("learner", "tree"), ("leaves", "5")]),
    ("mr", &[("answers", "confidence")]),
    ("mr", &[("answers", "confidence"), ("learner", "tree"), ("leaves", "5")]),
    ("mr", &[("answers", "confidence"), ("smoothing", "0.1")]),
];

/// Whether the bound is what the normalisers say in every round, and weights shrink by them.
fn normalised(table: Table, choice: Choice) -> Result<(), TestCaseError> {
    let prepared = prepared(table);
    let training = Training::new(&prepared, choice, 15);
    let outcome = training.run(None, &mut ());
    let (mut bound, mut loss): (Option<f64>, Option<f64>) = (None, None);
    for (t, record) in outcome.history.iter().enumerate() {
        let what = format!("{choice:?}, round {}: {record:?}", t + 1);
        let z = record.z.unwrap();
        // 1 − ½ edge² may be 1 to the last bit.
        prop_assert!(z > 0.0 && z <= 1.0, "{what}");
        let now = record.bound.unwrap();
        prop_assert!(bound.is_none_or(|bound| (now - bound * z).abs() <= 1e-9 * bound), "{what}");
        // Z is by what the weights shrink: scores are rounded to 2⁻³⁶.
        prop_assert!(
            loss.is_none_or(|loss| (record.loss - loss * z).abs() <= 1e-8 * loss),
            "{what}: {loss:?}"
        );
        (bound, loss) = (Some(now), Some(record.loss));
    }
    training.model(outcome).to_bytes().unwrap();
    Ok(())
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((-4i8..4, -9i8..9, 0u8..4, 0u8..16, 1u8..5), 8..100)
}

/// Leaves that are right on all of their rows want an endless step; what it leaves of a weight must be able to come back.
#[test]
fn endless_steps_end() {
    let rows = [
        (-1, -3, 0, 0, 1),
        (0, 0, 0, 0, 1),
        (-1, -3, 3, 1, 1),
        (0, 0, 3, 13, 1),
        (3, 3, 3, 0, 1),
        (0, -1, 0, 0, 1),
        (3, 3, 3, 1, 1),
        (0, -1, 0, 6, 1),
    ];
    let mean: Choice =
        ("adaboost", &[("answers", "mean"), ("step", "exact"), ("learner", "tree"), ("leaves", "5")]);
    normalised(classes(&rows, false, 2), mean).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn two_classes(rows in rows(), which in 0..TWO.len(), weighted in any::<bool>()) {
        normalised(classes(&rows, weighted, 2), TWO[which])?;
    }

    #[test]
    fn training_errors(rows in rows(), which in 0..MANY.len(), k in 2u8..6, weighted in any::<bool>()) {
        normalised(classes(&rows, weighted, k), MANY[which])?;
    }

    #[test]
    fn hamming_losses(rows in rows(), which in prop::sample::select(vec![1usize, 2, 4, 9, 10, 11, 12, 13, 14, 17, 18, 19, 20]), weighted in any::<bool>()) {
        normalised(sets(&rows, weighted), MANY[which])?;
    }

    #[test]
    fn ranking_losses(rows in rows(), which in 0..RANKED.len(), weighted in any::<bool>()) {
        normalised(sets(&rows, weighted), RANKED[which])?;
    }

    #[test]
    fn rankings_of_classes(rows in rows(), which in 0..RANKED.len(), k in 2u8..6, weighted in any::<bool>()) {
        normalised(classes(&rows, weighted, k), RANKED[which])?;
    }
}

/// Rows without ties: weights are irregular.
fn irregular(seed: u64, k: u64) -> Table {
    let rows = 60;
    let draw = |column: u64, row: usize| Seed::new(seed).part(column).part(row as u64);
    let number = |column: u64| {
        let values = (0..rows).map(|row| draw(column, row).unit()).collect();
        column_of(&format!("x{column}"), Role::Feature(Some(Kind::Number)), values)
    };
    let dictionary = (0..k).map(|i| format!("class{i}").into()).collect();
    let codes = (0..rows).map(|row| if (row as u64) < k { row as u32 } else { draw(7, row).below(k) as u32 });
    let words = Words { codes: codes.collect(), dictionary };
    let weights = (0..rows).map(|row| 1.0 + draw(8, row).below(1000) as f64).collect();
    let columns = vec![
        number(1),
        number(2),
        number(3),
        column("class", Role::Target, Values::Words(words)),
        column_of("weight", Role::Weight, weights),
    ];
    Table { source: "random".into(), columns, rows, notes: Vec::new() }
}

fn column_of(name: &str, role: Role, values: Vec<f64>) -> Column {
    column(name, role, Values::Numbers(Numbers::F64(values)))
}

/// SAMME and AdaBoost.M1 count each vote for the difference of two scores, the others for each of them: their steps are twice
/// as long.
#[test]
fn with_two_classes_all_are_adaboost() {
    let same: [(Choice, f64); 13] = [
        (("adaboost", &[("answers", "mean"), ("step", "edge")]), 0.0),
        (("mh", &[]), 1.0),
        (("mh", &[("answers", "class")]), 1.0),
        (("mh", &[("answers", "factored")]), 1.0),
        (("mh", &[("learner", "product"), ("factors", "1")]), 1.0),
        (("adaboost", &[("learner", "product"), ("factors", "1")]), 1.0),
        (("mr", &[]), 1.0),
        (("mr", &[("step", "exact")]), 1.0),
        (("m2", &[]), 1.0),
        (("mm", &[]), 1.0),
        (("mm", &[("step", "exact")]), 1.0),
        (("samme", &[]), 2.0),
        (("m1", &[("learner", "stump")]), 2.0),
    ];
    for seed in 0..12 {
        let prepared = prepared(irregular(seed, 2));
        let run = |choice| Training::new(&prepared, choice, 8).run(None, &mut ());
        let usual = run(("adaboost", &[]));
        assert_eq!(usual.history.len(), 8);
        for (choice, factor) in same {
            let other = run(choice);
            if factor == 0.0 {
                // Another algorithm: the comparison can fail.
                assert_ne!(other.ensemble.rounds[7][0].alpha, usual.ensemble.rounds[7][0].alpha);
                continue;
            }
            for t in 0..8 {
                let (a, b) = (&usual.ensemble.rounds[t][0], &other.ensemble.rounds[t][0]);
                assert_eq!(a.hypothesis.cells, b.hypothesis.cells, "{choice:?}, round {}", t + 1);
                assert!((factor * a.alpha - b.alpha).abs() < 1e-8, "{choice:?}, round {}", t + 1);
                assert_eq!(usual.history[t].train_error, other.history[t].train_error, "{choice:?}");
            }
        }
    }
}

/// The hypotheses of AdaBoost.MM, read as signs, have the same steps in AdaBoost.MR.
#[test]
fn steps_of_mm_are_those_of_mr() {
    for (choice, step) in [
        (("mm", &[("step", "edge")] as &[_]), StepSize::Edge),
        (("mm", &[("step", "exact")] as &[_]), StepSize::Exact),
    ] {
        for seed in 0..6 {
            let table = irregular(seed, 4);
            let prepared = prepared(table.clone());
            let (data, rows, k) = (&prepared.dataset, table.rows, 4);
            let outcome = Training::new(&prepared, choice, 8).run(None, &mut ());
            let frame = Frame::new(table, &prepared.encoder).unwrap();
            let weights = RowWeights { units: data.weights.units(), step: 1.0 };
            let totals = Totals::new(weights, &Alone);
            let (mut scores, booster) = (Scores::new(rows, &[0.0; 4]), Mr { step, ..Mr::default() });
            assert_eq!(outcome.ensemble.rounds.len(), 8);
            for terms in &outcome.ensemble.rounds {
                let Answers::Labels(labels) = &terms[0].hypothesis.answers else { panic!("labels") };
                let sign = |l: u32, h: u32| if l == h { 1.0 } else { -1.0 };
                let values: Vec<f64> =
                    labels.iter().flat_map(|&h| (0..k as u32).map(move |l| sign(l, h))).collect();
                let cells = terms[0].hypothesis.cells.clone();
                let cell = |row| cells.cell(|feature| frame.value(row, feature as usize)) as u32;
                let cell_of: Vec<u32> = (0..rows).map(cell).collect();
                let answers = Answers::Vectors { width: k as u32, values };
                let applied = answers.applied(terms[0].alpha, k);
                let fit = FittedHypothesis {
                    hypothesis: Hypothesis { cells, answers },
                    cell_of: cell_of.clone(),
                    cost: 0.0,
                };
                let (labels, seed) = (&data.labels, Seed::new(0));
                let now = RoundState {
                    labels,
                    totals,
                    rounds: 8,
                    seed,
                    scores: &scores,
                    past: &[],
                    stop: &AtomicBool::new(false),
                };
                let mut channels = Vec::new();
                let target = booster.target(&now, &mut channels);
                let Step::Take { alphas, .. } = booster.step(&now, &target, &channels, &mut vec![fit]) else {
                    panic!("a step")
                };
                assert!(
                    (alphas[0] - terms[0].alpha).abs() < 1e-8,
                    "{step:?}: {alphas:?}, {}",
                    terms[0].alpha
                );
                for (row, &cell) in cell_of.iter().enumerate() {
                    applied.add(cell as usize, &mut scores.values_mut()[row * k..(row + 1) * k]);
                }
            }
        }
    }
}
