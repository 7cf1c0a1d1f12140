//! A few rows from Python, answered without a table: what a program that serves a model asks for.

use manyboost::predict::row::RowPredictor;
use manyboost_data::Cell;
use numpy::{PyReadonlyArray2, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString};

/// The scores or probabilities of the rows; `None` where a row has anything but plain numbers and texts, or does not fit.
pub fn answers(model: &RowPredictor, rows: &Bound<'_, PyAny>, proba: bool) -> Option<Vec<f64>> {
    let answer = |cells: &[Cell<'_>]| {
        if proba { model.probabilities(cells).ok() } else { model.scores(cells).ok() }
    };
    let mut values = Vec::new();
    if rows.cast::<PyUntypedArray>().is_ok() {
        let matrix: PyReadonlyArray2<'_, f64> = rows.extract().ok()?;
        for row in matrix.as_array().rows() {
            let cells: Vec<Cell<'_>> = row.iter().map(|&x| Cell::Number(x)).collect();
            values.extend(answer(&cells)?);
        }
        return Some(values);
    }
    for row in rows.cast::<PyList>().ok()? {
        let held: Vec<Bound<'_, PyAny>> = row.try_iter().ok()?.collect::<PyResult<_>>().ok()?;
        let cells: Vec<Cell<'_>> = held.iter().map(cell).collect::<Option<_>>()?;
        values.extend(answer(&cells)?);
    }
    Some(values)
}

/// A value of a type that needs no thought.
fn cell<'a>(value: &'a Bound<'_, PyAny>) -> Option<Cell<'a>> {
    if value.is_none() {
        return Some(Cell::Missing);
    }
    if let Ok(text) = value.cast_exact::<PyString>() {
        return text.to_str().ok().map(Cell::Word);
    }
    let plain = value.is_exact_instance_of::<PyFloat>()
        || value.is_exact_instance_of::<PyInt>()
        || value.is_exact_instance_of::<PyBool>();
    if plain { value.extract().ok().map(Cell::Number) } else { None }
}
