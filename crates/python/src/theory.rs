//! The drifting game and codewords, for Python.

use std::collections::BTreeMap;

use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use polyboost::codewords::{Codewords, Kind};
use polyboost::options::Options;
use polyboost::theory::{self, Condition, Loss, degree_map, first_potential};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::exception;

fn wrong(name: &str, value: impl std::fmt::Display, range: &str) -> PyErr {
    PyValueError::new_err(format!("{name} {value}: not a number in range\n{name} takes {range}"))
}

fn check_edge(edge: f64) -> PyResult<()> {
    if (0.0..1.0).contains(&edge) { Ok(()) } else { Err(wrong("edge", edge, "a number from 0 to below 1")) }
}

fn check_classes(classes: usize) -> PyResult<()> {
    if (1..=1000).contains(&classes) {
        return Ok(());
    }
    Err(wrong("classes", classes, "a whole number from 1 to 1,000"))
}

fn check_rounds(rounds: usize, most: usize) -> PyResult<()> {
    if (1..=most).contains(&rounds) {
        return Ok(());
    }
    Err(wrong("rounds", rounds, &format!("a whole number from 1 to {most}")))
}

fn loss_of(name: &str, eta: Option<f64>, edge: f64) -> PyResult<Loss> {
    match (name, eta) {
        ("zero-one", None) => Ok(Loss::ZeroOne),
        ("zero-one", Some(_)) => Err(PyValueError::new_err(
            "eta is the weight of a vote under the exponential loss\nadd loss=\"exponential\", or leave eta out",
        )),
        ("exponential", eta) => match eta.unwrap_or_else(|| theory::plain_eta(edge)) {
            eta if (0.0..=1.0).contains(&eta) => Ok(Loss::Exponential { eta }),
            eta => Err(wrong("eta", eta, "a number from 0 to 1")),
        },
        _ => Err(PyValueError::new_err(format!("loss {name}: unknown\nloss takes zero-one, exponential"))),
    }
}

/// The potential of the first state of the game.
#[pyfunction]
#[pyo3(signature = (classes, edge, rounds, loss, condition, eta=None))]
pub fn potential(
    py: Python<'_>,
    classes: usize,
    edge: f64,
    rounds: usize,
    loss: &str,
    condition: &str,
    eta: Option<f64>,
) -> PyResult<f64> {
    check_classes(classes)?;
    check_edge(edge)?;
    check_rounds(rounds, 10_000)?;
    let loss = loss_of(loss, eta, edge)?;
    let Some(&(_, condition)) = Condition::NAMES.iter().find(|(name, _)| *name == condition) else {
        return Err(PyValueError::new_err(format!(
            "condition {condition}: unknown\ncondition takes uniform, minimal"
        )));
    };
    let value = py.detach(|| first_potential(classes, &vec![edge; rounds], loss, condition));
    value.map_err(|error| exception(&error))
}

/// In how many directions the worst walk of three classes goes on from each state.
#[pyfunction]
#[pyo3(signature = (edge, rounds, loss, eta=None))]
pub fn degrees<'py>(
    py: Python<'py>,
    edge: f64,
    rounds: usize,
    loss: &str,
    eta: Option<f64>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    check_edge(edge)?;
    check_rounds(rounds, 500)?;
    let loss = loss_of(loss, eta, edge)?;
    let map = py.detach(|| degree_map(rounds, edge, loss));
    let side = 2 * rounds + 1;
    map.degrees.to_pyarray(py).reshape([side, side])
}

/// κ(γ, η): the factor by which the exponential loss falls in a round in which the promise is just kept.
#[pyfunction]
pub fn kappa(classes: usize, edge: f64, eta: f64) -> PyResult<f64> {
    check_classes(classes)?;
    check_edge(edge)?;
    Ok(theory::kappa(classes, edge, eta))
}

/// The weight of a vote that paper 000 starts from.
#[pyfunction]
pub fn plain_eta(edge: f64) -> PyResult<f64> {
    check_edge(edge)?;
    Ok(theory::plain_eta(edge))
}

/// The weight of a vote that makes the loss fall most.
#[pyfunction]
pub fn best_eta(classes: usize, edge: f64) -> PyResult<f64> {
    check_classes(classes)?;
    check_edge(edge)?;
    Ok(theory::best_eta(classes, edge))
}

/// Codewords of classes, and what is to be said of them.
type Measured<'py> = (Bound<'py, PyArray2<f64>>, BTreeMap<&'static str, f64>);

/// Codewords of classes, a row each, with their minimum distance and margin capacity.
#[pyfunction]
#[pyo3(signature = (classes, kind=None, dim=None, seed=1))]
pub fn codewords(
    py: Python<'_>,
    classes: usize,
    kind: Option<String>,
    dim: Option<usize>,
    seed: u64,
) -> PyResult<Measured<'_>> {
    if !(2..=4096).contains(&classes) {
        return Err(wrong("classes", classes, "a whole number from 2 to 4,096"));
    }
    // In as many dimensions as it needs the simplex is the best of all.
    let simplex = kind.is_none() && dim.is_some_and(|dim| dim + 1 == classes);
    let given = [("codewords", kind), ("dim", dim.map(|dim| dim.to_string()))];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
    let words = py.detach(|| {
        let mut options = Options::new(given);
        let kind = Kind::from_options(&mut options)?;
        options.finish("polyboost.codewords")?;
        let kind = if simplex { Kind::Simplex } else { kind };
        kind.check(classes)?;
        Ok(kind.drawn(classes, seed))
    });
    let words: Codewords = words.map_err(|error| exception(&error))?;
    let matrix = words.matrix().values().to_pyarray(py).reshape([classes, words.dim()])?;
    let measures = [("min_distance", words.min_distance()), ("capacity", words.capacity())];
    Ok((matrix, BTreeMap::from(measures)))
}
