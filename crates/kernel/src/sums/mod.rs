//! Statistics of rows as integers, and exact sums of them.

pub mod channels;
pub(crate) mod draw;
pub(crate) mod drawn;
pub mod moments;
pub(crate) mod quantise;
pub(crate) mod rounded;
pub(crate) mod sketch;
pub mod totals;
pub mod weighted;
