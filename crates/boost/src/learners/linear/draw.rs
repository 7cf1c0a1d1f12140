//! Which rows a regression sees, and how often.

use manyboost_kernel::numbers::math::exp;
use manyboost_kernel::{RowWeights, Seed, Totals};
use rayon::prelude::*;

use super::LinearParameters;
use crate::engine::draws::Draws;

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
    /// Rows are drawn with replacement by their weights, as Algorithm 3 of Cho, Libgober & Ding 2024 says.
    Resampled,
}

/// The rows of a regression.
pub(super) struct Sample {
    /// What each row counts, with the sign that it is fitted by; 0 for rows that are not seen.
    pub(super) weights: Vec<f64>,
    /// How often each row is there in units of a weight, where that is not as always.
    units: Option<(Vec<u32>, f64)>,
}

impl Sample {
    /// Sums over the rows.
    pub(super) fn totals<'a>(&'a self, totals: &Totals<'a>) -> Totals<'a> {
        match &self.units {
            Some((units, step)) => Totals::new(RowWeights { units, step: *step }, totals.exchange()),
            None => *totals,
        }
    }
}

/// How often a row is drawn in the mean for each unit of its weight, the sample weight included: as many draws as the share of
/// these rows, by their copies, that are to be seen.
pub(super) fn rate(
    share: f64,
    rows: &[u32],
    weight: impl Fn(usize) -> f64 + Sync,
    totals: &Totals<'_>,
    draws: &Draws<'_>,
) -> f64 {
    let mut weights = vec![0.0; totals.weights().units.len()];
    for &row in rows {
        weights[row as usize] = weight(row as usize);
    }
    let [all] = totals.sums(|row| [weights[row].abs()]);
    let copies = draws.count(rows, totals);
    if all > 0.0 { share * copies / all } else { 0.0 }
}

/// What rows count in a regression: their signed weights, unless some of them are drawn, at this rate.
pub(super) fn drawn(
    LinearParameters { regression, subsample }: LinearParameters,
    rate: f64,
    rows: &[u32],
    weight: impl Fn(usize) -> f64 + Sync,
    totals: &Totals<'_>,
    draws: Option<&Draws<'_>>,
    seed: Seed,
) -> Sample {
    let RowWeights { units, step } = totals.weights();
    let mut weights = vec![0.0; units.len()];
    for &row in rows {
        weights[row as usize] = weight(row as usize);
    }
    let Some(draws) = draws else { return Sample { weights, units: None } };
    match regression {
        Regression::Weighted => {
            let drawn = draws.share(Some(rows), subsample, totals, seed);
            weights.par_iter_mut().zip(&drawn.units).for_each(|(weight, &units)| {
                if units == 0 {
                    *weight = 0.0;
                }
            });
            Sample { weights, units: Some((drawn.units, step)) }
        }
        Regression::Resampled => {
            let often = |units: f64, row: usize, seed: Seed| {
                poisson(weights[row].abs() * units * step * rate, seed.unit())
            };
            let counts = draws.together(totals, seed, often);
            weights.par_iter_mut().for_each(|weight| {
                *weight = if *weight == 0.0 { 0.0 } else { weight.signum() };
            });
            Sample { weights, units: Some((counts, 1.0)) }
        }
    }
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
    use manyboost_data::Weights;
    use manyboost_kernel::Alone;

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
        let values: Vec<f64> = (0..2000).map(|row| f64::from(1 + 2 * (row % 2))).collect();
        let (own, _) = Weights::from_values(&values).unwrap();
        let totals = Totals::new(RowWeights { units: own.units(), step: 0.5 }, &Alone);
        let draws = Draws::of(&own, own.units(), (0..2000).collect(), &Alone);
        let rows: Vec<u32> = (0..1000).collect();
        let weight = |row: usize| if row.is_multiple_of(4) { -2.0 } else { 1.0 };
        let parameters = LinearParameters { regression: Regression::Resampled, subsample: 0.5 };
        let rate = rate(0.5, &rows, weight, &totals, &draws);
        let sample = drawn(parameters, rate, &rows, weight, &totals, Some(&draws), Seed::new(3));
        assert!(sample.weights[1000..].iter().all(|&w| w == 0.0));
        let units = sample.totals(&totals).weights().units;
        let counts: Vec<f64> = sample.weights.iter().zip(units).map(|(w, &u)| w * f64::from(u)).collect();
        // Half as many as there are copies.
        let total: f64 = counts.iter().map(|c| c.abs()).sum();
        assert!((total - 1000.0).abs() < 100.0, "{total}");
        // A quarter of the rows, with 2 of the 9 parts of the weight, and all of the minus signs.
        let minus = -counts.iter().filter(|c| **c < 0.0).sum::<f64>() / total;
        assert!((minus - 2.0 / 9.0).abs() < 0.05, "{minus}");
    }

    #[test]
    fn equal_rows_are_drawn_together() {
        let totals_of = |own: &Weights| -> f64 {
            let totals = Totals::new(RowWeights { units: own.units(), step: 1.0 }, &Alone);
            let contents = if own.rows() == 3 { vec![5, 6, 7] } else { vec![6, 5, 7, 5, 5, 7] };
            let draws = Draws::of(own, own.units(), contents.clone(), &Alone);
            let rows: Vec<u32> = (0..own.rows() as u32).collect();
            let parameters = LinearParameters { regression: Regression::Resampled, subsample: 1.0 };
            let weight = |row: usize| contents[row] as f64;
            let rate = rate(1.0, &rows, weight, &totals, &draws);
            let sample = drawn(parameters, rate, &rows, weight, &totals, Some(&draws), Seed::new(3));
            let totals = sample.totals(&totals);
            totals.sum(|row| sample.weights[row] * contents[row] as f64)
        };
        let (heavy, _) = Weights::from_values(&[3.0, 1.0, 2.0]).unwrap();
        assert_eq!(totals_of(&heavy), totals_of(&Weights::ones(6)));
    }
}
