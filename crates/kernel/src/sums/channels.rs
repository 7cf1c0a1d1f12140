//! Channels: the statistics of each row whose sums over a region are all that a learner needs to know of it.
//!
//! Boosters give real numbers; here they become integers on a power-of-two grid, one grid a channel, so that sums are
//! exact. Grids are chosen from the data alone (a maximum and a sum over all rows), never from how rows are split.
//!
//! - **Wide** units (up to 50 bits, `i64` sums) for small data, where results are compared to the last digits.
//! - **Narrow** units (up to 24 bits, 14 where values are spread over known bounds; `i32` sums) for large data. The grid is such that the absolute units of *all*
//!   rows sum to less than 2³¹, so no subset can overflow. Rounding is dithered by a hash of the value: unbiased over
//!   values, equal for equal values, hence the same for any order or repetition of rows.

use rayon::prelude::*;

use crate::exchange::Exchange;
use crate::numbers::cpu::vectorised;
use crate::numbers::grid::{Grid, MOST_BITS};
use crate::search::accumulate::{Dense, Passes};
use crate::search::source::OneHot;
use crate::sums::quantise::{CellKind, Cells, FINE_BITS, NARROW_BITS, Rounding, known_bits, narrow_grids};

/// Rows a task handles in loops over all rows. It never shows in results.
pub const BLOCK: usize = 4096;

/// More values than this (weight × channels) are summed on narrow units.
const SMALL: u64 = 1 << 16;

/// How many bits the units of channels have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Precision {
    /// Wide for small data, narrow for large.
    #[default]
    Auto,
    /// Always wide.
    Wide,
    /// Always narrow.
    Narrow,
}

/// Real channels of all rows, before weights.
#[derive(Clone, Copy, Debug)]
pub enum Statistics<'a> {
    /// `width` numbers per row, row-major.
    Dense {
        /// The numbers.
        values: &'a [f64],
        /// How many a row has.
        width: usize,
    },
    /// One number per row, in the channel of its label.
    OneHot {
        /// The numbers.
        values: &'a [f64],
        /// The channel of each.
        labels: &'a [u32],
        /// How many channels there are.
        width: usize,
    },
}

impl Statistics<'_> {
    /// Number of channels.
    pub fn width(&self) -> usize {
        match *self {
            Self::Dense { width, .. } | Self::OneHot { width, .. } => width,
        }
    }

    fn parts(&self) -> (&[f64], usize) {
        match *self {
            Self::Dense { values, width } => (values, width),
            Self::OneHot { values, .. } => (values, 1),
        }
    }
}

/// Weights of rows: `units[row] · step`.
#[derive(Clone, Copy, Debug)]
pub struct RowWeights<'a> {
    /// Whole numbers; rows of 0 units count for nothing.
    pub units: &'a [u32],
    /// A power of two.
    pub step: f64,
}

impl RowWeights<'_> {
    /// The sum of all units.
    pub fn total_units(&self, exchange: &dyn Exchange) -> u64 {
        let mut total = [self.units.iter().map(|&u| i64::from(u)).sum::<i64>()];
        exchange.sum(&mut total);
        total[0] as u64
    }

    /// Whether no row of this worker has more than one unit.
    pub(crate) fn are_light(&self) -> bool {
        self.units.iter().all(|&u| u <= 1)
    }
}

/// What is known of statistics beforehand, and how they are to be rounded.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    /// Bounds of their absolute values, one per channel, over which they are spread.
    pub bounds: &'a [f64],
    /// Weights of the rows.
    pub weights: RowWeights<'a>,
    /// Bits of units.
    pub precision: Precision,
    /// What the dither depends on.
    pub seed: u64,
    /// The seam.
    pub exchange: &'a dyn Exchange,
}

impl Within<'_> {
    /// The weight of all rows in units, if sums may be narrow.
    pub(crate) fn narrow_units(&self) -> Option<u64> {
        let total = self.weights.total_units(self.exchange);
        (!is_wide(self.precision, total, self.bounds.len())).then_some(total)
    }
}

