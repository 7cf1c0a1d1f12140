//! A region answers with a Newton step for each score.
//!
//! Channels of a row: its total curvature, then its residuals r. Splits compare squared residual sums with the total
//! curvature; leaves use the curvature of each score. For the logistic loss that is p(1 − p) = |r|(1 − |r|), so it is
//! computed from the residuals when leaves are filled, and never stored.

use manyboost_kernel::search::score::Newton;
use manyboost_kernel::{Channels, Criterion, Statistics, Totals};

use super::{MeanWeights, Means, Sketch, Vote};
use crate::model::answers::Answers;

/// A vector of Newton steps a region.
#[derive(Clone, Copy, Debug)]
pub struct NewtonVote {
    /// Scores of a row.
    pub width: usize,
    /// Factor of the step: (k − 1)/k where scores are only defined up to a constant, else 1.
    pub scale: f64,
    /// Added to curvatures.
    pub ridge: f64,
    /// No step is longer.
    pub longest: f64,
    criterion: Newton,
}

impl NewtonVote {
    /// For `width` scores.
    pub fn new(width: usize, scale: f64, ridge: f64, longest: f64) -> Self {
        Self { width, scale, ridge, longest, criterion: Newton { ridge } }
    }
}

impl Vote for NewtonVote {
    fn criterion(&self) -> &dyn Criterion {
        &self.criterion
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 1, criterion: &self.criterion }
    }

    fn leaf_sums(&self, totals: &Totals<'_>, statistics: &Statistics<'_>, groups: &[&[u32]]) -> Vec<f64> {
        let Statistics::Dense { values, width } = *statistics else {
            return totals.by_group(statistics, groups);
        };
        totals.with_variances(values, width - self.width, self.width, groups)
    }

    fn rounded_leaf_sums(&self, totals: &Totals<'_>, channels: &Channels, groups: &[&[u32]]) -> Vec<f64> {
        channels.with_variances(totals, self.width, groups)
    }

    fn for_line(&self) -> Option<Means> {
        let weights = MeanWeights::Curvatures { ridge: self.ridge };
        Some(Means { weights, most: self.longest })
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let (mut values, mut cost) = (Vec::new(), 0.0);
        for sums in sums.chunks_exact(stride) {
            let (residuals, curvatures) = sums[1..].split_at(self.width);
            for (&r, &h) in residuals.iter().zip(curvatures) {
                let curvature = h + self.ridge;
                let step = if curvature > 0.0 { self.scale * r / curvature } else { 0.0 };
                let step = step.clamp(-self.longest, self.longest);
                cost += 0.5 * h * step * step - r * step;
                values.push(step);
            }
        }
        (Answers::Vectors { width: self.width as u32, values }, cost)
    }
}
