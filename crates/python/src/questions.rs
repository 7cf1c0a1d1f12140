//! What is asked of a model beside explanations of its scores: what columns do and are worth, what would change an answer, which rows are alike.

use std::time::Duration;

use manyboost::explain::effects::{Effects, Output};
use manyboost::explain::permutation::{Rise, permutation_importance};
use manyboost::explain::similar::similar;
use manyboost::explain::why_not::{Change, WhyNot};
use manyboost::model::Model;
use manyboost_data::Frame;
use manyboost_data::encode::Codec;
use manyboost_kernel::Alone;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::explain::{Given, frames};
use crate::model::PyModel;
use crate::pool::pool;
use crate::rows::{HeldRows, Rows};
use crate::work::{Flag, borrowed, interrupted};

/// A column, and its values: numbers, or levels by their numbers and their names.
type Values = (String, Vec<f64>, Option<Vec<String>>);

/// A value of a column: a number, or the name of a level; nothing where it is missing.
#[derive(IntoPyObject)]
pub enum Value {
    Number(f64),
    Level(String),
}

/// The class that is answered now, the other one, the changes that lead to it, how far they go, and whether there are no smaller ones.
type Answered = (usize, Option<usize>, Vec<(usize, Option<Value>, Option<Value>)>, Option<f64>, bool);

/// What one or two columns do to answers: the columns with their values, and the numbers of all points (of `individual` curves, row after row),
/// class after class.
#[pyfunction]
#[pyo3(signature = (model, rows, features, kind, points, scores, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
#[expect(clippy::too_many_arguments, reason = "it is what Python is asked for")]
pub fn effects<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    features: Vec<String>,
    kind: &str,
    points: usize,
    scores: bool,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<(Vec<Values>, Bound<'py, PyArray1<f64>>)> {
    let model = &*model;
    let (frame, _) = frames(py, model, &rows, None, threads.as_ref())?;
    let output = if scores { Output::Scores } else { Output::Probabilities };
    let work = || {
        let mut effects = Effects::of_frame(&model.model, frame, output)?;
        let axes: Vec<_> =
            features.iter().map(|name| effects.axis(name, points)).collect::<manyboost_data::Result<_>>()?;
        match kind {
            "individual" => effects.individual(&axes),
            "accumulated" => effects.accumulated(&axes),
            _ => effects.partial(&axes),
        }
    };
    let effect = borrowed(py, &*pool(py, threads.as_ref())?, &Flag::new(false), work)?;
    let axes = effect.axes.into_iter().map(|axis| (axis.name, axis.values, axis.levels)).collect();
    Ok((axes, effect.values.into_pyarray(py)))
}

/// What each column is worth on rows with answers: its name, then mean and margin of the rises of error and log loss, of all rows and of each class.
#[pyfunction]
#[pyo3(signature = (model, rows, repeats, seed, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn importance<'py>(
    py: Python<'py>,
    model: &Bound<'py, PyModel>,
    rows: &Bound<'py, PyAny>,
    repeats: usize,
    seed: u64,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<(String, Vec<[[f64; 2]; 2]>)>> {
    let rows: Rows<'_> = rows.extract()?;
    let (PyModel { model, .. }, held, stop) = (model.get(), HeldRows::new(&rows)?, Flag::new(false));
    let names: Vec<String> = model.schema.features.iter().map(|feature| feature.name.clone()).collect();
    let looked = held.look(&names, &stop);
    let found = borrowed(py, &*pool(py, threads.as_ref())?, &stop, || {
        let mut rows = looked.applied(None, &model.schema, &model.encoder, &Alone)?;
        permutation_importance(model, &mut rows, repeats, seed)
    })?;
    let both = |rises: [Rise; 2]| rises.map(|rise| [rise.mean, rise.margin]);
    let column = |column: manyboost::explain::permutation::ColumnWorth| {
        let classes = column.classes.into_iter().map(both);
        (column.column, std::iter::once(both([column.error, column.log_loss])).chain(classes).collect())
    };
    Ok(found.into_iter().map(column).collect())
}

/// For each row the smallest changes after which the answer is another one.
#[pyfunction]
#[pyo3(signature = (model, rows, class_, fixed, seconds, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn why_not<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    class_: Option<usize>,
    fixed: Vec<String>,
    seconds: f64,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Answered>> {
    let model = &*model;
    let (frame, _) = frames(py, model, &rows, None, threads.as_ref())?;
    let limit = Duration::try_from_secs_f64(seconds).map_err(|error| {
        PyValueError::new_err(format!("seconds={seconds}: {error}\ngive a number above 0"))
    })?;
    let stop = Flag::new(false);
    let work = || asked(&model.model, &frame, class_, &fixed, limit, &stop);
    borrowed(py, &*pool(py, threads.as_ref())?, &stop, work)
}

fn asked(
    model: &Model,
    frame: &Frame,
    class: Option<usize>,
    fixed: &[String],
    limit: Duration,
    stop: &Flag,
) -> manyboost_data::Result<Vec<Answered>> {
    let why_not = WhyNot::new(model, fixed)?;
    let scores = model.predictor().scores(frame);
    let value = |change: &Change, value: f64| match &model.encoder.column_encoders()[change.column].codec {
        _ if value.is_nan() => None,
        Codec::Category(codec) => codec.levels().get(value as usize).cloned().map(Value::Level),
        _ => Some(Value::Number(value)),
    };
    let each = |row: usize| {
        if stop.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(interrupted());
        }
        let now = manyboost::engine::scores::argmax(scores.row(row));
        let sought = why_not.find(frame, row, class, limit);
        let found = sought.found.as_ref();
        let changes = found.map(|found| &found.changes[..]).unwrap_or_default();
        let changes = changes
            .iter()
            .map(|change| (change.column, value(change, change.from), value(change, change.to)));
        let (other, distance) = (found.map(|found| found.class), found.map(|found| found.distance));
        Ok((now, other, changes.collect(), distance, sought.complete))
    };
    (0..frame.rows()).map(each).collect()
}

/// For each row the most alike of other rows, by their numbers, and the shares of hypotheses that put both into the same cell.
#[pyfunction]
#[pyo3(signature = (model, rows, among, top, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn similar_rows<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    among: Given<'py>,
    top: usize,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<f64>>)> {
    let model = &*model;
    let (frame, among) = frames(py, model, &rows, Some(&among), threads.as_ref())?;
    let work = || {
        let cells = among.map(|among| model.model.apply_frame(&among));
        let rows = model.model.apply_frame(&frame);
        similar(&rows, cells.as_ref().unwrap_or(&rows), top)
    };
    let found = borrowed(py, &*pool(py, threads.as_ref())?, &Flag::new(false), work)?.concat();
    let numbers: Vec<u64> = found.iter().map(|similar| similar.row as u64).collect();
    let shares: Vec<f64> = found.iter().map(|similar| similar.share).collect();
    Ok((numbers.into_pyarray(py), shares.into_pyarray(py)))
}
