//! C4.5 as a weak learner.
//!
//! Quinlan (1993), "C4.5: Programs for Machine Learning", release 8 with the defaults of its programs: tests are chosen by gain ratio among
//! those of at least average gain ([`choose`]), categories have a branch for each level, and a tree that has grown is pruned by
//! pessimistic estimates of its errors ([`prune`]). Mukherjee & Schapire 2013, section 10, gives it to AdaBoost.M1. The weight of all rows
//! counts as one for each row, as boosting by weights does it.
//!
//! What differs: rows with a missing value go to the heaviest branch, instead of to all in part, and so do levels without a row in the node;
//! thresholds lie between bins; no way to a leaf has more than 64 tests. Levels are kept apart by tests of sets of levels, so that a model
//! knows nothing but trees.
//!
//! All that is decided follows from sums of whole numbers over all rows, those of other workers included.

mod choose;
mod grow;
mod prune;
#[cfg(test)]
mod tests;

use manyboost_data::{Dataset, Encoder, Error, Result};
use manyboost_kernel::numbers::grid::{Grid, nearest};
use manyboost_kernel::sums::channels::{largest, wide_bits};
use manyboost_kernel::{Bins, Statistics, Totals};

use self::grow::Ground;
use super::{Task, TreeLearner, TreeParameters, WeakLearner};
use crate::model::hypothesis::Cells;
use crate::spec::booster::FittedHypothesis;

/// How trees are grown and pruned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C45Parameters {
    /// Two branches of a test, at least, have so many rows, by weight.
    pub min_rows: f64,
    /// The confidence with which errors are estimated: less prunes more.
    pub confidence: f64,
    /// Whether trees are pruned.
    pub prune: bool,
}

impl Default for C45Parameters {
    fn default() -> Self {
        Self { min_rows: 2.0, confidence: 0.25, prune: true }
    }
}

impl C45Parameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        if !(self.min_rows >= 0.0 && self.min_rows <= 1e15) {
            return Err(Error::parameter("min-rows", &self.min_rows.to_string(), "a number from 0 to 1e15"));
        }
        if !(self.confidence > 0.0 && self.confidence <= 1.0) {
            let allowed = "a number above 0, up to 1";
            return Err(Error::parameter("confidence", &self.confidence.to_string(), allowed));
        }
        Ok(())
    }
}

/// Grows trees on one data set, round after round.
pub struct C45Learner<'a> {
    parameters: C45Parameters,
    bins: &'a Bins,
    /// Units of weight that one row has.
    one: u64,
    /// Makes trees of codes trees of values.
    trees: TreeLearner<'a>,
}

impl<'a> C45Learner<'a> {
    /// For the rows of a data set.
    pub fn new(
        parameters: C45Parameters,
        data: &'a Dataset,
        encoder: &'a Encoder,
        totals: &Totals<'_>,
    ) -> Self {
        let trees = TreeLearner::new(TreeParameters::tree(2), data, encoder, totals);
        Self { parameters, bins: &data.bins, one: data.weights.one(), trees }
    }
}

impl WeakLearner for C45Learner<'_> {
    fn fit(&mut self, task: &Task<'_>) -> FittedHypothesis {
        let Task { query, statistics, totals, .. } = *task;
        let rows: Vec<u32> = query.rows.clone().unwrap_or_else(|| (0..self.bins.rows() as u32).collect());
        let weights = weights(statistics, totals);
        let ground = Ground {
            bins: self.bins,
            labels: labels(statistics),
            weights: &weights,
            classes: statistics.width(),
            rows: totals.units() as f64 / self.one as f64,
            exchange: totals.exchange(),
            parameters: self.parameters,
        };
        let grown = ground.tree(rows);
        let mut found = self.trees.finish_grown(&grown, query, statistics, totals);
        found.count_cover(totals);
        found
    }

    fn cells_of(&self, cells: &Cells) -> Vec<u32> {
        self.trees.cells_of(cells)
    }
}

/// The weight of each row in whole units of a grid: its channel is minus that.
fn weights(statistics: &Statistics<'_>, totals: &Totals<'_>) -> Vec<i64> {
    let bound = largest(statistics, totals.exchange()).into_iter().fold(0.0, f64::max);
    let per_one = Grid::for_largest(bound, wide_bits(totals.units())).per_one();
    let Statistics::OneHot { values, .. } = *statistics else { return Vec::new() };
    let units = totals.weights().units;
    values.iter().zip(units).map(|(x, &unit)| nearest(-x * per_one) * i64::from(unit)).collect()
}

/// The class of each row. Boosters that ask for other channels are refused before.
fn labels<'a>(statistics: &Statistics<'a>) -> &'a [u32] {
    match *statistics {
        Statistics::OneHot { labels, .. } => labels,
        Statistics::Dense { .. } => &[],
    }
}
