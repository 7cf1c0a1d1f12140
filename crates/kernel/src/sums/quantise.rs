//! From real numbers to units on a grid, block by block.

use rayon::prelude::*;

use crate::exchange::Exchange;
use crate::numbers::cpu::{by_width, vectorised, widened};
use crate::numbers::grid::{Grid, nearest, nearest_float};
use crate::numbers::real::Real;
use crate::search::source::{StoredUnit, Sum};
use crate::sums::channels::{BLOCK, RowWeights};

/// Bits of narrow units of values that are spread over known bounds.
pub(crate) const NARROW_BITS: u32 = 14;

/// Most bits of narrow units of other values: boosting weights may have one large value and millions of small ones, which
/// count together.
pub(crate) const FINE_BITS: u32 = 24;

/// Fewer bits are only accepted if the sum of the absolute values asks for it: rounding that is right on average adds less
/// noise to a sum of residuals than the rows themselves have.
pub(crate) const ENOUGH_BITS: u32 = 8;

/// Rows of a stretch: loops run over whole stretches, so that they are long however few channels a row has.
const STRETCH: usize = 64;

/// Rows of so many channels are long enough by themselves.
const LONG: usize = 64;

/// Rows of `width` numbers that stay in the cache while more than one thing is done with them.
pub fn rows_at_hand(width: usize) -> usize {
    ((1 << 15) / width.max(1)).clamp(16, 512)
}

/// The stored units: buffers are kept from round to round.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    pub(crate) kind: CellKind,
    pub(crate) i16s: Vec<i16>,
    pub(crate) i32s: Vec<i32>,
    pub(crate) i64s: Vec<i64>,
    pub(crate) narrow_pairs: Vec<(i32, i32)>,
    pub(crate) wide_pairs: Vec<(i64, i64)>,
    pub(crate) labels: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CellKind {
    #[default]
    I16,
    I32,
    I64,
    NarrowPairs,
    WidePairs,
}

vectorised! { fn round_units = round_units_body<R: Real>(values: &[R], rounding: &Rounding<R>, units: &mut [i32]) }

#[inline(always)]
fn round_units_body<R: Real>(values: &[R], rounding: &Rounding<R>, units: &mut [i32]) {
    for ((unit, &x), &scale) in units.iter_mut().zip(values).zip(&rounding.per_one) {
        *unit = rounding.units(x, scale) as i32;
    }
}

/// The bits of a narrow grid, where the values need not be looked at: so many are safe with every row at the bound.
pub(crate) fn known_bits(bits: u32, total: u64) -> Option<u32> {
    // Σ |units| ≤ total · 2^safe < 2³¹.
    let safe = (i32::MAX as u64 / total.max(1)).checked_ilog2().unwrap_or(0);
    (safe >= bits || (bits <= NARROW_BITS && safe >= ENOUGH_BITS)).then_some(safe.min(bits))
}

