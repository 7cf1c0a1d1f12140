//! polyboost.

pub mod booster;
pub mod boosters;
pub mod ensemble;
pub mod history;
pub mod learners;
pub mod metrics;
pub mod model;
pub mod options;
pub mod predict;
pub mod registry;
pub mod scores;
pub mod train;
pub mod tree;
pub mod votes;
pub mod write;