/// The largest absolute value of each channel.
pub fn largest(statistics: &Statistics<'_>, exchange: &dyn Exchange) -> Vec<f64> {
    let (values, width) = statistics.parts();
    let fold = |block: &[f64]| {
        let mut most = vec![0.0f64; width];
        largest_of(block, &mut most);
        most
    };
    let join = |mut a: Vec<f64>, b: Vec<f64>| {
        for (x, y) in a.iter_mut().zip(b) {
            *x = if y > *x { y } else { *x };
        }
        a
    };
    let most = values.par_chunks(BLOCK * width).map(fold).reduce(|| vec![0.0; width], join);
    // Non-negative floats are ordered like their bits.
    let mut bits: Vec<i64> = most.iter().map(|x| x.to_bits() as i64).collect();
    exchange.max(&mut bits);
    bits.into_iter().map(|b| f64::from_bits(b as u64)).collect()
}

vectorised! { fn largest_of = largest_body<>(block: &[f64], most: &mut [f64]) }

#[inline(always)]
fn largest_body(block: &[f64], most: &mut [f64]) {
    for row in block.chunks_exact(most.len()) {
        for (m, x) in most.iter_mut().zip(row) {
            let x = x.abs();
            *m = if x > *m { x } else { *m };
        }
    }
}

/// Whether sums need 64 bits.
fn is_wide(precision: Precision, total: u64, width: usize) -> bool {
    match precision {
        Precision::Auto => total.saturating_mul(width as u64) <= SMALL || total >= 1 << 30,
        Precision::Wide => true,
        Precision::Narrow => total >= 1 << 30,
    }
}

/// Bits that leave room for the sum of `total` units of weight.
pub fn wide_bits(total: u64) -> u32 {
    MOST_BITS.min(62 - (64 - total.leading_zeros()).min(61))
}

/// Integer channels, ready to be summed.
#[derive(Debug, Default)]
pub struct Channels {
    rows: usize,
    steps: Vec<f64>,
    wide: bool,
    pub(crate) cells: Cells,
}

