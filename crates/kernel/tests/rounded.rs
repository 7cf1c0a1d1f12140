//! Channels that are rounded while they are written, and sums of groups taken from rounded channels.

use polyboost_kernel::{Alone, Channels, Precision, RowWeights, Seed, Statistics, Totals, cpu};
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

    /// Written block by block, with the number of rows.
    fn written(&self, precision: Precision) -> Option<(Channels, i64)> {
        let write = |first: usize, out: &mut [f64]| {
            out.copy_from_slice(&self.values[first * self.width..][..out.len()]);
            (out.len() / self.width) as i64
        };
        let mut channels = Channels::default();
        let seen = channels.write_within(&vec![1.0; self.width], self.weights(), precision, 7, &Alone, write);
        seen.map(|seen| (channels, seen))
    }

    /// Rounded from memory.
    fn kept(&self, precision: Precision) -> Channels {
        let statistics = Statistics::Dense { values: &self.values, width: self.width };
        let mut channels = Channels::default();
        let bounds = vec![1.0; self.width];
        channels.quantise_within(&bounds, &statistics, self.weights(), precision, 7, &Alone);
        channels
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
    fn the_same_as_from_memory(
        rows in 1..1500usize, width in 1..14usize, weight in prop_oneof![Just(1u32), 2..9u32], seed in any::<u64>(),
    ) {
        let rows = Rows::new(rows, width, weight, 3, Seed::new(seed));
        let totals = Totals::new(rows.weights(), &Alone);
        let (written, seen) = rows.written(Precision::Narrow).unwrap();
        let kept = rows.kept(Precision::Narrow);
        prop_assert_eq!(seen, rows.units.len() as i64);
        prop_assert_eq!(written.steps(), kept.steps());
        let each: Vec<Vec<u32>> = (0..rows.units.len() as u32).map(|row| vec![row]).collect();
        let each: Vec<&[u32]> = each.iter().map(Vec::as_slice).collect();
        prop_assert_eq!(bits(&written.by_group(&totals, &each)), bits(&kept.by_group(&totals, &each)));
    }

    /// The units are whole numbers below 2³¹ and the grid's step is a power of two: the plain sums are exact.
    #[test]
    fn sums_follow_their_definition(
        rows in 1..400usize, width in 1..14usize, weight in prop_oneof![Just(1u32), 2..9u32], seed in any::<u64>(),
    ) {
        let rows = Rows::new(rows, width, weight, 3, Seed::new(seed));
        let totals = Totals::new(rows.weights(), &Alone);
        let (channels, _) = rows.written(Precision::Narrow).unwrap();
        for vectors in [true, false] {
            cpu::use_plain_code(!vectors);
            let plain = channels.by_group(&totals, &rows.groups());
            let both = channels.with_variances(&totals, width, &rows.groups());
            cpu::use_plain_code(false);
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
