//! The loop, and everything that it owns: scores, history, observers, tuning, calibration, memory.

mod adding;
pub mod calibration;
mod copies;
pub(crate) mod draws;
pub mod fast;
pub mod history;
pub(crate) mod hold_out;
pub mod job;
pub(crate) mod judge;
pub mod members;
pub mod memory;
pub(crate) mod run;
pub mod scores;
pub mod train;
pub(crate) mod train_metrics;
pub mod tuning;
