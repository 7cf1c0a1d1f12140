//! `manyboost learners`: what there is, with a line each; with a name: what it is, its options, who works with it.

use manyboost::spec::registry::{LEARNERS, LearnerEntry};
use serde_json::{Value, json};

use super::options_of::{listed, nothing_named, shown};
use super::{print, print_json};
use crate::args::ListArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

pub fn run(args: &ListArgs) -> Outcome {
    if let Some(name) = &args.name {
        let Some(entry) = LEARNERS.iter().find(|entry| entry.name == name) else {
            return Err(nothing_named("learner", name, LEARNERS.iter().map(|entry| entry.name)));
        };
        return if args.json { print_json(&described(entry)) } else { print(&one(entry)) };
    }
    if args.json {
        return print_json(&Value::Array(LEARNERS.iter().map(described).collect()));
    }
    let mut table = TextTable::new(&[("learner", Align::Left), ("what it is", Align::Left)]);
    for entry in LEARNERS {
        table.row([entry.name, entry.summary].map(String::from));
    }
    print(&table.text())
}

/// All about one learner, for people.
fn one(entry: &LearnerEntry) -> String {
    let boosters = entry.boosters().join(", ");
    format!("{}: {}\nwith the boosters {boosters}\n\n{}", entry.name, entry.summary, shown(&entry.options()))
}

/// All about one learner, for programs.
fn described(entry: &LearnerEntry) -> Value {
    json!({
        "name": entry.name,
        "summary": entry.summary,
        "boosters": entry.boosters(),
        "options": listed(&entry.options()),
    })
}
