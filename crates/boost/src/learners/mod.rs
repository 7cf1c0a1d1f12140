//! Weak learners: from a question to a hypothesis.

mod columns;
mod entries;
mod grow;
mod line;
mod linear;
mod product;
mod replay;
mod sketch;
mod tree;

pub(crate) use entries::take_learner;
pub use entries::{LEARNERS, LearnerEntry};
pub use line::{LineLearner, LineParameters};
pub(crate) use linear::cells_of;
pub use linear::{LinearLearner, LinearParameters, Regression};
pub(crate) use product::MOST_FACTORS;
pub use product::{ProductLearner, ProductParameters};
pub use tree::{Growth, TreeLearner, TreeParameters};
pub(crate) use tree::{MOST_DEPTH, MOST_LEAVES};

use manyboost_data::{Dataset, Encoder, Error, ErrorKind, Result};
use manyboost_kernel::{RowUpdate, Seed, Statistics, Totals};

use crate::engine::sink::{Bounds, Write};
use crate::model::hypothesis::Cells;
use crate::spec::booster::{Asks, Booster, FittedHypothesis, Query};
use crate::votes::Vote;

/// Finds hypotheses on one data set, round after round.
pub trait WeakLearner: Send {
    /// A hypothesis for this question.
    fn fit(
        &mut self,
        query: &Query,
        statistics: &Statistics<'_>,
        totals: &Totals<'_>,
        seed: Seed,
    ) -> FittedHypothesis;

    /// The cell of every training row in a hypothesis of an earlier run.
    fn cells_of(&self, cells: &Cells) -> Vec<u32>;

    /// Takes in the channels of the next question while they are written; see [`ChannelSink`](crate::engine::sink::ChannelSink).
    fn quantise_rows(
        &mut self,
        _vote: &dyn Vote,
        _bounds: Bounds<'_>,
        _totals: &Totals<'_>,
        _seed: Seed,
        _write: Write<'_>,
    ) -> Option<i64> {
        None
    }

    /// Whether so many channels are kept from round to round.
    fn keeps(&self, _channels: usize) -> bool {
        false
    }

    /// Takes in what changed in kept channels; see [`ChannelSink`](crate::engine::sink::ChannelSink).
    fn keep(&mut self, _totals: &Totals<'_>, _rewrite: &RowUpdate<'_>) -> Option<Vec<f64>> {
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
}

impl LearnerParameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.validate(),
            Self::Linear(linear) => linear.validate(),
            Self::Line(line) => line.validate(),
            Self::Product(product) => product.validate(),
        }
    }

    /// Whether the values of rows are needed beside their codes (see
    /// [`PrepareOptions::values`](manyboost_data::PrepareOptions)).
    pub fn needs_values(&self) -> bool {
        matches!(self, Self::Linear(_) | Self::Line(_))
    }

    /// Refuses boosters that ask for other answers than the learner gives.
    pub fn check_booster(&self, booster: &dyn Booster) -> Result<()> {
        let asks = booster.asks();
        let (has, what, remedy) = match self {
            Self::Tree(_) => return Ok(()),
            Self::Linear(_) => (
                matches!(asks, Asks::Classes | Asks::Signs),
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
        };
        if has { Ok(()) } else { Err(Error::new(ErrorKind::Parameter, what, remedy)) }
    }

    /// Whether another seed may find another hypothesis.
    pub fn draws(&self) -> bool {
        match self {
            Self::Tree(tree) | Self::Product(ProductParameters { stump: tree, .. }) => {
                tree.cuts > 0 || tree.features < 1.0 || tree.subsample < 1.0
            }
            Self::Line(line) => line.subsample < 1.0,
            Self::Linear(linear) => linear.draws(),
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
        })
    }
}
