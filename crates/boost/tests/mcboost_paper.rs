//! What Saberian & Vasconcelos 2019 promises of `MCBoost`: risks fall, two classes are `AdaBoost`, and codeword answers with the exponential loss
//! are AdaBoost.MM.

mod coarse;
mod common;

use coarse::{rows, table};
use common::{Choice, Training, prepared};
use manyboost::codes::codewords::CodewordKind;
use manyboost::engine::scores::argmax;
use manyboost::engine::train::Outcome;
use manyboost::losses::{Codeword, Exponential, GammaPhi, Logistic, Loss, Savage};
use manyboost::model::hypothesis::Hypothesis;
use manyboost::model::reading::Link;
use manyboost::spec::option::Declaration;
use manyboost_kernel::Seed;
use proptest::prelude::*;
use serde_json::Value;

const CHOICES: [Choice; 14] = [
    ("gd-mcboost", &[]),
    ("gd-mcboost", &[("loss", "logistic"), ("answers", "unit"), ("codewords", "canonical")]),
    ("gd-mcboost", &[("loss", "savage"), ("answers", "least-squares"), ("learner", "stump")]),
    ("gd-mcboost", &[("loss", "savage"), ("learner", "stump")]),
    ("gd-mcboost", &[("loss", "exponential"), ("answers", "least-squares"), ("codewords", "random")]),
    ("cd-mcboost", &[]),
    ("cd-mcboost", &[("loss", "logistic"), ("answers", "least-squares"), ("codewords", "canonical")]),
    ("cd-mcboost", &[("loss", "savage"), ("learner", "tree"), ("leaves", "4")]),
    ("cd-mcboost", &[("loss", "logistic"), ("codewords", "random")]),
    ("gd-mcboost", &[("loss", "codeword"), ("codewords", "random")]),
    ("gd-mcboost", &[("loss", "codeword"), ("codewords", "canonical"), ("answers", "least-squares")]),
    ("cd-mcboost", &[("loss", "codeword"), ("learner", "tree"), ("leaves", "4")]),
    ("gd-mcboost", &[("loss", "own"), ("answers", "least-squares")]),
    ("cd-mcboost", &[("loss", "own"), ("phi", "2/(1 + exp(2v))"), ("gamma", "ln(1 + v)")]),
];

/// γ(φ(0) (M − 1)): the risk before the first round.
fn first_risk(choice: Choice, m: f64) -> f64 {
    match choice.1.iter().find(|(name, _)| *name == "loss").map(|(_, value)| *value) {
        Some("logistic") => m.ln(),
        Some("savage") => ((m - 1.0) / m).powi(2),
        Some("codeword") => 1.0,
        Some("own") if choice.0 == "cd-mcboost" => m.ln(),
        _ => m - 1.0,
    }
}

