//! `manyboost evaluate`: how good a model is on rows with answers.

use std::borrow::Cow;

use manyboost::engine::scores::Scores;
use manyboost::evaluate::bootstrap::error_deviation;
use manyboost::evaluate::counts::{Counts, ratio};
use manyboost::evaluate::metrics::{Quality, quality};
use manyboost::model::Model;
use manyboost_data::{Applied, Result};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::EvaluateArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, Weight, number};
use crate::looked::Looked;
use crate::messages;
use crate::text_table::{Align, TextTable};

/// Most classes of a confusion matrix that is shown whole.
const SHOWN: usize = 15;
/// Most classes of a confusion matrix in JSON.
const LISTED: usize = 500;
/// Confusions that are shown instead of a matrix.
const PAIRS: usize = 20;

pub fn run(args: EvaluateArgs) -> Outcome {
    let model = Model::load(&args.model)?;
    let weight = args.weight.map_or(Weight::None, Weight::Column);
    let Looked { rows, raw, seen } = Looked::at(&args.data, &model, args.target, weight)?;
    let scores = model.ensemble.reading.scores(Cow::Owned(raw)).into_owned();
    let quality = quality(&scores, model.ensemble.reading.link, &rows.labels, &rows.weights);
    let counts = Counts::new(&model.schema.target, &rows, &scores);
    let costs = args.costs.map(|path| costs(&path, &model, &rows, &scores)).transpose()?;
    let deviation = args.bootstrap.map(|draws| deviation(&draws, &rows, &scores)).transpose()?;
    if args.json {
        let mut document = document(&model, &rows, &quality, &counts, costs);
        document["trained_on"] = json!(seen);
        if let Some(deviation) = deviation {
            document["error_deviation"] = json!(deviation);
        }
        print_json(&document)
    } else {
        let said = deviation.map(|deviation| {
            format!(
                "  the error is uncertain by {} (one standard deviation over rows drawn again)\n",
                messages::percent(deviation)
            )
        });
        print(&(text(&rows, &quality, &counts, costs) + &said.unwrap_or_default()))
    }
}

/// The standard deviation of the error over rows drawn again.
fn deviation(draws: &str, rows: &Applied, scores: &Scores) -> Outcome<f64> {
    let fine = |draws: &usize| (2..=100_000).contains(draws);
    let draws = number("--bootstrap", draws, fine, "a whole number from 2 to 100,000")?;
    error_deviation(scores, &rows.labels, &rows.weights, draws, 1).ok_or_else(|| {
        wrong("--bootstrap is for rows of one class each, and two of them at least", "leave it out")
    })
}

/// The mean costs of the answers, and of those that probabilities make cheapest.
fn costs(path: &str, model: &Model, rows: &Applied, scores: &Scores) -> Result<[f64; 2]> {
    let matrix = inputs::costs(path, &model.schema.target)?;
    Ok(matrix.mean(scores, model.ensemble.reading.link, &rows.labels, &rows.weights))
}

fn document(
    model: &Model,
    rows: &Applied,
    quality: &Quality,
    counts: &Counts,
    costs: Option<[f64; 2]>,
) -> Value {
    let mut document = serde_json::Map::new();
    let mut put = |name: &str, value: Value| document.insert(name.into(), value);
    if counts.sets {
        put("hamming", json!(quality.error));
        put("one_error", json!(quality.one_error));
        put("ranking_loss", json!(quality.ranking_loss));
        put("average_precision", json!(quality.average_precision));
    } else {
        put("error", json!(quality.error));
    }
    put("log_loss", json!(quality.log_loss));
    if let Some([answers, cheapest]) = costs {
        put("cost", json!(answers));
        put("cost_of_cheapest", json!(cheapest));
    }
    put("rows", json!(rows.frame.rows()));
    put("classes", json!(counts.names.len()));
    put("class_names", json!(counts.names));
    let each = counts.names.iter().zip(&counts.labels).map(|(name, &[both, has, named])| {
        json!({"class": name, "precision": ratio(both, named), "recall": ratio(both, has), "support": has})
    });
    put("per_class", each.collect());
    if !counts.sets {
        put("unknown", json!(counts.unknown()));
        if counts.names.len() <= LISTED {
            put("confusion", json!(counts.matrix[..counts.names.len()]));
        }
    }
    put("booster", json!(model.booster));
    put("rounds", json!(model.ensemble.rounds.len()));
    Value::Object(document)
}

