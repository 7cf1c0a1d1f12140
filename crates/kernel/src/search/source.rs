//! Quantised channels of each row, and how a row is added to a histogram cell.
//!
//! A cell is the sums of a group of rows: first their weight, then their channels. Narrow cells (`i32`) hold small
//! units, chosen so that no subset of the rows can overflow; wide cells (`i64`) hold up to fifty bits per value.

use crate::numbers::cpu::prefetch;

/// Rows that are asked for ahead of their turn: those of a region deep in a tree are far from one another.
pub(crate) const AHEAD: usize = 8;

/// An integer type that sums are kept in.
pub trait Sum:
    Copy
    + Default
    + Send
    + Sync
    + PartialEq
    + Eq
    + std::fmt::Debug
    + std::ops::AddAssign
    + std::ops::SubAssign
    + 'static
{
    /// The value, or its negative where `flip` is [`Sum::MINUS`]: without a branch.
    #[must_use]
    fn flipped(self, flip: Self) -> Self;
    /// All bits set.
    const MINUS: Self;
    /// As a float: exact for `i32`, rounded once for `i64`.
    fn float(self) -> f64;
    /// From a total that is known to fit.
    fn from_i64(total: i64) -> Self;
    /// As a 64-bit integer.
    fn to_i64(self) -> i64;
}

/// How every integer flips.
macro_rules! flipping {
    () => {
        const MINUS: Self = -1;
        #[inline(always)]
        fn flipped(self, flip: Self) -> Self {
            (self ^ flip).wrapping_sub(flip)
        }
    };
}

impl Sum for i32 {
    flipping!();
    #[inline(always)]
    fn float(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn from_i64(total: i64) -> Self {
        total as i32
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        i64::from(self)
    }
}

impl Sum for i64 {
    flipping!();
    #[inline(always)]
    fn float(self) -> f64 {
        // The halves become mantissas: 2⁸⁴ + 2⁶³ + high · 2³² and 2⁵² + low. Both are exact, so only the sum is rounded, as in a
        // conversion; but this vectorises.
        const OFFSET: f64 = ((1u128 << 84) + (1 << 63) + (1 << 52)) as f64;
        let high = f64::from_bits((self as u64 >> 32) ^ 0x4530_0000_8000_0000);
        let low = f64::from_bits((self as u64 & 0xffff_ffff) | 0x4330_0000_0000_0000);
        (high - OFFSET) + low
    }
    #[inline(always)]
    fn from_i64(total: i64) -> Self {
        total
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        self
    }
}

/// A stored channel value and the type that its sums need.
pub trait StoredUnit: Copy + Default + Send + Sync + 'static {
    /// The type of sums.
    type Sum: Sum;
    /// The value as a sum.
    fn widen(self) -> Self::Sum;
    /// From a quantised value that is known to fit.
    fn narrow(units: i64) -> Self;
}

macro_rules! cell {
    ($stored:ty => $sum:ty) => {
        impl StoredUnit for $stored {
            type Sum = $sum;
            #[inline(always)]
            fn widen(self) -> $sum {
                <$sum>::from(self)
            }
            #[inline(always)]
            fn narrow(units: i64) -> Self {
                units as $stored
            }
        }
    };
}
cell!(i16 => i32);
cell!(i32 => i32);
cell!(i64 => i64);

/// Rows that can be added to cells. All functions are `unsafe` because they do not check indices: callers check
/// once that rows are below the number of rows and that cells have `width` sums.
pub(crate) trait Source: Copy + Sync {
    /// The type of sums.
    type Sum: Sum;
    /// A row, loaded once and added many times.
    type Row: Copy;
    /// Sums in a cell.
    fn width(self) -> usize;
    /// The same rows with all values negated, or not.
    #[must_use]
    #[inline(always)]
    fn negated(mut self, negate: bool) -> Self {
        *self.flip() = if negate { Self::Sum::MINUS } else { Self::Sum::default() };
        self
    }
    /// What all values are [flipped](Sum::flipped) by.
    fn flip(&mut self) -> &mut Self::Sum;
    /// Loads a row.
    ///
    /// # Safety
    /// `row` is below the number of rows.
    unsafe fn load(self, row: usize) -> Self::Row;
    /// Asks for a row that will be loaded soon.
    fn prefetch(self, row: usize);
    /// Adds a row to the cell at `into`.
    ///
    /// # Safety
    /// `into` points to `width` sums that nothing else refers to.
    unsafe fn add(self, row: Self::Row, into: *mut Self::Sum);
    /// Adds some rows to the cell at `into`.
    ///
    /// # Safety
    /// As for [`Source::load`] and [`Source::add`].
    #[inline(always)]
    unsafe fn add_all(self, rows: impl Iterator<Item = u32>, into: *mut Self::Sum) {
        for row in rows {
            // SAFETY: promised by the caller.
            unsafe { self.add(self.load(row as usize), into) }
        }
    }
}

/// Rows of `W` channels each, the width known when compiled.
#[derive(Clone, Copy)]
pub(crate) struct Fixed<'a, T: StoredUnit, const W: usize> {
    cells: &'a [T],
    flip: T::Sum,
}

impl<'a, T: StoredUnit, const W: usize> Fixed<'a, T, W> {
    pub(crate) fn new(cells: &'a [T]) -> Self {
        Self { cells, flip: T::Sum::default() }
    }
}

