//! What a boosting algorithm is, which ones there are, and what may be set on them.

pub mod booster;
pub mod bounds;
pub mod options;
pub mod registry;
