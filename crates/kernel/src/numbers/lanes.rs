//! Sums and extremes of short rows, in lanes that a vector unit keeps side by side.
//!
//! The lanes are combined in one fixed order, so that the bits are the same with and without vectors.

use crate::numbers::cpu::vectorised;

pub(crate) const LANES: usize = 4;

/// The sum of lanes.
#[inline(always)]
pub(crate) fn sum_of(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

/// Σ f(x).
#[inline(always)]
pub(crate) fn sum_by(values: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    sum_of(fold(values, 0.0, |sum, x| sum + f(x)))
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
    sum_of(lanes)
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

/// Joins all values, in whatever order is fastest; joining one twice makes no difference.
#[inline(always)]
fn extreme(values: &[f64], start: f64, join: impl Fn(f64, f64) -> f64 + Copy) -> f64 {
    match values.len() {
        // So few have mostly been written just before, one by one: no vector could be read before all of them have arrived.
        0..13 => fold::<f64, LANES>(values, start, join).into_iter().fold(start, join),
        13..64 => extreme_of::<LANES>(values, start, join),
        // Several vectors at a time: none has to wait for the one before.
        _ => extreme_of::<16>(values, start, join),
    }
}

/// Joins at least `N` values: whole chunks, and the last `N`, of which some are in a chunk too.
#[inline(always)]
fn extreme_of<const N: usize>(values: &[f64], start: f64, join: impl Fn(f64, f64) -> f64 + Copy) -> f64 {
    let mut lanes = values.last_chunk().copied().unwrap_or([start; N]);
    for chunk in values.chunks_exact(N) {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = join(*lane, x);
        }
    }
    lanes.into_iter().fold(start, join)
}

/// Each lane's fold of its part of the values.
#[inline(always)]
fn fold<T: Copy, const N: usize>(values: &[T], start: T, join: impl Fn(T, T) -> T) -> [T; N] {
    let mut lanes = [start; N];
    let mut chunks = values.chunks_exact(N);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = join(*lane, x);
        }
    }
    // The rest, of any length, in a copy: so the lanes stay in registers until here.
    let mut last = lanes;
    for (lane, &x) in last.iter_mut().zip(chunks.remainder()) {
        *lane = join(*lane, x);
    }
    last
}

/// As [`fold`], of the first `count` values. Those behind them are looked at, so that the last lanes can be one vector too,
/// but do not count.
#[inline(always)]
pub(crate) fn fold_first<T: Copy, const N: usize>(
    values: &[T],
    count: usize,
    start: T,
    join: impl Fn(T, T) -> T + Copy,
) -> [T; N] {
    let (whole, rest) = values.split_at(count / N * N);
    let Some(rest) = rest.first_chunk::<N>() else { return fold(&values[..count], start, join) };
    let mut lanes = fold(whole, start, join);
    for (i, (lane, &x)) in lanes.iter_mut().zip(rest).enumerate() {
        let joined = join(*lane, x);
        *lane = if i < count % N { joined } else { *lane };
    }
    lanes
}

/// As [`fold`], of values that may be changed; `at` is told how many came before.
#[inline(always)]
pub(crate) fn fold_changed<T: Copy, const N: usize>(
    values: &mut [T],
    start: T,
    at: impl Fn(usize),
    join: impl Fn(T, &mut T) -> T,
) -> [T; N] {
    let mut lanes = [start; N];
    let mut chunks = values.chunks_exact_mut(N);
    for (chunk, values) in (&mut chunks).enumerate() {
        at(chunk * N);
        for (lane, x) in lanes.iter_mut().zip(values) {
            *lane = join(*lane, x);
        }
    }
    let mut last = lanes;
    for (lane, x) in last.iter_mut().zip(chunks.into_remainder()) {
        *lane = join(*lane, x);
    }
    last
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