impl<T: StoredUnit, const W: usize> Source for Fixed<'_, T, W> {
    type Sum = T::Sum;
    type Row = [T::Sum; W];

    #[inline(always)]
    fn width(self) -> usize {
        W
    }

    #[inline(always)]
    fn flip(&mut self) -> &mut T::Sum {
        &mut self.flip
    }

    #[inline(always)]
    unsafe fn load(self, row: usize) -> [T::Sum; W] {
        // SAFETY: the caller promises that the row exists.
        let stored = unsafe { *self.cells.as_ptr().add(row * W).cast::<[T; W]>() };
        // A plain loop: `map` becomes a call for long arrays, without the vectors of its caller.
        let mut loaded = [T::Sum::default(); W];
        for (to, from) in loaded.iter_mut().zip(stored) {
            *to = from.widen().flipped(self.flip);
        }
        loaded
    }

    #[inline(always)]
    fn prefetch(self, row: usize) {
        prefetch(self.cells.as_ptr().wrapping_add(row * W));
        prefetch(self.cells.as_ptr().wrapping_add(row * W + W - 1));
    }

    #[inline(always)]
    unsafe fn add(self, row: [T::Sum; W], into: *mut T::Sum) {
        let into = into.cast::<[T::Sum; W]>();
        // SAFETY: the caller promises a cell of W sums.
        unsafe {
            let mut cell = *into;
            for (sum, value) in cell.iter_mut().zip(row) {
                *sum += value;
            }
            *into = cell;
        }
    }

    /// In registers, as far as there are any: a sum in memory would wait for its last store.
    #[inline(always)]
    unsafe fn add_all(self, rows: impl Iterator<Item = u32>, into: *mut T::Sum) {
        let mut sums = [T::Sum::default(); W];
        // SAFETY: promised by the caller.
        unsafe {
            for row in rows {
                for (sum, value) in sums.iter_mut().zip(self.load(row as usize)) {
                    *sum += value;
                }
            }
            self.add(sums, into);
        }
    }
}

/// Rows of any number of channels.
#[derive(Clone, Copy)]
pub(crate) struct Any<'a, T: StoredUnit> {
    cells: &'a [T],
    width: usize,
    flip: T::Sum,
}

impl<'a, T: StoredUnit> Any<'a, T> {
    pub(crate) fn new(cells: &'a [T], width: usize) -> Self {
        Self { cells, width, flip: T::Sum::default() }
    }
}

impl<'a, T: StoredUnit> Source for Any<'a, T> {
    type Sum = T::Sum;
    type Row = &'a [T];

    #[inline(always)]
    fn width(self) -> usize {
        self.width
    }

    #[inline(always)]
    fn flip(&mut self) -> &mut T::Sum {
        &mut self.flip
    }

    #[inline(always)]
    unsafe fn load(self, row: usize) -> &'a [T] {
        // SAFETY: the caller promises that the row exists.
        unsafe { self.cells.get_unchecked(row * self.width..(row + 1) * self.width) }
    }

    #[inline(always)]
    fn prefetch(self, row: usize) {
        prefetch(self.cells.as_ptr().wrapping_add(row * self.width));
    }

    #[inline(always)]
    unsafe fn add(self, row: &'a [T], into: *mut T::Sum) {
        // SAFETY: the caller promises a cell of `width` sums.
        let cell = unsafe { std::slice::from_raw_parts_mut(into, self.width) };
        for (sum, &value) in cell.iter_mut().zip(row) {
            *sum += value.widen().flipped(self.flip);
        }
    }
}

/// Rows with one non-zero channel each: cheap however many classes there are.
#[derive(Clone, Copy)]
pub(crate) struct OneHot<'a, S> {
    /// Weight and value of each row.
    pub values: &'a [(S, S)],
    /// The channel of each row's value.
    pub labels: &'a [u32],
    pub width: usize,
    pub flip: S,
}

impl<S: Sum> Source for OneHot<'_, S> {
    type Sum = S;
    type Row = (S, S, usize);

    #[inline(always)]
    fn width(self) -> usize {
        self.width
    }

    #[inline(always)]
    fn flip(&mut self) -> &mut S {
        &mut self.flip
    }

    #[inline(always)]
    unsafe fn load(self, row: usize) -> (S, S, usize) {
        // SAFETY: the caller promises that the row exists; labels are checked against the width when made.
        unsafe {
            let (weight, value) = *self.values.get_unchecked(row);
            (
                weight.flipped(self.flip),
                value.flipped(self.flip),
                *self.labels.get_unchecked(row) as usize + 1,
            )
        }
    }

    #[inline(always)]
    fn prefetch(self, row: usize) {
        prefetch(self.values.as_ptr().wrapping_add(row));
        prefetch(self.labels.as_ptr().wrapping_add(row));
    }

    #[inline(always)]
    unsafe fn add(self, (weight, value, at): (S, S, usize), into: *mut S) {
        // SAFETY: the caller promises a cell of `width` sums, and `at` is below the width.
        unsafe {
            *into += weight;
            *into.add(at) += value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_rounded_once() {
        let mut x = 1i64;
        for i in 0..10_000u32 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for y in [x, x >> (i % 64), -(x >> 1), i64::from(i) - 5000] {
                assert_eq!(y.float().to_bits(), (y as f64).to_bits(), "{y}");
            }
        }
        for y in [i64::MIN, i64::MAX, 0, -1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, 0xffff_ffff, 1 << 32] {
            assert_eq!(y.float(), y as f64, "{y}");
        }
    }
}
