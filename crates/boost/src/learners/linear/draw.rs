//! Which rows a regression sees, and how often.

use polyboost_kernel::math::exp;
use polyboost_kernel::{Seed, Totals};
use rayon::prelude::*;

/// Above this mean, counts are drawn from a range of the same mean and variance.
const MANY: f64 = 32.0;

/// A probability that does not count.
const SMALL: f64 = 1e-17;

/// How weights become rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regression {
    /// They do not: weighted least squares.
    #[default]
    Weighted,
    /// Rows are drawn with replacement by their weights, as Algorithm 3 of paper 001 says.
    Resampled,
}

/// What a row counts in a regression, instead of its signed weight: 0 for rows that are not seen. Rows are drawn by
/// their number.
pub(super) fn drawn(
    regression: Regression,
    share: f64,
    rows: &[u32],
    weight: impl Fn(usize) -> f64 + Sync,
    totals: &Totals<'_>,
    seed: Seed,
) -> Vec<f64> {
    let units = totals.weights().units;
    let mut weights = vec![0.0; units.len()];
    for &row in rows {
        weights[row as usize] = weight(row as usize);
    }
    let draw = |row: usize| seed.part(row as u64).unit();
    match regression {
        Regression::Weighted if share >= 1.0 => {}
        Regression::Weighted => {
            weights.par_iter_mut().enumerate().for_each(|(row, weight)| {
                if draw(row) >= share {
                    *weight = 0.0;
                }
            });
        }
        Regression::Resampled => {
            let [all] = totals.sums(|row| [weights[row].abs()]);
            let mut many = [rows.len() as i64];
            totals.exchange().sum(&mut many);
            // So many draws are expected for a weight of 1, the sample weight included.
            let each = if all > 0.0 { share * many[0] as f64 / all } else { 0.0 };
            let step = totals.weights().step;
            weights.par_iter_mut().enumerate().for_each(|(row, weight)| {
                let own = f64::from(units[row]);
                let count = poisson(weight.abs() * own * step * each, draw(row));
                // Sums multiply by the sample weight once more.
                *weight = weight.signum() * count / own;
            });
        }
    }
    weights
}

/// A count with this mean; `u` is drawn from [0, 1). Counts of rows that are drawn with replacement are as good as
/// independent, and then they are Poisson.
fn poisson(mean: f64, u: f64) -> f64 {
    if mean <= 0.0 {
        return 0.0;
    }
    if mean > MANY {
        return (mean + (12.0 * mean).sqrt() * (u - 0.5)).round();
    }
    let (mut count, mut term) = (0.0, exp(-mean));
    let mut left = u - term;
    // Terms below the last bit of `u` come after all others.
    while left >= 0.0 && term > SMALL {
        count += 1.0;
        term *= mean / count;
        left -= term;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyboost_kernel::{Alone, RowWeights};

    #[test]
    fn counts_have_their_mean_and_variance() {
        for mean in [0.01, 0.7, 3.0, 31.0, 33.0, 1000.0] {
            let counts: Vec<f64> = (0..40_000).map(|i| poisson(mean, Seed::new(1).part(i).unit())).collect();
            let average = counts.iter().sum::<f64>() / 40_000.0;
            let variance = counts.iter().map(|c| (c - average).powi(2)).sum::<f64>() / 40_000.0;
            assert!((average - mean).abs() < 5.0 * (mean / 40_000.0).sqrt(), "{mean}: mean {average}");
            assert!((variance / mean - 1.0).abs() < 0.1, "{mean}: variance {variance}");
        }
        assert_eq!(poisson(0.0, 0.999), 0.0);
        assert!((80.0..110.0).contains(&poisson(MANY, 1.0 - f64::EPSILON / 2.0)));
    }

    #[test]
    fn heavy_rows_are_drawn_more_often() {
        let units: Vec<u32> = (0..2000).map(|row| 1 + 2 * (row % 2)).collect();
        let totals = Totals::new(RowWeights { units: &units, step: 0.5 }, &Alone);
        let rows: Vec<u32> = (0..1000).collect();
        let weight = |row: usize| if row.is_multiple_of(4) { -2.0 } else { 1.0 };
        let drawn = drawn(Regression::Resampled, 1.0, &rows, weight, &totals, Seed::new(3));
        assert!(drawn[1000..].iter().all(|&w| w == 0.0));
        let counts: Vec<f64> = drawn.iter().zip(&units).map(|(w, &u)| w * f64::from(u)).collect();
        assert!(counts.iter().all(|c| c.fract() == 0.0));
        let total: f64 = counts.iter().map(|c| c.abs()).sum();
        assert!((total - 1000.0).abs() < 100.0, "{total}");
        // A quarter of the rows, with 2 of the 9 parts of the weight, and all of the minus signs.
        let minus = -counts.iter().filter(|c| **c < 0.0).sum::<f64>() / total;
        assert!((minus - 2.0 / 9.0).abs() < 0.05, "{minus}");
    }
}