/// Grids of at most `bits` on which the absolute units of all rows sum to less than 2³¹.
pub(crate) fn narrow_grids(
    values: &[f64],
    largest: &[f64],
    bits: u32,
    weights: RowWeights<'_>,
    total: u64,
    exchange: &dyn Exchange,
) -> Vec<Grid> {
    let width = largest.len();
    let on = |bits: u32| largest.iter().map(|&m| Grid::for_largest(m, bits)).collect::<Vec<Grid>>();
    if let Some(bits) = known_bits(bits, total) {
        return on(bits);
    }
    let fine = on(bits);
    let per_one: Vec<f64> = fine.iter().map(|g| g.per_one()).collect();
    let block = |(values, units): (&[f64], &[u32])| {
        let mut sums = vec![0.0; width];
        absolute_units(values, units, &per_one, &mut sums);
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

vectorised! { fn absolute_units = absolute_units_body<>(values: &[f64], units: &[u32], per_one: &[f64], sums: &mut [f64]) }

/// Adds an upper bound of the absolute units of some rows: each is rounded by less than one, hence the `+ 1`. The floats
/// are whole numbers below 2⁵³, so their sums are exact; and they vectorise where 64-bit products do not.
#[inline(always)]
fn absolute_units_body(values: &[f64], units: &[u32], per_one: &[f64], sums: &mut [f64]) {
    for (row, &unit) in values.chunks_exact(per_one.len()).zip(units) {
        let unit = f64::from(unit);
        for ((sum, x), scale) in sums.iter_mut().zip(row).zip(per_one) {
            *sum += (nearest_float(x.abs() * scale) + 1.0) * unit;
        }
    }
}

/// How values become units.
pub(crate) struct Rounding<R> {
    /// The scales of a stretch of rows, or of one long row.
    per_one: Vec<R>,
    dither: R,
    seed: u32,
}

impl<R: Real> Rounding<R> {
    /// To these grids, one per channel, with a dither or without.
    pub(crate) fn new(grids: &[Grid], dithered: bool, seed: u64) -> Self {
        let per_one: Vec<R> = grids.iter().map(|g| R::from_double(g.per_one())).collect();
        Self {
            per_one: per_one.repeat(if grids.len() < LONG { STRETCH } else { 1 }),
            dither: R::from_double(if dithered { 1.0 / (1u64 << 32) as f64 } else { 0.0 }),
            seed: (seed ^ (seed >> 32)) as u32,
        }
    }

    #[inline(always)]
    fn units(&self, x: R, scale: R) -> i64 {
        x.units(scale, self.dither, self.seed)
    }
}

impl Cells {
    pub(crate) fn fill_dense(
        &mut self,
        values: &[f64],
        width: usize,
        units: &[u32],
        wide: bool,
        short: bool,
        rounding: &Rounding<f64>,
    ) {
        if wide {
            self.kind = CellKind::I64;
            fill_wide(&mut self.i64s, values, width, units, rounding);
        } else if short {
            fill_narrow(self.short(), values, width, units, rounding);
        } else {
            fill_narrow(self.long(), values, width, units, rounding);
        }
    }

    pub(crate) fn fill_computed(
        &mut self,
        width: usize,
        units: &[u32],
        short: bool,
        rounding: &Rounding<f32>,
        write: impl Fn(usize, &mut [f32]) -> i64 + Sync,
    ) -> i64 {
        let nothing = rayon::iter::repeat_n((), units.len().div_ceil(rows_at_hand(width)));
        if short {
            fill_computed(self.short(), width, units, rounding, nothing, write, |(), _| ())
        } else {
            fill_computed(self.long(), width, units, rounding, nothing, write, |(), _| ())
        }
    }

    /// The room of cells that are to be `i16`.
    pub(crate) fn short(&mut self) -> &mut Vec<i16> {
        self.kind = CellKind::I16;
        &mut self.i16s
    }

    /// The room of cells that are to be `i32`.
    pub(crate) fn long(&mut self) -> &mut Vec<i32> {
        self.kind = CellKind::I32;
        &mut self.i32s
    }

    pub(crate) fn fill_one_hot(
        &mut self,
        values: &[f64],
        labels: &[u32],
        units: &[u32],
        wide: bool,
        rounding: &Rounding<f64>,
    ) {
        self.labels.clear();
        self.labels.extend_from_slice(labels);
        if wide {
            self.kind = CellKind::WidePairs;
            fill_pairs(&mut self.wide_pairs, values, units, rounding);
        } else {
            self.kind = CellKind::NarrowPairs;
            fill_pairs(&mut self.narrow_pairs, values, units, rounding);
        }
    }
}

/// Writes pairs of a weight and a value times the weight.
fn fill_pairs<S: Sum>(pairs: &mut Vec<(S, S)>, values: &[f64], units: &[u32], rounding: &Rounding<f64>) {
    let scale = rounding.per_one[0];
    pairs.resize(values.len(), (S::default(), S::default()));
    pairs.par_iter_mut().zip(values).zip(units).with_min_len(BLOCK).for_each(|((pair, &x), &unit)| {
        let unit = i64::from(unit);
        *pair = (S::from_i64(unit), S::from_i64(rounding.units(x, scale) * unit));
    });
}

/// Writes narrow cells of `[weight, channels…]`, each channel times the weight.
fn fill_narrow<T: StoredUnit>(
    cells: &mut Vec<T>,
    values: &[f64],
    width: usize,
    units: &[u32],
    rounding: &Rounding<f64>,
) {
    cells.resize(units.len() * (width + 1), T::default());
    cells
        .par_chunks_mut(BLOCK * (width + 1))
        .zip(values.par_chunks(BLOCK * width))
        .zip(units.par_chunks(BLOCK))
        .for_each_init(Vec::new, |buffer, ((cells, values), units)| {
            round_rows(values, width, units, rounding, buffer, cells);
        });
}

/// Writes narrow cells of values that are computed for a block of rows at a time, and rounded while they are at hand.
/// `write` gets the first row of a block and its values; the sum of what it returns is returned. `then` gets the cells of a
/// block, and what there is for the block in `beside`.
pub(crate) fn fill_computed<T: StoredUnit, B: Send>(
    cells: &mut Vec<T>,
    width: usize,
    units: &[u32],
    rounding: &Rounding<f32>,
    beside: impl IndexedParallelIterator<Item = B>,
    write: impl Fn(usize, &mut [f32]) -> i64 + Sync,
    then: impl Fn(B, &[T]) + Sync,
) -> i64 {
    cells.resize(units.len() * (width + 1), T::default());
    let rows = rows_at_hand(width);
    let buffers = || (vec![0.0; rows * width], Vec::new());
    cells
        .par_chunks_mut(rows * (width + 1))
        .zip(units.par_chunks(rows))
        .zip(beside)
        .enumerate()
        .map_init(buffers, |(values, rounded), (block, ((cells, units), beside))| {
            let values = &mut values[..units.len() * width];
            let seen = write(block * rows, values);
            round_rows(values, width, units, rounding, rounded, cells);
            then(beside, cells);
            seen
        })
        .sum()
}

/// Rounds some rows to cells of `[weight, channels…]`, each channel times the weight.
fn round_rows<T: StoredUnit, R: Real>(
    values: &[R],
    width: usize,
    units: &[u32],
    rounding: &Rounding<R>,
    rounded: &mut Vec<i32>,
    cells: &mut [T],
) {
    if width >= LONG {
        return round_long(values, width, units, rounding, cells);
    }
    rounded.resize(STRETCH * width, 0);
    let stretches = values.chunks(STRETCH * width).zip(units.chunks(STRETCH));
    for ((values, units), cells) in stretches.zip(cells.chunks_mut(STRETCH * (width + 1))) {
        round_units(values, rounding, rounded);
        pack(rounded, width, units, cells);
    }
}

widened! { fn round_long = round_long_body<T: StoredUnit, R: Real>(values: &[R], width: usize, units: &[u32], rounding: &Rounding<R>, cells: &mut [T]) }

#[inline(always)]
fn round_long_body<T: StoredUnit, R: Real>(
    values: &[R],
    width: usize,
    units: &[u32],
    rounding: &Rounding<R>,
    cells: &mut [T],
) {
    for ((cell, row), &unit) in cells.chunks_exact_mut(width + 1).zip(values.chunks_exact(width)).zip(units) {
        cell[0] = StoredUnit::narrow(i64::from(unit));
        for ((q, &x), &scale) in cell[1..].iter_mut().zip(row).zip(&rounding.per_one) {
            *q = StoredUnit::narrow(i64::from((rounding.units(x, scale) as i32).wrapping_mul(unit as i32)));
        }
    }
}

vectorised! { fn pack = pack_body<T: StoredUnit>(rounded: &[i32], width: usize, units: &[u32], cells: &mut [T]) }

#[inline(always)]
fn pack_body<T: StoredUnit>(rounded: &[i32], width: usize, units: &[u32], cells: &mut [T]) {
    by_width!(width, pack_rows(width, rounded, units, cells));
}

#[inline(always)]
fn pack_rows<const W: usize>(width: usize, rounded: &[i32], units: &[u32], cells: &mut [impl StoredUnit]) {
    let width = if W == 0 { width } else { W };
    let rows = cells.chunks_exact_mut(width + 1).zip(rounded.chunks_exact(width)).zip(units);
    for ((cell, row), &unit) in rows {
        cell[0] = StoredUnit::narrow(i64::from(unit));
        for (q, &x) in cell[1..].iter_mut().zip(row) {
            *q = StoredUnit::narrow(i64::from(x.wrapping_mul(unit as i32)));
        }
    }
}

/// Writes wide cells of `[weight, channels…]`, each channel times the weight.
fn fill_wide(cells: &mut Vec<i64>, values: &[f64], width: usize, units: &[u32], rounding: &Rounding<f64>) {
    cells.resize(units.len() * (width + 1), 0);
    cells
        .par_chunks_mut(BLOCK * (width + 1))
        .zip(values.par_chunks(BLOCK * width))
        .zip(units.par_chunks(BLOCK))
        .for_each(|((cells, values), units)| round_wide(values, width, units, &rounding.per_one, cells));
}

vectorised! { fn round_wide = round_wide_body<>(values: &[f64], width: usize, units: &[u32], per_one: &[f64], cells: &mut [i64]) }

/// Wide units are fine enough to do without a dither.
#[inline(always)]
fn round_wide_body(values: &[f64], width: usize, units: &[u32], per_one: &[f64], cells: &mut [i64]) {
    for ((cell, row), &unit) in cells.chunks_exact_mut(width + 1).zip(values.chunks_exact(width)).zip(units) {
        cell[0] = i64::from(unit);
        for ((q, &x), &scale) in cell[1..].iter_mut().zip(row).zip(per_one) {
            *q = nearest(x * scale);
        }
        // Vectors have no products of 64 bits, and most rows count once.
        if unit != 1 {
            cell[1..].iter_mut().for_each(|q| *q *= i64::from(unit));
        }
    }
}
