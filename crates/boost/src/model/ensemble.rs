//! What training makes: a sum of weighted hypotheses, and how to read classes and probabilities off it.

use std::sync::Arc;

use manyboost_data::{Dataset, Frame, Result};
use serde::{Deserialize, Serialize};

use crate::engine::memory::check_scores;
use crate::engine::scores::Scores;
use crate::model::hypothesis::Hypothesis;
use crate::model::reading::Reading;
use crate::model::text::{TextPart, TextScorer};

/// A hypothesis and its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The weight.
    pub alpha: f64,
    /// The hypothesis.
    pub hypothesis: Hypothesis,
}

/// The hypotheses of a round, and what it adds to all scores behind them, if it does: the threshold of a ranking.
pub fn parted(terms: &[Term]) -> (&[Term], Option<f64>) {
    match terms {
        [found @ .., Term { alpha, hypothesis }] if !found.is_empty() && hypothesis.is_constant() => {
            (found, Some(*alpha))
        }
        _ => (terms, None),
    }
}

/// A weighted sum of hypotheses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ensemble {
    /// The scores before the first round, of a row without text.
    pub start: Vec<f64>,
    /// What texts add to them. It has a section of its own in the files of models.
    #[serde(skip)]
    pub text: Option<Arc<TextPart>>,
    /// The hypotheses of each round: one for most algorithms, one for each class for some.
    pub rounds: Vec<Vec<Term>>,
    /// From scores to classes and probabilities.
    pub reading: Reading,
}

impl Ensemble {
    /// Refuses so many rows at a time, if there is no memory for what is said of them, or for the hypotheses laid out.
    pub fn claim(&self, rows: usize) -> Result<()> {
        let width = self.start.len();
        let bytes = |term: &Term| term.hypothesis.answers.applied_bytes(width);
        let laid_out = self.terms().map(bytes).fold(0, u64::saturating_add);
        check_scores(laid_out, rows, width.max(self.reading.classes(width)))
    }

    /// The scores of rows before the first round.
    pub fn first_scores(&self, frame: &Frame) -> Scores {
        let mut scores = Scores::new(frame.rows(), &self.start);
        if let Some(text) = &self.text {
            TextScorer::new(text).add_rows(frame, &mut scores);
        }
        scores
    }

    /// The same of training rows, if their texts were kept.
    pub fn first_training_scores(&self, data: &Dataset) -> Scores {
        let mut scores = Scores::new(data.rows(), &self.start);
        if let Some(text) = &self.text {
            let texts = |row: usize, column: usize| {
                let of = data.texts.iter().find(|texts| texts.column as usize == column)?;
                of.words.get(row)
            };
            TextScorer::new(text).add_all(texts, &mut scores);
        }
        scores
    }

    /// The hypotheses of all rounds, one after the other.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.rounds.iter().flatten()
    }

    /// What to tell the user of an ensemble that has learnt nothing.
    pub fn warning(&self) -> Option<&'static str> {
        const NOTHING: &str = "nothing was learnt, every row gets the same answer: check that each column was read as what \
                               it is, and that columns have to do with the answers";
        self.is_constant().then_some(NOTHING)
    }

    /// Whether it answers every row alike: nothing was learnt but what answers are common.
    pub fn is_constant(&self) -> bool {
        self.text.is_none() && self.terms().all(|term| term.hypothesis.cells.features().next().is_none())
    }
}
