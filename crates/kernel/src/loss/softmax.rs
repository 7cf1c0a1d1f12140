//! Exponentials, logarithms, softmax and sigmoid of blocks of rows, vectorised.

use crate::numbers::cpu::{by_width, vectorised};
use crate::numbers::lanes::largest;
use crate::numbers::math::{exp, ln};
use crate::numbers::real::Real;

vectorised! {
    /// The softmax of each row of `width` scores.
    pub fn softmax = softmax_body<>(scores: &[f64], width: usize, out: &mut [f64])
}

#[inline(always)]
fn softmax_body(scores: &[f64], width: usize, out: &mut [f64]) {
    by_width!(width, shift(width, 0, scores, out));
    // All rows at once: the loop is as long as the block, however few classes there are.
    for o in out.iter_mut() {
        *o = exp(*o);
    }
    by_width!(width, normalise(width, out));
}

/// Writes each row less its largest score, after `skip` numbers that are left as they are.
#[inline(always)]
pub(crate) fn shift<const W: usize>(width: usize, skip: usize, scores: &[f64], out: &mut [impl Real]) {
    let width = if W == 0 { width } else { W };
    for (row, out) in scores.chunks_exact(width).zip(out.chunks_exact_mut(skip + width)) {
        let most = largest(row);
        for (o, &x) in out[skip..].iter_mut().zip(row) {
            *o = Real::from_double(x - most);
        }
    }
}

/// Divides each row by its sum.
#[inline(always)]
fn normalise<const W: usize>(width: usize, out: &mut [f64]) {
    let width = if W == 0 { width } else { W };
    for out in out.chunks_exact_mut(width) {
        let share = 1.0 / f64::sum_by(out, |x| x);
        for o in out {
            *o *= share;
        }
    }
}

vectorised! {
    /// 1 / (1 + e⁻ˣ) of each score.
    pub fn sigmoid = sigmoid_body<>(scores: &[f64], out: &mut [f64])
}

#[inline(always)]
fn sigmoid_body(scores: &[f64], out: &mut [f64]) {
    for (o, &x) in out.iter_mut().zip(scores) {
        *o = 1.0 / (1.0 + exp(-x));
    }
}

vectorised! {
    /// The weight, in units, of the rows whose label does not have the first of the highest scores.
    pub fn mistakes = mistakes_body<>(scores: &[f64], width: usize, labels: &[u32], units: &[u32]) -> i64
}

#[inline(always)]
fn mistakes_body(scores: &[f64], width: usize, labels: &[u32], units: &[u32]) -> i64 {
    by_width!(width, beaten(width, scores, labels, units))
}

#[inline(always)]
fn beaten<const W: usize>(width: usize, scores: &[f64], labels: &[u32], units: &[u32]) -> i64 {
    let width = if W == 0 { width } else { W };
    let mut wrong = 0;
    for ((row, &label), &unit) in scores.chunks_exact(width).zip(labels).zip(units) {
        let own = row[label as usize];
        // The first of equals wins: an earlier class needs only as much. Long rows are looked at once, with vectors; short
        // ones without a branch.
        let beaten = if W == 0 {
            let (before, others) = row.split_at(label as usize);
            own <= largest(before) || own < largest(others)
        } else {
            let beats = |(&x, class): (&f64, u64)| (x > own) | ((x == own) & (class < u64::from(label)));
            row.iter().zip(0..).map(beats).fold(false, |any, beats| any | beats)
        };
        wrong += if beaten { i64::from(unit) } else { 0 };
    }
    wrong
}

vectorised! {
    /// Adds to each row of `width` scores the part of its cell; `parts` has `width` numbers for each cell.
    pub fn add_parts = add_parts_body<>(cells: &[u32], parts: &[f64], width: usize, scores: &mut [f64])
}

#[inline(always)]
fn add_parts_body(cells: &[u32], parts: &[f64], width: usize, scores: &mut [f64]) {
    by_width!(width, add_rows(width, cells, parts, scores));
}

#[inline(always)]
fn add_rows<const W: usize>(width: usize, cells: &[u32], parts: &[f64], scores: &mut [f64]) {
    let width = if W == 0 { width } else { W };
    for (row, &cell) in scores.chunks_exact_mut(width).zip(cells) {
        let part = &parts[cell as usize * width..][..width];
        for (score, x) in row.iter_mut().zip(part) {
            *score += x;
        }
    }
}

vectorised! {
    /// Replaces each number x by eˣ.
    pub fn exponentials = exponentials_body<>(values: &mut [f64])
}

#[inline(always)]
fn exponentials_body(values: &mut [f64]) {
    for x in values {
        *x = exp(*x);
    }
}

vectorised! {
    /// Replaces each likelihood by −ln of it.
    pub fn surprises = surprises_body<>(likelihoods: &mut [f64])
}

#[inline(always)]
fn surprises_body(likelihoods: &mut [f64]) {
    for x in likelihoods {
        *x = -ln(*x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn softmax_sums_to_one_and_keeps_the_order() {
        let scores = [1.0, 2.0, 3.0, -1e4, 0.0, 1e4];
        let mut p = [0.0; 6];
        softmax(&scores, 3, &mut p);
        assert!((p[..3].iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!((p[1] / p[0] - std::f64::consts::E).abs() < 1e-12);
        assert_eq!(p[3..], [0.0, 0.0, 1.0]);
    }

    #[test]
    fn the_first_of_equals_wins() {
        for width in [3, 12, 26, 100] {
            let mut scores = vec![0.0; width];
            (scores[1], scores[width - 1]) = (2.0, 2.0);
            let wrong = |scores: &[f64], label: usize| mistakes(scores, width, &[label as u32], &[5]);
            assert_eq!([0, 1, width - 1].map(|label| wrong(&scores, label)), [5, 0, 5], "{width} classes");
            scores[width - 1] = 3.0;
            assert_eq!([0, 1, width - 1].map(|label| wrong(&scores, label)), [5, 5, 0], "{width} classes");
        }
    }

    #[test]
    fn sigmoid_is_symmetric_and_finite() {
        let mut p = [0.0; 3];
        sigmoid(&[-1e5, 0.0, 1e5], &mut p);
        assert!(p[0] >= 0.0 && p[0] < 1e-300);
        assert_eq!(p[1..], [0.5, 1.0]);
    }
}
