//! What split search minimises: the score of a region, as a function of its summed channels.
//!
//! `sums[0]` is always the region's weight; the rest is what the channels mean. Scores add up over regions (unless
//! [`Score::pair`] says otherwise) and lower is better. Each is one small type; loops over cuts are compiled for each, so
//! nothing is looked up inside.

use crate::numbers::lanes::{smallest, sum_by, sum_of_pairs};
use crate::words::prune::{LogOddsScreen, PruneBounds};

/// The score of a region.
pub trait Score: Send + Sync {
    /// Whether the scan has code of its own for every usual number of sums: faster, and much more code.
    const BY_WIDTH: bool = true;

    /// Lower is better; scores of disjoint regions add up.
    fn score(&self, sums: &[f64]) -> f64;

    /// The score of both sides of a cut: their sum, unless one side's answer depends on the other's.
    #[inline(always)]
    fn pair(&self, low: &[f64], high: &[f64]) -> f64 {
        self.score(low) + self.score(high)
    }

    /// The score of one side of a cut, given the other: its own, unless its answer depends on the other's.
    #[inline(always)]
    fn side(&self, own: &[f64], _other: &[f64]) -> f64 {
        self.score(own)
    }

    /// The lists, where scans have a faster way with the same bits: see [`Listed`].
    fn lists(&self) -> Option<&Listed> {
        None
    }

    /// Bounds below the scores of cutting off single slots, if there are quick ones: for these units of all rows' channels,
    /// rounded down, and what a unit is worth.
    fn screen(&self, _total: Vec<i32>, _steps: &[f64]) -> Option<Box<dyn PruneBounds>> {
        None
    }
}

/// Channels are the costs of the possible answers: the region takes the cheapest.
#[derive(Clone, Copy, Debug)]
pub struct LeastCost;

impl Score for LeastCost {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        smallest(&sums[1..])
    }
}

/// Channels are (minus) class weights: Gini impurity, the chance that two draws from the region differ.
#[derive(Clone, Copy, Debug)]
pub struct Gini;

impl Score for Gini {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let (all, squares) = (sum_by(&sums[1..], |x| x).abs(), sum_by(&sums[1..], |x| x * x));
        if all > 0.0 { all - squares / all } else { 0.0 }
    }
}

/// Channels are (minus) class weights: entropy, as C4.5's information gain has it.
#[derive(Clone, Copy, Debug)]
pub struct Entropy;

impl Score for Entropy {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let plain = |x: f64| if x > 0.0 { x * crate::numbers::math::ln(x) } else { 0.0 };
        plain(sum_by(&sums[1..], f64::abs)) - sum_by(&sums[1..], |x| plain(x.abs()))
    }
}

/// Channels are one curvature, then a gradient vector: what a Newton step in the region gains.
#[derive(Clone, Copy, Debug)]
pub struct Newton {
    /// Added to the curvature, so that thin regions do not win by accident.
    pub ridge: f64,
}

impl Score for Newton {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let curvature = sums[1] + self.ridge;
        if curvature > 0.0 { -sum_by(&sums[2..], |g| g * g) / curvature } else { 0.0 }
    }
}

/// Channels are costs of the answer +1, and −1 costs the opposite: the region takes the better sign for each.
#[derive(Clone, Copy, Debug)]
pub struct Signs;

impl Score for Signs {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        -sum_by(&sums[1..], f64::abs)
    }
}

/// Channels are costs of the answer +1, as for [`Signs`]; the region takes +1 for one of them and −1 for all others.
#[derive(Clone, Copy, Debug)]
pub struct OneSign;

impl Score for OneSign {
    const BY_WIDTH: bool = false;

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        2.0 * smallest(&sums[1..]) - sum_by(&sums[1..], |x| x)
    }
}

/// Channels are costs of the answer +1, as for [`Signs`]; the sides of a cut answer with a vector of signs and its opposite. A
/// region that is not cut takes the better sign for each.
#[derive(Clone, Copy, Debug)]
pub struct Factored;

impl Score for Factored {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        Signs.score(sums)
    }

    #[inline(always)]
    fn pair(&self, low: &[f64], high: &[f64]) -> f64 {
        -sum_of_pairs(&low[1..], &high[1..], |a, b| (a - b).abs())
    }

    #[inline(always)]
    fn side(&self, own: &[f64], other: &[f64]) -> f64 {
        // Where both sides cost the same, either sign makes the same of them together.
        -sum_of_pairs(&own[1..], &other[1..], |a, b| if a < b { -a } else { a })
    }
}

/// Channels are the weights for +1, then those for −1, of each label: the normaliser 2 Σ √(W₊ W₋) after the best answers.
#[derive(Clone, Copy, Debug)]
pub struct LogOdds;

