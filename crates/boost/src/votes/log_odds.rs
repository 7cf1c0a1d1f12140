//! A region answers with half the logarithm of the odds of each label. Channels of a row: its weights W₊ for each label that
//! it has (else 0), then its weights W₋ for each that it has not (else 0).

use manyboost_data::Result;
use manyboost_kernel::Criterion;
use manyboost_kernel::numbers::math::{exp, ln};
use manyboost_kernel::search::odds::{OddsEntropy, OddsGini};
use manyboost_kernel::search::score::{LeastSquares, LogOdds};

use super::{Sketch, Vote};
use crate::model::answers::Answers;
use crate::spec::option::Choice;
use crate::spec::options::Options;

/// What split search minimises when regions answer with confidences (Schapire & Singer 1999, section 4.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OddsCriterion {
    /// The normaliser Z, all that a theorem asks for.
    #[default]
    Z,
    /// Gini impurity of each label, as CART has it.
    Gini,
    /// Entropy of each label, as C4.5 has it.
    Entropy,
}

const CRITERION: Choice<OddsCriterion> = Choice::of_learner(
    "criterion",
    "What cuts minimise",
    &[
        ("z", OddsCriterion::Z, "the normaliser Z, all that a theorem asks for"),
        ("gini", OddsCriterion::Gini, "Gini impurity, as CART does"),
        ("entropy", OddsCriterion::Entropy, "entropy, as C4.5 does"),
    ],
);

impl OddsCriterion {
    /// Takes what options ask for; models remember it if it was given.
    pub(crate) fn from_options(options: &mut Options) -> Result<Self> {
        Ok(options.take_given(&CRITERION)?.unwrap_or_default())
    }
}

/// A confidence for each label: ½ ln((W₊ + ε)/(W₋ + ε)). Splits are searched with ε = 0.
#[derive(Clone, Copy, Debug)]
pub struct LogOddsVote {
    /// ε: added to both weights of a region, so that answers stay finite.
    smoothing: f64,
    /// What splits minimise.
    criterion: OddsCriterion,
}

impl LogOddsVote {
    /// With ε as a share of `norm`, the sum of all weights. Where weights have become so small that their share is nothing, the least
    /// normal number takes its place.
    pub fn new(norm: f64, share: f64) -> Self {
        Self { smoothing: (norm * share).max(f64::MIN_POSITIVE), criterion: OddsCriterion::Z }
    }

    /// The same with other splits.
    #[must_use]
    pub fn by(self, criterion: OddsCriterion) -> Self {
        Self { criterion, ..self }
    }

    /// ½ ln((W₊ + ε)/(W₋ + ε)).
    pub fn confidence(&self, plus: f64, minus: f64) -> f64 {
        0.5 * ln((plus + self.smoothing) / (minus + self.smoothing))
    }
}

impl Vote for LogOddsVote {
    fn criterion(&self) -> &dyn Criterion {
        match self.criterion {
            OddsCriterion::Z => &LogOdds,
            OddsCriterion::Gini => &OddsGini,
            OddsCriterion::Entropy => &OddsEntropy,
        }
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    /// The cost is the sum of weights after these answers.
    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let width = stride / 2;
        let mut values = Vec::with_capacity(sums.len() / 2);
        let mut cost = 0.0;
        for sums in sums.chunks_exact(stride) {
            let (plus, minus) = sums[1..].split_at(width);
            for (p, m) in plus.iter().zip(minus) {
                let c = self.confidence(*p, *m);
                cost += p * exp(-c) + m * exp(c);
                values.push(c);
            }
        }
        (Answers::Vectors { width: width as u32, values }, cost)
    }
}
