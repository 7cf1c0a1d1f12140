//! Training: seconds without reading and binning, and the errors that come out.

use std::time::Instant;

use manyboost::engine::train::{Outcome, Training, Watched};
use manyboost::evaluate::metrics::quality;
use manyboost::model::Model;
use manyboost::predict::Predictor;
use manyboost::spec::registry::Setup;
use manyboost_data::{Prepared, apply, prepare};
use serde_json::json;

use crate::args::{Args, Failure};
use crate::{each_turn, memory};

/// Trains on prepared rows.
pub(crate) fn fit(setup: &Setup, prepared: &Prepared, seed: u64) -> Result<Outcome, Failure> {
    fit_watching(setup, prepared, seed, Watched::default())
}

fn fit_watching(
    setup: &Setup,
    prepared: &Prepared,
    seed: u64,
    watched: Watched<'_>,
) -> Result<Outcome, Failure> {
    let setup = setup.for_data(&prepared.dataset)?;
    let (data, encoder) = (&prepared.dataset, &prepared.encoder);
    Ok(Training { plan: &setup.plan(seed, None), data, encoder, watched }.outcome()?)
}

/// The size of the model as a file.
fn bytes(setup: &Setup, prepared: &Prepared, seed: u64, outcome: &Outcome) -> Result<usize, Failure> {
    let (schema, encoder) = (prepared.schema.clone(), prepared.encoder.clone());
    Ok(Model::new(schema, encoder, setup, seed, outcome.clone()).to_bytes()?.len())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let start = Instant::now();
    let (train, test) = args.tables()?;
    let read = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let prepared = prepare(train, &args.prepare())?;
    let bin = start.elapsed().as_secs_f64();
    let test = apply(test, &prepared.schema, &prepared.encoder)?;
    each_turn(args.wait, |line| {
        let setup = args.setup(line.parse().ok())?.for_data(&prepared.dataset)?;
        let watched = Watched { test: args.staged.then_some(&test), ..Watched::default() };
        let start = Instant::now();
        let outcome = fit_watching(&setup, &prepared, args.seed, watched)?;
        let seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let scores = Predictor::new(&outcome.ensemble, usize::MAX).scores(&test.frame);
        let predict = start.elapsed().as_secs_f64();
        let quality = quality(&scores, outcome.ensemble.reading.link, &test.labels, &test.weights);
        Ok(json!({
            "booster": args.booster,
            "parameters": setup.parameters,
            "rows": prepared.dataset.rows(),
            "rounds": outcome.history.len(),
            "stopped": outcome.stop.name(),
            "seconds": seconds,
            "read": read,
            "bin": bin,
            "predict": predict,
            "train_error": outcome.history.last().map(|record| record.train_error),
            "error": quality.error,
            "log_loss": quality.log_loss,
            "rss": memory::peak(),
            "bytes": bytes(&setup, &prepared, args.seed, &outcome)?,
            "staged": outcome.history.iter().filter_map(|record| record.test_error).collect::<Vec<f64>>(),
        }))
    })
}
