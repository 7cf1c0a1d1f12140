//! The command line, in the process of Python.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command of these words, once in a process; gives its exit status.
#[pyfunction]
pub fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| manyboost_cli::run(words))
}
