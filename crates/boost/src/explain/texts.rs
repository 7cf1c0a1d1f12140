//! What a linear function of texts adds: each column what its text says, less what texts say in the mean.
//!
//! These are the Shapley values of a sum, whatever the other columns do. Words are not told apart: their part is that of their column.

use manyboost_data::Frame;

use super::{Grain, Part};
use crate::model::Model;
use crate::model::text::{TextBlock, TextScorer};

/// A linear function of texts, ready to be explained.
pub(super) struct Texts {
    scorer: TextScorer,
    /// The part that each block belongs to, and what it adds in the mean.
    of: Vec<(usize, Vec<f64>)>,
}

impl Texts {
    /// That of a model, if it has one. Where words are parts, its columns become parts behind them.
    pub(super) fn new(model: &Model, grain: Grain, parts: &mut Vec<Part>) -> Option<Self> {
        let scorer = TextScorer::new(model.ensemble.text.as_ref()?);
        let mut of: Vec<(usize, Vec<f64>)> = Vec::new();
        for (at, TextBlock { column, expected, .. }) in scorer.blocks().iter().enumerate() {
            let part = match grain {
                Grain::Columns => *column as usize,
                Grain::Words if at > 0 && scorer.blocks()[at - 1].column == *column => of[at - 1].0,
                Grain::Words => {
                    let column = model.encoder.column_encoders()[*column as usize].name.clone();
                    parts.push(Part { column, word: None, feature: None });
                    parts.len() - 1
                }
            };
            of.push((part, expected.clone()));
        }
        Some(Self { scorer, of })
    }

    /// Adds what is expected of any row.
    pub(super) fn add_expected(&self, expected: &mut [f64]) {
        for (_, mean) in &self.of {
            expected.iter_mut().zip(mean).for_each(|(sum, mean)| *sum += mean);
        }
    }

    /// From now on the mean is that of background rows.
    pub(super) fn compare_with(&mut self, background: &Frame) {
        for (block, (_, mean)) in self.of.iter_mut().enumerate() {
            let column = self.scorer.blocks()[block].column as usize;
            mean.fill(0.0);
            for row in 0..background.rows() {
                if let Some(text) = background.text(row, column) {
                    self.scorer.add_block(block, text, mean);
                }
            }
            for sum in mean {
                *sum /= background.rows() as f64;
            }
        }
    }

    /// Tells what the texts of a row add to the scores, and to which part it belongs.
    pub(super) fn add_row(&self, frame: &Frame, row: usize, mut add: impl FnMut(usize, &[f64])) {
        for (block, (part, mean)) in self.of.iter().enumerate() {
            let mut sums: Vec<f64> = mean.iter().map(|mean| -mean).collect();
            if let Some(text) = frame.text(row, self.scorer.blocks()[block].column as usize) {
                self.scorer.add_block(block, text, &mut sums);
            }
            add(*part, &sums);
        }
    }
}
