//! What the row loops cost: `cargo bench -p manyboost-kernel [part of a name]`.
//!
//! Times are of 15 runs on one thread, in nanoseconds per what the line says: of histograms per row, feature and sum (a cell has
//! a weight and its channels, so 26 classes are 27 sums), of scores per row and class. The least time is the one to compare where other programs run as well. The last column says how much of the memory traffic that a plain copy reaches
//! (reads and writes) a pass takes for rows, codes and channels: near 100 % nothing is left to gain.
//! A plain table, because no benchmark library divides by all three.

use std::hint::black_box;
use std::time::Instant;

use manyboost_kernel::loss::residuals::softmax_residuals;
use manyboost_kernel::loss::softmax::{add_parts, mistakes};
use manyboost_kernel::search::score::{Gini, LeastCost};
use manyboost_kernel::{
    Alone, Axes, Bins, BinsBuilder, Channels, Codes, Cut, Feature, Order, Precision, RowWeights, Rules,
    Search, Searcher, Seed, Sides, Statistics, Totals, Within, partition,
};

const ROWS: usize = 500_000;
const FEATURES: usize = 16;
const BINS: u32 = 256;
const RULES: Rules = Rules { min_weight: 1, equality: false, min_level: 1, features: 1.0, cuts: 0 };

/// The median and the least time of some runs, in nanoseconds.
fn times(mut run: impl FnMut()) -> (f64, f64) {
    run();
    let mut times: Vec<f64> = (0..15)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e9
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0])
}

struct Bench {
    only: Option<String>,
    /// Bytes per nanosecond that a large copy reads and writes.
    copy: f64,
}

impl Bench {
    fn new() -> Self {
        let only = std::env::args().skip(1).find(|a| !a.starts_with('-'));
        let from = vec![1u8; 256 << 20];
        let mut to = vec![0u8; from.len()];
        let (_, least) = times(|| to.copy_from_slice(black_box(&from)));
        let copy = 2.0 * from.len() as f64 / least;
        println!("a copy of 256 MiB: {copy:.1} GB/s read and written\n");
        println!(
            "| pass | median ns | least ns | per | share of a copy's bandwidth |\n|---|---|---|---|---|"
        );
        Self { only, copy }
    }

    /// Times `run`, which handles `items` items and so many bytes.
    fn line(&self, name: &str, unit: &str, items: usize, bytes: usize, run: impl FnMut()) {
        if self.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            return;
        }
        let (median, least) = times(run);
        let share = 100.0 * bytes as f64 / least / self.copy;
        let per = items as f64;
        println!("| {name} | {:.3} | {:.3} | {unit} | {share:.0} % |", median / per, least / per);
    }
}

/// Columns of random codes; `heavy` has nine rows in ten in one bin.
fn bins(heavy: bool) -> Bins {
    let mut builder = BinsBuilder::new(ROWS);
    for feature in 0..FEATURES as u64 {
        let seed = Seed::new(feature);
        let code = |row: u64| {
            let draw = seed.part(row);
            if heavy && draw.part(1).unit() < 0.9 { 7 } else { draw.below(u64::from(BINS)) as u8 }
        };
        let spec = Feature { order: Order::Ordered, bins: BINS, missing: false };
        builder.push(spec, Codes::Bytes((0..ROWS as u64).map(code).collect()));
    }
    builder.finish()
}

fn numbers(count: usize) -> Vec<f64> {
    (0..count as u64).map(|i| Seed::new(99).part(i).unit() - 0.5).collect()
}

/// Channels that make `sums` sums a cell.
fn channels(sums: usize, one_hot: bool) -> Channels {
    let width = sums - 1;
    let units = vec![1; ROWS];
    let weights = RowWeights { units: &units, step: 1.0 };
    let values = numbers(if one_hot { ROWS } else { ROWS * width });
    let labels: Vec<u32> =
        (0..ROWS as u64).map(|i| Seed::new(5).part(i).below(width as u64) as u32).collect();
    let statistics = if one_hot {
        Statistics::OneHot { values: &values, labels: &labels, width }
    } else {
        Statistics::Dense { values: &values, width }
    };
    let mut channels = Channels::default();
    channels.quantise(&statistics, weights, Precision::Narrow, 1, &Alone);
    channels
}

