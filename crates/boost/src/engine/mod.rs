//! The loop, and everything that it owns: scores, history, observers, calibration, memory.

pub mod background;
pub mod by_rows;
pub(crate) mod calibration;
pub(crate) mod draws;
pub mod history;
pub mod job;
pub mod memory;
pub(crate) mod run;
pub mod scores;
pub mod sink;
pub mod train;
pub(crate) mod train_metrics;
