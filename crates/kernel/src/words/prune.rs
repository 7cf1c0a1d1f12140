//! Words that cannot be the best cut, told by bounds in single precision.
//!
//! A word has one cut, and to score it takes two roots a label. Where sums are kept from round to round, they are kept to thirty bits
//! (`rough.rs`): half the memory, and several times as many roots a second. From these comes a bound below the score of
//! each word, and only words whose bound is not above the score of the most promising one are counted and scored: one or two
//! of thousands. So what is found is what scoring all of them would find.

use rayon::prelude::*;

use crate::bins::Place;
use crate::bins::sparse::Sparse;
use crate::numbers::cpu::vectorised;
use crate::numbers::math::pow2;
use crate::search::candidates::Candidate;
use crate::search::cells::{Region, Slots};
use crate::search::scan::TIE;
use crate::search::{Search, Searchable};
use crate::words::coarse::MOST_BITS;

/// Words whose bounds are worth a task.
const SOME: usize = 256;

/// Numbers side by side.
const LANES: usize = 8;

/// What rounding to single precision changes at most, relatively.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// Bounds below the scores of cutting off single slots.
pub trait PruneBounds: Send + Sync {
    /// Writes a bound for each slot from `first` on. `sums` are those of their channels, rounded down, and as many numbers for
    /// each slot as make whole blocks.
    fn bounds(&self, sparse: &Sparse, first: usize, sums: &[i32], bounds: &mut [f64]);
}

/// Bounds for [`LogOdds`](crate::search::score::LogOdds): 2 Σ √(W₊ W₋) over labels, of the slot and of what it leaves of the total.
pub(crate) struct LogOddsScreen {
    /// Units of W₊, then of W₋, that all rows have, rounded down.
    total: Vec<i32>,
    /// What √(units · units) of each label is worth, as a multiple of `scale`.
    worth: Vec<f32>,
    scale: f64,
}

impl LogOddsScreen {
    /// For these sums of all rows in units, rounded down, and what a unit is worth.
    pub(crate) fn new(total: Vec<i32>, steps: &[f64]) -> Self {
        let (plus, minus) = steps.split_at(steps.len() / 2);
        let worth: Vec<f64> = plus.iter().zip(minus).map(|(p, m)| 2.0 * (p * m).sqrt()).collect();
        let most = worth.iter().fold(f64::MIN_POSITIVE, |most, &x| most.max(x));
        // Of each label: units, product, root, sum of both sides, worth and its product. Then the sum over the labels.
        let roundings = 16 + worth.len().div_ceil(LANES);
        Self {
            total,
            worth: worth.iter().map(|x| (x / most) as f32).collect(),
            scale: most * (1.0 - roundings as f64 * ROUNDING),
        }
    }
}

impl PruneBounds for LogOddsScreen {
    fn bounds(&self, sparse: &Sparse, first: usize, sums: &[i32], bounds: &mut [f64]) {
        pair_bounds(self, sparse, first, sums, bounds);
    }
}

vectorised! { fn pair_bounds = pair_bounds_body<>(screen: &LogOddsScreen, sparse: &Sparse, first: usize, sums: &[i32], bounds: &mut [f64]) }

#[inline(always)]
fn pair_bounds_body(screen: &LogOddsScreen, sparse: &Sparse, first: usize, sums: &[i32], bounds: &mut [f64]) {
    let labels = screen.worth.len();
    let (total_plus, total_minus) = screen.total.split_at(labels);
    let whole = labels - labels % LANES;
    let stride = sums.len() / bounds.len();
    for (i, (cell, bound)) in sums.chunks_exact(stride).zip(bounds).enumerate() {
        // A row's number was made smaller by less than 1; no total is above the most that is taken off.
        let lost = sparse.posting(first + i).len().min(1 << MOST_BITS) as i32;
        let (plus, minus) = cell[..2 * labels].split_at(labels);
        let rows = [plus, minus, total_plus, total_minus];
        let mut lanes = [0f32; LANES];
        for at in (0..whole).step_by(LANES) {
            add_roots(&mut lanes, rows.map(|row| &row[at..at + LANES]), &screen.worth[at..at + LANES], lost);
        }
        if whole < labels {
            let mut rest = [[0; LANES]; 4];
            let mut worth = [0.0; LANES];
            rest.iter_mut()
                .zip(rows)
                .for_each(|(rest, row)| rest[..labels - whole].copy_from_slice(&row[whole..]));
            worth[..labels - whole].copy_from_slice(&screen.worth[whole..]);
            add_roots(&mut lanes, rest.each_ref().map(<[i32; LANES]>::as_slice), &worth, lost);
        }
        let [a, b, c, d, e, f, g, h] = lanes;
        *bound = screen.scale * f64::from(((a + b) + (c + d)) + ((e + f) + (g + h)));
    }
}

