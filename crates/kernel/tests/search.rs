//! The search finds what the naive twin finds, whichever way it counts.

mod common;

use common::{ALL, Shape, Table, Twin, criteria, shapes, units_of};
use manyboost_kernel::search::score::Listed;
use manyboost_kernel::{
    Criterion, Family, Histogram, Precision, Rules, Search, Searchable, Searcher, Seed, partition,
};
use proptest::prelude::*;

const SEED: u64 = 5;

struct Case<'a, S: Searchable> {
    search: &'a Search<'a, S>,
    twin: &'a Twin<'a>,
}

impl<S: Searchable> Case<'_, S> {
    /// The search agrees with the twin on a region, with its histogram and without one.
    #[expect(clippy::ref_option, reason = "as the search has it")]
    fn check(&self, rows: &[u32], histogram: &Histogram<S>) -> Result<(), TestCaseError> {
        let total = self.search.total(rows);
        let naive: Vec<i64> = self.twin.sums(rows.iter().copied());
        prop_assert_eq!(total.iter().map(|x| x.to_i64()).collect::<Vec<_>>(), naive.clone());
        prop_assert_eq!(self.search.score(&total).to_bits(), self.twin.score(&naive).to_bits());
        let expected = self.twin.best(rows);
        prop_assert_eq!(self.search.best(rows, &total, &None, Seed::new(SEED)), expected.clone());
        if histogram.is_some() {
            prop_assert_eq!(self.search.best(rows, &total, histogram, Seed::new(SEED)), expected);
        }
        Ok(())
    }

    /// Grows a tree to some depth, checking each node; histograms come from the parents'.
    fn grow(&self, rows: &mut [u32], histogram: Histogram<S>, depth: usize) -> Result<(), TestCaseError> {
        self.check(rows, &histogram)?;
        let bins = self.twin.table.bins();
        let cut = self.search.best(rows, &self.search.total(rows), &histogram, Seed::new(SEED));
        let (Some(cut), true) = (cut, depth > 0) else {
            if let Some(histogram) = histogram {
                self.search.give_back(histogram);
            }
            return Ok(());
        };
        let left = partition(&bins, &cut, rows, &mut vec![0; rows.len()]);
        let (low, high) = rows.split_at_mut(left);
        let (small, large) = if low.len() <= high.len() { (low, high) } else { (high, low) };
        let family = Family { parent: histogram, smaller: small, larger: large };
        let [of_small, of_large] = self.search.children_of(vec![family]).pop().unwrap();
        self.grow(small, of_small, depth - 1)?;
        self.grow(large, of_large, depth - 1)
    }

    /// Children of any size: the larger one's histogram is as if it were counted.
    fn split_anywhere(&self, rows: &[u32]) -> Result<(), TestCaseError> {
        for size in [0, 1, 2, rows.len() / 3] {
            if 2 * size > rows.len() {
                continue;
            }
            let (small, large) = rows.split_at(size);
            let parent = self.search.histogram(rows);
            let family = Family { parent, smaller: small, larger: large };
            let [of_small, of_large] = self.search.children_of(vec![family]).pop().unwrap();
            for (rows, histogram) in [(small, of_small), (large, of_large)] {
                self.check(rows, &histogram)?;
                let Some(histogram) = histogram else { continue };
                if let Some(counted) = self.search.histogram(rows) {
                    prop_assert_eq!(&histogram, &counted);
                    self.search.give_back(counted);
                }
                self.search.give_back(histogram);
            }
        }
        Ok(())
    }
}

