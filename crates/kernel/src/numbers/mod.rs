//! Arithmetic that is the same on every machine: functions, grids, vectors, seeds.

pub mod cpu;
pub mod grid;
pub(crate) mod lanes;
pub mod math;
pub(crate) mod real;
pub mod seed;
pub mod sparse;
