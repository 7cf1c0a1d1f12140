//! Sums and extremes of short rows, in lanes that a vector unit keeps side by side.
//!
//! The lanes are combined in one fixed order, so that the bits are the same with and without vectors.

use crate::cpu::vectorised;

const LANES: usize = 4;

/// Σ f(x).
#[inline(always)]
pub(crate) fn sum_by(values: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let lanes = fold::<f64, LANES>(values, 0.0, |sum, x| sum + f(x));
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// Σ f(x, y) over the numbers of two rows of one length.
#[inline(always)]
pub(crate) fn sum_of_pairs(xs: &[f64], ys: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let (mut xs, mut ys) = (xs.chunks_exact(LANES), ys.chunks_exact(LANES));
    for (xs, ys) in (&mut xs).zip(&mut ys) {
        for ((lane, &x), &y) in lanes.iter_mut().zip(xs).zip(ys) {
            *lane += f(x, y);
        }
    }
    for ((lane, &x), &y) in lanes.iter_mut().zip(xs.remainder()).zip(ys.remainder()) {
        *lane += f(x, y);
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// The sum of products of the numbers of two rows of one length.
pub fn dot(xs: &[f64], ys: &[f64]) -> f64 {
    sum_of_pairs(xs, ys, |x, y| x * y)
}

vectorised! { /// How many values are at least this.
pub fn count_at_least = count_at_least_body<>(values: &[f64], least: f64) -> usize }

#[inline(always)]
fn count_at_least_body(values: &[f64], least: f64) -> usize {
    // Counters as wide as the values stay in the same lanes.
    values.iter().map(|&x| i64::from(x >= least)).sum::<i64>() as usize
}

/// The smallest value; +∞ if there is none.
#[inline(always)]
pub(crate) fn smallest(values: &[f64]) -> f64 {
    extreme(values, f64::INFINITY, |a, b| if b < a { b } else { a })
}

/// The largest value; −∞ if there is none.
#[inline(always)]
pub(crate) fn largest(values: &[f64]) -> f64 {
    extreme(values, f64::NEG_INFINITY, |a, b| if b > a { b } else { a })
}

/// Joins all values, in whatever order is fastest.
#[inline(always)]
fn extreme(values: &[f64], start: f64, join: impl Fn(f64, f64) -> f64 + Copy) -> f64 {
    if values.len() < 64 {
        fold::<f64, LANES>(values, start, join).into_iter().fold(start, join)
    } else {
        // Several vectors at a time: none has to wait for the one before.
        fold::<f64, 16>(values, start, join).into_iter().fold(start, join)
    }
}

/// Each lane's fold of its part of the values.
#[inline(always)]
pub(crate) fn fold<T: Copy, const N: usize>(values: &[T], start: T, join: impl Fn(T, T) -> T) -> [T; N] {
    let mut lanes = [start; N];
    let mut chunks = values.chunks_exact(N);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = join(*lane, x);
        }
    }
    // The rest, of any length, in a copy: so the lanes stay in registers until here.
    let mut rest = lanes;
    for (lane, &x) in rest.iter_mut().zip(chunks.remainder()) {
        *lane = join(*lane, x);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_any_length() {
        let values: Vec<f64> = (0..90).map(|i| f64::from((i * 7) % 11) - 5.0).collect();
        for length in 0..values.len() {
            let row = &values[..length];
            assert_eq!(sum_by(row, |x| 2.0 * x), 2.0 * row.iter().sum::<f64>());
            assert_eq!(sum_of_pairs(row, row, |x, y| x * y), row.iter().map(|x| x * x).sum::<f64>());
            assert_eq!(count_at_least(row, 1.0), row.iter().filter(|&&x| x >= 1.0).count());
            assert_eq!(smallest(row), row.iter().copied().fold(f64::INFINITY, f64::min));
            assert_eq!(largest(row), row.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }
}
