//! What training makes: a sum of weighted hypotheses, and how to read probabilities off it.

use serde::{Deserialize, Serialize};

use crate::booster::Link;
use crate::scores::argmax;
use crate::tree::Tree;

/// One round's hypothesis and its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The weight.
    pub alpha: f64,
    /// The hypothesis.
    pub tree: Tree,
}

/// A weighted sum of hypotheses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ensemble {
    /// The scores before the first round.
    pub start: Vec<f64>,
    /// The rounds.
    pub terms: Vec<Term>,
    /// From scores to probabilities.
    pub link: Link,
}

impl Link {
    /// Turns a row of scores into probabilities, in place. The likeliest class is the one with the highest score.
    pub fn apply(self, scores: &mut [f64]) {
        match self {
            Self::Softmax(scale) => {
                let scaled: Vec<f64> = scores.iter().map(|s| s * scale).collect();
                if !scaled.is_empty() {
                    let best = argmax(scores);
                    polyboost_kernel::soft::softmax(&scaled, scaled.len(), scores);
                    // Where rounding makes the likeliest classes equal, the one with the highest score stays ahead.
                    let likeliest = argmax(scores);
                    if likeliest != best {
                        scores[best] = scores[likeliest].next_up();
                    }
                }
            }
            Self::Sigmoid => {
                let raw = scores.to_vec();
                polyboost_kernel::soft::sigmoid(&raw, scores);
            }
        }
    }
}
