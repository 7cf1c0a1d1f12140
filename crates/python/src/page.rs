//! The page of a model, for Python.

use manyboost_kernel::Alone;
use manyboost_report::model::{Subject, page as draw};
use pyo3::prelude::*;

use crate::model::PyModel;
use crate::pool::pool;
use crate::rows::{HeldRows, Rows};
use crate::work::{Flag, borrowed};

/// The page of a model, shown on some rows; `command` is what makes the model again.
#[pyfunction]
#[pyo3(signature = (model, rows, title, command, threads=None))]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn page<'py>(
    py: Python<'py>,
    model: &Bound<'py, PyModel>,
    rows: &Bound<'py, PyAny>,
    title: &str,
    command: String,
    threads: Option<Bound<'py, PyAny>>,
) -> PyResult<String> {
    let rows: Rows<'_> = rows.extract()?;
    let (PyModel { model, .. }, held, stop) = (model.get(), HeldRows::new(&rows)?, Flag::new(false));
    let names: Vec<String> = model.schema.features.iter().map(|feature| feature.name.clone()).collect();
    let looked = held.look(&names, &stop);
    borrowed(py, &*pool(py, threads.as_ref())?, &stop, || {
        let rows = &looked.applied(None, &model.schema, &model.encoder, &Alone)?;
        let measured = format!("{} rows", rows.frame.rows());
        Ok(draw(&Subject { title, model, trained: None, rows, training: None, measured, command }))
    })
}
