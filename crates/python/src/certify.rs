//! Certificates, for Python.

use manyboost::spec::options::Options;
use manyboost_certify::Question;
use manyboost_data::{PrepareOptions, prepare_columns};
use pyo3::prelude::*;

use crate::columns::SOURCE;
use crate::errors::exception;
use crate::numbers::small;
use crate::options::{GivenOption, values};
use crate::pool::pool;
use crate::rows::{HeldRows, Rows};
use crate::work::{Flag, borrowed, owned};

/// What is asked, as Python says it.
#[derive(FromPyObject)]
struct Asked<'py> {
    options: Vec<(String, GivenOption<'py>)>,
    bins: Option<Bound<'py, PyAny>>,
    threads: Option<Bound<'py, PyAny>>,
    /// The names of the columns.
    names: Vec<String>,
    rows: Rows<'py>,
}

/// The values of all weak-learning conditions, as a JSON document.
#[pyfunction]
pub fn certify(py: Python<'_>, asked: &Bound<'_, PyAny>) -> PyResult<String> {
    let asked: Asked<'_> = asked.extract()?;
    let options = values(&asked.options).map(Options::new);
    let question = options.and_then(Question::new).map_err(|error| exception(&error))?;
    let mut options = PrepareOptions { values: question.needs_values(), ..PrepareOptions::default() };
    options.encode.bins = small("bins", asked.bins.as_ref(), options.encode.bins)?;
    let pool = pool(py, asked.threads.as_ref())?;
    let stop = Flag::new(false);
    let held = HeldRows::new(&asked.rows)?;
    let rows = held.look(&asked.names, &stop);
    let prepared = borrowed(py, &pool, &stop, || prepare_columns(rows.answers()?, &rows.columns, &options))?;
    owned(py, pool, move |stop| {
        question.answer(SOURCE, prepared, stop).map(|answer| answer.document().to_string())
    })
}
