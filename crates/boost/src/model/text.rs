//! The linear function of texts with which the scores of a row begin.

use std::sync::Arc;

use manyboost_data::Frame;
use manyboost_data::text::{Lookup, Vocabulary};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::engine::scores::{Scores, applied};

/// Larger coefficients are refused: sums stay finite below them.
const STEEPEST: f32 = (1u64 << 30) as f32;

/// Rows that a thread looks at.
const ROWS: usize = 64;

/// What some words of texts add to scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextBlock {
    /// The place of the column of texts among the model's columns.
    pub column: u32,
    /// What is counted in its texts.
    pub vocabulary: Vocabulary,
    /// What a gram adds to each score, times what it counts: gram after gram.
    pub coefficients: Vec<f32>,
    /// What the texts of the training rows add to each score in the mean.
    pub expected: Vec<f64>,
}

/// A linear function of texts: the sum of some blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextPart {
    /// Its blocks.
    pub blocks: Vec<TextBlock>,
    /// The log loss of the training rows before the first round, which tells them from others.
    pub loss: f64,
}

impl TextPart {
    /// The largest size of what it may add to a score: the values of a row have size 1 at most.
    pub(crate) fn most(&self) -> f64 {
        let largest = |block: &TextBlock| block.coefficients.iter().fold(0f32, |most, x| most.max(x.abs()));
        let most = |block: &TextBlock| f64::from(largest(block)) * block.vocabulary.grams().len() as f64;
        self.blocks.iter().map(most).sum()
    }

    /// Says what no training writes, for so many scores and these columns of text.
    pub(crate) fn check(
        &self,
        width: usize,
        is_text: impl Fn(usize) -> bool,
    ) -> std::result::Result<(), String> {
        for TextBlock { column, vocabulary, coefficients, expected } in &self.blocks {
            if !is_text(*column as usize) {
                return Err(format!("column {column} has no texts"));
            }
            if !vocabulary.is_valid() {
                return Err(format!("what is counted in column {column} is no vocabulary"));
            }
            let fits = vocabulary.grams().len().checked_mul(width) == Some(coefficients.len());
            if !fits || expected.len() != width {
                return Err(format!("{} coefficients do not fit {width} scores", coefficients.len()));
            }
            let sound = coefficients.iter().all(|x| x.abs() <= STEEPEST);
            if !sound || !expected.iter().all(|x| x.abs() <= f64::from(STEEPEST)) {
                return Err("a coefficient is no number, or too large".into());
            }
        }
        if self.blocks.is_empty() || !self.loss.is_finite() {
            return Err("there is nothing in it".into());
        }
        Ok(())
    }
}

/// The linear function, ready to look at texts.
#[derive(Clone, Debug)]
pub struct TextScorer {
    part: Arc<TextPart>,
    lookups: Vec<Lookup>,
}

impl TextScorer {
    /// Of a model's part.
    pub fn new(part: &Arc<TextPart>) -> Self {
        let lookups = part.blocks.par_iter().map(|block| block.vocabulary.lookup()).collect();
        Self { part: Arc::clone(part), lookups }
    }

    /// What each block says.
    pub fn blocks(&self) -> &[TextBlock] {
        &self.part.blocks
    }

    /// Calls `each` with every gram of a block that is in a text, what it counts, and its coefficients.
    pub fn grams(&self, block: usize, text: &str, mut each: impl FnMut(u32, f64, &[f32])) {
        let TextBlock { vocabulary, coefficients, expected, .. } = &self.part.blocks[block];
        let width = expected.len();
        for (gram, value) in self.lookups[block].vector(vocabulary, text) {
            each(gram, f64::from(value), &coefficients[gram as usize * width..][..width]);
        }
    }

    /// Adds a block's part of a text to sums.
    pub fn add_block(&self, block: usize, text: &str, sums: &mut [f64]) {
        self.grams(block, text, |_, value, row| {
            sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum += value * f64::from(x));
        });
    }

    /// Adds what it says of a row, whose text in a column is given, to the row's scores.
    pub fn add<'t>(&self, text: impl Fn(usize) -> Option<&'t str>, scores: &mut [f64]) {
        let mut sums = vec![0.0; scores.len()];
        for (block, TextBlock { column, .. }) in self.part.blocks.iter().enumerate() {
            if let Some(text) = text(*column as usize) {
                self.add_block(block, text, &mut sums);
            }
        }
        scores.iter_mut().zip(sums).for_each(|(score, sum)| *score += applied(1.0, sum));
    }

    /// Adds what it says of all rows to their scores.
    pub fn add_rows(&self, frame: &Frame, scores: &mut Scores) {
        self.add_all(|row, column| frame.text(row, column), scores);
    }

    /// The same, given the text of a row in a column.
    pub(crate) fn add_all<'t>(
        &self,
        text: impl Fn(usize, usize) -> Option<&'t str> + Sync,
        scores: &mut Scores,
    ) {
        let width = scores.width();
        let rows = scores.values_mut().par_chunks_mut(width).enumerate().with_min_len(ROWS);
        rows.for_each(|(row, scores)| self.add(|column| text(row, column), scores));
    }
}