impl Score for LogOdds {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let (plus, minus) = sums[1..].split_at(sums.len() / 2);
        2.0 * sum_of_pairs(plus, minus, |p, q| (p * q).sqrt())
    }

    fn screen(&self, total: Vec<i32>, steps: &[f64]) -> Option<Box<dyn PruneBounds>> {
        Some(Box::new(LogOddsScreen::new(total, steps)))
    }
}

/// Channels are the weights W₊ and W₋ for +1 and −1; a region answers with one of them or abstains, and all that answer do
/// so with one confidence: the normaliser W₀ + 2 √(W right · W wrong).
#[derive(Clone, Copy, Debug)]
pub struct Abstain;

impl Score for Abstain {
    const BY_WIDTH: bool = false;

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        2.0 * (sums[1] * sums[2]).sqrt()
    }

    #[inline(always)]
    fn pair(&self, low: &[f64], high: &[f64]) -> f64 {
        let ordered = |a: f64, b: f64| if a > b { (a, b) } else { (b, a) };
        let ((a, b), (c, d)) = (ordered(low[1], low[2]), ordered(high[1], high[2]));
        let both = 2.0 * ((a + c) * (b + d)).sqrt();
        let (one, other) = (c + d + self.score(low), a + b + self.score(high));
        let least = if one < both { one } else { both };
        if other < least { other } else { least }
    }
}

/// Channels are residuals: what their mean explains, in squares.
#[derive(Clone, Copy, Debug)]
pub struct LeastSquares;

impl Score for LeastSquares {
    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        if sums[0] > 0.0 { -sum_by(&sums[1..], |g| g * g) / sums[0] } else { 0.0 }
    }
}

/// Channels are (minus) class weights, apart for each list of classes that rows may be given: the region orders the classes by
/// their weight in all of it, and every row takes the first one on its list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Classes on a list.
    length: usize,
    /// The class of each channel: list after list, each ascending.
    class_of: Vec<u32>,
    /// The lists, a bit for each class.
    lists: Vec<u64>,
    /// No class on them has this number or a larger one.
    classes: usize,
    /// For each class the lists that it is on, a bit for each.
    with: Vec<Vec<u64>>,
}

impl Listed {
    /// No class may have a larger number, so that weights need no memory of their own.
    pub const MOST_CLASSES: usize = 62;

    /// For lists of so many classes; `class_of` has the class of each channel, list after list.
    ///
    /// # Panics
    /// If a class is out of range or a list is not whole: a bug of ours.
    pub fn new(length: usize, class_of: Vec<u32>) -> Self {
        assert!(length > 0 && class_of.len().is_multiple_of(length), "whole lists");
        assert!(class_of.iter().all(|&class| (class as usize) < Self::MOST_CLASSES), "classes in range");
        assert!(class_of.chunks(length).all(|list| list.is_sorted_by(|a, b| a < b)), "lists ascend");
        let bits = |list: &[u32]| list.iter().fold(0, |bits, class| bits | 1 << class);
        let lists: Vec<u64> = class_of.chunks(length).map(bits).collect();
        let classes = class_of.iter().max().map_or(0, |&class| class as usize + 1);
        let on = |class: usize, lists: &[u64]| {
            (0..).zip(lists).fold(0, |bits, (at, list)| bits | (list >> class & 1) << at)
        };
        let with =
            (0..classes).map(|class| lists.chunks(64).map(|lists| on(class, lists)).collect()).collect();
        Self { length, class_of, lists, classes, with }
    }

    /// Classes on a list.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The lists, a bit for each class.
    pub(crate) fn lists(&self) -> &[u64] {
        &self.lists
    }

    /// No class on the lists has this number or a larger one.
    pub(crate) fn classes(&self) -> usize {
        self.classes
    }

    /// The lists that a class is not on.
    pub(crate) fn without(&self, class: u8) -> impl Iterator<Item = u64> {
        let bits = |at: usize| match self.lists.len() - 64 * at {
            lists if lists < 64 => (1 << lists) - 1,
            _ => u64::MAX,
        };
        self.with(class).iter().enumerate().map(move |(at, with)| bits(at) & !with)
    }

    /// The lists that a class is on: a bit for each list.
    pub(crate) fn with(&self, class: u8) -> &[u64] {
        &self.with[class as usize]
    }

    /// The class of each channel.
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }
}

impl Score for Listed {
    const BY_WIDTH: bool = false;

    fn lists(&self) -> Option<&Listed> {
        Some(self)
    }

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let costs = &sums[1..];
        let mut of_class = [0.0; Self::MOST_CLASSES];
        for (&cost, &class) in costs.iter().zip(&self.class_of) {
            of_class[class as usize] += cost;
        }
        let mut sum = 0.0;
        for (costs, classes) in costs.chunks_exact(self.length).zip(self.class_of.chunks_exact(self.length)) {
            let (mut best, mut least) = (0.0, f64::INFINITY);
            for (&cost, &class) in costs.iter().zip(classes) {
                if of_class[class as usize] < least {
                    (best, least) = (cost, of_class[class as usize]);
                }
            }
            sum += best;
        }
        sum
    }
}

