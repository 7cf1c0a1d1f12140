//! What a model answers after each of its rounds.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use manyboost::engine::scores::Scores;
use manyboost::predict::stages::Stage;
use manyboost_data::Frame;
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::model::PyModel;
use crate::work::{Flag, borrowed};

/// An iterator over the rounds of a model: the scores of classes, or probabilities, after each.
#[pyclass(frozen, module = "manyboost._core")]
pub struct Stages {
    model: Py<PyModel>,
    frame: Frame,
    proba: bool,
    pool: Arc<ThreadPool>,
    /// Rounds that are done, and the scores after them.
    state: Mutex<(usize, Scores)>,
}

impl Stages {
    pub fn new(model: Py<PyModel>, frame: Frame, proba: bool, pool: Arc<ThreadPool>) -> Self {
        let scores = model.get().model.ensemble.first_scores(&frame);
        Self { model, frame, proba, pool, state: Mutex::new((0, scores)) }
    }

    /// Adds a round; gives the scores of classes.
    fn step(&self, state: &mut (usize, Scores)) -> Scores {
        let ensemble = &self.model.get().model.ensemble;
        let (round, scores) = state;
        let stage = Stage::new(&ensemble.rounds[*round], scores.width());
        stage.add_rows(|row, feature| self.frame.value(row, feature as usize), scores);
        *round += 1;
        let classes = ensemble.reading.scores(Cow::Borrowed(scores)).into_owned();
        if self.proba { ensemble.reading.link.apply_rows(classes) } else { classes }
    }
}

#[pymethods]
impl Stages {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let rounds = self.model.get().model.ensemble.rounds.len();
        let step = || {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            Ok((state.0 < rounds).then(|| self.step(&mut state)))
        };
        let Some(scores) = borrowed(py, &self.pool, &Flag::new(false), step)? else { return Ok(None) };
        let shape = [scores.rows(), scores.width()];
        scores.values().to_pyarray(py).reshape(shape).map(Some)
    }
}
