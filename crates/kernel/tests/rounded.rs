//! Channels that are rounded while they are written, and sums of groups taken from rounded channels.

use manyboost_kernel::numbers::cpu::{self, Instructions};
use manyboost_kernel::{Alone, Channels, Directions, Precision, RowWeights, Seed, Totals, Within};
use proptest::prelude::*;

const STEP: f64 = 0.25;

/// A number in [−1, 1]: often an end, often small.
fn value(seed: Seed) -> f64 {
    let x = 2.0 * seed.unit() - 1.0;
    match seed.part(1).below(4) {
        0 => x.signum(),
        1 => x * 1e-4,
        _ => x,
    }
}

struct Rows {
    width: usize,
    values: Vec<f64>,
    units: Vec<u32>,
    groups: Vec<Vec<u32>>,
}

impl Rows {
    fn new(rows: usize, width: usize, most_weight: u32, groups: u64, seed: Seed) -> Self {
        let mut own = vec![Vec::new(); groups as usize];
        (0..rows as u32).for_each(|row| own[seed.part(u64::from(row)).below(groups) as usize].push(row));
        let weight = |row: u64| 1 + seed.part(1 << 40).part(row).below(u64::from(most_weight)) as u32;
        Self {
            width,
            values: (0..(rows * width) as u64).map(|i| value(seed.part(1 << 41).part(i))).collect(),
            units: (0..rows as u64).map(weight).collect(),
            groups: own,
        }
    }

    fn weights(&self) -> RowWeights<'_> {
        RowWeights { units: &self.units, step: STEP }
    }

    fn groups(&self) -> Vec<&[u32]> {
        self.groups.iter().map(Vec::as_slice).collect()
    }

    fn write(&self, first: usize, out: &mut [f32]) {
        let own = &self.values[first * self.width..][..out.len()];
        out.iter_mut().zip(own).for_each(|(out, &x)| *out = x as f32);
    }

    /// Written block by block, with the number of rows.
    fn written(&self, precision: Precision) -> Option<(Channels, i64)> {
        let write = |first: usize, out: &mut [f32]| {
            self.write(first, out);
            (out.len() / self.width) as i64
        };
        let mut channels = Channels::default();
        let bounds = vec![1.0; self.width];
        let weights = self.weights();
        let within = Within { bounds: &bounds, weights, precision, seed: 7, exchange: &Alone };
        let seen = channels.write_within(&within, write);
        seen.map(|seen| (channels, seen))
    }

    /// The rounded values of a row, without its weight.
    fn rounded(&self, channels: &Channels, row: u32) -> Vec<f64> {
        let weight = f64::from(self.units[row as usize]) * STEP;
        let sums = channels.by_group(&Totals::new(self.weights(), &Alone), &[&[row]]);
        assert_eq!(sums[0], weight);
        sums[1..].iter().map(|sum| sum / weight).collect()
    }
}

/// All bits of some sums.
fn bits(sums: &[f64]) -> Vec<u64> {
    sums.iter().map(|x| x.to_bits()).collect()
}

