//! Some rows with all that there is to say of them.

use std::borrow::Cow;

use manyboost::engine::scores::{Scores, argmax};
use manyboost::explain::{Explainer, Explanation, Part};
use manyboost::model::Model;
use manyboost_data::{Frame, Result};

use crate::messages;

/// Rows, explained.
pub struct Explained<'a> {
    model: &'a Model,
    explainer: &'a Explainer<'a>,
    frame: &'a Frame,
    explanation: Explanation,
    scores: Scores,
    probabilities: Scores,
}

impl<'a> Explained<'a> {
    /// What there is to say of rows.
    pub fn new(model: &'a Model, explainer: &'a Explainer<'a>, frame: &'a Frame) -> Result<Self> {
        model.ensemble.claim(frame.rows())?;
        let explanation = explainer.values(frame)?;
        let scores = model.predictor().scores(frame);
        let probabilities = model.ensemble.reading.link.apply_rows(scores.clone());
        Ok(Self { model, explainer, frame, explanation, scores, probabilities })
    }

    /// What is said to add something.
    pub fn parts(&self) -> &'a [Part] {
        self.explainer.parts()
    }

    /// What is expected of any row.
    pub fn expected(&self) -> &'a [f64] {
        self.explainer.expected()
    }

    /// What a part adds to each score.
    pub fn adds(&self, row: usize, part: usize) -> &[f64] {
        self.explanation.part(row, part)
    }

    /// The scores of a row.
    pub fn scores(&self, row: usize) -> &[f64] {
        self.scores.row(row)
    }

    /// Its probabilities.
    pub fn probabilities(&self, row: usize) -> &[f64] {
        self.probabilities.row(row)
    }

    /// Its class, or its labels.
    pub fn answer(&self, row: usize) -> Cow<'_, str> {
        self.model.answer(self.scores(row))
    }

    /// The name of a class.
    pub fn class(&self, class: usize) -> &'a str {
        self.model.schema.target.label(class).unwrap_or_default()
    }

    /// The classes with the highest scores, the answer first: so many at most.
    pub fn contenders(&self, row: usize, most: usize) -> Vec<usize> {
        let scores = self.scores(row);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
        order.truncate(most);
        order
    }

    /// The parts by how much they do for the answer or against it, the strongest first.
    pub fn strongest(&self, row: usize) -> Vec<usize> {
        let answer = argmax(self.scores(row));
        let size = |part: usize| self.adds(row, part)[answer].abs();
        let mut order: Vec<usize> = (0..self.parts().len()).collect();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        order
    }

    /// The name of a part.
    pub fn shown(&self, part: usize) -> String {
        let Part { column, word, .. } = &self.parts()[part];
        let column = messages::name(column);
        word.as_ref().map_or(column.clone(), |word| format!("{column} has \"{}\"", messages::name(word)))
    }

    /// The value of a part in a row, as a text; nothing where it is missing, and of a text as a whole.
    pub fn value(&self, row: usize, part: usize) -> String {
        let part = &self.parts()[part];
        let Some(feature) = part.feature.map(|feature| feature as usize) else { return String::new() };
        let value = self.frame.value(row, feature);
        let time = self.model.encoder.time(feature);
        match self.model.encoder.level(feature, value as u32) {
            _ if value.is_nan() => String::new(),
            Some(level) => level.to_string(),
            None if part.word.is_some() => if value > 0.0 { "yes" } else { "no" }.to_string(),
            None => time.map_or_else(|| value.to_string(), |(codec, _)| codec.shown(value)),
        }
    }
}
