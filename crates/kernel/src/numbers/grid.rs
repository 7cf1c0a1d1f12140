//! Fixed-point grids: how real numbers become integers whose sums are exact.
//!
//! A grid's step is a power of two, so going to units and back changes nothing but the rounding of the units
//! themselves. Integer sums do not depend on their order, and so neither does anything computed from them.

use crate::numbers::math::{floor_log2, pow2};

/// Units of a grid never need more bits than this: rounding by [`nearest`] is exact up to here.
pub const MOST_BITS: u32 = 50;

/// Below this a maximum counts as zero: no step of a normal float could resolve it.
const TINY: f64 = 1e-280;

/// Steps and their inverses must both be normal floats.
const LARGEST: i32 = 1022;

/// Multiples of a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    exponent: i32,
}

impl Grid {
    /// The finest grid on which numbers up to `largest` have units of at most 2^`bits`.
    pub fn for_largest(largest: f64, bits: u32) -> Self {
        debug_assert!(largest.is_finite() && bits <= MOST_BITS);
        if largest < TINY {
            return Self { exponent: 0 };
        }
        // largest ≤ 2^e, so largest / step ≤ 2^bits.
        let e = floor_log2(largest) + i32::from(!is_power(largest));
        Self { exponent: (e - bits as i32).clamp(-LARGEST, LARGEST) }
    }

    /// The grid with two to the power of `bits` times this step.
    #[must_use]
    pub fn coarser(self, bits: i32) -> Self {
        Self { exponent: (self.exponent + bits).clamp(-LARGEST, LARGEST) }
    }

    /// The coarser of two.
    #[must_use]
    pub(crate) fn coarsest(self, other: Self) -> Self {
        Self { exponent: self.exponent.max(other.exponent) }
    }

    /// The next grid, not finer, whose exponent is a multiple of `notch`.
    #[must_use]
    pub(crate) fn notched(self, notch: i32) -> Self {
        Self { exponent: self.exponent + (-self.exponent).rem_euclid(notch) }
    }

    /// The size of one unit.
    #[inline]
    pub fn step(self) -> f64 {
        pow2(self.exponent)
    }

    /// How many units make one: the inverse of [`Grid::step`].
    #[inline]
    pub fn per_one(self) -> f64 {
        pow2(-self.exponent)
    }
}

/// Whether a normal number is a power of two.
fn is_power(x: f64) -> bool {
    x.to_bits() << 12 == 0
}

/// Adding 1.5 · 2⁵² rounds to an integer and leaves it in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The integer nearest to `x` (halves to even), for |x| < 2⁵¹: branch-free, so that loops over it vectorise.
#[inline]
pub fn nearest(x: f64) -> i64 {
    (x + ROUND).to_bits() as i64 - ROUND.to_bits() as i64
}

/// [`nearest`], as a float.
#[inline]
pub(crate) fn nearest_float(x: f64) -> f64 {
    (x + ROUND) - ROUND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rounds_halves_to_even() {
        let numbers = [-2.5, -1.5, -0.5, -0.2, 0.0, 0.5, 1.5, 2.5, 1e15, -1e15, 0.499_999_999_999_999_94];
        for x in numbers {
            assert_eq!(nearest(x), x.round_ties_even() as i64, "{x}");
            assert_eq!(nearest_float(x), x.round_ties_even(), "{x}");
        }
    }

    #[test]
    fn units_stay_within_their_bits() {
        for largest in [1e-300, 1e-279, 0.3, 1.0, 1.999, 2.0, 7e12, 1e290, f64::MAX] {
            for bits in [2, 14, 50] {
                let grid = Grid::for_largest(largest, bits);
                let units = nearest(largest * grid.per_one());
                assert!(units <= 1 << bits, "{largest} on {bits} bits gives {units}");
                assert_eq!(grid.step() * grid.per_one(), 1.0);
            }
        }
    }
}
