//! `manyboost demo`: what this is, in a table and a page, without any file of the user's.

use std::path::Path;

use manyboost::files::write_atomic;
use manyboost_data::{Applied, PrepareOptions, Prepared, apply, generate, prepare};
use manyboost_report::compare::PageHeading;
use serde_json::json;

use super::{print, print_json};
use crate::args::DemoArgs;
use crate::failure::Outcome;
use crate::messages;
use crate::trial::{self, Contender, Trial};

const DATA: &str = "blobs";
const ROWS: usize = 6000;
const TEST: f64 = 1.0 / 3.0;
const ROUNDS: &str = "150";
const PAGE: &str = "demo.html";

/// Boosters and their options.
const RUNS: [&str; 3] = ["mcboost", "mm:learner=tree:leaves=32", "samme:learner=tree:leaves=32"];

const NEXT: &str = "\
manyboost generate blobs --rows 5000 --seed 1 --out train.csv
manyboost generate blobs --rows 5000 --seed 2 --out test.csv
manyboost train train.csv --out blobs.model --valid 0.2 --patience 20 --report blobs.html
manyboost evaluate blobs.model test.csv
manyboost compare train.csv --test test.csv --boosters mcboost,samme,mm --rounds 100
manyboost boosters";

pub fn run(args: &DemoArgs) -> Outcome {
    let (prepared, test) = data(args.seed)?;
    let classes = prepared.schema.target.names().len();
    let rows = prepared.dataset.rows();
    let lead = format!(
        "{DATA}: {} to learn from, {} to test on, {classes} classes, {} columns of which half are noise",
        messages::count(rows, "row"),
        messages::grouped(test.frame.rows()),
        prepared.schema.features.len(),
    );
    messages::tell(&lead);
    let contenders: Vec<Contender> =
        RUNS.iter().map(|text| Contender::parse(text)).collect::<Outcome<_>>()?;
    let mut trials: Vec<Trial> = Vec::new();
    for contender in &contenders {
        let setup = contender.setup(&[("rounds".to_string(), ROUNDS.to_string())])?;
        trials.push(trial::run(&contender.booster, &setup, &prepared, &test, args.seed, true)?);
    }
    let frame =
        PageHeading { title: "manyboost demo", lead: &lead, measure: "Test error", command: ("Next", NEXT) };
    write_atomic(Path::new(PAGE), trial::page(&frame, &contenders, &trials).as_bytes())?;
    if args.json {
        let results: Vec<_> = contenders.iter().zip(&trials).map(|(c, t)| trial::document(c, t)).collect();
        return print_json(&json!({"data": DATA, "rows": rows, "results": results, "page": PAGE}));
    }
    let indented: String = NEXT.lines().flat_map(|line| ["  ", line, "\n"]).collect();
    let table = trial::table(&contenders, &trials);
    print(&format!("\n{table}\nThe learning curves are in {PAGE}. Next:\n{indented}"))
}

/// Rows to learn from, and rows to test on.
fn data(seed: u64) -> Outcome<(Prepared, Applied)> {
    let table = generate::blobs::blobs(ROWS, &generate::blobs::BlobShape::default(), seed);
    let [kept, held] = table.split(TEST, seed)?;
    let prepared = prepare(kept, &PrepareOptions::default())?;
    let test = apply(held, &prepared.schema, &prepared.encoder)?;
    Ok((prepared, test))
}
