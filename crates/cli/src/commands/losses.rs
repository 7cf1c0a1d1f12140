//! `manyboost losses`: what there is, with a line each.

use manyboost::losses::Loss;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::LossesArgs;
use crate::failure::Outcome;
use crate::text_table::{Align, TextTable};

pub fn run(args: &LossesArgs) -> Outcome {
    if args.json {
        let entries =
            Loss::OPTION.words().iter().map(|(name, _, summary)| json!({"name": name, "summary": summary}));
        return print_json(&Value::Array(entries.collect()));
    }
    let mut table = TextTable::new(&[("loss", Align::Left), ("what it is", Align::Left)]);
    for (name, _, summary) in Loss::OPTION.words() {
        table.row([*name, summary].map(String::from));
    }
    print(&table.text())
}
