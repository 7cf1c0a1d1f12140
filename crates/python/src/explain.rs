//! Trees and explanations, for Python.

use std::sync::atomic::Ordering;

use manyboost::explain::{Explainer, Explanation, Grain, TreeTerm};
use manyboost::model::Model;
use manyboost::model::tree::{Child, Node, Test};
use manyboost_data::{Frame, Result};
use numpy::{IntoPyArray, PyArray2, PyArray3, PyArray4, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::columns::Held;
use crate::errors::exception;
use crate::model::PyModel;
use crate::pool::pool;
use crate::work::{Flag, borrowed, interrupted};

/// Rows that are explained before signals are looked for again.
const BLOCK: usize = 1 << 12;

/// Rows for the engine: columns, and how many.
pub type Given<'py> = (Bound<'py, PyList>, usize);

/// What to explain by: background rows, or what leaves weigh.
fn explainer<'a>(model: &'a Model, background: Option<&Frame>) -> Result<Explainer<'a>> {
    match background {
        Some(background) => Explainer::with_background(model, Grain::Columns, background),
        None => Explainer::new(model, Grain::Columns),
    }
}

/// What each column of each row adds to the score of each class (rows × columns × classes), and what is expected of any row.
#[pyfunction]
#[pyo3(signature = (model, rows, background=None, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn shap_values<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    background: Option<Given<'py>>,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyArray3<f64>>, Vec<f64>)> {
    let model = &*model;
    let (frame, background) = frames(py, model, &rows, background.as_ref(), threads.as_ref())?;
    let stop = Flag::new(false);
    let work = || {
        let explainer = explainer(&model.model, background.as_ref())?;
        let values = by_blocks(&frame, &stop, |rows| explainer.values(rows))?;
        Ok((values, explainer.expected().to_vec()))
    };
    let (values, expected) = borrowed(py, &*pool(py, threads.as_ref())?, &stop, work)?;
    let shape = [frame.rows(), model.model.schema.features.len(), expected.len()];
    Ok((values.into_pyarray(py).reshape(shape)?, expected))
}

/// What pairs of columns add together (rows × columns × columns × classes).
#[pyfunction]
#[pyo3(signature = (model, rows, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn shap_interactions<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray4<f64>>> {
    let model = &*model;
    let (frame, _) = frames(py, model, &rows, None, threads.as_ref())?;
    let stop = Flag::new(false);
    let work = || {
        let explainer = explainer(&model.model, None)?;
        by_blocks(&frame, &stop, |rows| explainer.interactions(rows))
    };
    let values = borrowed(py, &*pool(py, threads.as_ref())?, &stop, work)?;
    let (columns, classes) = (model.model.schema.features.len(), model.model.ensemble.start.len());
    values.into_pyarray(py).reshape([frame.rows(), columns, columns, classes])
}

/// What is expected of any row, by what leaves weigh.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn expected(model: PyRef<'_, PyModel>) -> PyResult<Vec<f64>> {
    let found = explainer(&model.model, None).map(|explainer| explainer.expected().to_vec());
    found.map_err(|error| exception(&error))
}

/// The cell of each row in each hypothesis.
#[pyfunction]
#[pyo3(signature = (model, rows, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn apply<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let model = &*model;
    let (frame, _) = frames(py, model, &rows, None, threads.as_ref())?;
    let work = || Ok(model.model.apply_frame(&frame));
    let found = borrowed(py, &*pool(py, threads.as_ref())?, &Flag::new(false), work)?;
    found.cells.into_pyarray(py).reshape([found.rows, found.terms])
}

/// Rows as trees look at them (rows × columns): numbers, levels by number; what is missing and texts are NaN.
#[pyfunction]
#[pyo3(signature = (model, rows, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn encoded<'py>(
    py: Python<'py>,
    model: PyRef<'py, PyModel>,
    rows: Given<'py>,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let model = &*model;
    let (frame, _) = frames(py, model, &rows, None, threads.as_ref())?;
    let width = model.model.schema.features.len();
    let mut values = vec![f64::NAN; frame.rows() * width];
    for (feature, (column, word)) in model.model.encoder.columns().iter().enumerate() {
        let part = model.model.encoder.time(feature).and_then(|(_, part)| part);
        if word.is_none() && part.is_none() {
            let own = values.iter_mut().skip(*column).step_by(width);
            own.enumerate().for_each(|(row, value)| *value = frame.value(row, feature));
        }
    }
    values.into_pyarray(py).reshape([frame.rows(), width])
}

/// All nodes of all trees: lists by name, and what leaves add to scores (`None` at tests).
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn tree_nodes<'py>(py: Python<'py>, model: PyRef<'py, PyModel>) -> PyResult<Bound<'py, PyDict>> {
    let mut nodes = Nodes::default();
    for (number, term) in model.model.trees().map_err(|error| exception(&error))?.iter().enumerate() {
        nodes.add(&model.model, number, term);
    }
    nodes.dict(py)
}

