//! A region answers with a weighted mean. Channels of a row: the weight w of its response z, then w · z.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::Newton;

use super::{MeanWeights, Means, Sketch, Vote};
use crate::model::answers::Answers;

/// The mean of responses.
#[derive(Clone, Copy, Debug)]
pub struct MeanVote {
    /// No response has a larger absolute value.
    pub most: f64,
}

/// What the mean explains, in squares.
static EXPLAINED: Newton = Newton { ridge: 0.0 };

impl Vote for MeanVote {
    fn criterion(&self) -> &dyn Criterion {
        &EXPLAINED
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 2, criterion: &EXPLAINED }
    }

    fn for_line(&self) -> Option<Means> {
        Some(Means { weights: MeanWeights::Channel, most: self.most })
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let mean = |sums: &[f64]| if sums[1] > 0.0 { sums[2] / sums[1] } else { 0.0 };
        let values = sums.chunks_exact(stride).map(mean).collect();
        let cost = sums.chunks_exact(stride).map(|sums| -sums[2] * mean(sums)).sum();
        (Answers::Vectors { width: 1, values }, cost)
    }
}
