//! How far an error may be off by the rows that it was measured on: its standard deviation over rows drawn again (Cho, Libgober & Ding 2024, table 3).

use manyboost_data::{Labels, Weights};
use manyboost_kernel::Seed;
use rayon::prelude::*;

use crate::engine::scores::{Scores, argmax};

/// The part of the seed that rows are drawn with.
const DRAWS_SEED: u64 = 0x626f_6f74;

/// The standard deviation of the error over so many draws of as many rows as there are, with replacement; `None` for label sets, or with fewer
/// than two rows or draws.
pub fn error_deviation(
    scores: &Scores,
    labels: &Labels,
    weights: &Weights,
    draws: usize,
    seed: u64,
) -> Option<f64> {
    let rows = labels.rows();
    if labels.is_sets() || rows < 2 || draws < 2 {
        return None;
    }
    let wrong: Vec<bool> =
        (0..rows).map(|row| labels.class(row) != Some(argmax(scores.row(row)) as u32)).collect();
    let seed = Seed::new(seed).part(DRAWS_SEED);
    let error = |draw: u64| {
        let seed = seed.part(draw);
        let (mut lost, mut all) = (0.0, 0.0);
        for place in 0..rows as u64 {
            let row = seed.part(place).below(rows as u64) as usize;
            let weight = f64::from(weights.units()[row]);
            (lost, all) = (lost + if wrong[row] { weight } else { 0.0 }, all + weight);
        }
        lost / all
    };
    let errors: Vec<f64> = (0..draws as u64).into_par_iter().map(error).collect();
    let mean = errors.iter().sum::<f64>() / draws as f64;
    let spread: f64 = errors.iter().map(|error| (error - mean) * (error - mean)).sum();
    Some((spread / (draws as f64 - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_a_share() {
        let rows = 400;
        let mut scores = Scores::new(rows, &[0.0, 0.0]);
        // A quarter is wrong.
        for row in 0..rows {
            scores.values_mut()[2 * row + usize::from(row % 4 == 0)] = 1.0;
        }
        let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![0; rows] };
        let found = error_deviation(&scores, &labels, &Weights::ones(rows), 2000, 1).unwrap();
        let expected = (0.25f64 * 0.75 / rows as f64).sqrt();
        assert!((found / expected - 1.0).abs() < 0.1, "{found} {expected}");
        assert_eq!(found, error_deviation(&scores, &labels, &Weights::ones(rows), 2000, 1).unwrap());
        assert!(error_deviation(&scores, &labels, &Weights::ones(rows), 1, 1).is_none());
    }
}
