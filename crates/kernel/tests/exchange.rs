//! Any partition of the rows over workers gives the totals, grids and sums of one worker, to the bit.

mod common;

use common::{ALL, Shape, Table, shapes};
use manyboost_kernel::exchange::{Failure, Meeting, Scattered, Sums, even_parts, guarded};
use manyboost_kernel::search::score::Gini;
use manyboost_kernel::{
    Alone, Channels, Exchange, Precision, RowWeights, Searchable, Searcher, Seed, Sum, Totals,
};
use proptest::prelude::*;

/// All that workers should agree on, floats by their bits.
#[derive(Debug, PartialEq)]
struct Seen {
    wide: bool,
    steps: Vec<u64>,
    /// The sums of each code of each feature.
    cells: Vec<i64>,
    totals: Vec<u64>,
}

fn look(table: &Table, precision: Precision, exchange: &dyn Exchange) -> Seen {
    let weights = RowWeights { units: &table.units, step: 0.125 };
    let mut channels = Channels::default();
    channels.quantise(&table.statistics(), weights, precision, 1, exchange);
    let mut cells =
        if channels.is_wide() { cells::<i64>(table, &channels) } else { cells::<i32>(table, &channels) };
    exchange.sum(&mut cells);
    let totals = Totals::new(weights, exchange);
    let first = |row: usize| table.values[row * (table.values.len() / table.rows)];
    let mut seen = totals.sums(|row| [first(row), first(row).abs() * 1e-200, 0.0]).to_vec();
    seen.push(totals.sum(first));
    seen.push(totals.max(first));
    seen.push(totals.weight());
    let group = |g: u32| -> Vec<u32> {
        table.all_rows().into_iter().filter(|&r| table.columns[0].codes[r as usize] % 3 == g).collect()
    };
    let groups: Vec<Vec<u32>> = (0..3).map(group).collect();
    let groups: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
    seen.extend(totals.by_group(&table.statistics(), &groups));
    Seen {
        wide: channels.is_wide(),
        steps: channels.steps().iter().map(|x| x.to_bits()).collect(),
        cells,
        totals: seen.into_iter().map(f64::to_bits).collect(),
    }
}

fn cells<S: Searchable>(table: &Table, channels: &Channels) -> Vec<i64> {
    let bins = table.bins();
    let searcher = Searcher::<S>::new(&bins);
    let search = searcher.round(channels, &Gini, ALL, &manyboost_kernel::Alone);
    let (mut cells, mut laid_out) = (Vec::new(), Vec::new());
    for column in &table.columns {
        for code in 0..column.feature.codes() {
            let own = table.all_rows().into_iter().filter(|&r| column.codes[r as usize] == code);
            let total = search.total(&own.collect::<Vec<_>>());
            cells.extend(total.into_iter().map(Sum::to_i64));
        }
        laid_out
            .extend_from_slice(&cells[cells.len() - column.feature.codes() as usize * channels.width()..]);
        if column.feature.codes().is_multiple_of(2) {
            laid_out.resize(laid_out.len() + channels.width(), 0);
        }
    }
    // Byte columns lie in a histogram in their order, code after code, each with an odd number of cells.
    if let Some(histogram) = search.histogram(&table.all_rows()) {
        assert_eq!(histogram.into_iter().map(Sum::to_i64).collect::<Vec<_>>(), laid_out);
    }
    cells
}

