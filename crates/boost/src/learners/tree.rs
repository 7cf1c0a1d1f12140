//! Trees as weak learners. A stump is a tree with two leaves.

use manyboost_data::agree::any;
use manyboost_data::{Dataset, Encoder};
use manyboost_kernel::bins::groups::by_blocks;
use manyboost_kernel::sums::channels::{BLOCK, largest};
use manyboost_kernel::{
    Bins, CachedChannels, Channels, Cut, Directions, Exchange, Precision, RowUpdate, Rules, Searched,
    Searcher, Seed, Sides, Statistics, Sum, Totals, Within,
};
use rayon::prelude::*;

use super::grow::{Grown, Pace, grow};
use super::replay::{Replay, leaves_of};
use super::sketch::project;
use super::tree_parameters::TreeParameters;
use super::{Task, WeakLearner};
use crate::engine::draws::Draws;
use crate::engine::fast::{Incoming, Storage, TakesChannels, Write};
use crate::model::hypothesis::{Cells, Hypothesis};
use crate::model::tree::{Child, Node, Test, Tree};
use crate::spec::booster::{FittedHypothesis, Query};
use crate::votes::Leaves;

/// So few channels are searched as they are.
const FEW_CHANNELS: usize = 16;
/// Twice the bits of a narrow mean that are worth having: those of a value, and half a bit for each doubling of the rows.
const LEAST_BITS: u32 = 34;
/// A level must weigh as much as so many rows in a region to count in a group of its own.
const MIN_LEVEL: f64 = 4.0;
/// The same where the order of levels is random: what a few rows say does not decide where their level comes.
const MIN_LEVEL_AT_RANDOM: f64 = 2.0;

/// The leaf of each row; `u32::MAX` for those that are in none.
fn leaf_of(leaves: &[&[u32]], rows: usize) -> Vec<u32> {
    let mut leaf_of = vec![u32::MAX; rows];
    let blocks = by_blocks(leaves, rows, BLOCK);
    let each = leaf_of.par_chunks_mut(BLOCK).zip(blocks).enumerate().with_min_len(4);
    each.for_each(|(block, (leaf_of, parts))| {
        for (leaf, rows) in parts {
            for &row in rows {
                leaf_of[row as usize - block * BLOCK] = leaf as u32;
            }
        }
    });
    leaf_of
}

/// The weight of so many rows, in units, of which one row has `one`.
fn units(rows: f64, one: u64) -> i64 {
    (rows * one as f64).ceil() as i64
}

/// The least weight of a leaf, in units.
fn min_weight(parameters: &TreeParameters, one: u64) -> i64 {
    units(parameters.min_rows, one).max(1)
}

/// What the rounding of a round's channels depends on.
fn dither(seed: Seed) -> u64 {
    seed.part(2).bits()
}

/// Grows trees on one data set, round after round.
pub struct TreeLearner<'a> {
    parameters: TreeParameters,
    bins: &'a Bins,
    /// The values behind codes.
    encoder: &'a Encoder,
    /// Units of weight that one row has (see [`Weights::one`](manyboost_data::Weights::one)).
    one: u64,
    narrow: Searcher<'a, i32>,
    wide: Searcher<'a, i64>,
    /// What is searched.
    channels: Channels,
    /// What leaves are filled from, where projections of it are searched.
    whole: Channels,
    kept: CachedChannels,
    sketch: Vec<f64>,
    draws: Option<Draws<'a>>,
    /// What is searched, and what leaves are filled from, where rows count with some of their copies.
    drawn: [Channels; 2],
    /// The rows that weigh anything, where others do not: random cuts lie between the codes of rows, and those are not there.
    there: Option<Vec<u32>>,
    pace: Pace,
}

impl<'a> TreeLearner<'a> {
    /// For the rows of a data set.
    pub fn new(
        parameters: TreeParameters,
        data: &'a Dataset,
        encoder: &'a Encoder,
        totals: &Totals<'_>,
    ) -> Self {
        let (bins, one) = (&data.bins, data.weights.one());
        let searched = if totals.exchange().alone() {
            Searched::of_weight(bins, totals.weights().units, min_weight(&parameters, one))
        } else {
            Searched::new(bins)
        };
        let units = totals.weights().units;
        let lacking = parameters.random_cuts > 0 && any(totals.exchange(), units.contains(&0));
        let there = |&row: &u32| units[row as usize] > 0;
        Self {
            there: lacking.then(|| (0..units.len() as u32).filter(there).collect()),
            draws: (parameters.subsample < 1.0).then(|| Draws::new(data, totals)),
            drawn: Default::default(),
            parameters,
            bins,
            encoder,
            one,
            narrow: Searcher::of(searched.clone()),
            wide: Searcher::of(searched),
            channels: Channels::default(),
            whole: Channels::default(),
            kept: CachedChannels::default(),
            sketch: Vec::new(),
            pace: Pace::default(),
        }
    }
}

