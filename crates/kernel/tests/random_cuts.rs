//! Random cuts: the best of those drawn, by the twin's account.

mod common;

use common::{ALL, Column, Layout, Table, Twin, criteria, shapes, units_of};
use manyboost_kernel::{Feature, Order, Precision, Rules, Search, Searchable, Searcher, Seed, Sides};
use proptest::prelude::*;

/// The code of a draw: any from the least to below the largest that is present.
fn drawn(column: &Column, rows: &[u32], feature: u32, cuts: u32, seed: Seed) -> Vec<u32> {
    let codes = rows.iter().map(|&r| column.codes[r as usize]).filter(|&c| c != column.feature.bins);
    let (least, most) = (codes.clone().min(), codes.max());
    let (Some(least), Some(most)) = (least, most) else { return Vec::new() };
    if least == most {
        return Vec::new();
    }
    let draw =
        |i: u32| seed.part(2).part(u64::from(feature)).part(u64::from(i)).below(u64::from(most - least));
    (0..cuts).map(|i| least + draw(i) as u32).collect()
}

fn check<S: Searchable>(search: &Search<'_, S>, twin: &Twin<'_>, seed: Seed) -> Result<(), TestCaseError> {
    let table = twin.table;
    let rows = table.all_rows();
    prop_assert!(search.histogram(&rows).is_none());
    let cut = search.best(&rows, &search.total(&rows), &None, seed);
    prop_assert_eq!(&cut, &search.best(&rows, &search.total(&rows), &None, seed));
    let best_of = |feature: u32| {
        let lows = drawn(&table.columns[feature as usize], &rows, feature, twin.rules.cuts, seed);
        twin.best_of_lows(&rows, feature, &lows)
    };
    let candidates: Vec<_> = (0..table.columns.len() as u32).filter_map(best_of).collect();
    let best = candidates.iter().map(|c| c.score).fold(f64::INFINITY, f64::min);
    let Some(cut) = cut else {
        prop_assert!(candidates.is_empty());
        return Ok(());
    };
    prop_assert!(candidates.contains(&cut), "{:?} is not among {:?}", cut, candidates);
    prop_assert!(cut.score <= best + 1e-11 * best.abs());
    prop_assert_eq!(twin.value(&rows, &cut), Some(cut.score));
    Ok(())
}

proptest! {
    #[test]
    fn the_best_of_those_drawn(
        shape in shapes(0..5), which in 0..5usize, min_weight in 1..6i64, cuts in 1..5u32, seed in any::<u64>(),
    ) {
        let rules = Rules { min_weight, cuts, ..ALL };
        let table = Table::new(&shape);
        let bins = table.bins();
        let criteria = criteria();
        let criterion = &*criteria[which];
        let channels = table.channels(Precision::Narrow);
        let searcher = Searcher::<i32>::new(&bins);
        let search = searcher.round(&channels, criterion, rules, &manyboost_kernel::Alone);
        let units = units_of(&search, table.rows);
        let twin = Twin { table: &table, units, steps: channels.steps(), criterion, rules };
        check(&search, &twin, Seed::new(seed))?;
    }

    #[test]
    fn a_share_of_the_features(shape in shapes(0..3), share in 0.05..1.0f64, seed in any::<u64>()) {
        let rules = Rules { features: share, ..ALL };
        let table = Table::new(&shape);
        let bins = table.bins();
        let criteria = criteria();
        let channels = table.channels(Precision::Wide);
        let searcher = Searcher::<i64>::new(&bins);
        let search = searcher.round(&channels, &*criteria[4], rules, &manyboost_kernel::Alone);
        let units = units_of(&search, table.rows);
        let twin = Twin { table: &table, units, steps: channels.steps(), criterion: &*criteria[4], rules };
        let rows = table.all_rows();
        if let Some(cut) = search.best(&rows, &search.total(&rows), &None, Seed::new(seed)) {
            prop_assert_eq!(twin.best_of_all(&rows, cut.feature), Some(cut));
        }
    }
}

/// Where "missing or not" would be the better question, the drawn cut is still an answer.
#[test]
fn missing_values_do_not_hide_a_drawn_cut() {
    let feature = Feature { order: Order::Ordered, bins: 2, missing: true };
    let codes = vec![0, 0, 1, 1, 2, 2];
    let values = vec![1.0, 1.1, 1.0, 1.1, -9.0, -9.0];
    let column = Column { feature, codes, layout: Layout::Bytes };
    let table =
        Table { rows: 6, columns: vec![column], values, labels: None, channels: 1, units: vec![1; 6] };
    let bins = table.bins();
    let channels = table.channels(Precision::Wide);
    let searcher = Searcher::<i64>::new(&bins);
    let criteria = criteria();
    let search = searcher.round(&channels, &*criteria[4], Rules { cuts: 1, ..ALL }, &manyboost_kernel::Alone);
    let rows = table.all_rows();
    let cut = search.best(&rows, &search.total(&rows), &None, Seed::new(0)).expect("a cut");
    assert_eq!(cut.sides, Sides::AtMost { low: 0, high: Some(1) });
}
