//! Exact, fast sums over regions of data, and the search for the cut that makes them best.
//!
//! The kernel knows nothing of boosting. It sees rows of small codes ([`bins`]), a few statistics of each row
//! ([`sums::channels`]) and a score to minimise ([`search::score`]), and finds the cut of a region that minimises it ([`search`]).
//! Its one design choice: **every sum over rows is an integer sum**. Statistics are rounded once to a power-of-two grid;
//! after that nothing depends on the order of rows, on threads, on blocks, or on which of several ways of
//! counting was the cheapest. A model is therefore the same to the bit wherever and however it was trained.
//!
//! This is the only crate of the workspace with `unsafe` code: the row loops do not check bounds that hold by
//! construction, and are compiled for AVX2 as well as for any processor; the allocator of programs that end in good order when memory
//! runs out ([`net`]); and [`stdio`], which looks at the process before `main`.

pub mod bins;
pub mod exchange;
pub mod loss;
pub mod net;
pub mod numbers;
pub mod search;
pub mod stdio;
pub mod sums;
mod words;

pub use bins::{Bins, BinsBuilder, Codes, CodesOf, Feature, Order};
pub use exchange::{Alone, Exchange};
pub use numbers::lanes::{count_at_least, dot};
pub use numbers::real::Real;
pub use numbers::seed::Seed;
pub use search::cut::{Cut, Sides};
pub use search::histogram::{Histogram, histogram_bytes};
pub use search::partition::partition;
pub use search::scan::Criterion;
pub use search::source::Sum;
pub use search::together::{Family, Sought};
pub use search::{Rules, Search, Searchable, Searched, Searcher};
pub use sums::channels::{Channels, Precision, RowWeights, Statistics, Within};
pub use sums::moments::{Axes, Moments};
pub use sums::quantise::rows_at_hand;
pub use sums::sketch::Directions;
pub use sums::totals::Totals;
pub use words::cached::{CachedChannels, RowUpdate};
pub use words::prune::PruneBounds;
