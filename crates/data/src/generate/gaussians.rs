//! Three Gaussians in the plane, equations (133) and (134) of Saberian & Vasconcelos 2019: an error of about 11 % is
//! the least possible.

use super::random::Random;
use super::tables;
use crate::table::Table;

/// Means, and covariances as (variance of x₁, covariance, variance of x₂).
const CLASSES: [([f64; 2], [f64; 3]); 3] =
    [([1.0, 2.0], [1.0, 0.5, 2.0]), ([-1.0, 0.0], [1.0, 0.3, 1.0]), ([2.0, -1.0], [0.4, 0.1, 0.8])];

/// Rows of a class drawn at random, then of its Gaussian.
pub fn gaussians(rows: usize, seed: u64) -> Table {
    let mut random = Random::new(seed, 1);
    let (mut values, mut classes) = (Vec::with_capacity(2 * rows), Vec::with_capacity(rows));
    for _ in 0..rows {
        let class = random.below(3);
        let ([m1, m2], [v1, c, v2]) = CLASSES[class];
        let (z1, z2) = (random.normal(), random.normal());
        // Cholesky: x = m + L z with L Lᵀ the covariance.
        let l11 = libm::sqrt(v1);
        let l21 = c / l11;
        values.push(m1 + l11 * z1);
        values.push(m2 + l21 * z1 + libm::sqrt(v2 - l21 * l21) * z2);
        classes.push(class as u32);
    }
    tables::table("gaussians", tables::numbers(&values, 2), classes, tables::numbered(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Values;

    fn density(class: usize, x: [f64; 2]) -> f64 {
        let (m, [v1, c, v2]) = CLASSES[class];
        let determinant = v1 * v2 - c * c;
        let (a, b) = (x[0] - m[0], x[1] - m[1]);
        (-(v2 * a * a - 2.0 * c * a * b + v1 * b * b) / determinant / 2.0).exp() / determinant.sqrt()
    }

    #[test]
    fn the_bayes_rule_errs_as_in_the_paper() {
        let table = gaussians(20_000, 3);
        let value = |column: usize, row: usize| match &table.columns[column].values {
            Values::Numbers(numbers) => numbers.get(row),
            _ => panic!("numbers"),
        };
        let Values::Words(words) = &table.columns[2].values else { panic!("words") };
        let errors = (0..table.rows).filter(|&row| {
            let x = [value(0, row), value(1, row)];
            let best = (0..3).max_by(|&a, &b| density(a, x).total_cmp(&density(b, x))).unwrap();
            words.codes[row] != best as u32
        });
        let rate = errors.count() as f64 / table.rows as f64;
        assert!((0.10..0.125).contains(&rate), "{rate}");
    }
}
