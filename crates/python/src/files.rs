//! Files of the package that are not models.

use std::path::PathBuf;

use manyboost::files::{refuse_packed, write_atomic};
use pyo3::prelude::*;

use crate::errors::exception;

/// Writes a file, whole or not at all; not under a name that promises a packed one.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
pub fn write(path: PathBuf, bytes: &[u8]) -> PyResult<()> {
    refuse_packed(&path).and_then(|()| write_atomic(&path, bytes)).map_err(|error| exception(&error))
}