impl Channels {
    /// Sums in a cell: the weight and the channels.
    pub fn width(&self) -> usize {
        self.steps.len()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What one unit of each sum is worth.
    pub fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// Whether sums are `i64`.
    pub fn is_wide(&self) -> bool {
        self.wide
    }

    /// Replaces the contents by new statistics.
    ///
    /// # Panics
    /// If a one-hot label is not below the width, or lengths do not match: bugs of ours.
    pub fn quantise(
        &mut self,
        statistics: &Statistics<'_>,
        weights: RowWeights<'_>,
        precision: Precision,
        seed: u64,
        exchange: &dyn Exchange,
    ) {
        let bounds = &largest(statistics, exchange);
        self.round(statistics, &Within { bounds, weights, precision, seed, exchange }, FINE_BITS);
    }

    /// Replaces the contents by new statistics whose absolute values are known to stay within bounds, one per channel
    /// (one in all for one-hot statistics), and to be spread over them: fewer bits then do, and no pass is needed to
    /// find out.
    ///
    /// # Panics
    /// As [`Channels::quantise`].
    pub fn quantise_within(&mut self, statistics: &Statistics<'_>, within: &Within<'_>) {
        self.round(statistics, within, NARROW_BITS);
    }

    fn round(&mut self, statistics: &Statistics<'_>, within: &Within<'_>, bits: u32) {
        let Within { bounds, weights, precision, seed, exchange } = *within;
        let (values, width) = statistics.parts();
        assert_eq!(values.len(), weights.units.len() * width, "one row of channels for each weight");
        self.rows = weights.units.len();
        let total = weights.total_units(exchange);
        self.wide = is_wide(precision, total, statistics.width());
        let grids: Vec<Grid> = if self.wide {
            bounds.iter().map(|&m| Grid::for_largest(m, wide_bits(total))).collect()
        } else {
            narrow_grids(values, bounds, bits, weights, total, exchange)
        };
        let rounding = Rounding::new(&grids, !self.wide, seed);
        match *statistics {
            Statistics::Dense { .. } => {
                let short = bits <= NARROW_BITS && weights.are_light();
                self.cells.fill_dense(values, width, weights.units, self.wide, short, &rounding);
            }
            Statistics::OneHot { labels, width, .. } => {
                assert_eq!(labels.len(), self.rows, "one label per row");
                assert!(labels.iter().all(|&l| (l as usize) < width), "labels are channels");
                self.cells.fill_one_hot(values, labels, weights.units, self.wide, &rounding);
            }
        }
        self.set_steps(&grids, statistics.width(), weights.step);
    }

    /// Replaces the contents by dense statistics that `write` computes, a block of rows at a time. They are rounded while they
    /// are at hand: the real numbers of all rows are never in memory. `write` gets the first row of a block and room for
    /// its values; the sum of what it returns is returned.
    ///
    /// `None`, and nothing is written, where sums must be wide, or the grid would depend on the values.
    pub fn write_within(
        &mut self,
        within: &Within<'_>,
        write: impl Fn(usize, &mut [f32]) -> i64 + Sync,
    ) -> Option<i64> {
        let Within { bounds, weights, .. } = *within;
        let bits = known_bits(NARROW_BITS, within.narrow_units()?)?;
        let grids: Vec<Grid> = bounds.iter().map(|&m| Grid::for_largest(m, bits)).collect();
        let cells = self.set_narrow(&grids, weights);
        let rounding = Rounding::new(&grids, true, within.seed);
        Some(cells.fill_computed(bounds.len(), weights.units, weights.are_light(), &rounding, write))
    }

    /// Makes room for narrow cells of channels on these grids.
    pub(crate) fn set_narrow(&mut self, grids: &[Grid], weights: RowWeights<'_>) -> &mut Cells {
        self.rows = weights.units.len();
        self.wide = false;
        self.set_steps(grids, grids.len(), weights.step);
        &mut self.cells
    }

    /// Makes room for cells like those of others.
    pub(crate) fn copy_shape(&mut self, other: &Self) {
        self.rows = other.rows;
        self.steps.clone_from(&other.steps);
        self.wide = other.wide;
        self.cells.kind = other.cells.kind;
    }

    /// Lets one unit of the channels from this one on be worth so many times as much.
    pub(crate) fn scale_from(&mut self, first: usize, factor: f64) {
        self.steps[1 + first..].iter_mut().for_each(|step| *step *= factor);
    }

    fn set_steps(&mut self, grids: &[Grid], channels: usize, weight: f64) {
        self.steps.clear();
        self.steps.push(weight);
        self.steps.extend((0..channels).map(|c| grids[c.min(grids.len() - 1)].step() * weight));
    }

    /// Replaces the contents by wide cells of `width` sums.
    pub(crate) fn set_wide(&mut self, cells: Vec<i64>, width: usize) {
        self.rows = cells.len() / width;
        self.wide = true;
        self.cells.kind = CellKind::I64;
        self.cells.i64s = cells;
        self.steps.resize(width, 0.0);
    }

    /// The wide cells of all rows.
    pub(crate) fn wide_cells(&self) -> &[i64] {
        &self.cells.i64s
    }

    /// The wide cell of a row.
    pub(crate) fn wide_row(&mut self, row: usize) -> &mut [i64] {
        let width = self.width();
        &mut self.cells.i64s[row * width..][..width]
    }

    /// Says what 1 is worth in each channel, and what a unit of weight is.
    pub(crate) fn set_worth(&mut self, grid: Grid, worth: &[f64], weight: f64) {
        self.steps.clear();
        self.steps.push(weight);
        self.steps.extend(worth.iter().map(|worth| grid.step() * weight * worth));
    }

    pub(crate) fn narrow(&self) -> Box<dyn Passes<i32> + '_> {
        assert!(!self.wide, "wide channels are searched with i64 sums");
        let width = self.width();
        match self.cells.kind {
            CellKind::I16 => Box::new(Dense { cells: &self.cells.i16s, width }),
            CellKind::I32 => Box::new(Dense { cells: &self.cells.i32s, width }),
            _ => Box::new(OneHot {
                values: &self.cells.narrow_pairs,
                labels: &self.cells.labels,
                width,
                flip: 0,
            }),
        }
    }

    pub(crate) fn wide(&self) -> Box<dyn Passes<i64> + '_> {
        assert!(self.wide, "narrow channels are searched with i32 sums");
        let width = self.width();
        match self.cells.kind {
            CellKind::I64 => Box::new(Dense { cells: &self.cells.i64s, width }),
            _ => Box::new(OneHot {
                values: &self.cells.wide_pairs,
                labels: &self.cells.labels,
                width,
                flip: 0,
            }),
        }
    }
}
