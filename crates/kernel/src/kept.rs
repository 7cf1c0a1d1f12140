//! Channels that are kept from round to round, together with the sums of all rows by code.
//!
//! After a cut on a word, the weights of all rows without it change by the same factor in each channel. If that factor is
//! what a unit of the channel is worth ([`Channels::steps`]), then the units of these rows do not change at all: only the few
//! rows with the word are written again, and what changed in them is added to the sums. A round then costs what its word
//! occurs, not what all words of all rows do.
//!
//! The grid depends on the present values alone, not on what was kept. So the integers are those of counting everything
//! anew, and a run that goes on where another ended finds the same ones.

use std::ops::Range;

use rayon::prelude::*;

use crate::accumulate::Sign;
use crate::bins::Place;
use crate::cells::add_cell;
use crate::channels::Channels;
use crate::cpu::vectorised;
use crate::grid::{Grid, MOST_BITS, nearest};
use crate::histogram::{Builder, MOST_BYTES, PARALLEL};
use crate::search::{Searchable, Searcher};
use crate::source::Sum;
use crate::sparse::Sparse;
use crate::totals::Totals;

/// Bits of the sum of all values.
const SUM_BITS: i32 = 62;

/// Exponents of grids are multiples of this: a grid that follows every doubling of the values would often be another one.
const NOTCH: i32 = 8;

/// Rows that are worth a task.
const SOME: usize = 32;

/// Zeros between two numbers that are added like numbers: a stretch more costs as much.
const GAP: usize = 4;

/// Values of rows that changed.
pub struct Rewrite<'a> {
    /// The rows that changed since the last time, ascending; all if they are not given.
    pub changed: Option<&'a [u32]>,
    /// What 1 is worth, for each channel.
    pub worth: &'a [f64],
    /// Writes the values of a row, none negative.
    pub write: &'a (dyn Fn(usize, &mut [f64]) + Sync),
}

/// Channels and the sums of all rows by code.
#[derive(Debug, Default)]
pub struct Kept {
    channels: Channels,
    /// The sum of each row's values.
    row_sums: Vec<f64>,
    grid: Option<Grid>,
    pub(crate) histogram: Vec<i64>,
    pub(crate) total: Vec<i64>,
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
        let bytes = self.layout.cells.saturating_mul(8 * (channels + 1));
        2 * self.layout.listed > self.layout.entries && bytes <= MOST_BYTES
    }

    /// Writes the rows that changed and brings the sums up to date.
    pub fn rewrite(&self, kept: &mut Kept, totals: &Totals<'_>, rewrite: &Rewrite<'_>) {
        let (rows, channels) = (self.bins.rows(), rewrite.worth.len());
        let few = rewrite.changed.filter(|few| kept.grid.is_some() && 2 * few.len() <= rows);
        let all: Vec<u32> = if few.is_some() { Vec::new() } else { (0..rows as u32).collect() };
        let changed = few.unwrap_or(&all);
        let mut values = vec![0.0; changed.len() * channels];
        let each = values.par_chunks_exact_mut(channels).zip(changed).with_min_len(SOME);
        each.for_each(|(values, &row)| (rewrite.write)(row as usize, values));
        kept.row_sums.resize(rows, 0.0);
        for (&row, values) in changed.iter().zip(values.chunks_exact(channels)) {
            kept.row_sums[row as usize] = values.iter().sum();
        }
        let grid = grid(&kept.row_sums, totals);
        if few.is_some() && kept.grid != Some(grid) {
            return self.rewrite(kept, totals, &Rewrite { changed: None, ..*rewrite });
        }
        kept.grid = Some(grid);
        let cells = cells(changed, &values, channels, totals.weights().units, grid);
        if few.is_some() {
            self.add_changes(changed, cells, kept);
        } else {
            kept.channels.set_wide(cells, channels + 1);
            self.count_anew(changed, kept);
        }
        kept.channels.set_worth(grid, rewrite.worth, totals.weights().step);
    }

    /// Counts all rows.
    fn count_anew(&self, rows: &[u32], kept: &mut Kept) {
        let (passes, width) = (i64::passes(&kept.channels).0, kept.channels.width());
        let builder = Builder::new(self.bins, &self.layout, &self.histograms, passes, width);
        kept.histogram.clear();
        kept.histogram.resize(self.layout.cells * width, 0);
        builder.count(Sign::Plus, rows, &mut kept.histogram);
        drop(builder);
        kept.total.clear();
        kept.total.resize(width, 0);
        for &row in rows {
            add_cell(&mut kept.total, kept.channels.wide_row(row as usize));
        }
    }

    /// Replaces the cells of some rows, and adds what changed in them to the sums: slots side by side.
    fn add_changes(&self, rows: &[u32], mut cells: Vec<i64>, kept: &mut Kept) {
        let width = kept.channels.width();
        for (&row, new) in rows.iter().zip(cells.chunks_exact_mut(width)) {
            for ((old, new), total) in
                kept.channels.wide_row(row as usize).iter_mut().zip(new).zip(&mut kept.total)
            {
                let before = std::mem::replace(old, *new);
                *new -= before;
                *total += *new;
            }
        }
        let changes = Changes::new(rows, &cells, width);
        let (dense, slots) = kept.histogram.split_at_mut(self.layout.slots * width);
        for feature in 0..self.bins.features().len() {
            if !matches!(self.bins.place(feature), Place::Sparse(_)) {
                let start = self.layout.starts[feature];
                changes.add_column(|row| start + self.bins.code(row, feature) as usize, dense);
            }
        }
        let sparse = self.bins.sparse();
        let work = rows.len() * self.layout.entries * width;
        let parts = if work < PARALLEL { 1 } else { 4 * rayon::current_num_threads() };
        let group = sparse.slots().div_ceil(parts).max(1);
        let groups = slots.par_chunks_mut(group * width).enumerate();
        groups.for_each(|(i, slots)| add_slots(&changes, sparse, i * group, slots));
    }
}

