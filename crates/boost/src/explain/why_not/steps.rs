//! The values of a column that a model can tell apart.

use manyboost_data::encode::{Codec, NumberCodec};

use crate::model::tree::Test;

/// A column whose value may be another one. Values between two neighbouring thresholds are one step; so is each level.
pub(super) struct Steps {
    /// Its place among the columns of the model.
    pub(super) column: usize,
    pub(super) feature: u32,
    kind: Kind,
}

enum Kind {
    Numbers {
        /// Those of all tests, ascending: step `i` has the values up to the threshold `i` and above the one before.
        thresholds: Vec<f64>,
        /// How far apart the cuts of training were.
        spread: f64,
    },
    Levels(u32),
}

/// The steps of a row's column: where it is, and what each would cost.
pub(super) struct Choices {
    /// Values that are in each step, as near as a short number can be to that of the row.
    pub(super) values: Vec<f64>,
    /// How far they are from it: 1 is the spread of the column, or another level.
    pub(super) distances: Vec<f64>,
}

impl Steps {
    /// Of a column, given the thresholds of all tests on it; nothing where it is of text or times.
    pub(super) fn new(
        column: usize,
        feature: u32,
        codec: &Codec,
        tests: impl Iterator<Item = f64>,
    ) -> Option<Self> {
        let kind = match codec {
            Codec::Number(codec) => {
                let mut thresholds: Vec<f64> = tests.collect();
                thresholds.sort_by(f64::total_cmp);
                thresholds.dedup();
                Kind::Numbers { thresholds, spread: spread(codec) }
            }
            Codec::Category(codec) => Kind::Levels(codec.levels().len() as u32),
            Codec::Text(_) | Codec::Time(_) => return None,
        };
        Some(Self { column, feature, kind })
    }

    /// The number of the last step a test sends left, if it is a threshold.
    pub(super) fn last_left(&self, test: &Test) -> Option<u32> {
        match (test, &self.kind) {
            (Test::AtMost(threshold), Kind::Numbers { thresholds, .. }) => {
                Some(thresholds.partition_point(|t| t < threshold) as u32)
            }
            _ => None,
        }
    }

    /// What a row with this value could have instead.
    pub(super) fn choices(&self, value: f64) -> Choices {
        match &self.kind {
            Kind::Numbers { thresholds, spread } => {
                let bound = |at: usize| thresholds.get(at).copied().unwrap_or(f64::INFINITY);
                let inside = |at: usize| {
                    let low = if at == 0 { f64::NEG_INFINITY } else { thresholds[at - 1] };
                    if low < value && value <= bound(at) {
                        value
                    } else {
                        short(low, bound(at), low >= value)
                    }
                };
                let values: Vec<f64> = (0..=thresholds.len()).map(inside).collect();
                let distance = |to: &f64| if value.is_nan() { 1.0 } else { (to - value).abs() / spread };
                Choices { distances: values.iter().map(distance).collect(), values }
            }
            Kind::Levels(levels) => {
                let values: Vec<f64> = (0..*levels).map(f64::from).collect();
                let distances = values.iter().map(|&to| f64::from(u8::from(to != value))).collect();
                Choices { values, distances }
            }
        }
    }
}

/// How far the cuts of a column are apart, and never nothing.
fn spread(codec: &NumberCodec) -> f64 {
    match codec.cuts() {
        [first, .., last] if last - first > 0.0 && (last - first).is_finite() => last - first,
        _ => 1.0,
    }
}

/// A number above `low` and up to `high` with few digits, near the one end or the other.
fn short(low: f64, high: f64, near_low: bool) -> f64 {
    let (near, width) = (if near_low { low } else { high }, high - low);
    let width = if width.is_finite() { width } else { near.abs().max(1.0) };
    let digits = 1 - width.log10().floor() as i32;
    let tries = (digits..digits + 18).filter(|digits| digits.abs() < 300);
    for digits in tries {
        let (times, over) = (10f64.powi(digits.max(0)), 10f64.powi((-digits).max(0)));
        let steps = (near * times / over).floor() + f64::from(u8::from(near_low));
        let number = steps * over / times;
        if low < number && number <= high && number.is_finite() {
            return number;
        }
    }
    if near_low { low.next_up().min(high) } else { high }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn short_numbers_are_inside() {
        assert_eq!(short(2.4512, 7.9, true), 2.5);
        assert_eq!(short(2.4512, 7.96, false), 7.9);
        assert_eq!(short(f64::NEG_INFINITY, 3.25, false), 3.2);
        assert_eq!(short(1234.5, f64::INFINITY, true), 1300.0);
        assert_eq!(short(0.0, f64::INFINITY, true), 0.1);
        for (low, high) in [(-1e-9, 1e-9), (0.3, 0.3f64.next_up()), (1e300, 1.1e300), (-5e-324, 0.0)] {
            for near_low in [true, false] {
                let number = short(low, high, near_low);
                assert!(low < number && number <= high, "{low} {high}: {number}");
            }
        }
    }
}
