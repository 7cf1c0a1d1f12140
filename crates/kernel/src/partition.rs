//! Dividing a region's rows into the two sides of a cut, keeping their order.

use rayon::prelude::*;

use crate::accumulate::{Column, check_rows};
use crate::bins::Bins;
use crate::channels::BLOCK;
use crate::search::{Cut, Sides};

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
        if code == self.missing {
            self.missing_left
        } else if self.levels.is_empty() {
            code <= self.low
        } else {
            self.levels[code]
        }
    }
}

/// Reorders `rows` so that the left side of the cut comes first, each side in its old order; returns the left's length.
///
/// # Panics
/// If `spare` is shorter than `rows`, or a row does not exist: bugs of ours.
pub fn partition(bins: &Bins, cut: &Cut, rows: &mut [u32], spare: &mut [u32]) -> usize {
    check_rows(rows, bins.rows());
    let spare = &mut spare[..rows.len()];
    let router = Router::new(bins, cut);
    let feature = cut.feature as usize;
    let column = Column::of(bins, feature);
    let left = |row: u32| match column {
        // SAFETY: rows are checked above.
        Some(column) => router.left(unsafe { column.code(row as usize) }),
        None => router.left(bins.code(row as usize, feature) as usize),
    };
    let block = if rows.len() < 8 * BLOCK { rows.len().max(1) } else { 4 * BLOCK };
    // Each block is divided on its own, left rows to the front and right rows to the back of its part of `spare`. Every
    // row is written to both ends and one end moves on: no branch to predict. The back is then in reverse.
    let divide = |(rows, spare): (&[u32], &mut [u32])| {
        let (mut front, mut back) = (0, rows.len());
        for &row in rows {
            let left = usize::from(left(row));
            spare[front] = row;
            spare[back - 1] = row;
            front += left;
            back -= 1 - left;
        }
        spare[front..].reverse();
        front
    };
    let counts: Vec<usize> = if rows.len() <= block {
        vec![divide((rows, spare))]
    } else {
        rows.par_chunks(block).zip(spare.par_chunks_mut(block)).map(divide).collect()
    };
    let total: usize = counts.iter().sum();
    let (mut lefts, mut rights) = rows.split_at_mut(total);
    for (part, &count) in spare.chunks(block).zip(&counts) {
        let (a, b) = part.split_at(count);
        lefts.split_off_mut(..a.len()).unwrap_or_default().copy_from_slice(a);
        rights.split_off_mut(..b.len()).unwrap_or_default().copy_from_slice(b);
    }
    total
}
