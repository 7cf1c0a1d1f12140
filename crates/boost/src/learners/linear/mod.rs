//! Linear classifiers as weak learners: the pairwise least squares of Algorithm 3 of Cho, Libgober & Ding (2024).
//!
//! For each pair of classes a, b, least squares fits +1 to the rows of a and −1 to those of b, by their weights; the hyperplane
//! names a where the fit is at least 0, and b elsewhere. The pair that is right on most weight is taken. If even that is no
//! more than the share 1/n of n classes, then the pair with most weight is taken with its sides exchanged: it has at
//! least that share. Where rows are drawn by their weights, they are drawn anew for each pair.
//!
//! With costs c(i, l) instead of weights, a row counts |c(i, b) − c(i, a)| and is fitted by the sign of it, which for weights is the
//! same. Votes for one sign have one regression, of the sign that is cheaper. Votes whose answers are not names (one sign
//! for each of several labels, or classes on lists) answer on both sides as the leaves of a tree would.

mod draw;
mod squares;
#[cfg(test)]
mod tests;

use manyboost_data::{Dataset, Encoder, Frame, Result};
use manyboost_kernel::{Seed, Statistics, Totals};
use rayon::prelude::*;

pub use draw::Regression;

use self::draw::{Sample, drawn, rate};
use self::squares::Equations;
use super::columns::{Columns, values};
use super::{Task, WeakLearner, check_subsample};
use crate::engine::draws::Draws;
use crate::model::answers::Answers;
use crate::model::hypothesis::{Cells, Hypothesis};
use crate::model::linear::{Linear, STEEPEST, side};
use crate::spec::booster::{FittedHypothesis, Query};
use crate::votes::Halves;

/// More features are refused: the equations have as many unknowns.
const MOST_FEATURES: usize = 1024;
/// Of more classes, only the heaviest ones of a round are paired.
const MOST_CLASSES: usize = 45;
/// Costs that differ by less than this share of the weight are equal.
const EQUAL: f64 = 1e-12;

/// How linear classifiers are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearParameters {
    /// How weights become rows.
    pub regression: Regression,
    /// Share of the rows that each regression sees, or that are drawn for it.
    pub subsample: f64,
}

impl Default for LinearParameters {
    fn default() -> Self {
        Self { regression: Regression::Weighted, subsample: 1.0 }
    }
}

impl LinearParameters {
    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        check_subsample(self.subsample)
    }

    /// Whether rows are drawn.
    pub(super) fn draws(&self) -> bool {
        self.subsample < 1.0 || self.regression == Regression::Resampled
    }
}

/// Fits linear classifiers on one data set, round after round.
pub struct LinearLearner<'a> {
    parameters: LinearParameters,
    values: &'a Frame,
    columns: Columns,
    draws: Option<Draws<'a>>,
}

impl<'a> LinearLearner<'a> {
    /// For a data set; refuses columns that are not numbers.
    pub fn new(
        parameters: LinearParameters,
        data: &'a Dataset,
        encoder: &Encoder,
        totals: &Totals<'_>,
    ) -> Result<Self> {
        let values = values(data, encoder, "linear", MOST_FEATURES)?;
        let columns = Columns::new(values, encoder.features(), totals);
        Ok(Self { parameters, values, columns, draws: parameters.draws().then(|| Draws::new(data, totals)) })
    }

    /// The equations of each group of rows.
    fn equations(&self, groups: &[&[u32]], sample: &Sample, totals: &Totals<'_>) -> Vec<Equations> {
        Equations::of(&self.columns, groups, &sample.weights, &sample.totals(totals))
    }

    /// The cell of every row.
    fn sides(&self, beta: &[f64]) -> Vec<u32> {
        let slopes: Vec<(usize, f64)> = slopes(beta).collect();
        let sum = |row: usize| {
            let z = self.columns.row(row);
            slopes.iter().fold(beta[0], |sum, &(column, slope)| sum + slope * z[column])
        };
        let rows = (0..self.columns.rows()).into_par_iter().with_min_len(1024);
        rows.map(|row| side(sum(row)) as u32).collect()
    }
}

/// The columns that count in a hyperplane, with their slopes.
fn slopes(beta: &[f64]) -> impl Iterator<Item = (usize, f64)> {
    beta[1..].iter().copied().enumerate().filter(|&(_, slope)| slope != 0.0)
}

impl WeakLearner for LinearLearner<'_> {
    fn fit(&mut self, task: &Task<'_>) -> FittedHypothesis {
        let Task { query, statistics, totals, seed } = *task;
        let all: Vec<u32>;
        let rows = if let Some(rows) = &query.rows {
            rows.as_slice()
        } else {
            all = (0..self.columns.rows() as u32).collect();
            &all
        };
        // Training has asked before whether there is something to do: if not, leaves are as good as anything.
        let halves = query.vote.for_hyperplane(statistics.width()).unwrap_or(Halves::Filled);
        let round = Round { learner: self, query, statistics, totals, halves, rows, seed };
        let found = round.best();
        let part = |(column, slope)| self.columns.slope(column, slope);
        let plane = Linear { slopes: slopes(&found.beta).map(part).collect(), intercept: found.beta[0] };
        let hypothesis = Hypothesis { cells: Cells::Linear(plane), answers: query.lift.lift(found.answers) };
        FittedHypothesis { hypothesis, cell_of: found.cell_of, cost: found.cost }
    }

    fn cells_of(&self, cells: &Cells) -> Vec<u32> {
        cells_of(cells, self.values)
    }
}

