//! Rows with answers that a model is measured on, and whether they are those that it was trained on.

use manyboost::engine::scores::Scores;
use manyboost::model::Model;
use manyboost_data::{Applied, Table, apply, prepare};

use crate::failure::Outcome;
use crate::inputs::{self, Weight};
use crate::messages;

/// Rows as a model looks at them.
pub struct Looked {
    /// The rows.
    pub rows: Applied,
    /// What the model says of them, not yet read.
    pub raw: Scores,
    /// Which of them it is known to be trained on: `all` or `most`.
    pub seen: Option<&'static str>,
}

impl Looked {
    /// Reads the rows of a file. Tells the user if the model was trained on them.
    pub fn at(path: &str, model: &Model, target: Option<String>, weight: Weight) -> Outcome<Self> {
        let table = inputs::with_answers(path, &model.schema, target, weight)?;
        // Training may have done without some of these rows: they are taken out once more, to look at the others.
        let parted = (model.held_out().is_some() || model.keeps_aside(table.rows)).then(|| table.clone());
        let rows = apply(table, &model.schema, &model.encoder)?;
        rows.notes.iter().for_each(|note| messages::note(note));
        model.ensemble.claim(rows.frame.rows())?;
        let raw = model.predictor().raw_scores(&rows.frame);
        let seen = seen(model, &rows, &raw, parted);
        if let Some(which) = seen {
            messages::note(&format!(
                "the model was trained on {which} of these rows: others will fare worse"
            ));
        }
        Ok(Self { rows, raw, seen })
    }
}

/// Which of the rows the model is known to be trained on: all of them, or most, if it did without some of what is in the table.
fn seen(model: &Model, rows: &Applied, raw: &Scores, table: Option<Table>) -> Option<&'static str> {
    if model.was_trained_on(rows, raw, None) {
        return Some("all");
    }
    let most = match (table?, model.held_out()) {
        (table, Some(share)) => {
            let (kept, _) = inputs::hold_out(table, Some(share), model.split(), model.seed).ok()?;
            let kept = apply(kept, &model.schema, &model.encoder).ok()?;
            model.was_trained_on(&kept, &model.predictor().raw_scores(&kept.frame), None)
        }
        (table, None) => model.was_trained_on(rows, raw, Some(&prepare(table, &model.preparation()).ok()?)),
    };
    most.then_some("most")
}
