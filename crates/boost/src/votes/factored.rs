//! A region answers ±1 times a vector of signs that it shares with the other side of its cut. Channels are what +1 costs; −1
//! costs the opposite.
//!
//! Kégl (2013), "The return of AdaBoost.MH: multi-class Hamming trees". A stump is h(x) = φ(x) v with φ(x) = ±1 for its sides and
//! v ∈ {−1, +1}ᵏ. If its sides cost a and b, v = −1 wherever a > b, and the edge is Σ |a − b|. A tree is such a stump,
//! some of whose sides are replaced by stumps of their own: at a cut φ alone matters, and its v is that of the leaves right below. A
//! stump may be constant: then the region is not cut, but has a vector of its own.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::{Factored, LeastSquares};

use super::{Leaves, SignVote, Sketch, Vote};
use crate::model::answers::Answers;
use crate::model::tree::Child;

/// A sign for each cell, times one vector of signs.
#[derive(Clone, Copy, Debug)]
pub struct FactoredVote;

impl Vote for FactoredVote {
    fn criterion(&self) -> &dyn Criterion {
        &Factored
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    /// Regions on their own.
    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        SignVote.answers(sums, stride)
    }

    fn tree_answers(&self, leaves: &Leaves<'_>, stride: usize) -> (Answers, f64) {
        let &Leaves { sums, sides, settled } = leaves;
        let width = stride - 1;
        let leaf = |number: u32| &sums[number as usize * stride + 1..][..width];
        // Children have larger numbers than their parents: from the last cut to the first, both sides are ready.
        let mut below = vec![0.0; sides.len() * width];
        let mut values = vec![0.0; settled.len() * width];
        for (cut, sides) in sides.iter().enumerate().rev() {
            let (before, after) = below.split_at_mut((cut + 1) * width);
            let own = &mut before[cut * width..];
            let of = |child: Child| match child {
                Child::Leaf(number) => leaf(number),
                Child::Node(node) => &after[(node as usize - cut - 1) * width..][..width],
            };
            let [low, high] = sides.map(of);
            for (side, child) in sides.iter().enumerate() {
                let Child::Leaf(number) = *child else { continue };
                let answers = &mut values[number as usize * width..][..width];
                for ((v, low), high) in answers.iter_mut().zip(low).zip(high) {
                    *v = if (low < high) == (side == 0) { 1.0 } else { -1.0 };
                }
            }
            own.iter_mut().zip(low).zip(high).for_each(|((sum, low), high)| *sum = low + high);
        }
        for (number, values) in values.chunks_exact_mut(width).enumerate() {
            if settled[number] || sides.is_empty() {
                for (v, cost) in values.iter_mut().zip(leaf(number as u32)) {
                    *v = if *cost < 0.0 { 1.0 } else { -1.0 };
                }
            }
        }
        let cost = |(number, v): (usize, &[f64])| -> f64 {
            v.iter().zip(leaf(number as u32)).map(|(v, cost)| v * cost).sum()
        };
        let cost = values.chunks_exact(width).enumerate().map(cost).sum();
        (Answers::Vectors { width: width as u32, values }, cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_answer_with_the_vector_of_their_cut_or_their_own() {
        // A cut with a leaf of its own and another cut below.
        let sums = [1.0, 4.0, -1.0, 1.0, -2.0, 5.0, 1.0, 3.0, 6.0];
        let sides = [[Child::Leaf(0), Child::Node(1)], [Child::Leaf(1), Child::Leaf(2)]];
        let answer =
            |settled: &[bool]| FactoredVote.tree_answers(&Leaves { sums: &sums, sides: &sides, settled }, 3);
        let vectors = |values: [f64; 6]| Answers::Vectors { width: 2, values: values.to_vec() };
        // 4 and −1 against 1 and 11, then −2 and 5 against 3 and 6.
        let (answers, cost) = answer(&[false; 3]);
        assert_eq!(answers, vectors([-1.0, 1.0, 1.0, 1.0, -1.0, -1.0]));
        assert_eq!(cost, -4.0 - 1.0 - 2.0 + 5.0 - 3.0 - 6.0);
        let (answers, cost) = answer(&[false, true, false]);
        assert_eq!(answers, vectors([-1.0, 1.0, 1.0, -1.0, -1.0, -1.0]));
        assert_eq!(cost, -4.0 - 1.0 - 2.0 - 5.0 - 3.0 - 6.0);
        let one = FactoredVote.tree_answers(&Leaves { sums: &sums[..3], sides: &[], settled: &[false] }, 3);
        assert_eq!(one, SignVote.answers(&sums[..3], 3));
    }
}
