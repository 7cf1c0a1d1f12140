//! Ensembles of stumps as what they are: a sum of one function for each feature.

use manyboost::model::Model;
use manyboost::model::ensemble::Term;
use manyboost::predict::additive::{Additive, StepFunction, Steps};
use serde_json::{Value, json};

use super::gain;
use super::staged::Staged;
use crate::numbers::{number, numbers};
use crate::{Page, words};

/// Features that can be looked at: those with the greatest gains.
const FEATURES: usize = 40;
/// Numbers of all functions together, at most.
const NUMBERS: usize = 40_000;
/// Steps of a function.
const STEPS: usize = 150;

/// Adds the section if all trees are stumps, and says whether it did.
pub fn section(page: &mut Page, model: &Model, staged: &Staged<'_>, names: &[String]) -> bool {
    let terms: Vec<&Term> = model.ensemble.terms().collect();
    let width = model.ensemble.start.len();
    if !model.ensemble.reading.is_plain() || width != names.len() {
        return false;
    }
    let Some(Additive { functions, .. }) = Additive::new(&terms, width) else { return false };
    let gains = gain::by_feature(model, staged);
    let of = |function: &&StepFunction| gains.get(&function.feature).map_or(0.0, |gain| gain.0);
    let mut order: Vec<&StepFunction> = functions.iter().collect();
    order.sort_by(|a, b| of(b).total_cmp(&of(a)).then(a.feature.cmp(&b.feature)));
    let mut room = NUMBERS;
    let mut shown = Vec::new();
    for function in order.into_iter().take(FEATURES) {
        let cost = (function.scores.len()).min((STEPS + 2) * width);
        if cost > room && !shown.is_empty() {
            break;
        }
        room = room.saturating_sub(cost);
        shown.push(shape(model, staged, function, width));
    }
    if shown.is_empty() {
        return false;
    }
    let text = format!(
        "All trees are stumps, so the score of a class is a sum of one function for each feature. {} of {} are here, those that do most \
         first. A function is shown less its mean over the classes: above the line it speaks for the class.",
        shown.len(),
        words::count(functions.len(), "feature")
    );
    let data = json!({"names": names, "about": "score", "features": shown});
    let figure = page.figure("shapes", "The function of each feature", data);
    page.section("shapes", "The shape of each feature", &text, &figure);
    true
}

fn shape(model: &Model, staged: &Staged<'_>, function: &StepFunction, width: usize) -> Value {
    let feature = function.feature as usize;
    let (column, word) = model.encoder.describe(feature).unwrap_or(("", None));
    let name = words::name(column);
    let part = model.encoder.time(feature).and_then(|(_, part)| part).map(manyboost_data::TimePart::name);
    let name = part.map_or(name.clone(), |part| format!("{name}: {part}"));
    let name = word.map_or(name.clone(), |word| format!("{name}: {}", words::name(word)));
    let pieces: Vec<Vec<f64>> = function.scores.chunks_exact(width).map(centred).collect();
    let row = |piece: &Vec<f64>| numbers(piece.iter().copied());
    match &function.steps {
        Steps::Thresholds(_) if word.is_some() => {
            json!({"name": name, "levels": ["absent", "present"], "scores": [row(&pieces[0]), row(&pieces[1])]})
        }
        Steps::Thresholds(at) => {
            let values = || staged.rows.iter().map(|&row| staged.all.frame.value(row as usize, feature));
            let least = values().fold(f64::INFINITY, f64::min);
            let most = values().fold(f64::NEG_INFINITY, f64::max);
            // Only what the rows reach; and where there are too many steps, some are passed over.
            let first = at.partition_point(|&step| step < least);
            let end = at.partition_point(|&step| step < most).max(first);
            let every = (end - first).div_ceil(STEPS).max(1);
            let kept: Vec<usize> = (first..end).step_by(every).collect();
            let behind = kept.iter().map(|&step| step + 1);
            let scores: Vec<Value> =
                std::iter::once(first).chain(behind).map(|piece| row(&pieces[piece])).collect();
            json!({
                "name": name,
                "at": numbers(kept.iter().map(|&step| at[step])),
                "from": number(if least.is_finite() { least } else { 0.0 }),
                "to": number(if most.is_finite() { most } else { 0.0 }),
                "scores": scores,
            })
        }
        Steps::Levels(_) => {
            let levels = (0u32..).map_while(|code| model.encoder.level(feature, code)).take(STEPS);
            let levels: Vec<String> = levels.map(words::name).collect();
            // All levels behind the last that a stump names are one piece, the one before missing values.
            let piece = |level: usize| row(&pieces[level.min(pieces.len() - 2)]);
            let scores: Vec<Value> = (0..levels.len()).map(piece).collect();
            json!({"name": name, "levels": levels, "scores": scores})
        }
    }
}

fn centred(scores: &[f64]) -> Vec<f64> {
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    scores.iter().map(|s| s - mean).collect()
}
