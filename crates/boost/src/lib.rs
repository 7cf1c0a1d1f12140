//! polyboost.

pub mod booster;
pub mod boosters;
pub mod learners;
pub mod scores;
pub mod tree;
pub mod votes;
