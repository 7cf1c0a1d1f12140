//! Sums of channels times where rows are on every axis: all that a regression on one axis at a time needs to know.
//!
//! As everywhere, sums are sums of integers. Here the integers are products, and floats hold them for a while: they are added
//! to whole numbers before they have more than 53 bits, so that every sum is exact. Floats multiply in vectors, integers
//! of this size do not.

use rayon::prelude::*;

use crate::numbers::cpu::widened;
use crate::numbers::grid::{Grid, nearest};
use crate::sums::totals::Totals;

/// Bits of a place.
const PLACE_BITS: u32 = 15;
/// What a place of 1 is.
const ONE: f64 = ((1 << PLACE_BITS) - 1) as f64;
/// What a unit of a squared place is.
const SQUARE: f64 = (1 << PLACE_BITS) as f64 / (ONE * ONE);
/// Most bits of a channel.
const CHANNEL_BITS: u32 = 27;
/// Bits of sums in floats and in whole numbers.
const FLOAT_BITS: u32 = 53;
const WHOLE_BITS: u32 = 62;
/// Rows of a task.
const ROWS: usize = 1 << 10;

/// Where rows are on some axes.
#[derive(Clone, Debug)]
pub struct Axes {
    count: usize,
    /// Row after row.
    places: Vec<i16>,
}

/// Sums over rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Of each channel.
    pub sums: Vec<f64>,
    /// Of each channel times the place on an axis: axis after axis, for channel after channel.
    pub first: Vec<f64>,
    /// Of the first channel times the squared place on each axis, if they were asked for.
    pub second: Vec<f64>,
}

impl Axes {
    /// Of places from −1 to 1 on `count` axes, row after row; what is farther out is at the end.
    ///
    /// # Panics
    /// If the last row is not whole: a bug of ours.
    pub fn new(count: usize, places: &[f64]) -> Self {
        assert_eq!(places.len() % count.max(1), 0, "whole rows");
        let place = |z: &f64| nearest(z.clamp(-1.0, 1.0) * ONE) as i16;
        Self { count, places: places.par_iter().map(place).collect() }
    }

