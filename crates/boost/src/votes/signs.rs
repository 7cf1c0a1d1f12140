//! A region answers +1 or −1 for each score: the better one for each, or +1 for one score only. Its channels are what +1 costs; −1
//! costs the opposite.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::{LeastSquares, OneSign, Signs};

use super::label::cheapest;
use super::{Halves, Sketch, Vote};
use crate::model::answers::Answers;

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

    fn for_hyperplane(&self, width: usize) -> Option<Halves<'_>> {
        Some(if width == 1 { Halves::Opposite } else { Halves::Filled })
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let costs = || sums.chunks_exact(stride).flat_map(|sums| &sums[1..]);
        // Where both cost the same, −1: most labels are absent from most rows.
        let values = costs().map(|&cost| if cost < 0.0 { 1.0 } else { -1.0 }).collect();
        (Answers::Vectors { width: stride as u32 - 1, values }, -costs().map(|cost| cost.abs()).sum::<f64>())
    }
}

/// +1 for one score, −1 for the others: a region names one class.
#[derive(Clone, Copy, Debug)]
pub struct OneSignVote;

impl Vote for OneSignVote {
    fn criterion(&self) -> &dyn Criterion {
        &OneSign
    }

    fn sketch(&self) -> Sketch<'_> {
        SignVote.sketch()
    }

    fn for_hyperplane(&self, _: usize) -> Option<Halves<'_>> {
        Some(Halves::Filled)
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let named = |sums: &[f64]| {
            let class = cheapest(&sums[1..]);
            (0..stride - 1).map(move |l| if l == class { 1.0 } else { -1.0 })
        };
        let values: Vec<f64> = sums.chunks_exact(stride).flat_map(named).collect();
        let cost = |sums: &[f64]| 2.0 * sums[1 + cheapest(&sums[1..])] - sums[1..].iter().sum::<f64>();
        let costs = sums.chunks_exact(stride).map(cost).sum();
        (Answers::Vectors { width: stride as u32 - 1, values }, costs)
    }
}
