//! A region answers +1, −1, or nothing for each label. Channels of a row: its weights W₊ for each label that it has (else 0), then its
//! weights W₋ for each that it has not (else 0).
//!
//! Say that j, a region and a label, is right on the weight aⱼ if it answers and wrong on bⱼ ≤ aⱼ, and let A and B be the sums over those
//! that do answer. Of all weight W the best step leaves Z = W − A − B + 2 √(A B) = W − (√A − √B)². So the answers are
//! those for which √A − √B is largest. Where √A − √B ≤ c, A ≤ (c + √B)², which is a concave function of B: the set of such
//! points is convex, and the largest value on a polygon is at a corner. The corners of all points (A, B) that grow in A
//! or fall in B are the sums of the first few of them, in the order of their ratios b/a: only these need be tried.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::odds::AbstainLabels;
use manyboost_kernel::search::score::{Abstain, LeastSquares};

use super::{Sketch, Vote};
use crate::model::answers::Answers;

/// A sign for each label, or 0.
#[derive(Clone, Copy, Debug)]
pub struct AbstainVote {
    /// Number of labels.
    pub labels: usize,
}

impl Vote for AbstainVote {
    fn criterion(&self) -> &dyn Criterion {
        if self.labels == 1 { &Abstain } else { &AbstainLabels }
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: if self.labels == 1 { 2 } else { 0 }, criterion: &LeastSquares }
    }

    /// The cost is the sum of weights after these answers and the best step.
    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let cells = sums.chunks_exact(stride).flat_map(|sums| {
            let (plus, minus) = sums[1..].split_at(self.labels);
            plus.iter().zip(minus).map(|(&p, &m)| if p >= m { (p, m, 1.0) } else { (m, p, -1.0) })
        });
        let regions: Vec<(f64, f64, f64)> = cells.collect();
        let mut order: Vec<usize> = (0..regions.len()).filter(|&j| regions[j].0 > 0.0).collect();
        let ratio = |j: usize| regions[j].1 / regions[j].0;
        order.sort_by(|&i, &j| ratio(i).total_cmp(&ratio(j)));
        let (mut a, mut b, mut most, mut answering) = (0.0f64, 0.0f64, 0.0, 0);
        for (n, &j) in order.iter().enumerate() {
            (a, b) = (a + regions[j].0, b + regions[j].1);
            let gain = a.sqrt() - b.sqrt();
            if gain > most {
                (most, answering) = (gain, n + 1);
            }
        }
        let mut values = vec![0.0; regions.len()];
        order[..answering].iter().for_each(|&j| values[j] = regions[j].2);
        let all: f64 = regions.iter().map(|(a, b, _)| a + b).sum();
        (Answers::Vectors { width: self.labels as u32, values }, all - most * most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_choice_of_answers_is_better() {
        let mut state = 1u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((state >> 40) as u32 % 50)
        };
        for regions in 1..8usize {
            for _ in 0..200 {
                let sums: Vec<f64> = (0..regions).flat_map(|_| [1.0, draw(), draw()]).collect();
                let normaliser = |answers: &dyn Fn(usize) -> f64| {
                    let (mut right, mut wrong, mut rest) = (0.0f64, 0.0f64, 0.0);
                    for (j, sums) in sums.chunks_exact(3).enumerate() {
                        match answers(j) {
                            0.0 => rest += sums[1] + sums[2],
                            sign if sign > 0.0 => (right, wrong) = (right + sums[1], wrong + sums[2]),
                            _ => (right, wrong) = (right + sums[2], wrong + sums[1]),
                        }
                    }
                    rest + 2.0 * (right * wrong).sqrt()
                };
                let (Answers::Vectors { values, .. }, cost) = (AbstainVote { labels: 1 }).answers(&sums, 3)
                else {
                    panic!("numbers")
                };
                assert!((normaliser(&|j| values[j]) - cost).abs() < 1e-9);
                for choice in 0..3usize.pow(regions as u32) {
                    let answer = |j: usize| (choice / 3usize.pow(j as u32) % 3) as f64 - 1.0;
                    assert!(normaliser(&answer) >= cost - 1e-9, "{sums:?} {choice}");
                }
            }
        }
    }
}
