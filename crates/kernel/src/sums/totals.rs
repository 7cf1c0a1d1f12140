//! Exact totals over rows, for everything that is not a histogram: losses, step sizes, leaf sums.
//!
//! As everywhere, a sum is an integer sum on a grid that depends on the data only; it passes [`Exchange`] once.

use std::ops::Range;

use rayon::prelude::*;

use crate::bins::groups::{GroupParts, by_blocks};
use crate::exchange::Exchange;
use crate::numbers::cpu::vectorised;
use crate::numbers::grid::{Grid, nearest};
use crate::sums::channels::{BLOCK, RowWeights, Statistics, largest, wide_bits};

/// More sums than this are many.
const MANY: usize = 128;

/// Sums functions of rows, each row times its weight.
#[derive(Clone, Copy)]
pub struct Totals<'a> {
    weights: RowWeights<'a>,
    total_units: u64,
    exchange: &'a dyn Exchange,
}

impl<'a> Totals<'a> {
    /// Over all rows that have these weights.
    pub fn new(weights: RowWeights<'a>, exchange: &'a dyn Exchange) -> Self {
        Self { weights, total_units: weights.total_units(exchange), exchange }
    }

    /// Sums over rows that have a part of their weight only, on the grids of all of it.
    #[must_use]
    pub fn partly<'b>(&self, units: &'b [u32]) -> Totals<'b>
    where
        'a: 'b,
    {
        Totals { weights: RowWeights { units, ..self.weights }, ..*self }
    }

    /// The weights.
    pub fn weights(&self) -> RowWeights<'a> {
        self.weights
    }

    /// The seam.
    pub fn exchange(&self) -> &'a dyn Exchange {
        self.exchange
    }

    /// The sum of all weights, in units.
    pub fn units(&self) -> u64 {
        self.total_units
    }

    /// The sum of all weights.
    pub fn weight(&self) -> f64 {
        self.total_units as f64 * self.weights.step
    }

    /// The weighted sums of `N` functions of a row. Each is evaluated twice a row, so it should be cheap.
    pub fn sums<const N: usize>(&self, f: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        let mut most = [0i64; N];
        self.folded(&mut most, i64::max, &|rows| {
            let mut most = [0.0f64; N];
            for row in rows {
                most.iter_mut().zip(f(row)).for_each(|(m, x)| *m = if x.abs() > *m { x.abs() } else { *m });
            }
            most.map(|x| x.to_bits() as i64).to_vec()
        });
        self.exchange.max(&mut most);
        self.sums_within(most.map(|bits| f64::from_bits(bits as u64)), f)
    }

    /// The weighted sums of `N` functions of a row whose absolute values stay within these bounds.
    pub fn sums_within<const N: usize>(
        &self,
        bounds: [f64; N],
        f: impl Fn(usize) -> [f64; N] + Sync,
    ) -> [f64; N] {
        let grids = bounds.map(|bound| self.grid(bound));
        let scales = grids.map(Grid::per_one);
        let mut sums = [0i64; N];
        self.folded(&mut sums, |a, b| a + b, &|rows| {
            let mut sums = [0i64; N];
            for row in rows {
                let unit = i64::from(self.weights.units[row]);
                let values = f(row);
                for i in 0..N {
                    sums[i] += nearest(values[i] * scales[i]) * unit;
                }
            }
            sums.to_vec()
        });
        self.exchange.sum(&mut sums);
        std::array::from_fn(|i| sums[i] as f64 * (grids[i].step() * self.weights.step))
    }

    /// Joins what `of` finds in each block of rows. The work of many threads is compiled here, once for all functions: one
    /// dynamic call a block.
    fn folded(
        &self,
        found: &mut [i64],
        join: fn(i64, i64) -> i64,
        of: &(dyn Fn(Range<usize>) -> Vec<i64> + Sync),
    ) {
        let rows = self.weights.units.len();
        let joined = |mut a: Vec<i64>, b: Vec<i64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = join(*a, b));
            a
        };
        let blocks = (0..rows.div_ceil(BLOCK)).into_par_iter();
        let all = blocks.map(|b| of(b * BLOCK..((b + 1) * BLOCK).min(rows))).reduce_with(joined);
        all.into_iter().flatten().zip(found).for_each(|(x, found)| *found = join(*found, x));
    }

    /// The weighted sum of a function of a row.
    pub fn sum(&self, f: impl Fn(usize) -> f64 + Sync) -> f64 {
        self.sums(|row| [f(row)])[0]
    }

    /// The weighted sum of a count a row: exact as it is.
    pub fn count(&self, f: impl Fn(usize) -> u32 + Sync) -> f64 {
        let units = self.weights.units;
        let count = |row: usize| i64::from(f(row)) * i64::from(units[row]);
        let mut sum = [0];
        self.folded(&mut sum, |a, b| a + b, &|rows| vec![rows.map(count).sum()]);
        self.exchanged(sum[0])
    }

    /// The weight of so many units of this worker's rows, together with those of all others.
    pub fn exchanged(&self, units: i64) -> f64 {
        let mut sum = [units];
        self.exchange.sum(&mut sum);
        sum[0] as f64 * self.weights.step
    }

    /// The largest value of a function of a row.
    pub fn max(&self, f: impl Fn(usize) -> f64 + Sync) -> f64 {
        let mut most = [i64::MIN];
        self.folded(&mut most, i64::max, &|rows| {
            vec![rows.map(|row| ordered_bits(f(row))).max().unwrap_or(i64::MIN)]
        });
        self.largest_bits(most[0])
    }

    /// The largest of one number per row.
    pub(crate) fn largest(&self, values: &[f64]) -> f64 {
        self.largest_bits(values.iter().map(|&x| ordered_bits(x)).max().unwrap_or(i64::MIN))
    }

    /// The largest value of all workers.
    fn largest_bits(&self, own: i64) -> f64 {
        let mut most = [own];
        self.exchange.max(&mut most);
        if most[0] == i64::MIN { f64::NEG_INFINITY } else { from_ordered_bits(most[0]) }
    }

    /// The weight and summed channels of each group of rows (the leaves of a tree): `groups × (1 + width)` numbers.
    pub fn by_group(&self, statistics: &Statistics<'_>, groups: &[&[u32]]) -> Vec<f64> {
        let bounds = largest(statistics, self.exchange);
        match *statistics {
            Statistics::Dense { values, width } => self.by_group_of(groups, &bounds, |row, out| {
                out.copy_from_slice(&values[row * width..(row + 1) * width]);
            }),
            Statistics::OneHot { values, labels, width } => {
                let grids = vec![self.grid(bounds[0]); width];
                let scale = grids[0].per_one();
                self.grouped(groups, &grids, &|rows, sums| {
                    for &row in rows {
                        let row = row as usize;
                        let unit = i64::from(self.weights.units[row]);
                        sums[0] += unit;
                        sums[1 + labels[row] as usize] += nearest(values[row] * scale) * unit;
                    }
                })
            }
        }
    }

    /// The weight of each group of rows and its sums of a function of a row, which writes as many values as there are
    /// `bounds` and no absolute value above its bound.
    pub fn by_group_of(
        &self,
        groups: &[&[u32]],
        bounds: &[f64],
        f: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Vec<f64> {
        let grids: Vec<Grid> = bounds.iter().map(|&b| self.grid(b)).collect();
        let scales: Vec<f64> = grids.iter().map(|g| g.per_one()).collect();
        self.grouped(groups, &grids, &|rows, sums| {
            let mut values = vec![0.0; scales.len()];
            add_rows(&f, rows, self.weights.units, &scales, &mut values, sums);
        })
    }

    /// For each group of rows its weight, its sums of `width` values in [−1, 1] a row, and its sums of their variances
    /// |x| (1 − |x|). `values` begin with `skip` others in each row.
    pub fn with_variances(&self, values: &[f64], skip: usize, width: usize, groups: &[&[u32]]) -> Vec<f64> {
        let (plain, variance) = (self.grid(1.0), self.grid(0.25));
        let grids: Vec<Grid> = (0..2 * width).map(|i| if i < width { plain } else { variance }).collect();
        let scales = [plain.per_one(), variance.per_one()];
        self.grouped(groups, &grids, &|rows, sums| {
            add_variances(rows, self.weights.units, values, skip, scales, sums);
        })
    }

    fn grid(&self, bound: f64) -> Grid {
        Grid::for_largest(bound, wide_bits(self.total_units))
    }

    /// Sums the rows of each group on these grids. `add` adds rows to their weight and sums.
    fn grouped(
        &self,
        groups: &[&[u32]],
        grids: &[Grid],
        add: &(dyn Fn(&[u32], &mut [i64]) + Sync),
    ) -> Vec<f64> {
        let steps = grids.iter().map(|g| g.step() * self.weights.step);
        let steps: Vec<f64> = std::iter::once(self.weights.step).chain(steps).collect();
        self.grouped_units(groups, &steps, add)
    }

    /// Sums the rows of each group side by side, and adds the parts up: as everywhere, the order cannot show. `steps` are what
    /// the units of the weight and of the sums are worth.
    pub(crate) fn grouped_units(
        &self,
        groups: &[&[u32]],
        steps: &[f64],
        add: &(dyn Fn(&[u32], &mut [i64]) + Sync),
    ) -> Vec<f64> {
        let stride = steps.len();
        let join = |mut a: Vec<i64>, b: Vec<i64>| {
            a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
            a
        };
        let mut sums = if stride > MANY {
            // Long rows are read at the same speed wherever they are: group by group, so that sums are in the cache.
            let part = |rows: &[u32]| {
                let mut sums = vec![0i64; stride];
                add(rows, &mut sums);
                sums
            };
            let group = |rows: &&[u32]| rows.par_chunks(BLOCK).map(part).reduce(|| vec![0; stride], join);
            groups.par_iter().map(group).collect::<Vec<Vec<i64>>>().concat()
        } else {
            // A block has sums of its own for every group, which should be fewer than its rows.
            let blocks = by_blocks(groups, self.weights.units.len(), BLOCK.max(8 * groups.len()));
            let sum = |mut sums: Vec<i64>, parts: &GroupParts<'_>| {
                for &(group, rows) in parts {
                    add(rows, &mut sums[group * stride..(group + 1) * stride]);
                }
                sums
            };
            let none = || vec![0i64; groups.len() * stride];
            blocks.par_iter().fold(none, sum).reduce(none, join)
        };
        self.exchange.sum(&mut sums);
        sums.chunks_exact(stride)
            .flat_map(|group| group.iter().zip(steps).map(|(&s, step)| s as f64 * step))
            .collect()
    }

    /// The units of some rows' values within a bound, times their weights; rows from `first` on.
    pub fn units_within(&self, bound: f64, first: usize, values: &[f64]) -> i64 {
        let scale = self.grid(bound).per_one();
        let units = &self.weights.units[first..];
        values.iter().zip(units).map(|(x, &unit)| nearest(x * scale) * i64::from(unit)).sum()
    }

    /// The sum that [`Totals::units_within`] of all of this worker's rows stand for, together with those of all others.
    pub fn of_units_within(&self, bound: f64, units: i64) -> f64 {
        self.exchanged(units) * self.grid(bound).step()
    }
}

