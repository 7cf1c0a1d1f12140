//! How fast a tree would grow on cores that are not there: all regions are cut on one thread, and handed in when as many cores
//! as are asked for would have been through with them.

use manyboost::kernel::search::score::Newton;
use manyboost::kernel::{Alone, Channels, Precision, RowWeights, Rules, Searcher, Seed, Statistics};
use manyboost::learners::{TreeParameters, rehearse};
use manyboost::predict::Predictor;
use manyboost_data::generate::generator;
use manyboost_data::{Labels, Table, apply, prepare};
use serde_json::json;

use crate::args::{Args, Failure, table};
use crate::fit::fit;

/// Simulated cores; the last are so many that only what waits for one another counts.
const CORES: [usize; 7] = [1, 2, 4, 8, 16, 64, 4096];

/// Rows that are generated where no file is given.
const ROWS: usize = 400_000;

/// Runs of which the quickest counts.
const RUNS: usize = 3;

fn rows(args: &Args) -> Result<Table, Failure> {
    if let Some(path) = &args.train {
        return table(path);
    }
    let blobs = generator("blobs").ok_or("no such rows")?.2;
    Ok(blobs(args.rows.unwrap_or(ROWS), args.seed))
}

/// The curvature and the residuals of each row, given the probabilities of its classes.
fn residuals(probabilities: &[f64], of: &[u32], classes: usize) -> Vec<f64> {
    let mut channels = Vec::with_capacity(of.len() * (classes + 1));
    for (p, &own) in probabilities.chunks_exact(classes).zip(of) {
        channels.push(p.iter().map(|p| p * (1.0 - p)).sum());
        channels.extend(p.iter().enumerate().map(|(l, p)| f64::from(l == own as usize) - p));
    }
    channels
}

/// Trains some rounds, then grows the tree of the next one on every number of cores.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let table = rows(args)?;
    let prepared = prepare(table.clone(), &args.prepare())?;
    let frame = apply(table, &prepared.schema, &prepared.encoder)?.frame;
    let outcome = fit(&args.setup(None)?, &prepared, args.seed)?;
    let data = &prepared.dataset;
    let Labels::Classes { names, of } = &data.labels else { return Err("classes are needed".into()) };
    let probabilities = Predictor::new(&outcome.ensemble, usize::MAX).probabilities(&frame);
    let values = residuals(probabilities.values(), of, names.len());
    let weights = RowWeights { units: &vec![1; data.rows()], step: 1.0 };
    let mut channels = Channels::default();
    let statistics = Statistics::Dense { values: &values, width: names.len() + 1 };
    channels.quantise(&statistics, weights, Precision::Narrow, args.seed, &Alone);
    let parameters =
        TreeParameters { min_rows: 5.0, ..TreeParameters::tree((data.rows() / 200).clamp(16, 256)) };
    let rules = Rules { min_weight: 5, equality: false, min_level: 4, features: 1.0, cuts: 0 };
    let searcher = Searcher::<i32>::new(&data.bins);
    let search = searcher.round(&channels, &Newton { ridge: 1.0 }, rules, &Alone);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut one = None;
    for cores in CORES {
        let again = |_| rehearse(&search, &data.bins, &parameters, Seed::new(args.seed), cores);
        let runs = alone.install(|| (0..RUNS).map(again).collect::<Vec<_>>());
        let Some(best) = runs.into_iter().min_by(|a, b| a.end.total_cmp(&b.end)) else { continue };
        let faster = *one.get_or_insert(best.end) / best.end;
        println!(
            "{}",
            json!({
                "cores": cores, "cuts": best.made, "taken": best.taken, "work": best.work, "seconds": best.end,
                "faster": faster,
            })
        );
    }
    Ok(())
}
