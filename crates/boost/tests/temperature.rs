//! The temperature of probabilities: found on rows that are kept aside, and then the same however the rows are given.

mod common;

use common::{Choice, Training, prepared, weighted};
use manyboost::engine::train::{self, Observer, Outcome, Round};
use manyboost::engine::tuning::Rung;
use manyboost::evaluate::metrics::{Quality, quality};
use manyboost::model::reading::Link;
use manyboost::spec::options::Options;
use manyboost::spec::registry::{BOOSTERS, Setup};
use manyboost_data::generate::waveform::waveform;
use manyboost_data::{Prepared, Result, apply};

const AUTO: Choice = ("mcboost", &[("cuts", "0"), ("features", "1")]);
const ONE: Choice = ("mcboost", &[("cuts", "0"), ("features", "1"), ("temperature", "1")]);
const ROUNDS: usize = 150;

fn run(prepared: &Prepared, choice: Choice) -> Outcome {
    Training::new(prepared, choice, ROUNDS).run(None, &mut ())
}

fn factor(outcome: &Outcome) -> f64 {
    let Link::Softmax(factor) = outcome.ensemble.reading.link else { panic!("a softmax") };
    factor
}

/// How good a model is on new rows.
fn on_others(prepared: &Prepared, outcome: &Outcome) -> Quality {
    let rows = apply(waveform(3000, 99), &prepared.schema, &prepared.encoder).unwrap();
    let scores = manyboost::predict::Predictor::new(&outcome.ensemble, ROUNDS).scores(&rows.frame);
    quality(&scores, outcome.ensemble.reading.link, &rows.labels, &rows.weights)
}

#[test]
fn probabilities_are_better_and_answers_the_same() {
    let prepared = prepared(waveform(400, 5));
    let (auto, one) = (run(&prepared, AUTO), run(&prepared, ONE));
    assert_eq!(factor(&one), 1.0);
    assert_eq!(auto.ensemble.rounds, one.ensemble.rounds);
    assert!(factor(&auto) < 0.9, "{}", factor(&auto));
    let (tempered, plain) = (on_others(&prepared, &auto), on_others(&prepared, &one));
    assert_eq!(tempered.error, plain.error);
    assert!(tempered.log_loss < 0.95 * plain.log_loss, "{} {}", tempered.log_loss, plain.log_loss);
    // A number is taken as it is.
    let half: Choice = ("mcboost", &[("cuts", "0"), ("features", "1"), ("temperature", "2")]);
    assert_eq!(factor(&run(&prepared, half)), 0.5);
}

#[test]
fn every_booster_can_be_calibrated() {
    let prepared = prepared(waveform(400, 5));
    let rows = apply(waveform(2000, 98), &prepared.schema, &prepared.encoder).unwrap();
    let measured = |booster: &'static str, options: &'static [(&'static str, &'static str)]| {
        let outcome = Training::new(&prepared, (booster, options), 60).run(None, &mut ());
        let reading = outcome.ensemble.reading.clone();
        let scores = manyboost::predict::Predictor::new(&outcome.ensemble, 60).scores(&rows.frame);
        (quality(&scores, reading.link, &rows.labels, &rows.weights), outcome.ensemble.rounds)
    };
    let mut better = 0;
    for entry in BOOSTERS.iter().filter(|entry| !["adaboost", "mcboost"].contains(&entry.name)) {
        let (plain, rounds) = measured(entry.name, &[]);
        let (auto, same_rounds) = measured(entry.name, &[("temperature", "auto")]);
        assert_eq!(rounds, same_rounds, "{}", entry.name);
        assert_eq!(plain.error, auto.error, "{}", entry.name);
        assert!(
            auto.log_loss < 1.02 * plain.log_loss,
            "{}: {} {}",
            entry.name,
            plain.log_loss,
            auto.log_loss
        );
        better += usize::from(auto.log_loss < 0.99 * plain.log_loss);
        // A temperature of 1 changes nothing.
        let (one, _) = measured(entry.name, &[("temperature", "1")]);
        assert_eq!(one.log_loss, plain.log_loss, "{}", entry.name);
    }
    assert!(better > 6, "{better} boosters have better probabilities");
    let savage = [("loss", "savage"), ("temperature", "2")].map(|(name, value)| (name.to_string(), value));
    let setup = Setup::new("gd-mcboost", Options::new(savage)).unwrap();
    let plan = setup.plan(1, None);
    let refused = train::Training::new(&plan, &prepared.dataset, &prepared.encoder).outcome();
    assert!(refused.is_err_and(|error| error.what().contains("Savage")));
}