fn histograms(bench: &Bench, bins: &Bins, spread: &str) {
    let searcher = Searcher::<i32>::new(bins);
    let sequential: Vec<u32> = (0..ROWS as u32).collect();
    let scattered = |share: f64| -> Vec<u32> {
        sequential.iter().copied().filter(|&r| Seed::new(77).part(u64::from(r)).unit() < share).collect()
    };
    let (half, few) = (scattered(0.5), scattered(0.05));
    for (sums, one_hot) in [(2, false), (8, false), (27, false), (27, true)] {
        let channels = channels(sums, one_hot);
        let search = searcher.round(&channels, &LeastCost, RULES, &manyboost_kernel::Alone);
        for (rows, order) in [(&sequential, "all rows"), (&half, "scattered half"), (&few, "scattered 5 %")] {
            let (kind, added, stored) = if one_hot { ("one-hot", 2, 12) } else { ("dense", sums, 2 * sums) };
            let name = format!("tiles, {spread}, {order}, {kind} {sums}");
            let items = rows.len() * FEATURES * added;
            bench.line(&name, "row·feature·sum", items, rows.len() * (4 + FEATURES + stored), || {
                let histogram = search.histogram(black_box(rows)).expect("large regions have histograms");
                search.give_back(black_box(histogram));
            });
        }
    }
}

fn small_regions(bench: &Bench, bins: &Bins, sums: usize) {
    let searcher = Searcher::<i32>::new(bins);
    let channels = channels(sums, false);
    let search = searcher.round(&channels, &LeastCost, RULES, &manyboost_kernel::Alone);
    let rows: Vec<u32> = (0..ROWS as u32).filter(|r| r % 2500 == 3).collect();
    let total = search.total(&rows);
    let items = rows.len() * FEATURES * sums;
    let name = format!("direct columns and scan, {} rows, dense {sums}", rows.len());
    bench.line(&name, "row·feature·sum", 50 * items, 50 * rows.len() * (FEATURES + 2 * sums), || {
        for _ in 0..50 {
            black_box(search.best(black_box(&rows), &total, &None, Seed::new(1)));
        }
    });
}

fn scans(bench: &Bench, bins: &Bins, sums: usize) {
    let searcher = Searcher::<i32>::new(bins);
    let channels = channels(sums, false);
    let rows: Vec<u32> = (0..ROWS as u32).collect();
    let run = |name: &str, search: &Search<'_, i32>| {
        let histogram = search.histogram(&rows);
        let total = search.total(&rows);
        let items = FEATURES * BINS as usize * sums;
        bench.line(
            &format!("scan, {name}, dense {sums}"),
            "bin·feature·sum",
            20 * items,
            20 * 4 * items,
            || {
                for _ in 0..20 {
                    black_box(search.best(&rows, &total, black_box(&histogram), Seed::new(1)));
                }
            },
        );
    };
    run("least cost", &searcher.round(&channels, &LeastCost, RULES, &manyboost_kernel::Alone));
    run("gini", &searcher.round(&channels, &Gini, RULES, &manyboost_kernel::Alone));
}

fn sweeps(bench: &Bench, bins: &Bins) {
    let units = vec![1; ROWS];
    let weights = RowWeights { units: &units, step: 1.0 };
    for width in [1, 7, 26] {
        let values = numbers(ROWS * width);
        let mut channels = Channels::default();
        let bytes = ROWS * (2 * 8 * width + 2 * (width + 1));
        bench.line(&format!("quantise, dense {}", width + 1), "row·channel", ROWS * width, bytes, || {
            let statistics = Statistics::Dense { values: black_box(&values), width };
            channels.quantise(&statistics, weights, Precision::Narrow, 1, &Alone);
        });
    }
    let values = numbers(ROWS);
    let labels: Vec<u32> = (0..ROWS as u32).map(|row| row % 26).collect();
    let mut channels = Channels::default();
    bench.line("quantise, one-hot 27", "row", ROWS, ROWS * (2 * 8 + 8 + 2 * 4), || {
        let statistics = Statistics::OneHot { values: black_box(&values), labels: &labels, width: 26 };
        channels.quantise(&statistics, weights, Precision::Narrow, 1, &Alone);
    });
    let sorted: Vec<u32> = (0..ROWS as u32).collect();
    let mut spare = vec![0; ROWS];
    let mut rows = sorted.clone();
    for (share, low) in [("even", 127), ("one in ten", 25)] {
        let cut = Cut {
            feature: 3,
            sides: Sides::AtMost { low, high: None },
            missing_left: false,
            left: Vec::new(),
            score: 0.0,
        };
        bench.line(&format!("partition, {share}"), "row", ROWS, ROWS * (4 * 4 + 16), || {
            rows.copy_from_slice(&sorted);
            black_box(partition(bins, &cut, &mut rows, &mut spare));
        });
    }
}

