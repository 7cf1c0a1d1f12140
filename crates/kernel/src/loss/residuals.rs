//! Residuals of rows, before their own answers are added: −p for each class, and before them the total variance of the row.
//!
//! Loops over a row of a few classes are compiled for their number; rows of some dozens take every step together, so that none
//! waits for the sum of another; rows of hundreds take as few steps as possible. The bits are the same whichever way.

use crate::loss::softmax::shift;
use crate::numbers::cpu::{by_width, prefetch, vectorised, widened};
use crate::numbers::real::Real;

/// Scores of a cache line.
const LINE: usize = 8;

/// Rows of up to so many scores have loops that are compiled for their width.
const SHORT: usize = 12;

/// Rows of so many scores are handled one by one.
const LONG: usize = 256;

/// Rows between these that are handled together.
const TOGETHER: usize = 16;

widened! {
    /// For each row of `width` scores the total variance Σ p (1 − p) of p, its softmax, then −p. Asks for the scores that are
    /// so far behind them in memory.
    pub fn softmax_residuals = softmax_residuals_body<R: Real>(scores: &[f64], width: usize, ahead: usize, out: &mut [R])
}

#[inline(always)]
fn softmax_residuals_body<R: Real>(scores: &[f64], width: usize, ahead: usize, out: &mut [R]) {
    match width {
        0..=SHORT => {
            by_width!(width, shift(width, 1, scores, out));
            exponentiate(out, scores.as_ptr().wrapping_add(ahead));
            by_width!(width, negate_shares<R>(width, out));
        }
        LONG.. => long_rows(scores, width, ahead, out),
        _ => {
            let groups = scores.chunks(TOGETHER * width).zip(out.chunks_mut(TOGETHER * (width + 1)));
            for (scores, out) in groups {
                rows_together(scores, width, ahead, out);
            }
        }
    }
}

/// Replaces all numbers x, those between rows too, by eˣ. Meanwhile the scores that are next come from memory.
#[inline(always)]
fn exponentiate<R: Real>(numbers: &mut [R], next: *const f64) {
    let (parts, rest) = numbers.as_chunks_mut::<{ 8 * LINE }>();
    for (at, part) in parts.iter_mut().enumerate() {
        for line in 0..8 {
            prefetch(next.wrapping_add((8 * at + line) * LINE));
        }
        for x in part {
            *x = x.exp();
        }
    }
    for x in rest {
        *x = x.exp();
    }
}

/// Softmax residuals of a few rows. Each step is done for all of them before the next, so that none waits for the sum of
/// another.
#[inline(always)]
fn rows_together<R: Real>(scores: &[f64], width: usize, ahead: usize, out: &mut [R]) {
    let (rows, stride) = (scores.len() / width, width + 1);
    let mut sums = [R::Lanes::default(); TOGETHER];
    let sums = &mut sums[..rows];
    shift::<0>(width, 1, scores, out);
    exponentiate(out, scores.as_ptr().wrapping_add(ahead));
    for (row, sum) in sums.iter_mut().enumerate() {
        *sum = R::lanes_by(&out[row * stride + 1..], width, |x| x);
    }
    for (row, &sum) in sums.iter().enumerate() {
        out[row * stride] = -R::ONE / R::sum_of(sum);
    }
    for out in out.chunks_exact_mut(stride) {
        let share = out[0];
        for x in &mut out[1..] {
            *x = *x * share;
        }
    }
    for (row, sum) in sums.iter_mut().enumerate() {
        *sum = R::lanes_by(&out[row * stride + 1..], width, |r| -r * (R::ONE + r));
    }
    for (row, &sum) in sums.iter().enumerate() {
        out[row * stride] = R::sum_of(sum);
    }
}

/// Softmax residuals of rows that are long enough for loops of their own: each pass does all that it can. Half of the
/// scores that are next are asked for in one of them, half in the other, so that they do not wait for one another.
#[inline(always)]
fn long_rows<R: Real>(scores: &[f64], width: usize, ahead: usize, out: &mut [R]) {
    for (row, out) in scores.chunks_exact(width).zip(out.chunks_exact_mut(width + 1)) {
        shift::<0>(width, 1, row, out);
        let (variance, numbers) = out.split_at_mut(1);
        let next = row.as_ptr().wrapping_add(ahead);
        let first_half = |at| prefetch(next.wrapping_add(at / 2));
        let second_half = |at| prefetch(next.wrapping_add(width / 2 + at / 2));
        let sum = R::lanes_changed(numbers, first_half, |x| {
            *x = x.exp();
            *x
        });
        let share = -R::ONE / R::sum_of(sum);
        let sum = R::lanes_changed(numbers, second_half, |x| {
            *x = *x * share;
            -*x * (R::ONE + *x)
        });
        variance[0] = R::sum_of(sum);
    }
}

