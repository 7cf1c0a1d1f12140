//! `manyboost boosters`: what there is, with a line each; with a name: what it is, where it is from, its options.

use manyboost::spec::registry::{BOOSTERS, BoosterEntry, booster};
use serde_json::{Value, json};

use super::options_of::{listed, nothing_named, shown};
use super::{print, print_json};
use crate::args::ListArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

pub fn run(args: &ListArgs) -> Outcome {
    if let Some(name) = &args.name {
        let Some(entry) = booster(name) else {
            return Err(nothing_named("booster", name, BOOSTERS.iter().map(|entry| entry.name)));
        };
        return if args.json { print_json(&described(entry)) } else { print(&one(entry)) };
    }
    if args.json {
        return print_json(&Value::Array(BOOSTERS.iter().map(described).collect()));
    }
    let mut table = TextTable::new(&[
        ("booster", Align::Left),
        ("answers", Align::Left),
        ("what it is", Align::Left),
        ("from", Align::Left),
    ]);
    for entry in BOOSTERS {
        table.row([entry.name, answers(entry), entry.summary, entry.source].map(String::from));
    }
    print(&table.text())
}

fn answers(entry: &BoosterEntry) -> &'static str {
    if entry.sets { "classes, label sets" } else { "classes" }
}

/// All about one booster, for people.
fn one(entry: &BoosterEntry) -> String {
    format!(
        "{}: {}\nfrom {}; it learns {}\n\n{}",
        entry.name,
        entry.summary,
        entry.source,
        answers(entry),
        shown(&entry.options())
    )
}

/// All about one booster, for programs.
fn described(entry: &BoosterEntry) -> Value {
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "source": entry.source,
        "label_sets": entry.sets,
        "options": listed(&entry.options()),
    })
}
