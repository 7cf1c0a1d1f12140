//! Every layout gives back the codes that were put in.

mod common;

use common::{Table, shapes};
use manyboost_kernel::bins::Place;
use manyboost_kernel::{BinsBuilder, Codes, Feature, Order};
use proptest::prelude::*;

proptest! {
    #[test]
    fn codes_are_what_was_pushed(shape in shapes(0..8)) {
        let table = Table::new(&shape);
        let mut builder = BinsBuilder::new(table.rows);
        table.columns.iter().for_each(|c| builder.push(c.feature, c.given()));
        let bins = builder.finish();
        prop_assert_eq!(bins.rows(), table.rows);
        for (feature, column) in table.columns.iter().enumerate() {
            prop_assert_eq!(bins.features()[feature], column.feature);
            for (row, &code) in column.codes.iter().enumerate() {
                prop_assert_eq!(bins.code(row, feature), code);
            }
        }
    }

    #[test]
    fn rows_and_postings_list_the_same_entries(shape in shapes(3..5)) {
        let table = Table::new(&shape);
        let bins = table.bins();
        let sparse = bins.sparse();
        let mut by_row = Vec::new();
        let mut by_slot = Vec::new();
        for row in 0..if sparse.is_empty() { 0 } else { table.rows } {
            prop_assert!(sparse.row(row).is_sorted());
            by_row.extend(sparse.row(row).iter().map(|&slot| (slot, row as u32)));
        }
        for slot in 0..sparse.slots() {
            prop_assert!(sparse.posting(slot).is_sorted());
            by_slot.extend(sparse.posting(slot).iter().map(|&row| (slot as u32, row)));
        }
        by_row.sort_unstable();
        prop_assert_eq!(by_row, by_slot);
    }
}

#[test]
fn a_mostly_constant_column_becomes_sparse() {
    let codes: Vec<u8> = (0..100).map(|row| if row % 10 == 0 { 3 } else { 1 }).collect();
    let feature = Feature { order: Order::Ordered, bins: 4, missing: false };
    let mut builder = BinsBuilder::new(100);
    builder.push(feature, Codes::Bytes(codes));
    assert_eq!(builder.finish().place(0), Place::Sparse(0));
}

#[test]
fn a_byte_holds_255_bins_and_missing() {
    let codes: Vec<u8> = (0..=255).collect();
    let feature = Feature { order: Order::Ordered, bins: 255, missing: true };
    let mut builder = BinsBuilder::new(256);
    builder.push(feature, Codes::Bytes(codes));
    let bins = builder.finish();
    assert!((0..256).all(|row| bins.code(row, 0) == row as u32));
}

fn push_sparse(default: u32, entries: Vec<(u32, u32)>) {
    let feature = Feature { order: Order::Ordered, bins: 3, missing: false };
    BinsBuilder::new(4).push(feature, Codes::Sparse { default, entries });
}

#[test]
#[should_panic(expected = "no entry has the default")]
fn sparse_entries_are_not_the_default() {
    push_sparse(1, vec![(0, 1)]);
}

#[test]
#[should_panic(expected = "rows ascend")]
fn sparse_rows_ascend() {
    push_sparse(1, vec![(2, 0), (2, 2)]);
}

#[test]
#[should_panic(expected = "the default within")]
fn the_default_is_a_code() {
    push_sparse(3, vec![]);
}