/// Makes shares of the numbers of each row, negative ones, and writes their total variance before them.
#[inline(always)]
fn negate_shares<const W: usize, R: Real>(width: usize, out: &mut [R]) {
    let width = if W == 0 { width } else { W };
    for out in out.chunks_exact_mut(width + 1) {
        let (variance, numbers) = out.split_at_mut(1);
        let share = -R::ONE / R::sum_by(numbers, |x| x);
        for x in numbers.iter_mut() {
            *x = *x * share;
        }
        variance[0] = R::sum_by(numbers, |r| -r * (R::ONE + r));
    }
}

vectorised! {
    /// For each row of `width` scores the total variance Σ p (1 − p) of p, their sigmoids, then −p.
    pub fn sigmoid_residuals = sigmoid_residuals_body<R: Real>(scores: &[f64], width: usize, out: &mut [R])
}

#[inline(always)]
fn sigmoid_residuals_body<R: Real>(scores: &[f64], width: usize, out: &mut [R]) {
    for (row, out) in scores.chunks_exact(width).zip(out.chunks_exact_mut(width + 1)) {
        let (variance, numbers) = out.split_at_mut(1);
        for (o, &x) in numbers.iter_mut().zip(row) {
            *o = -R::ONE / (R::ONE + R::from_double(-x).exp());
        }
        variance[0] = R::sum_by(numbers, |r| -r * (R::ONE + r));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::softmax::softmax;
    use crate::numbers::cpu::{Instructions, use_at_most};

    fn scattered(count: usize) -> Vec<f64> {
        (0..count as u32).map(|i| f64::from((i * 7919) % 1013) * 0.03).collect()
    }

    /// Residuals, row by row, without any of the tricks.
    fn plainly(scores: &[f64], width: usize) -> Vec<f64> {
        let mut shares = vec![0.0; scores.len()];
        softmax(scores, width, &mut shares);
        let row = |p: &[f64]| {
            let variance = p.iter().map(|p| p * (1.0 - p)).sum();
            [vec![variance], p.iter().map(|p| -p).collect()].concat()
        };
        shares.chunks_exact(width).flat_map(row).collect()
    }

    #[test]
    fn of_any_width_and_number_of_rows() {
        for width in [2, 3, 12, 13, 15, 16, 17, 26, 64, 100, 255, 256, 300] {
            for rows in [1, 2, 15, 16, 17, 40] {
                let scores = scattered(rows * width);
                let exact = plainly(&scores, width);
                let mut double = vec![f64::NAN; rows * (width + 1)];
                softmax_residuals(&scores, width, 0, &mut double);
                let mut single = vec![f32::NAN; double.len()];
                softmax_residuals(&scores, width, 0, &mut single);
                for ((x, y), z) in exact.iter().zip(&double).zip(&single) {
                    assert!((x - y).abs() < 1e-14, "{width} classes, {rows} rows: {x} and {y}");
                    assert!((x - f64::from(*z)).abs() < 1e-6, "{width} classes, {rows} rows: {x} and {z}");
                }
            }
        }
    }

    #[test]
    fn the_bits_are_the_same_whichever_way() {
        for width in [13, 16, 26, 100, 255, 256, 300] {
            for rows in [1, 7, 16] {
                let scores = scattered(rows * width);
                let mut short = vec![0f32; rows * (width + 1)];
                shift::<0>(width, 1, &scores, &mut short);
                exponentiate(&mut short, scores.as_ptr());
                negate_shares::<0, f32>(width, &mut short);
                let mut others = [(); 3].map(|()| vec![f32::NAN; short.len()]);
                rows_together(&scores, width, 0, &mut others[0]);
                long_rows(&scores, width, 0, &mut others[1]);
                for instructions in Instructions::ALL {
                    use_at_most(instructions);
                    softmax_residuals(&scores, width, 0, &mut others[2]);
                    assert!(others.iter().all(|way| *way == short), "{width} classes, {rows} rows");
                }
                use_at_most(Instructions::Avx512);
            }
        }
    }

    #[test]
    fn a_row_is_the_same_wherever_it_is() {
        for width in [13, 26, 40, 255] {
            let row: Vec<f64> = (0..width).map(|i| f64::from((i * 37) % 11)).collect();
            let mut alone = vec![0f32; width as usize + 1];
            softmax_residuals(&row, width as usize, 0, &mut alone);
            let mut many = vec![0f32; 21 * alone.len()];
            softmax_residuals(&row.repeat(21), width as usize, 0, &mut many);
            assert!(many.chunks_exact(alone.len()).all(|one| one == alone), "{width} classes");
        }
    }
}
