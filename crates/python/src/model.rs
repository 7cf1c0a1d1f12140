//! A trained model, for Python.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use manyboost::engine::history::FIGURES;
use manyboost::evaluate::importance;
use manyboost::model::ensemble::Ensemble;
use manyboost::model::{Checkpoint, Model, Origin};
use manyboost::predict::Predictor;
use manyboost::predict::row::RowPredictor;
use manyboost::spec::booster::Stop;
use manyboost_data::{Frame, Result, TargetSpec};
use manyboost_onnx::{ClassNames, boundary_rows, export};
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::columns::{Held, View, table};
use crate::errors::{exception, parameters};
use crate::few;
use crate::pool::pool;
use crate::stages::Stages;
use crate::work::{Flag, borrowed, interrupted};

/// Rows that are predicted before signals are looked for again; their values are copied for as long.
const BLOCK: usize = 1 << 14;

/// Rows times trees that are worth neither other threads nor an open ear for signals.
const FEW: usize = 1 << 16;

/// Rows at the thresholds of a model that its graph is checked on.
const MADE_UP: usize = 500;

/// A trained model.
#[pyclass(frozen, name = "Model", module = "manyboost._core")]
pub struct PyModel {
    pub model: Model,
    /// What it was trained on, if training is to go on.
    pub origin: Option<Origin>,
    /// What the user should know about its training.
    #[pyo3(get)]
    pub notes: Vec<String>,
    /// What looked like a mistake when it was trained.
    #[pyo3(get)]
    pub warnings: Vec<String>,
    ready: OnceLock<RowPredictor>,
}

impl PyModel {
    pub fn new(model: Model, origin: Option<Origin>, notes: Vec<String>) -> Self {
        Self { model, origin, notes, warnings: Vec::new(), ready: OnceLock::new() }
    }

    /// The same, fresh from training.
    #[must_use]
    pub fn trained(self, mut warnings: Vec<String>) -> Self {
        warnings.extend(self.model.ensemble.warning().map(String::from));
        let warnings = warnings.iter().map(|text| parameters(text)).collect();
        Self { warnings, ..self }
    }

    /// Laid out to predict.
    fn ready(&self) -> &RowPredictor {
        self.ready.get_or_init(|| self.model.row_predictor())
    }

    fn target(&self) -> &TargetSpec {
        &self.model.schema.target
    }

    /// Refuses another number of columns.
    pub fn check(&self, columns: usize) -> PyResult<()> {
        let wanted = self.model.schema.features.len();
        if columns == wanted {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "X has {columns} features, but the model is expecting {wanted} features as input"
        )))
    }
}

#[pymethods]
impl PyModel {
    /// Reads a model file.
    #[staticmethod]
    fn load(path: std::path::PathBuf) -> PyResult<Self> {
        Model::load(path).map(|model| Self::new(model, None, Vec::new())).map_err(|error| exception(&error))
    }

    /// Writes a model file, at once or not at all.
    fn save(&self, path: std::path::PathBuf) -> PyResult<()> {
        self.model.save(path).map_err(|error| exception(&error))
    }

    /// Whether scores begin with a linear function of texts.
    #[getter]
    fn looks_at_texts(&self) -> bool {
        self.model.ensemble.text.is_some()
    }

    /// The hypotheses of one round (counted from 0) as a model of their own.
    fn round(&self, at: usize) -> PyResult<Self> {
        let Model { ensemble, history, .. } = &self.model;
        let (Some(terms), Some(&record)) = (ensemble.rounds.get(at), history.get(at)) else {
            return Err(PyIndexError::new_err(format!("there is no round {at}")));
        };
        let (start, reading) = (ensemble.start.clone(), ensemble.reading.clone());
        let mut parameters = self.model.parameters.clone();
        parameters.insert("rounds".into(), "1".into());
        let model = Model {
            schema: self.model.schema.clone(),
            encoder: self.model.encoder.clone(),
            ensemble: Ensemble { start, text: None, rounds: vec![terms.clone()], reading },
            history: vec![record],
            stop: Stop::Rounds,
            booster: self.model.booster.clone(),
            parameters,
            seed: self.model.seed,
            version: self.model.version.clone(),
        };
        Ok(Self::new(model, None, Vec::new()))
    }

