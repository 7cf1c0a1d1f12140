//! Hyperplanes as a model keeps them: an intercept and a slope for each of some features.
//!
//! A value counts by its distance from the mean of the training rows, in units of a power of two that makes the largest
//! distance about 1. So slopes of different features can be compared, no offset is lost to rounding, and a missing value, which
//! counts as the mean, simply adds nothing. Training and prediction add the same numbers in the same order: a row
//! is on the same side in both, to the bit.

use manyboost_kernel::numbers::math::pow2;
use serde::{Deserialize, Serialize};

/// Values of a larger size count as this one.
const LARGEST: f64 = pow2_of(400);
/// Powers of two that distances are measured in; columns whose values differ by less are constant.
pub(crate) const MOST_EXPONENT: i16 = 402;
/// Larger slopes and intercepts are refused: sums stay finite below them.
pub(crate) const STEEPEST: f64 = pow2_of(100);

/// 2 to the power of `n`, as a constant.
const fn pow2_of(n: u64) -> f64 {
    f64::from_bits((n + 1023) << 52)
}

/// The part of one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// The feature.
    pub feature: u32,
    /// Its mean in the training rows.
    pub mean: f64,
    /// Distances from the mean are multiplied by 2 to this power.
    pub exponent: i16,
    /// What a distance of 1 adds.
    pub slope: f64,
}

/// A hyperplane. Its cells are the two sides: 0 where the sum is at least 0, and 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// The parts of features, by ascending feature.
    pub slopes: Vec<Slope>,
    /// The sum where all values are means.
    pub intercept: f64,
}

/// A value as hyperplanes see it.
#[inline]
pub(crate) fn distance(value: f64, mean: f64, scale: f64) -> f64 {
    if value.is_nan() { 0.0 } else { (value.clamp(-LARGEST, LARGEST) - mean) * scale }
}

/// The largest size that values count with.
#[inline]
pub(crate) fn clamped(value: f64) -> f64 {
    value.clamp(-LARGEST, LARGEST)
}

/// The cell of a sum.
#[inline]
pub(crate) fn side(sum: f64) -> usize {
    usize::from(sum < 0.0)
}

impl Slope {
    /// What distances from the mean are multiplied by.
    #[inline]
    pub fn scale(&self) -> f64 {
        pow2(i32::from(self.exponent))
    }
}

impl Linear {
    /// The side of a row, given the value of any feature in it (missing is NaN).
    #[inline]
    pub fn cell(&self, value: impl Fn(u32) -> f64) -> usize {
        let part = |s: &Slope| s.slope * distance(value(s.feature), s.mean, s.scale());
        side(self.slopes.iter().fold(self.intercept, |sum, slope| sum + part(slope)))
    }

    /// The hyperplane in the units of the features: the sum where all values are 0, and what each feature adds for 1.
    pub fn plain(&self) -> (f64, Vec<(u32, f64)>) {
        let slopes: Vec<(u32, f64)> = self.slopes.iter().map(|s| (s.feature, s.slope * s.scale())).collect();
        let intercept =
            self.slopes.iter().fold(self.intercept, |sum, s| sum - s.slope * (s.mean * s.scale()));
        (intercept, slopes)
    }

    /// Says what no training writes.
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        if !self.slopes.is_sorted_by(|a, b| a.feature < b.feature) {
            return Err("its features are not in order".into());
        }
        let fine = |s: &Slope| {
            s.mean.abs() <= LARGEST
                && (-MOST_EXPONENT..=MOST_EXPONENT).contains(&s.exponent)
                && s.slope.abs() <= STEEPEST
        };
        match self.slopes.iter().find(|slope| !fine(slope)) {
            Some(slope) => Err(format!("the slope of feature {} is out of range", slope.feature)),
            None if self.intercept.abs() <= STEEPEST => Ok(()),
            None => Err("its intercept is out of range".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane() -> Linear {
        let slope = |feature, mean, exponent, slope| Slope { feature, mean, exponent, slope };
        Linear { slopes: vec![slope(0, 10.0, -1, 3.0), slope(2, -1.0, 2, -0.5)], intercept: 0.25 }
    }

    #[test]
    fn sides_are_those_of_the_plain_hyperplane() {
        let plane = plane();
        let (intercept, slopes) = plane.plain();
        assert_eq!((intercept, slopes), (0.25 - 15.0 - 2.0, vec![(0, 1.5), (2, -2.0)]));
        for values in [[0.0, 5.0, 0.0], [20.0, f64::NAN, 3.0], [12.0, 1.0, 0.625], [12.0, 1.0, 0.626]] {
            let sum = -16.75 + 1.5 * values[0] - 2.0 * values[2];
            assert_eq!(plane.cell(|feature| values[feature as usize]), usize::from(sum < 0.0), "{values:?}");
        }
    }

    #[test]
    fn missing_is_the_mean_and_nothing_overflows() {
        let plane = plane();
        assert_eq!(plane.cell(|_| f64::NAN), 0);
        assert_eq!(plane.cell(|feature| if feature == 0 { f64::NEG_INFINITY } else { f64::NAN }), 1);
        let slope = |feature| Slope { feature, mean: -LARGEST, exponent: MOST_EXPONENT, slope: STEEPEST };
        let steep = Linear { slopes: (0..1000).map(slope).collect(), intercept: -STEEPEST };
        assert!(steep.check().is_ok());
        assert_eq!(steep.cell(|_| f64::MAX), 0);
        let sum = steep.slopes.iter().map(|s| s.slope * distance(f64::MAX, s.mean, s.scale())).sum::<f64>();
        assert!(sum.is_finite());
    }

    #[test]
    fn what_is_out_of_range_is_said() {
        let broken: [fn(&mut Linear); 7] = [
            |p| p.intercept = f64::NAN,
            |p| p.intercept = f64::INFINITY,
            |p| p.slopes[0].slope = f64::NAN,
            |p| p.slopes[1].mean = 1e200,
            |p| p.slopes[1].exponent = i16::MIN,
            |p| p.slopes[1].feature = 0,
            |p| p.slopes.swap(0, 1),
        ];
        assert!(plane().check().is_ok());
        for change in broken {
            let mut plane = plane();
            change(&mut plane);
            assert!(plane.check().is_err(), "{plane:?}");
        }
    }
}