/// What is done with the scores of rows that are in the cache.
fn scores(bench: &Bench) {
    for width in [3, 7, 10, 13, 26, 60, 100, 1000] {
        let rows = (1 << 14) / width;
        let mut scores: Vec<f64> = numbers(rows * width).iter().map(|x| 20.0 * x).collect();
        let labels: Vec<u32> = (0..rows as u32).map(|row| row % width as u32).collect();
        // Nine rows in ten are right.
        for (row, &label) in labels.iter().enumerate().filter(|(row, _)| row % 10 > 0) {
            scores[row * width + label as usize] = 11.0;
        }
        let units = vec![1; rows];
        let parts = vec![0.0; 16 * width];
        let cells: Vec<u32> = (0..rows as u32).map(|row| row % 16).collect();
        let mut residuals = vec![0f32; rows * (width + 1)];
        let items = rows * width;
        let line = |name: &str, bytes: usize, run: &mut dyn FnMut()| {
            bench.line(
                &format!("{name}, {width} classes"),
                "row·class",
                50 * items,
                50 * bytes * items,
                || {
                    (0..50).for_each(|_| run());
                },
            );
        };
        line("residuals", 12, &mut || {
            softmax_residuals(black_box(&scores), width, 0, black_box(&mut residuals));
        });
        line("mistakes", 8, &mut || {
            black_box(mistakes(black_box(&scores), width, &labels, &units));
        });
        line("parts", 24, &mut || add_parts(black_box(&cells), &parts, width, black_box(&mut scores)));
    }
}

/// What leaves are filled from.
fn leaves(bench: &Bench) {
    for width in [26, 100, 1000] {
        let rows = 20_000_000 / width;
        let units = vec![1; rows];
        let weights = RowWeights { units: &units, step: 1.0 };
        let statistics = Statistics::Dense { values: &numbers(rows * width), width };
        let mut channels = Channels::default();
        let bounds = &vec![1.0; width];
        let within = Within { bounds, weights, precision: Precision::Narrow, seed: 1, exchange: &Alone };
        channels.quantise_within(&statistics, &within);
        let mut groups = vec![Vec::new(); 64];
        for row in 0..rows as u32 {
            groups[Seed::new(3).part(u64::from(row)).below(64) as usize].push(row);
        }
        let groups: Vec<&[u32]> = groups.iter().map(Vec::as_slice).collect();
        let totals = Totals::new(weights, &Alone);
        let items = rows * width;
        bench.line(&format!("leaf sums, {width} channels"), "row·channel", items, 2 * items, || {
            black_box(channels.with_variances(&totals, width, black_box(&groups)));
        });
    }
}

/// What lines are chosen by.
fn moments(bench: &Bench) {
    let (rows, count) = (20_000, 600);
    let axes = Axes::new(count, &numbers(rows * count));
    let units = vec![1; rows];
    let totals = Totals::new(RowWeights { units: &units, step: 1.0 }, &Alone);
    let all: Vec<u32> = (0..rows as u32).collect();
    for width in [1, 8] {
        let values = numbers(rows * width);
        let items = rows * count * width;
        bench.line(
            &format!("moments, {width} channels"),
            "row·axis·channel",
            items,
            2 * rows * count,
            || {
                let write =
                    |row: usize, out: &mut [f64]| out.copy_from_slice(&values[row * width..][..width]);
                black_box(axes.moments(&totals, black_box(&all), &vec![1.0; width], false, write));
            },
        );
    }
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let bench = Bench::new();
        let uniform = bins(false);
        histograms(&bench, &uniform, "uniform");
        histograms(&bench, &bins(true), "90 % in one bin");
        for sums in [2, 8, 27] {
            small_regions(&bench, &uniform, sums);
        }
        for sums in [8, 27] {
            scans(&bench, &uniform, sums);
        }
        sweeps(&bench, &uniform);
        scores(&bench);
        leaves(&bench);
        moments(&bench);
    });
}
