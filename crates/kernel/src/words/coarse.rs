//! Sums of slots to thirty bits, rounded down: enough to tell which words cannot be the best cut.
//!
//! Each channel has a unit of its own: a power of two of exact ones. Every row's numbers are rounded down before
//! they are added, so that what changes in a row can be taken out again, and sums are never too large; they are too small by
//! less than one for each row.

use rayon::prelude::*;

use crate::bins::sparse::Sparse;
use crate::numbers::cpu::vectorised;

/// Most bits of a sum of all rows.
pub(crate) const MOST_BITS: u32 = 30;

/// Bits of a sum of all rows when units are chosen: it may grow before all is counted again.
const BITS: u32 = 28;

/// With fewer bits, finer units are worth counting again.
const LEAST_BITS: u32 = 22;

/// Numbers that lie together in memory; changes are zero for all of them, or are added for all.
const BLOCK: usize = 16;

/// Rows or slots that are worth a task.
const SOME: usize = 256;

/// Sums of the channels of each slot.
#[derive(Debug, Default)]
pub(crate) struct CoarseSums {
    /// Bits of exact numbers that are left out, in each channel.
    pub(crate) shifts: Vec<u32>,
    /// Slot after slot, whole blocks each.
    pub(crate) sums: Vec<i32>,
}

impl CoarseSums {
    /// Exact numbers in units, rounded down.
    pub(crate) fn units<'a>(&'a self, exact: &'a [i64]) -> impl Iterator<Item = i32> + 'a {
        exact.iter().zip(&self.shifts).map(|(&x, &shift)| units(x, shift))
    }

    /// Makes the new cell of a row the change from its old one, and writes what changes in units.
    pub(crate) fn change(&self, new: &mut [i64], old: &[i64], units: &mut [i32]) {
        change(&self.shifts, new, old, units);
    }

    /// Numbers of a slot, or of a row: whole blocks.
    pub(crate) fn stride(&self) -> usize {
        self.shifts.len().next_multiple_of(BLOCK)
    }

    /// Counts all rows, whose exact cells these are, in units that suit these sums of theirs.
    pub(crate) fn count(&mut self, sparse: &Sparse, cells: &[i64], total: &[i64]) {
        self.shifts = vec![u32::MAX; total.len()];
        self.sums.clear();
        self.sums.resize(sparse.slots() * self.stride(), 0);
        self.adjust(sparse, cells, total);
    }

    /// Counts all rows again where units no longer suit.
    pub(crate) fn adjust(&mut self, sparse: &Sparse, cells: &[i64], total: &[i64]) {
        let (width, stride) = (total.len() + 1, self.stride());
        for (block, (total, shifts)) in total.chunks(BLOCK).zip(self.shifts.chunks_mut(BLOCK)).enumerate() {
            if total.iter().zip(&*shifts).all(|(&sum, &shift)| suits(sum, shift)) {
                continue;
            }
            shifts.iter_mut().zip(total).for_each(|(shift, &sum)| *shift = bits(sum).saturating_sub(BITS));
            let mut rows = vec![[0; BLOCK]; cells.len() / width];
            let each = rows.par_iter_mut().zip(cells.par_chunks_exact(width)).with_min_len(SOME);
            each.for_each(|(row, cell)| {
                let numbers = row.iter_mut().zip(&cell[1 + block * BLOCK..]).zip(&*shifts);
                numbers.for_each(|((q, &x), &shift)| *q = units(x, shift));
            });
            let slots = self.sums.par_chunks_exact_mut(stride).enumerate().with_min_len(SOME);
            slots.for_each(|(slot, sums)| {
                sums[block * BLOCK..][..BLOCK].copy_from_slice(&sum_rows(sparse.posting(slot), &rows));
            });
        }
    }

    /// Adds what changed in some rows, in so many parts side by side.
    pub(crate) fn add(&mut self, sparse: &Sparse, rows: &[u32], changes: &[i32], parts: usize) {
        let stride = self.stride();
        let changes = Marked::new(rows, changes, stride);
        let group = sparse.slots().div_ceil(parts).max(1);
        let groups = self.sums.par_chunks_mut(group * stride).enumerate();
        groups.for_each(|(i, sums)| add_slots(&changes, sparse, i * group, sums));
    }
}