vectorised! { fn add_rows = add_rows_body<F: Fn(usize, &mut [f64])>(f: &F, rows: &[u32], units: &[u32], scales: &[f64], values: &mut [f64], sums: &mut [i64]) }

#[inline(always)]
fn add_rows_body<F: Fn(usize, &mut [f64])>(
    f: &F,
    rows: &[u32],
    units: &[u32],
    scales: &[f64],
    values: &mut [f64],
    sums: &mut [i64],
) {
    let (weight, sums) = sums.split_at_mut(1);
    for &row in rows {
        f(row as usize, values);
        let unit = i64::from(units[row as usize]);
        weight[0] += unit;
        let scaled = sums.iter_mut().zip(values.iter()).zip(scales);
        // Most rows have weight 1, and products of 64 bits are slow.
        if unit == 1 {
            scaled.for_each(|((sum, x), scale)| *sum += nearest(x * scale));
        } else {
            scaled.for_each(|((sum, x), scale)| *sum += nearest(x * scale) * unit);
        }
    }
}

vectorised! { fn add_variances = add_variances_body<>(rows: &[u32], units: &[u32], values: &[f64], skip: usize, scales: [f64; 2], sums: &mut [i64]) }

#[inline(always)]
fn add_variances_body(
    rows: &[u32],
    units: &[u32],
    values: &[f64],
    skip: usize,
    [plain, variance]: [f64; 2],
    sums: &mut [i64],
) {
    let (weight, sums) = sums.split_at_mut(1);
    let width = sums.len() / 2;
    let (firsts, seconds) = sums.split_at_mut(width);
    for &row in rows {
        let unit = i64::from(units[row as usize]);
        weight[0] += unit;
        let start = row as usize * (skip + width) + skip;
        let own = &values[start..start + width];
        let both = firsts.iter_mut().zip(seconds.iter_mut()).zip(own);
        // Most rows have weight 1, and products of 64 bits are slow.
        if unit == 1 {
            for ((first, second), &x) in both {
                *first += nearest(x * plain);
                *second += nearest(x.abs() * (1.0 - x.abs()) * variance);
            }
        } else {
            for ((first, second), &x) in both {
                *first += nearest(x * plain) * unit;
                *second += nearest(x.abs() * (1.0 - x.abs()) * variance) * unit;
            }
        }
    }
}

