//! Generated data sets, for Python.

use manyboost_data::generate::{GENERATORS, generator};
use manyboost_data::{Column, Role, Values, nearest};
use numpy::ToPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::numbers::{Any, count, whole};

/// Most rows that may be asked for.
const MOST_ROWS: u64 = 100_000_000;

/// All generators: name and what it makes.
#[pyfunction]
pub fn generators() -> Vec<(&'static str, &'static str)> {
    GENERATORS.iter().map(|generator| (generator.0, generator.1)).collect()
}

/// A column: its name, whether it is the target, and its values.
type Generated<'py> = (String, bool, Bound<'py, PyAny>);

/// A data set: numbers as arrays, words as lists.
#[pyfunction]
pub fn generate<'py>(
    py: Python<'py>,
    name: &str,
    rows: Any<'_, 'py>,
    seed: Any<'_, 'py>,
) -> PyResult<Vec<Generated<'py>>> {
    let Some((_, _, make)) = generator(name) else {
        let names: Vec<String> = GENERATORS.iter().map(|generator| generator.0.to_string()).collect();
        let remedy = nearest(name, &names);
        return Err(PyValueError::new_err(format!("there is no generator \"{name}\"\n{remedy}")));
    };
    let (rows, seed) = (count("rows", rows, 1..=MOST_ROWS)?, whole("seed", seed, 0..=u64::MAX)?);
    let table = py.detach(|| make(rows, seed));
    let column = |column: Column| {
        let values = match column.values {
            Values::Numbers(numbers) => {
                let numbers: Vec<f64> = (0..rows).map(|row| numbers.get(row)).collect();
                numbers.to_pyarray(py).into_any()
            }
            Values::SparseNumbers(entries) => {
                let mut numbers = vec![0.0; rows];
                for (row, value) in entries {
                    numbers[row as usize] = value;
                }
                numbers.to_pyarray(py).into_any()
            }
            Values::Words(words) => PyList::new(py, (0..rows).map(|row| words.get(row)))?.into_any(),
        };
        Ok((column.name, column.role == Role::Target, values))
    };
    table.columns.into_iter().map(column).collect()
}
