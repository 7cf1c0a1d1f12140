//! Channels that are kept from round to round, together with the sums of all rows.
//!
//! After a cut on a word, the weights of all rows without it change by the same factor in each channel. If that factor is
//! what a unit of the channel is worth ([`Channels::steps`]), then the units of these rows do not change at all: only the few
//! rows with the word are written again, and what changed in them is added to the sums. A round then costs what its word
//! occurs, not what all words of all rows do.
//!
//! Sums by code of dense features are exact. Those of slots are kept to thirty bits (`rough.rs`), which rules out nearly all words
//! ([`PruneBounds`](crate::PruneBounds)); the exact sums of the others are counted when they are asked for.
//!
//! The grid depends on the present values alone, not on what was kept. So the integers are those of counting everything
//! anew, and a run that goes on where another ended finds the same ones.

use rayon::prelude::*;

use crate::numbers::grid::{Grid, MOST_BITS, nearest};
use crate::numbers::lanes::sum_by;
use crate::search::accumulate::Sign;
use crate::search::cells::add_cell;
use crate::search::histogram::{Builder, MOST_BYTES, PARALLEL};
use crate::search::source::Sum;
use crate::search::{Searchable, Searcher};
use crate::sums::channels::Channels;
use crate::sums::totals::Totals;
use crate::words::coarse::CoarseSums;

/// Bits of the sum of all values.
const SUM_BITS: i32 = 62;

/// Exponents of grids are multiples of this: a grid that follows every doubling of the values would often be another one.
const NOTCH: i32 = 8;

/// Rows that are worth a task.
const SOME: usize = 32;

/// Values of rows that changed.
pub struct RowUpdate<'a> {
    /// The rows that changed since the last time, ascending; all if they are not given.
    pub changed: Option<&'a [u32]>,
    /// What 1 is worth, for each channel.
    pub worth: &'a [f64],
    /// Writes the values of a row that are not 0 into zeros; none is negative.
    pub write: &'a (dyn Fn(usize, &mut [f64]) + Sync),
}

/// Channels and the sums of all rows.
#[derive(Debug, Default)]
pub struct CachedChannels {
    channels: Channels,
    /// The sum of each row's values.
    row_sums: Vec<f64>,
    grid: Option<Grid>,
    /// Sums by code of dense features.
    pub(crate) dense: Vec<i64>,
    pub(crate) total: Vec<i64>,
    /// The weight of each slot.
    pub(crate) weights: Vec<i64>,
    pub(crate) rough: CoarseSums,
}

impl CachedChannels {
    /// The channels.
    pub fn channels(&self) -> &Channels {
        &self.channels
    }

    /// The sums of all rows of all workers: their weight, then their channels.
    pub fn sums(&self, totals: &Totals<'_>) -> Vec<f64> {
        let mut total = self.total.clone();
        totals.exchange().sum(&mut total);
        total.iter().zip(self.channels.steps()).map(|(sum, step)| sum.float() * step).collect()
    }
}