/// What each of some workers sees, rows given out at random.
fn divided(table: &Table, workers: usize, precision: Precision, seed: u64) -> Vec<Seen> {
    let worker_of = |row: usize| Seed::new(seed).part(row as u64).below(workers as u64) as usize;
    let meeting = Meeting::new(workers);
    std::thread::scope(|scope| {
        let start = |number: usize| {
            let rows: Vec<usize> = (0..table.rows).filter(|&row| worker_of(row) == number).collect();
            let (part, meeting) = (table.select(&rows), &meeting);
            scope.spawn(move || look(&part, precision, &meeting.attend(number)))
        };
        let threads: Vec<_> = (0..workers).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn check(table: &Table, precision: Precision, seed: u64) {
    let alone = look(table, precision, &Alone);
    for workers in [1, 2, 3, 7] {
        for seen in divided(table, workers, precision, seed) {
            assert_eq!(seen, alone, "{workers} workers");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Few rows, so that some workers have none.
    #[test]
    fn any_partition(shape in shapes(0..2), narrow in any::<bool>(), few in any::<bool>(), seed in any::<u64>()) {
        let rows = if few { 1 + shape.rows % 6 } else { shape.rows };
        // At least two bins, so that every column stays in a tile.
        let table = Table::new(&Shape { rows, bins: shape.bins.max(4), ..shape });
        check(&table, if narrow { Precision::Narrow } else { Precision::Wide }, seed);
    }
}

#[test]
fn a_large_partition() {
    let shape = Shape {
        seed: 3,
        rows: 30_000,
        kinds: vec![0, 1, 0],
        bins: 50,
        channels: 4,
        one_hot: false,
        most_weight: 3,
    };
    check(&Table::new(&shape), Precision::Auto, 8);
}

/// Totals against sums that are known exactly.
#[test]
fn totals_are_exact_and_weights_are_repetitions() {
    // Multiples of 2⁻²⁰ below 2⁶: 26 bits, well within the grid, so nothing is rounded.
    let whole = |row: usize| (row * 2_654_435 % (1 << 26)) as i64 - (1 << 25);
    let value = |row: usize| whole(row) as f64 * (-20f64).exp2();
    let units: Vec<u32> = (0..20_000).map(|row| 1 + row % 7).collect();
    let totals = Totals::new(RowWeights { units: &units, step: 0.5 }, &Alone);
    let exact: i64 = units.iter().enumerate().map(|(row, &u)| whole(row) * i64::from(u)).sum();
    assert_eq!(totals.sum(value), exact as f64 * (-21f64).exp2());
    let rows: Vec<usize> =
        units.iter().enumerate().flat_map(|(row, &u)| std::iter::repeat_n(row, u as usize)).collect();
    let ones = vec![1; rows.len()];
    let repeated = Totals::new(RowWeights { units: &ones, step: 0.5 }, &Alone);
    let odd = |row: usize| (value(row) * 1.1).sin() / 3.0;
    assert_eq!(repeated.sum(|i| odd(rows[i])).to_bits(), totals.sum(odd).to_bits());
    assert_eq!(repeated.weight(), totals.weight());
    assert_eq!(repeated.max(|i| odd(rows[i])), totals.max(odd));
}

#[test]
fn totals_of_extreme_numbers_are_finite_where_they_can_be() {
    let units = [1, u32::MAX, 5];
    let totals = Totals::new(RowWeights { units: &units, step: 1.0 }, &Alone);
    assert_eq!(totals.sum(|_| 0.0), 0.0);
    assert_eq!(totals.sum(|_| 1e-300), 0.0);
    let large = totals.sum(|row| [1e290, -1e290, 1e290][row]);
    let exact = 1e290 * (6.0 - f64::from(u32::MAX));
    assert!(((large - exact) / exact).abs() < 1e-8, "{large:e}");
    assert_eq!(Totals::new(RowWeights { units: &[], step: 1.0 }, &Alone).max(|_| 1.0), f64::NEG_INFINITY);
}

/// What each of some workers comes to.
fn among<T: Send>(workers: usize, work: impl Fn(&dyn Exchange) -> T + Sync) -> Vec<T> {
    let (meeting, work) = (&Meeting::new(workers), &work);
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..workers).map(|rank| scope.spawn(move || work(&meeting.attend(rank)))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn verbs_do_what_they_say() {
    for workers in [1, 2, 3, 5] {
        // Few numbers take one message, many take two; fewer than there are workers take some too.
        for length in [0, 1, 4, 5000] {
            let own =
                |rank: usize| -> Vec<i64> { (0..length).map(|at| (at * (rank + 1)) as i64 - 7).collect() };
            let sums: Vec<i64> = (0..length).map(|at| (0..workers).map(|rank| own(rank)[at]).sum()).collect();
            for (rank, (wide, narrow, part, most, all)) in among(workers, |exchange| {
                let mut wide = own(exchange.rank());
                let mut narrow: Vec<i32> = wide.iter().map(|&x| x as i32).collect();
                let (mut part, mut most) = (wide.clone(), wide.clone());
                exchange.sum(&mut wide);
                exchange.total(Sums::Narrow(&mut narrow));
                let parts = even_parts(length, workers);
                // Two arrays of different kinds at once.
                let mut other: Vec<i32> = part.iter().map(|&x| 2 * x as i32).collect();
                exchange.scatter_sum(&mut [
                    Scattered { sums: Sums::Wide(&mut part), cell: 1, parts: &parts },
                    Scattered { sums: Sums::Narrow(&mut other), cell: 1, parts: &parts },
                ]);
                let own = parts[exchange.rank()].clone();
                assert!(part[own.clone()].iter().zip(&other[own]).all(|(&a, &b)| 2 * a == i64::from(b)));
                exchange.max(&mut most);
                (wide, narrow, part, most, exchange.gather(&vec![exchange.rank() as u8; exchange.rank()]))
            })
            .into_iter()
            .enumerate()
            {
                assert_eq!(wide, sums);
                assert!(narrow.iter().zip(&sums).all(|(&a, &b)| i64::from(a) == b));
                let own_part = even_parts(length, workers)[rank].clone();
                assert_eq!(part[own_part.clone()], sums[own_part]);
                assert_eq!(most, own(workers - 1));
                assert!(all.iter().enumerate().all(|(rank, copy)| *copy == vec![rank as u8; rank]));
            }
        }
    }
}

#[test]
fn all_workers_fail_if_one_does() {
    // One asks for something else; one leaves.
    for odd in [|exchange: &dyn Exchange| exchange.sum(&mut [1, 2]), |_: &dyn Exchange| {}] {
        let failed = among(3, |exchange| {
            let rank = exchange.rank();
            guarded(|| {
                exchange.sum(&mut [1]);
                if rank == 2 {
                    odd(exchange);
                } else {
                    exchange.sum(&mut [1]);
                }
                if rank == 2 {
                    return;
                }
                exchange.sum(&mut [1]);
            })
        });
        for result in &failed[..2] {
            assert!(matches!(result, Err(Failure { worker: 0..=2, .. })), "{result:?}");
        }
    }
}
