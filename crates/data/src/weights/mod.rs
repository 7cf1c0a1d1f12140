//! Row weights as integers.
//!
//! Sums across rows are exact only if weights are integers. Whole numbers are: they count rows, and a row of weight 2 is
//! the row twice, also where all weigh 2. Of other weights only the ratios matter (see `scaled.rs`), and a factor common to
//! all of them does not (a power of two to the bit).

pub(crate) mod class_weights;
pub(crate) mod scaled;

use manyboost_kernel::Exchange;

use crate::agree::{ALONE, all_or_none, any, total};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Role;
use crate::table::{Table, Values};
use crate::weights::scaled::{MOST, Scaled, WeightKind};
use crate::wording;

/// Weights of rows in units: positive, but for rows that are left out for a while ([`Weights::with_units`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    units: Vec<u32>,
    one: u32,
    exponent: i32,
    copies: Copies,
}

/// What a copy of a row is: draws and splits are between copies.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Copies {
    /// A unit: weights count rows.
    Unit,
    /// The row, whatever it weighs.
    Row,
    /// So many units, row by row: weights count rows whose classes weigh so much.
    Units(Vec<u32>),
}

impl Weights {
    /// Weight one for every row.
    pub fn ones(rows: usize) -> Self {
        Self { units: vec![1; rows], one: 1, exponent: 0, copies: Copies::Unit }
    }

    /// Rows that are there `copies` times each, where a copy has so many `units`, which differ by class.
    pub(crate) fn by_copies(copies: &[u32], units: Vec<u32>, one: u32, exponent: i32) -> Self {
        let products = copies.iter().zip(&units).map(|(&copies, &units)| copies * units).collect();
        Self { units: products, one, exponent, copies: Copies::Units(units) }
    }

    /// The same rows with some of their copies: so many units each.
    #[must_use]
    pub fn with_units(&self, units: Vec<u32>) -> Self {
        Self { units, copies: self.copies.clone(), ..*self }
    }

    /// The weights of a table's rows, and which rows to keep (all if `None`): those of weight 0 are to be dropped, and
    /// the weights are those of the others.
    pub fn read(table: &Table) -> Result<(Self, Option<Vec<u32>>)> {
        Self::read_among(table, ALONE)
    }

    /// The same, of rows of which other workers have some too.
    pub(crate) fn read_among(table: &Table, exchange: &dyn Exchange) -> Result<(Self, Option<Vec<u32>>)> {
        let Some(column) = table.columns.iter().find(|c| c.role == Role::Weight) else {
            return Ok((Self::ones(table.rows), None));
        };
        let place = format!("{}: column {}", table.source, wording::name(&column.name));
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
        let weights = Self::from_values_among(&values, exchange);
        weights.map_err(|error| wrong(format!("{place}: {}", error.what())))
    }

    /// Weights of given values, and which rows to keep (all if `None`).
    pub fn from_values(values: &[f64]) -> Result<(Self, Option<Vec<u32>>)> {
        Self::from_values_among(values, ALONE)
    }

    /// The same, of rows of which other workers have some too.
    pub(crate) fn from_values_among(
        values: &[f64],
        exchange: &dyn Exchange,
    ) -> Result<(Self, Option<Vec<u32>>)> {
        all_or_none(exchange, check(values))?;
        let mut kept: Vec<u32> = (0..values.len() as u32).filter(|&row| values[row as usize] > 0.0).collect();
        if !any(exchange, !kept.is_empty()) {
            return Err(wrong("all weights are zero".into()));
        }
        loop {
            let positive: Vec<f64> = kept.iter().map(|&row| values[row as usize]).collect();
            let weights = Self::from_positive(&positive, exchange);
            let before = kept.len();
            if !any(exchange, weights.units.contains(&0)) {
                let all = before == values.len();
                return Ok((weights, (!all).then_some(kept)));
            }
            // What is too light for the grid is not there, so the grid is chosen again without it.
            let mut units = weights.units.iter();
            kept.retain(|_| units.next().is_some_and(|&u| u > 0));
        }
    }

