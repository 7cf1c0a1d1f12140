//! Systems of equations with a symmetric positive matrix. Sums are made in one order, so that all machines find the same.

use manyboost_kernel::dot;

/// A pivot is at least this part of the number on the diagonal that it was: what is smaller is rounding.
const LEAST: f64 = 1e-14;

/// Cholesky's lower factor, row by row.
pub(super) struct Factor(Vec<Vec<f64>>);

impl Factor {
    /// Of a matrix of which the lower half is given, row by row.
    pub(super) fn new(mut rows: Vec<Vec<f64>>) -> Self {
        for i in 0..rows.len() {
            let (above, from) = rows.split_at_mut(i);
            let row = &mut from[0];
            for (j, other) in above.iter().enumerate() {
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let least = (LEAST * row[i]).max(f64::MIN_POSITIVE);
            row[i] = (row[i] - dot(&row[..i], &row[..i])).max(least).sqrt();
        }
        Self(rows)
    }

    /// Solves A x = b.
    pub(super) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let mut x = b.to_vec();
        for (i, row) in self.0.iter().enumerate() {
            x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
        }
        for (i, row) in self.0.iter().enumerate().rev() {
            x[i] /= row[i];
            let (now, rest) = (x[i], &mut x[..i]);
            rest.iter_mut().zip(row).for_each(|(x, l)| *x -= now * l);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        let a = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]];
        let lower = (0..3).map(|i| a[i][..=i].to_vec()).collect();
        let x = Factor::new(lower).solve(&[1.0, 2.0, 3.0]);
        for (row, b) in a.iter().zip([1.0, 2.0, 3.0]) {
            assert!((dot(row, &x) - b).abs() < 1e-12);
        }
    }
}
