//! `manyboost similar`: for each row those of another file that the model treats most like it.

use manyboost::engine::scores::argmax;
use manyboost::explain::similar::{Similar, similar};
use manyboost::model::Model;
use manyboost_data::{Frame, TargetSpec};
use serde_json::{Value, json};

use super::explain::selection::Selection;
use super::{print, print_json};
use crate::args::SimilarArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, number};
use crate::messages;
use crate::progress::Spinner;
use crate::text_table::{Align, TextTable};

/// Rows that are looked at if nothing is said.
const SHOWN_ROWS: usize = 3;

pub fn run(args: &SimilarArgs) -> Outcome {
    let top = number("--top", &args.top, |n| *n >= 1, "a whole number of at least 1")?;
    let selection = args.rows.as_deref().map(str::parse::<Selection>).transpose()?;
    if args.data == "-" && args.among == "-" {
        return Err(wrong("-: stdin is read once", "give a file for one of DATA and --among"));
    }
    let model = Model::load(&args.model)?;
    let frame = Frame::new(inputs::unanswered(&args.data, &model.schema)?, &model.encoder)?;
    let among = Frame::new(inputs::unanswered(&args.among, &model.schema)?, &model.encoder)?;
    if let Some(selection) = &selection {
        selection.check(frame.rows())?;
    } else if frame.rows() > SHOWN_ROWS {
        messages::note(&format!("the first {SHOWN_ROWS} rows are looked at; --rows names others"));
    }
    let rows = selection.unwrap_or_else(|| Selection::first(SHOWN_ROWS)).within(0, frame.rows());
    let spinner = Spinner::new("comparing leaves");
    let wanted = frame.select(&rows.iter().map(|&row| row as u32).collect::<Vec<_>>());
    let found = similar(&model.apply_frame(&wanted), &model.apply_frame(&among), top)?;
    let scores = [&wanted, &among].map(|frame| model.predictor().scores(frame));
    drop(spinner);
    let sets = matches!(model.schema.target, TargetSpec::Sets { .. });
    // What is answered to rows of either file, unless answers are sets.
    let of = |which: usize, row: usize| {
        let class = argmax(scores[which].row(row));
        (!sets).then(|| model.schema.target.label(class).unwrap_or_default())
    };
    if args.json {
        let alike =
            |found: &Similar| json!({"row": found.row + 1, "share": found.share, "answer": of(1, found.row)});
        let each = |(at, (row, found)): (usize, (&usize, &Vec<Similar>))| json!({"row": row + 1, "answer": of(0, at), "similar": found.iter().map(alike).collect::<Vec<_>>()});
        return print_json(&Value::Array(rows.iter().zip(&found).enumerate().map(each).collect()));
    }
    let mut parts = Vec::new();
    for (at, (row, found)) in rows.iter().zip(&found).enumerate() {
        let answer = |class: Option<&str>| class.map(messages::name).unwrap_or_default();
        let mut table =
            TextTable::new(&[("row", Align::Right), ("leaves", Align::Right), ("answer", Align::Left)]);
        for Similar { row, share } in found {
            table.row([messages::grouped(row + 1), messages::percent(*share), answer(of(1, *row))]);
        }
        let own = of(0, at).map(|class| format!(": {}", messages::name(class))).unwrap_or_default();
        parts.push(format!("Row {}{own}\n{}", row + 1, table.text()));
    }
    print(&parts.join("\n"))
}
