//! `manyboost cv`: how good a booster is on rows that it has not seen, by turns.

use manyboost::spec::registry::Setup;
use manyboost_data::{Line, PrepareOptions, Table, apply, prepare};
use serde_json::{Map, Value, json};

use super::{print, print_json};
use crate::args::CvArgs;
use crate::failure::Outcome;
use crate::inputs::{self, number};
use crate::messages;
use crate::text_table::{Align, TextTable};
use crate::trial::{self, Trial};

pub fn run(args: &CvArgs) -> Outcome {
    let count = |option: &str, text: &str, least: usize| {
        number(option, text, |n| (least..=1000).contains(n), &format!("a whole number from {least} to 1,000"))
    };
    let (parts, repeats) = (count("--folds", &args.folds, 2)?, count("--repeats", &args.repeats, 1)?);
    let setup = Setup::new(&args.booster, args.learn.given.clone().options())?;
    let mut options = inputs::learning_options(&args.learn)?;
    options.values = setup.learner.needs_values();
    options.texts = setup.needs_texts();
    let table = inputs::training(&args.data, &args.learn.columns.plan())?;
    let mut trials = Vec::new();
    for repeat in 0..repeats {
        let seed = args.learn.run.seed.wrapping_add(repeat as u64);
        let line = Line::of(&table, true, seed)?;
        line.check_folds(parts)?;
        for fold in 0..parts {
            let what = format!("fold {}/{}", repeat * parts + fold + 1, repeats * parts);
            let rows = line.fold(parts, fold).map(|part| table.part(&part));
            let trial = one(&what, &setup, rows, &options, seed)?;
            if trials.is_empty() {
                messages::remarks(&trial.remarks);
            }
            trials.push((repeat, fold, trial));
        }
    }
    warn(&trials);
    if args.json { print_json(&document(args, &trials)) } else { print(&text(args, &trials)) }
}

/// Trains on all parts but one, and measures on that one. Bins, categories and words are found without it too.
fn one(
    what: &str,
    setup: &Setup,
    [others, held]: [Table; 2],
    options: &PrepareOptions,
    seed: u64,
) -> Outcome<Trial> {
    let prepared = prepare(others, options)?;
    let held = apply(held, &prepared.schema, &prepared.encoder)?;
    trial::run(what, setup, &prepared, &held, seed, false)
}

/// Tells of folds in which nothing was learnt.
fn warn(trials: &[(usize, usize, Trial)]) {
    let warnings: Vec<&str> =
        trials.iter().filter_map(|(_, _, trial)| trial.trained.ensemble.warning()).collect();
    if let Some(warning) = warnings.first() {
        messages::warn(&format!(
            "in {} of {}: {}",
            warnings.len(),
            messages::count(trials.len(), "fold"),
            messages::parameters(warning)
        ));
    }
}

/// A figure's key and name, its mean and standard deviation (of single folds).
type Summary = (&'static str, &'static str, f64, f64);

/// What each figure comes to over all folds.
fn summary(trials: &[(usize, usize, Trial)]) -> Vec<Summary> {
    let n = trials.len() as f64;
    let names = trials.first().map_or(Vec::new(), |(_, _, trial)| trial::figures(&trial.quality));
    let each = names.iter().enumerate().map(|(at, &(key, name, _))| {
        let values: Vec<f64> =
            trials.iter().map(|(_, _, trial)| trial::figures(&trial.quality)[at].2).collect();
        let mean = values.iter().sum::<f64>() / n;
        let spread = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0).max(1.0);
        (key, name, mean, spread.sqrt())
    });
    each.collect()
}

fn document(args: &CvArgs, trials: &[(usize, usize, Trial)]) -> Value {
    let mut document = Map::new();
    document.insert("booster".into(), json!(args.booster));
    for (key, _, mean, deviation) in summary(trials) {
        document.insert(key.into(), json!({"mean": mean, "sd": deviation}));
    }
    let fold = |(repeat, fold, trial): &(usize, usize, Trial)| {
        let mut own = Map::new();
        own.insert("repeat".into(), json!(repeat + 1));
        own.insert("fold".into(), json!(fold + 1));
        own.extend(
            trial::figures(&trial.quality).into_iter().map(|(key, _, value)| (key.to_string(), json!(value))),
        );
        own.insert("rounds".into(), json!(trial.trained.history.len()));
        own.insert("seconds".into(), json!(trial.seconds));
        Value::Object(own)
    };
    document.insert("folds".into(), trials.iter().map(fold).collect());
    document.insert("warnings".into(), json!(messages::warnings()));
    Value::Object(document)
}

fn text(args: &CvArgs, trials: &[(usize, usize, Trial)]) -> String {
    let summary = summary(trials);
    let mut columns = vec![("fold", Align::Left)];
    columns.extend(summary.iter().map(|&(_, name, ..)| (name, Align::Right)));
    columns.extend([("rounds", Align::Right), ("seconds", Align::Right)]);
    let mut table = TextTable::new(&columns);
    for (repeat, fold, trial) in trials {
        let mut row = vec![if *repeat == 0 {
            (fold + 1).to_string()
        } else {
            format!("{}, time {}", fold + 1, repeat + 1)
        }];
        row.extend(
            trial::figures(&trial.quality).into_iter().map(|(key, _, value)| trial::shown(key, value)),
        );
        row.extend([trial.trained.history.len().to_string(), format!("{:.2}", trial.seconds)]);
        table.row(row);
    }
    let line = |name: &str, of: fn(&Summary) -> f64| {
        let cells: Vec<String> = summary.iter().map(|figure| trial::shown(figure.0, of(figure))).collect();
        [vec![name.to_string()], cells, vec![String::new(), String::new()]].concat()
    };
    table.row(line("mean", |figure| figure.2));
    table.row(line("sd", |figure| figure.3));
    format!("  {} on {}, by turns\n\n{}", args.booster, messages::name(&args.data), table.text())
}
