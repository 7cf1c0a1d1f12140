//! What makes a model again, as it can be given to a shell: every option with the value that counted.
//!
//! Values are from a model file, whoever made it: they are quoted, so that none of them is more than a word of the command.

use std::path::Path;

use manyboost::model::Model;
use manyboost_data::wording::{option, quoted};
use manyboost_data::{Clock, Kind, TargetSpec};

/// Columns of a kind that are named in a command at most.
const NAMED: usize = 100;

/// Options whose value may be a matrix that was read from a file. A model remembers the numbers, which are too long to show.
const FILES: [&str; 3] = ["code", "codewords", "costs"];

/// The options of a model as they are written on a command line, one after the other.
pub fn options(model: &Model) -> Vec<String> {
    let has = |name: &str| model.parameters.contains_key(name);
    let mut shown = Vec::new();
    for (name, value) in &model.parameters {
        // Trees that grow best cut first are as deep as they like, which goes without saying: as an option of its own this depth would
        // ask for all cuts level by level, and be refused.
        if name == "depth" && has("leaves") && value == "64" {
            continue;
        }
        let matrix = FILES.contains(&name.as_str()) && !value.starts_with(|c: char| c.is_ascii_lowercase());
        let matrix = matrix || name == "costs";
        shown.push(if matrix { option(name, "FILE") } else { option(name, value) });
    }
    if has("patience") && !has("valid") {
        shown.push(option("valid", "FILE"));
    }
    shown
}

/// The command that trains a model again. DATA stands for the rows, FILE for others and for matrices.
pub fn again(model: &Model, out: &Path) -> String {
    let mut words = vec!["manyboost train DATA --out".to_string(), quoted(out)];
    words.push(match &model.schema.target {
        TargetSpec::Classes { column, .. } => option("target", column),
        TargetSpec::Sets { prefix, .. } => option("labels", prefix),
    });
    for (kind, name) in [(Kind::Category, "categorical"), (Kind::Text, "text")] {
        let columns = model.schema.features.iter().filter(|feature| feature.kind == kind);
        let columns: Vec<&str> = columns.map(|feature| feature.name.as_str()).collect();
        // Columns are parted by commas.
        if (1..=NAMED).contains(&columns.len()) && !columns.iter().any(|column| column.contains(',')) {
            words.push(option(name, &columns.join(",")));
        }
    }
    let orders = [(Clock::DayFirst, "day-first"), (Clock::MonthFirst, "month-first")];
    let has = |order| model.schema.features.iter().any(|feature| feature.kind == Kind::Time(order));
    let said: Vec<&str> = orders.iter().filter(|(order, _)| has(*order)).map(|(_, word)| *word).collect();
    // Columns of both orders say it themselves.
    if let [order] = said[..] {
        words.push(option("dates", order));
    }
    words.push(option("booster", &model.booster));
    words.extend(options(model));
    words.push(option("seed", &model.seed.to_string()));
    words.join(" ")
}
