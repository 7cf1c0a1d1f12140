//! One region of rows: what can be done with it, and its two sides once it is cut.

use std::ops::Range;

use manyboost_kernel::{Bins, Cut, Family, Histogram, Search, Searchable, Seed, Sought, partition};
use rayon::prelude::*;

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
    let own = Own { rows, spare, histogram };
    let cut = search.best_of(&[region.sought(&own)]).pop().flatten();
    judge(search, region, own, now, cut)
}

/// A region whose rows are divided.
struct Divided<'a, S> {
    cut: Cut,
    sides: [Side<'a, S>; 2],
    /// Whether the sides are to be searched, and if so, with what histogram of both.
    search_on: Option<Histogram<S>>,
}

/// One side of a cut.
struct Side<'a, S> {
    region: Region<S>,
    own: Own<'a, S>,
    now: f64,
}

impl<'a, S: Searchable> Uncut<'a, S> {
    /// Divides the rows.
    fn divide(self, ground: Ground<'_, S>, region: &Region<S>, search_on: bool) -> Divided<'a, S> {
        let Self { cut, own: Own { rows, spare, histogram } } = self;
        let search = ground.search;
        let middle = partition(ground.bins, &cut, rows, spare);
        let length = rows.len();
        let (left, right) = rows.split_at_mut(middle);
        let (left_spare, right_spare) = spare.split_at_mut(middle);
        let left_total: Vec<S> = cut.left.iter().map(|&sum| S::from_i64(sum)).collect();
        let mut right_total = region.total.clone();
        right_total.iter_mut().zip(&left_total).for_each(|(a, &b)| *a -= b);
        let search_on = if search_on && region.depth + 1 < ground.depth {
            Some(histogram)
        } else {
            give_back(search, histogram);
            None
        };
        let now = |own: &[S], other: &[S]| search_on.as_ref().map_or(0.0, |_| search.side(own, other));
        let [now_left, now_right] = [now(&left_total, &right_total), now(&right_total, &left_total)];
        let side = |rows: Range<usize>, total, side| Region {
            rows: region.rows.start + rows.start..region.rows.start + rows.end,
            depth: region.depth + 1,
            total,
            seed: region.seed.part(side),
            gain: None,
        };
        let own = |rows, spare| Own { rows, spare, histogram: None };
        let left =
            Side { region: side(0..middle, left_total, 10), own: own(left, left_spare), now: now_left };
        let right = Side {
            region: side(middle..length, right_total, 11),
            own: own(right, right_spare),
            now: now_right,
        };
        Divided { cut, sides: [left, right], search_on }
    }

    /// The region is not cut after all.
    pub(super) fn drop(self, search: &Search<'_, S>) {
        give_back(search, self.own.histogram);
    }
}

/// Cuts some regions: divides their rows and, where they are to be searched on, finds the best cut of each side. `passed` is
/// called after each phase.
pub(super) fn cut<'a, S: Searchable>(
    ground: Ground<'_, S>,
    regions: Vec<(Uncut<'a, S>, &Region<S>, bool)>,
    mut passed: impl FnMut(Phase),
) -> Vec<(Cut, [Looked<'a, S>; 2])> {
    let divide = |(uncut, region, search_on): (Uncut<'a, S>, &Region<S>, bool)| {
        uncut.divide(ground, region, search_on)
    };
    let mut divided: Vec<Divided<'a, S>> = if regions.len() == 1 {
        regions.into_iter().map(divide).collect()
    } else {
        regions.into_par_iter().with_max_len(1).map(divide).collect()
    };
    passed(Phase::Divide);
    count(ground.search, &mut divided);
    passed(Phase::Count);
    let mut sought = Vec::new();
    for Divided { sides, search_on, .. } in &divided {
        sought.extend(sides.iter().filter(|_| search_on.is_some()).map(|side| side.region.sought(&side.own)));
    }
    let mut cuts = ground.search.best_of(&sought).into_iter();
    let looked = divided.into_iter().map(|Divided { cut, sides, search_on }| {
        let sides = sides.map(|Side { region, own, now }| match search_on {
            Some(_) => judge(ground.search, region, own, now, cuts.next().flatten()),
            None => (region, None),
        });
        (cut, sides)
    });
    let looked = looked.collect();
    passed(Phase::Look);
    looked
}

/// Gives the sides of regions their histograms.
fn count<S: Searchable>(search: &Search<'_, S>, divided: &mut [Divided<'_, S>]) {
    // By weight, not by rows: several workers must agree.
    let lighter = |[left, right]: &[Side<'_, S>; 2]| {
        usize::from(left.region.total[0].to_i64() > right.region.total[0].to_i64())
    };
    let families = divided.iter_mut().filter_map(|Divided { sides, search_on, .. }| {
        let parent = search_on.as_mut()?.take();
        let lighter = lighter(sides);
        Some(Family { parent, smaller: sides[lighter].own.rows, larger: sides[1 - lighter].own.rows })
    });
    let mut children = search.children_of(families.collect()).into_iter();
    for Divided { sides, .. } in divided.iter_mut().filter(|divided| divided.search_on.is_some()) {
        let Some([small, large]) = children.next() else { break };
        let lighter = lighter(sides);
        sides[lighter].own.histogram = small;
        sides[1 - lighter].own.histogram = large;
    }
}

impl<S> Region<S> {
    /// The region with what is known of it, to be searched.
    fn sought<'b>(&'b self, own: &'b Own<'_, S>) -> Sought<'b, S> {
        Sought { rows: own.rows, total: &self.total, histogram: &own.histogram, seed: self.seed }
    }
}

fn give_back<S: Searchable>(search: &Search<'_, S>, histogram: Histogram<S>) {
    if let Some(histogram) = histogram {
        search.give_back(histogram);
    }
}

/// Says what can be done with a region whose score is `now`, given its best cut.
fn judge<'a, S: Searchable>(
    search: &Search<'_, S>,
    mut region: Region<S>,
    own: Own<'a, S>,
    now: f64,
    cut: Option<Cut>,
) -> Looked<'a, S> {
    let alone = search.score(&region.total);
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
