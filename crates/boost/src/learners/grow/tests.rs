//! Trees beside those of plain growth: one region after the other, nothing kept, nothing ahead of time.

use std::fmt::Write as _;

use manyboost_kernel::search::score::{LeastCost, Newton};
use manyboost_kernel::{
    Alone, Bins, BinsBuilder, Channels, Codes, Criterion, Feature, Order, Precision, RowWeights, Rules,
    Search, Searcher, Seed, Statistics, partition,
};
use proptest::prelude::*;

use super::super::tree_parameters::Growth;
use super::*;

/// A region of the plain tree.
struct Plain {
    rows: Vec<u32>,
    total: Vec<i32>,
    depth: usize,
    seed: Seed,
    gain: Option<f64>,
    cut: Option<Cut>,
    taken: bool,
    sides: Option<[usize; 2]>,
}

fn gains(now: f64, score: f64) -> bool {
    now - score > 1e-12 * now.abs().max(score.abs())
}

fn look(search: &Search<'_, i32>, rows: Vec<u32>, depth: usize, seed: Seed, now: Option<f64>) -> Plain {
    let total = search.total(&rows);
    let mut plain = Plain { rows, total, depth, seed, gain: None, cut: None, taken: false, sides: None };
    let Some(now) = now else { return plain };
    let alone = search.score(&plain.total);
    plain.cut = search.best(&plain.rows, &plain.total, &None, seed).filter(|cut| gains(alone, cut.score));
    let best = plain.cut.as_ref().map_or(alone, |cut| cut.score);
    plain.gain = gains(now, best).then_some(now - best);
    plain
}

/// The tree as text: each cut with its sides, and the rows of each leaf.
fn plain_tree(search: &Search<'_, i32>, bins: &Bins, parameters: &TreeParameters, seed: Seed) -> String {
    let rows: Vec<u32> = (0..bins.rows() as u32).collect();
    let now = search.score(&search.total(&rows));
    let mut regions = vec![look(search, rows, 0, seed, Some(now))];
    // Regions in the order in which they join the tree.
    let mut joined = vec![0];
    for _ in 1..parameters.leaves {
        let level = |at: usize| match parameters.growth {
            Growth::BestFirst => 0,
            Growth::DepthWise => regions[at].depth,
        };
        let open = joined.iter().copied().filter(|&at| !regions[at].taken && regions[at].gain.is_some());
        let better = |a: usize, b: usize| {
            let first = level(b) < level(a) || (level(b) == level(a) && regions[b].gain > regions[a].gain);
            if first { b } else { a }
        };
        let Some(next) = open.reduce(better) else { break };
        regions[next].taken = true;
        let Some(cut) = regions[next].cut.clone() else { continue };
        let (mut rows, depth, seed) =
            (regions[next].rows.clone(), regions[next].depth + 1, regions[next].seed);
        let mut spare = rows.clone();
        let middle = partition(bins, &cut, &mut rows, &mut spare);
        let right = rows.split_off(middle);
        let [a, b] = [search.total(&rows), search.total(&right)];
        let searched = depth < parameters.depth;
        let now = |own: &[i32], other: &[i32]| searched.then(|| search.side(own, other));
        let first = regions.len();
        let sides = [
            look(search, rows, depth, seed.part(10), now(&a, &b)),
            look(search, right, depth, seed.part(11), now(&b, &a)),
        ];
        regions.extend(sides);
        regions[next].sides = Some([first, first + 1]);
        joined.extend([first, first + 1]);
    }
    let mut text = String::new();
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        let region = &regions[at];
        match (&region.cut, region.sides) {
            (Some(cut), Some([left, right])) if region.taken => {
                let _ = writeln!(text, "{cut:?}");
                stack.extend([right, left]);
            }
            _ => {
                let _ = writeln!(text, "{:?} {:?} {}", region.rows, region.total, region.taken);
            }
        }
    }
    text
}

fn grown_tree(grown: &Grown) -> String {
    let mut text = String::new();
    let width = grown.sums.len() / grown.leaves.len();
    let mut stack = vec![if grown.cuts.is_empty() { Child::Leaf(0) } else { Child::Node(0) }];
    let (mut cuts, mut leaves) = (0, 0);
    while let Some(child) = stack.pop() {
        match child {
            Child::Node(node) => {
                assert_eq!(node, cuts, "numbered from the root down");
                cuts += 1;
                let (cut, [left, right]) = &grown.cuts[node as usize];
                let _ = writeln!(text, "{cut:?}");
                stack.extend([*right, *left]);
            }
            Child::Leaf(leaf) => {
                assert_eq!(leaf, leaves, "numbered from the left");
                leaves += 1;
                let leaf = leaf as usize;
                let (rows, sums) =
                    (&grown.rows[grown.leaves[leaf].clone()], &grown.sums[leaf * width..][..width]);
                let _ = writeln!(text, "{rows:?} {sums:?} {}", grown.settled[leaf]);
            }
        }
    }
    text
}

