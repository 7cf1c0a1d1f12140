//! Errors of the engine as Python's exceptions.

use manyboost_data::{Error, ErrorKind, with_parameters};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    manyboost,
    WorkerError,
    PyRuntimeError,
    "Several workers train together, and one of them was lost, or does not fit in."
);

/// The exception of an error: what is wrong, and what to do, with options by their Python names.
pub fn exception(error: &Error) -> PyErr {
    let words = error.told(parameter).join("\n");
    match (error.os_error(), error.kind()) {
        // Python knows some of these numbers by classes of their own: FileNotFoundError, PermissionError.
        (Some(number), _) => PyOSError::new_err((number, words)),
        (None, ErrorKind::File) => PyOSError::new_err(words),
        (None, ErrorKind::Memory) => PyMemoryError::new_err(words),
        (None, ErrorKind::Worker) => WorkerError::new_err(words),
        (None, ErrorKind::Failed) => PyRuntimeError::new_err(words),
        (None, _) => PyValueError::new_err(words),
    }
}

/// The system gave no thread.
pub fn no_threads(error: &dyn std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(format!(
        "the threads to work with cannot be started ({error})\nset threads=1, or raise the limit on threads (ulimit -u) or memory"
    ))
}

/// A panic, which is a bug of ours.
pub fn bug(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    PyRuntimeError::new_err(format!(
        "manyboost has a bug and cannot go on: {said}\nplease report it together with the data"
    ))
}

/// A parameter as it is written here: `min-rows` is `min_rows`, and `seed` is `random_state`.
fn parameter(name: &str, value: Option<&str>) -> String {
    let name = if name == "seed" { "random_state".to_string() } else { name.replace('-', "_") };
    match value {
        None => name,
        Some(value) if value.parse::<f64>().is_ok() => format!("{name}={value}"),
        Some(value) => format!("{name}={value:?}"),
    }
}

/// A text of the engine with parameters as they are written here.
pub fn parameters(text: &str) -> String {
    with_parameters(text, parameter)
}
