//! Training where mistakes cost differently.

mod common;

use common::{Choice, Training, prepared, watched};
use manyboost::engine::train::Outcome;
use manyboost::evaluate::costs::{CostMatrix, Costs};
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{Applied, Prepared, generate};

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

#[test]
fn label_sets_have_no_costs() {
    let data = prepared(generate::waveform::waveform(100, 1));
    let given = Given::new(&data, |y, l| (y as f64 - l as f64).abs());
    let costs = Costs::read(given.file.path().to_str().unwrap()).unwrap();
    let sets = prepared(common::label_sets(100));
    assert!(costs.check(&sets.dataset.labels).unwrap_err().to_string().contains("sets of labels"));
    assert!(costs.check(&data.dataset.labels).is_ok());
}
