//! Channels: rounding that is bounded, unbiased, exact for zero, and sums that cannot overflow.

use manyboost_kernel::search::score::LeastCost;
use manyboost_kernel::{
    Alone, BinsBuilder, Channels, Precision, RowWeights, Rules, Searchable, Searcher, Seed, Statistics, Sum,
};
use proptest::prelude::*;

const RULES: Rules = Rules { min_weight: 1, equality: true, min_level: 1, features: 1.0, cuts: 0 };
const STEP: f64 = 0.25;

/// The units of each row, and of all rows together.
struct Units {
    wide: bool,
    steps: Vec<f64>,
    rows: Vec<Vec<i64>>,
    all: Vec<i64>,
}

fn units(statistics: &Statistics<'_>, weights: &[u32], precision: Precision, seed: u64) -> Units {
    let mut channels = Channels::default();
    channels.quantise(statistics, RowWeights { units: weights, step: STEP }, precision, seed, &Alone);
    if channels.is_wide() { sums::<i64>(&channels) } else { sums::<i32>(&channels) }
}

fn sums<S: Searchable>(channels: &Channels) -> Units {
    let bins = BinsBuilder::new(channels.rows()).finish();
    let searcher = Searcher::<S>::new(&bins);
    let search = searcher.round(channels, &LeastCost, RULES, &manyboost_kernel::Alone);
    let total = |rows: &[u32]| search.total(rows).into_iter().map(Sum::to_i64).collect::<Vec<i64>>();
    let rows: Vec<u32> = (0..channels.rows() as u32).collect();
    Units {
        wide: channels.is_wide(),
        steps: channels.steps().to_vec(),
        rows: rows.iter().map(|&row| total(&[row])).collect(),
        all: total(&rows),
    }
}

impl Units {
    /// Sums agree with those of bigger integers, and no subset of the rows can overflow.
    fn check_sums(&self) {
        let limit = if self.wide { 1i128 << 63 } else { 1 << 31 };
        for (channel, &sum) in self.all.iter().enumerate() {
            let column = || self.rows.iter().map(|row| i128::from(row[channel]));
            assert_eq!(i128::from(sum), column().sum());
            assert!(column().map(i128::abs).sum::<i128>() < limit, "channel {channel}");
        }
    }
}

/// Numbers of every size, and numbers of one size.
fn torture() -> impl Strategy<Value = Vec<f64>> {
    let special = prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(1e300),
        Just(-1e300),
        Just(1e-300),
        Just(5e-324),
        Just(f64::MAX),
        Just(1.0),
        Just(-1.0),
        Just(0.999_999_999_999_999_9),
        Just(1e-279),
        -1.0..1.0f64,
        -1e5..1e5f64,
    ];
    prop_oneof![
        prop::collection::vec(special, 1..300),
        prop::collection::vec(-1.0..1.0f64, 1..300),
        (prop_oneof![Just(1e300), Just(1e-300), Just(f64::MAX), Just(1.999)], 1..300usize)
            .prop_map(|(x, n)| vec![x; n]),
    ]
}

fn weights(rows: usize, most: u32, seed: u64) -> Vec<u32> {
    let seed = Seed::new(seed);
    (0..rows as u64).map(|row| 1 + seed.part(row).below(u64::from(most)) as u32).collect()
}

proptest! {
    #[test]
    fn sums_never_overflow(
        values in torture(), most in prop_oneof![Just(1u32), 2..100u32, Just(1 << 20), Just(u32::MAX)],
        seed in any::<u64>(), one_hot in any::<bool>(),
    ) {
        let weights = weights(values.len(), most, seed);
        let labels: Vec<u32> = (0..values.len() as u32).map(|row| row % 3).collect();
        let statistics = if one_hot {
            Statistics::OneHot { values: &values, labels: &labels, width: 3 }
        } else {
            Statistics::Dense { values: &values, width: 1 }
        };
        for precision in [Precision::Narrow, Precision::Wide, Precision::Auto] {
            let units = units(&statistics, &weights, precision, seed);
            units.check_sums();
            for (row, own) in units.rows.iter().enumerate() {
                let at = if one_hot { 1 + row % 3 } else { 1 };
                let given = values[row];
                prop_assert_eq!(own[0], i64::from(weights[row]));
                prop_assert!(given != 0.0 || own[at] == 0, "zero stays zero");
                // |units · step − weight · value| ≤ weight · step, scaled down so that the largest values do not overflow.
                let apart = own[at] as f64 - given / units.steps[at] * STEP * f64::from(weights[row]);
                prop_assert!(apart.abs() <= f64::from(weights[row]) * 1.000_001, "{} apart", apart);
            }
        }
    }

    /// Values are multiples of 2⁻⁴⁰, so that their sums are known exactly.
    #[test]
    fn sums_are_within_a_step_a_row(
        whole in prop::collection::vec(-(1i64 << 40)..1 << 40, 2..200), most in 1..1000u32, seed in any::<u64>(),
    ) {
        let width = 2;
        let rows = whole.len() / width;
        let values: Vec<f64> = whole[..rows * width].iter().map(|&x| x as f64 * (-40f64).exp2()).collect();
        let weights = weights(rows, most, seed);
        let total: i64 = weights.iter().map(|&w| i64::from(w)).sum();
        for precision in [Precision::Narrow, Precision::Wide] {
            let units = units(&Statistics::Dense { values: &values, width }, &weights, precision, seed);
            for channel in 0..width {
                let exact: i128 = (0..rows)
                    .map(|row| i128::from(whole[row * width + channel]) * i128::from(weights[row]))
                    .sum();
                // In steps of 2⁻⁶⁰, exact for every grid that occurs here.
                let step = (units.steps[1 + channel] / STEP * 60f64.exp2()) as i128;
                prop_assert!(step > 0);
                let apart = i128::from(units.all[1 + channel]) * step - (exact << 20);
                prop_assert!(apart.abs() <= i128::from(total) * step);
            }
        }
    }

    #[test]
    fn equal_values_have_equal_units(x in -1.0..1.0f64, seed in any::<u64>()) {
        let values = [x, 1.0, x, 0.3, x];
        let units = units(&Statistics::Dense { values: &values, width: 1 }, &[1, 1, 1, 2, 3], Precision::Narrow, seed);
        prop_assert_eq!(units.rows[0][1], units.rows[2][1]);
        prop_assert_eq!(3 * units.rows[0][1], units.rows[4][1]);
    }
}