impl WeakLearner for TreeLearner<'_> {
    fn fit(&mut self, task: &Task<'_>) -> FittedHypothesis {
        let Task { query, statistics, totals, seed } = *task;
        let sketch = query.vote.sketch();
        let dither = dither(seed);
        let (weights, precision, exchange) = (totals.weights(), self.precision(totals), totals.exchange());
        let within = Within { bounds: &[], weights, precision, seed: dither, exchange };
        let sketched = self.is_sketched(statistics.width(), sketch.kept);
        let criterion = if query.storage == Storage::Rounded && sketched {
            sketch.criterion
        } else if query.storage != Storage::Matrix {
            query.vote.criterion()
        } else if sketched {
            let directions = self.directions(statistics.width(), sketch.kept, seed);
            project(statistics, &directions, &mut self.sketch);
            let sketched = Statistics::Dense { values: &self.sketch, width: directions.width() };
            if query.bounds.is_some() {
                // Sums of values that are spread are spread.
                let within = Within { bounds: &largest(&sketched, exchange), ..within };
                self.channels.quantise_within(&sketched, &within);
            } else {
                self.channels.quantise(&sketched, weights, precision, dither, exchange);
            }
            sketch.criterion
        } else {
            match &query.bounds {
                Some(bounds) => self.channels.quantise_within(statistics, &Within { bounds, ..within }),
                None => self.channels.quantise(statistics, weights, precision, dither, exchange),
            }
            query.vote.criterion()
        };
        let rules = Rules {
            min_weight: min_weight(&self.parameters, self.one),
            equality: self.parameters.equality,
            min_level: units(
                if self.parameters.random_cuts > 0 { MIN_LEVEL_AT_RANDOM } else { MIN_LEVEL },
                self.one,
            ),
            features: self.parameters.feature_fraction,
            cuts: self.parameters.random_cuts,
        };
        let drawn = self
            .draws
            .as_ref()
            .map(|draws| draws.share(query.rows.as_deref(), self.parameters.subsample, totals, seed.part(1)));
        let partly = drawn.as_ref().is_some_and(|drawn| drawn.partly);
        let totals = drawn.as_ref().map_or(*totals, |drawn| totals.partly(&drawn.units));
        if partly {
            let [searched, filled] = &mut self.drawn;
            self.channels.draw(weights.units, totals.weights().units, searched);
            if sketched && query.storage == Storage::Rounded {
                self.whole.draw(weights.units, totals.weights().units, filled);
            }
        }
        let rows = match (&drawn, &query.rows) {
            (Some(drawn), _) => drawn.rows.clone(),
            (None, Some(rows)) if self.there.is_some() => {
                rows.iter().copied().filter(|&row| weights.units[row as usize] > 0).collect()
            }
            (None, Some(rows)) => rows.clone(),
            (None, None) => self.there.clone().unwrap_or_else(|| (0..self.bins.rows() as u32).collect()),
        };
        let [searched, whole] = if partly { self.drawn.each_ref() } else { [&self.channels, &self.whole] };
        let seed = seed.part(4);
        let grown = if query.storage == Storage::Cached {
            let search = self.wide.round(self.kept.channels(), criterion, rules, exchange);
            grow(&search.with(&self.kept), self.bins, rows, &self.parameters, seed, &mut self.pace)
        } else if searched.is_wide() {
            let search = self.wide.round(searched, criterion, rules, exchange);
            grow(&search, self.bins, rows, &self.parameters, seed, &mut self.pace)
        } else {
            let search = self.narrow.round(searched, criterion, rules, exchange);
            grow(&search, self.bins, rows, &self.parameters, seed, &mut self.pace)
        };
        let filled = if sketched { whole } else { searched };
        let unseen = drawn.is_some() || self.there.is_some() || self.leaves_out(query, exchange);
        let mut found = self.finish(&grown, query, statistics, &totals, filled, unseen);
        found.count_cover(task.totals);
        found
    }

    fn cells_of(&self, cells: &Cells) -> Vec<u32> {
        leaves_of(cells, self.bins, self.encoder)
    }

    fn takes_channels(&mut self) -> Option<&mut dyn TakesChannels> {
        Some(self)
    }
}

impl TakesChannels for TreeLearner<'_> {
    fn quantise_rows(
        &mut self,
        incoming: Incoming<'_>,
        totals: &Totals<'_>,
        write: Write<'_>,
    ) -> Option<i64> {
        let Incoming { vote, bounds, seed } = incoming;
        let (width, kept) = (bounds.each.len(), vote.sketch().kept);
        let within = Within {
            bounds: bounds.each,
            weights: totals.weights(),
            precision: self.precision(totals),
            seed: dither(seed),
            exchange: totals.exchange(),
        };
        if self.is_sketched(width, kept) {
            let directions = self.directions(width, kept, seed);
            return self.whole.write_projected(&mut self.channels, &within, &directions, bounds.row, write);
        }
        self.channels.write_within(&within, write)
    }

    /// Stumps on all rows: only the sums of all rows are kept.
    fn keeps(&self, channels: usize) -> bool {
        let TreeParameters { leaves, subsample, precision, .. } = self.parameters;
        leaves == 2 && subsample >= 1.0 && precision != Precision::Narrow && self.wide.keeps(channels)
    }

    fn keep(&mut self, totals: &Totals<'_>, rewrite: &RowUpdate<'_>) -> Option<Vec<f64>> {
        if !self.keeps(rewrite.worth.len()) {
            return None;
        }
        self.wide.rewrite(&mut self.kept, totals, rewrite);
        Some(self.kept.sums(totals))
    }
}

