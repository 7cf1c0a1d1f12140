//! What a model answers after each of its rounds.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use manyboost::engine::scores::Scores;
use manyboost_data::Frame;
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;

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
        let scores = Scores::new(frame.rows(), &model.get().model.ensemble.start);
        Self { model, frame, proba, pool, state: Mutex::new((0, scores)) }
    }

    /// Adds a round; gives the scores of classes.
    fn step(&self, state: &mut (usize, Scores)) -> Scores {
        let ensemble = &self.model.get().model.ensemble;
        let (round, scores) = state;
        let width = scores.width();
        for term in &ensemble.rounds[*round] {
            let applied = term.hypothesis.answers.applied(term.alpha, width);
            let rows = scores.values_mut().par_chunks_mut(width).enumerate().with_min_len(256);
            rows.for_each(|(row, scores)| {
                let value = |feature: u32| self.frame.value(row, feature as usize);
                applied.add(term.hypothesis.cells.cell(value), scores);
            });
        }
        *round += 1;
        let mut classes = ensemble.reading.scores(Cow::Borrowed(scores)).into_owned();
        if self.proba {
            let width = classes.width();
            classes.values_mut().chunks_mut(width).for_each(|row| ensemble.reading.link.apply(row));
        }
        classes
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