#[test]
fn it_does_not_matter_how_rows_are_given() {
    let table = waveform(300, 6);
    let usual = run(&prepared(table.clone()), AUTO);
    let backwards: Vec<u32> = (0..300).rev().collect();
    assert_eq!(factor(&usual), factor(&run(&prepared(table.select(&backwards)), AUTO)));
    // The first hundred rows twice, or with a weight of 2.
    let twice: Vec<u32> = (0..300).chain(0..100).collect();
    let repeated = run(&prepared(table.select(&twice)), AUTO);
    let weights = (0..300).map(|row| if row < 100 { 2.0 } else { 1.0 }).collect();
    let weighted = run(&prepared(weighted(table, weights)), AUTO);
    assert_eq!(factor(&repeated), factor(&weighted));
    assert_ne!(factor(&repeated), factor(&usual));
}

#[test]
fn a_run_that_goes_on_finds_the_same() {
    let prepared = prepared(waveform(400, 5));
    let training = |rounds: usize| Training::new(&prepared, AUTO, rounds);
    let whole = training(150).run(None, &mut ());
    let part = training(130).run(None, &mut ());
    assert_ne!(factor(&part), 1.0);
    assert_eq!(training(150).run(Some(part), &mut ()), whole);
}

/// Counts how often rows that were not trained on are asked.
#[derive(Default)]
struct Again(usize);

impl Observer for Again {
    fn round(&mut self, _: &Round<'_>) -> Result<()> {
        Ok(())
    }

    fn rung(&mut self, _: &Rung, _: Rung) {
        self.0 += 1;
    }
}

#[test]
fn rows_to_validate_on_tell_instead_of_others() {
    let prepared = prepared(waveform(400, 5));
    let valid = apply(waveform(300, 44), &prepared.schema, &prepared.encoder).unwrap();
    let (mut without, mut with) = (Again::default(), Again::default());
    let training = Training::new(&prepared, AUTO, ROUNDS);
    let alone = training.run(None, &mut without);
    let validated = Training { valid: Some(&valid), ..training }.run(None, &mut with);
    assert_eq!((without.0, with.0), (1, 1));
    assert!(factor(&validated) < 0.9, "{}", factor(&validated));
    assert_eq!(validated.ensemble.rounds, alone.ensemble.rounds);
    let (tempered, plain) = (on_others(&prepared, &validated), on_others(&prepared, &run(&prepared, ONE)));
    assert!(tempered.log_loss < 0.95 * plain.log_loss, "{} {}", tempered.log_loss, plain.log_loss);
}

/// Some of many rows are kept aside from the only training.
#[test]
fn many_rows_need_no_other_training() {
    let prepared = prepared(waveform(31_000, 8));
    let auto: Choice = ("mcboost", &[("leaves", "256"), ("shrinkage", "1")]);
    let one: Choice = ("mcboost", &[("leaves", "256"), ("shrinkage", "1"), ("temperature", "1")]);
    let train = |choice: Choice, observer: &mut dyn Observer| {
        Training::new(&prepared, choice, 12).run(None, observer)
    };
    let mut again = Again::default();
    let (auto, one) = (train(auto, &mut again), train(one, &mut ()));
    assert_eq!(again.0, 1);
    assert!(factor(&auto) < 0.9, "{}", factor(&auto));
    let (tempered, plain) = (on_others(&prepared, &auto), on_others(&prepared, &one));
    assert!(tempered.log_loss < 0.95 * plain.log_loss, "{} {}", tempered.log_loss, plain.log_loss);
}

/// Rows that are equal stay together; if there are too many of them to do without, none are kept aside of the only training.
#[test]
fn many_equal_rows_are_not_done_without() {
    let table = waveform(400, 5);
    for repeated in 0..40 {
        let rows: Vec<u32> = (0..400).chain(std::iter::repeat_n(repeated, 31_000)).collect();
        let prepared = prepared(table.select(&rows));
        let outcome = Training::new(&prepared, ("mcboost", &[("leaves", "4")]), 1).run(None, &mut ());
        // Scores start with the shares of the classes: nearly all rows are of one.
        let most = outcome.ensemble.start.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(most > -0.05, "row {repeated}: {:?}", outcome.ensemble.start);
    }
}
