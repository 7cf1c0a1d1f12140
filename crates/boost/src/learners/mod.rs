//! Weak learners: from a question to a hypothesis.

mod c45;
mod columns;
mod entries;
mod grow;
mod line;
mod linear;
mod product;
mod replay;
mod sketch;
mod tree;
mod tree_parameters;

pub use c45::{C45Learner, C45Parameters};
pub(crate) use entries::take_learner;
pub use entries::{LEARNERS, LearnerEntry};
#[doc(hidden)]
pub use grow::{Rehearsal, rehearse};
pub use line::{LineLearner, LineParameters};
pub(crate) use linear::cells_of;
pub use linear::{LinearLearner, LinearParameters, Regression};
pub(crate) use product::MOST_FACTORS;
pub use product::{ProductLearner, ProductParameters};
pub use tree::TreeLearner;
pub use tree_parameters::{Growth, TreeParameters};
pub(crate) use tree_parameters::{MOST_DEPTH, MOST_LEAVES};

use std::fmt::Debug;
use std::sync::Arc;

use manyboost_data::{Dataset, Encoder, Error, ErrorKind, Result};
use manyboost_kernel::{Seed, Statistics, Totals};

use crate::engine::fast::TakesChannels;
use crate::model::hypothesis::Cells;
use crate::spec::booster::{Asks, Booster, FittedHypothesis, Query};

/// What a weak learner is asked in a round.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The question.
    pub query: &'a Query,
    /// Its channels.
    pub statistics: &'a Statistics<'a>,
    /// Exact sums over rows.
    pub totals: &'a Totals<'a>,
    /// Makes the random choices of the round.
    pub seed: Seed,
}

/// Finds hypotheses on one data set, round after round.
pub trait WeakLearner: Send {
    /// A hypothesis for this question.
    fn fit(&mut self, task: &Task<'_>) -> FittedHypothesis;

    /// The cell of every training row in a hypothesis of an earlier run.
    fn cells_of(&self, cells: &Cells) -> Vec<u32>;

    /// The door to the [fast paths](crate::engine::fast), if it has one.
    fn takes_channels(&mut self) -> Option<&mut dyn TakesChannels> {
        None
    }
}

/// Refuses what is no share of the rows.
fn check_subsample(share: f64) -> Result<()> {
    if share > 0.0 && share <= 1.0 {
        return Ok(());
    }
    Err(Error::parameter("subsample", &share.to_string(), "a number above 0, up to 1"))
}

/// Which weak learner, and how it works.
#[derive(Clone, Debug, PartialEq)]
pub enum LearnerParameters {
    /// Trees.
    Tree(TreeParameters),
    /// Linear classifiers.
    Linear(LinearParameters),
    /// Straight lines over one feature.
    Line(LineParameters),
    /// Products of stumps.
    Product(ProductParameters),
    /// Trees as C4.5 grows and prunes them.
    C45(C45Parameters),
    /// Another one.
    Own(Arc<dyn OwnLearner>),
}

/// A weak learner of your own (see the [guide](crate::guide::own_learner)).
///
/// Use it where none of the learners here will do. Its hypotheses must have cells that models know ([`Cells`]). A model
/// does not remember who found its hypotheses: it says that the learner was the booster's default.
pub trait OwnLearner: Debug + Send + Sync {
    /// The learner for a data set; `totals` are those of its rows.
    fn learner<'a>(
        &self,
        data: &'a Dataset,
        encoder: &'a Encoder,
        totals: &Totals<'_>,
    ) -> Result<Box<dyn WeakLearner + 'a>>;

    /// Whether it has answers to what a booster asks for.
    fn answers(&self, _asks: Asks) -> bool {
        true
    }

    /// Whether it needs the values of rows beside their codes.
    fn needs_values(&self) -> bool {
        false
    }

    /// Whether another seed may find another hypothesis: it is then asked again where it found none.
    fn draws(&self) -> bool {
        false
    }
}

