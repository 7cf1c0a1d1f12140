//! Learning curves, with the bound that theory gives.

use polyboost::metrics::{most_mistakes, row_mistakes};
use polyboost::model::Model;
use serde_json::{Value, json};

use super::staged::Staged;
use crate::Page;
use crate::compare::{Figure, curve};
use crate::numbers::numbers;

/// Group, name, whether its line is dashed, and the figure.
const LINES: [(&str, &str, bool, Figure); 11] = [
    ("error", "training", false, |r| Some(r.train_error)),
    ("error", "bound", true, |r| r.bound),
    ("error", "validation", false, |r| r.valid_error),
    ("error", "test", false, |r| r.test_error),
    ("ranking", "one-error, training", false, |r| r.one_error),
    ("ranking", "ranking loss, training", false, |r| r.ranking_loss),
    ("loss", "training", false, |r| Some(r.loss)),
    ("loss", "validation (log loss)", false, |r| r.valid_loss),
    ("edge", "edge", false, |r| r.edge),
    ("edge", "promised", true, |r| r.promised),
    ("step", "step size", false, |r| r.alpha),
];

pub fn section(page: &mut Page, model: &Model, staged: &Staged<'_>, measured: &str) {
    let mut groups: Vec<Value> = Vec::new();
    for (group, name, dash, of) in LINES {
        let Some((x, y)) = curve(&model.history, of) else { continue };
        if groups.last().is_none_or(|last| last["name"] != group) {
            let percent = matches!(group, "error" | "ranking");
            groups.push(json!({"name": group, "percent": percent, "lines": []}));
        }
        let at = groups.len() - 1;
        if let Some(lines) = groups[at]["lines"].as_array_mut() {
            lines.push(json!({"name": name, "x": x, "y": y, "colour": lines.len(), "dash": dash}));
        }
    }
    if let Some(lines) = groups.first_mut().and_then(|group| group["lines"].as_array_mut()) {
        let errors = numbers((0..staged.rounds.len()).skip(1).map(|stage| error(staged, stage)));
        let name = "rows of this page";
        lines.push(
            json!({"name": name, "x": staged.rounds[1..], "y": errors, "colour": lines.len(), "dots": true}),
        );
    } else {
        return;
    }
    let figure = page.figure("lines", "Learning curves", json!({"groups": groups}));
    let mut text = format!("What each round came to. Dots are the rows that this page is about: {measured}.");
    if model.history.iter().any(|record| record.bound.is_some()) {
        text += " The training error cannot be above the bound that theory gives for it.";
    }
    page.section("curves", "Learning curves", &text, &figure);
}

/// The error of the sample at a stage.
fn error(staged: &Staged<'_>, stage: usize) -> f64 {
    let labels = staged.labels();
    let (mut wrong, mut all) = (0.0, 0.0);
    for (at, &row) in staged.rows.iter().enumerate() {
        let weight = f64::from(staged.all.weights.units()[row as usize]);
        let scores = staged.scores[stage].row(at);
        wrong += weight * f64::from(row_mistakes(labels, row as usize, scores)) / most_mistakes(labels);
        all += weight;
    }
    wrong / all
}