fn text(rows: &Applied, quality: &Quality, counts: &Counts, costs: Option<[f64; 2]>) -> String {
    let mut figures = TextTable::new(&[("", Align::Left), ("", Align::Right)]);
    let mut put = |name: &str, value: String| figures.row([name.to_string(), value]);
    if let (Some(one_error), Some(ranking)) = (quality.one_error, quality.ranking_loss) {
        put("Hamming loss", messages::percent(quality.error));
        put("one-error", messages::percent(one_error));
        put("ranking loss", messages::percent(ranking));
        put("average precision", messages::percent(quality.average_precision.unwrap_or(0.0)));
    } else {
        put("error", messages::percent(quality.error));
    }
    put("log loss", messages::figure(quality.log_loss));
    if let Some([answers, cheapest]) = costs {
        put("cost of the answers", messages::figure(answers));
        put("cost of the cheapest by probability", messages::figure(cheapest));
    }
    put("rows", messages::grouped(rows.frame.rows()));
    put(if counts.sets { "labels" } else { "classes" }, messages::grouped(counts.names.len()));
    let mut parts = vec![figures.text(), per_class(counts, !rows.weights.uniform())];
    if !counts.sets {
        parts.push(confusion(counts));
    }
    parts.join(
        "
",
    )
}

fn per_class(counts: &Counts, weighted: bool) -> String {
    let share = |part, whole| ratio(part, whole).map_or("–".into(), |x| format!("{x:.3}"));
    let support = if weighted { "support (weight)" } else { "support" };
    let mut table = TextTable::new(&[
        (if counts.sets { "label" } else { "class" }, Align::Left),
        ("precision", Align::Right),
        ("recall", Align::Right),
        (support, Align::Right),
    ]);
    for (name, &[both, has, named]) in counts.names.iter().zip(&counts.labels) {
        table.row([messages::name(name), share(both, named), share(both, has), messages::weight(has)]);
    }
    if counts.unknown() > 0.0 {
        table.row(["(unknown)".into(), "–".into(), "–".into(), messages::weight(counts.unknown())]);
    }
    table.text()
}

fn confusion(counts: &Counts) -> String {
    let k = counts.names.len();
    if k > SHOWN {
        return worst(counts);
    }
    let names: Vec<String> = counts.names.iter().map(|name| messages::name(name)).collect();
    let mut columns = vec![("is \\ named", Align::Left)];
    columns.extend(names.iter().map(|name| (name.as_str(), Align::Right)));
    let mut table = TextTable::new(&columns);
    for (class, row) in counts.matrix.iter().enumerate() {
        if class < k || counts.unknown() > 0.0 {
            let name = names.get(class).cloned().unwrap_or("(unknown)".into());
            table.row(std::iter::once(name).chain(row.iter().map(|&x| messages::weight(x))));
        }
    }
    table.text()
}

/// The most frequent confusions.
fn worst(counts: &Counts) -> String {
    let pairs = counts.confusions();
    let mut table = TextTable::new(&[("is", Align::Left), ("named", Align::Left), ("rows", Align::Right)]);
    for &(x, is, named) in pairs.iter().take(PAIRS) {
        table.row([
            messages::name(&counts.names[is]),
            messages::name(&counts.names[named]),
            messages::weight(x),
        ]);
    }
    let (k, shown) = (messages::grouped(counts.names.len()), PAIRS.min(pairs.len()));
    format!(
        "  {k} classes are too many for a matrix; the {shown} most frequent confusions (all: --json):\n{}",
        table.text()
    )
}
