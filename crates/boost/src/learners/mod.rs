//! Weak learners: from a question to a hypothesis.

mod columns;
mod grow;
mod line;
mod linear;
mod product;
mod replay;
mod sketch;
mod tree;

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
use crate::spec::booster::{Booster, FittedHypothesis, Query, Target};
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
    let what = format!("--subsample {share}: out of range");
    Err(Error::new(ErrorKind::Parameter, what, "give --subsample a value above 0, up to 1"))
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

/// What is said of a hyperplane whose two sides cannot answer, and what to do.
const NO_SIDES: (&str, &str) = (
    "--learner linear tells two classes or signs apart, and this booster asks for numbers",
    "choose --learner stump, tree or line, or a booster that queries for classes or signs: iter, samme, m1, mm, \
     os, mh, mr, ova, ecc, adaboost --answers sign, …",
);

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
        if matches!(self, Self::Product(_)) && !booster.takes_signs() {
            let what = "products of stumps answer +1 or -1, and this booster asks for other answers";
            let remedy = "choose --learner stump or tree, or a booster of signs: mh, mo, mr, ova, ecc, \
                          cd-mcboost or adaboost with --answers sign";
            return Err(Error::new(ErrorKind::Parameter, what, remedy));
        }
        if matches!(self, Self::Linear(_)) && !booster.takes_sides() {
            return Err(Error::new(ErrorKind::Parameter, NO_SIDES.0, NO_SIDES.1));
        }
        Ok(())
    }

    /// Refuses questions that the learner has no answer to.
    pub fn check_target(&self, target: &Target) -> Result<()> {
        let (answered, what, remedy): (fn(&Query) -> bool, _, _) = match self {
            Self::Tree(_) | Self::Product(_) => return Ok(()),
            Self::Linear(_) => (|query| query.vote.halves(query.width()).is_some(), NO_SIDES.0, NO_SIDES.1),
            Self::Line(_) => (
                |query| query.vote.means().is_some(),
                "--learner line fits numbers, and this booster asks for classes, signs or odds",
                "choose --learner stump or tree, or a booster that queries for numbers: mcboost, logitboost, cd-mcboost or \
                 gd-mcboost --answers least-squares, adaboost --answers mean",
            ),
        };
        if target.queries.iter().all(answered) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Parameter, what, remedy))
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