impl Searcher<'_, i64> {
    /// Whether sums of so many channels are worth keeping: lists of rows are most of what is counted, and the sums fit into
    /// memory.
    pub fn keeps(&self, channels: usize) -> bool {
        // All slots count, also those that are not searched: what is kept must depend on the data alone.
        let (listed, dense) = (self.bins.listed(), self.layout.dense.len());
        let bytes = (8 * self.layout.slots + 4 * self.bins.sparse().slots()).saturating_mul(channels + 1);
        listed > dense && bytes <= MOST_BYTES
    }

    /// Writes the rows that changed and brings the sums up to date.
    pub fn rewrite(&self, kept: &mut CachedChannels, totals: &Totals<'_>, rewrite: &RowUpdate<'_>) {
        let few = rewrite.changed.filter(|few| 2 * few.len() <= self.bins.rows()).zip(kept.grid);
        let written =
            few.map(|(few, before)| (before, self.write_few(kept, totals, few, before, rewrite.write)));
        let grid = match written {
            Some((before, grid)) if grid == before => grid,
            // All workers ask for the grid once, whether few of their rows changed or many.
            other => self.write_all(kept, totals, rewrite, other.map(|(_, grid)| grid)),
        };
        kept.grid = Some(grid);
        kept.channels.set_worth(grid, rewrite.worth, totals.weights().step);
    }

    /// Writes the rows that changed, if the grid is still the same, as it mostly is: so they are counted on it while their
    /// values are at hand. Returns the grid.
    fn write_few(
        &self,
        kept: &mut CachedChannels,
        totals: &Totals<'_>,
        rows: &[u32],
        before: Grid,
        write: &(dyn Fn(usize, &mut [f64]) + Sync),
    ) -> Grid {
        let changes = Changes::new(rows, kept, totals, before, write);
        rows.iter().zip(&changes.sums).for_each(|(&row, &sum)| kept.row_sums[row as usize] = sum);
        let now = grid(&kept.row_sums, totals);
        if now == before {
            self.add_changes(&changes, kept);
        }
        now
    }

    /// Writes and counts all rows, on the grid if it is known; returns the grid.
    fn write_all(
        &self,
        kept: &mut CachedChannels,
        totals: &Totals<'_>,
        rewrite: &RowUpdate<'_>,
        known: Option<Grid>,
    ) -> Grid {
        let (rows, channels) = (self.bins.rows(), rewrite.worth.len());
        let mut values = vec![0.0; rows * channels];
        kept.row_sums.resize(rows, 0.0);
        let each = values.par_chunks_exact_mut(channels).zip(&mut kept.row_sums).enumerate();
        each.with_min_len(SOME).for_each(|(row, (values, sum))| {
            (rewrite.write)(row, values);
            *sum = sum_by(values, |x| x);
        });
        let grid = known.unwrap_or_else(|| grid(&kept.row_sums, totals));
        let mut cells = vec![0; rows * (channels + 1)];
        let each = cells.par_chunks_exact_mut(channels + 1).zip(values.par_chunks_exact(channels));
        let units = totals.weights().units;
        let each = each.zip(units).with_min_len(SOME);
        each.for_each(|((cell, values), &unit)| write_cell(values, unit, grid, cell));
        kept.channels.set_wide(cells, channels + 1);
        self.count_anew(kept);
        grid
    }

    /// Counts all rows.
    fn count_anew(&self, kept: &mut CachedChannels) {
        let (passes, width) = (i64::passes(&kept.channels).0, kept.channels.width());
        let builder = Builder::new(self.bins, &self.layout, &self.histograms, passes, width);
        kept.dense.clear();
        kept.dense.resize(self.layout.slots * width, 0);
        let rows: Vec<u32> = (0..self.bins.rows() as u32).collect();
        builder.count_dense(Sign::Plus, &rows, &mut kept.dense, true, None);
        drop(builder);
        let cells = kept.channels.wide_cells();
        kept.total.clear();
        kept.total.resize(width, 0);
        cells.chunks_exact(width).for_each(|cell| add_cell(&mut kept.total, cell));
        let sparse = self.sparse();
        let weights: Vec<i64> = cells.iter().step_by(width).copied().collect();
        let weight = |slot| sparse.posting(slot).iter().map(|&row| weights[row as usize]).sum();
        kept.weights = (0..sparse.slots()).map(weight).collect();
        kept.rough.count(sparse, cells, &kept.total[1..]);
    }

    /// Adds what changed in some rows to their cells and to the sums.
    fn add_changes(&self, changes: &Changes<'_>, kept: &mut CachedChannels) {
        let width = kept.channels.width();
        for (&row, change) in changes.rows.iter().zip(changes.exact.chunks_exact(width)) {
            add_cell(kept.channels.wide_row(row as usize), change);
            add_cell(&mut kept.total, change);
        }
        for feature in self.layout.dense.iter().map(|&f| f as usize) {
            let sums = &mut kept.dense[self.layout.starts[feature] * width..];
            for (&row, change) in changes.rows.iter().zip(changes.exact.chunks_exact(width)) {
                let code = self.bins.code(row as usize, feature) as usize;
                add_cell(&mut sums[code * width..][..width], change);
            }
        }
        let sparse = self.sparse();
        let work = changes.rows.len() * self.layout.entries * width;
        let parts = if work < PARALLEL { 1 } else { 8 * rayon::current_num_threads() };
        kept.rough.add(sparse, changes.rows, &changes.rough, parts);
        kept.rough.adjust(sparse, kept.channels.wide_cells(), &kept.total[1..]);
    }
}

/// What changed in some rows.
struct Changes<'a> {
    rows: &'a [u32],
    /// In their cells.
    exact: Vec<i64>,
    /// In their rough numbers.
    rough: Vec<i32>,
    /// The sums of their values, as they are now.
    sums: Vec<f64>,
}

impl<'a> Changes<'a> {
    fn new(
        rows: &'a [u32],
        kept: &CachedChannels,
        totals: &Totals<'_>,
        grid: Grid,
        write: &(dyn Fn(usize, &mut [f64]) + Sync),
    ) -> Self {
        let (width, stride) = (kept.channels.width(), kept.rough.stride());
        let (cells, units) = (kept.channels.wide_cells(), totals.weights().units);
        let mut exact = vec![0; rows.len() * width];
        let mut rough = vec![0; rows.len() * stride];
        let mut sums = vec![0.0; rows.len()];
        let each = exact.par_chunks_exact_mut(width).zip(rough.par_chunks_exact_mut(stride)).zip(&mut sums);
        let each = each.zip(rows).with_min_len(SOME);
        each.for_each_init(
            || vec![0.0; width - 1],
            |values, (((cell, rough), sum), &row)| {
                let old = &cells[row as usize * width..][..width];
                values.fill(0.0);
                write(row as usize, values);
                *sum = sum_by(values, |x| x);
                write_cell(values, units[row as usize], grid, cell);
                kept.rough.change(cell, old, rough);
            },
        );
        Self { rows, exact, rough, sums }
    }
}

/// Writes the cell of a row: its weight, and each value times the weight.
fn write_cell(values: &[f64], unit: u32, grid: Grid, cell: &mut [i64]) {
    let (unit, per_one) = (i64::from(unit), grid.per_one());
    cell[0] = unit;
    cell[1..].iter_mut().zip(values).for_each(|(q, x)| *q = nearest(x * per_one) * unit);
}

/// A grid on which the units of no value and no sum are too many.
fn grid(row_sums: &[f64], totals: &Totals<'_>) -> Grid {
    let largest = totals.largest(row_sums);
    let all = totals.of_units_within(largest, totals.units_within(largest, 0, row_sums));
    let by_sum =
        Grid::for_largest(all / totals.weights().step, MOST_BITS).coarser(MOST_BITS as i32 - SUM_BITS);
    by_sum.coarsest(Grid::for_largest(largest, MOST_BITS)).notched(NOTCH)
}