impl TreeLearner<'_> {
    /// The hypothesis that a tree makes which somebody else has grown on the rows of a question.
    pub(super) fn finish_grown(
        &self,
        grown: &Grown,
        query: &Query,
        statistics: &Statistics<'_>,
        totals: &Totals<'_>,
    ) -> FittedHypothesis {
        let unseen = self.leaves_out(query, totals.exchange());
        self.finish(grown, query, statistics, totals, &self.channels, unseen)
    }

    /// The bits to search on. Narrow sums share 31 bits between weights and values: where weights are fractions of one
    /// another they may leave too few to values, unless there are so many rows that rounding averages out.
    fn precision(&self, totals: &Totals<'_>) -> Precision {
        let units = totals.units();
        let left = 31 - units.max(1).ilog2().min(31);
        let averaged = (units / self.one.max(1)).max(1).ilog2();
        match self.parameters.precision {
            Precision::Auto if 2 * left + averaged < LEAST_BITS => Precision::Wide,
            given => given,
        }
    }

    /// Whether splits are searched on projections.
    fn is_sketched(&self, width: usize, kept: usize) -> bool {
        self.parameters.sketch > 0 && width - kept > self.parameters.sketch.max(FEW_CHANNELS)
    }

    /// The projections of a round.
    fn directions(&self, width: usize, kept: usize, seed: Seed) -> Directions {
        Directions::new(kept, width, self.parameters.sketch, seed.part(3))
    }

    /// Whether a question leaves out rows, here or elsewhere.
    fn leaves_out(&self, query: &Query, exchange: &dyn Exchange) -> bool {
        query.rows.as_ref().is_some_and(|rows| {
            let mut left_out = [i64::from(rows.len() < self.bins.rows())];
            exchange.sum(&mut left_out);
            left_out[0] > 0
        })
    }

    /// Fills the leaves, from `rounded` where channels were taken in, and finds out which rows they hold. Where some rows were
    /// `unseen`, thresholds part no bin, so that these rows, too, are on the same side by their codes as by their values.
    fn finish(
        &self,
        grown: &Grown,
        query: &Query,
        statistics: &Statistics<'_>,
        totals: &Totals<'_>,
        rounded: &Channels,
        unseen: bool,
    ) -> FittedHypothesis {
        let groups: Vec<&[u32]> = grown.leaves.iter().map(|range| &grown.rows[range.clone()]).collect();
        let sums = match query.storage {
            Storage::Rounded => query.vote.rounded_leaf_sums(totals, rounded, &groups),
            Storage::Cached => {
                let steps = self.kept.channels().steps().iter().cycle();
                grown.sums.iter().zip(steps).map(|(sum, step)| sum.float() * step).collect()
            }
            Storage::Matrix => query.vote.leaf_sums(totals, statistics, &groups),
        };
        let sides: Vec<[Child; 2]> = grown.cuts.iter().map(|(_, sides)| *sides).collect();
        let leaves = Leaves { sums: &sums, sides: &sides, settled: &grown.settled };
        let (answers, cost) = query.vote.tree_answers(&leaves, sums.len() / groups.len());
        let mut leaf_of = leaf_of(&groups, self.bins.rows());
        let node = |(cut, [left, right]): &(Cut, [Child; 2])| Node {
            feature: cut.feature,
            test: match &cut.sides {
                Sides::AtMost { low, high } => {
                    let feature = cut.feature as usize;
                    let threshold = self.encoder.threshold(feature, *low, *high);
                    Test::AtMost(if unseen {
                        self.encoder.threshold_beside_bins(feature, threshold)
                    } else {
                        threshold
                    })
                }
                Sides::Levels(levels) => Test::Levels(levels.clone()),
            },
            missing_left: cut.missing_left,
            left: *left,
            right: *right,
        };
        let tree = Tree::new(grown.cuts.iter().map(node).collect());
        if grown.rows.len() < leaf_of.len() {
            let unseen = Replay::new(&tree, self.bins, self.encoder);
            leaf_of.par_iter_mut().enumerate().with_min_len(1024).for_each(|(row, leaf)| {
                if *leaf == u32::MAX {
                    *leaf = unseen.leaf(row);
                }
            });
        }
        let hypothesis = Hypothesis { cells: Cells::Tree(tree), answers: query.lift.lift(answers) };
        FittedHypothesis { hypothesis, cell_of: leaf_of, cost }
    }
}