impl PartialEq for dyn OwnLearner {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

impl LearnerParameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.validate(),
            Self::Linear(linear) => linear.validate(),
            Self::Line(line) => line.validate(),
            Self::Product(product) => product.validate(),
            Self::C45(tree) => tree.validate(),
            Self::Own(_) => Ok(()),
        }
    }

    /// Whether the values of rows are needed beside their codes (see
    /// [`PrepareOptions::values`](manyboost_data::PrepareOptions)).
    pub fn needs_values(&self) -> bool {
        match self {
            Self::Tree(_) | Self::Product(_) | Self::C45(_) => false,
            Self::Linear(_) | Self::Line(_) => true,
            Self::Own(own) => own.needs_values(),
        }
    }

    /// Refuses boosters that ask for other answers than the learner gives.
    pub(crate) fn check_booster(&self, booster: &dyn Booster) -> Result<()> {
        let asks = booster.asks();
        let (has, what, remedy) = match self {
            Self::Tree(_) => return Ok(()),
            Self::Linear(_) => (
                matches!(asks, Asks::OwnClass | Asks::Classes | Asks::Signs),
                "`learner=linear` tells two classes or signs apart, and this booster asks for numbers",
                "choose `learner=stump`, `learner=tree` or `learner=line`, or a booster that asks for classes or signs: \
                 iter, samme, m1, mm, os, mh, mr, ova, ecc, adaboost with `answers=sign`, …",
            ),
            Self::Line(_) => (
                asks == Asks::Numbers,
                "`learner=line` fits numbers, and this booster asks for classes, signs or odds",
                "choose `learner=stump` or `learner=tree`, or a booster that asks for numbers: mcboost, logitboost, \
                 cd-mcboost or gd-mcboost with `answers=least-squares`, adaboost with `answers=mean`",
            ),
            Self::Product(_) => (
                matches!(asks, Asks::Signs | Asks::SharedSigns),
                "products of stumps answer +1 or -1, and this booster asks for other answers",
                "choose `learner=stump` or `learner=tree`, or a booster of signs: mh, mo, mr, ova, ecc, cd-mcboost or \
                 adaboost with `answers=sign`",
            ),
            Self::C45(_) => (
                asks == Asks::OwnClass,
                "`learner=c45` grows by weights of classes, and this booster asks for other things",
                "choose m1 or samme, or `learner=tree`",
            ),
            Self::Own(own) => (
                own.answers(asks),
                "the weak learner has no answers to what this booster asks for",
                "choose another booster",
            ),
        };
        if has { Ok(()) } else { Err(Error::new(ErrorKind::Parameter, what, remedy)) }
    }

    /// Whether another seed may find another hypothesis.
    pub fn draws(&self) -> bool {
        match self {
            Self::Tree(tree) | Self::Product(ProductParameters { stump: tree, .. }) => {
                tree.random_cuts > 0 || tree.feature_fraction < 1.0 || tree.subsample < 1.0
            }
            Self::Line(line) => line.subsample < 1.0,
            Self::Linear(linear) => linear.draws(),
            Self::C45(_) => false,
            Self::Own(own) => own.draws(),
        }
    }

    /// The learner for a data set, unless it cannot work on it; `totals` are those of its rows.
    pub fn learner<'a>(
        &self,
        data: &'a Dataset,
        encoder: &'a Encoder,
        totals: &Totals<'_>,
    ) -> Result<Box<dyn WeakLearner + 'a>> {
        Ok(match self {
            Self::Tree(tree) => Box::new(TreeLearner::new(tree.clone(), data, encoder, totals)),
            Self::Line(line) => Box::new(LineLearner::new(*line, data, encoder, totals)?),
            Self::Linear(linear) => Box::new(LinearLearner::new(*linear, data, encoder, totals)?),
            Self::Product(product) => Box::new(ProductLearner::new(product.clone(), data, encoder, totals)),
            Self::C45(tree) => Box::new(C45Learner::new(*tree, data, encoder, totals)),
            Self::Own(own) => own.learner(data, encoder, totals)?,
        })
    }
}
