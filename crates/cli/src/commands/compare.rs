//! `manyboost compare`: several boosters on the same rows, side by side.

use std::path::Path;

use manyboost::files::write_atomic;
use manyboost_data::{Applied, Prepared, Split, apply, prepare};
use manyboost_report::compare::PageHeading;
use serde_json::json;

use super::{print, print_json, report};
use crate::args::CompareArgs;
use crate::failure::{Failure, Outcome, wrong};
use crate::inputs::{self, Weight};
use crate::trial::{self, Contender, Trial};
use crate::{messages, output};

pub fn run(args: &CompareArgs) -> Outcome {
    let mut options = inputs::learning_options(&args.learn)?;
    let contenders: Vec<Contender> =
        args.boosters.iter().map(|text| Contender::parse(text)).collect::<Outcome<_>>()?;
    if contenders.is_empty() {
        return Err(wrong(
            "--boosters names none",
            "give names with commas between them, such as mcboost,samme",
        ));
    }
    let shared = args.learn.given.clone().pairs();
    let setups = contenders.iter().map(|c| c.setup(&shared)).collect::<Outcome<Vec<_>>>()?;
    options.values = setups.iter().any(|setup| setup.learner.needs_values());
    options.texts = setups.iter().any(manyboost::spec::registry::Setup::needs_texts);
    let fraction = inputs::fraction("--test", &args.test)?;
    let file = |path: &str| (path != "-").then(|| Path::new(path).to_path_buf());
    let (data, test) = (file(&args.data), if fraction.is_none() { file(&args.test) } else { None });
    output::distinct(
        &[("--report", Some(&args.report))],
        &[("the data", data.as_deref()), ("the test data", test.as_deref())],
    )?;
    output::check_plain(&args.report)?;
    let (prepared, test) = rows(args, fraction, &options)?;
    let lead = format!(
        "{}: {} to learn from, {} to test on, {}",
        args.data,
        messages::count(prepared.dataset.rows(), "row"),
        messages::grouped(test.frame.rows()),
        messages::count(
            prepared.schema.target.names().len(),
            if test.labels.is_sets() { "label" } else { "class" }
        ),
    );
    messages::tell(&lead);
    let mut trials = Vec::new();
    for (contender, setup) in contenders.iter().zip(&setups) {
        let trial = trial::run(&contender.booster, setup, &prepared, &test, args.learn.run.seed, true);
        let trial = trial.map_err(|failure| named(&contender.booster, failure))?;
        if let Some(warning) = trial.trained.ensemble.warning() {
            messages::warn(&format!("{}: {warning}", contender.booster));
        }
        trials.push(trial);
    }
    let command = report::command_line();
    let frame = PageHeading {
        title: "Boosters side by side",
        lead: &lead,
        measure: if test.labels.is_sets() { "Hamming loss" } else { "Test error" },
        command: ("Make it again", &command),
    };
    write_atomic(&args.report, trial::page(&frame, &contenders, &trials, &prepared, &test).as_bytes())?;
    finish(args, &contenders, &trials)
}

fn finish(args: &CompareArgs, contenders: &[Contender], trials: &[Trial]) -> Outcome {
    if args.json {
        let results: Vec<_> = contenders.iter().zip(trials).map(|(c, t)| trial::document(c, t)).collect();
        return print_json(&json!({
            "data": args.data,
            "test": args.test,
            "results": results,
            "report": args.report,
            "warnings": messages::warnings(),
        }));
    }
    print(&format!(
        "{}\nThe learning curves are in {}.\n",
        trial::table(contenders, trials),
        args.report.display()
    ))
}

/// Rows to learn from and rows to measure on.
fn rows(
    args: &CompareArgs,
    fraction: Option<f64>,
    options: &manyboost_data::PrepareOptions,
) -> Outcome<(Prepared, Applied)> {
    let table = inputs::training(&args.data, &args.learn.columns.plan())?;
    let (table, held) = inputs::hold_out(table, fraction, Split::Drawn, args.learn.run.seed)?;
    let prepared = prepare(table, options)?;
    messages::remarks(&prepared.remarks);
    let Prepared { schema, encoder, .. } = &prepared;
    let test = if let Some(table) = held {
        apply(table, schema, encoder)?
    } else {
        let weight = Weight::Maybe(args.learn.columns.weight.clone());
        inputs::answered(&args.test, schema, encoder, args.learn.columns.target.clone(), weight)?
    };
    Ok((prepared, test))
}

/// An error with the booster in which it is.
fn named(booster: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Error(error) if !error.what().contains(booster) => {
            let what = format!("{booster}: {}", error.what());
            Failure::Error(manyboost_data::Error::new(error.kind(), what, error.remedy()))
        }
        other => other,
    }
}
