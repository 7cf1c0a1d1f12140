//! Training where mistakes cost differently.

mod common;

use common::{Choice, Training, prepared, watched};
use manyboost::engine::train::Outcome;
use manyboost::evaluate::costs::{CostMatrix, Costs};
use manyboost::model::ensemble::Term;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{Applied, Frame, Labels, Prepared, generate};

/// A file of costs for three classes, and its matrix in the order of the classes.
struct Given {
    file: tempfile::NamedTempFile,
    matrix: CostMatrix,
}

impl Given {
    fn new(prepared: &Prepared, cost: impl Fn(usize, usize) -> f64) -> Self {
        let names = prepared.dataset.labels.names();
        let line = |y: usize| {
            let costs = (0..names.len()).map(|l| cost(y, l).to_string());
            std::iter::once(names[y].clone()).chain(costs).collect::<Vec<_>>().join(",")
        };
        let lines: Vec<String> = (0..names.len()).map(line).collect();
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), format!("truth,{}\n{}\n", names.join(","), lines.join("\n"))).unwrap();
        let matrix = Costs::read(file.path().to_str().unwrap()).unwrap().matrix(names).unwrap();
        Self { file, matrix }
    }

    fn run(&self, prepared: &Prepared, (booster, options): Choice, rounds: usize) -> Outcome {
        let (path, rounds) = (self.file.path().to_str().unwrap(), rounds.to_string());
        let options = [options, &[("costs", path), ("rounds", &rounds)]].concat();
        let options = options.into_iter().map(|(name, value)| (name.to_string(), value.to_string()));
        let setup = Setup::new(booster, Options::new(options)).unwrap();
        let setup = setup.for_data(&prepared.dataset).unwrap();
        Training { prepared, setup, valid: None, patience: None }.run(None, &mut ())
    }

    /// Mean costs of an ensemble: of the likeliest answers, and of the cheapest.
    fn mean(&self, training: &Training<'_>, outcome: Outcome, rows: &Applied) -> [f64; 2] {
        let model = training.model(outcome);
        let scores = model.predictor().scores(&rows.frame);
        self.matrix.mean(&scores, model.ensemble.reading.link, &rows.labels, &rows.weights)
    }
}

const CHOICES: [Choice; 2] =
    [("mcboost", &[("leaves", "6"), ("precision", "wide"), ("cuts", "0"), ("features", "1")]), ("mm", &[])];

#[test]
fn costs_of_one_change_nothing() {
    let data = prepared(generate::waveform::waveform(300, 1));
    let ones = Given::new(&data, |y, l| if y == l { 0.0 } else { 1.0 });
    for choice in CHOICES {
        let plain = Training::new(&data, choice, 12).run(None, &mut ());
        let costly = ones.run(&data, choice, 12);
        assert_eq!(plain.history.len(), 12);
        for (a, b) in plain.history.iter().zip(&costly.history) {
            assert!((a.loss - b.loss).abs() < 1e-6 * a.loss, "{choice:?}: {} and {}", a.loss, b.loss);
            assert_eq!(a.train_error, b.train_error, "{choice:?}");
        }
    }
}

#[test]
fn dear_mistakes_are_avoided() {
    let data = prepared(generate::waveform::waveform(1000, 1));
    let test = watched(generate::waveform::waveform(4000, 2), &data);
    let given = Given::new(&data, |y, l| [[0.0, 1.0, 9.0], [4.0, 0.0, 1.0], [1.0, 2.0, 0.0]][y][l]);
    for choice in CHOICES {
        let training = Training::new(&data, choice, 100);
        let [likeliest, cheapest] = given.mean(&training, training.run(None, &mut ()), &test);
        let costly = given.run(&data, choice, 100);
        for pair in costly.history.windows(2) {
            assert!(pair[1].loss < pair[0].loss, "{choice:?}: the loss falls");
        }
        let [answers, ours] = given.mean(&training, costly, &test);
        let ours = if choice.0 == "mm" { answers } else { ours };
        assert!(ours < likeliest, "{choice:?}: {ours}, plain {likeliest}");
        if choice.0 == "mcboost" {
            assert!(ours < 1.03 * cheapest, "{choice:?}: {ours}, cheapest by probability {cheapest}");
        }
    }
}

#[test]
fn free_mistakes_are_no_loss() {
    let data = prepared(generate::waveform::waveform(300, 1));
    // Class 0 may be taken for class 1.
    let given = Given::new(&data, |y, l| if y == l || (y == 0 && l == 1) { 0.0 } else { 1.0 });
    let outcome = given.run(&data, CHOICES[0], 60);
    let losses: Vec<f64> = outcome.history.iter().map(|record| record.loss).collect();
    assert!(losses.iter().all(|loss| loss.is_finite()), "{losses:?}");
    assert!(losses.len() == 60 && losses[59] < 0.2 * losses[0], "{losses:?}");
    let rows = watched(generate::waveform::waveform(300, 1), &data);
    let [_, cheapest] = given.mean(&Training::new(&data, CHOICES[0], 60), outcome, &rows);
    assert!(cheapest < 0.02, "{cheapest}");
}

