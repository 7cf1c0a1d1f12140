//! A region answers +1 or −1 for each score. Its channels are what +1 costs; −1 costs the opposite.

use polyboost_kernel::Criterion;
use polyboost_kernel::score::{LeastSquares, Signs};

use super::{Halves, Sketch, Vote};
use crate::answers::Answers;

/// A sign for each score.
#[derive(Clone, Copy, Debug)]
pub struct SignVote;

impl Vote for SignVote {
    fn criterion(&self) -> &dyn Criterion {
        &Signs
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    fn halves(&self, width: usize) -> Option<Halves<'_>> {
        Some(if width == 1 { Halves::Opposite } else { Halves::Filled })
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let costs = || sums.chunks_exact(stride).flat_map(|sums| &sums[1..]);
        // Where both cost the same, −1: most labels are absent from most rows.
        let values = costs().map(|&cost| if cost < 0.0 { 1.0 } else { -1.0 }).collect();
        (Answers::Vectors { width: stride as u32 - 1, values }, -costs().map(|cost| cost.abs()).sum::<f64>())
    }
}
