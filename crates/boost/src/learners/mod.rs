//! Weak learners: from a target to a hypothesis.

mod grow;
mod sketch;
mod tree;

pub use tree::{Growth, Thresholds, TreeLearner, TreeParameters};