vectorised! { fn sum_rows = sum_rows_body<>(listed: &[u32], rows: &[[i32; BLOCK]]) -> [i32; BLOCK] }

/// The sums of the listed rows.
#[inline(always)]
fn sum_rows_body(listed: &[u32], rows: &[[i32; BLOCK]]) -> [i32; BLOCK] {
    let mut sums = [0; BLOCK];
    for &row in listed {
        sums.iter_mut().zip(&rows[row as usize]).for_each(|(sum, x)| *sum += x);
    }
    sums
}

vectorised! { fn change = change_body<>(shifts: &[u32], new: &mut [i64], old: &[i64], change: &mut [i32]) }

#[inline(always)]
fn change_body(shifts: &[u32], new: &mut [i64], old: &[i64], change: &mut [i32]) {
    for (((change, &new), &old), &shift) in change.iter_mut().zip(&new[1..]).zip(&old[1..]).zip(shifts) {
        *change = units(new, shift).wrapping_sub(units(old, shift));
    }
    new.iter_mut().zip(old).for_each(|(new, old)| *new -= old);
}

/// An exact number in units, rounded down.
#[inline(always)]
fn units(exact: i64, shift: u32) -> i32 {
    (exact as u64 >> shift) as i32
}

/// Whether units suit a sum of all rows.
fn suits(sum: i64, shift: u32) -> bool {
    shift < u32::MAX && bits(sum) <= MOST_BITS + shift && (shift == 0 || bits(sum) >= LEAST_BITS + shift)
}

/// Bits of a sum.
fn bits(sum: i64) -> u32 {
    i64::BITS - sum.leading_zeros()
}

/// What changed in some rows, with marks where it is not zero.
struct Marked<'a> {
    rows: &'a [u32],
    numbers: &'a [[i32; BLOCK]],
    /// Blocks of a row.
    blocks: usize,
    /// The blocks of each row that are not zero.
    changed: Vec<u32>,
    /// Where those of each row begin.
    starts: Vec<usize>,
}

impl<'a> Marked<'a> {
    fn new(rows: &'a [u32], numbers: &'a [i32], stride: usize) -> Self {
        let (numbers, _) = numbers.as_chunks();
        let (blocks, mut changed, mut starts) = (stride / BLOCK, Vec::new(), vec![0]);
        for row in numbers.chunks_exact(blocks) {
            let differs = |block: &[i32; BLOCK]| block.iter().fold(0, |any, x| any | x) != 0;
            changed.extend((0..).zip(row).filter(|(_, block)| differs(block)).map(|(i, _)| i));
            starts.push(changed.len());
        }
        Self { rows, numbers, blocks, changed, starts }
    }

    /// Adds the change of the `i`th row to a slot.
    #[inline(always)]
    fn add(&self, i: usize, sums: &mut [[i32; BLOCK]]) {
        let row = &self.numbers[i * self.blocks..][..self.blocks];
        for &block in &self.changed[self.starts[i]..self.starts[i + 1]] {
            let (sums, row) = (&mut sums[block as usize], &row[block as usize]);
            // Where units do not suit any more, all is counted again.
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
        }
    }
}

vectorised! { fn add_slots = add_slots_body<>(changes: &Marked<'_>, sparse: &Sparse, first: usize, sums: &mut [i32]) }

/// Adds all to the slots from `first` on.
#[inline(always)]
fn add_slots_body(changes: &Marked<'_>, sparse: &Sparse, first: usize, sums: &mut [i32]) {
    let (sums, _) = sums.as_chunks_mut();
    let end = first + sums.len() / changes.blocks;
    for (i, &row) in changes.rows.iter().enumerate() {
        let slots = sparse.row(row as usize);
        let from = slots.partition_point(|&slot| (slot as usize) < first);
        for &slot in slots[from..].iter().take_while(|&&slot| (slot as usize) < end) {
            changes.add(i, &mut sums[(slot as usize - first) * changes.blocks..][..changes.blocks]);
        }
    }
}