/// The cell of each row of a frame.
pub(crate) fn cells_of(cells: &Cells, values: &Frame) -> Vec<u32> {
    let cell = |row: usize| cells.cell(|feature| values.value(row, feature as usize)) as u32;
    (0..values.rows()).into_par_iter().with_min_len(256).map(cell).collect()
}

/// The two sides of a hyperplane to be: classes, or a channel and its opposite.
#[derive(Clone, Copy)]
struct Pair {
    above: u32,
    below: u32,
}

/// A hyperplane with its answers.
struct Found {
    beta: Vec<f64>,
    cell_of: Vec<u32>,
    answers: Answers,
    cost: f64,
    /// What naming each class costs on all rows; the weight comes first.
    whole: Vec<f64>,
}

/// One question.
struct Round<'a> {
    learner: &'a LinearLearner<'a>,
    query: &'a Query,
    statistics: &'a Statistics<'a>,
    totals: &'a Totals<'a>,
    halves: Halves<'a>,
    rows: &'a [u32],
    seed: Seed,
}

/// What pairs of classes are fitted from, where rows have one class.
#[derive(Default)]
struct ByClass {
    /// The rows of each class.
    rows: Vec<Vec<u32>>,
    /// How often they are drawn, if they are.
    rate: f64,
    /// The equations of each class, if no rows are drawn: those of a pair are their difference.
    equations: Vec<Equations>,
}

impl ByClass {
    /// The equations of a pair; rows are drawn anew for it, as Algorithm 3 has it.
    fn of_pair(&self, round: &Round<'_>, values: &[f64], pair: Pair, seed: Seed) -> Equations {
        let (above, below) = (pair.above as usize, pair.below as usize);
        if !self.equations.is_empty() {
            return self.equations[above].against(&self.equations[below]);
        }
        let groups = [&self.rows[above][..], &self.rows[below]];
        let sample = round.sample(self.rate, &groups.concat(), |row| -values[row], seed);
        let both = round.learner.equations(&groups, &sample, round.totals);
        both[0].against(&both[1])
    }
}