    /// The sums over some rows of channels that `write` writes, as many as there are `bounds` and none of a larger absolute value
    /// than its bound; each row counts by its weight. The second moments are found if they are asked for.
    pub fn moments(
        &self,
        totals: &Totals<'_>,
        rows: &[u32],
        bounds: &[f64],
        squares: bool,
        write: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Moments {
        let (weights, channels) = (totals.weights(), bounds.len());
        // By all weight, so that it does not matter how rows share it.
        let spare =
            WHOLE_BITS - PLACE_BITS - (totals.units().max(1).ilog2() + 1).min(WHOLE_BITS - PLACE_BITS - 1);
        let bits = spare.min(CHANNEL_BITS);
        let room = 1u32 << (FLOAT_BITS - PLACE_BITS - bits).min(31);
        let grids: Vec<Grid> = bounds.iter().map(|&bound| Grid::for_largest(bound, bits)).collect();
        let scales: Vec<f64> = grids.iter().map(|grid| grid.per_one()).collect();
        let squares = if squares { self.count } else { 0 };
        let size = channels + squares + channels * self.count;
        let block = |mut sums: Vec<i64>, rows: &[u32]| {
            let (mut exact, mut left) = (vec![0.0; size], room);
            let (mut units, mut values) = (vec![0.0; channels], vec![0.0; channels]);
            for &row in rows {
                let row = row as usize;
                write(row, &mut values);
                for ((units, x), scale) in units.iter_mut().zip(&values).zip(&scales) {
                    *units = nearest(x * scale) as f64;
                }
                let places = &self.places[row * self.count..(row + 1) * self.count];
                let mut weight = weights.units[row];
                while weight > 0 {
                    if left == 0 {
                        flush(&mut exact, &mut sums);
                        left = room;
                    }
                    let part = weight.min(left);
                    values.iter_mut().zip(&units).for_each(|(x, units)| *x = units * f64::from(part));
                    add_products(places, &values, squares, &mut exact);
                    weight -= part;
                    left -= part;
                }
            }
            flush(&mut exact, &mut sums);
            sums
        };
        let none = || vec![0i64; size];
        let join = |mut a: Vec<i64>, b: Vec<i64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let mut sums = rows.par_chunks(ROWS).fold(none, block).reduce(none, join);
        totals.exchange().sum(&mut sums);
        let worth = |channel: usize| grids[channel].step() * weights.step;
        let (whole, products) = sums.split_at(channels);
        let (second, first) = products.split_at(squares);
        let of = |(at, &sum): (usize, &i64)| sum as f64 * (worth(at / self.count) / ONE);
        Moments {
            sums: whole.iter().enumerate().map(|(channel, &sum)| sum as f64 * worth(channel)).collect(),
            first: first.iter().enumerate().map(of).collect(),
            second: second.iter().map(|&sum| sum as f64 * (worth(0) * SQUARE)).collect(),
        }
    }
}

/// Adds floats to whole numbers, and begins them anew.
fn flush(exact: &mut [f64], sums: &mut [i64]) {
    for (exact, sum) in exact.iter_mut().zip(sums) {
        *sum += *exact as i64;
        *exact = 0.0;
    }
}

widened! {
    /// Adds a row: its channels, its first channel times so many squared places, and all channels times its places.
    fn add_products = add_products_body<>(places: &[i16], channels: &[f64], squares: usize, sums: &mut [f64])
}

#[inline(always)]
fn add_products_body(places: &[i16], channels: &[f64], squares: usize, sums: &mut [f64]) {
    let (whole, products) = sums.split_at_mut(channels.len());
    let (second, first) = products.split_at_mut(squares);
    for (sum, x) in whole.iter_mut().zip(channels) {
        *sum += x;
    }
    for (sum, &z) in second.iter_mut().zip(places) {
        let z = i32::from(z);
        *sum += channels[0] * f64::from((z * z + (1 << (PLACE_BITS - 1))) >> PLACE_BITS);
    }
    // Four channels at a time: a place is read and converted once for all of them.
    let count = places.len().max(1);
    let mut fours = first.chunks_exact_mut(4 * count);
    let some = fours.len();
    for (first, x) in fours.by_ref().zip(channels.chunks_exact(4)) {
        let (a, b) = first.split_at_mut(2 * count);
        let ((a, b), (c, d)) = (a.split_at_mut(count), b.split_at_mut(count));
        for ((((a, b), c), d), &z) in a.iter_mut().zip(b).zip(c).zip(d).zip(places) {
            let z = f64::from(z);
            *a += x[0] * z;
            *b += x[1] * z;
            *c += x[2] * z;
            *d += x[3] * z;
        }
    }
    let rest = fours.into_remainder().chunks_exact_mut(count);
    for (first, x) in rest.zip(&channels[4 * some..]) {
        for (sum, &z) in first.iter_mut().zip(places) {
            *sum += x * f64::from(z);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Alone;
    use crate::sums::channels::RowWeights;

    /// More than four, and not a multiple of four.
    const CHANNELS: usize = 6;

    /// Some rows on three axes, with channels and weights.
    fn made(rows: usize) -> (Vec<f64>, Vec<f64>, Vec<u32>) {
        let places = (0..3 * rows).map(|i| ((i * i * 31 + 7 * i) % 2001) as f64 / 1000.0 - 1.0).collect();
        let channels =
            (0..CHANNELS * rows).map(|i| ((i * i * 17 + 3 * i) % 997) as f64 / 500.0 - 0.9).collect();
        (places, channels, (0..rows).map(|i| (i % 3) as u32).collect())
    }

    #[test]
    fn moments_are_what_their_names_say() {
        let (places, channels, units) = made(3000);
        let totals = Totals::new(RowWeights { units: &units, step: 0.5 }, &Alone);
        let rows: Vec<u32> = (0..3000).filter(|row| row % 5 != 1).collect();
        let write =
            |row: usize, out: &mut [f64]| out.copy_from_slice(&channels[CHANNELS * row..][..CHANNELS]);
        let found = Axes::new(3, &places).moments(&totals, &rows, &[2.0; CHANNELS], true, write);
        let sum = |f: &dyn Fn(usize) -> f64| -> f64 {
            rows.iter().map(|&row| 0.5 * f64::from(units[row as usize]) * f(row as usize)).sum()
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-4 * 2400.0, "{a} {b}");
        for channel in 0..CHANNELS {
            let x = |row: usize| channels[CHANNELS * row + channel];
            near(found.sums[channel], sum(&x));
            for axis in 0..3 {
                near(found.first[3 * channel + axis], sum(&|row| x(row) * places[3 * row + axis]));
            }
        }
        for axis in 0..3 {
            near(found.second[axis], sum(&|row| channels[CHANNELS * row] * places[3 * row + axis].powi(2)));
        }
    }

    #[test]
    fn the_order_of_rows_does_not_show() {
        let (places, channels, units) = made(5000);
        let totals = Totals::new(RowWeights { units: &units, step: 1.0 }, &Alone);
        let axes = Axes::new(3, &places);
        let write =
            |row: usize, out: &mut [f64]| out.copy_from_slice(&channels[CHANNELS * row..][..CHANNELS]);
        let mut rows: Vec<u32> = (0..5000).collect();
        let forth = axes.moments(&totals, &rows, &[2.0; CHANNELS], true, write);
        rows.reverse();
        assert_eq!(forth, axes.moments(&totals, &rows, &[2.0; CHANNELS], true, write));
    }

    #[test]
    fn however_rows_share_weight_their_sums_are_exact() {
        for unit in [1, 3, 1 << 20, u32::MAX] {
            let units = vec![unit; ROWS];
            let totals = Totals::new(RowWeights { units: &units, step: 1.0 }, &Alone);
            let rows: Vec<u32> = (0..ROWS as u32).collect();
            let axes = Axes::new(1, &vec![-1.0; ROWS]);
            let found = axes.moments(&totals, &rows, &[1.0], true, |_, out| out[0] = 1.0);
            let all = f64::from(unit) * ROWS as f64;
            assert_eq!((found.sums[0], found.first[0]), (all, -all));
            assert!((found.second[0] - all).abs() < 1e-4 * all);
        }
    }

    #[test]
    fn weights_are_repetitions() {
        let (places, channels, units) = made(700);
        let axes = Axes::new(3, &places);
        let write =
            |row: usize, out: &mut [f64]| out.copy_from_slice(&channels[CHANNELS * row..][..CHANNELS]);
        let rows: Vec<u32> = (0..700).collect();
        let weighted = Totals::new(RowWeights { units: &units, step: 1.0 }, &Alone);
        let once = axes.moments(&weighted, &rows, &[2.0; CHANNELS], true, write);
        let again: Vec<usize> =
            (0..700).flat_map(|row| std::iter::repeat_n(row, units[row] as usize)).collect();
        let ones = vec![1; again.len()];
        let plain = Totals::new(RowWeights { units: &ones, step: 1.0 }, &Alone);
        let places: Vec<f64> = again.iter().flat_map(|&row| places[3 * row..3 * row + 3].to_vec()).collect();
        let rows: Vec<u32> = (0..again.len() as u32).collect();
        let repeated = Axes::new(3, &places)
            .moments(&plain, &rows, &[2.0; CHANNELS], true, |row, out| write(again[row], out));
        assert_eq!(once, repeated);
    }
}
