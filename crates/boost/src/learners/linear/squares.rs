//! Weighted least squares: the normal equations, and how they are solved whatever they are.

use manyboost_kernel::Totals;

use crate::learners::columns::Columns;

/// A column is left out if the columns before it explain all but this share of its sum of squares: it is constant, or a
/// copy of others, as far as rounded sums can tell.
const UNEXPLAINED: f64 = 1e-10;

/// The normal equations of a regression on a constant and the columns z.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Equations {
    /// Σ |w| z zᵀ: the lower triangle, row after row.
    gram: Vec<f64>,
    /// Σ w z.
    right: Vec<f64>,
}

impl Equations {
    /// For each group of rows the equations with these weights, whose signs are the values to fit.
    pub(super) fn of(
        columns: &Columns,
        groups: &[&[u32]],
        weights: &[f64],
        totals: &Totals<'_>,
    ) -> Vec<Self> {
        let size = columns.width() + 1;
        let triangle = size * (size + 1) / 2;
        // Distances are at most 1.
        let bound = totals.max(|row| weights[row].abs()).max(0.0);
        let sums = totals.by_group_of(groups, &vec![bound; triangle + size], |row, out| {
            let (weight, z) = (weights[row], columns.row(row));
            let (gram, right) = out.split_at_mut(triangle);
            gram[0] = weight.abs();
            right[0] = weight;
            let mut rest = &mut gram[1..];
            for (i, x) in z.iter().enumerate() {
                let scaled = weight.abs() * x;
                right[1 + i] = weight * x;
                let (own, after) = rest.split_at_mut(i + 2);
                own[0] = scaled;
                own[1..].iter_mut().zip(z).for_each(|(product, y)| *product = scaled * y);
                rest = after;
            }
        });
        let one =
            |sums: &[f64]| Self { gram: sums[1..=triangle].to_vec(), right: sums[1 + triangle..].to_vec() };
        sums.chunks_exact(1 + triangle + size).map(one).collect()
    }

    /// Those of the rows of both, where the values of `other` are to be fitted with the opposite sign.
    pub(super) fn against(&self, other: &Self) -> Self {
        let gram = self.gram.iter().zip(&other.gram).map(|(a, b)| a + b).collect();
        let right = self.right.iter().zip(&other.right).map(|(a, b)| a - b).collect();
        Self { gram, right }
    }

    /// The intercept and the slopes; columns that the ones before them explain have slope 0. The matrix is factored as L D Lᵀ, a
    /// row at a time.
    pub(super) fn solve(&self) -> Vec<f64> {
        let size = self.right.len();
        let start = |i: usize| i * (i + 1) / 2;
        let mut lower = self.gram.clone();
        let mut inverse = vec![0.0; size];
        let mut solution = self.right.clone();
        for i in 0..size {
            let (before, own) = lower.split_at_mut(start(i));
            let (own, diagonal) = own[..=i].split_at_mut(i);
            for j in 0..i {
                // own[..j] holds L D so far.
                let row = &before[start(j)..start(j) + j];
                own[j] -= own[..j].iter().zip(row).map(|(a, b)| a * b).sum::<f64>();
            }
            let mut pivot = diagonal[0];
            for (j, x) in own.iter_mut().enumerate() {
                let l = *x * inverse[j];
                pivot -= *x * l;
                *x = l;
            }
            let whole = diagonal[0];
            inverse[i] = if pivot > UNEXPLAINED * whole { 1.0 / pivot } else { 0.0 };
            let known = own.iter().zip(&solution[..i]).map(|(l, y)| l * y).sum::<f64>();
            solution[i] = if inverse[i] == 0.0 { 0.0 } else { solution[i] - known };
        }
        for i in (0..size).rev() {
            let above: f64 = (i + 1..size).map(|k| lower[start(k) + i] * solution[k]).sum();
            solution[i] = if inverse[i] == 0.0 { 0.0 } else { solution[i] * inverse[i] - above };
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[(f64, &[f64])]) -> Equations {
        let size = rows[0].1.len() + 1;
        let mut equations = Equations { gram: vec![0.0; size * (size + 1) / 2], right: vec![0.0; size] };
        for (weight, z) in rows {
            let z: Vec<f64> = std::iter::once(1.0).chain(z.iter().copied()).collect();
            let mut at = 0;
            for i in 0..size {
                equations.right[i] += weight * z[i];
                for j in 0..=i {
                    equations.gram[at] += weight.abs() * z[i] * z[j];
                    at += 1;
                }
            }
        }
        equations
    }

    #[test]
    fn a_line_through_three_points() {
        // y = ±1 with weights 1, 1, 2 at z = −1, 0, 1.
        let solution = of(&[(-1.0, &[-1.0]), (1.0, &[0.0]), (2.0, &[1.0])]).solve();
        // By hand: the mean of z is ¼, of y ½; cov = 7/8 − ... = 5/8 of 11/16.
        let slope = (3.0 / 4.0 - 0.25 * 0.5) / (3.0 / 4.0 - 0.0625);
        assert!((solution[1] - slope).abs() < 1e-15, "{solution:?}");
        assert!((solution[0] - (0.5 - slope * 0.25)).abs() < 1e-15, "{solution:?}");
    }

    #[test]
    fn the_gradient_vanishes() {
        let z = |i: u32, j: u32| f64::from((i * (7 + 3 * j) + j * j) % 11) / 11.0 - 0.4;
        let rows: Vec<(f64, Vec<f64>)> = (0..30)
            .map(|i| (if i % 3 == 0 { -0.5 } else { 1.0 + f64::from(i) }, (0..4).map(|j| z(i, j)).collect()))
            .collect();
        let rows: Vec<(f64, &[f64])> = rows.iter().map(|(w, z)| (*w, z.as_slice())).collect();
        let beta = of(&rows).solve();
        for j in 0..5 {
            let at = |z: &[f64], j: usize| if j == 0 { 1.0 } else { z[j - 1] };
            let residual =
                |(w, z): &(f64, &[f64])| w.signum() - (0..5).map(|j| beta[j] * at(z, j)).sum::<f64>();
            let gradient: f64 = rows.iter().map(|row| row.0.abs() * residual(row) * at(row.1, j)).sum();
            assert!(gradient.abs() < 1e-11, "{j}: {gradient}");
        }
    }

    #[test]
    fn columns_that_add_nothing_have_no_slope() {
        // Constant, then z, then twice z, then zero.
        let rows: [(f64, &[f64]); 3] =
            [(-1.0, &[1.0, -0.5, -1.0, 0.0]), (1.0, &[1.0, 0.25, 0.5, 0.0]), (3.0, &[1.0, 0.5, 1.0, 0.0])];
        let solution = of(&rows).solve();
        assert_eq!((solution[1], solution[3], solution[4]), (0.0, 0.0, 0.0));
        assert!(solution[2] > 0.0);
        assert_eq!(of(&[(0.0, &[1.0, 1.0])]).solve(), [0.0; 3]);
    }
}