fn check<S: Searchable>(
    shape: &Shape,
    precision: Precision,
    criterion: &dyn Criterion,
    rules: Rules,
) -> Result<(), TestCaseError> {
    let table = Table::new(shape);
    let bins = table.bins();
    let channels = table.channels(precision);
    let searcher = Searcher::<S>::new(&bins);
    let search = searcher.round(&channels, criterion, rules, &manyboost_kernel::Alone);
    let units = units_of(&search, table.rows);
    let twin = Twin { table: &table, units, steps: channels.steps(), criterion, rules };
    let case = Case { search: &search, twin: &twin };
    let mut rows = table.all_rows();
    case.split_anywhere(&rows)?;
    case.grow(&mut rows, search.histogram(&table.all_rows()), 2)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn narrow_sums_find_the_twins_cut(shape in shapes(0..8), which in 0..5usize, min_weight in 0..6i64) {
        let rules = Rules { min_weight, ..ALL };
        check::<i32>(&shape, Precision::Narrow, &*criteria()[which], rules)?;
    }

    #[test]
    fn wide_sums_find_the_twins_cut(shape in shapes(0..8), which in 0..5usize, min_weight in 0..6i64) {
        let rules = Rules { min_weight, ..ALL };
        check::<i64>(&shape, Precision::Wide, &*criteria()[which], rules)?;
    }

    #[test]
    fn lists_of_classes_find_the_twins_cut(
        shape in shapes(0..8),
        lists in 1..12usize,
        length in 1..5usize,
        extra in 0..4usize,
        min_weight in 0..6i64,
    ) {
        let shape = Shape { channels: lists * length, one_hot: true, ..shape };
        let seed = Seed::new(shape.seed);
        let list = |number: usize| {
            let mut left: Vec<u32> = (0..(length + extra) as u32).collect();
            for draw in 0..extra {
                left.remove(seed.part(number as u64).part(draw as u64).below(left.len() as u64) as usize);
            }
            left
        };
        let criterion = Listed::new(length, (0..lists).flat_map(list).collect());
        let rules = Rules { min_weight, ..ALL };
        check::<i32>(&shape, Precision::Narrow, &criterion, rules)?;
        check::<i64>(&shape, Precision::Wide, &criterion, rules)?;
    }

    #[test]
    fn a_searcher_serves_rounds_of_other_widths(a in shapes(0..8), channels in 1..40usize, one_hot in any::<bool>()) {
        let b = Shape { channels, one_hot, ..a.clone() };
        let (first, second) = (Table::new(&a), Table::new(&b));
        let bins = first.bins();
        let searcher = Searcher::<i64>::new(&bins);
        let fresh = Searcher::<i64>::new(&bins);
        let rows = first.all_rows();
        let criterion = &*criteria()[4];
        let run = |searcher: &Searcher<'_, i64>, table: &Table, rows: &[u32]| {
            let channels = table.channels(Precision::Wide);
            let search = searcher.round(&channels, criterion, ALL, &manyboost_kernel::Alone);
            let histogram = search.histogram(rows);
            let cut = search.best(rows, &search.total(rows), &histogram, Seed::new(1));
            if let Some(histogram) = histogram {
                search.give_back(histogram);
            }
            cut
        };
        for table in [&first, &second, &first] {
            for rows in [&rows[..], &rows[..rows.len().min(3)]] {
                prop_assert_eq!(run(&searcher, table, rows), run(&fresh, table, rows));
            }
        }
    }
}

#[test]
#[should_panic(expected = "row 9 of 9")]
fn rows_must_exist() {
    let shape =
        Shape { seed: 1, rows: 9, kinds: vec![0], bins: 4, channels: 2, one_hot: false, most_weight: 1 };
    let table = Table::new(&shape);
    let bins = table.bins();
    let channels = table.channels(Precision::Wide);
    let searcher = Searcher::<i64>::new(&bins);
    let criteria = criteria();
    searcher.round(&channels, &*criteria[0], ALL, &manyboost_kernel::Alone).total(&[3, 9]);
}

/// Text without a word in enough rows is a table without features: there is nothing to cut, however one looks for it.
#[test]
fn no_features_no_cut() {
    let shape =
        Shape { seed: 1, rows: 9, kinds: vec![0], bins: 4, channels: 2, one_hot: false, most_weight: 1 };
    let table = Table { columns: Vec::new(), ..Table::new(&shape) };
    let (bins, rows) = (table.bins(), table.all_rows());
    assert!(bins.features().is_empty());
    let channels = table.channels(Precision::Wide);
    let searcher = Searcher::<i64>::new(&bins);
    for (features, cuts) in [(1.0, 0), (1.0, 3), (0.3, 0), (0.3, 3)] {
        let rules = Rules { features, cuts, ..ALL };
        for criterion in criteria() {
            let search = searcher.round(&channels, &*criterion, rules, &manyboost_kernel::Alone);
            let total = search.total(&rows);
            assert_eq!(search.best(&rows, &total, &None, Seed::new(SEED)), None);
            let histogram = search.histogram(&rows);
            assert_eq!(search.best(&rows, &total, &histogram, Seed::new(SEED)), None);
            assert_eq!(search.total_of(&histogram), None);
        }
    }
}
