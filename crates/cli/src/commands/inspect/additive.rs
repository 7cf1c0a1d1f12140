//! Ensembles of stumps as what they are: a sum of one function for each feature.

use manyboost::engine::scores::argmax;
use manyboost::model::Model;
use manyboost::model::answers::Answers;
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::{Child, Test};

use super::importance::{Importance, Shown};
use crate::say;
use crate::text_table::{Align, TextTable};

/// Ranges of a feature that are shown.
const RANGES: usize = 8;

/// For the first features: which class each range of values speaks for. `None` if trees have more than one test, or
/// their order matters.
pub fn view(model: &Model, importances: &[Importance], top: usize) -> Option<String> {
    let stump = |cells: &Cells| cells.tree().is_some_and(|tree| tree.nodes.len() <= 1);
    let stumps =
        !model.ensemble.rounds.is_empty() && model.ensemble.terms().all(|t| stump(&t.hypothesis.cells));
    let ordered = |a: &Answers| matches!(a, Answers::Election(_));
    if !stumps || model.ensemble.terms().any(|t| ordered(&t.hypothesis.answers)) {
        return None;
    }
    let mut table = TextTable::new(&[
        ("feature", Align::Left),
        ("values", Align::Left),
        ("speaks for", Align::Left),
        ("by", Align::Right),
    ]);
    for importance in importances.iter().take(top) {
        let numeric =
            importance.word.is_none() && model.encoder.level(importance.feature as usize, 0).is_none();
        if !numeric {
            discrete(model, importance, &mut table);
            continue;
        }
        let steps = steps(model, importance.feature);
        let more = steps.len().saturating_sub(RANGES);
        for (at, (from, to, class, by)) in steps.into_iter().take(RANGES).enumerate() {
            let values = match (from, to) {
                (None, Some(to)) => format!("up to {}", say::short(to)),
                (Some(from), None) => format!("above {}", say::short(from)),
                (Some(from), Some(to)) => format!("{} to {}", say::short(from), say::short(to)),
                (None, None) => "all".into(),
            };
            let name = if at == 0 { say::name(&importance.column) } else { String::new() };
            let class = say::name(model.schema.target.label(class).unwrap_or(""));
            table.row([name, values, class, format!("{by:.3}")]);
        }
        if more > 0 {
            table.row([
                String::new(),
                format!("and {}", say::count(more, "range")),
                String::new(),
                String::new(),
            ]);
        }
    }
    Some(format!(
        "  All trees are stumps: the scores are a sum of one function for each feature.\n{}",
        table.text()
    ))
}

/// The class that scores speak for most, and by how much more than for the average class.
fn favoured(scores: &[f64]) -> (usize, f64) {
    let best = argmax(scores);
    (best, scores[best] - scores.iter().sum::<f64>() / scores.len() as f64)
}

/// What each level of a category, or the presence of a word, speaks for.
fn discrete(model: &Model, importance: &Importance, table: &mut TextTable) {
    let feature = importance.feature;
    let levels =
        (0u32..).map_while(|code| Some((f64::from(code), model.encoder.level(feature as usize, code)?)));
    let values: Vec<(f64, String)> = match &importance.word {
        Some(_) => vec![(0.0, "absent".into()), (1.0, "present".into())],
        None => levels.map(|(code, level)| (code, say::name(level))).collect(),
    };
    for (at, (value, shown)) in values.iter().take(RANGES).enumerate() {
        let mut scores = vec![0.0; model.ensemble.start.len()];
        for term in model.ensemble.terms().filter(|t| t.hypothesis.cells.features().all(|f| f == feature)) {
            let answer = term.hypothesis.answers.vector(term.hypothesis.cells.cell(|_| *value), scores.len());
            scores.iter_mut().zip(&answer).for_each(|(sum, a)| *sum += term.alpha * a);
        }
        let (class, by) = favoured(&scores);
        let name = if at == 0 { importance.shown() } else { String::new() };
        let class = say::name(model.schema.target.label(class).unwrap_or(""));
        table.row([name, shown.clone(), class, format!("{by:.3}")]);
    }
    let more = values.len().saturating_sub(RANGES);
    if more > 0 {
        table.row([
            String::new(),
            format!("and {}", say::count(more, "level")),
            String::new(),
            String::new(),
        ]);
    }
}

/// Ranges of a feature's values: from, to, the class that they speak for most, by how much more than for the average
/// class. Neighbours that speak for the same class are one range.
fn steps(model: &Model, feature: u32) -> Vec<(Option<f64>, Option<f64>, usize, f64)> {
    let width = model.ensemble.start.len();
    let mut first = vec![0.0; width];
    let mut changes: Vec<(f64, Vec<f64>)> = Vec::new();
    for term in model.ensemble.terms() {
        let node = term.hypothesis.cells.tree().and_then(|tree| tree.nodes.first());
        let Some(node) = node.filter(|node| node.feature == feature) else { continue };
        let (Test::AtMost(threshold), Child::Leaf(left), Child::Leaf(right)) =
            (&node.test, node.left, node.right)
        else {
            continue;
        };
        let left = term.hypothesis.answers.vector(left as usize, width);
        let right = term.hypothesis.answers.vector(right as usize, width);
        first.iter_mut().zip(&left).for_each(|(sum, l)| *sum += term.alpha * l);
        changes.push((*threshold, left.iter().zip(&right).map(|(l, r)| term.alpha * (r - l)).collect()));
    }
    changes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (class, by) = favoured(&first);
    let mut ranges: Vec<(Option<f64>, Option<f64>, usize, f64)> = vec![(None, None, class, by)];
    for (threshold, change) in changes {
        first.iter_mut().zip(&change).for_each(|(sum, c)| *sum += c);
        let (class, by) = favoured(&first);
        match ranges.last_mut() {
            // The same threshold again: the range before it is empty.
            Some(last) if last.0 == Some(threshold) => (last.2, last.3) = (class, by),
            Some(last) if last.2 == class => last.3 = last.3.max(by),
            Some(last) => {
                last.1 = Some(threshold);
                ranges.push((Some(threshold), None, class, by));
            }
            None => {}
        }
    }
    ranges
}
