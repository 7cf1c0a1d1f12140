//! Exact, fast sums over regions of data, and the search for the cut that makes them best.

pub mod bins;
pub mod sparse;

pub use bins::{Bins, BinsBuilder, Codes, Feature, Order};
