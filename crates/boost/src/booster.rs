//! What a boosting algorithm is: scores → target, fit → step.
//!
//! The loop in [`train`](crate::train) owns everything else. A booster keeps no state of its own: weights, costs and
//! residuals are functions of the scores, so resuming, staging and checking come for free.

use polyboost_data::Labels;
use polyboost_kernel::{Statistics, Totals};

use crate::scores::Scores;
use crate::tree::Tree;
use crate::votes::Vote;

/// Where training stands.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// The answers to learn.
    pub labels: &'a Labels,
    /// The scores of all rows.
    pub scores: &'a Scores,
    /// Exact sums over rows.
    pub totals: Totals<'a>,
}

impl Now<'_> {
    /// The class of each row.
    pub fn classes(&self) -> &[u32] {
        classes(self.labels)
    }
}

/// How channels are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// So many numbers a row.
    Dense(usize),
    /// One number a row, in the channel of its class.
    OneHot(usize),
}

/// What the weak learner is asked for.
pub struct Target {
    /// The layout of the channels.
    pub shape: Shape,
    /// What regions may answer.
    pub vote: Box<dyn Vote>,
    /// Bounds on the absolute values of the channels, where they are known beforehand and the values are spread over
    /// them (weights of boosting are not: a few are large, most are small).
    pub bounds: Option<Vec<f64>>,
    /// What edges are measured against: the total weight, or the loss.
    pub norm: f64,
    /// The loss that the algorithm lowers, at the present scores.
    pub loss: f64,
}

impl Target {
    /// The channels as the kernel wants them.
    pub fn statistics<'a>(&self, values: &'a [f64], labels: &'a Labels) -> Statistics<'a> {
        match self.shape {
            Shape::Dense(width) => Statistics::Dense { values, width },
            Shape::OneHot(width) => Statistics::OneHot { values, width, labels: classes(labels) },
        }
    }
}

/// The class of each row (none for label sets).
fn classes(labels: &Labels) -> &[u32] {
    match labels {
        Labels::Classes { of, .. } => of,
        Labels::Sets { .. } => &[],
    }
}

/// A weak hypothesis and what it does on the training rows.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The hypothesis.
    pub tree: Tree,
    /// The leaf of every row.
    pub leaf_of: Vec<u32>,
    /// The cost of its answers.
    pub cost: f64,
}

impl Fit {
    /// The class that the hypothesis names for a row.
    #[inline]
    pub fn label(&self, row: usize) -> Option<u32> {
        match &self.tree.answers {
            crate::tree::Answers::Labels(labels) => Some(labels[self.leaf_of[row] as usize]),
            crate::tree::Answers::Vectors { .. } => None,
        }
    }
}

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Stop {
    /// All rounds are done.
    Rounds,
    /// A hypothesis without error: nothing is left to learn.
    Perfect,
    /// No hypothesis is better than chance.
    NoEdge,
    /// The validation rows have not improved for too long.
    Patience,
    /// The user asked for it.
    Interrupted,
}

impl Stop {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Perfect => "perfect",
            Self::NoEdge => "no_edge",
            Self::Patience => "patience",
            Self::Interrupted => "interrupted",
        }
    }
}

/// Figures of a step that a paper defines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How much better than chance the hypothesis is.
    pub edge: Option<f64>,
    /// The normaliser of the weights, Z.
    pub z: Option<f64>,
    /// The factor by which the bound on the training error falls.
    pub bound_factor: Option<f64>,
}

/// What to do with a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Add it with this weight.
    Take {
        /// The weight.
        alpha: f64,
        /// What to report.
        figures: Figures,
        /// End after it.
        last: Option<Stop>,
    },
    /// End without it.
    Stop(Stop),
}

/// From scores to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Link {
    /// Softmax of this multiple of the scores.
    Softmax(f64),
    /// Each label on its own: sigmoid of its score.
    Sigmoid,
}

/// A boosting algorithm.
pub trait Booster: Send + Sync {
    /// The scores that all rows start with; their number is the width of the score matrix.
    fn start(&self, labels: &Labels, totals: &Totals<'_>) -> Vec<f64>;

    /// Writes the channels of this round and says what regions may answer.
    fn target(&self, now: &Now<'_>, channels: &mut Vec<f64>) -> Target;

    /// The weight of a hypothesis; the channels are those that the target wrote.
    fn step(&self, now: &Now<'_>, target: &Target, channels: &[f64], fit: &Fit) -> Step;

    /// The bound on the training error before the first round, if there is one.
    fn first_bound(&self, labels: &Labels) -> Option<f64>;

    /// From scores to probabilities.
    fn link(&self, labels: &Labels) -> Link;
}
