//! Random cuts of a tile at once: those of its columns one by one.

mod common;

use common::{ALL, Column, Layout, Shape, Table, criteria};
use manyboost_kernel::{Alone, Cut, Feature, Order, Precision, Rules, Searchable, Searcher, Seed};

fn best<S: Searchable>(table: &Table, precision: Precision, rows: &[u32], rules: Rules) -> Option<Cut> {
    let bins = table.bins();
    let channels = table.channels(precision);
    let searcher = Searcher::<S>::new(&bins);
    let criteria = criteria();
    let search = searcher.round(&channels, &*criteria[4], rules, &Alone);
    // Twice: buffers that were used before are as good as new ones.
    let _first = search.best(&rows[..rows.len().div_ceil(2)], &search.total(rows), &None, Seed::new(1));
    search.best(rows, &search.total(rows), &None, Seed::new(5))
}

/// The same cuts for columns in tiles, which are counted together, and for those with arrays of their own, which are counted one by one.
fn check(table: &Table, rows: &[u32], rules: Rules) -> Option<Cut> {
    let mut whole = table.clone();
    whole.columns.iter_mut().for_each(|column| column.layout = Layout::U32);
    let narrow = best::<i32>(table, Precision::Narrow, rows, rules);
    assert_eq!(narrow, best::<i32>(&whole, Precision::Narrow, rows, rules));
    let cut = best::<i64>(table, Precision::Wide, rows, rules);
    assert_eq!(cut, best::<i64>(&whole, Precision::Wide, rows, rules));
    cut
}

fn table(kinds: &[u8], rows: usize, bins: u32, seed: u64) -> Table {
    let one_hot = seed % 5 == 4;
    let channels = [1, 3, 9, 30][seed as usize % 4];
    let most_weight = 1 + seed as u32 % 3;
    let mut table =
        Table::new(&Shape { seed, rows, kinds: kinds.to_vec(), bins, channels, one_hot, most_weight });
    // No column is stored sparsely, however often one code occurs.
    let alike = |column: &Column| matches!(column.layout, Layout::Bytes);
    assert!(table.columns.iter().all(alike));
    if seed % 3 == 2 && rows > 2 {
        table.units[rows / 2] = 0;
    }
    table
}

#[test]
fn any_number_of_rows_and_features() {
    let mut found = 0;
    for (seed, rows) in (0..).zip([1, 2, 3, 7, 8, 9, 15, 16, 17, 60, 63, 64, 65, 100, 127, 128, 129, 300]) {
        for features in [1, 5, 15, 16, 17, 31, 33, 40] {
            for (bins, cuts, share) in [(2, 1, 1.0), (12, 1, 0.3), (40, 3, 1.0), (255, 2, 0.5)] {
                // Numbers; numbers, some missing; categories.
                for kinds in [&[0][..], &[1], &[0, 1], &[0, 5, 1, 6]] {
                    let kinds: Vec<u8> = kinds.iter().cycle().take(features).copied().collect();
                    let table = table(&kinds, rows, bins, seed);
                    let rules = Rules { cuts, features: share, min_weight: 1 + (seed as i64 % 2), ..ALL };
                    found += usize::from(check(&table, &table.all_rows(), rules).is_some());
                    let some: Vec<u32> = table.all_rows().into_iter().filter(|row| row % 3 != 1).collect();
                    check(&table, &some, rules);
                }
            }
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn equal_codes_cannot_be_cut() {
    let rules = Rules { cuts: 2, ..ALL };
    let mut table = table(&[0; 20], 50, 9, 3);
    table.columns.iter_mut().for_each(|column| column.codes.fill(4));
    assert_eq!(check(&table, &table.all_rows(), rules), None);
    // Nor can one code and missing values, which are no range.
    for column in &mut table.columns {
        column.feature.missing = true;
        column.codes[10..].fill(9);
    }
    assert_eq!(check(&table, &table.all_rows(), rules), None);
    table.columns.iter_mut().for_each(|column| column.codes.fill(9));
    assert_eq!(check(&table, &table.all_rows(), rules), None);
    table.columns[17].codes[7] = 2;
    table.columns[17].codes[8] = 3;
    assert_eq!(check(&table, &table.all_rows(), rules).map(|cut| cut.feature), Some(17));
}

/// Without missing values a byte holds 256 codes: then none is left to stand for them.
#[test]
fn all_codes_of_a_byte() {
    let mut table = table(&[0, 1], 400, 255, 4);
    table.columns[0].feature = Feature { order: Order::Ordered, bins: 256, missing: false };
    table.columns[0].codes = (0..400).map(|row| row * 7 % 256).collect();
    for cuts in [1, 4] {
        assert!(check(&table, &table.all_rows(), Rules { cuts, ..ALL }).is_some());
    }
}
