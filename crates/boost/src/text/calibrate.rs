//! How much the linear function counts: scores of rows that it was not fitted to, times the factor (for label sets: plus the offset of
//! all) that makes the log loss least.
//!
//! The loss is a convex function of both, whose derivatives are sums over rows: a few steps of Newton's method find them. Scores of rows come
//! in an order that follows from what is in them, so that their sums do not depend on the order of rows.

use manyboost_kernel::numbers::math::{exp, ln};
use rayon::prelude::*;

/// Most steps; they are halved where one goes too far.
const STEPS: usize = 30;

/// Nothing is sought closer.
const CLOSE: f64 = 1e-4;

/// Larger factors are not believed.
const LARGEST: f64 = 100.0;

/// Rows with scores that were not fitted to them.
pub(super) struct Seen<'a> {
    /// Row after row.
    pub(super) scores: &'a [f64],
    pub(super) labels: &'a [Vec<u32>],
    pub(super) weights: &'a [f64],
    pub(super) sets: bool,
}

/// How scores become others: times a factor, plus an offset (of label sets: for classes it would change nothing).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) factor: f64,
    pub(super) offset: f64,
}

/// The loss, its two slopes, and how it bends: by the factor, by both, by the offset.
type Curve = [f64; 6];

impl Seen<'_> {
    /// The scale of least loss from such first scores on, and the loss.
    pub(super) fn scale(&self, start: &[f64]) -> (Scale, f64) {
        let mut at = Scale { factor: 1.0, offset: 0.0 };
        let mut here = self.curve(start, at);
        for _ in 0..STEPS {
            let mut step = newton(here);
            let (next, there) = loop {
                let factor = (at.factor + step[0]).clamp(0.0, LARGEST);
                let offset = (at.offset + step[1]).clamp(-LARGEST, LARGEST);
                let next = Scale { factor, offset };
                let there = self.curve(start, next);
                if there[0] <= here[0] {
                    break (next, there);
                }
                if step.iter().all(|step| step.abs() < CLOSE) {
                    return (at, here[0]);
                }
                step = step.map(|step| 0.5 * step);
            };
            let moved = (next.factor - at.factor).abs().max((next.offset - at.offset).abs());
            (at, here) = (next, there);
            if moved < CLOSE * at.factor.max(1.0) {
                break;
            }
        }
        (at, here[0])
    }

    /// The mean loss with such first scores and a factor.
    pub(super) fn loss(&self, start: &[f64], factor: f64) -> f64 {
        self.curve(start, Scale { factor, offset: 0.0 })[0]
    }

    /// The curve of the mean loss at a scale.
    fn curve(&self, start: &[f64], scale: Scale) -> Curve {
        let of = |(scores, labels): (&[f64], &Vec<u32>)| {
            if self.sets {
                of_labels(start, scores, labels, scale)
            } else {
                of_class(start, scores, labels, scale.factor)
            }
        };
        let rows = self.scores.par_chunks_exact(start.len()).zip(self.labels).with_min_len(64);
        let each: Vec<Curve> = rows.map(of).collect();
        let total: f64 = self.weights.iter().sum();
        let mut sum = [0.0; 6];
        for (curve, weight) in each.iter().zip(self.weights) {
            sum.iter_mut().zip(curve).for_each(|(sum, x)| *sum += weight * x);
        }
        sum.map(|x| x / total)
    }
}

/// The step to the lowest point of the parabola that bends alike.
fn newton([_, by_factor, by_offset, factors, both, offsets]: Curve) -> [f64; 2] {
    let area = factors * offsets - both * both;
    if area > 1e-9 * factors * offsets {
        let step = |own: f64, other: f64, bend: f64| (both * other - bend * own) / area;
        return [step(by_factor, by_offset, offsets), step(by_offset, by_factor, factors)];
    }
    if factors > 0.0 { [-by_factor / factors, 0.0] } else { [0.0; 2] }
}

/// Of a row of one class: probabilities are the softmax.
fn of_class(start: &[f64], scores: &[f64], labels: &[u32], factor: f64) -> Curve {
    let at = |k: usize| start[k] + factor * scores[k];
    let highest = (0..start.len()).map(at).fold(f64::NEG_INFINITY, f64::max);
    let (mut total, mut mean, mut square) = (0.0, 0.0, 0.0);
    for (k, &score) in scores.iter().enumerate() {
        let likely = exp(at(k) - highest);
        total += likely;
        mean += likely * score;
        square += likely * score * score;
    }
    let mean = mean / total;
    let own = labels.first().map_or(0, |&label| label as usize);
    let (loss, bend) = (highest + ln(total) - at(own), (square / total - mean * mean).max(0.0));
    [loss, mean - scores[own], 0.0, bend, 0.0, 0.0]
}

/// Of a row of labels: each has a sigmoid of its own.
fn of_labels(start: &[f64], scores: &[f64], labels: &[u32], scale: Scale) -> Curve {
    let mut sum = [0.0; 6];
    for (k, (&start, &score)) in start.iter().zip(scores).enumerate() {
        let sign = if labels.binary_search(&(k as u32)).is_ok() { 1.0 } else { -1.0 };
        let margin = sign * (start + scale.factor * score + scale.offset);
        // ln(1 + e⁻ᵐ), without overflow.
        let faint = exp(-margin.abs());
        let loss = ln(1.0 + faint) + (-margin).max(0.0);
        let unlikely = if margin > 0.0 { faint } else { 1.0 } / (1.0 + faint);
        let (slope, bend) = (-sign * unlikely, unlikely * (1.0 - unlikely));
        let parts = [loss, slope * score, slope, bend * score * score, bend * score, bend];
        sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_has_the_least_loss() {
        let scores: Vec<f64> = (0..300).map(|i| f64::from((i * 37) % 101) / 50.0 - 1.0).collect();
        let labels: Vec<Vec<u32>> = (0..100).map(|row| vec![row % 3]).collect();
        let weights: Vec<f64> = (0..100).map(|row| 1.0 + f64::from(row % 2)).collect();
        for sets in [false, true] {
            let mut scores = scores.clone();
            for (row, labels) in labels.iter().enumerate() {
                scores[3 * row + labels[0] as usize] += 0.7;
            }
            let seen = Seen { scores: &scores, labels: &labels, weights: &weights, sets };
            let start = [0.1, 0.0, -0.2];
            let (scale, least) = seen.scale(&start);
            assert!(scale.factor > 0.5 && scale.factor < 10.0 && (scale.offset != 0.0) == sets, "{scale:?}");
            for times in [0.8, 1.2] {
                assert!(seen.curve(&start, Scale { factor: times * scale.factor, ..scale })[0] > least);
                let other = Scale { offset: scale.offset + times - 1.0, ..scale };
                assert!(!sets || seen.curve(&start, other)[0] > least);
            }
            assert!(seen.loss(&start, 0.0) > least);
        }
    }
}
