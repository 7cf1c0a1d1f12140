//! Row weights as integers on a power-of-two grid.
//!
//! Sums across rows are exact only if weights are integers. So the smallest weight is scaled into [1, 2) by a power of two,
//! and all weights are laid on the coarsest power-of-two grid that holds them exactly, or, where the largest would need
//! more than [`MOST`] units, on the grid that gives the largest about that many. Then integer weights are exact,
//! a power of two times all weights changes nothing, and weight 2 is the row twice.

use crate::error::{Error, ErrorKind, Result};
use crate::role::Role;
use crate::say;
use crate::table::{Table, Values};

/// Most units that one row may weigh.
pub const MOST: u32 = 1 << 20;

/// Weights of rows: `units × 2^exponent`, where the smallest weight of all is in [1, 2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    units: Vec<u32>,
    exponent: i32,
    one: u32,
}

impl Weights {
    /// Weight one for every row.
    pub fn ones(rows: usize) -> Self {
        Self { units: vec![1; rows], exponent: 0, one: 1 }
    }

    /// The weights of a table's rows, and which rows to keep (all if `None`): those of weight 0 are to be dropped, and
    /// the weights are those of the others.
    pub fn read(table: &Table) -> Result<(Self, Option<Vec<u32>>)> {
        let Some(column) = table.columns.iter().find(|c| c.role == Role::Weight) else {
            return Ok((Self::ones(table.rows), None));
        };
        let place = format!("{}: column {}", table.source, say::name(&column.name));
        let values = match &column.values {
            Values::Numbers(numbers) => (0..table.rows).map(|row| numbers.get(row)).collect(),
            Values::SparseNumbers(entries) => {
                let mut values = vec![0.0; table.rows];
                for &(row, value) in entries {
                    values[row as usize] = value;
                }
                values
            }
            Values::Words(_) => return Err(wrong(format!("{place}: weights are not numbers"))),
        };
        Self::from_values(&values).map_err(|error| wrong(format!("{place}: {}", error.what())))
    }

    /// Weights of given values, and which rows to keep (all if `None`).
    pub fn from_values(values: &[f64]) -> Result<(Self, Option<Vec<u32>>)> {
        for (row, &value) in values.iter().enumerate() {
            let row = row + 1;
            if value.is_nan() {
                return Err(wrong(format!("row {row}: weight missing or not a number")));
            }
            if value < 0.0 || value.is_infinite() {
                return Err(wrong(format!("row {row}: weight {value} is not a finite number of at least 0")));
            }
        }
        let mut kept: Vec<u32> = (0..values.len() as u32).filter(|&row| values[row as usize] > 0.0).collect();
        if kept.is_empty() {
            return Err(wrong("all weights are zero".into()));
        }
        loop {
            let parts: Vec<Parts> = kept.iter().map(|&row| Parts::of(values[row as usize])).collect();
            let weights = Self::from_parts(&parts);
            let before = kept.len();
            if weights.units.iter().all(|&u| u > 0) {
                let all = before == values.len();
                return Ok((weights, (!all).then_some(kept)));
            }
            // What is too light for the grid is not there, so the grid is chosen again without it.
            let mut units = weights.units.iter();
            kept.retain(|_| units.next().is_some_and(|&u| u > 0));
        }
    }

    /// Lays positive weights on their grid.
    fn from_parts(parts: &[Parts]) -> Self {
        let first = parts[0];
        if parts.iter().all(|&p| p == first) {
            return Self::ones(parts.len());
        }
        let scale = parts.iter().map(|p| p.magnitude()).min().unwrap_or(0);
        let top = parts.iter().map(|p| p.magnitude()).max().unwrap_or(0);
        let exact = parts.iter().map(|p| p.exponent).min().unwrap_or(0);
        let most = parts.iter().map(|p| p.units(exact)).max().unwrap_or(u64::MAX);
        let grid = if most <= u64::from(MOST) { exact } else { top - 19 };
        let mut units: Vec<u32> = parts.iter().map(|p| p.units(grid) as u32).collect();
        let shared = units.iter().fold(0, |all, &u| all | u).trailing_zeros();
        for unit in &mut units {
            *unit >>= shared;
        }
        let exponent = grid + shared as i32 - scale;
        let smallest = units.iter().copied().filter(|&u| u > 0).min().unwrap_or(1);
        Self { one: 1 << smallest.ilog2(), units, exponent }
    }

    /// The units of each row.
    pub fn units(&self) -> &[u32] {
        &self.units
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.units.len()
    }

    /// The grid: a unit is 2^exponent.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The units of all rows together.
    pub fn total(&self) -> u64 {
        self.units.iter().map(|&u| u64::from(u)).sum()
    }

    /// The units of the smallest weight, rounded down to a power of two: what "one row" means to a minimum of rows.
    pub fn one(&self) -> u64 {
        u64::from(self.one)
    }

    /// Whether every row weighs one unit.
    pub fn uniform(&self) -> bool {
        self.units.iter().all(|&u| u == 1)
    }
}

fn wrong(what: String) -> Error {
    Error::new(ErrorKind::Weight, what, "weights are finite numbers of at least 0, and not all of them 0")
}

/// A positive number as `mantissa × 2^exponent` with an odd mantissa.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    mantissa: u64,
    exponent: i32,
}

