//! A region answers with the mean of its channels: the least-squares fit of residuals.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::LeastSquares;

use super::{MeanWeights, Means, Sketch, Vote};
use crate::model::answers::Answers;

/// The mean of residuals.
#[derive(Clone, Copy, Debug)]
pub struct LeastSquaresVote;

impl Vote for LeastSquaresVote {
    fn criterion(&self) -> &dyn Criterion {
        &LeastSquares
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    fn for_line(&self) -> Option<Means> {
        Some(Means { weights: MeanWeights::Rows, most: f64::INFINITY })
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let (mut values, mut cost) = (Vec::new(), 0.0);
        for sums in sums.chunks_exact(stride) {
            let weight = sums[0];
            for &g in &sums[1..] {
                let mean = if weight > 0.0 { g / weight } else { 0.0 };
                cost -= g * mean;
                values.push(mean);
            }
        }
        (Answers::Vectors { width: stride as u32 - 1, values }, cost)
    }
}