#[derive(Clone, Debug)]
struct Case {
    rows: usize,
    features: usize,
    bins: u32,
    /// Few values of channels make many cuts equally good.
    values: u64,
    newton: bool,
    parameters: TreeParameters,
    cuts: u32,
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let shape = (1..400usize, 1..6usize, 2..30u32, prop_oneof![Just(2u64), Just(3), Just(1000)]);
    let tree = (
        prop_oneof![Just(2usize), 3..9usize, 20..70usize],
        prop_oneof![1..6usize, Just(64)],
        any::<bool>(),
        1..9u32,
    );
    (shape, tree, any::<bool>(), 0..2u32, any::<u64>()).prop_map(
        |((rows, features, bins, values), (leaves, depth, level, min_rows), newton, cuts, seed)| Case {
            rows,
            features,
            bins,
            values,
            newton,
            parameters: TreeParameters {
                depth,
                growth: if level { Growth::DepthWise } else { Growth::BestFirst },
                min_rows: f64::from(min_rows),
                ..TreeParameters::tree(leaves)
            },
            cuts,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_tree_of_plain_growth_on_any_number_of_threads(case in cases()) {
        let Case { rows, features, bins, values, newton, parameters, cuts, seed } = case;
        let draws = Seed::new(seed);
        let mut builder = BinsBuilder::new(rows);
        for feature in 0..features as u64 {
            let code = |row: u64| draws.part(feature).part(row).below(u64::from(bins)) as u8;
            let spec = Feature { order: Order::Ordered, bins, missing: false };
            builder.push(spec, Codes::Bytes((0..rows as u64).map(code).collect()));
        }
        let bins = builder.finish();
        let value = |at: usize| {
            let draw = draws.part(99).part(at as u64).below(values) as f64 / (values - 1) as f64;
            if newton && at.is_multiple_of(3) { 0.5 + draw } else { draw - 0.5 }
        };
        let numbers: Vec<f64> = (0..3 * rows).map(value).collect();
        let statistics = Statistics::Dense { values: &numbers, width: 3 };
        let weights = RowWeights { units: &vec![1; rows], step: 1.0 };
        let mut channels = Channels::default();
        channels.quantise(&statistics, weights, Precision::Narrow, 1, &Alone);
        let criterion: &dyn Criterion = if newton { &Newton { ridge: 1.0 } } else { &LeastCost };
        let min_weight = parameters.min_rows as i64;
        let rules = Rules { min_weight, equality: false, min_level: 4, features: 1.0, cuts };
        let searcher = Searcher::<i32>::new(&bins);
        let search = searcher.round(&channels, criterion, rules, &Alone);
        let expected = plain_tree(&search, &bins, &parameters, draws);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            let all = (0..rows as u32).collect();
            let grown = pool.install(|| grow(&search, &bins, all, &parameters, draws, &mut Pace::default()));
            prop_assert_eq!(grown_tree(&grown), expected.clone(), "{} threads", threads);
        }
    }

    #[test]
    fn one_core_makes_no_cut_for_nothing(seed: u64, leaves in 2..60usize) {
        let rows = 2000;
        let draws = Seed::new(seed);
        let mut builder = BinsBuilder::new(rows);
        for feature in 0..4 {
            let code = |row: u64| draws.part(feature).part(row).below(50) as u8;
            let spec = Feature { order: Order::Ordered, bins: 50, missing: false };
            builder.push(spec, Codes::Bytes((0..rows as u64).map(code).collect()));
        }
        let bins = builder.finish();
        let numbers: Vec<f64> = (0..rows).map(|row| draws.part(9).part(row as u64).unit() - 0.5).collect();
        let statistics = Statistics::Dense { values: &numbers, width: 1 };
        let mut channels = Channels::default();
        let weights = RowWeights { units: &vec![1; rows], step: 1.0 };
        channels.quantise(&statistics, weights, Precision::Narrow, 1, &Alone);
        let rules = Rules { min_weight: 5, equality: false, min_level: 4, features: 1.0, cuts: 0 };
        let searcher = Searcher::<i32>::new(&bins);
        let search = searcher.round(&channels, &LeastCost, rules, &Alone);
        let parameters = TreeParameters::tree(leaves);
        let on = |cores| rehearse(&search, &bins, &parameters, draws, cores);
        let one = on(1);
        prop_assert_eq!(one.made, one.taken);
        let many = on(16);
        prop_assert_eq!(many.taken, one.taken);
        prop_assert!(many.made <= 2 * one.taken + 16, "{} cuts for {}", many.made, one.taken);
    }
}
