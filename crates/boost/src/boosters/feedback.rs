//! Crucial pairs of one's own for [`mr`](super::mr): what a row's class asks of any two labels, as in Freund, Iyer, Schapire & Singer (2003).
//!
//! Schapire & Singer (1999), section 9, ranks the labels that a row has above all others. Here a user says by costs what is to be above
//! what: where the class y is true, l₁ belongs above l₀ if c(y, l₁) < c(y, l₀), and such a pair counts as much as they differ:
//!
//! ```text
//! D₁(i, l₀, l₁) = (c(yᵢ, l₀) − c(yᵢ, l₁))₊ / (mᵢ Σ (c(yᵢ, l₀) − c(yᵢ, l₁))₊),   D ← D exp(½ α (h(xᵢ, l₀) − h(xᵢ, l₁)))
//! r = ½ Σ D (h(xᵢ, l₁) − h(xᵢ, l₀)),   Z = W₀ + W₋ exp(α) + W₊ exp(−α)
//! ```
//!
//! with the mᵢ rows that have a pair. Such D are no products of one weight for each label (29), so all sums are over pairs. The share of pairs in the wrong order, by D₁,
//! is at most ∏ Z (Theorem 6 holds for any D₁). If the own class is cheaper than each other one, a wrong answer has one pair in the wrong order at least: its share
//! of the row bounds the error. Equal costs make it AdaBoost.MR.

use manyboost_data::Labels;
use manyboost_kernel::numbers::math::{exp, ln};

use super::fill_blocks;
use super::mr::MOST_LABELS;
use crate::evaluate::costs::{CostMatrix, Costs};
use crate::spec::booster::{FittedHypothesis, RoundState};

/// A pair of labels that a class puts in order, and its share of all that the class does.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair {
    below: usize,
    above: usize,
    share: f64,
}

/// The pairs of each class.
pub(super) struct Pairs(Vec<Vec<Pair>>);

impl Pairs {
    /// For the classes that rows have; none if the costs do not fit them, which is refused before training.
    pub(super) fn new(costs: &Costs, labels: &Labels) -> Option<Self> {
        let (Labels::Classes { names, .. }, k) = (labels, labels.classes()) else { return None };
        let costs = costs.matrix(names).ok().filter(|_| k <= MOST_LABELS)?;
        Some(Self((0..k).map(|y| Self::of_class(&costs, y, k)).collect()))
    }

    fn of_class(costs: &CostMatrix, y: usize, k: usize) -> Vec<Pair> {
        let costs = costs.of(y);
        // The dearest answer costs 1 here: no difference overflows.
        let most = costs.iter().fold(f64::MIN_POSITIVE, |most, &cost| most.max(cost));
        let pairs = (0..k).flat_map(|below| (0..k).map(move |above| (below, above)));
        let worth = |(below, above)| Pair { below, above, share: (costs[below] - costs[above]) / most };
        let pairs: Vec<Pair> = pairs.map(worth).filter(|pair| pair.share > 0.0).collect();
        let all: f64 = pairs.iter().map(|pair| pair.share).sum();
        pairs.into_iter().map(|pair| Pair { share: pair.share / all, ..pair }).collect()
    }

    /// How many wrong answers the share of pairs in the wrong order stands for at most; none if a wrong answer may break no pair.
    pub(super) fn mistakes(&self) -> Option<f64> {
        let own = |y: usize, l: usize| {
            let broken = self.0[y].iter().find(|pair| pair.below == l && pair.above == y);
            broken.map_or(0.0, |pair| pair.share)
        };
        let k = self.0.len();
        let wrong = (0..k).flat_map(|y| (0..k).filter(move |&l| l != y).map(move |l| (y, l)));
        let least = wrong.map(|(y, l)| own(y, l)).fold(1.0, f64::min);
        (least > 0.0).then_some(1.0 / least)
    }

    /// The largest exponent of a pair of any row; −∞ where there is no pair.
    fn heaviest(&self, now: &RoundState<'_>) -> f64 {
        let y = now.classes();
        now.totals.max(|i| {
            let (f, pairs) = (now.scores.row(i), &self.0[y[i] as usize]);
            pairs.iter().fold(f64::NEG_INFINITY, |most, pair| most.max(0.5 * (f[pair.below] - f[pair.above])))
        })
    }

    /// Writes the channels, what +1 costs for each label, of all rows; gives the sum of D and the loss.
    pub(super) fn channels(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> (f64, f64) {
        let (y, k, heaviest) = (now.classes(), now.scores.width(), self.heaviest(now));
        let weights = fill_blocks(now.scores, k, channels, &|first, scores, channels, weights| {
            let rows = scores.chunks_exact(k).zip(channels.chunks_exact_mut(k)).zip(weights).zip(&y[first..]);
            for (((f, c), weight), &y) in rows {
                c.fill(0.0);
                for pair in &self.0[y as usize] {
                    let d = pair.share * exp(0.5 * (f[pair.below] - f[pair.above]) - heaviest);
                    c[pair.below] += 0.5 * d;
                    c[pair.above] -= 0.5 * d;
                    *weight += d;
                }
            }
        });
        let [norm] = now.totals.sums_within([1.0], |i| [weights[i]]);
        let ranked = now.totals.count(|i| u32::from(!self.0[y[i] as usize].is_empty()));
        (norm, if norm > 0.0 { exp(heaviest + ln(norm / ranked)) } else { 0.0 })
    }

    /// W₊ and W₋ of a hypothesis, times the sum of D.
    pub(super) fn ordered(&self, now: &RoundState<'_>, fit: &FittedHypothesis) -> [f64; 2] {
        let (y, k, heaviest, answers) =
            (now.classes(), now.scores.width(), self.heaviest(now), fit.numbers());
        now.totals.sums_within([1.0; 2], |i| {
            let (f, h) = (now.scores.row(i), &answers[fit.cell_of[i] as usize * k..][..k]);
            let mut sums = [0.0; 2];
            for pair in self.0[y[i] as usize].iter().filter(|pair| h[pair.above] != h[pair.below]) {
                let d = pair.share * exp(0.5 * (f[pair.below] - f[pair.above]) - heaviest);
                sums[usize::from(h[pair.above] < h[pair.below])] += d;
            }
            sums
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(values: &[f64]) -> Pairs {
        let costs = CostMatrix::new(3, values.to_vec());
        Pairs((0..3).map(|y| Pairs::of_class(&costs, y, 3)).collect())
    }

    #[test]
    fn dearer_answers_belong_below_cheaper_ones() {
        let graded = pairs(&[0.0, 1.0, 3.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
        let of = |below, above, share| Pair { below, above, share };
        assert_eq!(graded.0[0], [of(1, 0, 1.0 / 6.0), of(2, 0, 0.5), of(2, 1, 1.0 / 3.0)]);
        assert_eq!(graded.0[1], [of(0, 1, 0.5), of(2, 1, 0.5)]);
        assert_eq!(graded.0[2], []);
        assert_eq!(graded.mistakes(), None);
        assert_eq!(pairs(&[0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]).mistakes(), Some(2.0));
        let dear = pairs(&[0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]).mistakes().unwrap();
        assert!((dear - 6.0).abs() < 1e-12);
    }
}
