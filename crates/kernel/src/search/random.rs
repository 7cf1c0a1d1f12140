//! Random cuts: a few places of each numeric feature are tried instead of all.
//!
//! Where a region has no histogram, its rows are summed by side only: whatever the number of bins, small regions are cheap.

use crate::bins::Order;
use crate::numbers::seed::Seed;
use crate::search::accumulate::Column;
use crate::search::cells::{At, Region, Scratch, add_cell};
use crate::search::scan::{Buffers, Cells, Found, ScanInput, beats};
use crate::search::{Search, Searchable};

impl<S: Searchable> Search<'_, S> {
    /// Whether random cuts of a feature are tried, instead of all.
    pub(crate) fn is_random(&self, feature: usize) -> bool {
        self.rules.cuts > 0 && self.searcher.bins.features()[feature].order == Order::Ordered
    }

    /// The column that random cuts are counted on directly: that of a dense feature in a region without histogram.
    pub(crate) fn direct_column(&self, feature: usize, region: &Region<'_, S>) -> Option<Column<'_>> {
        Column::of(self.searcher.bins, feature).filter(|_| region.histogram.is_none())
    }

    /// The least and the largest code in a region, not counting missing values, if they differ; and where its cells are, if
    /// they have been counted.
    pub(crate) fn code_range(
        &self,
        feature: usize,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
    ) -> Option<((u32, u32), Option<At>)> {
        let missing = self.searcher.bins.features()[feature].bins;
        let (mut least, mut most) = (u32::MAX, 0);
        let mut see = |code: u32| {
            if code != missing {
                least = least.min(code);
                most = most.max(code);
            }
        };
        let at = if let Some(column) = self.direct_column(feature, region) {
            region.rows.iter().for_each(|&row| see(column.at(row)));
            None
        } else {
            let at = self.count(feature, region, scratch);
            scratch.order.iter().for_each(|&code| see(code));
            Some(at)
        };
        (least < most).then_some(((least, most), at))
    }

    /// Sums three cells into the scratch: codes up to `cut`, missing values, other codes.
    pub(crate) fn count_sides(
        &self,
        feature: usize,
        cut: u32,
        at: Option<At>,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
    ) {
        let width = self.steps.len();
        let missing = self.searcher.bins.features()[feature].bins;
        let Scratch { column, codes, order, sides, listed, gone, .. } = scratch;
        sides.clear();
        sides.resize(3 * width, S::default());
        if let Some(column) = self.direct_column(feature, region) {
            let [low, middle, high] = [0, 1, 2].map(|side| side * width..(side + 1) * width);
            let [below, above] = divide(region.rows, |row| column.at(row), cut, missing, listed, gone);
            // The smaller side is summed, and the other one is what is left.
            let (rows, summed, rest) =
                if below.len() <= above.len() { (below, low, high) } else { (above, high, low) };
            self.add_rows(gone, &mut sides[middle.clone()]);
            self.add_rows(rows, &mut sides[summed.clone()]);
            for ((rest, &total), i) in rest.zip(region.total).zip(0..) {
                let mut left = total;
                left -= sides[middle.start + i];
                left -= sides[summed.start + i];
                sides[rest] = left;
            }
        } else if let Some(at) = at {
            let sums = at.sums(region, column, codes);
            for &code in order.iter() {
                let side = if code <= cut { 0 } else { 2 - usize::from(code == missing) };
                add_cell(&mut sides[side * width..][..width], &sums[code as usize * width..][..width]);
            }
        }
    }

    /// The code of the `i`-th random cut of a feature in a region with codes from `least` to `most`.
    pub(crate) fn random_code(feature: usize, i: u32, (least, most): (u32, u32), seed: Seed) -> u32 {
        let draw = seed.part(2).part(feature as u64).part(u64::from(i));
        least + draw.below(u64::from(most - least)) as u32
    }

    pub(crate) fn best_random(
        &self,
        feature: usize,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
        buffers: &mut Buffers<S>,
    ) -> Option<Found> {
        let (range, at) = self.code_range(feature, region, scratch)?;
        let mut best: Option<Found> = None;
        for i in 0..self.rules.cuts {
            let cut = Self::random_code(feature, i, range, region.seed);
            self.count_sides(feature, cut, at, region, scratch);
            let cells = self.side_cells(region, &scratch.sides);
            let found = S::scan(self.criterion, ScanInput(cells, buffers)).0;
            if let Some(found) = found.filter(|f| best.is_none_or(|b| beats(f.score, b.score))) {
                best = Some(Found { at: cut as usize, ..found });
            }
        }
        best
    }

    /// The cells of a random cut, for a scan: that of codes up to the cut, and that of missing values behind it.
    pub(crate) fn side_cells<'b>(&'b self, region: &Region<'b, S>, sides: &'b [S]) -> Cells<'b, S> {
        let width = self.steps.len();
        let gone = &sides[width..2 * width];
        Cells {
            sums: sides,
            order: &[0],
            missing: (gone[0] != S::default()).then_some(gone),
            total: region.total,
            steps: self.steps,
            min_weight: self.rules.min_weight,
            // The one cell below the cut: a second boundary would be "missing or not", whatever the cut.
            single: true,
        }
    }
}

/// Lists rows with codes up to `cut` and rows with other codes; those with missing values go to `gone`. Without a branch for
/// the side: it cannot be foreseen.
fn divide<'a>(
    rows: &[u32],
    code: impl Fn(u32) -> u32,
    cut: u32,
    missing: u32,
    listed: &'a mut Vec<u32>,
    gone: &mut Vec<u32>,
) -> [&'a [u32]; 2] {
    gone.clear();
    listed.resize(rows.len(), 0);
    let (mut below, mut above) = (0, rows.len());
    for &row in rows {
        let code = code(row);
        if code == missing {
            gone.push(row);
            continue;
        }
        // Of the two places one is free for the next row.
        listed[below] = row;
        listed[above - 1] = row;
        let low = usize::from(code <= cut);
        below += low;
        above -= 1 - low;
    }
    let (low, rest) = listed.split_at(below);
    [low, &rest[above - below..]]
}
