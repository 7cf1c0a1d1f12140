//! Channels that are kept from round to round, together with the sums of all rows.
//!
//! After a cut on a word, the weights of all rows without it change by the same factor in each channel. If that factor is
//! what a unit of the channel is worth ([`Channels::steps`]), then the units of these rows do not change at all: only the few
//! rows with the word are written again, and what changed in them is added to the sums. A round then costs what its word
//! occurs, not what all words of all rows do.
//!
//! Sums by code of dense features are exact. Those of slots are kept to thirty bits ([`Rough`]), which rules out nearly all words
//! ([`Screen`](crate::Screen)); the exact sums of the others are counted when they are asked for.
//!
//! The grid depends on the present values alone, not on what was kept. So the integers are those of counting everything
//! anew, and a run that goes on where another ended finds the same ones.

use rayon::prelude::*;

use crate::accumulate::Sign;
use crate::bins::Place;
use crate::cells::add_cell;
use crate::channels::Channels;
use crate::lanes::sum_by;
use crate::grid::{Grid, MOST_BITS, nearest};
use crate::histogram::{Builder, Layout, MOST_BYTES, PARALLEL};
use crate::rough::{Changes, Rough};
use crate::search::{Searchable, Searcher};
use crate::source::Sum;
use crate::totals::Totals;

/// Bits of the sum of all values.
const SUM_BITS: i32 = 62;

/// Exponents of grids are multiples of this: a grid that follows every doubling of the values would often be another one.
const NOTCH: i32 = 8;

/// Rows that are worth a task.
const SOME: usize = 32;

/// Values of rows that changed.
pub struct Rewrite<'a> {
    /// The rows that changed since the last time, ascending; all if they are not given.
    pub changed: Option<&'a [u32]>,
    /// What 1 is worth, for each channel.
    pub worth: &'a [f64],
    /// Writes the values of a row, none negative.
    pub write: &'a (dyn Fn(usize, &mut [f64]) + Sync),
}

/// Channels and the sums of all rows.
#[derive(Debug, Default)]
pub struct Kept {
    channels: Channels,
    /// The sum of each row's values.
    row_sums: Vec<f64>,
    grid: Option<Grid>,
    /// Sums by code of dense features.
    pub(crate) dense: Vec<i64>,
    pub(crate) total: Vec<i64>,
    /// The weight of each slot.
    pub(crate) weights: Vec<i64>,
    pub(crate) rough: Rough,
}

