//! Rows to play with: the model itself runs in the page, answers what a reader types, and says what each column adds to a score.
//!
//! Scores are sums on a grid (whole numbers of 2⁻³⁶), so the page gets whole numbers and adds them without rounding: its scores are the
//! program's, and its probabilities differ by what two exponential functions differ.

mod machine;

use manyboost::engine::scores::Scores;
use manyboost::model::Model;
use manyboost_data::Applied;
use manyboost_data::encode::Codec;
use serde_json::{Value, json};

use super::gain::Gain;
use super::staged::spread;
use super::{mistakes, values};
use crate::{Page, words};

/// Rows that can be picked, how many of them are the surest mistakes, and characters of all.
const ROWS: usize = 40;
const MISTAKES: usize = 10;
const CHARACTERS: usize = 200_000;
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
    let heading = "Row explorer";
    let (machine, features) = match machine::of(model) {
        Ok(made) => made,
        Err(why) => return page.section("explorer", heading, &format!("There is none here: {why}."), ""),
    };
    let columns: Vec<Value> = gains.iter().map(|gain| column(model, gain, &features)).collect();
    let encoded = model.encoder.columns();
    let column_of = |&feature: &u32| gains.iter().position(|gain| gain.column == encoded[feature as usize].0);
    let columns_of: Vec<Option<usize>> = features.iter().map(column_of).collect();
    // What a reader cannot change is told as it is.
    let fixed: Vec<usize> = (0..gains.len()).filter(|&at| columns[at]["place"].is_null()).collect();
    let row = |row: usize| {
        let own: Vec<Value> =
            features.iter().map(|&feature| exact(rows.frame.value(row, feature as usize))).collect();
        let told =
            |&at: &usize| (at.to_string(), values::shown(model, &rows.frame, row, gains[at].column).into());
        let told: serde_json::Map<String, Value> = fixed.iter().map(told).collect();
        let is = rows.labels.class(row).filter(|&class| (class as usize) < names.len());
        json!({"number": row + 1, "is": is, "values": own, "told": told})
    };
    let mut shown: Vec<Value> = Vec::new();
    let mut room = CHARACTERS;
    for at in picked(model, rows, scores) {
        let next = row(at);
        let Some(left) = room.checked_sub(next.to_string().len()) else { break };
        room = left;
        shown.push(next);
    }
    if shown.is_empty() {
        return;
    }
    let data = json!({"names": names, "columns": columns, "of": columns_of, "rows": shown, "model": machine});
    let figure = page.figure("explorer", "What the columns of a row add to a score", data);
    let text = "Pick a row: the figure shows how its columns take the score of a class from what is expected of any row to what it is (exact Shapley \
                values). Change a value, and both the answer and its reasons change: the model runs in this page. The surest wrong answers come \
                first.";
    page.section("explorer", heading, text, &figure);
}

/// The surest mistakes, then rows evenly apart.
fn picked(model: &Model, rows: &Applied, scores: &Scores) -> Vec<usize> {
    let mut picked: Vec<usize> =
        mistakes::surest(model, rows, scores, MISTAKES).iter().map(|mistake| mistake.row).collect();
    for row in spread(rows.frame.rows(), ROWS) {
        if picked.len() < ROWS && !picked.contains(&(row as usize)) {
            picked.push(row as usize);
        }
    }
    picked
}

/// A column that the model looks at; if it can be changed, with the place of its feature, and with its levels if it has some.
fn column(model: &Model, gain: &Gain, features: &[u32]) -> Value {
    let name = words::name(&gain.name);
    let first = values::first_feature(model, gain.column);
    let place = features.binary_search(&(first as u32)).ok();
    match &model.encoder.column_encoders()[gain.column].codec {
        Codec::Number(_) => json!({"name": name, "place": place}),
        Codec::Category(codec) if codec.levels().len() <= LEVELS => {
            let levels: Vec<String> = codec.levels().iter().map(|level| words::name(level)).collect();
            json!({"name": name, "place": place, "levels": levels})
        }
        Codec::Category(_) | Codec::Text(_) | Codec::Time(_) => json!({"name": name}),
    }
}

/// A value with all its digits; missing ones are null.
fn exact(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { json!(value as i64) } else { json!(value) }
}
