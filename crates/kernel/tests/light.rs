//! Many sparse features that no region can cut: leaving them out of a search changes nothing.

use manyboost_kernel::search::score::LeastCost;
use manyboost_kernel::{
    Alone, BinsBuilder, Channels, Codes, Feature, Order, Precision, RowWeights, Rules, Searched, Searcher,
    Seed, Statistics,
};

const ROWS: usize = 300;
fn seed() -> Seed {
    Seed::new(11)
}

/// A sparse feature that lists some rows, with the given number of bins.
fn feature(number: u64, listed: u64, bins: u32) -> (Feature, Codes) {
    let own = seed().part(number);
    let mut rows: Vec<u32> = (0..listed).map(|i| own.part(i).below(ROWS as u64) as u32).collect();
    rows.sort_unstable();
    rows.dedup();
    let code = |row: u32| 1 + own.part(u64::from(row) + 1000).below(u64::from(bins) - 1) as u32;
    let entries = rows.into_iter().map(|row| (row, code(row))).collect();
    (Feature { order: Order::Ordered, bins, missing: false }, Codes::Sparse { default: 0, entries })
}

#[test]
fn features_that_cannot_be_cut_may_be_left_out() {
    let units: Vec<u32> = (0..ROWS as u64).map(|row| 1 + seed().part(row).below(3) as u32).collect();
    let values: Vec<f64> = (0..2 * ROWS as u64).map(|i| seed().part(7).part(i).unit() - 0.5).collect();
    let mut builder = BinsBuilder::counted(ROWS, units.clone());
    for number in 0..9000 {
        let (feature, codes) = feature(number, if number % 50 == 0 { 40 } else { number % 3 }, 4);
        builder.push(feature, codes);
    }
    let bins = builder.finish();
    let mut channels = Channels::default();
    let statistics = Statistics::Dense { values: &values, width: 2 };
    channels.quantise(&statistics, RowWeights { units: &units, step: 1.0 }, Precision::Wide, 5, &Alone);
    let rows: Vec<u32> = (0..ROWS as u32).collect();
    for (features, cuts) in [(1.0, 0), (1.0, 1), (0.3, 0), (0.3, 1), (0.01, 0)] {
        let rules = Rules { min_weight: 12, equality: false, min_level: 1, features, cuts };
        let best = |searched: Searched<'_>, rows: &[u32], counted: bool| {
            let searcher = Searcher::<i64>::of(searched);
            let search = searcher.round(&channels, &LeastCost, rules, &Alone);
            let histogram = if counted { search.histogram(rows) } else { None };
            search.best(rows, &search.total(rows), &histogram, seed())
        };
        for rows in [&rows[..], &rows[..120], &rows[200..230]] {
            for counted in [false, true] {
                let all = best(Searched::new(&bins), rows, counted);
                let some = best(Searched::of_weight(&bins, &units, rules.min_weight), rows, counted);
                assert_eq!(all, some, "{features} of the features, {} rows", rows.len());
                // Of a hundredth of the features there may be none that has enough rows.
                assert!(all.is_some() || rows.len() < 100 || features < 0.3);
            }
        }
    }
}
