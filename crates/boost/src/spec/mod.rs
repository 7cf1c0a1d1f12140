//! What a boosting algorithm is, which ones there are, and what may be set on them.

pub mod booster;
pub mod bounds;
pub mod catalog;
pub mod option;
pub mod options;
pub(crate) mod query;
pub mod registry;
pub mod taking;
