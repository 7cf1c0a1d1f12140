//! `manyboost inspect`: what a model is made of.

use std::fmt::Write;
use std::path::Path;

use manyboost::engine::history::Told;
use manyboost::model::Model;
use manyboost::model::ensemble::parted;
use manyboost::model::text::TextBlock;
use manyboost_data::encode::{Codec, ColumnEncoder};
use manyboost_data::text::Grams;
use manyboost_data::{FeatureSpec, TargetSpec};
use manyboost_report::{command, describe, drawing};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::InspectArgs;
use crate::failure::Outcome;
use crate::messages;
use crate::output::{self, Output};
use crate::text_table::{Align, TextTable};
use crate::trace;

mod additive;
mod importance;
mod margins;

use importance::{Importance, Shown};

pub fn run(args: &InspectArgs) -> Outcome {
    let drawn = [("--svg", args.svg.as_deref()), ("--dot", args.dot.as_deref())];
    let data = args.data.as_deref().filter(|path| *path != "-").map(Path::new);
    output::distinct(&drawn, &[("the model", Some(&args.model)), ("the data", data)])?;
    drawn.iter().filter_map(|(_, path)| *path).try_for_each(output::check_packable)?;
    let model = Model::load(&args.model)?;
    draw(&model, args)?;
    let importances = importance::of(&model);
    let margins = args.data.as_deref().map(|data| margins::of(&model, data)).transpose()?;
    if args.json {
        let mut document = document(&model, &importances, args.trees);
        document["command"] = json!(command::again(&model, &args.model));
        if let Some(margins) = margins {
            document["margins"] = margins.document();
        }
        return print_json(&document);
    }
    let mut parts = vec![facts(&model), importance_table(&importances, args.top)];
    parts.extend(margins.map(|margins| margins.text()));
    parts.extend(additive::view(&model, &importances, args.top.min(3)));
    for (at, terms) in model.ensemble.rounds.iter().take(args.trees).enumerate() {
        let (found, shift) = parted(terms);
        for term in found {
            let tree = describe::text(&model, &term.hypothesis);
            parts.push(format!("round {}, step {}\n{tree}", at + 1, messages::short(term.alpha)));
        }
        if let Some(shift) = shift {
            parts.push(format!("round {}, all scores: {}\n", at + 1, messages::short(shift)));
        }
    }
    print(&parts.join("\n"))
}

/// Writes the first trees as pictures, where that is asked for.
fn draw(model: &Model, args: &InspectArgs) -> Outcome {
    let trees = args.trees.max(1);
    let save = |path: &Path, text: String| {
        let mut out = Output::new(Some(path))?;
        out.write(|out| out.write_all(text.as_bytes()))?;
        out.finish()
    };
    if let Some(path) = &args.svg {
        save(path, drawing::svg(model, trees)?)?;
    }
    if let Some(path) = &args.dot {
        save(path, drawing::dot(model, trees)?)?;
    }
    Ok(())
}

/// Columns of a kind, and the features (levels apart, words together) that they make.
fn kinds(model: &Model) -> Vec<(&'static str, usize)> {
    let count = |name: &str| model.schema.features.iter().filter(|f| f.kind.name() == name).count();
    let kinds = ["number", "category", "text", "time", "duration"].map(|name| (name, count(name)));
    kinds.into_iter().filter(|&(_, n)| n > 0).collect()
}

/// The parts of the calendar that are features of a column, if it is one of times.
fn parts(codec: &Codec) -> Vec<&'static str> {
    match codec {
        Codec::Time(codec) => codec.parts().iter().map(|part| part.name()).collect(),
        _ => Vec::new(),
    }
}

/// Columns of times with the parts that trees see beside the seconds.
fn times(model: &Model) -> Vec<String> {
    let shown = |column: &ColumnEncoder| {
        let parts = parts(&column.codec);
        (!parts.is_empty()).then(|| format!("{} ({})", messages::name(&column.name), parts.join(", ")))
    };
    model.encoder.column_encoders().iter().filter_map(shown).collect()
}

/// What the linear function of texts looks at: columns, what is counted in them, and how many of it.
fn texts(model: &Model) -> Vec<(&str, &'static str, usize)> {
    let blocks = model.ensemble.text.iter().flat_map(|text| &text.blocks);
    let columns = model.encoder.column_encoders();
    let told = |block: &TextBlock| {
        let kind = match block.vocabulary.kind() {
            Grams::Words { longest: 1, .. } => "words",
            Grams::Words { .. } => "words and runs of words",
            Grams::Letters { .. } => "runs of letters",
        };
        let column = columns.get(block.column as usize).map_or("", |column| column.name.as_str());
        (column, kind, block.vocabulary.grams().len())
    };
    blocks.map(told).collect()
}

