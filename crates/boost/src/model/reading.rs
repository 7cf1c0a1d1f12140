//! How to read classes and probabilities off scores.

use std::borrow::Cow;

use manyboost_kernel::loss::softmax::{sigmoid, softmax};
use manyboost_kernel::numbers::math::exp;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::codes::code::Code;
use crate::engine::scores::{Scores, argmax};
use crate::losses::OwnLoss;
use crate::losses::cost_logistic::CostMargins;
use crate::model::epochs;

/// Links multiply scores by less.
const STEEPEST: f64 = (1u32 << 20) as f64;

/// From the score matrix to scores of classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Decode {
    /// They are the same.
    #[default]
    Plain,
    /// Scores are of the bits of a code; a class has minus the number of its bits that are not their signs.
    Hamming(Code),
    /// Scores are of the bits of a code; a class has minus the logarithm of its exponential loss.
    Loss(Code),
    /// A class has as many points as epochs spoke for it: the first half are votes, the second half is its standing.
    Epochs,
    /// A class has the logarithm of its probability under the loss of these costs.
    Margins(CostMargins),
    /// A class has the logarithm of its probability under a loss of one's own; the one with the highest score has the largest.
    Own(OwnLoss),
}

/// From scores of classes to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Link {
    /// Softmax of this multiple of the scores.
    Softmax(f64),
    /// Each label on its own: sigmoid of this multiple of its score.
    Sigmoid(f64),
    /// As `Sigmoid`, then divided by the sum over the classes, of which a row has one.
    Odds(f64),
    /// In proportion to 1/(1 − p), where p is the softmax of the scores: the inverse link of the Savage loss (Saberian & Vasconcelos 2019,
    /// Table 3). With three classes and more it reaches only probabilities η with (M − 1)/η < Σ 1/η for each of them.
    Savage,
}

/// How to read classes and probabilities off scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// First, to scores of classes.
    pub decode: Decode,
    /// Then to probabilities.
    pub link: Link,
}

impl From<Link> for Reading {
    fn from(link: Link) -> Self {
        Self { decode: Decode::Plain, link }
    }
}

impl Reading {
    /// Whether scores are scores of classes as they are.
    pub fn is_plain(&self) -> bool {
        self.decode == Decode::Plain
    }

    /// Whether the class of the highest score is the class that is meant.
    pub(crate) fn ranks_by_scores(&self) -> bool {
        matches!(self.decode, Decode::Plain | Decode::Own(_))
    }

    /// The number of classes, given the number of scores of a row.
    pub fn classes(&self, width: usize) -> usize {
        match &self.decode {
            Decode::Plain | Decode::Margins(_) | Decode::Own(_) => width,
            Decode::Hamming(code) | Decode::Loss(code) => code.classes(),
            Decode::Epochs => width / 2,
        }
    }

    /// Whether rows of so many scores can be read.
    pub fn is_valid(&self, width: usize) -> bool {
        match &self.decode {
            Decode::Plain => true,
            Decode::Own(_) => OwnLoss::check(width).is_ok(),
            Decode::Hamming(code) | Decode::Loss(code) => code.is_valid() && code.bits() == width,
            Decode::Epochs => width.is_multiple_of(2),
            Decode::Margins(margins) => margins.is_valid() && margins.classes() == width,
        }
    }

    /// The scores of classes of all rows.
    pub fn scores<'a>(&self, scores: Cow<'a, Scores>) -> Cow<'a, Scores> {
        if self.is_plain() {
            return scores;
        }
        let (rows, width) = (scores.rows(), scores.width());
        let mut decoded = Scores::new(rows, &vec![0.0; self.classes(width)]);
        let width = decoded.width();
        decoded.values_mut().par_chunks_mut(width).enumerate().with_min_len(1024).for_each_init(
            Vec::new,
            |buffer, (row, out)| {
                out.copy_from_slice(self.class_scores(scores.row(row), buffer));
            },
        );
        Cow::Owned(decoded)
    }

    /// The scores of classes, from a row of scores.
    pub fn class_scores<'a>(&self, scores: &'a [f64], buffer: &'a mut Vec<f64>) -> &'a [f64] {
        match &self.decode {
            Decode::Plain => return scores,
            Decode::Hamming(code) => code.agreements(scores, buffer),
            Decode::Loss(code) => code.losses(scores, buffer),
            Decode::Epochs => epochs::counts(scores, buffer),
            Decode::Margins(margins) => margins.logarithms(scores, buffer),
            Decode::Own(loss) => loss.logarithms(scores, buffer),
        }
        buffer
    }
}

impl Link {
    /// The same for this multiple of the scores: below 1, probabilities are less sure.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        match self {
            Self::Softmax(scale) => Self::Softmax(scale * factor),
            Self::Sigmoid(scale) => Self::Sigmoid(scale * factor),
            Self::Odds(scale) => Self::Odds(scale * factor),
            Self::Savage => Self::Savage,
        }
    }

    /// The probabilities of all rows, from their scores of classes.
    pub fn apply_rows(self, mut scores: Scores) -> Scores {
        let width = scores.width();
        scores.values_mut().par_chunks_mut(width).with_min_len(1024).for_each(|row| self.apply(row));
        scores
    }

    /// Whether scores can be multiplied by it.
    pub fn is_valid(self) -> bool {
        match self {
            Self::Softmax(scale) | Self::Sigmoid(scale) | Self::Odds(scale) => {
                scale > 0.0 && scale < STEEPEST
            }
            Self::Savage => true,
        }
    }

    /// Turns a row's scores of classes into probabilities, in place. The likeliest class is the one with the highest
    /// score.
    pub fn apply(self, scores: &mut [f64]) {
        let raw = scores.to_vec();
        let scaled = |scale: f64| raw.iter().map(|s| s * scale).collect::<Vec<f64>>();
        match self {
            _ if raw.is_empty() => return,
            Self::Softmax(scale) => softmax(&scaled(scale), raw.len(), scores),
            Self::Sigmoid(scale) => return sigmoid(&scaled(scale), scores),
            Self::Odds(scale) => {
                // Far below zero all sigmoids vanish, and only their ratios count.
                let most = raw.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) * scale;
                if most < -30.0 {
                    softmax(&scaled(scale), raw.len(), scores);
                } else {
                    sigmoid(&scaled(scale), scores);
                    let sum: f64 = scores.iter().sum();
                    for p in scores.iter_mut() {
                        *p /= sum;
                    }
                }
            }
            Self::Savage => savage(&raw, scores),
        }
        // Where rounding makes the likeliest classes equal, the one with the highest score stays ahead.
        let (best, likeliest) = (argmax(&raw), argmax(scores));
        if likeliest != best {
            scores[best] = scores[likeliest].next_up();
        }
    }
}

/// In proportion to 1/(1 − p), with p the softmax of the scores.
fn savage(raw: &[f64], out: &mut [f64]) {
    let best = argmax(raw);
    for (out, score) in out.iter_mut().zip(raw) {
        *out = exp(score - raw[best]);
    }
    // What the others have: for the best that may be very little, for all others it is 1 at least.
    let rest: f64 = out.iter().enumerate().filter(|&(k, _)| k != best).map(|(_, e)| e).sum();
    let rest = rest.max(f64::MIN_POSITIVE);
    let odds = |k: usize, e: f64| if k == best { 1.0 } else { rest / (1.0 + (rest - e).max(0.0)) };
    let sum: f64 = out.iter().enumerate().map(|(k, &e)| odds(k, e)).sum();
    for (k, out) in out.iter_mut().enumerate() {
        *out = odds(k, *out) / sum;
    }
}
