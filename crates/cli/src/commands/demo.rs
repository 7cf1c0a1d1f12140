//! `polyboost demo`: what this is, in a table and a page, without any file of the user's.

use std::path::Path;
use std::time::Instant;

use polyboost::metrics::{Quality, quality};
use polyboost::options::Options;
use polyboost::predict::Predictor;
use polyboost::registry::Setup;
use polyboost::train::{Outcome as Trained, Watched, train};
use polyboost::write::write_beside;
use polyboost_data::{Applied, PrepareOptions, Prepared, apply, generate, prepare, split};
use polyboost_report::{Chart, Line, Page, Table};
use serde_json::json;

use super::{print, print_json};
use crate::args::DemoArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};
use crate::{interrupt, say};

const DATA: &str = "blobs";
const ROWS: usize = 6000;
const TEST: f64 = 1.0 / 3.0;
const ROUNDS: &str = "150";
const PAGE: &str = "demo.html";

/// Booster and options of each run.
const RUNS: [(&str, &[(&str, &str)]); 3] = [
    ("mcboost", &[]),
    ("mm", &[("learner", "tree"), ("leaves", "32")]),
    ("samme", &[("learner", "tree"), ("leaves", "32")]),
];

const NEXT: &str = "\
polyboost generate blobs --rows 5000 --out blobs.csv
polyboost train blobs.csv --out model.pb --valid 0.2 --patience 20
polyboost evaluate model.pb blobs.csv
polyboost inspect model.pb
polyboost boosters";

/// What a booster came to.
struct Result {
    booster: &'static str,
    options: String,
    trained: Trained,
    quality: Quality,
    seconds: f64,
}

pub fn run(args: &DemoArgs) -> Outcome {
    let (prepared, test) = data(args.seed)?;
    let classes = prepared.schema.target.names().len();
    let rows = prepared.dataset.rows();
    let lead = format!(
        "{DATA}: {} to learn from, {} to test on, {classes} classes, {} columns of which half are noise",
        say::count(rows, "row"),
        say::grouped(test.frame.rows()),
        prepared.schema.features.len(),
    );
    say::tell(&lead);
    let mut results = Vec::new();
    for (booster, options) in RUNS {
        say::tell(&format!("  training {booster} …"));
        results.push(one(booster, options, &prepared, &test, args.seed)?);
    }
    write_beside(Path::new(PAGE), page(&lead, &results).as_bytes())?;
    if args.json {
        let entries = results.iter().map(|r| {
            json!({
                "booster": r.booster,
                "error": r.quality.error,
                "log_loss": r.quality.log_loss,
                "rounds": r.trained.history.len(),
                "seconds": r.seconds,
            })
        });
        return print_json(
            &json!({"data": DATA, "rows": rows, "results": entries.collect::<Vec<_>>(), "page": PAGE}),
        );
    }
    let indented: String = NEXT.lines().flat_map(|line| ["  ", line, "\n"]).collect();
    print(&format!("\n{}\nThe learning curves are in {PAGE}. Next:\n{indented}", table(&results)))
}

/// Rows to learn from, and rows to test on.
fn data(seed: u64) -> Outcome<(Prepared, Applied)> {
    let table = generate::blobs::blobs(ROWS, &generate::blobs::Shape::default(), seed);
    let (kept, held) = split(table.rows, TEST, seed)?;
    let prepared = prepare(table.select(&kept), &PrepareOptions::default())?;
    let test = apply(table.select(&held), &prepared.schema, &prepared.encoder)?;
    Ok((prepared, test))
}

fn one(
    booster: &'static str,
    options: &[(&str, &str)],
    prepared: &Prepared,
    test: &Applied,
    seed: u64,
) -> Outcome<Result> {
    let given =
        options.iter().chain(&[("rounds", ROUNDS)]).map(|(n, v)| ((*n).to_string(), (*v).to_string()));
    let setup = Setup::new(booster, Options::new(given))?.for_data(&prepared.dataset)?;
    let watched = Watched { valid: None, test: Some(test) };
    let began = Instant::now();
    let trained = train(
        &setup.plan(seed, None),
        &prepared.dataset,
        &prepared.encoder,
        watched,
        None,
        &interrupt::ASKED,
        &mut (),
    )?;
    let seconds = began.elapsed().as_secs_f64();
    let scores = Predictor::new(&trained.ensemble, usize::MAX).scores(&test.frame);
    let quality = quality(&scores, trained.ensemble.reading.link, &test.labels, &test.weights);
    let options = options.iter().map(|(name, value)| format!("--{name} {value}"));
    Ok(Result { booster, options: options.collect::<Vec<_>>().join(" "), trained, quality, seconds })
}

fn cells(result: &Result) -> [String; 4] {
    [
        say::percent(result.quality.error),
        say::figure(result.quality.log_loss),
        result.trained.history.len().to_string(),
        format!("{:.2}", result.seconds),
    ]
}

fn table(results: &[Result]) -> String {
    let mut table = TextTable::new(&[
        ("booster", Align::Left),
        ("test error", Align::Right),
        ("log loss", Align::Right),
        ("rounds", Align::Right),
        ("seconds", Align::Right),
    ]);
    for result in results {
        table.row(std::iter::once(result.booster.to_string()).chain(cells(result)));
    }
    table.text()
}

fn page(lead: &str, results: &[Result]) -> String {
    let least = |of: fn(&Result) -> f64| results.iter().map(of).fold(f64::INFINITY, f64::min);
    let (error, log_loss) = (least(|r| r.quality.error), least(|r| r.quality.log_loss));
    let mut table = Table::new(2, &["Booster", "Options", "Test error", "Log loss", "Rounds", "Seconds"]);
    for result in results {
        let [shown_error, shown_loss, rounds, seconds] = cells(result);
        table.row([
            (result.booster.to_string(), false),
            (if result.options.is_empty() { "defaults".into() } else { result.options.clone() }, false),
            (shown_error, result.quality.error == error),
            (shown_loss, result.quality.log_loss == log_loss),
            (rounds, false),
            (seconds, false),
        ]);
    }
    let lines = results.iter().map(|result| Line {
        name: result.booster.to_string(),
        values: result.trained.history.iter().filter_map(|record| record.test_error).collect(),
    });
    let chart =
        Chart { across: "round".into(), up: "test error".into(), percent: true, lines: lines.collect() };
    Page::new("polyboost demo", lead)
        .section(
            "Learning curves",
            "Share of test rows with the wrong class, after each round.",
            &chart.svg(),
        )
        .section("Boosters", "Lower is better; the best figures are bold.", &table.html())
        .text("Next", NEXT)
        .html(concat!("polyboost ", env!("CARGO_PKG_VERSION")))
}
