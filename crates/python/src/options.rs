//! Options of boosters and learners: what Python gives, and what there is to know about them.

use manyboost::codes::matrix::Matrix;
use manyboost::evaluate::costs::Costs;
use manyboost::spec::catalog;
use manyboost::spec::option::OptionInfo;
use manyboost::spec::options::Value;
use manyboost::spec::registry::BOOSTERS;
use manyboost::spec::taking::TakenOption;
use manyboost_data::Result;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::parameters;

/// What an option was set to: a text, costs by the names of classes, or a matrix.
#[derive(FromPyObject)]
pub enum GivenOption<'py> {
    Text(String),
    Costs(Vec<String>, PyReadonlyArray2<'py, f64>),
    Matrix(PyReadonlyArray2<'py, f64>),
}

/// Options for the engine.
pub fn values(given: &[(String, GivenOption<'_>)]) -> Result<Vec<(String, Value)>> {
    let numbers = |array: &PyReadonlyArray2<'_, f64>| array.as_array().iter().copied().collect::<Vec<f64>>();
    let value = |(name, given): &(String, GivenOption<'_>)| {
        let value = match given {
            GivenOption::Text(text) => Value::from(text.as_str()),
            GivenOption::Costs(classes, array) => Costs::new(classes, &numbers(array))?.into(),
            GivenOption::Matrix(array) => Matrix::from_rows(array.as_array().ncols(), numbers(array))?.into(),
        };
        Ok((name.clone(), value))
    };
    given.iter().map(value).collect()
}

/// What there is to know about an option, whoever takes it.
fn described<'py>(py: Python<'py>, info: &OptionInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("name", info.name.replace('-', "_"))?;
    dict.set_item("help", parameters(info.help))?;
    dict.set_item("group", info.group.heading())?;
    dict.set_item("kind", info.kind.name())?;
    dict.set_item("allowed", parameters(&info.allowed))?;
    let words: Vec<_> = info.words.iter().map(|(word, meaning)| (*word, parameters(meaning))).collect();
    dict.set_item("words", words)?;
    Ok(dict)
}

/// The same where it is known who takes it.
pub fn taken<'py>(py: Python<'py>, option: &TakenOption) -> PyResult<Bound<'py, PyDict>> {
    let dict = described(py, &option.info)?;
    dict.set_item("default", option.default_text())?;
    dict.set_item("with", option.with.clone())?;
    Ok(dict)
}

/// Every option of a booster or a learner, and the boosters that take it.
#[pyfunction]
pub fn options(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let mut all = Vec::new();
    for option in catalog::options(BOOSTERS) {
        let dict = described(py, &option.info)?;
        dict.set_item("boosters", option.boosters.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
        all.push(dict);
    }
    Ok(all)
}