    /// Turns positive weights into units; what is too light for one unit gets 0.
    fn from_positive(values: &[f64], exchange: &dyn Exchange) -> Self {
        let Scaled { units, one, kind } = Scaled::new(values, MOST, exchange);
        let all: u64 = units.iter().map(|&u| u64::from(u)).sum();
        let mean = total(exchange, all) / total(exchange, units.len() as u64).max(1);
        let exponent = kind.exponent(mean);
        let ones = !any(exchange, units.iter().any(|&u| u != 1));
        let copies = if ones || kind == WeightKind::Whole { Copies::Unit } else { Copies::Row };
        Self { units, one, exponent, copies }
    }

    /// The weights of the given rows, in the given order.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        let of = |all: &[u32]| rows.iter().map(|&row| all[row as usize]).collect();
        let copies = match &self.copies {
            Copies::Units(each) => Copies::Units(of(each)),
            other => other.clone(),
        };
        Self { units: of(&self.units), copies, ..*self }
    }

    /// Whether weights count rows: they are whole numbers, or equal.
    pub fn are_counts(&self) -> bool {
        self.copies == Copies::Unit
    }

    /// The units of one copy of a row. A row of a whole weight is there so many times; one of another weight is there once.
    #[inline]
    pub fn copy(&self, row: usize) -> u32 {
        match &self.copies {
            Copies::Unit => 1,
            Copies::Row => self.units[row].max(1),
            Copies::Units(each) => each[row],
        }
    }

    /// How often a row is there.
    #[inline]
    pub fn copies(&self, row: usize) -> u32 {
        self.units[row] / self.copy(row)
    }

    /// The units of each row.
    pub fn units(&self) -> &[u32] {
        &self.units
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.units.len()
    }

    /// What a unit weighs is 2 to the power of this: 1 where weights count repetitions, else such that a row weighs
    /// about one.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The units of all rows together.
    pub fn total(&self) -> u64 {
        self.units.iter().map(|&u| u64::from(u)).sum()
    }

    /// What "one row" means to a minimum of rows: one where weights count rows, else the units of the lightest row.
    pub fn one(&self) -> u64 {
        u64::from(self.one)
    }

    /// What "one row" weighs.
    pub fn one_row(&self) -> f64 {
        f64::from(self.one) * manyboost_kernel::numbers::math::pow2(self.exponent)
    }

    /// Whether every row weighs one unit.
    pub fn uniform(&self) -> bool {
        self.units.iter().all(|&u| u == 1)
    }
}

/// Refuses what is no weight.
fn check(values: &[f64]) -> Result<()> {
    for (row, &value) in (1..).zip(values) {
        if value.is_nan() {
            return Err(wrong(format!("row {row}: weight missing or not a number")));
        }
        if value < 0.0 || value.is_infinite() {
            return Err(wrong(format!("row {row}: weight {value} is not a finite number of at least 0")));
        }
    }
    Ok(())
}