/// The cells of some rows: their weight, and each value times the weight.
fn cells(rows: &[u32], values: &[f64], channels: usize, units: &[u32], grid: Grid) -> Vec<i64> {
    let mut cells = vec![0; rows.len() * (channels + 1)];
    let each = cells.par_chunks_exact_mut(channels + 1).zip(values.par_chunks_exact(channels)).zip(rows);
    each.with_min_len(SOME).for_each(|((cell, values), &row)| {
        let unit = i64::from(units[row as usize]);
        cell[0] = unit;
        cell[1..].iter_mut().zip(values).for_each(|(q, x)| *q = nearest(x * grid.per_one()) * unit);
    });
    cells
}

/// A grid on which the units of no value and no sum are too many.
fn grid(row_sums: &[f64], totals: &Totals<'_>) -> Grid {
    let largest = totals.max(|row| row_sums[row]);
    let [all] = totals.sums_within([largest], |row| [row_sums[row]]);
    let by_sum =
        Grid::for_largest(all / totals.weights().step, MOST_BITS).coarser(MOST_BITS as i32 - SUM_BITS);
    by_sum.coarsest(Grid::for_largest(largest, MOST_BITS)).notched(NOTCH)
}

/// What changed in some rows, and where it is not zero.
struct Changes<'a> {
    rows: &'a [u32],
    cells: &'a [i64],
    width: usize,
    /// Stretches of each row's cell that are not zero.
    stretches: Vec<Range<usize>>,
    /// Where the stretches of each row begin.
    starts: Vec<usize>,
}

impl<'a> Changes<'a> {
    fn new(rows: &'a [u32], cells: &'a [i64], width: usize) -> Self {
        let (mut stretches, mut starts) = (Vec::<Range<usize>>::new(), vec![0]);
        for cell in cells.chunks_exact(width) {
            let first = stretches.len();
            for (i, _) in cell.iter().enumerate().filter(|(_, x)| **x != 0) {
                match stretches[first..].last_mut() {
                    Some(last) if i - last.end <= GAP => last.end = i + 1,
                    _ => stretches.push(i..i + 1),
                }
            }
            starts.push(stretches.len());
        }
        Self { rows, cells, width, stretches, starts }
    }

    /// Adds a row's change to a cell.
    #[inline(always)]
    fn add(&self, i: usize, sums: &mut [i64]) {
        let change = &self.cells[i * self.width..][..self.width];
        for stretch in &self.stretches[self.starts[i]..self.starts[i + 1]] {
            let (sums, change) = (&mut sums[stretch.clone()], &change[stretch.clone()]);
            sums.iter_mut().zip(change).for_each(|(sum, x)| *sum += x);
        }
    }

    /// Adds all to the cells of a column.
    fn add_column(&self, cell_of: impl Fn(usize) -> usize, sums: &mut [i64]) {
        for (i, &row) in self.rows.iter().enumerate() {
            self.add(i, &mut sums[cell_of(row as usize) * self.width..][..self.width]);
        }
    }
}

vectorised! { fn add_slots = add_slots_body<>(changes: &Changes<'_>, sparse: &Sparse, first: usize, sums: &mut [i64]) }

/// Adds all to the cells of slots from `first` on.
#[inline(always)]
fn add_slots_body(changes: &Changes<'_>, sparse: &Sparse, first: usize, sums: &mut [i64]) {
    let width = changes.width;
    let end = first + sums.len() / width;
    for (i, &row) in changes.rows.iter().enumerate() {
        let slots = sparse.row(row as usize);
        let from = slots.partition_point(|&slot| (slot as usize) < first);
        for &slot in slots[from..].iter().take_while(|&&slot| (slot as usize) < end) {
            changes.add(i, &mut sums[(slot as usize - first) * width..][..width]);
        }
    }
}
