//! polyboost.

pub mod booster;
pub mod boosters;
pub mod ensemble;
pub mod history;
pub mod learners;
pub mod metrics;
pub mod scores;
pub mod train;
pub mod tree;
pub mod votes;
