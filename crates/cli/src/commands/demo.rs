//! `manyboost demo`: what this is, in a table and two pages, without any file of the user's.

use std::path::Path;

use manyboost::files::write_atomic;
use manyboost::model::Model;
use manyboost_data::{Applied, Frame, PrepareOptions, Prepared, apply, generate, prepare};
use manyboost_report::command::again;
use manyboost_report::compare::PageHeading;
use serde_json::json;

use super::report::{self, Shown};
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
/// The page of the first of the boosters, which tells more of one model.
const MODEL_PAGE: &str = "demo-model.html";

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
    let Data { prepared, training, test } = data(args.seed)?;
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
    let mut first = None;
    for contender in &contenders {
        let setup = contender.setup(&[("rounds".to_string(), ROUNDS.to_string())])?;
        trials.push(trial::run(&contender.booster, &setup, &prepared, &test, args.seed, true)?);
        first.get_or_insert(setup);
    }
    let frame =
        PageHeading { title: "manyboost demo", lead: &lead, measure: "Test error", command: ("Next", NEXT) };
    write_atomic(Path::new(PAGE), trial::page(&frame, &contenders, &trials, &prepared, &test).as_bytes())?;
    if let Some((setup, trial)) = first.zip(trials.first()) {
        let Prepared { schema, encoder, .. } = &prepared;
        let outcome = trial.trained.clone();
        let model = Model::new(schema.clone(), encoder.clone(), &setup, args.seed, outcome);
        let shown = Shown {
            rows: &test,
            training: Some(&training),
            trained: Some(format!("{} of {DATA}", messages::count(rows, "row"))),
            measured: format!("{} that it was not trained on", messages::count(test.frame.rows(), "row")),
            command: again(&model, Path::new("demo.model")),
        };
        report::write(Path::new(MODEL_PAGE), &model, shown)?;
    }
    if args.json {
        let results: Vec<_> = contenders.iter().zip(&trials).map(|(c, t)| trial::document(c, t)).collect();
        return print_json(
            &json!({"data": DATA, "rows": rows, "results": results, "page": PAGE, "model_page": MODEL_PAGE}),
        );
    }
    let indented: String = NEXT.lines().flat_map(|line| ["  ", line, "\n"]).collect();
    let table = trial::table(&contenders, &trials);
    print(&format!(
        "\n{table}\nThe learning curves are in {PAGE}, and what the first of the models does is in {MODEL_PAGE}. Next:\n{indented}"
    ))
}

/// Rows to learn from (also as a model looks at them), and rows to test on.
struct Data {
    prepared: Prepared,
    training: Frame,
    test: Applied,
}

fn data(seed: u64) -> Outcome<Data> {
    let table = generate::blobs::blobs(ROWS, &generate::blobs::BlobShape::default(), seed);
    let [kept, held] = table.split(TEST, seed)?;
    let again = kept.clone();
    let prepared = prepare(kept, &PrepareOptions::default())?;
    let training = Frame::new(again, &prepared.encoder)?;
    let test = apply(held, &prepared.schema, &prepared.encoder)?;
    Ok(Data { prepared, training, test })
}
