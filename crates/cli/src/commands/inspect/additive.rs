//! Ensembles of stumps as what they are: a sum of one function for each feature.

use manyboost::engine::scores::argmax;
use manyboost::model::Model;
use manyboost::predict::additive::{StepFunction, Steps, Stumps};

use super::importance::{Importance, Shown};
use crate::messages;
use crate::text_table::{Align, TextTable};

/// Ranges of a feature that are shown.
const RANGES: usize = 8;

/// For the first features: which class each range of values speaks for. `None` if trees have more than one test, or
/// their order matters, or scores are not of classes.
pub fn view(model: &Model, importances: &[Importance], top: usize) -> Option<String> {
    // Scores may be of the bits of a code instead of classes.
    if model.ensemble.rounds.is_empty() || !model.ensemble.reading.is_plain() {
        return None;
    }
    let stumps = Stumps::new(model.ensemble.terms(), model.ensemble.start.len())?;
    let mut table = TextTable::new(&[
        ("feature", Align::Left),
        ("values", Align::Left),
        ("speaks for", Align::Left),
        ("by", Align::Right),
    ]);
    for importance in importances.iter().take(top) {
        // A column of times has a function of its seconds, and one of each part of the calendar.
        let first = importance.feature;
        let width = model.encoder.time(first as usize).map_or(1, |(codec, _)| codec.width() as u32);
        for feature in first..first + width {
            let Some(function) = stumps.function(feature) else { continue };
            match &function.steps {
                Steps::Thresholds(thresholds) if importance.word.is_none() => {
                    along(model, feature, thresholds, &function, &mut table);
                }
                _ => discrete(model, importance, &function, &mut table),
            }
        }
    }
    Some(format!(
        "  All trees are stumps: the scores are a sum of one function for each feature.\n{}",
        table.text()
    ))
}

/// What ranges of numbers speak for.
fn along(model: &Model, feature: u32, thresholds: &[f64], function: &StepFunction, table: &mut TextTable) {
    let (column, _) = model.encoder.describe(feature as usize).unwrap_or(("", None));
    let time = model.encoder.time(feature as usize);
    let part = time.and_then(|(_, part)| part);
    let name =
        part.map_or(messages::name(column), |part| format!("{}: {}", messages::name(column), part.name()));
    let shown = |x: f64| match time {
        Some((codec, None)) => codec.shown(x),
        _ => messages::short(x),
    };
    let ranges = ranges(thresholds, function);
    let more = ranges.len().saturating_sub(RANGES);
    for (at, (from, to, class, by)) in ranges.into_iter().take(RANGES).enumerate() {
        let values = match (from, to) {
            (None, Some(to)) => format!("up to {}", shown(to)),
            (Some(from), None) => format!("above {}", shown(from)),
            (Some(from), Some(to)) => format!("{} to {}", shown(from), shown(to)),
            (None, None) => "all".into(),
        };
        let name = if at == 0 { name.clone() } else { String::new() };
        let class = messages::name(model.schema.target.label(class).unwrap_or(""));
        table.row([name, values, class, format!("{by:.3}")]);
    }
    if more > 0 {
        table.row([
            String::new(),
            format!("and {}", messages::count(more, "range")),
            String::new(),
            String::new(),
        ]);
    }
}

/// The class that scores speak for most, and by how much more than for the average class.
fn favoured(scores: &[f64]) -> (usize, f64) {
    let best = argmax(scores);
    (best, scores[best] - scores.iter().sum::<f64>() / scores.len() as f64)
}

/// What each level of a category, or the presence of a word, speaks for.
fn discrete(model: &Model, importance: &Importance, function: &StepFunction, table: &mut TextTable) {
    let level = |code| model.encoder.level(importance.feature as usize, code);
    let levels = (0u32..).map_while(|code| Some((f64::from(code), level(code)?)));
    let values: Vec<(f64, String)> = match &importance.word {
        Some(_) => vec![(0.0, "absent".into()), (1.0, "present".into())],
        None => levels.map(|(code, level)| (code, messages::name(level))).collect(),
    };
    for (at, (value, shown)) in values.iter().take(RANGES).enumerate() {
        let (class, by) = favoured(function.at(*value));
        let name = if at == 0 { importance.shown() } else { String::new() };
        let class = messages::name(model.schema.target.label(class).unwrap_or(""));
        table.row([name, shown.clone(), class, format!("{by:.3}")]);
    }
    let more = values.len().saturating_sub(RANGES);
    if more > 0 {
        table.row([
            String::new(),
            format!("and {}", messages::count(more, "level")),
            String::new(),
            String::new(),
        ]);
    }
}

/// A range of a feature's values: from, to, the class that it speaks for most, by how much more than for the average class.
type Range = (Option<f64>, Option<f64>, usize, f64);

/// The ranges between thresholds. Neighbours that speak for the same class are one range.
fn ranges(thresholds: &[f64], function: &StepFunction) -> Vec<Range> {
    let ends = thresholds.iter().copied().map(Some).chain([None]);
    let mut ranges: Vec<Range> = Vec::new();
    let mut from = None;
    for to in ends {
        let (class, by) = favoured(function.at(to.unwrap_or(f64::INFINITY)));
        match ranges.last_mut() {
            Some(last) if last.2 == class => (last.1, last.3) = (to, last.3.max(by)),
            _ => ranges.push((from, to, class, by)),
        }
        from = to;
    }
    ranges
}
