//! Weak learners: from a target to a hypothesis.

mod grow;
mod replay;
mod sketch;
mod tree;

pub(crate) use replay::leaves_of;
pub use tree::{Growth, Thresholds, TreeLearner, TreeParameters};
pub(crate) use tree::{MOST_DEPTH, MOST_LEAVES};
