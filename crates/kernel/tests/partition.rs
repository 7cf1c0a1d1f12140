//! Partition is a stable filter, whatever the layout, the size and the spare room.

mod common;

use common::{Shape, Table, goes_left, shapes};
use manyboost_kernel::{Cut, Order, Seed, Sides, partition};
use proptest::prelude::*;

/// Any cut of a feature, good or not.
fn any_cut(table: &Table, feature: u32, seed: Seed) -> Cut {
    let spec = table.columns[feature as usize].feature;
    let sides = match spec.order {
        Order::Ordered => Sides::AtMost { low: seed.below(u64::from(spec.bins)) as u32, high: None },
        Order::Nominal => {
            Sides::Levels((0..spec.bins).filter(|&l| seed.part(u64::from(l)).unit() < 0.4).collect())
        }
    };
    Cut { feature, sides, missing_left: seed.part(1 << 40).unit() < 0.5, left: Vec::new(), score: 0.0 }
}

fn check(table: &Table, rows: &[u32], cut: &Cut, spare: usize) {
    let column = &table.columns[cut.feature as usize];
    let left = |row: &u32| goes_left(cut, column.feature, column.codes[*row as usize]);
    let (low, high): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| left(row));
    let mut divided = rows.to_vec();
    let count = partition(&table.bins(), cut, &mut divided, &mut vec![u32::MAX; spare]);
    assert_eq!(count, low.len());
    assert_eq!(&divided[..count], low.as_slice());
    assert_eq!(&divided[count..], high.as_slice());
}

/// Some rows of a table, in any order.
fn some_rows(table: &Table, share: f64, seed: Seed) -> Vec<u32> {
    let mut rows: Vec<u32> =
        table.all_rows().into_iter().filter(|&r| seed.part(u64::from(r)).unit() < share).collect();
    rows.sort_by_key(|&r| seed.part(u64::from(r)).part(1).bits());
    rows
}

proptest! {
    #[test]
    fn a_stable_filter(shape in shapes(0..8), share in 0.0..1.1f64, more in 0..50usize) {
        let table = Table::new(&shape);
        let seed = Seed::new(shape.seed);
        let rows = some_rows(&table, share, seed);
        for feature in 0..table.columns.len() as u32 {
            check(&table, &rows, &any_cut(&table, feature, seed.part(u64::from(feature))), rows.len() + more);
        }
    }
}

#[test]
fn in_parallel() {
    let shape = Shape {
        seed: 9,
        rows: 90_000,
        kinds: (0..8).collect(),
        bins: 20,
        channels: 1,
        one_hot: true,
        most_weight: 1,
    };
    let table = Table::new(&shape);
    let rows = some_rows(&table, 0.9, Seed::new(2));
    let run = || {
        for size in [32_767, 32_768, 32_769, 65_536, rows.len()] {
            for feature in 0..8 {
                let cut = any_cut(&table, feature, Seed::new(u64::from(feature)));
                check(&table, &rows[..size], &cut, 100_000);
            }
        }
    };
    for threads in [1, 3] {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run);
    }
}
