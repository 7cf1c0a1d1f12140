//! Sums of slots to thirty bits, rounded down: enough to tell which words cannot be the best cut.
//!
//! Each channel has units of its own: so many exact ones as are two to some power. Every row's numbers are rounded down before
//! they are added, so that what changes in a row can be taken out again, and sums are never too large; they are too small by
//! less than one for each row.

use std::ops::Range;

use rayon::prelude::*;

use crate::cpu::vectorised;
use crate::source::Sum;
use crate::sparse::Sparse;

/// Most bits of a sum of all rows.
const MOST_BITS: u32 = 30;

/// Bits of a sum of all rows when units are chosen: it may grow before all is counted again.
const BITS: u32 = 26;

/// With fewer bits, finer units are worth counting again.
const LEAST_BITS: u32 = 14;

/// Zeros between two numbers that are added like numbers: a stretch more costs as much.
const GAP: usize = 4;

/// Sums of the channels of each slot.
#[derive(Debug, Default)]
pub(crate) struct Rough {
    /// Bits of exact numbers that are left out, in each channel.
    pub(crate) shifts: Vec<u32>,
    /// Slot after slot.
    pub(crate) sums: Vec<i32>,
}

impl Rough {
    /// Whether units still suit these sums of all rows.
    pub(crate) fn suits(&self, total: &[i64]) -> bool {
        let suits = |(&sum, &shift): (&i64, &u32)| {
            bits(sum) <= MOST_BITS + shift && (shift == 0 || bits(sum) >= LEAST_BITS + shift)
        };
        total.iter().zip(&self.shifts).all(suits)
    }

    /// Exact numbers in units, rounded down.
    pub(crate) fn units<'a>(&'a self, exact: &'a [i64]) -> impl Iterator<Item = i32> + 'a {
        exact.iter().zip(&self.shifts).map(|(&x, shift)| (x as u64 >> shift) as i32)
    }

    /// Counts all rows, whose exact cells these are.
    pub(crate) fn count(&mut self, sparse: &Sparse, cells: &[i64], total: &[i64]) {
        let channels = total.len();
        self.shifts = total.iter().map(|&sum| bits(sum).saturating_sub(BITS)).collect();
        let mut rows = vec![0; cells.len() / (channels + 1) * channels];
        let each = rows.par_chunks_exact_mut(channels).zip(cells.par_chunks_exact(channels + 1));
        each.for_each(|(row, cell)| row.iter_mut().zip(self.units(&cell[1..])).for_each(|(q, x)| *q = x));
        self.sums.clear();
        self.sums.resize(sparse.slots() * channels, 0);
        let slots = self.sums.par_chunks_exact_mut(channels).enumerate();
        slots.for_each(|(slot, sums)| add_rows(sparse.posting(slot), &rows, sums));
    }

    /// Adds what changed in some rows, in so many parts side by side.
    pub(crate) fn add(&mut self, sparse: &Sparse, changes: &Changes<'_, i32>, parts: usize) {
        let group = sparse.slots().div_ceil(parts).max(1);
        let groups = self.sums.par_chunks_mut(group * changes.width).enumerate();
        groups.for_each(|(i, sums)| add_slots(changes, sparse, i * group, sums));
    }
}

vectorised! { fn add_rows = add_rows_body<>(listed: &[u32], rows: &[i32], sums: &mut [i32]) }

/// Adds the listed rows.
#[inline(always)]
fn add_rows_body(listed: &[u32], rows: &[i32], sums: &mut [i32]) {
    let width = sums.len();
    for &row in listed {
        let row = &rows[row as usize * width..][..width];
        sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum += x);
    }
}

/// Bits of a sum.
fn bits(sum: i64) -> u32 {
    i64::BITS - sum.leading_zeros()
}

/// What changed in some rows, and where it is not zero.
pub(crate) struct Changes<'a, S> {
    rows: &'a [u32],
    numbers: &'a [S],
    width: usize,
    /// Stretches of each row's numbers that are not zero.
    stretches: Vec<Range<usize>>,
    /// Where the stretches of each row begin.
    starts: Vec<usize>,
}

impl<'a, S: Sum> Changes<'a, S> {
    pub(crate) fn new(rows: &'a [u32], numbers: &'a [S], width: usize) -> Self {
        let (mut stretches, mut starts) = (Vec::<Range<usize>>::new(), vec![0]);
        for numbers in numbers.chunks_exact(width) {
            let first = stretches.len();
            for (i, _) in numbers.iter().enumerate().filter(|(_, x)| **x != S::default()) {
                match stretches[first..].last_mut() {
                    Some(last) if i - last.end <= GAP => last.end = i + 1,
                    _ => stretches.push(i..i + 1),
                }
            }
            starts.push(stretches.len());
        }
        Self { rows, numbers, width, stretches, starts }
    }

    /// Adds a row's change to a cell.
    #[inline(always)]
    fn add(&self, i: usize, sums: &mut [S]) {
        let change = &self.numbers[i * self.width..][..self.width];
        for stretch in &self.stretches[self.starts[i]..self.starts[i + 1]] {
            let (sums, change) = (&mut sums[stretch.clone()], &change[stretch.clone()]);
            sums.iter_mut().zip(change).for_each(|(sum, &x)| *sum += x);
        }
    }

    /// Adds all to the cells of a column.
    pub(crate) fn add_column(&self, cell_of: impl Fn(usize) -> usize, sums: &mut [S]) {
        for (i, &row) in self.rows.iter().enumerate() {
            self.add(i, &mut sums[cell_of(row as usize) * self.width..][..self.width]);
        }
    }
}

vectorised! { fn add_slots = add_slots_body<>(changes: &Changes<'_, i32>, sparse: &Sparse, first: usize, sums: &mut [i32]) }

/// Adds all to the cells of slots from `first` on.
#[inline(always)]
fn add_slots_body(changes: &Changes<'_, i32>, sparse: &Sparse, first: usize, sums: &mut [i32]) {
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
