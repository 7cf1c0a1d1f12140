//! Numbers in single and in double precision, for loops that are written once.
//!
//! Single precision is for what is rounded to a few bits right away: twice as many numbers fit into a vector.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::numbers::grid::nearest;
use crate::numbers::lanes::{LANES, fold_changed, fold_first, sum_of};
use crate::numbers::math::{exp, exp_single};

/// A floating-point number.
pub trait Real:
    Copy
    + Default
    + Send
    + Sync
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// 1.
    const ONE: Self;
    /// Rounded from double precision.
    fn from_double(x: f64) -> Self;
    /// In double precision.
    fn double(self) -> f64;
    /// eˣ.
    #[must_use]
    fn exp(self) -> Self;
    /// Parts of a sum that a vector unit keeps side by side.
    type Lanes: Copy + Default;
    /// Their sum, in an order that is the same with and without vectors.
    fn sum_of(lanes: Self::Lanes) -> Self;
    /// The parts of Σ f(x) over the first `count` numbers.
    fn lanes_by(values: &[Self], count: usize, f: impl Fn(Self) -> Self + Copy) -> Self::Lanes;
    /// The parts of the sum of what `change` returns of each number, which it may change; `at` is told now and then how many
    /// it has seen.
    fn lanes_changed(
        values: &mut [Self],
        at: impl Fn(usize),
        change: impl Fn(&mut Self) -> Self,
    ) -> Self::Lanes;
    /// Σ f(x).
    #[inline(always)]
    fn sum_by(values: &[Self], f: impl Fn(Self) -> Self + Copy) -> Self {
        Self::sum_of(Self::lanes_by(values, values.len(), f))
    }
    /// The whole number nearest to `self · scale` plus a random one within ±½ · 2³² `dither`: a function of the value and
    /// the seed.
    fn units(self, scale: Self, dither: Self, seed: u32) -> i64;
}

/// Random bits of a value.
#[inline(always)]
fn hash(bits: u32, seed: u32) -> i32 {
    let mut h = (bits ^ seed).wrapping_mul(0x9e37_79b1);
    h = (h ^ (h >> 15)).wrapping_mul(0x85eb_ca77);
    (h ^ (h >> 13)) as i32
}

/// The parts of sums, of which there are so many.
macro_rules! lanes {
    ($count:expr) => {
        type Lanes = [Self; $count];
        #[inline(always)]
        fn lanes_by(values: &[Self], count: usize, f: impl Fn(Self) -> Self + Copy) -> Self::Lanes {
            fold_first(values, count, 0.0, |sum, x| sum + f(x))
        }
        #[inline(always)]
        fn lanes_changed(
            values: &mut [Self],
            at: impl Fn(usize),
            change: impl Fn(&mut Self) -> Self,
        ) -> Self::Lanes {
            fold_changed(values, 0.0, at, |sum, x| sum + change(x))
        }
    };
}

impl Real for f64 {
    const ONE: Self = 1.0;
    #[inline(always)]
    fn from_double(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn double(self) -> f64 {
        self
    }
    #[inline(always)]
    fn exp(self) -> Self {
        exp(self)
    }
    lanes!(LANES);
    #[inline(always)]
    fn sum_of(lanes: Self::Lanes) -> Self {
        sum_of(lanes)
    }
    #[inline(always)]
    fn units(self, scale: Self, dither: Self, seed: u32) -> i64 {
        let bits = self.to_bits();
        nearest(self * scale + f64::from(hash((bits ^ (bits >> 32)) as u32, seed)) * dither)
    }
}

/// Adding 1.5 · 2²³ rounds to an integer and leaves it in the low bits.
const ROUND: f32 = 12_582_912.0;

impl Real for f32 {
    const ONE: Self = 1.0;
    #[inline(always)]
    fn from_double(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn double(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        exp_single(self)
    }
    lanes!(16);
    #[inline(always)]
    fn sum_of(lanes: Self::Lanes) -> Self {
        lanes.into_iter().sum()
    }
    #[inline(always)]
    fn units(self, scale: Self, dither: Self, seed: u32) -> i64 {
        let x = self * scale + hash(self.to_bits(), seed) as f32 * dither;
        i64::from((x + ROUND).to_bits() as i32 - ROUND.to_bits() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_near_and_right_on_average() {
        let (scale, dither) = (8192.0f32, 1.0 / 4_294_967_296.0f32);
        let (mut apart, n) = (0.0, 20_000);
        for i in 0..n {
            let x = (i as f32 * 0.37).sin();
            let units = x.units(scale, dither, 5) as f64;
            let exact = f64::from(x) * 8192.0;
            assert!((units - exact).abs() <= 1.001, "{x}: {units}");
            apart += units - exact;
        }
        assert!((apart / f64::from(n)).abs() < 0.01, "{apart}");
    }
}