/// Adds the roots of some labels, both sides of the cut.
#[inline(always)]
fn add_roots(
    sums: &mut [f32; LANES],
    [plus, minus, total_plus, total_minus]: [&[i32]; 4],
    worth: &[f32],
    lost: i32,
) {
    let left = |total: i32, own: i32| (total - own - lost).max(0) as f32;
    for (i, sum) in sums.iter_mut().enumerate() {
        let rest = left(total_plus[i], plus[i]) * left(total_minus[i], minus[i]);
        *sum += worth[i] * ((plus[i] as f32 * minus[i] as f32).sqrt() + rest.sqrt());
    }
}

impl<S: Searchable> Search<'_, S> {
    /// Leaves those features among which the best cut of a region is, without the words that their bounds rule out. The most
    /// promising word is scored and left out too.
    pub(crate) fn screen(&self, features: &mut Vec<u32>, region: &Region<'_, S>) -> Option<Candidate> {
        let Slots::OnDemand { weights, rough } = region.slots else { return None };
        let total: Vec<i64> = region.total[1..].iter().map(|sum| sum.to_i64()).collect();
        let steps = self.steps[1..].iter().zip(&rough.shifts);
        let steps: Vec<f64> = steps.map(|(step, &shift)| step * pow2(shift as i32)).collect();
        let screen = self.criterion.screen(rough.units(&total).collect(), &steps)?;
        let sparse = self.searcher.sparse();
        let mut bounds = vec![0.0; sparse.slots()];
        let groups =
            rough.sums.par_chunks(SOME * rough.stride()).zip(bounds.par_chunks_mut(SOME)).enumerate();
        groups.for_each(|(group, (sums, bounds))| screen.bounds(sparse, group * SOME, sums, bounds));
        let (least, all) = (self.rules.min_weight.max(1), region.total[0].to_i64());
        let allowed = |&(slot, _): &(usize, u32)| weights[slot] >= least && all - weights[slot] >= least;
        let (_, feature) = features
            .iter()
            .filter_map(|&feature| Some((self.slot_of_word(feature)?, feature)))
            .filter(allowed)
            .min_by(|a, b| bounds[a.0].total_cmp(&bounds[b.0]))?;
        let mut scratch = self.searcher.scratch.take();
        let found = self.boundary_of(feature as usize, region, &mut scratch);
        self.searcher.scratch.give(scratch);
        let found = found?;
        // Far more than the ties of scores.
        let most = found.score + 1e3 * TIE * found.score.abs();
        let may_win = |other: u32| self.slot_of_word(other).is_none_or(|slot| bounds[slot] <= most);
        features.retain(|&other| other != feature && may_win(other));
        Some(Candidate { feature, found })
    }

    /// The slot of a feature that has but one.
    fn slot_of_word(&self, feature: u32) -> Option<usize> {
        let Place::Sparse(index) = self.searcher.bins.place(feature as usize) else { return None };
        let slots = self.searcher.sparse().slots_of(index as usize);
        (slots.len() == 1).then_some(slots.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::sparse::SparseBuilder;
    use crate::numbers::seed::Seed;
    use crate::search::score::{LogOdds, Score};

    #[test]
    fn bounds_are_below_scores_and_near() {
        let seed = Seed::new(7);
        for labels in [1, 3, 8, 21] {
            let draw = |part: u64, i: usize| seed.part(part).part(i as u64).unit();
            let steps: Vec<f64> = (0..2 * labels).map(|c| (8.0 * draw(0, c)).exp2()).collect();
            let total: Vec<i64> = (0..2 * labels).map(|c| (15.0 + 15.0 * draw(1, c)).exp2() as i64).collect();
            // Half of the numbers are nothing of the total or all of it.
            let shares: Vec<f64> =
                (0..2 * labels).map(|c| (2.0 * draw(2, c) - 0.5).clamp(0.0, 1.0)).collect();
            let cell: Vec<i64> =
                total.iter().zip(&shares).map(|(&sum, share)| (sum as f64 * share) as i64).collect();
            let mut builder = SparseBuilder::default();
            builder.push(2, 0, &[(0, 1), (2, 1)]);
            let sparse = builder.finish(3);
            // Two rows were rounded down, by not quite 1 each.
            let rough: Vec<i32> = cell.iter().map(|&x| (x - 1).max(0) as i32).collect();
            let screen = LogOddsScreen::new(total.iter().map(|&x| x as i32).collect(), &steps);
            let mut bound = [0.0];
            screen.bounds(&sparse, 0, &rough, &mut bound);
            let side = |units: &dyn Fn(usize) -> i64| -> Vec<f64> {
                let channels = (0..2 * labels).map(|c| units(c) as f64 * steps[c]);
                std::iter::once(2.0).chain(channels).collect()
            };
            let score = LogOdds.pair(&side(&|c| cell[c]), &side(&|c| total[c] - cell[c]));
            let whole = LogOdds.score(&side(&|c| total[c]));
            assert!(bound[0] <= score, "{labels} labels: {} above {score}", bound[0]);
            assert!(bound[0] >= score - 1e-2 * whole, "{labels} labels: {} far below {score}", bound[0]);
        }
    }
}