impl Round<'_> {
    fn best(&self) -> Found {
        let pairs = self.pairs();
        let by_class = self.by_class();
        let fit = |(at, &pair): (usize, &Pair)| {
            let seed = self.seed.part(at as u64);
            let equations = match *self.statistics {
                Statistics::OneHot { values, .. } => by_class.of_pair(self, values, pair, seed),
                Statistics::Dense { values, width } => self.equations(values, width, pair, seed),
            };
            let mut beta = equations.solve();
            if !beta.iter().all(|b| b.abs() <= STEEPEST) {
                beta.fill(0.0);
            }
            self.judged(beta, pair)
        };
        let mut found: Vec<Found> = Vec::with_capacity(pairs.len());
        let (mut best, mut heaviest) = (0, 0);
        for (at, found_now) in pairs.iter().enumerate().map(fit).enumerate() {
            found.push(found_now);
            let (now, then) = (&found[at], &found[best]);
            if now.cost < then.cost - EQUAL * self.query.norm.abs() {
                best = at;
            }
            if self.together(now, pairs[at]) < self.together(&found[heaviest], pairs[heaviest]) {
                heaviest = at;
            }
        }
        if self
            .guess(&found[best])
            .is_some_and(|guess| found[best].cost >= guess - EQUAL * self.query.norm.abs())
        {
            let exchanged = found[heaviest].beta.iter().map(|b| -b).collect();
            return self.judged(exchanged, pairs[heaviest]);
        }
        found.swap_remove(best)
    }

    /// What may be told apart.
    fn pairs(&self) -> Vec<Pair> {
        let classes = self.classes();
        if let Halves::Opposite | Halves::Filled = self.halves {
            return (0..classes).map(|at| Pair { above: at, below: at }).collect();
        }
        let mut kept: Vec<u32> = (0..classes).collect();
        if kept.len() > MOST_CLASSES {
            let costs = self.class_costs(classes);
            kept.sort_by(|&a, &b| costs[a as usize].total_cmp(&costs[b as usize]));
            kept.truncate(MOST_CLASSES);
            kept.sort_unstable();
        }
        if kept.len() < 2 {
            return vec![Pair { above: 0, below: 0 }];
        }
        let after = |at: usize| kept[at + 1..].iter().map(move |&below| (at, below));
        let pairs = (0..kept.len()).flat_map(after);
        pairs.map(|(at, below)| Pair { above: kept[at], below }).collect()
    }

    /// What naming each class would cost everywhere.
    fn class_costs(&self, classes: u32) -> Vec<f64> {
        let sums = self.totals.by_group(self.statistics, &[self.rows]);
        let mut costs = vec![0.0; classes as usize];
        for (channel, cost) in sums[1..].iter().enumerate() {
            costs[self.class(channel as u32) as usize] += cost;
        }
        costs
    }

    /// Classes that channels are of, with those of smaller numbers.
    fn classes(&self) -> u32 {
        match self.halves {
            Halves::FilledByClass(Some(class_of)) => class_of.iter().max().map_or(1, |most| most + 1),
            _ => self.statistics.width() as u32,
        }
    }

    /// The class of a channel.
    fn class(&self, channel: u32) -> u32 {
        match self.halves {
            Halves::FilledByClass(Some(class_of)) => class_of[channel as usize],
            _ => channel,
        }
    }

    /// The classes that rows have one of.
    fn by_class(&self) -> ByClass {
        let Statistics::OneHot { values, labels, .. } = *self.statistics else { return ByClass::default() };
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); self.classes() as usize];
        for &row in self.rows {
            rows[self.class(labels[row as usize]) as usize].push(row);
        }
        let weight = |row: usize| -values[row];
        if let Some(rate) = self.rate(weight) {
            return ByClass { rows, rate, equations: Vec::new() };
        }
        let sample = self.sample(0.0, self.rows, weight, self.seed);
        let groups: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let equations = self.learner.equations(&groups, &sample, self.totals);
        ByClass { rows, rate: 0.0, equations }
    }

    /// How often rows of these signed weights are drawn, if they are resampled.
    fn rate(&self, weight: impl Fn(usize) -> f64 + Sync) -> Option<f64> {
        let LinearLearner { parameters, draws, .. } = self.learner;
        let draws = draws.as_ref().filter(|_| parameters.regression == Regression::Resampled)?;
        Some(rate(parameters.subsample, self.rows, weight, self.totals, draws))
    }

    /// Some rows, or what is drawn of them at this rate, for a regression in which they have these signed weights.
    fn sample(&self, rate: f64, rows: &[u32], weight: impl Fn(usize) -> f64 + Sync, seed: Seed) -> Sample {
        let LinearLearner { parameters, draws, .. } = self.learner;
        drawn(*parameters, rate, rows, weight, self.totals, draws.as_ref(), seed)
    }

    /// The equations of a pair, where each row has costs.
    fn equations(&self, values: &[f64], width: usize, pair: Pair, seed: Seed) -> Equations {
        let cost = |row: usize, class: u32| values[row * width + class as usize];
        let weight = |row: usize| match self.halves {
            Halves::Opposite | Halves::Filled => -cost(row, pair.above),
            _ => cost(row, pair.below) - cost(row, pair.above),
        };
        let rate = self.rate(weight).unwrap_or(0.0);
        let sample = self.sample(rate, self.rows, weight, seed);
        self.learner.equations(&[self.rows], &sample, self.totals).swap_remove(0)
    }

    /// A hyperplane with its answers and their cost.
    fn judged(&self, beta: Vec<f64>, pair: Pair) -> Found {
        let cell_of = self.learner.sides(&beta);
        let (below, above): (Vec<u32>, Vec<u32>) =
            self.rows.iter().partition(|&&row| cell_of[row as usize] == 1);
        let sums = self.query.vote.leaf_sums(self.totals, self.statistics, &[&above, &below]);
        let stride = sums.len() / 2;
        let (above, below) = sums.split_at(stride);
        let whole = above.iter().zip(below).map(|(a, b)| a + b).collect();
        let (answers, cost) = match self.halves {
            Halves::Named(answers) => {
                let cost = above[1 + pair.above as usize] + below[1 + pair.below as usize];
                (answers(vec![pair.above, pair.below]), cost)
            }
            Halves::Opposite => (Answers::Vectors { width: 1, values: vec![1.0, -1.0] }, above[1] - below[1]),
            Halves::Filled | Halves::FilledByClass(_) => self.query.vote.side_answers(&sums, stride),
        };
        Found { beta, cell_of, answers, cost, whole }
    }

    /// What naming the two of a pair costs everywhere; the least is the pair with most weight.
    fn together(&self, found: &Found, pair: Pair) -> f64 {
        match self.halves {
            Halves::Named(_) => found.whole[1 + pair.above as usize] + found.whole[1 + pair.below as usize],
            _ => 0.0,
        }
    }

    /// What guessing costs, where the sides may be exchanged to do better.
    fn guess(&self, found: &Found) -> Option<f64> {
        match self.halves {
            Halves::Named(_) => Some(found.whole[1..].iter().sum::<f64>() / (found.whole.len() - 1) as f64),
            Halves::Opposite => Some(0.0),
            Halves::Filled | Halves::FilledByClass(_) => None,
        }
    }
}