/// Explains some rows at a time, with an open ear for the end.
fn by_blocks(
    frame: &Frame,
    stop: &Flag,
    explain: impl Fn(&Frame) -> Result<Explanation>,
) -> Result<Vec<f64>> {
    let all: Vec<u32> = (0..frame.rows() as u32).collect();
    if all.len() <= BLOCK {
        return explain(frame).map(|found| found.values);
    }
    let mut values = Vec::new();
    for some in all.chunks(BLOCK) {
        if stop.load(Ordering::Relaxed) {
            return Err(interrupted());
        }
        values.extend(explain(&frame.select(some))?.values);
    }
    Ok(values)
}

/// Rows as the model looks at them.
pub fn frames<'py>(
    py: Python<'py>,
    model: &PyModel,
    rows: &Given<'py>,
    background: Option<&Given<'py>>,
    threads: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Frame, Option<Frame>)> {
    let pool = pool(py, threads)?;
    let frame = |(columns, rows): &Given<'py>| {
        let held = Held::all(columns)?;
        let views = Held::views(&held);
        model.check(views.len())?;
        borrowed(py, &pool, &Flag::new(false), || model.frame(&views, 0..*rows))
    };
    Ok((frame(rows)?, background.map(frame).transpose()?))
}

/// The nodes of trees, column by column.
#[derive(Default)]
struct Nodes {
    tree: Vec<usize>,
    round: Vec<usize>,
    node: Vec<usize>,
    left: Vec<Option<usize>>,
    right: Vec<Option<usize>>,
    column: Vec<Option<usize>>,
    word: Vec<Option<String>>,
    part: Vec<Option<&'static str>>,
    threshold: Vec<Option<f64>>,
    levels: Vec<Option<Vec<String>>>,
    codes: Vec<Option<Vec<u32>>>,
    missing_left: Vec<Option<bool>>,
    cover: Vec<Option<u64>>,
    values: Vec<Option<Vec<f64>>>,
}

impl Nodes {
    /// The tests of a tree, then its leaves: leaf i is node `tests + i`.
    fn add(&mut self, model: &Model, number: usize, term: &TreeTerm<'_>) {
        let (tree, tests) = (term.tree, term.tree.nodes.len());
        let cover = tree.node_cover();
        let columns = model.encoder.columns();
        let at = |child: Child| match child {
            Child::Node(node) => node as usize,
            Child::Leaf(leaf) => tests + leaf as usize,
        };
        for node in 0..tests + tree.leaves() {
            let test = tree.nodes.get(node);
            let leaf = node.checked_sub(tests);
            self.tree.push(number);
            self.round.push(term.round);
            self.node.push(node);
            self.left.push(test.map(|test| at(test.left)));
            self.right.push(test.map(|test| at(test.right)));
            self.column.push(test.map(|test| columns[test.feature as usize].0));
            self.word.push(test.and_then(|test| columns[test.feature as usize].1.map(String::from)));
            let part = |test: &Node| {
                model.encoder.time(test.feature as usize)?.1.map(manyboost_data::TimePart::name)
            };
            self.part.push(test.and_then(part));
            self.threshold.push(test.and_then(|test| match test.test {
                Test::AtMost(threshold) => Some(threshold),
                Test::Levels(_) => None,
            }));
            let name =
                |feature: u32, level: u32| model.encoder.level(feature as usize, level).unwrap_or_default();
            self.levels.push(test.and_then(|test| match &test.test {
                Test::AtMost(_) => None,
                Test::Levels(set) => {
                    Some(set.iter().map(|&level| name(test.feature, level).to_string()).collect())
                }
            }));
            self.codes.push(test.and_then(|test| match &test.test {
                Test::AtMost(_) => None,
                Test::Levels(set) => Some(set.clone()),
            }));
            self.missing_left.push(test.map(|test| test.missing_left));
            let weighed = match leaf {
                Some(leaf) => tree.cover.get(leaf).copied(),
                None => cover.as_ref().map(|cover| cover[node]),
            };
            self.cover.push(weighed);
            self.values.push(leaf.map(|leaf| term.values(leaf)));
        }
    }

    fn dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("tree", self.tree)?;
        dict.set_item("round", self.round)?;
        dict.set_item("node", self.node)?;
        dict.set_item("left", self.left)?;
        dict.set_item("right", self.right)?;
        dict.set_item("column", self.column)?;
        dict.set_item("word", self.word)?;
        dict.set_item("part", self.part)?;
        dict.set_item("threshold", self.threshold)?;
        dict.set_item("levels", self.levels)?;
        dict.set_item("codes", self.codes)?;
        dict.set_item("missing_left", self.missing_left)?;
        dict.set_item("cover", self.cover)?;
        dict.set_item("values", self.values)?;
        Ok(dict)
    }
}
