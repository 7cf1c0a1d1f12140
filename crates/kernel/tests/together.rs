//! Several workers, each with some of the rows and some of the sums, find the cuts that one worker finds.

mod common;

use common::{ALL, Shape, Table, criteria, shapes};
use manyboost_kernel::exchange::Meeting;
use manyboost_kernel::{
    Alone, Channels, Criterion, Cut, Exchange, Family, Precision, RowWeights, Rules, Searchable, Searcher,
    Seed, Sought, Sum, partition,
};
use proptest::prelude::*;

/// The cuts of a tree of some depth, level by level, all regions of a level at a time; and their sums.
fn levels<S: Searchable>(
    table: &Table,
    channels: &Channels,
    criterion: &dyn Criterion,
    rules: Rules,
    exchange: &dyn Exchange,
) -> Vec<(Option<Cut>, Vec<i64>)> {
    let bins = table.bins_among(exchange);
    let searcher = Searcher::<S>::new(&bins);
    let search = searcher.round(channels, criterion, rules, exchange);
    let rows = table.all_rows();
    let mut level = vec![(search.total(&rows), search.histogram(&rows), rows, Seed::new(7))];
    let mut seen = Vec::new();
    for _ in 0..4 {
        let sought: Vec<Sought<'_, S>> = level
            .iter()
            .map(|(total, histogram, rows, seed)| Sought { rows, total, histogram, seed: *seed })
            .collect();
        let cuts = search.best_of(&sought);
        let mut halves = Vec::new();
        for ((total, histogram, mut rows, seed), cut) in level.into_iter().zip(cuts) {
            seen.push((cut.clone(), total.iter().map(|sum| sum.to_i64()).collect()));
            let Some(cut) = cut else {
                histogram.into_iter().for_each(|histogram| search.give_back(histogram));
                continue;
            };
            let middle = partition(&bins, &cut, &mut rows, &mut vec![0; table.rows]);
            let right = rows.split_off(middle);
            let left: Vec<S> = cut.left.iter().map(|&sum| S::from_i64(sum)).collect();
            let mut rest = total;
            rest.iter_mut().zip(&left).for_each(|(sum, &x)| *sum -= x);
            halves.push((histogram, [(left, rows, seed.part(0)), (rest, right, seed.part(1))]));
        }
        let lighter = |sides: &[(Vec<S>, Vec<u32>, Seed); 2]| {
            usize::from(sides[0].0[0].to_i64() > sides[1].0[0].to_i64())
        };
        let families = halves.iter_mut().map(|(parent, sides)| {
            let lighter = lighter(sides);
            Family { parent: parent.take(), smaller: &sides[lighter].1, larger: &sides[1 - lighter].1 }
        });
        let children = search.children_of(families.collect());
        level = Vec::new();
        for ((_, sides), [small, large]) in halves.into_iter().zip(children) {
            let histograms = if lighter(&sides) == 0 { [small, large] } else { [large, small] };
            let sides = sides.into_iter().zip(histograms);
            level.extend(sides.map(|((total, rows, seed), histogram)| (total, histogram, rows, seed)));
        }
    }
    seen
}

fn seen(
    table: &Table,
    precision: Precision,
    criterion: &dyn Criterion,
    rules: Rules,
    exchange: &dyn Exchange,
) -> Vec<(Option<Cut>, Vec<i64>)> {
    let weights = RowWeights { units: &table.units, step: 1.0 };
    let mut channels = Channels::default();
    channels.quantise(&table.statistics(), weights, precision, 1, exchange);
    if channels.is_wide() {
        levels::<i64>(table, &channels, criterion, rules, exchange)
    } else {
        levels::<i32>(table, &channels, criterion, rules, exchange)
    }
}

/// What each of some workers sees, rows given out at random.
fn among<T: Send>(table: &Table, workers: usize, work: impl Fn(&Table, &dyn Exchange) -> T + Sync) -> Vec<T> {
    let worker_of = |row: usize| Seed::new(9).part(row as u64).below(workers as u64) as usize;
    let (meeting, work) = (&Meeting::new(workers), &work);
    std::thread::scope(|scope| {
        let start = |rank: usize| {
            let rows: Vec<usize> = (0..table.rows).filter(|&row| worker_of(row) == rank).collect();
            let part = table.select(&rows);
            scope.spawn(move || {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + rank % 2).build().unwrap();
                pool.install(|| work(&part, &meeting.attend(rank)))
            })
        };
        let threads: Vec<_> = (0..workers).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Columns that are there several times, dealt to different workers, make many ties.
    #[test]
    fn workers_find_what_one_finds(
        shape in shapes(0..8),
        wide in any::<bool>(),
        share in prop_oneof![Just(1.0), Just(0.4)],
        cuts in 0..3u32,
        twice in any::<bool>(),
        which in 0..8usize,
    ) {
        let kinds = if twice { [shape.kinds.clone(), shape.kinds.clone()].concat() } else { shape.kinds.clone() };
        let mut table = Table::new(&Shape { kinds, ..shape });
        if twice {
            let half = table.columns.len() / 2;
            table.columns.truncate(half);
            table.columns.extend(table.columns.clone());
        }
        let criteria = criteria();
        let criterion = &criteria[which % criteria.len()];
        let rules = Rules { features: share, cuts, ..ALL };
        let precision = if wide { Precision::Wide } else { Precision::Narrow };
        let alone = seen(&table, precision, &**criterion, rules, &Alone);
        for workers in [2, 3, 7] {
            for own in among(&table, workers, |part, exchange| seen(part, precision, &**criterion, rules, exchange)) {
                prop_assert_eq!(&own, &alone, "{} workers", workers);
            }
        }
    }
}