impl Parts {
    fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let (biased, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
        let (mantissa, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
        let zeros = mantissa.trailing_zeros();
        Self { mantissa: mantissa >> zeros, exponent: exponent + zeros as i32 }
    }

    /// ⌊log₂⌋ of the value.
    fn magnitude(self) -> i32 {
        self.exponent + self.mantissa.ilog2() as i32
    }

    /// The value in units of 2^grid, rounded half to even; `u64::MAX` if it is beyond 2^60.
    fn units(self, grid: i32) -> u64 {
        let shift = self.exponent - grid;
        if shift >= 0 {
            return if self.mantissa.ilog2() as i32 + shift > 60 { u64::MAX } else { self.mantissa << shift };
        }
        let down = -shift;
        if down > 60 {
            return 0;
        }
        let (whole, part, half) =
            (self.mantissa >> down, self.mantissa & ((1 << down) - 1), 1u64 << (down - 1));
        whole + u64::from(part > half || (part == half && whole & 1 == 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units(values: &[f64]) -> Vec<u32> {
        Weights::from_values(values).unwrap().0.units
    }

    #[test]
    fn bad_weights_name_their_row() {
        for (values, words) in [
            (vec![1.0, -2.0], "row 2: weight -2"),
            (vec![f64::NAN], "row 1: weight missing"),
            (vec![1.0, 1.0, f64::INFINITY], "row 3"),
            (vec![0.0, -0.0], "weights are zero"),
        ] {
            let error = Weights::from_values(&values).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Weight);
            assert!(error.what().contains(words), "{error}");
        }
    }

    #[test]
    fn equal_weights_are_ones() {
        for value in [1e300, 1e-310, 5e-324, 3.0, f64::MAX] {
            assert_eq!(Weights::from_values(&[value; 3]).unwrap(), (Weights::ones(3), None));
        }
        let (weights, kept) = Weights::from_values(&[0.0, 7.0, 7.0]).unwrap();
        assert_eq!((weights, kept), (Weights::ones(2), Some(vec![1, 2])));
    }

    #[test]
    fn integers_are_exact() {
        assert_eq!(units(&[1.0, 2.0, 5.0]), [1, 2, 5]);
        assert_eq!(units(&[0.5, 0.75]), [2, 3]);
        let (weights, _) = Weights::from_values(&[3.0, 6.0, 12.0]).unwrap();
        assert_eq!(
            (weights.units(), weights.exponent(), weights.one(), weights.total()),
            (&[3, 6, 12][..], -1, 2, 21)
        );
    }

    #[test]
    fn what_is_too_light_is_not_there() {
        let (weights, kept) = Weights::from_values(&[1e-300, 2.0, 1e300, 4e299, 0.0]).unwrap();
        assert_eq!(kept, Some(vec![2, 3]));
        assert_eq!(weights.rows(), 2);
        let (same, _) = Weights::from_values(&[1e300, 4e299]).unwrap();
        assert_eq!(weights, same);
        assert!(Weights::from_values(&[5e-324, f64::MAX]).is_ok());
    }

    proptest! {
        #[test]
        fn powers_of_two_change_nothing(values in prop::collection::vec(0.0..1e3f64, 1..40), j in -300i32..300) {
            prop_assume!(values.iter().any(|&v| v > 0.0));
            let scaled: Vec<f64> = values.iter().map(|v| v * 2f64.powi(j)).collect();
            prop_assert_eq!(Weights::from_values(&values).unwrap(), Weights::from_values(&scaled).unwrap());
        }

        #[test]
        fn weight_zero_is_not_there(values in prop::collection::vec(prop_oneof![Just(0.0), 0.01..100f64], 1..40)) {
            let there: Vec<f64> = values.iter().copied().filter(|&v| v > 0.0).collect();
            prop_assume!(!there.is_empty());
            prop_assert_eq!(Weights::from_values(&values).unwrap().0, Weights::from_values(&there).unwrap().0);
        }

        #[test]
        fn integer_weights_keep_their_ratios(values in prop::collection::vec(1u32..1000, 1..40)) {
            let floats: Vec<f64> = values.iter().map(|&v| f64::from(v)).collect();
            let (weights, kept) = Weights::from_values(&floats).unwrap();
            prop_assert!(kept.is_none());
            for (&u, &v) in weights.units().iter().zip(&values) {
                prop_assert_eq!(u64::from(u) * u64::from(values[0]), u64::from(v) * u64::from(weights.units()[0]));
            }
        }

        #[test]
        fn units_are_close(values in prop::collection::vec(0.01..1e5f64, 2..40)) {
            let (weights, kept) = Weights::from_values(&values).unwrap();
            let kept = kept.unwrap_or_else(|| (0..values.len() as u32).collect());
            let largest = values.iter().copied().fold(0.0, f64::max);
            let smallest = kept.iter().map(|&r| values[r as usize]).fold(f64::MAX, f64::min);
            let scale = 2f64.powi(smallest.log2().floor() as i32);
            for (&unit, &row) in weights.units().iter().zip(&kept) {
                prop_assert!(unit <= MOST);
                let value = f64::from(unit) * 2f64.powi(weights.exponent()) * scale;
                prop_assert!((value - values[row as usize]).abs() <= largest / f64::from(MOST));
            }
            prop_assert!(weights.units().iter().all(|&u| u64::from(u) >= weights.one()));
        }
    }
}