/// Whether two runs cut alike in a round and speak for the same classes.
fn same_answers(a: &Outcome, b: &Outcome, t: usize) -> bool {
    let of = |outcome: &Outcome| {
        let Hypothesis { cells, answers } = &outcome.ensemble.rounds[t][0].hypothesis;
        let width = outcome.ensemble.start.len();
        let named: Vec<usize> = (0..answers.len()).map(|cell| argmax(&answers.vector(cell, width))).collect();
        (cells.clone(), named)
    };
    of(a) == of(b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn risks_fall_in_every_round(rows in rows(6), which in 0..CHOICES.len(), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let choice = CHOICES[which];
        let m = prepared.dataset.labels.classes() as f64;
        let outcome = Training::new(&prepared, choice, 12).run(None, &mut ());
        let mut risk = first_risk(choice, m);
        for (t, record) in outcome.history.iter().enumerate() {
            prop_assert!(record.edge.unwrap() > 0.0 && record.alpha.unwrap() > 0.0);
            // Scores are rounded to 2⁻³⁶.
            prop_assert!(record.loss <= risk * (1.0 + 1e-9), "round {}: {} after {risk}", t + 1, record.loss);
            risk = record.loss;
            if choice.1.is_empty() {
                // The exponential loss of a row that is wrong is 1 at least.
                prop_assert!(record.train_error <= record.loss + 1e-12);
            }
        }
    }

    #[test]
    fn codewords_and_the_exponential_loss_are_mm(rows in rows(5), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let m = prepared.dataset.labels.classes() as f64;
        let gd = Training::new(&prepared, ("gd-mcboost", &[("learner", "stump")]), 6).run(None, &mut ());
        let mm = Training::new(&prepared, ("mm", &[("step", "exact")]), 6).run(None, &mut ());
        // Where a step would be infinite or nothing is left to gain, each algorithm has limits of its own.
        let mut risk = m - 1.0;
        for (t, (gd_round, mm_round)) in gd.history.iter().zip(&mm.history).enumerate() {
            let (same, gd, mm) = (same_answers(&gd, &mm, t), gd_round, mm_round);
            // −δR of an answer y^l is half of M/(M − 1) times the risk's share that moves: as much as MM's edge says.
            let edge = 0.5 * m / (m - 1.0) * risk * mm.edge.unwrap();
            prop_assert!((gd.edge.unwrap() - edge).abs() <= 1e-7 * edge.max(1.0), "{:?} and {edge}", gd.edge);
            if !same {
                // Two hypotheses with the same edge: each algorithm takes one of them.
                break;
            }
            risk = gd.loss;
            let (a, b) = (gd.alpha.unwrap(), 2.0 * (m - 1.0) / m * mm.alpha.unwrap());
            if mm.alpha.unwrap() > 8.0 || mm.edge.unwrap() < 1e-6 {
                break;
            }
            prop_assert!((a - b).abs() <= 1e-7 * b.max(1.0), "{a} and {b}");
            prop_assert!((gd.train_error - mm.train_error).abs() < 1e-12);
        }
    }

    /// Definition 4: formulas of a loss that has a name train as it does.
    #[test]
    fn formulas_train_as_the_losses_that_they_are(rows in rows(5), weighted in any::<bool>(), cd in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let booster = if cd { "cd-mcboost" } else { "gd-mcboost" };
        let named: Choice = (booster, &[("loss", "logistic"), ("learner", "stump")]);
        let own: Choice =
            (booster, &[("loss", "own"), ("gamma", "ln(1 + v)"), ("phi", "exp(-2v)"), ("learner", "stump")]);
        let [named, own] = [named, own].map(|choice| Training::new(&prepared, choice, 6).run(None, &mut ()));
        for (t, (a, b)) in named.history.iter().zip(&own.history).enumerate() {
            prop_assert!((a.edge.unwrap() - b.edge.unwrap()).abs() <= 1e-7, "{:?} {:?}", a, b);
            // One's own moves no predictor further than 4 in a round; and of equal edges either may be taken.
            if a.alpha.unwrap() > 1.9 || !same_answers(&named, &own, t) {
                break;
            }
            prop_assert!((a.alpha.unwrap() - b.alpha.unwrap()).abs() <= 1e-6 * a.alpha.unwrap().max(1.0));
            prop_assert!((a.loss - b.loss).abs() <= 1e-8);
        }
    }

    /// Appendix E.2.2: with the loss of the own codeword and the simplex, answers and steps are those of SAMME.
    #[test]
    fn the_loss_of_codewords_is_that_of_samme(rows in rows(5), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        let m = prepared.dataset.labels.classes() as f64;
        let gd = ("gd-mcboost", &[("loss", "codeword"), ("learner", "stump")][..]);
        let gd = Training::new(&prepared, gd, 6).run(None, &mut ());
        let samme = Training::new(&prepared, ("samme", &[]), 6).run(None, &mut ());
        for (t, (gd_round, samme_round)) in gd.history.iter().zip(&samme.history).enumerate() {
            let (a, b) = (gd_round.alpha.unwrap(), (m - 1.0) / m * samme_round.alpha.unwrap());
            if !same_answers(&gd, &samme, t) || b > 8.0 || samme_round.edge.unwrap() < 1e-6 {
                // Equal edges, of which each algorithm takes one, or a step that would be infinite.
                break;
            }
            prop_assert!((a - b).abs() <= 1e-7 * b.max(1.0), "{a} and {b}");
            prop_assert!((gd_round.loss - samme_round.loss).abs() <= 1e-7 * samme_round.loss);
            prop_assert!((gd_round.train_error - samme_round.train_error).abs() < 1e-12);
        }
    }

    #[test]
    fn two_classes_are_adaboost(rows in rows(2), weighted in any::<bool>()) {
        let prepared = prepared(table(&rows, weighted));
        prop_assume!(prepared.dataset.labels.classes() == 2);
        let gd = Training::new(&prepared, ("gd-mcboost", &[("learner", "stump")]), 6).run(None, &mut ());
        let cd = Training::new(&prepared, ("cd-mcboost", &[]), 6).run(None, &mut ());
        let one = Training::new(&prepared, ("ecc", &[]), 6).run(None, &mut ());
        let rounds = gd.history.iter().zip(&cd.history).zip(&one.history).enumerate();
        for (t, ((gd_round, cd_round), one_round)) in rounds {
            let same = same_answers(&gd, &one, t) && same_answers(&cd, &one, t);
            let (gd, cd, one) = (gd_round, cd_round, one_round);
            let alpha = one.alpha.unwrap();
            if alpha > 8.0 || one.edge.unwrap() < 1e-6 {
                break;
            }
            for ours in [gd, cd] {
                prop_assert!((ours.alpha.unwrap() - alpha).abs() <= 1e-7 * alpha.max(1.0), "{:?}, {alpha}", ours.alpha);
                prop_assert!((ours.loss - one.loss).abs() <= 1e-7);
            }
            if !same {
                break;
            }
        }
    }
}

/// With two classes, y = ±1 and v = y f: `AdaBoost`'s, `LogitBoost`'s and `SavageBoost`'s losses (Table 1).
#[test]
fn two_classes_have_the_binary_losses() {
    for i in -20..20 {
        let v = 0.37 * f64::from(i);
        let of = [
            (Exponential::row(&[v, -v], 0, &mut [0.0; 2]), (-v).exp()),
            (Logistic::row(&[v, -v], 0, &mut [0.0; 2]), (1.0 + (-2.0 * v).exp()).ln()),
            (Savage::row(&[v, -v], 0, &mut [0.0; 2]), (1.0 + (2.0 * v).exp()).powi(-2)),
        ];
        for (ours, binary) in of {
            assert!((ours - binary).abs() <= 1e-12 * binary.max(1.0), "{ours} and {binary} at {v}");
        }
    }
}

fn numbers(row: &Value) -> Vec<f64> {
    row.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn same(what: &str, ours: f64, golden: f64) {
    assert!((ours - golden).abs() <= 1e-9 * golden.abs().max(1.0), "{what}: {ours}, not {golden}");
}

fn check_loss<L: GammaPhi>(case: &Value) {
    let m = case["M"].as_u64().unwrap() as usize;
    let words = CodewordKind::Simplex.of(m, Seed::new(0));
    let (mut risk, rows) = (0.0, case["f"].as_array().unwrap());
    for (i, f) in rows.iter().enumerate() {
        let f = numbers(f);
        let dot = |k: usize| words.word(k).iter().zip(&f).map(|(a, b)| a * b).sum::<f64>();
        let (scores, c) = ((0..m).map(dot).collect::<Vec<_>>(), case["c"][i].as_u64().unwrap() as usize);
        let mut weights = vec![0.0; m];
        risk += L::row(&scores, c, &mut weights) / rows.len() as f64;
        let w = case["w"][i].as_f64().unwrap();
        same("w", -weights[c], w);
        for (k, tau) in numbers(&case["tau"][i]).into_iter().enumerate().filter(|&(k, _)| k != c) {
            same("w τ", weights[k], w * tau);
        }
        for (j, r) in numbers(&case["residuals"][i]).into_iter().enumerate() {
            same("residual", -(0..m).map(|k| weights[k] * words.word(k)[j]).sum::<f64>(), r);
        }
        let mut eta = scores;
        L::link().apply(&mut eta);
        eta.iter().zip(numbers(&case["eta"][i])).for_each(|(&ours, golden)| same("η", ours, golden));
    }
    same("risk", risk, case["risk"].as_f64().unwrap());
}

#[test]
fn losses_are_those_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/gamma_phi_losses.json");
    let table: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let cases = table.as_array().unwrap();
    assert!(cases.len() >= 9);
    for case in cases {
        match Loss::OPTION.parse(case["loss"].as_str().unwrap()).flatten().unwrap() {
            Loss::Exponential => check_loss::<Exponential>(case),
            Loss::Logistic => check_loss::<Logistic>(case),
            Loss::Savage => check_loss::<Savage>(case),
            Loss::Codeword => check_loss::<Codeword>(case),
        }
    }
}

#[test]
fn savage_probabilities_stay_probabilities() {
    for mut scores in [vec![0.0; 3], vec![1e5, -1e5, 3.0], vec![-800.0, 0.0, 0.1], vec![7.0]] {
        let best = manyboost::engine::scores::argmax(&scores);
        Link::Savage.apply(&mut scores);
        assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{scores:?}");
        assert!(scores.iter().all(|p| (0.0..=1.0).contains(p)));
        assert_eq!(manyboost::engine::scores::argmax(&scores), best);
    }
}
