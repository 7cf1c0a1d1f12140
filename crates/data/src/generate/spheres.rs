//! Nested spheres, equation (22) of Cho, Libgober & Ding 2024: x is standard normal, the class is the shell of |x|²
//! between quantiles of χ², all classes equally likely.

use super::chi_square::quantile;
use super::random::Random;
use super::tables;
use crate::table::Table;

/// Rows of `features` numbers in `classes` shells.
pub fn spheres(rows: usize, features: usize, classes: usize, seed: u64) -> Table {
    let (features, classes) = (features.max(1), classes.max(1));
    let limits: Vec<f64> = (1..classes).map(|c| quantile(features, c as f64 / classes as f64)).collect();
    let mut random = Random::new(seed, 2);
    let mut values = Vec::with_capacity(rows * features);
    let mut shells = Vec::with_capacity(rows);
    for _ in 0..rows {
        let mut square = 0.0;
        for _ in 0..features {
            let x = random.normal();
            square += x * x;
            values.push(x);
        }
        shells.push(limits.partition_point(|&limit| limit <= square) as u32);
    }
    tables::table("spheres", tables::numbers(&values, features), shells, tables::numbered(classes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Values;

    #[test]
    fn classes_are_equally_likely() {
        let table = spheres(30_000, 10, 3, 1);
        let Values::Words(words) = &table.columns[10].values else { panic!("words") };
        for class in 0..3 {
            let share = words.codes.iter().filter(|&&c| c == class).count() as f64 / 30_000.0;
            assert!((share - 1.0 / 3.0).abs() < 0.01, "{share}");
        }
    }
}
