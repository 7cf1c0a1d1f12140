//! Rows to play with: what each column adds to a row's scores, and the model itself, which runs in the page.
//!
//! Scores are sums on a grid (whole numbers of 2⁻³⁶), so the page gets whole numbers and adds them without rounding: its scores are the
//! program's, and its probabilities differ by what two exponential functions differ.

mod machine;

use manyboost::engine::scores::Scores;
use manyboost::explain::{Explainer, Grain};
use manyboost::model::Model;
use manyboost_data::Applied;
use manyboost_data::encode::Codec;
use serde_json::{Value, json};

use super::gain::Gain;
use super::staged::spread;
use super::{mistakes, values};
use crate::numbers::number;
use crate::{Page, words};

/// Rows that can be picked, and how many of them are the surest mistakes.
const ROWS: usize = 40;
const MISTAKES: usize = 10;
/// Columns that can be changed, and those that a waterfall names.
const INPUTS: usize = 24;
const PARTS: usize = 9;
/// Classes of each row that are explained: the likeliest.
const CLASSES: usize = 3;
/// The most levels that are offered.
const LEVELS: usize = 200;

pub fn section(
    page: &mut Page,
    model: &Model,
    rows: &Applied,
    scores: &Scores,
    gains: &[Gain],
    names: &[String],
) {
    let Ok(explainer) = Explainer::new(model, Grain::Columns) else { return };
    let Some((machine, features)) = machine::of(model) else { return };
    let mut picked: Vec<usize> =
        mistakes::surest(model, rows, scores, MISTAKES).iter().map(|mistake| mistake.row).collect();
    for row in spread(rows.frame.rows(), ROWS) {
        if picked.len() < ROWS && !picked.contains(&(row as usize)) {
            picked.push(row as usize);
        }
    }
    let numbers: Vec<u32> = picked.iter().map(|&row| row as u32).collect();
    let Ok(why) = explainer.values(&rows.frame.select(&numbers)) else { return };
    let row = |(at, &row): (usize, &usize)| {
        let of = scores.row(row);
        let mut order: Vec<usize> = (0..of.len()).collect();
        order.sort_by(|&a, &b| of[b].total_cmp(&of[a]).then(a.cmp(&b)));
        let explained = order.iter().take(CLASSES).map(|&class| {
            let part = |column: usize| why.part(at, column)[class];
            let mut largest: Vec<usize> = (0..why.parts).filter(|&column| part(column) != 0.0).collect();
            largest.sort_by(|&a, &b| part(b).abs().total_cmp(&part(a).abs()).then(a.cmp(&b)));
            let rest: f64 = largest.iter().skip(PARTS).map(|&column| part(column)).sum();
            let named = |&column: &usize| {
                let name = words::name(&explainer.parts()[column].column);
                json!([name, values::shown(model, &rows.frame, row, column), number(part(column))])
            };
            let mut parts: Vec<Value> = largest.iter().take(PARTS).map(named).collect();
            if largest.len() > PARTS {
                parts.push(json!([words::count(largest.len() - PARTS, "other column"), "", number(rest)]));
            }
            json!({"class": class, "expected": number(explainer.expected()[class]), "parts": parts})
        });
        let explained: Vec<Value> = explained.collect();
        let own: Vec<Value> =
            features.iter().map(|&feature| json!(rows.frame.value(row, feature as usize))).collect();
        json!({"number": row + 1, "is": rows.labels.class(row), "values": own, "why": explained})
    };
    let shown: Vec<Value> = picked.iter().enumerate().map(row).collect();
    if shown.is_empty() {
        return;
    }
    let inputs = inputs(model, gains, &features);
    let data = json!({"names": names, "rows": shown, "inputs": inputs, "model": machine});
    let figure = page.figure("explorer", "What the columns of a row add to a score", data);
    let text = "Pick a row: the figure shows how its columns take the score of a class from what is expected of any row to what it is (exact Shapley \
                values). Change a value, and the probabilities move: the model runs in this page. The surest wrong answers come first.";
    page.section("explorer", "Row explorer", text, &figure);
}

/// Columns of numbers and categories that the model looks at, those that do most first.
fn inputs(model: &Model, gains: &[Gain], features: &[u32]) -> Vec<Value> {
    let input = |gain: &Gain| {
        let first = values::first_feature(model, gain.column);
        let place = features.binary_search(&(first as u32)).ok()?;
        match &model.encoder.column_encoders()[gain.column].codec {
            Codec::Text(_) => None,
            Codec::Number(_) => Some(json!({"name": words::name(&gain.name), "place": place})),
            Codec::Category(_) => {
                let levels: Vec<String> = (0u32..)
                    .map_while(|code| model.encoder.level(first, code))
                    .take(LEVELS + 1)
                    .map(words::name)
                    .collect();
                let few = levels.len() <= LEVELS;
                few.then(|| json!({"name": words::name(&gain.name), "place": place, "levels": levels}))
            }
        }
    };
    gains.iter().filter_map(input).take(INPUTS).collect()
}
