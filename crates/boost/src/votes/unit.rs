//! A region answers with a vector of length 1, in the direction of its summed channels.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::{LeastSquares, Length};

use super::{Sketch, Vote};
use crate::model::answers::Answers;

/// A direction a region.
#[derive(Clone, Copy, Debug)]
pub struct UnitVote;

impl Vote for UnitVote {
    fn criterion(&self) -> &dyn Criterion {
        &Length
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let (mut values, mut cost) = (Vec::new(), 0.0);
        for sums in sums.chunks_exact(stride) {
            let length = sums[1..].iter().map(|g| g * g).sum::<f64>().sqrt();
            cost -= length;
            values.extend(sums[1..].iter().map(|g| if length > 0.0 { g / length } else { 0.0 }));
        }
        (Answers::Vectors { width: stride as u32 - 1, values }, cost)
    }
}
