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

use crate::accumulate::{Dense, Passes};
use crate::cpu::vectorised;
use crate::exchange::Exchange;
use crate::grid::{Grid, MOST_BITS, nearest, nearest_float};
use crate::source::{Cell, OneHot, Sum};

/// Rows a task handles in loops over all rows. It never shows in results.
pub const BLOCK: usize = 4096;

/// Bits of narrow units of values that are spread over known bounds.
const NARROW_BITS: u32 = 14;

/// Most bits of narrow units of other values: boosting weights may have one large value and millions of small ones, which
/// count together.
const FINE_BITS: u32 = 24;

/// Fewer bits are only accepted if the sum of the absolute values asks for it.
const ENOUGH_BITS: u32 = 11;

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
    /// `width` numbers a row, row-major.
    Dense {
        /// The numbers.
        values: &'a [f64],
        /// How many a row has.
        width: usize,
    },
    /// One number a row, in the channel of its label.
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
    /// Positive integers.
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
}

/// Rows of a stretch: loops run over whole stretches, so that they are long however few channels a row has.
const STRETCH: usize = 64;

/// The largest absolute value of each channel.
pub fn largest(statistics: &Statistics<'_>, exchange: &dyn Exchange) -> Vec<f64> {
    let (values, width) = statistics.parts();
    let fold = |block: &[f64]| {
        let mut most = vec![0.0f64; width];
        // SAFETY: no requirements of its own.
        unsafe { largest_of(block, &mut most) };
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

vectorised! { unsafe fn largest_of = largest_body<>(block: &[f64], most: &mut [f64]) }
vectorised! { unsafe fn round_units = round_units_body<>(values: &[f64], rounding: &Rounding, units: &mut [i32]) }

#[inline(always)]
unsafe fn largest_body(block: &[f64], most: &mut [f64]) {
    for row in block.chunks_exact(most.len()) {
        for (m, x) in most.iter_mut().zip(row) {
            let x = x.abs();
            *m = if x > *m { x } else { *m };
        }
    }
}

#[inline(always)]
unsafe fn round_units_body(values: &[f64], rounding: &Rounding, units: &mut [i32]) {
    for ((unit, &x), &scale) in units.iter_mut().zip(values).zip(&rounding.per_one) {
        *unit = rounding.units(x, scale) as i32;
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
    cells: Cells,
}

/// The stored units: buffers are kept from round to round.
#[derive(Debug, Default)]
struct Cells {
    kind: CellKind,
    i16s: Vec<i16>,
    i32s: Vec<i32>,
    i64s: Vec<i64>,
    narrow_pairs: Vec<(i32, i32)>,
    wide_pairs: Vec<(i64, i64)>,
    labels: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CellKind {
    #[default]
    I16,
    I32,
    I64,
    NarrowPairs,
    WidePairs,
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
        let largest = largest(statistics, exchange);
        self.round(&largest, FINE_BITS, statistics, weights, precision, seed, exchange);
    }

    /// Replaces the contents by new statistics whose absolute values are known to stay within these bounds, one a channel
    /// (one in all for one-hot statistics), and to be spread over them: fewer bits then do, and no pass is needed to
    /// find out.
    ///
    /// # Panics
    /// As [`Channels::quantise`].
    pub fn quantise_within(
        &mut self,
        bounds: &[f64],
        statistics: &Statistics<'_>,
        weights: RowWeights<'_>,
        precision: Precision,
        seed: u64,
        exchange: &dyn Exchange,
    ) {
        self.round(bounds, NARROW_BITS, statistics, weights, precision, seed, exchange);
    }

    #[expect(clippy::too_many_arguments, reason = "the arguments of its two callers")]
    fn round(
        &mut self,
        bounds: &[f64],
        bits: u32,
        statistics: &Statistics<'_>,
        weights: RowWeights<'_>,
        precision: Precision,
        seed: u64,
        exchange: &dyn Exchange,
    ) {
        let (values, width) = statistics.parts();
        assert_eq!(values.len(), weights.units.len() * width, "one row of channels for each weight");
        self.rows = weights.units.len();
        let total = weights.total_units(exchange);
        self.wide = match precision {
            Precision::Auto => total.saturating_mul(statistics.width() as u64) <= SMALL || total >= 1 << 30,
            Precision::Wide => true,
            Precision::Narrow => total >= 1 << 30,
        };
        let grids: Vec<Grid> = if self.wide {
            bounds.iter().map(|&m| Grid::for_largest(m, wide_bits(total))).collect()
        } else {
            narrow_grids(values, bounds, bits, weights, total, exchange)
        };
        let rounding = Rounding {
            per_one: grids.iter().map(|g| g.per_one()).collect::<Vec<f64>>().repeat(STRETCH),
            dither: if self.wide { 0.0 } else { 1.0 / (1u64 << 32) as f64 },
            seed: (seed ^ (seed >> 32)) as u32,
        };
        self.steps.clear();
        self.steps.push(weights.step);
        let channels = match *statistics {
            Statistics::Dense { .. } => {
                let short = bits <= NARROW_BITS && weights.units.iter().all(|&u| u == 1);
                self.cells.fill_dense(values, width, weights.units, self.wide, short, &rounding);
                width
            }
            Statistics::OneHot { labels, width, .. } => {
                assert_eq!(labels.len(), self.rows, "one label a row");
                assert!(labels.iter().all(|&l| (l as usize) < width), "labels are channels");
                self.cells.fill_one_hot(values, labels, weights.units, self.wide, &rounding);
                width
            }
        };
        self.steps.extend((0..channels).map(|c| grids[c.min(grids.len() - 1)].step() * weights.step));
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

/// Grids of at most [`NARROW_BITS`] on which the absolute units of all rows sum to less than 2³¹.
fn narrow_grids(
    values: &[f64],
    largest: &[f64],
    bits: u32,
    weights: RowWeights<'_>,
    total: u64,
    exchange: &dyn Exchange,
) -> Vec<Grid> {
    let width = largest.len();
    let on = |bits: u32| largest.iter().map(|&m| Grid::for_largest(m, bits)).collect::<Vec<Grid>>();
    // So many bits are safe whatever the values are: every row at the bound.
    let safe = 30u32.saturating_sub(64 - total.leading_zeros());
    if safe >= bits || (bits <= NARROW_BITS && safe >= ENOUGH_BITS) {
        return on(safe.min(bits));
    }
    let fine = on(bits);
    let per_one: Vec<f64> = fine.iter().map(|g| g.per_one()).collect();
    let block = |(values, units): (&[f64], &[u32])| {
        let mut sums = vec![0.0; width];
        // SAFETY: no requirements of its own.
        unsafe { absolute_units(values, units, &per_one, &mut sums) };
        sums.into_iter().map(|sum| sum as i64).collect()
    };
    let join = |mut a: Vec<i64>, b: Vec<i64>| {
        a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
        a
    };
    let mut sums = values
        .par_chunks(BLOCK * width)
        .zip(weights.units.par_chunks(BLOCK))
        .map(block)
        .reduce(|| vec![0; width], join);
    exchange.sum(&mut sums);
    fine.into_iter()
        .zip(sums)
        .map(|(grid, sum)| {
            // Halving the resolution halves the sum but for the `+ 1`s, which the factor of two allows for.
            let mut bits = 0;
            while (sum >> bits) >= 1 << 30 {
                bits += 1;
            }
            grid.coarser(bits)
        })
        .collect()
}

vectorised! { unsafe fn absolute_units = absolute_units_body<>(values: &[f64], units: &[u32], per_one: &[f64], sums: &mut [f64]) }

/// Adds an upper bound of the absolute units of some rows: each is rounded by less than one, hence the `+ 1`. The floats
/// are whole numbers below 2⁵³, so their sums are exact; and they vectorise where 64-bit products do not.
#[inline(always)]
unsafe fn absolute_units_body(values: &[f64], units: &[u32], per_one: &[f64], sums: &mut [f64]) {
    for (row, &unit) in values.chunks_exact(per_one.len()).zip(units) {
        let unit = f64::from(unit);
        for ((sum, x), scale) in sums.iter_mut().zip(row).zip(per_one) {
            *sum += (nearest_float(x.abs() * scale) + 1.0) * unit;
        }
    }
}

/// How values become units.
struct Rounding {
    /// The scales of a stretch of rows.
    per_one: Vec<f64>,
    dither: f64,
    seed: u32,
}

impl Rounding {
    #[inline(always)]
    fn units(&self, x: f64, scale: f64) -> i64 {
        let bits = x.to_bits();
        let mut h = ((bits ^ (bits >> 32)) as u32 ^ self.seed).wrapping_mul(0x9e37_79b1);
        h = (h ^ (h >> 15)).wrapping_mul(0x85eb_ca77);
        h ^= h >> 13;
        nearest(x * scale + f64::from(h as i32) * self.dither)
    }
}

impl Cells {
    fn fill_dense(
        &mut self,
        values: &[f64],
        width: usize,
        units: &[u32],
        wide: bool,
        short: bool,
        rounding: &Rounding,
    ) {
        if wide {
            self.kind = CellKind::I64;
            fill_wide(&mut self.i64s, values, width, units, rounding);
        } else if short {
            self.kind = CellKind::I16;
            fill_narrow(&mut self.i16s, values, width, units, rounding);
        } else {
            self.kind = CellKind::I32;
            fill_narrow(&mut self.i32s, values, width, units, rounding);
        }
    }

    fn fill_one_hot(
        &mut self,
        values: &[f64],
        labels: &[u32],
        units: &[u32],
        wide: bool,
        rounding: &Rounding,
    ) {
        self.labels.clear();
        self.labels.extend_from_slice(labels);
        let pair = |(&x, &unit): (&f64, &u32)| {
            (i64::from(unit), rounding.units(x, rounding.per_one[0]) * i64::from(unit))
        };
        let pairs = values.iter().zip(units).map(pair);
        if wide {
            self.kind = CellKind::WidePairs;
            self.wide_pairs.clear();
            self.wide_pairs.extend(pairs);
        } else {
            self.kind = CellKind::NarrowPairs;
            self.narrow_pairs.clear();
            self.narrow_pairs.extend(pairs.map(|(w, q)| (i32::from_wide(w), i32::from_wide(q))));
        }
    }
}

/// Writes narrow cells of `[weight, channels…]`, each channel times the weight.
fn fill_narrow<T: Cell>(
    cells: &mut Vec<T>,
    values: &[f64],
    width: usize,
    units: &[u32],
    rounding: &Rounding,
) {
    fill_cells(
        cells,
        values,
        width,
        units,
        || vec![0i32; STRETCH * width],
        |rounded, values, cells, units| {
            // SAFETY: no requirements; `unsafe` only because it is compiled for AVX2 too.
            unsafe { round_units(values, rounding, rounded) };
            for ((cell, row), &unit) in
                cells.chunks_exact_mut(width + 1).zip(rounded.chunks_exact(width)).zip(units)
            {
                cell[0] = T::narrow(i64::from(unit));
                for (q, &x) in cell[1..].iter_mut().zip(row) {
                    *q = T::narrow(i64::from(x) * i64::from(unit));
                }
            }
        },
    );
}

/// Writes wide cells of `[weight, channels…]`, each channel times the weight.
fn fill_wide(cells: &mut Vec<i64>, values: &[f64], width: usize, units: &[u32], rounding: &Rounding) {
    fill_cells(
        cells,
        values,
        width,
        units,
        || (),
        |(), values, cells, units| {
            for ((cell, row), &unit) in
                cells.chunks_exact_mut(width + 1).zip(values.chunks_exact(width)).zip(units)
            {
                cell[0] = i64::from(unit);
                for ((q, &x), &scale) in cell[1..].iter_mut().zip(row).zip(&rounding.per_one) {
                    *q = rounding.units(x, scale) * i64::from(unit);
                }
            }
        },
    );
}

/// Runs over stretches of rows in parallel: `fill` gets values, cells and weights.
fn fill_cells<T: Cell, B>(
    cells: &mut Vec<T>,
    values: &[f64],
    width: usize,
    units: &[u32],
    buffer: impl Fn() -> B + Sync + Send,
    fill: impl Fn(&mut B, &[f64], &mut [T], &[u32]) + Sync + Send,
) {
    cells.resize(units.len() * (width + 1), T::default());
    cells
        .par_chunks_mut(STRETCH * (width + 1))
        .zip(values.par_chunks(STRETCH * width))
        .zip(units.par_chunks(STRETCH))
        .with_min_len(BLOCK / STRETCH)
        .for_each_init(buffer, |buffer, ((cells, values), units)| fill(buffer, values, cells, units));
}
