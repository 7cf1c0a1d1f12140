//! How good answers are, what mistakes cost, and what features do.

pub mod bootstrap;
pub mod costs;
pub mod counts;
pub mod importance;
pub mod metric;
pub mod metrics;
