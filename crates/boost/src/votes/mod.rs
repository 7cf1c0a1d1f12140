//! Votes: what a region may answer, and what the answer costs.

mod abstain;
mod election;
mod factored;
mod label;
mod least_squares;
mod log_odds;
mod mean;
mod newton;
mod signs;
mod unit;

pub use abstain::AbstainVote;
pub use election::{ListVote, PlaceVote};
pub use factored::FactoredVote;
pub use label::{LabelCriterion, LabelVote};
pub use least_squares::LeastSquaresVote;
pub use log_odds::{LogOddsVote, OddsCriterion};
pub use mean::MeanVote;
pub use newton::NewtonVote;
pub use signs::{OneSignVote, SignVote};
pub use unit::UnitVote;

use manyboost_kernel::{Channels, Criterion, Statistics, Totals};

use crate::model::answers::Answers;
use crate::model::tree::Child;

/// How split search works on random projections of the channels.
pub struct Sketch<'a> {
    /// The first channels, which are kept as they are.
    pub kept: usize,
    /// What the search minimises on the weight, the kept channels and the projections.
    pub criterion: &'a dyn Criterion,
}

/// What the two sides of a hyperplane can do for a vote.
pub enum Halves<'a> {
    /// Name a class each, whose costs are channels; the function makes answers of the two names.
    Named(fn(Vec<u32>) -> Answers),
    /// Say +1 on one side and −1 on the other; the only channel is what +1 costs.
    Opposite,
    /// Answer as leaves do, once a channel has been told from its opposite.
    Filled,
    /// Answer as leaves do, once two classes have been told apart; channels are of these classes (of their own number, if
    /// none are given).
    FilledByClass(Option<&'a [u32]>),
}

/// How the answers of regions are weighted means of responses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Means {
    /// Where the weights are.
    pub weights: MeanWeights,
    /// No answer has a larger absolute value.
    pub most: f64,
}

/// The weights of responses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeanWeights {
    /// Those of rows; all channels are responses.
    Rows,
    /// The first channel; the others are responses times it.
    Channel,
    /// As `Channel`, to choose a feature. Then each number of an answer has a curvature of its own, which the sums of a region
    /// end with, and `ridge` is added to it.
    Curvatures {
        /// What is added.
        ridge: f64,
    },
}

impl MeanWeights {
    /// The weight of one of so many numbers of the answer of a region with these sums.
    pub fn of(self, sums: &[f64], numbers: usize, number: usize) -> f64 {
        match self {
            Self::Rows => sums[0],
            Self::Channel => sums[1],
            Self::Curvatures { ridge } => sums[1 + numbers + number] + ridge,
        }
    }
}

/// The leaves of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Leaves<'a> {
    /// The sums of each leaf, leaf after leaf.
    pub sums: &'a [f64],
    /// Where the sides of each cut lead; parents before children.
    pub sides: &'a [[Child; 2]],
    /// The leaves that answer for themselves, where sides of a cut would otherwise answer together.
    pub settled: &'a [bool],
}

/// What a region may answer.
pub trait Vote: Send + Sync {
    /// What split search minimises.
    fn criterion(&self) -> &dyn Criterion;

    /// How to search on projections of the channels.
    fn sketch(&self) -> Sketch<'_>;

    /// The sums that [`Vote::answers`] wants of each group of rows: the weight first, then the channels.
    fn leaf_sums(&self, totals: &Totals<'_>, statistics: &Statistics<'_>, groups: &[&[u32]]) -> Vec<f64> {
        totals.by_group(statistics, groups)
    }

    /// The same of channels that the learner took in rounded.
    fn rounded_leaf_sums(&self, totals: &Totals<'_>, channels: &Channels, groups: &[&[u32]]) -> Vec<f64> {
        channels.by_group(totals, groups)
    }

    /// What a linear classifier can do for it; `None` if nothing. There are `width` channels.
    fn for_hyperplane(&self, _width: usize) -> Option<Halves<'_>> {
        None
    }

    /// As [`Vote::answers`], for the sides of a hyperplane that was fitted to something else.
    fn side_answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        self.answers(sums, stride)
    }

    /// How its answers are means, if they are: what a straight line for it is fitted to.
    fn for_line(&self) -> Option<Means> {
        None
    }

    /// The best answers of regions with these sums, `stride` numbers each, and what they cost together.
    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64);

    /// The answers of a tree's leaves, whose sums have `stride` numbers each, and what they cost together: the best of each,
    /// unless sides of a cut answer together.
    fn tree_answers(&self, leaves: &Leaves<'_>, stride: usize) -> (Answers, f64) {
        self.answers(leaves.sums, stride)
    }
}
