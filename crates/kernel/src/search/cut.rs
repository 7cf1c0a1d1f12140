//! A cut: which codes of a feature go left.

use crate::bins::{Bins, Order};
use crate::search::candidates::Candidate;
use crate::search::cells::{Region, add_cell};
use crate::search::scan::Found;
use crate::search::{Search, Searchable};

/// Which codes of a feature go left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Codes up to `low`; `high` is the next one that occurs in the region, if any. (A random cut is drawn from all codes
    /// between the region's least and largest: there, `high` is `low + 1`, and neither need occur.)
    AtMost {
        /// The last code on the left.
        low: u32,
        /// The first code on the right.
        high: Option<u32>,
    },
    /// These levels, ascending.
    Levels(Vec<u32>),
}

/// A cut of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The feature.
    pub feature: u32,
    /// Which codes go left.
    pub sides: Sides,
    /// Whether missing values go left; where the region has none, the heavier side takes them.
    pub missing_left: bool,
    /// The sums of the left side.
    pub left: Vec<i64>,
    /// The score of both sides.
    pub score: f64,
}

impl Cut {
    /// The side of one row.
    pub fn goes_left(&self, bins: &Bins, row: usize) -> bool {
        let code = bins.code(row, self.feature as usize);
        if code == bins.features()[self.feature as usize].bins {
            return self.missing_left;
        }
        match &self.sides {
            Sides::AtMost { low, .. } => code <= *low,
            Sides::Levels(levels) => levels.binary_search(&code).is_ok(),
        }
    }
}

impl<S: Searchable> Search<'_, S> {
    /// The cut that a candidate stands for.
    pub(crate) fn cut(&self, Candidate { feature, found }: Candidate, region: &Region<'_, S>) -> Cut {
        let (index, width) = (feature as usize, self.steps.len());
        let mut scratch = self.searcher.scratch.take();
        let mut left = vec![S::default(); width];
        let sides = if self.is_random(index) {
            let low = found.at as u32;
            if let Some(lane) = self.random_lane(index, region) {
                self.count_lane(lane, low, region, &mut scratch);
            } else {
                let direct = self.direct_column(index, region).is_some();
                let at = (!direct).then(|| self.count(index, region, &mut scratch));
                self.count_sides(index, low, at, region, &mut scratch);
            }
            for cell in scratch.sides.chunks_exact(width).take(1 + usize::from(found.missing_left)) {
                add_cell(&mut left, cell);
            }
            Sides::AtMost { low, high: Some(low + 1) }
        } else {
            let at = self.prepare(index, region, &mut scratch);
            let cells = self.cells(index, at, region, &scratch);
            let first = if cells.single { found.at } else { 0 };
            for &code in &cells.order[first..=found.at] {
                add_cell(&mut left, &cells.sums[code as usize * width..][..width]);
            }
            if let Some(missing) = cells.missing.filter(|_| found.missing_left) {
                add_cell(&mut left, missing);
            }
            let sides = self.sides(index, found, &scratch.order);
            self.release(at, &mut scratch);
            sides
        };
        self.searcher.scratch.give(scratch);
        let left = left.into_iter().map(S::to_i64).collect();
        Cut { feature, sides, missing_left: found.missing_left, left, score: found.score }
    }

    fn sides(&self, feature: usize, found: Found, order: &[u32]) -> Sides {
        let spec = self.searcher.bins.features()[feature];
        let (left, right) = order.split_at(found.at + 1);
        match spec.order {
            Order::Ordered => Sides::AtMost { low: left[found.at], high: right.first().copied() },
            Order::Nominal if self.rules.equality => Sides::Levels(vec![left[found.at]]),
            // Levels that are not in the order (thin, or absent from this region) go with the missing values.
            Order::Nominal if found.missing_left => {
                let mut goes_left = vec![true; spec.bins as usize];
                for &level in right {
                    goes_left[level as usize] = false;
                }
                Sides::Levels((0..spec.bins).filter(|&level| goes_left[level as usize]).collect())
            }
            Order::Nominal => {
                let mut levels = left.to_vec();
                levels.sort_unstable();
                Sides::Levels(levels)
            }
        }
    }
}