proptest! {
    #[test]
    fn values_are_rounded_by_less_than_a_step(
        rows in 1..900usize, width in 1..14usize, weight in prop_oneof![Just(1u32), 2..9u32], seed in any::<u64>(),
    ) {
        let rows = Rows::new(rows, width, weight, 3, Seed::new(seed));
        let (written, seen) = rows.written(Precision::Narrow).unwrap();
        prop_assert_eq!(seen, rows.units.len() as i64);
        for row in 0..rows.units.len() {
            let exact = &rows.values[row * width..][..width];
            for ((x, rounded), step) in exact.iter().zip(rows.rounded(&written, row as u32)).zip(&written.steps()[1..]) {
                prop_assert!((x - rounded).abs() <= 1.001 * step / STEP, "{} became {}", x, rounded);
            }
        }
    }

    /// Projections are sums of what was rounded; long rows are summed as short ones are.
    #[test]
    fn projections_follow_their_definition(
        rows in 1..300usize, width in 20..150usize, weight in prop_oneof![Just(1u32), 2..5u32], seed in any::<u64>(),
    ) {
        const KEPT: usize = 2;
        let rows = Rows::new(rows, width, weight, 3, Seed::new(seed));
        let totals = Totals::new(rows.weights(), &Alone);
        let directions = Directions::new(KEPT, width, 5, Seed::new(seed).part(1));
        let bounds = vec![1.0; width];
        let (weights, precision) = (rows.weights(), Precision::Narrow);
        let within = Within { bounds: &bounds, weights, precision, seed: 7, exchange: &Alone };
        let (mut whole, mut sketch) = (Channels::default(), Channels::default());
        let write = |first: usize, out: &mut [f32]| { rows.write(first, out); 1 };
        prop_assert!(whole.write_projected(&mut sketch, &within, &directions, width as f64, write).is_some());
        for instructions in Instructions::ALL {
            cpu::use_at_most(instructions);
            let sums = whole.by_group(&totals, &rows.groups());
            let projected = sketch.by_group(&totals, &rows.groups());
            let both = whole.with_variances(&totals, width, &rows.groups());
            cpu::use_at_most(Instructions::Avx512);
            for (at, group) in rows.groups.iter().enumerate() {
                let own = &sums[at * (width + 1)..][..=width];
                let few = &projected[at * (KEPT + 6)..][..KEPT + 6];
                prop_assert_eq!(&few[..=KEPT], &own[..=KEPT]);
                for (direction, x) in few[1 + KEPT..].iter().enumerate() {
                    let signs = directions.by_channel();
                    let exact: f64 = own[1 + KEPT..].iter().zip(signs[direction..].iter().step_by(5)).map(|(x, s)| x * s).sum();
                    prop_assert!((x - exact).abs() < 1e-9 * (1.0 + exact.abs()), "{} and {}", x, exact);
                }
                prop_assert_eq!(&both[at * (2 * width + 1)..][..=width], own);
                let variances: f64 = group.iter().map(|&row| {
                    let x = rows.rounded(&whole, row)[0].abs();
                    f64::from(rows.units[row as usize]) * STEP * x * (1.0 - x)
                }).sum();
                prop_assert_eq!(both[at * (2 * width + 1) + 1 + width], variances);
            }
        }
    }

    /// The units are whole numbers below 2³¹ and the grid's step is a power of two: the plain sums are exact.
    #[test]
    fn sums_follow_their_definition(
        rows in 1..400usize, width in 1..14usize, weight in prop_oneof![Just(1u32), 2..9u32], seed in any::<u64>(),
    ) {
        let rows = Rows::new(rows, width, weight, 3, Seed::new(seed));
        let totals = Totals::new(rows.weights(), &Alone);
        let (channels, _) = rows.written(Precision::Narrow).unwrap();
        for instructions in Instructions::ALL {
            cpu::use_at_most(instructions);
            let plain = channels.by_group(&totals, &rows.groups());
            let both = channels.with_variances(&totals, width, &rows.groups());
            cpu::use_at_most(Instructions::Avx512);
            for (at, group) in rows.groups.iter().enumerate() {
                let mut expected = vec![0.0; 1 + 2 * width];
                for &row in group {
                    let weight = f64::from(rows.units[row as usize]) * STEP;
                    expected[0] += weight;
                    for (i, x) in rows.rounded(&channels, row).into_iter().enumerate() {
                        expected[1 + i] += weight * x;
                        expected[1 + width + i] += weight * x.abs() * (1.0 - x.abs());
                    }
                }
                let (few, all) = (1 + width, 1 + 2 * width);
                prop_assert_eq!(&plain[at * few..][..few], &expected[..few]);
                prop_assert_eq!(&both[at * all..][..all], &expected[..]);
            }
        }
    }
}

#[test]
fn wide_sums_are_not_written() {
    let rows = Rows::new(50, 3, 1, 2, Seed::new(1));
    assert!(rows.written(Precision::Wide).is_none());
    assert!(rows.written(Precision::Auto).is_none());
    assert!(rows.written(Precision::Narrow).is_some());
}

#[test]
fn sums_do_not_depend_on_threads() {
    let rows = Rows::new(30_000, 7, 3, 40, Seed::new(2));
    let run = || {
        let totals = Totals::new(rows.weights(), &Alone);
        let (channels, _) = rows.written(Precision::Narrow).unwrap();
        bits(&channels.with_variances(&totals, 7, &rows.groups()))
    };
    let on = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run);
    let one = on(1);
    assert!([2, 3, 8].into_iter().all(|threads| on(threads) == one));
}

#[test]
fn rounding_is_right_on_average() {
    let rows = Rows::new(200_000, 2, 1, 1, Seed::new(3));
    let totals = Totals::new(rows.weights(), &Alone);
    let (channels, _) = rows.written(Precision::Narrow).unwrap();
    let rounded = channels.with_variances(&totals, 2, &rows.groups());
    let exact = totals.with_variances(&rows.values, 0, 2, &rows.groups());
    for (a, b) in rounded.iter().zip(&exact) {
        // Half a step a row at most, and a random walk: far below the sum's own noise.
        assert!((a - b).abs() < 2e-4 * 200_000f64.sqrt() * STEP, "{a} and {b}");
    }
}
