//! `manyboost why-not`: the smallest changes of rows after which the answer is another one.

use std::time::Duration;

use manyboost::explain::why_not::{Change, Found, Sought, WhyNot};
use manyboost::model::Model;
use manyboost_data::Frame;
use manyboost_data::encode::Codec;
use serde_json::{Value, json};

use super::explain::selection::Selection;
use super::{print, print_json};
use crate::args::WhyNotArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, number};
use crate::messages;
use crate::progress::Spinner;
use crate::text_table::{Align, TextTable};

/// Rows that are looked at if nothing is said.
const SHOWN_ROWS: usize = 3;

pub fn run(args: &WhyNotArgs) -> Outcome {
    let is_time = |seconds: &f64| *seconds > 0.0 && *seconds <= 86_400.0;
    let seconds: f64 = number("--seconds", &args.seconds, is_time, "a number above 0, up to 86,400")?;
    let selection = args.rows.as_deref().map(str::parse::<Selection>).transpose()?;
    let model = Model::load(&args.model)?;
    let class = args.class.as_deref().map(|name| class_of(&model, name)).transpose()?;
    let why_not = WhyNot::new(&model, &args.fixed)?;
    let frame = Frame::new(inputs::unanswered(&args.data, &model.schema)?, &model.encoder)?;
    if let Some(selection) = &selection {
        selection.check(frame.rows())?;
    } else if frame.rows() > SHOWN_ROWS {
        messages::note(&format!("the first {SHOWN_ROWS} rows are looked at; --rows names others"));
    }
    let rows = selection.unwrap_or_else(|| Selection::first(SHOWN_ROWS)).within(0, frame.rows());
    let spinner = Spinner::new("searching");
    let answers = model.predictor().scores(&frame);
    let limit = Duration::from_secs_f64(seconds);
    let each = |&row: &usize| {
        let now = answer(answers.row(row));
        Answered { model: &model, row, now, class, sought: why_not.find(&frame, row, class, limit) }
    };
    let answered: Vec<Answered<'_>> = rows.iter().map(each).collect();
    drop(spinner);
    if args.json {
        return print_json(&Value::Array(answered.iter().map(Answered::document).collect()));
    }
    print(&answered.iter().map(Answered::text).collect::<Vec<_>>().join("\n"))
}

/// The number of a class.
fn class_of(model: &Model, name: &str) -> Outcome<usize> {
    let names = model.schema.target.names();
    names.iter().position(|class| class == name).ok_or_else(|| {
        let some: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
        let more = if names.len() > 8 { ", …" } else { "" };
        wrong(
            format!("--class: the model has no class {name:?}"),
            format!("give one of its classes: {}{more}", some.join(", ")),
        )
    })
}

/// The first of the highest scores.
fn answer(scores: &[f64]) -> usize {
    (1..scores.len()).fold(0, |best, class| if scores[class] > scores[best] { class } else { best })
}

/// What is told of a row.
struct Answered<'a> {
    model: &'a Model,
    row: usize,
    now: usize,
    class: Option<usize>,
    sought: Sought,
}

impl Answered<'_> {
    fn text(&self) -> String {
        let Self { row, now, class, sought, .. } = self;
        let wanted = class.map_or_else(|| "any other answer".to_string(), |class| self.class(class));
        let now = format!("Row {}: {}", row + 1, self.class(*now));
        match (&sought.found, sought.complete) {
            (Some(Found { changes, .. }), _) if changes.is_empty() => {
                format!("{now}, as it was wanted.\n")
            }
            (Some(found), complete) => {
                let how = if complete { "the smallest change" } else { "a change, perhaps not the smallest" };
                let title = format!("{now}; {} after {how}\n", self.class(found.class));
                let mut table = TextTable::new(&[
                    ("column", Align::Left),
                    ("is", Align::Right),
                    ("would be", Align::Right),
                ]);
                for change in &found.changes {
                    let shown = |value| messages::name(&self.shown(change, value));
                    table.row(vec![
                        messages::name(self.column(change)),
                        shown(change.from),
                        shown(change.to),
                    ]);
                }
                format!("{title}{}", table.text())
            }
            (None, true) => format!("{now}; no values of columns that may change lead to {wanted}.\n"),
            (None, false) => {
                format!(
                    "{now}; no change to {wanted} was found in time: raise --seconds, or fix fewer columns.\n"
                )
            }
        }
    }

    fn document(&self) -> Value {
        let change = |change: &Change| json!({"column": self.column(change), "from": self.value(change, change.from), "to": self.value(change, change.to)});
        let found = self.sought.found.as_ref();
        json!({
            "row": self.row + 1,
            "answer": self.model.schema.target.label(self.now),
            "class": found.and_then(|found| self.model.schema.target.label(found.class)),
            "changes": found.map(|found| found.changes.iter().map(change).collect::<Vec<_>>()),
            "distance": found.map(|found| found.distance),
            "complete": self.sought.complete,
        })
    }

    fn class(&self, class: usize) -> String {
        messages::name(self.model.schema.target.label(class).unwrap_or_default())
    }

    fn column(&self, change: &Change) -> &str {
        &self.model.encoder.column_encoders()[change.column].name
    }

    fn value(&self, change: &Change, value: f64) -> Value {
        match &self.model.encoder.column_encoders()[change.column].codec {
            _ if value.is_nan() => Value::Null,
            Codec::Category(codec) => json!(codec.levels().get(value as usize)),
            _ => json!(value),
        }
    }

    fn shown(&self, change: &Change, value: f64) -> String {
        match self.value(change, value) {
            Value::Null => "(missing)".to_string(),
            Value::String(level) => level,
            number => number.to_string(),
        }
    }
}
