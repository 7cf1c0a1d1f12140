//! A region names one class. Its channels are what naming each class would cost.

use manyboost_data::Result;
use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::{Entropy, Gini, LeastCost, LeastSquares};

use super::{Halves, Sketch, Vote};
use crate::model::answers::Answers;
use crate::spec::option::Choice;
use crate::spec::options::Options;

/// What split search minimises when regions name classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelCriterion {
    /// The cost itself: greedy, and all that a theorem asks for.
    #[default]
    Cost,
    /// Gini impurity, as CART does; for weights of classes only.
    Gini,
    /// Entropy, as C4.5 does; for weights of classes only.
    Entropy,
}

const CRITERION: Choice<LabelCriterion> = Choice::of_learner(
    "criterion",
    "What cuts minimise",
    &[
        ("cost", LabelCriterion::Cost, "the cost itself, all that a theorem asks for"),
        ("gini", LabelCriterion::Gini, "Gini impurity, as CART does"),
        ("entropy", LabelCriterion::Entropy, "entropy, as C4.5 does"),
    ],
);

impl LabelCriterion {
    /// Takes what options ask for, the cost by default. Hyperplanes are not found by cuts, C4.5 has its own way, and both leave the option to be
    /// refused.
    pub(crate) fn from_options(options: &mut Options) -> Result<Self> {
        Self::from_options_or(options, Self::Cost)
    }

    /// The same with another default for trees.
    pub(crate) fn from_options_or(options: &mut Options, for_trees: Self) -> Result<Self> {
        match options.taken("learner") {
            Some("linear" | "c45") => Ok(Self::Cost),
            Some("tree") => options.take(&CRITERION, for_trees),
            _ => options.take(&CRITERION, Self::Cost),
        }
    }

    /// What a scan computes.
    pub(super) fn criterion(self) -> &'static dyn Criterion {
        match self {
            Self::Cost => &LeastCost,
            Self::Gini => &Gini,
            Self::Entropy => &Entropy,
        }
    }
}

/// The first of the least costs.
pub(super) fn cheapest(costs: &[f64]) -> usize {
    (1..costs.len()).fold(0, |best, l| if costs[l] < costs[best] { l } else { best })
}

/// One class a region.
#[derive(Clone, Copy, Debug)]
pub struct LabelVote(pub LabelCriterion);

impl Vote for LabelVote {
    fn criterion(&self) -> &dyn Criterion {
        self.0.criterion()
    }

    fn sketch(&self) -> Sketch<'_> {
        // Costs are a direction in class space: regions in which they agree are the good ones.
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    fn for_hyperplane(&self, _: usize) -> Option<Halves<'_>> {
        Some(Halves::Named(Answers::Labels))
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let named = |sums: &[f64]| {
            let class = cheapest(&sums[1..]);
            (class as u32, sums[1 + class])
        };
        let (labels, costs): (Vec<u32>, Vec<f64>) = sums.chunks_exact(stride).map(named).unzip();
        (Answers::Labels(labels), costs.iter().sum())
    }
}
