//! Exact, fast sums over regions of data, and the search for the cut that makes them best.
//!
//! The kernel knows nothing of boosting. It sees rows of small codes ([`bins`]), a few statistics of each row
//! ([`channels`]) and a score to minimise ([`score`]), and finds the cut of a region that minimises it ([`search`]).
//! Its one design choice: **every sum over rows is an integer sum**. Statistics are rounded once to a power-of-two grid;
//! after that nothing depends on the order of rows, on threads, on blocks, or on which of several ways of
//! counting was the cheapest. A model is therefore the same to the bit wherever and however it was trained.
//!
//! This is the only crate of the workspace with `unsafe` code: the row loops do not check bounds that hold by
//! construction, and are compiled for AVX2 as well as for any processor; the allocator of programs that end in good order when memory
//! runs out ([`net`]); and [`stdio`], which looks at the process before `main`.

mod accumulate;
pub mod bins;
mod cells;
pub mod channels;
pub mod cpu;
pub mod cut;
mod draw;
mod drawn;
pub mod exchange;
pub mod grid;
pub mod groups;
mod histogram;
pub mod kept;
mod lanes;
pub mod math;
pub mod moments;
pub mod net;
mod partition;
mod quantise;
mod random;
mod real;
pub mod residuals;
mod rough;
mod rounded;
mod scan;
pub mod score;
mod screen;
pub mod search;
pub mod seed;
mod sketch;
pub mod soft;
mod source;
pub mod sparse;
pub mod stdio;
pub mod totals;

pub use bins::{Bins, BinsBuilder, Codes, Feature, Order};
pub use channels::{Channels, Precision, RowWeights, Statistics, Within};
pub use cut::{Cut, Sides};
pub use exchange::{Alone, Exchange};
pub use histogram::{Histogram, histogram_bytes};
pub use kept::{Kept, Rewrite};
pub use lanes::{count_at_least, dot};
pub use moments::{Axes, Moments};
pub use partition::partition;
pub use quantise::rows_at_hand;
pub use real::Real;
pub use scan::Criterion;
pub use screen::Screen;
pub use search::{Rules, Search, Searchable, Searched, Searcher};
pub use seed::Seed;
pub use sketch::Directions;
pub use source::Sum;
pub use totals::Totals;
