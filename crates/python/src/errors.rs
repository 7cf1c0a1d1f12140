//! Errors of the engine as Python's exceptions.

use manyboost_data::{Error, ErrorKind};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// The exception of an error: what is wrong, and what to do, with options by their Python names.
pub fn exception(error: &Error) -> PyErr {
    let words = in_python(&error.to_string());
    match (error.os_error(), error.kind()) {
        // Python knows some of these numbers by classes of their own: FileNotFoundError, PermissionError.
        (Some(number), _) => PyOSError::new_err((number, words)),
        (None, ErrorKind::File) => PyOSError::new_err(words),
        (None, ErrorKind::Memory) => PyMemoryError::new_err(words),
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

/// `--min-rows` is `min_rows` here, and `--seed` is `random_state`.
fn in_python(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        let name = &option[2..];
        let end = name.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(name.len());
        out.push_str(before);
        // Within a word, such as the name of a file, two dashes are two dashes.
        let within = before.ends_with(|c: char| !c.is_whitespace() && !"\"'(`".contains(c));
        match &name[..end] {
            "" => out.push_str("--"),
            name if within => out.extend(["--", name]),
            "seed" => out.push_str("random_state"),
            name => out.push_str(&name.replace('-', "_")),
        }
        rest = &name[end..];
    }
    out + rest
}
