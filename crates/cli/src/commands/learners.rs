//! `manyboost learners`: what there is, with a line each.

use manyboost::spec::registry::LEARNERS;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::ListArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

pub fn run(args: &ListArgs) -> Outcome {
    if args.json {
        let entries = LEARNERS.iter().map(|e| json!({"name": e.name, "summary": e.summary}));
        return print_json(&Value::Array(entries.collect()));
    }
    let mut table = TextTable::new(&[("learner", Align::Left), ("what it is", Align::Left)]);
    for entry in LEARNERS {
        table.row([entry.name, entry.summary].map(String::from));
    }
    print(&table.text())
}
