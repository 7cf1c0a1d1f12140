//! Nothing but the data shows in a result: not threads, the order of rows, vector code, or weights for repetitions.

mod common;

use common::{ALL, Layout, Shape, Table, criteria, shapes};
use manyboost_kernel::numbers::cpu::{self, Instructions};
use manyboost_kernel::{
    Criterion, Cut, Family, Order, Precision, Rules, Searchable, Searcher, Seed, partition,
};
use proptest::prelude::*;

/// All that a small tree shows of itself: the bits of scores and sums, and the cuts.
#[derive(Debug, PartialEq)]
struct Trace {
    steps: Vec<u64>,
    nodes: Vec<(Vec<i64>, Option<Cut>)>,
}

fn trace<S: Searchable>(
    table: &Table,
    precision: Precision,
    criterion: &dyn Criterion,
    rules: Rules,
) -> Trace {
    let bins = table.bins();
    let channels = table.channels(precision);
    let searcher = Searcher::<S>::new(&bins);
    let search = searcher.round(&channels, criterion, rules, &manyboost_kernel::Alone);
    let mut nodes = Vec::new();
    let mut rows = table.all_rows();
    let histogram = search.histogram(&rows);
    let mut open = vec![(rows.as_mut_slice(), histogram, 0usize)];
    while let Some((rows, histogram, depth)) = open.pop() {
        let total = search.total(rows);
        let seed = Seed::new(3).part(nodes.len() as u64);
        let cut = search.best(rows, &total, &histogram, seed);
        nodes.push((total.iter().map(|x| x.to_i64()).collect(), cut.clone()));
        let (Some(cut), true) = (cut, depth < 3) else { continue };
        let left = partition(&bins, &cut, rows, &mut vec![0; rows.len()]);
        let (low, high) = rows.split_at_mut(left);
        let low_first = low.len() <= high.len();
        let (small, large) = if low_first { (&*low, &*high) } else { (&*high, &*low) };
        let family = Family { parent: histogram, smaller: small, larger: large };
        let [of_small, of_large] = search.children_of(vec![family]).pop().unwrap();
        let (of_low, of_high) = if low_first { (of_small, of_large) } else { (of_large, of_small) };
        open.push((low, of_low, depth + 1));
        open.push((high, of_high, depth + 1));
    }
    Trace { steps: channels.steps().iter().map(|s| s.to_bits()).collect(), nodes }
}

fn both(table: &Table, criterion: &dyn Criterion, rules: Rules) -> [Trace; 2] {
    [
        trace::<i32>(table, Precision::Narrow, criterion, rules),
        trace::<i64>(table, Precision::Wide, criterion, rules),
    ]
}

/// Any order of the numbers below `n`.
fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| Seed::new(seed).part(i as u64).bits());
    order
}

fn any_rules() -> impl Strategy<Value = Rules> {
    (1..5i64, any::<bool>(), 1..4i64, prop_oneof![Just(1.0), Just(0.5)], 0..3u32).prop_map(
        |(min_weight, equality, min_level, features, cuts)| Rules {
            min_weight,
            equality,
            min_level,
            features,
            cuts,
        },
    )
}

