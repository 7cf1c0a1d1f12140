//! Positive numbers as whole numbers of units.
//!
//! Whole numbers are counts, as they stand. Others are laid on the coarsest power-of-two grid that holds them exactly, if
//! that takes few enough units. Else, if they are multiples of a common number up to rounding (0.1, 0.2, 0.3), they become
//! those multiples. Else the largest is given the most units and the others are rounded.

use manyboost_kernel::Exchange;

use crate::agree::{any, total};

/// Most units that one row may weigh, unless it is a count of rows that a table could have.
pub(crate) const MOST: u32 = 1 << 20;

/// Largest denominator of weights that are taken for multiples of a common number.
const DENOMINATOR: u32 = 64;

/// What units stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightKind {
    /// Whole numbers, as they are.
    Whole,
    /// Numbers in a unit that all of them are multiples of.
    Multiples,
    /// Parts of the largest, rounded.
    Rounded,
}

impl WeightKind {
    /// What a unit weighs is 2 to the power of this. Counts are what they are, in whatever unit they come; other weights are
    /// scaled so that a row, which has so many units on average, weighs about one.
    pub(crate) fn exponent(self, mean: u64) -> i32 {
        if self == Self::Rounded { -(mean.max(1).ilog2() as i32) } else { 0 }
    }
}

/// Positive numbers in units.
pub(crate) struct Scaled {
    /// The units of each; 0 for what is too light.
    pub(crate) units: Vec<u32>,
    /// The units of the lightest that counts; 1 of whole numbers.
    pub(crate) one: u32,
    /// What units stand for.
    pub(crate) kind: WeightKind,
}

impl Scaled {
    /// Whole numbers are themselves; others have up to `most` units.
    pub(crate) fn new(values: &[f64], most: u32, exchange: &dyn Exchange) -> Self {
        match whole(values, exchange) {
            Some(units) => Self { units, one: 1, kind: WeightKind::Whole },
            None => Self::by_ratio(values, most, exchange),
        }
    }

    /// By their ratios alone.
    pub(crate) fn by_ratio(values: &[f64], most: u32, exchange: &dyn Exchange) -> Self {
        // Positive numbers are in the order of their bits.
        let bits = |value: f64| value.to_bits() as i64;
        let (smallest, largest) = values.iter().fold((f64::MAX, 0f64), |(s, l), &v| (s.min(v), l.max(v)));
        let mut ends = [-bits(smallest), bits(largest)];
        exchange.max(&mut ends);
        let (smallest, largest) = (f64::from_bits(-ends[0] as u64), f64::from_bits(ends[1] as u64));
        let rounded = |&v: &f64| (v / largest * f64::from(most)).round_ties_even() as u32;
        let multiples = if smallest == largest {
            Some(vec![1; values.len()])
        } else {
            exact(values, most, exchange).or_else(|| multiples(values, smallest, most, exchange))
        };
        let kind = if multiples.is_some() { WeightKind::Multiples } else { WeightKind::Rounded };
        let units = multiples.unwrap_or_else(|| values.iter().map(rounded).collect());
        let mut least = [-i64::from(units.iter().copied().filter(|&u| u > 0).min().unwrap_or(u32::MAX))];
        exchange.max(&mut least);
        let one = u32::try_from(-least[0]).ok().filter(|&one| one < u32::MAX).unwrap_or(1);
        Self { units, one, kind }
    }
}

/// The units that all workers have found, if each of them has found some for all its values.
fn found(units: Option<Vec<u32>>, exchange: &dyn Exchange) -> Option<Vec<u32>> {
    let lacking = any(exchange, units.is_none());
    units.filter(|_| !lacking)
}

/// Whole numbers as they are: if none is above [`MOST`], or all together are no more rows than a table may have.
fn whole(values: &[f64], exchange: &dyn Exchange) -> Option<Vec<u32>> {
    let rows = f64::from(u32::MAX);
    let count = |&value: &f64| (value.fract() == 0.0 && value <= rows).then_some(value as u32);
    let counts = found(values.iter().map(count).collect(), exchange)?;
    let many = any(exchange, counts.iter().any(|&count| count > MOST));
    let all = total(exchange, counts.iter().map(|&count| u64::from(count)).sum());
    (!many || u32::try_from(all).is_ok()).then_some(counts)
}

/// Weights in units of the coarsest power of two that divides them all, if none has more than `most`.
fn exact(values: &[f64], most: u32, exchange: &dyn Exchange) -> Option<Vec<u32>> {
    let mut grid = [-i64::from(values.iter().map(|&v| parts(v).1).min().unwrap_or(i32::MAX))];
    exchange.max(&mut grid);
    let grid = -grid[0] as i32;
    let units = values.iter().map(|&value| {
        let (mantissa, exponent) = parts(value);
        let shift = (exponent - grid) as u32;
        let fits = shift + mantissa.ilog2() <= most.ilog2() && mantissa << shift <= u64::from(most);
        fits.then(|| (mantissa << shift) as u32)
    });
    found(units.collect(), exchange)
}

/// A positive number as an odd integer times a power of two: (integer, exponent).
fn parts(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

/// Weights as multiples of a fraction of the smallest, if all are that up to rounding.
fn multiples(values: &[f64], smallest: f64, most: u32, exchange: &dyn Exchange) -> Option<Vec<u32>> {
    (1..=DENOMINATOR).find_map(|denominator| {
        let units = values.iter().map(|&value| {
            let multiple = value / smallest * f64::from(denominator);
            let whole = multiple.round();
            let close = (multiple - whole).abs() <= 4.0 * f64::EPSILON * multiple;
            (close && whole <= f64::from(most)).then_some(whole as u32)
        });
        found(units.collect(), exchange)
    })
}
