//! What training makes: a sum of weighted hypotheses, and how to read classes and probabilities off it.

use manyboost_data::Result;
use serde::{Deserialize, Serialize};

use crate::engine::memory::check_scores;
use crate::model::hypothesis::Hypothesis;
use crate::model::reading::Reading;

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
    /// The scores before the first round.
    pub start: Vec<f64>,
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
        self.terms().all(|term| term.hypothesis.cells.features().next().is_none())
    }
}
