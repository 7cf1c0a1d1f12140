//! `manyboost boosters`: what there is, with a line each.

use manyboost::spec::registry::BOOSTERS;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::ListArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

pub fn run(args: &ListArgs) -> Outcome {
    if args.json {
        let entries = BOOSTERS
            .iter()
            .map(|e| json!({"name": e.name, "summary": e.summary, "source": e.source, "label_sets": e.sets}));
        return print_json(&Value::Array(entries.collect()));
    }
    let mut table = TextTable::new(&[
        ("booster", Align::Left),
        ("answers", Align::Left),
        ("what it is", Align::Left),
        ("from", Align::Left),
    ]);
    for entry in BOOSTERS {
        let answers = if entry.sets { "classes, label sets" } else { "classes" };
        table.row([entry.name, answers, entry.summary, entry.source].map(String::from));
    }
    print(&table.text())
}
