//! One region of rows: what can be done with it, and its two sides once it is cut.

use std::ops::Range;

use manyboost_kernel::{Bins, Cut, Histogram, Search, Searchable, Seed, partition};

/// What all regions of a tree have in common.
pub(super) struct Ground<'a, S> {
    pub search: &'a Search<'a, S>,
    pub bins: &'a Bins,
    /// Most cuts on the way to a leaf.
    pub depth: usize,
}

impl<S> Clone for Ground<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Ground<'_, S> {}

/// A region of rows.
pub(super) struct Region<S> {
    pub rows: Range<usize>,
    pub depth: usize,
    pub total: Vec<S>,
    pub seed: Seed,
    /// What the best that can be done with the region gains: to cut it or, without a cut, to let it answer for itself.
    pub gain: Option<f64>,
}

/// A region that can be cut, with all that is needed for it.
pub(super) struct Uncut<'a, S> {
    pub cut: Cut,
    own: Own<'a, S>,
}

/// What belongs to one region and no other: its rows, as much room again, and its sums by code.
struct Own<'a, S> {
    rows: &'a mut [u32],
    spare: &'a mut [u32],
    histogram: Histogram<S>,
}

/// What is done with a region, in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its rows are divided.
    Divide,
    /// Its sides are counted.
    Count,
    /// The best cuts of its sides are found.
    Look,
}

/// A region with its cut, if it has one.
pub(super) type Looked<'a, S> = (Region<S>, Option<Uncut<'a, S>>);

/// The region of all rows.
pub(super) fn root<'a, S: Searchable>(
    ground: Ground<'_, S>,
    rows: &'a mut [u32],
    spare: &'a mut [u32],
    seed: Seed,
) -> Looked<'a, S> {
    let search = ground.search;
    let histogram = search.histogram(rows);
    let total = search.total_of(&histogram).unwrap_or_else(|| search.total(rows));
    let now = search.score(&total);
    let region = Region { rows: 0..rows.len(), depth: 0, total, seed, gain: None };
    look(search, region, Own { rows, spare, histogram }, now)
}

impl<'a, S: Searchable> Uncut<'a, S> {
    /// Divides the rows and, if it is to be searched on, finds the best cut of each side. `passed` is called after each phase.
    pub(super) fn cut(
        self,
        ground: Ground<'_, S>,
        region: &Region<S>,
        search_on: bool,
        mut passed: impl FnMut(Phase),
    ) -> (Cut, [Looked<'a, S>; 2]) {
        let Self { cut, own: Own { rows, spare, histogram } } = self;
        let search = ground.search;
        let middle = partition(ground.bins, &cut, rows, spare);
        passed(Phase::Divide);
        let length = rows.len();
        let (left, right) = rows.split_at_mut(middle);
        let (left_spare, right_spare) = spare.split_at_mut(middle);
        let left_total: Vec<S> = cut.left.iter().map(|&sum| S::from_i64(sum)).collect();
        let mut right_total = region.total.clone();
        right_total.iter_mut().zip(&left_total).for_each(|(a, &b)| *a -= b);
        let search_on = search_on && region.depth + 1 < ground.depth;
        let histograms = if search_on {
            // By weight, not by rows: several workers must agree.
            if left_total[0].to_i64() <= right_total[0].to_i64() {
                let (small, large) = search.children(histogram, left, right);
                [small, large]
            } else {
                let (small, large) = search.children(histogram, right, left);
                [large, small]
            }
        } else {
            give_back(search, histogram);
            [None, None]
        };
        passed(Phase::Count);
        let now = search_on
            .then(|| [search.side(&left_total, &right_total), search.side(&right_total, &left_total)]);
        let side = |rows: Range<usize>, total, side| Region {
            rows: region.rows.start + rows.start..region.rows.start + rows.end,
            depth: region.depth + 1,
            total,
            seed: region.seed.part(side),
            gain: None,
        };
        let (low, high) = (side(0..middle, left_total, 10), side(middle..length, right_total, 11));
        let Some([now_low, now_high]) = now else { return (cut, [(low, None), (high, None)]) };
        let [histogram, other] = histograms;
        let own = Own { rows: left, spare: left_spare, histogram };
        let others = Own { rows: right, spare: right_spare, histogram: other };
        let sides = [look(search, low, own, now_low), look(search, high, others, now_high)];
        passed(Phase::Look);
        (cut, sides)
    }

    /// The region is not cut after all.
    pub(super) fn drop(self, search: &Search<'_, S>) {
        give_back(search, self.own.histogram);
    }
}

fn give_back<S: Searchable>(search: &Search<'_, S>, histogram: Histogram<S>) {
    if let Some(histogram) = histogram {
        search.give_back(histogram);
    }
}

/// Finds the best that can be done with a region whose score is `now`.
fn look<'a, S: Searchable>(
    search: &Search<'_, S>,
    mut region: Region<S>,
    own: Own<'a, S>,
    now: f64,
) -> Looked<'a, S> {
    let alone = search.score(&region.total);
    let cut = search.best(own.rows, &region.total, &own.histogram, region.seed);
    let cut = cut.filter(|cut| gains(alone, cut.score));
    let best = cut.as_ref().map_or(alone, |cut| cut.score);
    region.gain = gains(now, best).then_some(now - best);
    if let Some(cut) = cut.filter(|_| region.gain.is_some()) {
        return (region, Some(Uncut { cut, own }));
    }
    give_back(search, own.histogram);
    (region, None)
}

/// Whether something with this score is better than nothing.
fn gains(now: f64, score: f64) -> bool {
    now - score > 1e-12 * now.abs().max(score.abs())
}