proptest! {
    #[test]
    fn permuted_rows(shape in shapes(0..8), rules in any_rules(), which in 0..5usize) {
        let table = Table::new(&shape);
        let other = table.select(&shuffled(table.rows, shape.seed));
        let criterion = &*criteria()[which];
        prop_assert_eq!(both(&table, criterion, rules), both(&other, criterion, rules));
    }

    #[test]
    fn repeated_rows_and_weights(shape in shapes(0..8), rules in any_rules(), which in 0..5usize) {
        let table = Table::new(&shape);
        let repeat = |(row, &unit): (usize, &u32)| std::iter::repeat_n(row, unit as usize);
        let rows: Vec<usize> = table.units.iter().enumerate().flat_map(repeat).collect();
        let mut repeated = table.select(&rows);
        repeated.units.fill(1);
        let criterion = &*criteria()[which];
        prop_assert_eq!(both(&table, criterion, rules), both(&repeated, criterion, rules));
    }

    #[test]
    fn any_layout(shape in shapes(0..8), rules in any_rules(), which in 0..5usize, default in any::<u32>()) {
        let table = Table::new(&shape);
        let criterion = &*criteria()[which];
        let expected = both(&table, criterion, rules);
        let (mut wide, mut sparse) = (table.clone(), table);
        for (a, b) in wide.columns.iter_mut().zip(&mut sparse.columns) {
            a.layout = Layout::U32;
            b.layout = Layout::Sparse(default % b.feature.codes());
        }
        prop_assert_eq!(&expected, &both(&wide, criterion, rules));
        prop_assert_eq!(&expected, &both(&sparse, criterion, rules));
    }

    #[test]
    fn plain_code(shape in shapes(0..8), rules in any_rules(), which in 0..5usize) {
        let table = Table::new(&shape);
        let criterion = &*criteria()[which];
        let vectors = both(&table, criterion, rules);
        for instructions in [Instructions::Plain, Instructions::Avx2] {
            cpu::use_at_most(instructions);
            let fewer = both(&table, criterion, rules);
            cpu::use_at_most(Instructions::Avx512);
            prop_assert_eq!(&vectors, &fewer);
        }
    }
}

/// Once, random cuts were drawn for columns in tiles only, so that the layout, which counts rows, showed.
#[test]
fn layouts_do_not_show_in_random_cuts() {
    let kinds = vec![0, 0, 4];
    let shape = Shape {
        seed: 6_978_612_933_301_796_609,
        rows: 16,
        kinds,
        bins: 3,
        channels: 3,
        one_hot: false,
        most_weight: 6,
    };
    let dense = Table::new(&shape);
    let mut sparse = dense.clone();
    sparse.columns.iter_mut().for_each(|column| column.layout = Layout::Sparse(1));
    let mut wide = dense.clone();
    wide.columns.iter_mut().for_each(|column| column.layout = Layout::U32);
    let run = |table: &Table| both(table, &*criteria()[0], Rules { cuts: 1, ..ALL });
    assert_eq!(run(&dense), run(&sparse));
    assert_eq!(run(&dense), run(&wide));
}

/// Large enough that every loop that may use several threads does.
fn large(one_hot: bool, most_weight: u32) -> Table {
    let kinds = vec![0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 3];
    Table::new(&Shape { seed: 11, rows: 70_000, kinds, bins: 40, channels: 5, one_hot, most_weight })
}

#[test]
fn any_number_of_threads() {
    for (one_hot, most_weight) in [(false, 1), (false, 3), (true, 2)] {
        let table = large(one_hot, most_weight);
        for rules in [ALL, Rules { equality: false, features: 0.6, cuts: 2, ..ALL }] {
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| both(&table, &*criteria()[1], rules))
            };
            let one = run(1);
            assert!(one[0].nodes.len() > 8 && one[0].nodes[0].1.is_some());
            for threads in [2, 3, 8] {
                assert_eq!(run(threads), one, "{threads} threads");
            }
        }
    }
}

#[test]
fn large_permuted_rows() {
    let table = large(false, 2);
    let other = table.select(&shuffled(table.rows, 1));
    assert_eq!(both(&table, &*criteria()[4], ALL), both(&other, &*criteria()[4], ALL));
}

/// The tie rule: lowest feature, then lowest code.
#[test]
fn ties_go_to_the_lowest() {
    let shape =
        Shape { seed: 2, rows: 40, kinds: vec![0; 4], bins: 6, channels: 2, one_hot: false, most_weight: 1 };
    let mut table = Table::new(&shape);
    table.values.fill(1.0);
    let first = trace::<i64>(&table, Precision::Wide, &*criteria()[4], ALL).nodes[0].1.clone().unwrap();
    let least = table.columns[0].codes.iter().min().copied().unwrap();
    assert_eq!(first.feature, 0);
    assert_eq!(table.columns[0].feature.order, Order::Ordered);
    assert!(matches!(first.sides, manyboost_kernel::Sides::AtMost { low, .. } if low == least));
}