#[test]
fn the_exact_bound_of_narrow_sums() {
    // One unit of weight less than what turns sums wide, all at the largest value of any grid.
    for value in [1.0, 1.999_999_999, -1.999_999_999, 2.0] {
        let values = vec![value; 1024];
        let mut weights = vec![1 << 20; 1024];
        weights[0] -= 1;
        let narrow = units(&Statistics::Dense { values: &values, width: 1 }, &weights, Precision::Narrow, 3);
        assert!(!narrow.wide);
        narrow.check_sums();
        weights[0] += 1;
        let wide = units(&Statistics::Dense { values: &values, width: 1 }, &weights, Precision::Narrow, 3);
        assert!(wide.wide);
        wide.check_sums();
    }
}

#[test]
fn many_rows_of_the_largest_value() {
    let values = vec![1.999_999; 300_000];
    let ones = vec![1; values.len()];
    let units = units(&Statistics::Dense { values: &values, width: 1 }, &ones, Precision::Auto, 0);
    assert!(!units.wide);
    units.check_sums();
    let mean = units.all[1] as f64 * units.steps[1] / STEP / values.len() as f64;
    assert!((mean - 1.999_999).abs() < 1e-3, "{mean}");
}

/// The mean of `units − value / step` over rows.
fn bias(values: &[f64], seed: u64) -> f64 {
    let ones = vec![1; values.len()];
    let units = units(&Statistics::Dense { values, width: 1 }, &ones, Precision::Narrow, seed);
    let apart = |(row, x): (&Vec<i64>, &f64)| row[1] as f64 - x / units.steps[1] * STEP;
    units.rows.iter().zip(values).map(apart).sum::<f64>() / values.len() as f64
}

#[test]
fn dithering_is_unbiased() {
    let n = 100_000;
    let random: Vec<f64> = (0..n).map(|i| Seed::new(1).part(i).unit()).collect();
    let round: Vec<f64> = (0..n).map(|i| (i % 1000) as f64 / 1000.0).collect();
    let tiny: Vec<f64> =
        (0..n).map(|i| if i == 0 { 1.0 } else { 1e-5 * Seed::new(2).part(i).unit() }).collect();
    for (name, values) in [("random", &random), ("tiny", &tiny)] {
        let bias = bias(values, 42);
        assert!(bias.abs() < 0.006, "{name}: {bias}");
    }
    // Few different values: over seeds, since equal values round alike.
    let mean = (0..40).map(|seed| bias(&round[..1000], seed)).sum::<f64>() / 40.0;
    assert!(mean.abs() < 0.01, "round: {mean}");
    // One value whose part of a step is a tenth: it is rounded up in a tenth of the rounds.
    let step = 2f64.powi(-13);
    let one = (0..4000).map(|seed| bias(&[1.0, 100.1 * step], Seed::new(seed).bits())).sum::<f64>() / 4000.0;
    assert!(one.abs() < 0.012, "one value: {one}");
}

#[test]
fn auto_is_wide_for_small_data_by_weight() {
    let wide = |rows: usize, weight: u32| {
        let values = vec![1.0; rows];
        let statistics = Statistics::Dense { values: &values, width: 1 };
        units(&statistics, &vec![weight; rows], Precision::Auto, 0).wide
    };
    assert!(wide(1 << 16, 1));
    assert!(!wide((1 << 16) + 1, 1));
    assert!(wide(1 << 13, 8));
    assert!(!wide((1 << 13) + 1, 8));
}

#[test]
#[should_panic(expected = "one label per row")]
fn labels_are_as_many_as_rows() {
    let statistics = Statistics::OneHot { values: &[1.0, 1.0], labels: &[0], width: 1 };
    units(&statistics, &[1, 1], Precision::Wide, 0);
}