fn wrong(what: String) -> Error {
    Error::new(ErrorKind::Weight, what, "weights are finite numbers of at least 0, and not all of them 0")
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
    fn equal_weights_that_count_nothing_are_ones() {
        for value in [1e300, 1e-310, 5e-324, 0.3, 1.5, f64::MAX] {
            assert_eq!(Weights::from_values(&[value; 3]).unwrap(), (Weights::ones(3), None));
        }
        let (weights, kept) = Weights::from_values(&[0.0, 0.7, 0.7]).unwrap();
        assert_eq!((weights, kept), (Weights::ones(2), Some(vec![1, 2])));
    }

    #[test]
    fn whole_numbers_are_counts() {
        for values in [&[5.0, 5.0][..], &[2.0, 4.0], &[3.0, 7.0], &[1e6, 1e6], &[1.0, 4e9], &[3e6, 7.0]] {
            let (weights, kept) = Weights::from_values(values).unwrap();
            let counts: Vec<f64> = (0..values.len()).map(|row| f64::from(weights.copies(row))).collect();
            assert_eq!((counts.as_slice(), kept), (values, None));
            assert_eq!((weights.one(), weights.exponent(), weights.copy(1)), (1, 0, 1));
            assert!(weights.are_counts());
        }
        let (weights, _) = Weights::from_values(&[0.0, 7.0, 7.0]).unwrap();
        assert_eq!(weights.units(), [7, 7]);
        // More rows than any table has.
        assert_eq!(units(&[3e9, 3e9]), [1, 1]);
        // Rows of other weights are there once each.
        let (weights, _) = Weights::from_values(&[0.5, 1.0]).unwrap();
        assert_eq!((weights.units(), weights.copies(1), weights.copy(1)), (&[1, 2][..], 1, 2));
    }

    #[test]
    fn integers_are_exact() {
        assert_eq!(units(&[1.0, 2.0, 5.0]), [1, 2, 5]);
        assert_eq!(units(&[0.5, 0.75]), [2, 3]);
        let (weights, _) = Weights::from_values(&[3.0, 6.0, 12.0]).unwrap();
        assert_eq!((weights.units(), weights.exponent()), (&[3, 6, 12][..], 0));
        assert_eq!((weights.one(), weights.total()), (1, 21));
        assert_eq!(units(&[1.0, f64::from(MOST)]), [1, MOST]);
        assert_eq!(units(&[0.1, 0.2, 0.1 + 0.2]), [1, 2, 3]);
        assert_eq!(units(&[0.2, 0.3]), [2, 3]);
    }

    #[test]
    fn counts_weigh_what_they_count() {
        // Counts, in whatever unit they come: a unit weighs one, so that a weight is a repetition.
        for values in [vec![1.0, 2.0, 5.0], vec![0.5, 0.75], vec![0.1, 0.2, 0.1 + 0.2], vec![3.0, 6e5]] {
            assert_eq!(Weights::from_values(&values).unwrap().0.exponent(), 0, "{values:?}");
        }
        assert_eq!(Weights::ones(3).exponent(), 0);
        assert_eq!(Weights::from_values(&[0.3; 4]).unwrap().0.exponent(), 0);
    }

    #[test]
    fn other_weights_make_a_row_weigh_about_one() {
        let values: Vec<f64> = (1..200).map(|i| (f64::from(i) * 0.37).sin().abs() + 0.01).collect();
        for scale in [1.0, 1e-9, 3e7] {
            let scaled: Vec<f64> = values.iter().map(|v| v * scale).collect();
            let (weights, _) = Weights::from_values(&scaled).unwrap();
            let unit = 2f64.powi(weights.exponent());
            let mean = weights.total() as f64 * unit / weights.rows() as f64;
            assert!((1.0..2.0).contains(&mean), "a row weighs {mean}");
        }
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
            // As good as never whole numbers, which are counts.
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
        fn any_factor_keeps_the_ratios(values in prop::collection::vec(1u32..50, 2..40), factor in 1e-9..1e9f64) {
            let weights = |c: f64| units(&values.iter().map(|&v| f64::from(v) * c).collect::<Vec<_>>());
            let (plain, scaled) = (weights(1.0), weights(factor));
            for (&p, &s) in plain.iter().zip(&scaled) {
                prop_assert_eq!(u64::from(p) * u64::from(scaled[0]), u64::from(s) * u64::from(plain[0]));
            }
        }

        #[test]
        fn units_are_close(values in prop::collection::vec(0.01..1e5f64, 2..40)) {
            let (weights, kept) = Weights::from_values(&values).unwrap();
            let kept = kept.unwrap_or_else(|| (0..values.len() as u32).collect());
            let largest = values.iter().copied().fold(0.0, f64::max);
            let top = f64::from(*weights.units().iter().max().unwrap());
            for (&unit, &row) in weights.units().iter().zip(&kept) {
                prop_assert!(unit <= MOST);
                let value = f64::from(unit) / top * largest;
                prop_assert!((value - values[row as usize]).abs() <= largest / f64::from(MOST));
            }
            prop_assert!(weights.units().iter().all(|&u| u64::from(u) >= weights.one()));
        }
    }
}