/// Equal costs put the own class above all others, and nothing else: AdaBoost.MR.
#[test]
fn equal_costs_rank_as_mr_does() {
    let data = prepared(generate::waveform::waveform(200, 3));
    let given = Given::new(&data, |y, l| if y == l { 0.0 } else { 5.0 });
    for choice in [("mr", &[("step", "exact")] as &[_]), ("mr", &[("step", "edge"), ("learner", "tree")])] {
        let plain = Training::new(&data, choice, 15).run(None, &mut ());
        let ranked = given.run(&data, choice, 15);
        assert_eq!(plain.history.len(), 15);
        for (a, b) in plain.history.iter().zip(&ranked.history) {
            assert!((a.loss - b.loss).abs() < 1e-7 && (a.bound.unwrap() - b.bound.unwrap()).abs() < 1e-7);
            assert!((a.alpha.unwrap() - b.alpha.unwrap()).abs() < 1e-7, "{a:?} {b:?}");
            assert_eq!(a.train_error, b.train_error);
        }
    }
}

/// `RankBoost` (Freund, Iyer, Schapire & Singer 2003) written down pair by pair, with the hypotheses of training: steps, normalisers, and the share
/// of pairs in the wrong order, which ∏ Z bounds.
#[test]
fn pairs_of_a_user_are_ranked_as_rankboost_does() {
    let data = prepared(generate::waveform::waveform(150, 5));
    let cost = |y: usize, l: usize| [[0.0, 1.0, 3.0], [2.0, 0.0, 2.0], [4.0, 1.0, 0.0]][y][l];
    let given = Given::new(&data, cost);
    let outcome = given.run(&data, ("mr", &[("step", "exact")]), 20);
    let Labels::Classes { of, .. } = &data.dataset.labels else { panic!("classes") };
    let mut d = Vec::new();
    for (i, &y) in of.iter().enumerate() {
        let pairs = (0..3).flat_map(|below| (0..3).map(move |above| (below, above)));
        let worth = |below, above| (cost(y as usize, below) - cost(y as usize, above)).max(0.0);
        let all: f64 = pairs.clone().map(|(below, above)| worth(below, above)).sum();
        let row = pairs.map(|(below, above)| (i, below, above, worth(below, above) / all / of.len() as f64));
        d.extend(row.filter(|pair| pair.3 > 0.0));
    }
    let (first, mut bound, mut f) = (d.clone(), 1.0, vec![[0.0; 3]; of.len()]);
    let cells = replay(&data, &outcome);
    assert_eq!(outcome.history.len(), 20);
    for ((record, terms), cell_of) in outcome.history.iter().zip(&outcome.ensemble.rounds).zip(&cells) {
        let h = |i: usize, l: usize| terms[0].hypothesis.answers.vector(cell_of[i] as usize, 3)[l];
        let moves = |&(i, below, above, _): &(usize, usize, usize, f64)| 0.5 * (h(i, above) - h(i, below));
        let part = |by: f64| d.iter().filter(|pair| moves(pair) == by).map(|pair| pair.3).sum::<f64>();
        let (plus, minus) = (part(1.0), part(-1.0));
        let alpha = 0.5 * (plus / minus).ln();
        assert!((record.alpha.unwrap() - alpha).abs() < 1e-7, "{} {alpha}", record.alpha.unwrap());
        let z: f64 = d.iter().map(|pair| pair.3 * (-alpha * moves(pair)).exp()).sum();
        assert!((record.z.unwrap() - z).abs() < 1e-7, "{} {z}", record.z.unwrap());
        bound *= z;
        let next: Vec<f64> = d.iter().map(|pair| pair.3 * (-alpha * moves(pair)).exp() / z).collect();
        d.iter_mut().zip(next).for_each(|(pair, next)| pair.3 = next);
        (0..f.len()).for_each(|i| (0..3).for_each(|l| f[i][l] += alpha * h(i, l)));
        let broken: f64 = first
            .iter()
            .filter(|(i, below, above, _)| f[*i][*above] <= f[*i][*below])
            .map(|pair| pair.3)
            .sum();
        assert!(broken <= bound + 1e-9, "{broken} {bound}");
        // The least share of a pair with the own class is an eighth: eight times ∏ Z bounds the error, twice what is recorded.
        assert!(
            (record.bound.unwrap() - 4.0 * bound).abs() < 1e-6 && record.train_error <= 8.0 * bound + 1e-9
        );
    }
}

/// The cells of all rows, round by round.
fn replay(data: &Prepared, outcome: &Outcome) -> Vec<Vec<u32>> {
    let frame = Frame::new(generate::waveform::waveform(150, 5), &data.encoder).unwrap();
    let cell = |terms: &[Term], row: usize| {
        terms[0].hypothesis.cells.cell(|feature| frame.value(row, feature as usize)) as u32
    };
    outcome.ensemble.rounds.iter().map(|terms| (0..150).map(|row| cell(terms, row)).collect()).collect()
}

#[test]
fn label_sets_have_no_costs() {
    let data = prepared(generate::waveform::waveform(100, 1));
    let given = Given::new(&data, |y, l| (y as f64 - l as f64).abs());
    let costs = Costs::read(given.file.path().to_str().unwrap()).unwrap();
    let sets = prepared(common::label_sets(100));
    assert!(costs.check(&sets.dataset.labels).unwrap_err().to_string().contains("sets of labels"));
    assert!(costs.check(&data.dataset.labels).is_ok());
}
