//! Cholesky's factors of a symmetric positive matrix, block by block, so that nearly all work is products of matrices.

use std::ops::Range;

use manyboost_kernel::dot;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, Slice};

/// Columns of a block.
const BLOCK: usize = 64;

/// A pivot is at least this part of the largest number on the diagonal: what is smaller is rounding.
const LEAST: f64 = 1e-14;

/// The lower factor of a matrix.
pub struct Factor(Array2<f64>);

impl Factor {
    /// Factors a symmetric matrix, of which only the lower half is looked at.
    pub fn new(mut matrix: Array2<f64>) -> Self {
        let n = matrix.nrows();
        let least = LEAST * matrix.diag().iter().fold(f64::MIN_POSITIVE, |most, x| x.max(most));
        for first in (0..n).step_by(BLOCK) {
            let end = (first + BLOCK).min(n);
            let (top, mut bottom) = matrix.view_mut().split_at(Axis(0), end);
            let mut corner = part_mut(top, first..end, first..end);
            factor_corner(&mut corner, least);
            let rows = bottom.nrows();
            solve_panel(&corner.view(), &mut part_mut(bottom.view_mut(), 0..rows, first..end));
            subtract_products(&mut bottom, first, end);
        }
        Self(matrix)
    }

    /// Solves A x = b.
    pub fn solve(&self, b: &Array1<f64>) -> Array1<f64> {
        let (l, n) = (&self.0, b.len());
        let mut x = b.to_vec();
        for i in 0..n {
            let row = l.row(i).to_slice().unwrap_or_default();
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for i in (0..n).rev() {
            let row = l.row(i);
            x[i] /= row[i];
            let (now, rest) = (x[i], &mut x[..i]);
            rest.iter_mut().zip(row).for_each(|(x, l)| *x -= now * l);
        }
        Array1::from(x)
    }
}

/// Some rows and columns of a matrix.
fn part<'a>(whole: &ArrayView2<'a, f64>, rows: Range<usize>, columns: Range<usize>) -> ArrayView2<'a, f64> {
    (*whole).slice_axis_move(Axis(0), Slice::from(rows)).slice_axis_move(Axis(1), Slice::from(columns))
}

/// The same, to be changed.
fn part_mut(
    whole: ArrayViewMut2<'_, f64>,
    rows: Range<usize>,
    columns: Range<usize>,
) -> ArrayViewMut2<'_, f64> {
    whole.slice_axis_move(Axis(0), Slice::from(rows)).slice_axis_move(Axis(1), Slice::from(columns))
}

fn rows_of(whole: &Array2<f64>, rows: Range<usize>) -> ArrayView2<'_, f64> {
    whole.slice_axis(Axis(0), Slice::from(rows))
}

/// Factors a small matrix in its place.
fn factor_corner(a: &mut ArrayViewMut2<'_, f64>, least: f64) {
    let n = a.nrows();
    for j in 0..n {
        for i in j..n {
            let mut sum = a[[i, j]];
            for c in 0..j {
                sum -= a[[i, c]] * a[[j, c]];
            }
            a[[i, j]] = if i == j { sum.max(least).sqrt() } else { sum / a[[j, j]] };
        }
    }
}

/// Rows below a factored corner: each solves x Lᵀ = row.
fn solve_panel(corner: &ArrayView2<'_, f64>, panel: &mut ArrayViewMut2<'_, f64>) {
    let corner = corner.as_standard_layout();
    let mut x = vec![0.0; corner.nrows()];
    for mut row in panel.rows_mut() {
        for (j, l) in corner.rows().into_iter().enumerate() {
            let l = l.to_slice().unwrap_or_default();
            x[j] = (row[j] - dot(&l[..j], &x[..j])) / l[j];
        }
        row.iter_mut().zip(&x).for_each(|(row, x)| *row = *x);
    }
}

/// Takes the products of a panel off the part of the matrix below and right of it (its lower half, block by block).
fn subtract_products(bottom: &mut ArrayViewMut2<'_, f64>, first: usize, end: usize) {
    let rows = bottom.nrows();
    let panel = part(&bottom.view(), 0..rows, first..end).to_owned();
    for at in (0..rows).step_by(BLOCK) {
        let to = (at + BLOCK).min(rows);
        let (below, beside) = (rows_of(&panel, at..rows), rows_of(&panel, at..to));
        let mut block = part_mut(bottom.view_mut(), at..rows, end + at..end + to);
        general_mat_mul(-1.0, &below, &beside.t(), 1.0, &mut block);
    }
}

/// The lower half of Bᵀ B, block by block.
pub fn gram(b: &Array2<f64>) -> Array2<f64> {
    const GRAM_BLOCK: usize = 256;
    let (r, n) = b.dim();
    let mut out = Array2::zeros((n, n));
    for at in (0..n).step_by(GRAM_BLOCK) {
        let to = (at + GRAM_BLOCK).min(n);
        let (below, beside) = (part(&b.view(), 0..r, at..n), part(&b.view(), 0..r, at..to));
        let mut block = part_mut(out.view_mut(), at..n, at..to);
        general_mat_mul(1.0, &below.t(), &beside, 0.0, &mut block);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_systems_of_any_size() {
        for n in [1, 2, 63, 64, 65, 200, 300] {
            let b = Array2::from_shape_fn((n + 7, n), |(i, j)| ((i * 37 + j * 91) % 101) as f64 / 50.0 - 1.0);
            let mut a = b.t().dot(&b);
            a.diag_mut().iter_mut().for_each(|x| *x += 1.0);
            let mut half = gram(&b);
            half.diag_mut().iter_mut().for_each(|x| *x += 1.0);
            let right = Array1::from_shape_fn(n, |i| (i % 13) as f64 - 6.0);
            let x = Factor::new(half).solve(&right);
            let left = a.dot(&x) - &right;
            assert!(left.iter().all(|e| e.abs() < 1e-8), "n = {n}");
        }
    }
}
