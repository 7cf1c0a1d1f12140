//! The shape of each column for models of trees: accumulated local effects on the probabilities of all classes.

use manyboost::explain::effects::{Axis, Effect, Effects, Output};
use manyboost::model::Model;
use manyboost_data::encode::Codec;
use serde_json::{Value, json};

use super::gain::Gain;
use super::staged::{Staged, spread};
use crate::numbers::numbers;
use crate::{Page, words};

/// Rows that are asked about, columns, and values of a column.
const ROWS: usize = 500;
const COLUMNS: usize = 12;
const POINTS: usize = 20;
/// Levels of a column that is shown.
const LEVELS: usize = 40;
/// Numbers of all columns together, at most.
const NUMBERS: usize = 40_000;

pub fn section(page: &mut Page, model: &Model, staged: &Staged<'_>, gains: &[Gain], names: &[String]) {
    let rows: Vec<u32> = spread(staged.rows.len(), ROWS).iter().map(|&at| staged.rows[at as usize]).collect();
    let frame = staged.all.frame.select(&rows);
    let Ok(mut effects) = Effects::of_frame(model, frame, Output::Probabilities) else { return };
    let columns = model.encoder.column_encoders();
    let mut room = NUMBERS;
    let mut shown: Vec<Value> = Vec::new();
    for gain in gains.iter().filter(|gain| !matches!(columns[gain.column].codec, Codec::Text(_))) {
        let Ok(axis) = effects.axis(&gain.name, POINTS) else { continue };
        let cost = axis.values.len() * names.len();
        if shown.len() == COLUMNS || cost > room {
            break;
        }
        if axis.levels.is_some() && axis.values.len() > LEVELS {
            continue;
        }
        let Ok(effect) = effects.accumulated(&[axis]) else { continue };
        if effect.points() > 1 && effect.classes == names.len() {
            room -= cost;
            shown.push(curve(&effect));
        }
    }
    if shown.is_empty() {
        return;
    }
    let text = format!(
        "What a column does to the probabilities of the classes where it moves a little and all others stay as they are, added up from its lowest \
         value to its highest (accumulated local effects of {}); zero is the mean over the rows. Rows without a value are left out.",
        words::count(rows.len(), "row")
    );
    let data = json!({"names": names, "about": "probability", "percent": true, "features": shown});
    let figure = page.figure("shapes", "What each column does to probabilities", data);
    page.section("effects", "The shape of each column", &text, &figure);
}

/// Numbers as points of a curve, levels as steps.
fn curve(effect: &Effect) -> Value {
    let axis: &Axis = &effect.axes[0];
    let name = words::name(&axis.name);
    // Hundredths of a per cent are more than the eye can see.
    let at = |point: usize| numbers(effect.at(point).iter().map(|x| (1e4 * x).round() / 1e4));
    let all: Vec<Value> = (0..effect.points()).map(at).collect();
    if axis.levels.is_some() {
        let levels: Vec<String> = (0..effect.points()).map(|place| words::name(&axis.shown(place))).collect();
        return json!({"name": name, "levels": levels, "scores": all});
    }
    json!({"name": name, "points": numbers(axis.values.iter().copied()), "scores": all})
}
