//! `manyboost losses`: what there is, with a line each.

use manyboost::losses::Loss;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::ListArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

pub fn run(args: &ListArgs) -> Outcome {
    if args.json {
        let entries = Loss::NAMES.iter().map(|(name, loss)| json!({"name": name, "summary": loss.summary()}));
        return print_json(&Value::Array(entries.collect()));
    }
    let mut table = TextTable::new(&[("loss", Align::Left), ("what it is", Align::Left)]);
    for (name, loss) in Loss::NAMES {
        table.row([*name, loss.summary()].map(String::from));
    }
    print(&table.text())
}
