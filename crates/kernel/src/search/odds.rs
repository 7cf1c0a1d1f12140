//! Scores of weights for and against each label, beside [`LogOdds`](super::score::LogOdds): answers that may abstain, and impurities.
//!
//! Channels are the weights W₊ of each label, then the weights W₋.

use super::score::Score;
use crate::numbers::lanes::sum_of_pairs;
use crate::numbers::math::ln;

/// For each label a region answers +1, −1 or nothing, and all answers have one confidence: the normaliser W₀ + 2 √(W right · W wrong) after
/// the best ones.
///
/// Say that (region, label) is right on the weight a if it answers and wrong on b ≤ a, and let A and B be the sums over those that do. What is
/// left of all weight is least where √A − √B is largest, and of all choices only the first few in the order of b/a need be tried.
#[derive(Clone, Copy, Debug)]
pub struct AbstainLabels;

/// So many pairs are put in order without memory of their own.
const FEW: usize = 64;

impl AbstainLabels {
    /// What is left of the weight of these regions.
    #[inline(always)]
    fn left(regions: &[&[f64]]) -> f64 {
        let pairs = regions.iter().flat_map(|sums| {
            let (plus, minus) = sums[1..].split_at(sums.len() / 2);
            plus.iter().zip(minus).map(|(&p, &m)| if p > m { (p, m) } else { (m, p) })
        });
        let count: usize = regions.iter().map(|sums| sums.len() / 2).sum();
        let mut few = [(0.0, 0.0); FEW];
        let mut many = Vec::new();
        if count <= FEW {
            few.iter_mut().zip(pairs).for_each(|(slot, pair)| *slot = pair);
            Self::least(&mut few[..count])
        } else {
            many.extend(pairs);
            Self::least(&mut many)
        }
    }

    fn least(pairs: &mut [(f64, f64)]) -> f64 {
        let ratio = |&(a, b): &(f64, f64)| if a > 0.0 { b / a } else { 1.0 };
        pairs.sort_unstable_by(|one, other| ratio(one).total_cmp(&ratio(other)));
        let (mut right, mut wrong, mut all, mut most) = (0.0f64, 0.0f64, 0.0, 0.0);
        for &(a, b) in pairs.iter() {
            (right, wrong, all) = (right + a, wrong + b, all + (a + b));
            let gain = right.sqrt() - wrong.sqrt();
            most = if gain > most { gain } else { most };
        }
        all - most * most
    }
}

impl Score for AbstainLabels {
    const BY_WIDTH: bool = false;

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        Self::left(&[sums])
    }

    #[inline(always)]
    fn pair(&self, low: &[f64], high: &[f64]) -> f64 {
        Self::left(&[low, high])
    }
}

/// The Gini impurity of each label, Σ 2 W₊ W₋ / (W₊ + W₋).
#[derive(Clone, Copy, Debug)]
pub struct OddsGini;

impl Score for OddsGini {
    const BY_WIDTH: bool = false;

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let (plus, minus) = sums[1..].split_at(sums.len() / 2);
        sum_of_pairs(plus, minus, |p, m| if p + m > 0.0 { 2.0 * p * m / (p + m) } else { 0.0 })
    }
}

/// The entropy of each label.
#[derive(Clone, Copy, Debug)]
pub struct OddsEntropy;

impl Score for OddsEntropy {
    const BY_WIDTH: bool = false;

    #[inline(always)]
    fn score(&self, sums: &[f64]) -> f64 {
        let (plus, minus) = sums[1..].split_at(sums.len() / 2);
        let plain = |x: f64| if x > 0.0 { x * ln(x) } else { 0.0 };
        sum_of_pairs(plus, minus, |p, m| plain(p + m) - plain(p) - plain(m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::Abstain;

    #[test]
    fn one_label_abstains_as_before() {
        let regions = [[10.0, 9.0, 1.0], [10.0, 5.0, 5.0], [4.0, 0.0, 4.0], [0.0; 3], [7.0, 2.5, 4.5]];
        for low in &regions {
            assert!((AbstainLabels.score(low) - Abstain.score(low)).abs() < 1e-12);
            for high in &regions {
                assert!(
                    (AbstainLabels.pair(low, high) - Abstain.pair(low, high)).abs() < 1e-12,
                    "{low:?} {high:?}"
                );
            }
        }
    }

    /// All ways to answer or not, for two regions of two labels.
    #[test]
    fn no_other_choice_of_answers_is_better() {
        let mut state = 3u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((state >> 40) as u32 % 50)
        };
        for _ in 0..300 {
            let low = [1.0, draw(), draw(), draw(), draw()];
            let high = [1.0, draw(), draw(), draw(), draw()];
            let cells = [(low[1], low[3]), (low[2], low[4]), (high[1], high[3]), (high[2], high[4])];
            let mut least = f64::INFINITY;
            for choice in 0..3usize.pow(4) {
                let (mut right, mut wrong, mut rest) = (0.0f64, 0.0f64, 0.0);
                for (at, (p, m)) in cells.iter().enumerate() {
                    match choice / 3usize.pow(at as u32) % 3 {
                        0 => rest += p + m,
                        1 => (right, wrong) = (right + p, wrong + m),
                        _ => (right, wrong) = (right + m, wrong + p),
                    }
                }
                least = least.min(rest + 2.0 * (right * wrong).sqrt());
            }
            assert!((AbstainLabels.pair(&low, &high) - least).abs() < 1e-9, "{low:?} {high:?}");
        }
    }

    #[test]
    fn impurities_follow_their_definitions() {
        let sums = [9.0, 1.0, 0.0, 3.0, 5.0];
        assert!((OddsGini.score(&sums) - 2.0 * 3.0 / 4.0).abs() < 1e-12);
        let entropy = 4.0 * 4f64.ln() - 3.0 * 3f64.ln();
        assert!((OddsEntropy.score(&sums) - entropy).abs() < 1e-12);
        assert_eq!((OddsGini.score(&[0.0; 5]), OddsEntropy.score(&[0.0; 5])), (0.0, 0.0));
        // Two labels that nobody has, and more than fit without memory: nothing is left to do.
        assert_eq!(AbstainLabels.score(&vec![0.0; 201]), 0.0);
    }
}
