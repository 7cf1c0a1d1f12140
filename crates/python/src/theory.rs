//! The drifting game and codewords, for Python.

use std::collections::BTreeMap;

use manyboost::codes::codewords::{CodewordKind, Codewords};
use manyboost::spec::option::Declaration;
use manyboost::spec::options::Options;
use manyboost::theory::{self, Condition, GameLoss, degree_map, first_potential};
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::exception;
use crate::numbers::{Any, count, whole, wrong};

fn check_edge(edge: f64) -> PyResult<()> {
    if (0.0..1.0).contains(&edge) { Ok(()) } else { Err(wrong("edge", edge, "a number from 0 to below 1")) }
}

/// A number of classes.
fn classes_of(classes: Any<'_, '_>) -> PyResult<usize> {
    count("classes", classes, 1..=1000)
}

fn loss_of(name: &str, eta: Option<f64>, edge: f64) -> PyResult<GameLoss> {
    match (name, eta) {
        ("zero-one", None) => Ok(GameLoss::ZeroOne),
        ("hinge", None) => Ok(GameLoss::Hinge),
        ("zero-one" | "hinge", Some(_)) => Err(PyValueError::new_err(
            "eta is the weight of a vote under the exponential loss\nadd loss=\"exponential\", or leave eta out",
        )),
        ("exponential", eta) => match eta.unwrap_or_else(|| theory::plain_eta(edge)) {
            eta if (0.0..=1.0).contains(&eta) => Ok(GameLoss::Exponential { eta }),
            eta => Err(wrong("eta", eta, "a number from 0 to 1")),
        },
        _ => Err(PyValueError::new_err(format!(
            "loss={name:?}: not a value that it takes\nloss takes zero-one, exponential, hinge"
        ))),
    }
}

/// The potential of the first state of the game.
#[pyfunction]
#[pyo3(signature = (classes, edge, rounds, loss, condition, eta=None))]
pub fn potential(
    py: Python<'_>,
    classes: Any<'_, '_>,
    edge: f64,
    rounds: Any<'_, '_>,
    loss: &str,
    condition: &str,
    eta: Option<f64>,
) -> PyResult<f64> {
    let classes = classes_of(classes)?;
    check_edge(edge)?;
    let rounds = count("rounds", rounds, 1..=10_000)?;
    let loss = loss_of(loss, eta, edge)?;
    let Some(condition) = Condition::OPTION.parse(condition) else {
        return Err(PyValueError::new_err(format!(
            "condition={condition:?}: not a value that it takes\ncondition takes uniform, minimal"
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
    rounds: Any<'_, 'py>,
    loss: &str,
    eta: Option<f64>,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    check_edge(edge)?;
    let rounds = count("rounds", rounds, 1..=500)?;
    let loss = loss_of(loss, eta, edge)?;
    let map = py.detach(|| degree_map(rounds, edge, loss));
    let side = 2 * rounds + 1;
    map.degrees.to_pyarray(py).reshape([side, side])
}

/// κ(γ, η): the factor by which the exponential loss falls in a round in which the promise is just kept.
#[pyfunction]
pub fn kappa(classes: Any<'_, '_>, edge: f64, eta: f64) -> PyResult<f64> {
    let classes = classes_of(classes)?;
    check_edge(edge)?;
    Ok(theory::kappa(classes, edge, eta))
}

/// The weight of a vote that Mukherjee & Schapire 2013 starts from.
#[pyfunction]
pub fn plain_eta(edge: f64) -> PyResult<f64> {
    check_edge(edge)?;
    Ok(theory::plain_eta(edge))
}

/// The weight of a vote that makes the loss fall most.
#[pyfunction]
pub fn best_eta(classes: Any<'_, '_>, edge: f64) -> PyResult<f64> {
    let classes = classes_of(classes)?;
    check_edge(edge)?;
    Ok(theory::best_eta(classes, edge))
}

/// Codewords of classes, and what is to be said of them.
type Measured<'py> = (Bound<'py, PyArray2<f64>>, BTreeMap<&'static str, f64>);

/// Codewords of classes, a row each, with their minimum distance and margin capacity.
#[pyfunction]
#[pyo3(signature = (classes, kind=None, dim=None, seed=None))]
pub fn codewords<'py>(
    py: Python<'py>,
    classes: Any<'_, 'py>,
    kind: Option<String>,
    dim: Option<Any<'_, 'py>>,
    seed: Option<Any<'_, 'py>>,
) -> PyResult<Measured<'py>> {
    let classes = count("classes", classes, 2..=4096)?;
    let dim = dim.map(|dim| count("dim", dim, 1..=u64::MAX)).transpose()?;
    let seed = seed.map_or(Ok(1), |seed| whole("seed", seed, 0..=u64::MAX))?;
    // In as many dimensions as it needs the simplex is the best of all.
    let simplex = kind.is_none() && dim.is_some_and(|dim| dim + 1 == classes);
    let given = [("codewords", kind), ("dim", dim.map(|dim| dim.to_string()))];
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?)));
    let words = py.detach(|| {
        let mut options = Options::new(given);
        let kind = CodewordKind::from_options(&mut options)?;
        options.finish("manyboost.codewords", |options| CodewordKind::from_options(options).map(drop))?;
        let kind = if simplex { CodewordKind::Simplex } else { kind };
        kind.check(classes)?;
        Ok(kind.drawn(classes, seed))
    });
    let words: Codewords = words.map_err(|error| exception(&error))?;
    let matrix = words.matrix().values().to_pyarray(py).reshape([classes, words.dim()])?;
    let measures = [("min_distance", words.min_distance()), ("capacity", words.capacity())];
    Ok((matrix, BTreeMap::from(measures)))
}
