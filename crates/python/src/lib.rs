//! The door between Python and the engine: `manyboost._core`.
//!
//! Python code knows estimators, data frames and class labels of any type; this crate knows columns of numbers and words,
//! and models. Whatever takes time runs without the interpreter's lock, on threads of this process, and gives way to
//! signals (`work`). The one idea: nothing is copied that the engine only looks at once (`columns`).

mod certify;
mod columns;
mod command;
mod datasets;
mod errors;
mod explain;
mod few;
mod files;
mod mesh;
mod model;
mod numbers;
mod options;
mod page;
mod pool;
mod questions;
mod rows;
mod stages;
mod theory;
mod train;
mod work;

use pyo3::prelude::*;

/// What the Python package is made of.
#[pymodule]
mod _core {
    use super::{PyResult, Python};
    use manyboost::spec::registry::{BOOSTERS, LEARNERS};
    use manyboost_data::labels::classes::order;
    use pyo3::prelude::*;
    use pyo3::types::PyDict;

    #[pymodule_export]
    use crate::certify::certify;
    #[pymodule_export]
    use crate::columns::kind_of_words;
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::datasets::{generate, generators};
    #[pymodule_export]
    use crate::errors::WorkerError;
    #[pymodule_export]
    use crate::explain::{apply, encoded, expected, shap_interactions, shap_values, tree_nodes};
    #[pymodule_export]
    use crate::files::write;
    #[pymodule_export]
    use crate::mesh::{PyListener, PyMesh};
    #[pymodule_export]
    use crate::model::PyModel;
    #[pymodule_export]
    use crate::options::options;
    #[pymodule_export]
    use crate::page::page;
    #[pymodule_export]
    use crate::questions::{effects, importance, similar_rows, why_not};
    #[pymodule_export]
    use crate::stages::Stages;
    #[pymodule_export]
    use crate::theory::{best_eta, codewords, degrees, kappa, plain_eta, potential};
    #[pymodule_export]
    use crate::train::train;

    /// The version of the engine.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python has for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// All boosters: name, what it is, where it is from, whether it takes label sets, its options.
    #[pyfunction]
    fn boosters(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
        let entry = |entry: &manyboost::spec::registry::BoosterEntry| {
            let dict = PyDict::new(py);
            dict.set_item("name", entry.name)?;
            dict.set_item("summary", entry.summary)?;
            dict.set_item("source", entry.source)?;
            dict.set_item("sets", entry.sets)?;
            let options = entry.options();
            let options = options.iter().map(|option| crate::options::taken(py, option));
            dict.set_item("options", options.collect::<PyResult<Vec<_>>>()?)?;
            Ok(dict)
        };
        BOOSTERS.iter().map(entry).collect()
    }

    /// The order that the engine has classes of these names in: the place of the first, of the second, and so on.
    #[pyfunction]
    #[expect(clippy::needless_pass_by_value, reason = "Python hands it over")]
    fn class_order(names: Vec<String>) -> Vec<usize> {
        order(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// All weak learners: name and what it is.
    #[pyfunction]
    fn learners() -> Vec<(&'static str, &'static str)> {
        LEARNERS.iter().map(|entry| (entry.name, entry.summary)).collect()
    }
}
