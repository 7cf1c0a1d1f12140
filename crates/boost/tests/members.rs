//! Models that are the mean of several trainings.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};

use common::prepared;
use manyboost::engine::train::{Observer, Outcome, Round, Training};
use manyboost::model::ensemble::Ensemble;
use manyboost::predict::Predictor;
use manyboost::spec::booster::Stop;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::generate::gaussians::gaussians;
use manyboost_data::generate::spheres::spheres;
use manyboost_data::{Frame, Prepared, Result, apply};

fn trained(prepared: &Prepared, options: &[(&str, &str)]) -> Outcome {
    watched(prepared, options, &AtomicBool::new(false), &mut ())
}

fn watched(
    prepared: &Prepared,
    options: &[(&str, &str)],
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Outcome {
    let options = options.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
    let setup = Setup::new("mcboost", Options::new(options)).unwrap().for_data(&prepared.dataset).unwrap();
    let plan = setup.plan(1, None);
    Training::new(&plan, &prepared.dataset, &prepared.encoder).run(None, interrupt, observer).unwrap()
}

fn frame(prepared: &Prepared) -> Frame {
    apply(gaussians(300, 5), &prepared.schema, &prepared.encoder).unwrap().frame
}

/// The trees of one member, with their own weights.
fn member(mean: &Outcome, number: usize) -> Ensemble {
    let mut ensemble = mean.ensemble.clone();
    let members = ensemble.rounds[0].len() as f64;
    for round in &mut ensemble.rounds {
        *round = vec![round.swap_remove(number)];
        round[0].alpha *= members;
    }
    ensemble
}

#[test]
fn scores_are_the_mean_of_those_of_the_members() {
    let prepared = prepared(gaussians(300, 3));
    let mean = trained(&prepared, &[("members", "4"), ("rounds", "20"), ("temperature", "1")]);
    let frame = frame(&prepared);
    let scores = |ensemble: &Ensemble| Predictor::new(ensemble, usize::MAX).scores(&frame);
    let each: Vec<_> = (0..4).map(|number| scores(&member(&mean, number))).collect();
    let all = scores(&mean.ensemble);
    for row in 0..all.rows() {
        for class in 0..3 {
            let expected = each.iter().map(|scores| scores.row(row)[class]).sum::<f64>() / 4.0;
            assert!((all.row(row)[class] - expected).abs() < 1e-8);
        }
    }
    // The first is the training that there would be alone; the others differ from it and from one another.
    let alone = trained(&prepared, &[("members", "1"), ("rounds", "20"), ("temperature", "1")]);
    assert_eq!(member(&mean, 0), alone.ensemble);
    for other in 1..4 {
        assert_ne!(member(&mean, other), member(&mean, other - 1));
    }
}

#[test]
fn figures_are_those_of_the_mean() {
    let prepared = prepared(gaussians(300, 3));
    let mean = trained(&prepared, &[("members", "3"), ("rounds", "12"), ("temperature", "1")]);
    let rows = apply(gaussians(300, 3), &prepared.schema, &prepared.encoder).unwrap();
    for (number, record) in mean.history.iter().enumerate() {
        let scores = Predictor::new(&mean.ensemble, number + 1).scores(&rows.frame);
        let link = mean.ensemble.reading.link;
        let quality = manyboost::evaluate::metrics::quality(&scores, link, &rows.labels, &rows.weights);
        assert!((record.train_error - quality.error).abs() < 1e-12);
        assert!((record.loss - quality.log_loss).abs() < 1e-6);
    }
}

#[test]
fn few_rows_have_more_members_where_labels_are_noisy() {
    let members = |outcome: &Outcome| outcome.ensemble.rounds[0].len();
    let noisy = trained(&prepared(gaussians(300, 3)), &[]);
    let clean = trained(&prepared(spheres(300, 3, 3, 3)), &[]);
    assert_eq!((members(&noisy), members(&clean)), (4, 2));
    // Where nothing is found out, nothing is added; and what is given is taken.
    assert_eq!(members(&trained(&prepared(gaussians(300, 3)), &[("rounds", "9")])), 1);
    assert_eq!(members(&trained(&prepared(gaussians(300, 3)), &[("members", "1")])), 1);
    let given = trained(&prepared(gaussians(300, 3)), &[("leaves", "3")]);
    assert!(given.ensemble.terms().all(|term| term.hypothesis.answers.len() <= 3));
}

#[test]
fn without_draws_there_is_only_one() {
    let options = [("members", "5"), ("rounds", "4"), ("cuts", "0"), ("features", "1")];
    assert_eq!(trained(&prepared(gaussians(200, 3)), &options).ensemble.rounds[0].len(), 1);
}

#[test]
fn threads_do_not_matter() {
    let prepared = prepared(gaussians(300, 3));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(&prepared, &[]))
    };
    assert_eq!(on(1), on(3));
}

/// Asks for an end in the last round of the main training.
struct LastRound<'a>(&'a AtomicBool, usize);

impl Observer for LastRound<'_> {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        self.0.store(round.number == self.1, Ordering::Relaxed);
        Ok(())
    }
}

#[test]
fn an_interrupt_leaves_the_main_training() {
    let prepared = prepared(gaussians(300, 3));
    let interrupt = AtomicBool::new(false);
    let options = [("members", "4"), ("rounds", "10"), ("temperature", "1")];
    let outcome = watched(&prepared, &options, &interrupt, &mut LastRound(&interrupt, 10));
    assert_eq!((outcome.history.len(), outcome.ensemble.rounds[0].len()), (10, 1));
    assert_ne!(outcome.stop, Stop::Found);
}
