//! What a model says of rows: finite numbers, probabilities that are some, one answer whichever way one asks.

use manyboost::engine::history::Record;
use manyboost::engine::scores::{Scores, argmax};
use manyboost::evaluate::metrics::quality;
use manyboost::model::Model;
use manyboost::theory::margins::margins;
use manyboost_data::{Applied, Frame, Labels, TargetSpec, Weights};

use crate::case::{Case, Run};
use crate::{Finding, Wrong};

/// Sums of few numbers, each rounded.
const NEAR: f64 = 1e-12;

pub(crate) fn check(case: &Case, run: &Run, file: &[u8]) -> Result<(), Finding> {
    let model = &run.model;
    model.history.iter().try_for_each(record)?;
    let read = Model::from_bytes(file)
        .map_err(|error| Finding::mismatch(format!("a trained model's file is refused: {error}")))?;
    if read.to_bytes().is_ok_and(|again| again != file) {
        return Err(Finding::mismatch("a model that was read is written as another file"));
    }
    let probes = Frame::new(case.probes(), &model.encoder);
    let probes = probes.map_err(|error| Finding::mismatch(format!("other rows are refused: {error}")))?;
    frame(&read, &run.trained.frame)?;
    frame(&read, &probes)?;
    let dataset = &run.prepared.dataset;
    let last = model.history.last();
    error(model, &run.trained, &dataset.labels, &dataset.weights, last.map(|record| record.train_error))?;
    if let Some(valid) = &run.valid {
        let error = last.and_then(|record| record.valid_error);
        self::error(model, valid, &valid.labels, &valid.weights, error)?;
    }
    margin(run)
}

/// All figures of a round are finite.
fn record(record: &Record) -> Result<(), Finding> {
    finite("the record of a round", &record.figures().collect::<Vec<_>>())
}

fn finite(what: &str, values: &[f64]) -> Result<(), Finding> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(Finding::new(Wrong::NotFinite, format!("{what}: {value}"))),
        None => Ok(()),
    }
}

/// Scores and probabilities of rows.
pub(crate) fn frame(model: &Model, frame: &Frame) -> Result<(), Finding> {
    let predictor = model.predictor();
    let (scores, probabilities) = (predictor.scores(frame), predictor.probabilities(frame));
    finite("scores", scores.values())?;
    finite("probabilities", probabilities.values())?;
    let sets = matches!(model.schema.target, TargetSpec::Sets { .. });
    for row in 0..frame.rows() {
        let (f, p) = (scores.row(row), probabilities.row(row));
        if p.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return Err(Finding::mismatch(format!("probabilities {p:?}")));
        }
        let sum: f64 = p.iter().sum();
        if !sets && (sum - 1.0).abs() > NEAR {
            return Err(Finding::mismatch(format!("probabilities sum to {sum}: {p:?}")));
        }
        if !sets && argmax(f) != argmax(p) {
            return Err(Finding::mismatch(format!("the likeliest class is another: {f:?} {p:?}")));
        }
        let sides = f.iter().zip(p).all(|(&f, &p)| if f > 0.0 { p >= 0.5 } else { p <= 0.5 });
        if sets && !sides {
            return Err(Finding::mismatch(format!("labels and probabilities differ: {f:?} {p:?}")));
        }
    }
    for row in (0..frame.rows()).take(3) {
        let one: Scores = predictor.probabilities(&frame.select(&[row as u32]));
        if one.row(0) != probabilities.row(row) {
            return Err(Finding::mismatch("a row by itself has other probabilities"));
        }
    }
    Ok(())
}

/// The error of the last round is the error of the model.
fn error(
    model: &Model,
    rows: &Applied,
    labels: &Labels,
    weights: &Weights,
    said: Option<f64>,
) -> Result<(), Finding> {
    let Some(said) = said else { return Ok(()) };
    let scores = model.predictor().scores(&rows.frame);
    let error = quality(&scores, model.ensemble.reading.link, labels, weights).error;
    if (error - said).abs() <= NEAR {
        return Ok(());
    }
    Err(Finding::mismatch(format!("the history says an error of {said}, and it is {error}")))
}

/// Margins lie between −1 and 1.
fn margin(run: &Run) -> Result<(), Finding> {
    let (model, dataset) = (&run.model, &run.prepared.dataset);
    let scores = model.predictor().raw_scores(&run.trained.frame);
    let Some(margins) = margins(&model.ensemble, &scores, &dataset.labels, &dataset.weights) else {
        return Ok(());
    };
    for margins in margins.vote.iter().chain([&margins.label]) {
        let ends = [margins.least(), margins.mean(), margins.quantile(1.0)];
        finite("margins", &ends)?;
        if ends.iter().any(|margin| margin.abs() > 1.0) {
            return Err(Finding::mismatch(format!("margins {ends:?}")));
        }
    }
    Ok(())
}
