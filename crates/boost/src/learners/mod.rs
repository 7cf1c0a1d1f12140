//! Weak learners: from a question to a hypothesis.

mod grow;
mod replay;
mod sketch;
mod tree;

pub use tree::{Growth, TreeLearner, TreeParameters};
pub(crate) use tree::{MOST_DEPTH, MOST_LEAVES};

use polyboost_data::{Dataset, Encoder, Result};
use polyboost_kernel::{Seed, Statistics, Totals};

use crate::booster::{Ask, Fit};
use crate::hypothesis::Cells;
use crate::intake::Write;
use crate::votes::Vote;

/// Finds hypotheses on one data set, round after round.
pub trait WeakLearner: Send {
    /// A hypothesis for this question.
    fn fit(&mut self, ask: &Ask, statistics: &Statistics<'_>, totals: &Totals<'_>, seed: Seed) -> Fit;

    /// The cell of every training row in a hypothesis of an earlier run.
    fn cells_of(&self, cells: &Cells) -> Vec<u32>;

    /// Takes in the channels of the next question while they are written; see [`Intake`](crate::intake::Intake).
    fn take_in(
        &mut self,
        _vote: &dyn Vote,
        _bounds: &[f64],
        _totals: &Totals<'_>,
        _seed: Seed,
        _write: Write<'_>,
    ) -> Option<i64> {
        None
    }
}

/// Which weak learner, and how it works.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnerParameters {
    /// Trees.
    Tree(TreeParameters),
}

impl LearnerParameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.validate(),
        }
    }

    /// Whether another seed may find another hypothesis.
    pub fn draws(&self) -> bool {
        match self {
            Self::Tree(tree) => tree.cuts > 0 || tree.features < 1.0 || tree.subsample < 1.0,
        }
    }

    /// The learner for a data set.
    pub fn learner<'a>(&self, data: &'a Dataset, encoder: &'a Encoder) -> Box<dyn WeakLearner + 'a> {
        match self {
            Self::Tree(tree) => {
                Box::new(TreeLearner::new(tree.clone(), &data.bins, encoder, data.weights.one()))
            }
        }
    }
}
