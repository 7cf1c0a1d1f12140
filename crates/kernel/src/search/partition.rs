//! Dividing a region's rows into the two sides of a cut, keeping their order.

use rayon::prelude::*;

use crate::bins::{Bins, CodesOf};
use crate::search::cut::{Cut, Sides};
use crate::sums::channels::BLOCK;

/// A cut with everything decided: which side each code takes.
struct Router {
    low: usize,
    /// For levels: the side of each code.
    levels: Vec<bool>,
    missing: usize,
    missing_left: bool,
}

impl Router {
    fn new(bins: &Bins, cut: &Cut) -> Self {
        let missing = bins.features()[cut.feature as usize].bins as usize;
        let (low, levels) = match &cut.sides {
            Sides::AtMost { low, .. } => (*low as usize, Vec::new()),
            Sides::Levels(left) => {
                let mut levels = vec![false; missing + 1];
                for &level in left {
                    levels[level as usize] = true;
                }
                (0, levels)
            }
        };
        Self { low, levels, missing, missing_left: cut.missing_left }
    }

    #[inline(always)]
    fn left(&self, code: usize) -> bool {
        if self.levels.is_empty() || code == self.missing {
            self.is_low(code)
        } else {
            self.levels.get(code).is_some_and(|&left| left)
        }
    }

    /// [`Router::left`] of a threshold.
    #[inline(always)]
    fn is_low(&self, code: usize) -> bool {
        if code == self.missing { self.missing_left } else { code <= self.low }
    }
}

/// Reorders `rows` so that the left side of the cut comes first, each side in its old order; returns the left's length.
///
/// # Panics
/// If `spare` is shorter than `rows`, or a row does not exist: bugs of ours.
pub fn partition(bins: &Bins, cut: &Cut, rows: &mut [u32], spare: &mut [u32]) -> usize {
    let router = Router::new(bins, cut);
    match bins.codes_of(cut.feature as usize) {
        CodesOf::Bytes(codes) => {
            let code = |row: u32| usize::from(codes[row as usize]);
            if router.levels.is_empty() {
                return divide(rows, spare, |_| |row| router.is_low(code(row)));
            }
            let left: [bool; 256] = std::array::from_fn(|code| router.left(code));
            divide(rows, spare, |_| |row| left[code(row)])
        }
        CodesOf::Column(codes) => divide(rows, spare, |_| |row| router.left(codes[row as usize] as usize)),
        CodesOf::Sparse(sparse, index) => {
            let default = router.left(sparse.default_code(index) as usize);
            let differs = |slot: &usize| router.left(sparse.code_of(index, *slot) as usize) != default;
            let mut others = sparse.slots_of(index).filter(differs);
            match (others.next(), others.next()) {
                (Some(slot), None) if is_worth_walking(sparse.posting(slot), rows) => {
                    let list = sparse.posting(slot);
                    divide(rows, spare, |first| {
                        let mut listed = walk(list, first);
                        move |row| listed(row) != default
                    })
                }
                _ => divide(rows, spare, |_| |row| router.left(sparse.code(row as usize, index) as usize)),
            }
        }
    }
}

/// Whether to walk along a list of ascending rows while some rows are visited: these must ascend too, and the list must not
/// be much longer.
fn is_worth_walking(list: &[u32], rows: &[u32]) -> bool {
    let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else { return false };
    let start = list.partition_point(|&listed| listed < first);
    let between = list[start..].partition_point(|&listed| listed <= last);
    between <= 4 * rows.len() && rows.is_sorted()
}

/// Whether each of some ascending rows, from `first` on, is in a list of ascending rows.
fn walk(list: &[u32], first: u32) -> impl FnMut(u32) -> bool {
    let mut rest = list[list.partition_point(|&listed| listed < first)..].iter();
    let mut next = rest.next();
    move |row| {
        while next.is_some_and(|&listed| listed < row) {
            next = rest.next();
        }
        next == Some(&row)
    }
}

/// Moves the rows that go left to the front. `sides` gets the first row of a block, and says for it and those after it, one
/// by one, whether they go left.
fn divide<L: FnMut(u32) -> bool>(
    rows: &mut [u32],
    spare: &mut [u32],
    sides: impl Fn(u32) -> L + Sync,
) -> usize {
    let spare = &mut spare[..rows.len()];
    let block = if rows.len() < 8 * BLOCK { rows.len().max(1) } else { 4 * BLOCK };
    // Each block is divided on its own: left rows move to its front, right rows to the front of its part of `spare`. Every
    // row is written to both and one moves on: no branch to predict.
    let divide = |(rows, spare): (&mut [u32], &mut [u32])| {
        let mut left = sides(rows.first().copied().unwrap_or(0));
        let (mut lefts, mut rights) = (0, 0);
        for at in 0..rows.len() {
            let row = rows[at];
            rows[lefts] = row;
            spare[rights] = row;
            let left = usize::from(left(row));
            lefts += left;
            rights += 1 - left;
        }
        lefts
    };
    if rows.len() <= block {
        let total = divide((rows, spare));
        let rights = rows.len() - total;
        rows[total..].copy_from_slice(&spare[..rights]);
        return total;
    }
    let counts: Vec<usize> =
        rows.par_chunks_mut(block).zip(spare.par_chunks_mut(block)).map(divide).collect();
    let mut total = 0;
    for (start, &count) in (0..).step_by(block).zip(&counts) {
        rows.copy_within(start..start + count, total);
        total += count;
    }
    let mut rest = &mut rows[total..];
    for (part, count) in spare.chunks(block).zip(counts) {
        let rights = &part[..part.len() - count];
        rest.split_off_mut(..rights.len()).unwrap_or_default().copy_from_slice(rights);
    }
    total
}
