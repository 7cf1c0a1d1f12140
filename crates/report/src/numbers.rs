//! Numbers for figures: no more digits than the eye can see.

use serde_json::{Value, json};

/// A number with four significant digits; what is not a number is null.
pub fn number(x: f64) -> Value {
    json!(rounded(x))
}

/// Numbers with four significant digits.
pub fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    values.into_iter().map(number).collect()
}

fn rounded(x: f64) -> f64 {
    let digits: f64 = if x.fract() == 0.0 { x } else { format!("{x:.3e}").parse().unwrap_or(x) };
    if digits.is_finite() { digits } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_are_kept() {
        assert_eq!(numbers([0.123_456, -1e-9, 12_345.0, 0.0]).to_string(), "[0.1235,-1e-9,12345.0,0.0]");
        assert_eq!(numbers([f64::NAN, f64::INFINITY]).to_string(), "[null,null]");
    }
}
