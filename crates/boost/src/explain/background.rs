//! Shapley values where a feature that is left out has its value in another row ("interventional"), averaged over background rows.
//!
//! A leaf is reached by a mixture of row x and background row b if each feature of its path fits in x or in b. The u features that fit
//! in x only must be x's, and the v that fit in b only must be b's; all others are indifferent. Of a leaf that adds 1, each of the u then
//! has (u − 1)! v! / (u + v)!, and each of the v minus u! (v − 1)! / (u + v)!. Background rows that fit alike count together.

use manyboost_kernel::sums::weighted::SIDES;

use super::paths::Paths;
use super::patterns::Patterns;
use super::tables::{Rule, whole};

/// Most features on a path.
const MOST: usize = 64;

/// For each leaf of a tree which features on its path background rows fit, and the share of rows that do.
#[derive(Clone, Debug)]
pub(super) struct Fitting(Vec<Vec<(u64, f64)>>);

impl Fitting {
    /// Of background rows, whose values are given column by column.
    pub(super) fn new(paths: &Paths<'_>, columns: &[f64], rows: usize) -> Self {
        let mut patterns = Patterns::<u64>::new();
        patterns.begin(rows);
        patterns.find(paths, columns);
        let alike = |leaf: usize| {
            let whole = whole(paths.features(leaf).len());
            let mut masks: Vec<u64> = (0..rows).map(|row| patterns.of(row, leaf) & whole).collect();
            masks.sort_unstable();
            masks.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64 / rows as f64)).collect()
        };
        Self((0..paths.leaves()).map(alike).collect())
    }
}

/// The coefficient of each feature of each leaf: what it adds, as a multiple of what the leaf adds.
pub(super) struct Beside<'a> {
    pub(super) paths: &'a Paths<'a>,
    pub(super) fitting: &'a Fitting,
    pub(super) weights: &'a Weights,
}

impl Rule for Beside<'_> {
    fn numbers(&self, leaf: usize, patterns: &[u64; SIDES], out: &mut [[f64; SIDES]]) {
        let whole = whole(self.paths.features(leaf).len());
        out.fill([0.0; SIDES]);
        for (side, x) in patterns.iter().enumerate() {
            for &(b, share) in self.fitting.0[leaf].iter().filter(|(b, _)| x | b == whole) {
                let (own, other) = (x & !b, b & !x);
                let (u, v) = (own.count_ones() as usize, other.count_ones() as usize);
                each(own, |at| out[at][side] += share * self.weights.of(u, v));
                each(other, |at| out[at][side] -= share * self.weights.of(v, u));
            }
        }
    }
}

/// The places of the bits that are set.
fn each(mut mask: u64, mut told: impl FnMut(usize)) {
    while mask != 0 {
        told(mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}

/// (u − 1)! v! / (u + v)! for all u ≥ 1 and v.
#[derive(Clone, Debug)]
pub(super) struct Weights(Vec<f64>);

impl Weights {
    pub(super) fn new() -> Self {
        let mut table = vec![0.0; (MOST + 1) * (MOST + 1)];
        for u in 1..=MOST {
            // (u − 1)! / u!
            let mut weight = 1.0 / u as f64;
            for v in 0..=MOST {
                table[u * (MOST + 1) + v] = weight;
                weight *= (v + 1) as f64 / (u + v + 1) as f64;
            }
        }
        Self(table)
    }

    fn of(&self, u: usize, v: usize) -> f64 {
        self.0[u * (MOST + 1) + v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_factorials() {
        let weights = Weights::new();
        let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
        for u in 1..=9 {
            for v in 0..=9 {
                let wanted = factorial(u - 1) * factorial(v) / factorial(u + v);
                assert!((weights.of(u, v) / wanted - 1.0).abs() < 1e-12);
            }
        }
    }
}
