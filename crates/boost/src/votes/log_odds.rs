//! A region answers with half the logarithm of the odds of each label. Channels of a row: its weights W₊ for each label that
//! it has (else 0), then its weights W₋ for each that it has not (else 0).

use manyboost_kernel::Criterion;
use manyboost_kernel::numbers::math::{exp, ln};
use manyboost_kernel::search::score::{LeastSquares, LogOdds};

use super::{Sketch, Vote};
use crate::model::answers::Answers;

/// A confidence for each label: ½ ln((W₊ + ε)/(W₋ + ε)). Splits are searched with ε = 0.
#[derive(Clone, Copy, Debug)]
pub struct LogOddsVote {
    /// ε: added to both weights of a region, so that answers stay finite.
    smoothing: f64,
}

impl LogOddsVote {
    /// With ε as a share of `norm`, the sum of all weights. Where weights have become so small that their share is nothing, the least
    /// normal number takes its place.
    pub fn new(norm: f64, share: f64) -> Self {
        Self { smoothing: (norm * share).max(f64::MIN_POSITIVE) }
    }

    /// ½ ln((W₊ + ε)/(W₋ + ε)).
    pub fn confidence(&self, plus: f64, minus: f64) -> f64 {
        0.5 * ln((plus + self.smoothing) / (minus + self.smoothing))
    }
}

impl Vote for LogOddsVote {
    fn criterion(&self) -> &dyn Criterion {
        &LogOdds
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    /// The cost is the sum of weights after these answers.
    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let width = stride / 2;
        let mut values = Vec::with_capacity(sums.len() / 2);
        let mut cost = 0.0;
        for sums in sums.chunks_exact(stride) {
            let (plus, minus) = sums[1..].split_at(width);
            for (p, m) in plus.iter().zip(minus) {
                let c = self.confidence(*p, *m);
                cost += p * exp(-c) + m * exp(c);
                values.push(c);
            }
        }
        (Answers::Vectors { width: width as u32, values }, cost)
    }
}