fn facts(model: &Model) -> String {
    let mut table = TextTable::new(&[("", Align::Left), ("", Align::Left)]);
    let mut put = |name: &str, value: String| table.row([name.to_string(), value]);
    put("booster", model.booster.clone());
    for (at, some) in command::options(model).chunks(6).enumerate() {
        put(if at == 0 { "parameters" } else { "" }, some.join(" "));
    }
    put("seed", model.seed.to_string());
    put("trained by", format!("manyboost {}", model.version));
    let target = &model.schema.target;
    let names = (0..target.names().len()).filter_map(|class| target.label(class));
    let shown: Vec<String> = names.take(8).map(messages::name).collect();
    let more = if target.names().len() > shown.len() { ", …" } else { "" };
    let (count, shown) = (messages::grouped(target.names().len()), shown.join(", "));
    match target {
        TargetSpec::Classes { column, .. } => {
            put("target", format!("\"{}\"", messages::name(column)));
            put("classes", format!("{count}: {shown}{more}"));
        }
        TargetSpec::Sets { .. } => put("labels", format!("{count}: {shown}{more}")),
    }
    let kinds = kinds(model).into_iter().map(|(kind, n)| format!("{} {kind}", messages::grouped(n)));
    put("columns", kinds.collect::<Vec<_>>().join(", "));
    for (at, column) in times(model).into_iter().enumerate() {
        put(if at == 0 { "times" } else { "" }, column);
    }
    for (at, (column, kind, grams)) in texts(model).into_iter().enumerate() {
        let what = format!("{} {kind} of \"{}\"", messages::grouped(grams), messages::name(column));
        put(if at == 0 { "linear in" } else { "" }, what);
    }
    put("rounds", messages::grouped(model.ensemble.rounds.len()));
    let found = model.ensemble.rounds.iter().flat_map(|terms| parted(terms).0);
    let leaves: Vec<usize> = found.map(|term| term.hypothesis.answers.len()).collect();
    if let (Some(least), Some(most)) = (leaves.iter().min(), leaves.iter().max()) {
        put("leaves a tree", if least == most { least.to_string() } else { format!("{least} to {most}") });
    }
    put("stopped", messages::reason(model.stop, &model.booster));
    if let Some(Told { record: last, bound }) = model.told().last() {
        let mut figures = format!(
            "loss {}, train error {}",
            messages::figure(last.loss),
            messages::percent(last.train_error)
        );
        let bounds = [
            ("bound", bound.error),
            ("at the end at most", bound.at_end.filter(|_| bound.error.is_none())),
            ("bound on the ranking loss", bound.ranking_loss),
        ];
        for (name, bound) in bounds.into_iter().filter_map(|(name, bound)| Some((name, bound?))) {
            let _ = write!(figures, " ({name} {})", messages::percent(bound));
        }
        if let Some(error) = last.valid_error {
            let _ = write!(figures, ", valid error {}", messages::percent(error));
        }
        if let Some(error) = last.test_error {
            let _ = write!(figures, ", test error {}", messages::percent(error));
        }
        put("last round", figures);
    }
    if let Some(promise) = messages::promise(&model.history) {
        put("promise", promise);
    }
    table.text()
}

fn importance_table(importances: &[Importance], top: usize) -> String {
    let mut table =
        TextTable::new(&[("feature", Align::Left), ("effect", Align::Right), ("tests", Align::Right)]);
    for feature in importances.iter().take(top) {
        table.row([
            feature.shown(),
            format!("{:.1} %", 100.0 * feature.share),
            messages::grouped(feature.tests),
        ]);
    }
    if importances.is_empty() {
        return "  no feature is used\n".into();
    }
    let rest = importances.len().saturating_sub(top);
    let more = if rest > 0 { format!("  and {} more\n", messages::grouped(rest)) } else { String::new() };
    let what = "  effect: the share in all moves of the scores that tests decide (step × distance of their two sides)\n";
    format!("{}{more}{what}", table.text())
}

fn document(model: &Model, importances: &[Importance], trees: usize) -> Value {
    let target = &model.schema.target;
    let names: Vec<&str> = (0..target.names().len()).filter_map(|class| target.label(class)).collect();
    let column = |(spec, column): (&FeatureSpec, &ColumnEncoder)| {
        let mut value = json!({"name": spec.name, "kind": spec.kind.name()});
        if matches!(column.codec, Codec::Time(_)) {
            value["parts"] = json!(parts(&column.codec));
        }
        value
    };
    let columns = model.schema.features.iter().zip(model.encoder.column_encoders()).map(column);
    let importances = importances.iter().map(|i| {
        let mut value = json!({"feature": i.column});
        if let Some(word) = &i.word {
            value["word"] = json!(word);
        }
        value["effect"] = json!(i.share);
        value["tests"] = json!(i.tests);
        value
    });
    let linear = |(column, kind, grams): (&str, &str, usize)| json!({"column": column, "counted": kind, "number": grams});
    let width = model.ensemble.start.len();
    let shown = model.ensemble.rounds.iter().take(trees).flatten();
    let shown = shown.map(|term| trace::weighted(term, &model.encoder, width));
    let mut document = json!({
        "booster": model.booster,
        "parameters": model.parameters,
        "seed": model.seed,
        "version": model.version,
        "label_sets": matches!(target, TargetSpec::Sets { .. }),
        "classes": names,
        "columns": columns.collect::<Vec<_>>(),
        "rounds": model.ensemble.rounds.len(),
        "stopped": model.stop.name(),
        "last": model.told().last().map(|last| trace::figures(model.history.len(), last)),
        "start": model.ensemble.start,
        "importances": importances.collect::<Vec<_>>(),
        "trees": shown.collect::<Vec<_>>(),
    });
    if model.ensemble.text.is_some() {
        document["linear_in"] = texts(model).into_iter().map(linear).collect();
    }
    document
}
