//! Measures manyboost from inside one process: JSON lines on stdout, one a measurement.
//!
//! ```text
//! manyboost-bench fit     --train FILE [--test FILE] [--booster NAME] [--threads N] [--bins N] [--seed N] [--staged] [--wait] [--OPTION VALUE]…
//! manyboost-bench predict --train FILE [--rows N] …as above…
//! manyboost-bench read    FILE
//! manyboost-bench schedule [--train FILE] [--rounds N] …as above…
//! manyboost-bench workers --train FILE [--workers N] [--copies N] [--repeat N] [--simulate] …as above…
//! ```
//!
//! Options that are not listed go to the booster by name (`--leaves 64 --shrinkage 0.1`). Without `--test` every fifth row is
//! tested on (index % 5 == 4). With `--wait` the data are read (and for `predict` the model is trained) first; then
//! each line of stdin starts one measurement, so that two programs can take turns without reading anything twice. To
//! `fit` the line may be a number of rounds. `--staged` adds the test errors of all rounds.

mod args;
mod fit;
mod memory;
mod predict;
mod read;
mod schedule;
mod workers;

use std::io::BufRead;
use std::process::ExitCode;

use args::{Args, Failure};

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let result = Args::parse(words.collect()).and_then(|args| {
        if let Some(threads) = args.threads {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        }
        match command.as_str() {
            "fit" => fit::run(&args),
            "predict" => predict::run(&args),
            "read" => read::run(&args),
            "schedule" => schedule::run(&args),
            "workers" => workers::run(&args),
            _ => {
                Err("usage: manyboost-bench fit | predict | read | schedule | workers … (bench/README.md)"
                    .into())
            }
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Measures once, or once for each line of stdin.
fn each_turn(
    wait: bool,
    mut measure: impl FnMut(&str) -> Result<serde_json::Value, Failure>,
) -> Result<(), Failure> {
    if !wait {
        println!("{}", measure("")?);
        return Ok(());
    }
    println!("{}", serde_json::json!({"ready": true}));
    for line in std::io::stdin().lock().lines() {
        println!("{}", measure(line?.trim())?);
    }
    Ok(())
}
