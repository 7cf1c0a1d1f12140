//! Learning curves, with the bounds that theory gives.

use manyboost::engine::history::Figure;
use manyboost::evaluate::metrics::{most_mistakes, row_mistakes};
use manyboost::model::Model;
use serde_json::{Value, json};

use super::staged::Staged;
use crate::Page;
use crate::compare::curve;
use crate::numbers::numbers;

/// Group, name, whether its line is dashed, the figure, and what is to be said where there is one.
const LINES: [(&str, &str, bool, Figure, &str); 13] = [
    ("error", "training", false, |r| Some(r.record.train_error), ""),
    ("error", "bound", true, |r| r.bound.error.filter(|_| r.bound.at_end.is_none()), ERROR),
    ("error", "at the end at most", true, |r| r.bound.at_end, AT_END),
    ("error", "validation", false, |r| r.record.valid_error, ""),
    ("error", "test", false, |r| r.record.test_error, ""),
    ("ranking", "one-error, training", false, |r| r.record.one_error, ""),
    ("ranking", "ranking loss, training", false, |r| r.record.ranking_loss, ""),
    ("ranking", "bound on the ranking loss", true, |r| r.bound.ranking_loss, RANKING),
    ("loss", "training", false, |r| Some(r.record.loss), ""),
    ("loss", "validation (log loss)", false, |r| r.record.valid_loss, ""),
    ("edge", "edge", false, |r| r.record.edge, ""),
    ("edge", "promised", true, |r| r.record.promised, ""),
    ("step", "step size", false, |r| r.record.alpha, ""),
];

const ERROR: &str = " The training error cannot be above the bound that theory gives for it.";
const AT_END: &str = " If every promise is kept, the training error after the last round of the game cannot be above the line “at the end at most”; \
                      before that it may be.";
const RANKING: &str = " The ranking loss cannot be above the bound that theory gives for it.";

pub fn section(page: &mut Page, model: &Model, staged: &Staged<'_>, measured: &str) {
    let history = model.told();
    let mut groups: Vec<Value> = Vec::new();
    let mut said = String::new();
    for (group, name, dash, of, words) in LINES {
        let Some((x, y)) = curve(&history, of) else { continue };
        said += words;
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
    let text =
        format!("What each round came to. Dots are the rows that this page is about: {measured}.{said}");
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
