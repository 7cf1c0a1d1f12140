//! Sums of words that are kept from round to round, and bounds that rule most words out before they are counted exactly.

pub(crate) mod cached;
pub(crate) mod coarse;
pub(crate) mod prune;
