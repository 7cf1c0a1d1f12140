//! Rounds that the data decide: fewer where labels are noisy, and the same however the rows are given.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use common::{prepared, weighted};
use manyboost::engine::train::{Observer, Outcome, Round, Training, Watched};
use manyboost::engine::tuning::Rung;
use manyboost::predict::Predictor;
use manyboost::spec::booster::Stop;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::generate::gaussians::gaussians;
use manyboost_data::generate::spheres::spheres;
use manyboost_data::generate::waveform::waveform;
use manyboost_data::{Applied, Prepared, Result, Table, apply};

fn setup(prepared: &Prepared, options: &[(&str, &str)]) -> Setup {
    let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
    Setup::new("mcboost", Options::new(options)).unwrap().for_data(&prepared.dataset).unwrap()
}

/// Trains with these options; `rounds` are found unless they are among them.
fn trained(prepared: &Prepared, options: &[(&str, &str)], valid: Option<&Applied>) -> Outcome {
    goes_on(prepared, options, valid, None, &AtomicBool::new(false), &mut ())
}

fn goes_on(
    prepared: &Prepared,
    options: &[(&str, &str)],
    valid: Option<&Applied>,
    earlier: Option<Outcome>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Outcome {
    let setup = setup(prepared, options);
    let plan = setup.plan(1, None);
    let watched = Watched { valid, test: None };
    let training = Training { plan: &plan, data: &prepared.dataset, encoder: &prepared.encoder, watched };
    training.run(earlier, interrupt, observer).unwrap()
}

fn rows(table: &Table) -> u32 {
    table.rows as u32
}

#[test]
fn noisy_rows_are_worth_fewer_rounds() {
    let noisy = trained(&prepared(gaussians(400, 3)), &[], None);
    let clean = trained(&prepared(spheres(400, 3, 3, 3)), &[], None);
    assert_eq!((noisy.stop, clean.stop), (Stop::Found, Stop::Found));
    assert!(2 * noisy.history.len() < clean.history.len(), "{} {}", noisy.history.len(), clean.history.len());
    // And are none the worse for it.
    let prepared = prepared(gaussians(400, 3));
    let others = apply(gaussians(4000, 77), &prepared.schema, &prepared.encoder).unwrap();
    let loss = |outcome: &Outcome| {
        let scores = Predictor::new(&outcome.ensemble, usize::MAX).scores(&others.frame);
        let link = outcome.ensemble.reading.link;
        manyboost::evaluate::metrics::quality(&scores, link, &others.labels, &others.weights).log_loss
    };
    let long = trained(&prepared, &[("rounds", "600")], None);
    assert!(loss(&noisy) < loss(&long), "{} {}", loss(&noisy), loss(&long));
}

#[test]
fn what_is_given_is_taken_as_given() {
    let prepared = prepared(gaussians(300, 4));
    let given = trained(&prepared, &[("rounds", "300")], None);
    assert_eq!((given.history.len(), given.stop), (300, Stop::Rounds));
    let found = trained(&prepared, &[("temperature", "2")], None);
    assert_eq!(found.ensemble.reading.link, manyboost::model::reading::Link::Softmax(0.5));
    // The rounds that are found are those of a longer run.
    let found = trained(&prepared, &[("members", "1")], None);
    assert_eq!(found.ensemble.rounds[..], given.ensemble.rounds[..found.history.len()]);
}

#[test]
fn it_does_not_matter_how_rows_are_given() {
    let table = gaussians(300, 6);
    let usual = trained(&prepared(table.clone()), &[], None);
    let backwards: Vec<u32> = (0..rows(&table)).rev().collect();
    assert_eq!(usual.ensemble, trained(&prepared(table.select(&backwards)), &[], None).ensemble);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(usual, pool.install(|| trained(&prepared(table.clone()), &[], None)));
    }
    // The first hundred rows three times, or with a weight of 3: copies are dealt out.
    let thrice: Vec<u32> = (0..rows(&table)).chain(0..100).chain(0..100).collect();
    let repeated = trained(&prepared(table.select(&thrice)), &[], None);
    let weights = (0..rows(&table)).map(|row| if row < 100 { 3.0 } else { 1.0 }).collect();
    let weighted = trained(&prepared(weighted(table, weights)), &[], None);
    assert_eq!(repeated.ensemble, weighted.ensemble);
}

#[test]
fn rows_to_validate_on_decide() {
    let prepared = prepared(waveform(300, 5));
    let valid = apply(waveform(300, 44), &prepared.schema, &prepared.encoder).unwrap();
    let outcome = trained(&prepared, &[], Some(&valid));
    assert_eq!(outcome.stop, Stop::Found);
    let last = outcome.history.last().unwrap().valid_loss.unwrap();
    let longer = trained(&prepared, &[("rounds", "400")], Some(&valid));
    assert!(last <= longer.history.last().unwrap().valid_loss.unwrap());
}

/// Some of many rows are spared by the only training.
#[test]
fn many_rows_are_tried_once() {
    let prepared = prepared(gaussians(30_000, 8));
    let options = [("leaves", "64"), ("shrinkage", "1"), ("cuts", "1"), ("features", "1")];
    let outcome = trained(&prepared, &options, None);
    assert_eq!(outcome.stop, Stop::Found);
    assert!(outcome.history.len() < 60, "{}", outcome.history.len());
}

/// Interrupts after some rounds.
struct After(usize, &'static AtomicBool);

impl Observer for After {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        if round.number == self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn rung(&mut self, rung: &Rung, best: Rung) {
        assert!(best.loss <= rung.loss && best.rounds <= rung.rounds);
    }
}

#[test]
fn an_interrupted_run_is_whole_and_goes_on_to_the_same() {
    static ASKED: AtomicBool = AtomicBool::new(false);
    let prepared = prepared(gaussians(300, 4));
    let whole = trained(&prepared, &[], None);
    let part = goes_on(&prepared, &[], None, None, &ASKED, &mut After(11, &ASKED));
    assert_eq!(part.stop, Stop::Interrupted);
    assert!((1..whole.history.len()).contains(&part.history.len()), "{}", part.history.len());
    let again = goes_on(&prepared, &[], None, Some(part), &AtomicBool::new(false), &mut ());
    assert_eq!(again, whole);
}