/// Channels are a vector: a direction of length 1 gains as much as the sum of the vectors is long.
#[derive(Clone, Copy, Debug)]
pub struct Length;

impl Score for Length {
    const BY_WIDTH: bool = false;

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        -sum_by(&sums[1..], |g| g * g).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_their_definitions() {
        let costs = [3.0, -1.0, -5.0, 2.0, 0.0, -4.5];
        assert_eq!(LeastCost.score(&costs), -5.0);
        let classes = [10.0, -2.0, -3.0, -5.0];
        assert!((Gini.score(&classes) - (10.0 - 38.0 / 10.0)).abs() < 1e-12);
        let entropy = 10.0 * 10f64.ln() - 2.0 * 2f64.ln() - 3.0 * 3f64.ln() - 5.0 * 5f64.ln();
        assert!((Entropy.score(&classes) - entropy).abs() < 1e-12);
        assert_eq!(Newton { ridge: 1.0 }.score(&[7.0, 3.0, 2.0, -4.0]), -5.0);
        assert_eq!(LeastSquares.score(&[4.0, 2.0, -4.0]), -5.0);
        assert_eq!(Signs.score(&[4.0, 2.0, -4.0]), -6.0);
        assert_eq!(OneSign.score(&[4.0, 2.0, -4.0, 1.0]), -4.0 - 2.0 - 1.0);
        assert_eq!(Length.score(&[4.0, 3.0, -4.0]), -5.0);
        assert_eq!(LogOdds.score(&[9.0, 4.0, 0.0, 9.0, 9.0, 5.0, 1.0]), 2.0 * (6.0 + 0.0 + 3.0));
    }

    #[test]
    fn sides_answer_or_abstain_together() {
        // Both answer; one is too unsure; a side without weight changes nothing.
        assert_eq!(Abstain.pair(&[10.0, 9.0, 1.0], &[10.0, 1.0, 9.0]), 2.0 * (18f64 * 2.0).sqrt());
        assert_eq!(Abstain.pair(&[10.0, 9.0, 1.0], &[10.0, 5.0, 5.0]), 10.0 + 2.0 * 9f64.sqrt());
        assert_eq!(Abstain.pair(&[10.0, 4.0, 6.0], &[4.0, 4.0, 0.0]), 10.0);
        assert_eq!(Abstain.pair(&[0.0; 3], &[10.0, 9.0, 1.0]), Abstain.score(&[10.0, 9.0, 1.0]));
        assert_eq!(LogOdds.pair(&[2.0, 1.0, 1.0], &[8.0, 4.0, 4.0]), 10.0);
    }

    #[test]
    fn sides_answer_with_opposite_signs() {
        let (low, high) = ([9.0, 4.0, -1.0, 2.0], [7.0, -2.0, 5.0, 1.0]);
        assert_eq!(Factored.pair(&low, &high), -(6.0 + 6.0 + 1.0));
        assert_eq!(Factored.side(&low, &high), -(4.0 + 1.0 + 2.0));
        assert_eq!(Factored.side(&high, &low), -(2.0 + 5.0 - 1.0));
        assert_eq!(Factored.score(&low), -7.0);
        assert_eq!(Signs.side(&low, &high), -7.0);
    }

    #[test]
    fn rows_take_the_first_class_on_their_list() {
        // Lists {0, 1}, {0, 2}, {1, 2}; classes weigh 5, 4 and 6 in all.
        let listed = Listed::new(2, vec![0, 1, 0, 2, 1, 2]);
        let costs = [15.0, -2.0, -1.0, -3.0, -2.0, -3.0, -4.0];
        assert_eq!(listed.score(&costs), -2.0 - 2.0 - 4.0);
        // One list of all classes: the least cost.
        let all = [3.0, -1.0, -5.0, -5.0];
        assert_eq!(Listed::new(3, vec![0, 1, 2]).score(&all), LeastCost.score(&all));
        assert_eq!(listed.score(&[0.0; 7]), 0.0);
    }

    #[test]
    fn empty_regions_cost_nothing() {
        assert_eq!(Gini.score(&[0.0; 4]), 0.0);
        assert_eq!(Entropy.score(&[0.0; 4]), 0.0);
        assert_eq!(Newton { ridge: 0.0 }.score(&[0.0; 4]), 0.0);
        assert_eq!(LeastSquares.score(&[0.0; 4]), 0.0);
        assert_eq!(LogOdds.score(&[0.0; 5]), 0.0);
    }
}