/// Bits that are ordered like the floats.
fn ordered_bits(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

fn from_ordered_bits(bits: i64) -> f64 {
    f64::from_bits((bits ^ (((bits >> 63) as u64) >> 1) as i64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::Alone;

    #[test]
    fn ordered_bits_are_ordered() {
        let numbers = [-1e300, -2.0, -1.0, -1e-300, -0.0, 0.0, 1e-300, 1.0, 2.0, 1e300];
        assert!(numbers.windows(2).all(|w| ordered_bits(w[0]) <= ordered_bits(w[1])));
        assert!(numbers.iter().all(|&x| from_ordered_bits(ordered_bits(x)).to_bits() == x.to_bits()));
    }

    #[test]
    fn sums_do_not_depend_on_order_and_weights_are_repetitions() {
        let values: Vec<f64> = (0..10_000).map(|i| (f64::from(i) * 0.7).sin() * 1e-3).collect();
        let ones = vec![1u32; values.len()];
        let weights = RowWeights { units: &ones, step: 1.0 };
        let totals = Totals::new(weights, &Alone);
        let forward = totals.sum(|row| values[row]);
        let backward = totals.sum(|row| values[values.len() - 1 - row]);
        assert_eq!(forward.to_bits(), backward.to_bits());
        assert!((forward - values.iter().sum::<f64>()).abs() < 1e-12);
        let twos = vec![2u32; 5_000];
        let doubled = Totals::new(RowWeights { units: &twos, step: 1.0 }, &Alone).sum(|row| values[row]);
        let repeated = totals.sum(|row| values[row / 2]);
        assert_eq!(doubled.to_bits(), repeated.to_bits());
    }

    #[test]
    fn units_of_blocks_sum_to_the_whole() {
        let values: Vec<f64> = (0..1000).map(|i| f64::from(i) * 0.01).collect();
        let units: Vec<u32> = (0..1000).map(|i| 1 + i % 3).collect();
        let totals = Totals::new(RowWeights { units: &units, step: 0.5 }, &Alone);
        let parts = values.chunks(300).enumerate().map(|(i, part)| totals.units_within(16.0, 300 * i, part));
        let whole = totals.of_units_within(16.0, parts.sum());
        assert!((whole - totals.sum(|row| values[row])).abs() < 1e-9);
    }

    #[test]
    fn maxima() {
        let ones = vec![1u32; 5];
        let totals = Totals::new(RowWeights { units: &ones, step: 1.0 }, &Alone);
        assert_eq!(totals.max(|row| -(row as f64) - 1.0), -1.0);
    }
}
