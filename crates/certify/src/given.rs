//! The weak-learning condition of cost matrices and a baseline that are given.
//!
//! Mukherjee & Schapire 2013, (2): a space satisfies the condition (𝒞, B) if for every cost matrix C of 𝒞 it has a classifier h with
//! C • h ≤ C • B, where C • B is the sum of C(i, l) B(i, l). Here 𝒞 is all that can be mixed of some matrices. That is a game: one player mixes
//! classifiers, the other one matrices, and C • B − C • h is paid. The condition holds if the value is not negative.

use std::sync::atomic::Ordering;

use ndarray::Array2;

use crate::conditions::Interval;
use crate::generate::Wish;
use crate::interior::{Play, play};
use crate::oracle::{HypothesisSpace, Says, cost};

/// Weights of matrices are whole numbers that add up to about the first, and costs are parts of the second.
const WEIGHTS: f64 = (1u64 << 20) as f64;
const PARTS: f64 = (1u64 << 40) as f64;

/// Small games that are solved, at most.
const TURNS: usize = 2000;

/// A cost matrix less what the baseline costs in each row, in parts of what classifiers can differ by.
fn beside(matrix: &[f64], baseline: &[f64], k: usize) -> Vec<i64> {
    let rows = || matrix.chunks_exact(k).zip(baseline.chunks_exact(k));
    let spread = |costs: &[f64]| {
        let (low, high) =
            costs.iter().fold((f64::MAX, f64::MIN), |(low, high), &c| (low.min(c), high.max(c)));
        high - low
    };
    let whole: f64 = rows().map(|(costs, _)| spread(costs)).sum();
    let unit = if whole > 0.0 { PARTS / whole } else { 0.0 };
    let row = |(costs, shares): (&[f64], &[f64])| {
        let guessed: f64 = costs.iter().zip(shares).map(|(c, b)| c * b).sum();
        costs.iter().map(|c| ((c - guessed) * unit).round() as i64).collect::<Vec<i64>>()
    };
    rows().flat_map(row).collect()
}

/// The value of the game: k costs for each example, matrix after matrix, and the baseline's share of each class for each example. Costs are relative to
/// what the best and the worst answers differ by. `None` if there are no classifiers.
pub(crate) fn value(
    space: &dyn HypothesisSpace,
    k: usize,
    matrices: &[f64],
    baseline: &[f64],
    wish: Wish<'_>,
) -> Option<Interval> {
    let rows: Vec<u32> = (0..(baseline.len() / k) as u32).collect();
    let classes: Vec<u32> = (0..k as u32).collect();
    let mut oracle = space.oracle(&rows, &classes)?;
    let matrices: Vec<Vec<i64>> =
        matrices.chunks_exact(baseline.len()).map(|matrix| beside(matrix, baseline, k)).collect();
    let paid = |says: &Says| matrices.iter().map(|matrix| -cost(says, matrix, k) as f64 / PARTS).collect();
    let mut known: Vec<(Says, Vec<f64>)> = Vec::new();
    let mut weights = vec![1.0 / matrices.len() as f64; matrices.len()];
    let mut found = Interval { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    for _ in 0..TURNS {
        let whole: Vec<i64> = weights.iter().map(|w| (w * WEIGHTS).round() as i64).collect();
        let all = whole.iter().sum::<i64>() as f64;
        let mix = |at: usize| matrices.iter().zip(&whole).map(|(matrix, w)| w * matrix[at]).sum::<i64>();
        let mixed: Vec<i64> = (0..baseline.len()).map(mix).collect();
        let says = oracle.query(&mixed);
        // A learner may miss what is already there.
        let most =
            known.iter().map(|(says, _)| says).chain([&says]).map(|says| -cost(says, &mixed, k)).max()?;
        found.upper = found.upper.min(most as f64 / (all * PARTS));
        let news = known.iter().all(|(other, _)| *other != says);
        if news {
            let paid = paid(&says);
            known.push((says, paid));
        }
        let payoffs = Array2::from_shape_fn((matrices.len(), known.len()), |(j, h)| known[h].1[j]);
        let Play { columns, rows } = play(&payoffs, 0.1 * wish.tolerance);
        let sum: f64 = columns.iter().sum();
        let mixture =
            |j: usize| known.iter().zip(&columns).map(|((_, paid), part)| part * paid[j]).sum::<f64>();
        let least = (0..matrices.len()).map(|j| mixture(j) / sum).fold(f64::INFINITY, f64::min);
        found.lower = found.lower.max(least);
        weights = rows;
        if !news || found.upper - found.lower <= wish.tolerance || wish.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Some(found)
}
