//! Groups of levels: a partition, scored as it says, with thin levels on the side of the missing values.

mod common;

use common::{ALL, Layout, Shape, Table, Twin, criteria, goes_left, shapes, units_of};
use manyboost_kernel::{Precision, Rules, Searcher, Seed, Sides, partition};
use proptest::prelude::*;

proptest! {
    #[test]
    fn groups_are_what_they_say(
        shape in shapes(5..8), which in 0..5usize, min_weight in 1..6i64, min_level in 1..8i64, wide in any::<bool>(),
    ) {
        let rules = Rules { min_weight, min_level, equality: false, ..ALL };
        let mut table = Table::new(&shape);
        if wide {
            table.columns.iter_mut().for_each(|c| c.layout = Layout::U32);
        }
        let bins = table.bins();
        let criteria = criteria();
        let criterion = &*criteria[which];
        let channels = table.channels(Precision::Wide);
        let searcher = Searcher::<i64>::new(&bins);
        let search = searcher.round(&channels, criterion, rules, &manyboost_kernel::Alone);
        let units = units_of(&search, table.rows);
        let twin = Twin { table: &table, units, steps: channels.steps(), criterion, rules };
        let mut rows = table.all_rows();
        let total = search.total(&rows);
        let histogram = search.histogram(&rows);
        let cut = search.best(&rows, &total, &histogram, Seed::new(1));
        prop_assert_eq!(&cut, &search.best(&rows, &total, &None, Seed::new(1)));
        let Some(cut) = cut else { return Ok(()) };
        prop_assert_eq!(twin.value(&rows, &cut), Some(cut.score));
        let column = &table.columns[cut.feature as usize];
        let Sides::Levels(levels) = &cut.sides else { panic!("levels, not {:?}", cut.sides) };
        prop_assert!(levels.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(levels.iter().all(|&level| level < column.feature.bins));
        for level in 0..column.feature.bins {
            let own = rows.iter().filter(|&&r| column.codes[r as usize] == level);
            let weight: i64 = own.map(|&r| i64::from(table.units[r as usize])).sum();
            // Thin levels, and those that do not occur here.
            if weight < min_level {
                prop_assert_eq!(goes_left(&cut, column.feature, level), cut.missing_left);
            }
        }
        let left = partition(&bins, &cut, &mut rows, &mut vec![0; table.rows]);
        prop_assert!(0 < left && left < table.rows);
    }

    /// With one channel, ordering levels by their mean and cutting the order is the best of all groupings
    /// (Fisher 1958), up to the smoothing of means, which equal weights of levels make harmless.
    #[test]
    fn one_channel_finds_the_best_grouping(seed in any::<u64>(), levels in 2..7u32) {
        let rows = 24 * levels as usize;
        let shape = Shape {
            seed, rows, kinds: vec![5], bins: levels, channels: 1, one_hot: false, most_weight: 1,
        };
        let mut table = Table::new(&shape);
        table.columns[0].codes = (0..rows as u32).map(|row| row % levels).collect();
        let rules = Rules { equality: false, ..ALL };
        let bins = table.bins();
        let criteria = criteria();
        let criterion = &*criteria[4];
        let channels = table.channels(Precision::Wide);
        let searcher = Searcher::<i64>::new(&bins);
        let search = searcher.round(&channels, criterion, rules, &manyboost_kernel::Alone);
        let units = units_of(&search, rows);
        let twin = Twin { table: &table, units, steps: channels.steps(), criterion, rules };
        let all = table.all_rows();
        let found = search.best(&all, &search.total(&all), &None, Seed::new(1)).expect("a cut");
        for set in 1..(1u32 << levels) - 1 {
            let chosen = (0..levels).filter(|level| set >> level & 1 == 1).collect();
            let cut = manyboost_kernel::Cut { sides: Sides::Levels(chosen), ..found.clone() };
            let score = twin.value(&all, &cut).expect("heavy enough");
            prop_assert!(found.score <= score + 1e-9 * score.abs(), "{:?} beats {:?}", cut, found);
        }
    }
}

/// Where cuts are random, regions of other seeds look at other groups: together they find the best of all.
#[test]
fn random_orders_offer_other_groups() {
    let shape =
        Shape { seed: 7, rows: 60, kinds: vec![5], bins: 6, channels: 1, one_hot: false, most_weight: 1 };
    let mut table = Table::new(&shape);
    table.columns[0].codes = (0..60).map(|row| row % 6).collect();
    let bins = table.bins();
    let criteria = criteria();
    let channels = table.channels(Precision::Wide);
    let searcher = Searcher::<i64>::new(&bins);
    let rows = table.all_rows();
    let best = |cuts, seed| {
        let rules = Rules { equality: false, cuts, ..ALL };
        let search = searcher.round(&channels, &*criteria[4], rules, &manyboost_kernel::Alone);
        search.best(&rows, &search.total(&rows), &None, Seed::new(seed)).expect("a cut")
    };
    let all = best(0, 0);
    let random: Vec<_> = (0..200).map(|seed| best(1, seed)).collect();
    assert!(random.iter().all(|cut| all.score <= cut.score + 1e-9 * cut.score.abs()));
    assert!(random.iter().any(|cut| (cut.score - all.score).abs() <= 1e-9 * all.score.abs()));
    assert!(random.iter().any(|cut| cut.score > all.score + 1e-6));
}

/// Tens of thousands of levels are sided in linear time.
#[test]
fn many_levels() {
    let shape = Shape {
        seed: 4,
        rows: 100_000,
        kinds: vec![5],
        bins: 2,
        channels: 2,
        one_hot: false,
        most_weight: 1,
    };
    let mut table = Table::new(&shape);
    let column = &mut table.columns[0];
    column.feature.bins = 70_000;
    column.layout = Layout::U32;
    column.codes = (0..100_000).map(|row| row * 7 % 70_000).collect();
    let bins = table.bins();
    let channels = table.channels(Precision::Narrow);
    let searcher = Searcher::<i32>::new(&bins);
    let criteria = criteria();
    let search =
        searcher.round(&channels, &*criteria[4], Rules { equality: false, ..ALL }, &manyboost_kernel::Alone);
    let rows = table.all_rows();
    let cut =
        search.best(&rows, &search.total(&rows), &search.histogram(&rows), Seed::new(0)).expect("a cut");
    let Sides::Levels(levels) = cut.sides else { panic!("levels") };
    assert!(!levels.is_empty() && levels.len() < 70_000);
}
