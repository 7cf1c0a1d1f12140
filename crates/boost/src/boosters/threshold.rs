//! The threshold above which a row has a label, where a booster only ranks labels.
//!
//! Of all thresholds the one is wanted that gets the fewest labels of the training rows wrong (the Hamming loss). Scores are counted in
//! [`PARTS`] parts of their range, by weight: sums of integers, which do not depend on the order of rows, on threads or on who has
//! which rows. Where several parts are as good, it is the middle of the first of them that are side by side.

use rayon::prelude::*;

use super::BLOCK;
use crate::engine::scores::applied;
use crate::spec::booster::{FittedHypothesis, RoundState};

/// Parts of the range of scores.
const PARTS: usize = 4096;

/// The best threshold of the scores that a hypothesis of answers ±1 will lead to with this step.
pub(super) fn threshold(now: &RoundState<'_>, alpha: f64, fit: &FittedHypothesis) -> f64 {
    let (k, reach) = (now.scores.width(), applied(alpha, 1.0).abs());
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let most = |row: usize, sign: f64| {
        now.scores.row(row).iter().fold(f64::NEG_INFINITY, |most, &f| larger(most, sign * f))
    };
    let high = reach + now.totals.max(|row| most(row, 1.0));
    let low = -reach - now.totals.max(|row| most(row, -1.0));
    let part = (high - low) / PARTS as f64;
    if !(part > 0.0 && part.is_finite()) {
        return 0.0;
    }
    let (units, answers) = (now.totals.weights().units, fit.hypothesis.answers.applied(alpha, k));
    // What the threshold at the upper end of each part costs more than the one at its lower end.
    let count = |(mut costs, mut scores): (Vec<i64>, Vec<f64>), row: usize| {
        scores.copy_from_slice(now.scores.row(row));
        answers.add(fit.cell_of[row] as usize, &mut scores);
        let weight = i64::from(units[row]);
        for &score in &scores {
            costs[part_of(score, low, part)] -= weight;
        }
        for &label in now.labels.labels(row) {
            costs[part_of(scores[label as usize], low, part)] += 2 * weight;
        }
        (costs, scores)
    };
    let add = |mut a: Vec<i64>, b: Vec<i64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    let none = || vec![0; PARTS + 1];
    let rows = (0..fit.cell_of.len()).into_par_iter().with_min_len(BLOCK);
    let counted = rows.fold(|| (none(), vec![0.0; k]), count).map(|(costs, _)| costs);
    let mut costs = counted.reduce(none, add);
    now.totals.exchange().sum(&mut costs);
    low + part * (best(&costs) as f64 - 1.0)
}

/// The part of a score: those of part 0 are at the lower end of all.
fn part_of(score: f64, low: f64, part: f64) -> usize {
    (((score - low) / part).ceil().max(0.0) as usize).min(PARTS)
}

/// How many parts are below the best threshold.
fn best(costs: &[i64]) -> usize {
    let (mut sum, mut least, mut first, mut last) = (0, 0, 0, 0);
    for (below, cost) in (1..).zip(costs) {
        sum += cost;
        if sum < least {
            (least, first, last) = (sum, below, below);
        } else if sum == least && last + 1 == below {
            last = below;
        }
    }
    usize::midpoint(first, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_threshold_is_where_costs_have_fallen_most() {
        // None below, all present: nothing is gained.
        assert_eq!(best(&[1, 2, 3]), 0);
        assert_eq!(best(&[-1, -2, 3]), 2);
        assert_eq!(best(&[-1, -2, 3, -3]), 2);
        assert_eq!(best(&[-1, -2, 3, -4]), 4);
        // As good from 1 to 5: the middle.
        assert_eq!(best(&[-3, 0, 0, 0, 0, 9]), 3);
    }

    #[test]
    fn parts_are_of_the_range() {
        assert_eq!(part_of(-2.0, -2.0, 0.5), 0);
        assert_eq!(part_of(-1.9, -2.0, 0.5), 1);
        assert_eq!(part_of(-1.5, -2.0, 0.5), 1);
        assert_eq!(part_of(-1.4, -2.0, 0.5), 2);
        assert_eq!(part_of(1e9, -2.0, 0.5), PARTS);
    }
}