    /// The model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.model.to_bytes().map_err(|error| exception(&error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The model as an ONNX graph, laid beside the model at its thresholds. Labels are texts, or whole numbers where
    /// `whole` is set and all classes are.
    fn to_onnx<'py>(&self, py: Python<'py>, whole: bool) -> PyResult<Bound<'py, PyBytes>> {
        let names = if whole { ClassNames::AsTheyRead } else { ClassNames::Texts };
        let work = || export(&self.model, names, &boundary_rows(&self.model, MADE_UP));
        let (bytes, _) = borrowed(py, &*pool(py, None)?, &Flag::new(false), work)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// What a pickle keeps: the file of the model, or of the checkpoint if training may go on.
    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, bool, Vec<String>)> {
        let bytes = match self.origin {
            Some(origin) => Checkpoint { model: self.model.clone(), origin }.to_bytes(),
            None => self.model.to_bytes(),
        };
        let bytes = bytes.map_err(|error| exception(&error))?;
        Ok((PyBytes::new(py, &bytes), self.origin.is_some(), self.notes.clone()))
    }

    /// The model of a file's bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let model = Model::from_bytes(bytes).map_err(|error| exception(&error))?;
        Ok(Self::new(model, None, Vec::new()))
    }

    #[staticmethod]
    fn _restore(bytes: &[u8], checkpoint: bool, notes: Vec<String>) -> PyResult<Self> {
        let model = if checkpoint {
            Checkpoint::from_bytes(bytes).map(|saved| (saved.model, Some(saved.origin)))
        } else {
            Model::from_bytes(bytes).map(|model| (model, None))
        };
        let (model, origin) = model.map_err(|error| exception(&error))?;
        Ok(Self::new(model, origin, notes))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let state = slf.get().__getstate__(slf.py())?.into_pyobject(slf.py())?;
        Ok((slf.getattr("_restore")?, state.into_any()))
    }

    /// The booster's name.
    #[getter]
    fn booster(&self) -> &str {
        &self.model.booster
    }

    /// Every parameter with the value that counted.
    #[getter]
    fn parameters(&self) -> std::collections::BTreeMap<String, String> {
        self.model.parameters.clone()
    }

    /// The seed of all random choices.
    #[getter]
    fn seed(&self) -> u64 {
        self.model.seed
    }

    /// Rounds that it has.
    #[getter]
    fn rounds(&self) -> usize {
        self.model.ensemble.rounds.len()
    }

    /// Why training ended: `rounds`, `perfect`, `no_edge`, `patience` or `interrupted`.
    #[getter]
    fn stop(&self) -> &'static str {
        self.model.stop.name()
    }

    /// The names of the classes, or of the labels without their prefix.
    #[getter]
    fn classes(&self) -> Vec<String> {
        let label = |class| self.target().label(class).unwrap_or_default().to_string();
        (0..self.target().names().len()).map(label).collect()
    }

    /// The names of the columns with the answers.
    #[getter]
    fn answers(&self) -> Vec<String> {
        match self.target() {
            TargetSpec::Classes { column, .. } => vec![column.clone()],
            TargetSpec::Sets { names, .. } => names.clone(),
        }
    }

    /// Whether rows have sets of labels.
    #[getter]
    fn sets(&self) -> bool {
        matches!(self.target(), TargetSpec::Sets { .. })
    }

    /// The columns: name and `number`, `category`, `text`, `time` or `duration`.
    #[getter]
    fn features(&self) -> Vec<(&str, &'static str)> {
        let columns = &self.model.schema.features;
        columns.iter().map(|column| (column.name.as_str(), column.kind.name())).collect()
    }

    /// What each round did: lists by name, `None` where there is nothing to say.
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let history = self.model.told();
        let dict = PyDict::new(py);
        for (name, figure) in FIGURES {
            let values: Vec<Option<f64>> = history.iter().map(figure).collect();
            if values.iter().any(Option::is_some) {
                dict.set_item(name, values)?;
            }
        }
        Ok(dict)
    }

    /// The share of each column in what all tests move.
    fn importances(&self) -> Vec<f64> {
        let columns = self.model.encoder.columns();
        let mut shares = vec![0.0; self.model.schema.features.len()];
        for feature in importance::of(&self.model) {
            shares[columns[feature.feature as usize].0] += feature.share;
        }
        shares
    }

    /// The scores of classes, or probabilities, a row for each row, after some rounds or all.
    #[pyo3(signature = (columns, rows, proba, rounds=None, threads=None))]
    #[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyList>,
        rows: usize,
        proba: bool,
        rounds: Option<usize>,
        threads: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let held = Held::all(columns)?;
        let views = Held::views(&held);
        self.check(views.len())?;
        let stop = Flag::new(false);
        let work = || {
            // What is returned, the copy that Python keeps, and a block on its way.
            self.model.ensemble.claim(rows)?;
            let after;
            let predictor = match rounds {
                Some(rounds) => {
                    after = self.model.predictor_after(rounds);
                    &after
                }
                None => self.ready().predictor(),
            };
            self.blocks(predictor, &views, rows, proba, &stop)
        };
        let values = borrowed(py, &*pool(py, threads.as_ref())?, &stop, work)?;
        let width = self.target().names().len();
        values.to_pyarray(py).reshape([rows, width])
    }

    /// The same for a few rows, at once and by the calling thread: a matrix of numbers, or rows of Python's own numbers and
    /// texts. `None` where there is more to look at than that: [`predict`](Self::predict) knows what to do, or to say.
    fn few<'py>(&self, rows: &Bound<'py, PyAny>, proba: bool) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let width = self.target().names().len();
        let terms = self.model.ensemble.terms().count();
        let count = rows.len()?;
        if count.saturating_mul(terms) > FEW {
            return Ok(None);
        }
        let Some(values) = few::answers(self.ready(), rows, proba) else { return Ok(None) };
        values.to_pyarray(rows.py()).reshape([count, width]).map(Some)
    }

    /// The scores of classes, or probabilities, round after round.
    #[pyo3(signature = (columns, rows, proba, threads=None))]
    #[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
    fn stages<'py>(
        slf: &Bound<'py, Self>,
        columns: &Bound<'py, PyList>,
        rows: usize,
        proba: bool,
        threads: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Stages> {
        let (py, this) = (slf.py(), slf.get());
        let held = Held::all(columns)?;
        let views = Held::views(&held);
        this.check(views.len())?;
        let pool = pool(py, threads.as_ref())?;
        let frame = borrowed(py, &pool, &Flag::new(false), || {
            this.model.ensemble.claim(rows)?;
            this.frame(&views, 0..rows)
        })?;
        Ok(Stages::new(slf.clone().unbind(), frame, proba, pool))
    }
}

impl PyModel {
    /// Rows as the model looks at them.
    pub fn frame(&self, views: &[View<'_>], rows: std::ops::Range<usize>) -> Result<Frame> {
        Frame::new(table(&self.model.schema.features, views, rows)?, &self.model.encoder)
    }

    /// Predicts some rows at a time, where columns can be cut.
    fn blocks(
        &self,
        predictor: &Predictor,
        views: &[View<'_>],
        rows: usize,
        proba: bool,
        stop: &Flag,
    ) -> Result<Vec<f64>> {
        let block = if views.iter().all(View::is_dense) { BLOCK } else { rows.max(1) };
        let mut values = Vec::with_capacity(rows * self.target().names().len());
        for first in (0..rows).step_by(block) {
            if stop.load(Ordering::Relaxed) {
                return Err(interrupted());
            }
            let frame = self.frame(views, first..rows.min(first + block))?;
            let scores = if proba { predictor.probabilities(&frame) } else { predictor.scores(&frame) };
            values.extend_from_slice(scores.values());
        }
        Ok(values)
    }
}
