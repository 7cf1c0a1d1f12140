//! Numbers that users give: what is out of range, or no such number at all, is a `ValueError` in our words.

use std::ops::RangeInclusive;

use manyboost_data::wording::grouped;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// A value that the caller has not looked at yet.
pub type Any<'a, 'py> = &'a Bound<'py, PyAny>;

/// What is said of a number that cannot be.
pub fn wrong(name: &str, value: impl std::fmt::Display, range: &str) -> PyErr {
    PyValueError::new_err(format!("{name}={value}: not a value that it takes\n{name} takes {range}"))
}

/// A whole number in a range.
pub fn whole(name: &str, value: Any<'_, '_>, range: RangeInclusive<u64>) -> PyResult<u64> {
    let number = if value.is_instance_of::<PyBool>() { None } else { value.extract::<u64>().ok() };
    number.filter(|number| range.contains(number)).ok_or_else(|| wrong(name, value, &said(&range)))
}

/// A whole number in a range, as an index.
pub fn count(name: &str, value: Any<'_, '_>, range: RangeInclusive<u64>) -> PyResult<usize> {
    let most = range.end().min(&(isize::MAX as u64)).to_owned();
    whole(name, value, *range.start()..=most).map(|number| number as usize)
}

/// A small number, if one is given, else the usual one; the engine knows its range.
pub fn small(name: &str, value: Option<Any<'_, '_>>, usual: u32) -> PyResult<u32> {
    let most = u64::from(u32::MAX);
    value.map_or(Ok(usual), |value| whole(name, value, 0..=most).map(|number| number as u32))
}

/// Any number.
pub fn number(name: &str, value: Any<'_, '_>, range: &str) -> PyResult<f64> {
    let number = if value.is_instance_of::<PyBool>() { None } else { value.extract::<f64>().ok() };
    number.ok_or_else(|| wrong(name, value, range))
}

/// A range in words; ends that no one means are not said.
fn said(range: &RangeInclusive<u64>) -> String {
    let (least, most) = (grouped(*range.start()), grouped(*range.end()));
    if *range.end() < u64::from(u32::MAX) {
        format!("a whole number from {least} to {most}")
    } else {
        format!("a whole number of at least {least}")
    }
}
