//! How far a share that was measured on some rows may be from that of all rows like them.

use manyboost_data::Weights;

use crate::words;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's interval (1927): what shares of all rows go with a share of so many, 95 times in 100.
pub fn wilson(share: f64, rows: f64) -> [f64; 2] {
    if rows.is_nan() || rows <= 0.0 {
        return [0.0, 1.0];
    }
    let square = Z * Z / rows;
    let middle = (share + 0.5 * square) / (1.0 + square);
    let half = Z * (share * (1.0 - share) / rows + 0.25 * square / rows).max(0.0).sqrt() / (1.0 + square);
    [(middle - half).clamp(0.0, share.max(0.0)), (middle + half).clamp(share.min(1.0), 1.0)]
}

/// How many rows of equal weight say as much: (Σ w)² / Σ w².
pub fn equal_rows(weights: &Weights) -> f64 {
    let units = || weights.units().iter().map(|&units| f64::from(units));
    let (sum, squares): (f64, f64) = (units().sum(), units().map(|w| w * w).sum());
    // Weights that are whole numbers are counts: rows that are there several times.
    let counts = weights.units().iter().all(|&units| u64::from(units).is_multiple_of(weights.one().max(1)));
    let rows = if counts { sum / weights.one().max(1) as f64 } else { sum * sum / squares };
    if rows.is_finite() { rows } else { 0.0 }
}

/// The interval of a share in words, in per cent.
pub fn percents(share: f64, rows: f64) -> String {
    let [low, high] = wilson(share, rows).map(words::percent);
    format!("{} – {high}", low.trim_end_matches(" %"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_tables() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        let known = [(81.0, 263.0, 0.2553, 0.3662), (15.0, 148.0, 0.0624, 0.1605)];
        let ends = [(0.0, 20.0, 0.0, 0.1611), (1.0, 29.0, 0.0061, 0.1718)];
        for (wrong, rows, low, high) in known.into_iter().chain(ends) {
            let [from, to] = wilson(wrong / rows, rows);
            assert!((from - low).abs() < 6e-5 && (to - high).abs() < 6e-5, "{wrong} of {rows}: {from} {to}");
        }
        assert_eq!(wilson(0.3, 0.0), [0.0, 1.0]);
    }
}
