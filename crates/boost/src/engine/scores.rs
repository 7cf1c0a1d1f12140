//! The score matrix: one row of numbers for each example, and the only state of training.

use manyboost_kernel::numbers::grid::nearest;
use manyboost_kernel::numbers::math::pow2;

/// Scores are multiples of 2⁻³⁶, and all sums of them below 2¹⁶ are exact in double precision. So it does not
/// matter in which order a model's hypotheses are added: staged, collapsed or resumed, the bits are the same.
const STEP: i32 = -36;

/// Beyond this a term is added as it is.
const LARGEST: f64 = 16_384.0;

/// Models that could give a score farther from 0 than this are refused: ten million rounds of the longest steps stay far
/// below it, and whatever is computed from such scores is finite.
pub const FARTHEST: f64 = (1u128 << 64) as f64;

/// What a hypothesis of weight `alpha` adds to a score where it answers `answer`.
#[inline]
pub fn applied(alpha: f64, answer: f64) -> f64 {
    let term = alpha * answer;
    if term.abs() < LARGEST { nearest(term * pow2(-STEP)) as f64 * pow2(STEP) } else { term }
}

/// Rows of `width` scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    width: usize,
    values: Vec<f64>,
}

impl Scores {
    /// `rows` rows that all start alike.
    pub fn new(rows: usize, start: &[f64]) -> Self {
        Self { width: start.len(), values: start.repeat(rows) }
    }

    /// Scores of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.width..(row + 1) * self.width]
    }

    /// Scores a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len() / self.width.max(1)
    }

    /// All scores, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All scores, row by row.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }
}

/// The position of the largest score; the first of equals.
#[inline]
pub fn argmax(scores: &[f64]) -> usize {
    let mut best = 0;
    for (i, &x) in scores.iter().enumerate().skip(1) {
        if x > scores[best] {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applied_terms_add_up_in_any_order() {
        let terms: Vec<f64> = (0..1000).map(|i| applied(0.1, (f64::from(i) * 1.7).sin() * 3.0)).collect();
        let forward: f64 = terms.iter().sum();
        let backward: f64 = terms.iter().rev().sum();
        let odd_first: f64 = terms.iter().skip(1).step_by(2).chain(terms.iter().step_by(2)).sum();
        assert_eq!(forward.to_bits(), backward.to_bits());
        assert_eq!(forward.to_bits(), odd_first.to_bits());
        assert!((applied(0.1, 1.0) - 0.1).abs() < 1e-11);
        assert_eq!(applied(1e6, 1.0), 1e6);
    }
}
