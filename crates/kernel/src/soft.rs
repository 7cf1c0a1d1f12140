//! Exponentials, softmax and sigmoid of blocks of rows, vectorised.

use crate::cpu::vectorised;
use crate::lanes::{largest, sum_by};
use crate::math::exp;

vectorised! { unsafe fn softmax_pass = softmax_body<>(scores: &[f64], width: usize, out: &mut [f64]) }
vectorised! { unsafe fn sigmoid_pass = sigmoid_body<>(scores: &[f64], out: &mut [f64]) }

/// Calls a function that is compiled for each small width, so that its loops over a row have a known length.
macro_rules! by_width {
    ($width:expr, $f:ident $arguments:tt) => {
        by_width!($width, $f $arguments; 2 3 4 5 6 7 8 9 10 11 12)
    };
    ($width:expr, $f:ident $arguments:tt; $($w:literal)*) => {
        match $width {
            $($w => $f::<$w> $arguments,)*
            _ => $f::<0> $arguments,
        }
    };
}

#[inline(always)]
unsafe fn softmax_body(scores: &[f64], width: usize, out: &mut [f64]) {
    by_width!(width, shift(width, scores, out));
    // All rows at once: the loop is as long as the block, however few classes there are.
    for o in out.iter_mut() {
        *o = exp(*o);
    }
    by_width!(width, normalise(width, out));
}

/// Writes each row less its largest score. `W` is the width, or 0 if it is not known when compiled.
#[inline(always)]
fn shift<const W: usize>(width: usize, scores: &[f64], out: &mut [f64]) {
    let width = if W == 0 { width } else { W };
    for (row, out) in scores.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
        let most = largest(row);
        for (o, &x) in out.iter_mut().zip(row) {
            *o = x - most;
        }
    }
}

/// Divides each row by its sum.
#[inline(always)]
fn normalise<const W: usize>(width: usize, out: &mut [f64]) {
    let width = if W == 0 { width } else { W };
    for out in out.chunks_exact_mut(width) {
        let share = 1.0 / sum_by(out, |x| x);
        for o in out {
            *o *= share;
        }
    }
}

vectorised! { unsafe fn residuals_pass = residuals_body<>(p: &[f64], width: usize, out: &mut [f64]) }

#[inline(always)]
unsafe fn residuals_body(p: &[f64], width: usize, out: &mut [f64]) {
    by_width!(width, negate(width, p, out));
}

#[inline(always)]
fn negate<const W: usize>(width: usize, p: &[f64], out: &mut [f64]) {
    let width = if W == 0 { width } else { W };
    for (p, out) in p.chunks_exact(width).zip(out.chunks_exact_mut(width + 1)) {
        let (curvature, residuals) = out.split_at_mut(1);
        curvature[0] = sum_by(p, |p| p * (1.0 - p));
        for (r, &p) in residuals.iter_mut().zip(p) {
            *r = -p;
        }
    }
}

/// For each row of `width` probabilities its total variance Σ p (1 − p), then −p.
pub fn residuals(p: &[f64], width: usize, out: &mut [f64]) {
    // SAFETY: no requirements; `unsafe` only because it is compiled for AVX2 too.
    unsafe { residuals_pass(p, width, out) }
}

#[inline(always)]
unsafe fn sigmoid_body(scores: &[f64], out: &mut [f64]) {
    for (o, &x) in out.iter_mut().zip(scores) {
        *o = 1.0 / (1.0 + exp(-x));
    }
}

vectorised! { unsafe fn mistakes_pass = mistakes_body<>(scores: &[f64], width: usize, labels: &[u32], units: &[u32]) -> i64 }

#[inline(always)]
unsafe fn mistakes_body(scores: &[f64], width: usize, labels: &[u32], units: &[u32]) -> i64 {
    by_width!(width, beaten(width, scores, labels, units))
}

#[inline(always)]
fn beaten<const W: usize>(width: usize, scores: &[f64], labels: &[u32], units: &[u32]) -> i64 {
    let width = if W == 0 { width } else { W };
    let mut wrong = 0;
    for ((row, &label), &unit) in scores.chunks_exact(width).zip(labels).zip(units) {
        let own = row[label as usize];
        // The first of equals wins: an earlier class needs only as much.
        let beaten = own < largest(row) || row[..label as usize].contains(&own);
        wrong += if beaten { i64::from(unit) } else { 0 };
    }
    wrong
}

/// The weight, in units, of the rows whose label does not have the first of the highest scores.
pub fn mistakes(scores: &[f64], width: usize, labels: &[u32], units: &[u32]) -> i64 {
    // SAFETY: no requirements; `unsafe` only because it is compiled for AVX2 too.
    unsafe { mistakes_pass(scores, width, labels, units) }
}

/// The softmax of each row of `width` scores.
pub fn softmax(scores: &[f64], width: usize, out: &mut [f64]) {
    // SAFETY: no requirements; `unsafe` only because it is compiled for AVX2 too.
    unsafe { softmax_pass(scores, width, out) }
}

vectorised! { unsafe fn exponentials_pass = exponentials_body<>(values: &mut [f64]) }

#[inline(always)]
unsafe fn exponentials_body(values: &mut [f64]) {
    for x in values {
        *x = exp(*x);
    }
}

/// Replaces each number x by eˣ.
pub fn exponentials(values: &mut [f64]) {
    // SAFETY: as above.
    unsafe { exponentials_pass(values) }
}

/// 1 / (1 + e⁻ˣ) of each score.
pub fn sigmoid(scores: &[f64], out: &mut [f64]) {
    // SAFETY: as above.
    unsafe { sigmoid_pass(scores, out) }
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
    fn sigmoid_is_symmetric_and_finite() {
        let mut p = [0.0; 3];
        sigmoid(&[-1e5, 0.0, 1e5], &mut p);
        assert!(p[0] >= 0.0 && p[0] < 1e-300);
        assert_eq!(p[1..], [0.5, 1.0]);
    }
}
