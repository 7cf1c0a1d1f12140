//! Prediction of many rows: seconds from a table in memory to probabilities in memory.

use std::time::Instant;

use manyboost::predict::Predictor;
use manyboost_data::{Frame, prepare};
use serde_json::json;

use crate::args::{Args, Failure};
use crate::{each_turn, fit, memory};

/// Rows to predict where none are asked for.
const ROWS: usize = 1_000_000;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (train, _) = args.tables()?;
    let rows = args.rows.unwrap_or(ROWS).max(1);
    // The training rows over and over: the peers' worker does the same.
    let repeated: Vec<u32> = (0..rows).map(|row| (row % train.rows) as u32).collect();
    let table = train.select(&repeated);
    let prepared = prepare(train, &args.prepare())?;
    let outcome = fit::fit(&args.setup(None)?, &prepared, args.seed)?;
    drop(prepared.dataset);
    each_turn(args.wait, |_| {
        let table = table.clone();
        let start = Instant::now();
        let frame = Frame::new(table, &prepared.encoder)?;
        let predictor = Predictor::new(&outcome.ensemble, usize::MAX);
        let probabilities = predictor.probabilities(&frame);
        let seconds = start.elapsed().as_secs_f64();
        let (first, last) = (probabilities.row(0), probabilities.row(rows - 1));
        Ok(json!({
            "rows": rows,
            "rounds": outcome.history.len(),
            "seconds": seconds,
            "check": first.iter().chain(last).sum::<f64>(),
            "rss": memory::peak(),
        }))
    })
}
