//! What training makes: a sum of weighted hypotheses, and how to read classes and probabilities off it.

use serde::{Deserialize, Serialize};

use crate::hypothesis::Hypothesis;
use crate::reading::Reading;

/// A hypothesis and its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The weight.
    pub alpha: f64,
    /// The hypothesis.
    pub hypothesis: Hypothesis,
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
    /// The hypotheses of all rounds, one after the other.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.rounds.iter().flatten()
    }
}