impl Kept {
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
        let Layout { slots, cells, .. } = self.layout;
        let bytes = (8 * slots + 4 * (cells - slots)).saturating_mul(channels + 1);
        2 * self.layout.listed > self.layout.entries && bytes <= MOST_BYTES
    }

    /// Writes the rows that changed and brings the sums up to date.
    pub fn rewrite(&self, kept: &mut Kept, totals: &Totals<'_>, rewrite: &Rewrite<'_>) {
        let (rows, channels) = (self.bins.rows(), rewrite.worth.len());
        let few = rewrite.changed.filter(|few| kept.grid.is_some() && 2 * few.len() <= rows);
        let all: Vec<u32> = if few.is_some() { Vec::new() } else { (0..rows as u32).collect() };
        let changed = few.unwrap_or(&all);
        let (mut values, mut sums) = (vec![0.0; changed.len() * channels], vec![0.0; changed.len()]);
        let each = values.par_chunks_exact_mut(channels).zip(&mut sums).zip(changed).with_min_len(SOME);
        each.for_each(|((values, sum), &row)| {
            (rewrite.write)(row as usize, values);
            *sum = sum_by(values, |x| x);
        });
        kept.row_sums.resize(rows, 0.0);
        changed.iter().zip(sums).for_each(|(&row, sum)| kept.row_sums[row as usize] = sum);
        let grid = grid(&kept.row_sums, totals);
        if few.is_some() && kept.grid != Some(grid) {
            return self.rewrite(kept, totals, &Rewrite { changed: None, ..*rewrite });
        }
        kept.grid = Some(grid);
        let units = totals.weights().units;
        let written = Written { rows: changed, values: &values, channels, units, grid };
        if few.is_some() {
            self.add_changes(&written, kept);
        } else {
            let mut cells = vec![0; rows * (channels + 1)];
            let each = cells.par_chunks_exact_mut(channels + 1).enumerate().with_min_len(SOME);
            each.for_each(|(row, cell)| written.write(row, cell));
            kept.channels.set_wide(cells, channels + 1);
            self.count_anew(changed, kept);
        }
        kept.channels.set_worth(grid, rewrite.worth, totals.weights().step);
    }

    /// Counts all rows.
    fn count_anew(&self, rows: &[u32], kept: &mut Kept) {
        let (passes, width) = (i64::passes(&kept.channels).0, kept.channels.width());
        let builder = Builder::new(self.bins, &self.layout, &self.histograms, passes, width);
        kept.dense.clear();
        kept.dense.resize(self.layout.slots * width, 0);
        builder.count_dense(Sign::Plus, rows, &mut kept.dense, true);
        drop(builder);
        let cells = kept.channels.wide_cells();
        kept.total.clear();
        kept.total.resize(width, 0);
        cells.chunks_exact(width).for_each(|cell| add_cell(&mut kept.total, cell));
        let sparse = self.bins.sparse();
        let weight = |slot| sparse.posting(slot).iter().map(|&row| cells[row as usize * width]).sum();
        kept.weights = (0..sparse.slots()).map(weight).collect();
        kept.rough.count(sparse, cells, &kept.total[1..]);
    }

    /// Replaces the cells of some rows, and adds what changed in them to the sums.
    fn add_changes(&self, written: &Written<'_>, kept: &mut Kept) {
        let (rows, width) = (written.rows, kept.channels.width());
        let (units, before) = (&kept.rough, kept.channels.wide_cells());
        let mut cells = vec![0; rows.len() * width];
        let mut rough = vec![0; rows.len() * (width - 1)];
        let each = cells.par_chunks_exact_mut(width).zip(rough.par_chunks_exact_mut(width - 1)).enumerate();
        each.with_min_len(SOME).for_each(|(i, (cell, rough))| {
            let old = &before[rows[i] as usize * width..][..width];
            written.write(i, cell);
            let both = units.units(&cell[1..]).zip(units.units(&old[1..]));
            rough.iter_mut().zip(both).for_each(|(change, (new, old))| *change = new - old);
            cell.iter_mut().zip(old).for_each(|(new, old)| *new -= old);
        });
        for (&row, change) in rows.iter().zip(cells.chunks_exact(width)) {
            add_cell(kept.channels.wide_row(row as usize), change);
            add_cell(&mut kept.total, change);
        }
        if !kept.dense.is_empty() {
            let changes = Changes::new(rows, &cells, width);
            for feature in 0..self.bins.features().len() {
                if !matches!(self.bins.place(feature), Place::Sparse(_)) {
                    let start = self.layout.starts[feature];
                    changes.add_column(|row| start + self.bins.code(row, feature) as usize, &mut kept.dense);
                }
            }
        }
        let sparse = self.bins.sparse();
        if kept.rough.suits(&kept.total[1..]) {
            let work = rows.len() * self.layout.entries * width;
            let parts = if work < PARALLEL { 1 } else { 4 * rayon::current_num_threads() };
            kept.rough.add(sparse, &Changes::new(rows, &rough, width - 1), parts);
        } else {
            kept.rough.count(sparse, kept.channels.wide_cells(), &kept.total[1..]);
        }
    }
}

/// Values of some rows, and how they become cells.
struct Written<'a> {
    rows: &'a [u32],
    values: &'a [f64],
    channels: usize,
    units: &'a [u32],
    grid: Grid,
}

impl Written<'_> {
    /// Writes the cell of the `i`th row: its weight, and each value times the weight.
    fn write(&self, i: usize, cell: &mut [i64]) {
        let unit = i64::from(self.units[self.rows[i] as usize]);
        let values = &self.values[i * self.channels..][..self.channels];
        cell[0] = unit;
        let per_one = self.grid.per_one();
        cell[1..].iter_mut().zip(values).for_each(|(q, x)| *q = nearest(x * per_one) * unit);
    }
}

/// A grid on which the units of no value and no sum are too many.
fn grid(row_sums: &[f64], totals: &Totals<'_>) -> Grid {
    let largest = totals.largest(row_sums);
    let all = totals.of_units_within(largest, totals.units_within(largest, 0, row_sums));
    let by_sum =
        Grid::for_largest(all / totals.weights().step, MOST_BITS).coarser(MOST_BITS as i32 - SUM_BITS);
    by_sum.coarsest(Grid::for_largest(largest, MOST_BITS)).notched(NOTCH)
}
