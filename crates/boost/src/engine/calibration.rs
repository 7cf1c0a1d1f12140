//! How sure a model may be: the temperature of its probabilities.
//!
//! A model that fits its own rows closely is surer of its answers than it should be on others. So what the scores of other rows
//! have to be multiplied by for the least log loss there is what the model's scores are multiplied by (Guo, Pleiss, Sun &
//! Weinberger 2017, "temperature scaling"). Classes that are predicted do not change.
//!
//! The other rows are those to validate on. Without any, some are kept aside: of many rows some two thousand, which the model
//! then does without; of few rows a fifth, and the same plan is followed once more on the others; of very few rows, of which a fifth
//! says little, each fifth in its turn. Which rows these are depends on what is in them alone: equal rows stay together, and
//! the order of rows does not matter.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use manyboost_data::{Applied, Error, ErrorKind, Labels, Result, Weights, row_hashes};
use manyboost_kernel::numbers::math::{exp, pow2};
use manyboost_kernel::{Exchange, Seed};
use rayon::prelude::*;

use crate::engine::scores::Scores;
use crate::engine::train::{Observer, Outcome, Round, RunContext, RunPlan, totals};
use crate::evaluate::metrics::{most_surprise, row_surprise};
use crate::model::reading::{Link, Reading};
use crate::predict::Predictor;
use crate::spec::booster::{Problem, Stop};
use crate::spec::option::{NumberOrAuto, Range};

/// Of few rows one in so many is kept aside.
const PARTS: u64 = 5;

/// Of many rows about so many are kept aside.
const ENOUGH_ROWS: f64 = 2000.0;

/// Of fewer rows, by weight, all are kept aside, a part at a time.
const FEW_ROWS: f64 = 1000.0;

/// Fewer rows, by weight, say nothing.
const LEAST_ROWS: f64 = 20.0;

/// Row count from which the rows that probabilities are calibrated on are spared by the only training: another would take too long.
pub(crate) const MANY_ROWS: f64 = 30_000.0;

/// Steps of the search; each leaves 0.618 of the range.
const STEPS: usize = 24;

/// What scores are divided by before they become probabilities.
pub(crate) const TEMPERATURE: NumberOrAuto = NumberOrAuto::new(
    "temperature",
    "What scores are divided by before they become probabilities",
    Range::from_to(0.01, 100.0),
    "found on the rows to validate on or, without any, on some kept aside",
);

/// How sure the probabilities of a model are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// As the theory of the booster has them.
    Off,
    /// Scores are divided by this number first.
    Given(f64),
    /// By the number that suits rows which the model was not trained on.
    Auto(Belief),
}

impl Calibration {
    /// What `temperature` asks for where it is off by default.
    pub(crate) fn asked(temperature: Option<f64>) -> Self {
        temperature.map_or(Self::Auto(Belief::OPEN), Self::Given)
    }

    /// The value of `temperature` that stands for it.
    pub(crate) fn temperature(self) -> Option<f64> {
        match self {
            Self::Given(temperature) => Some(temperature),
            Self::Off | Self::Auto(_) => None,
        }
    }

    /// Refuses links that have no scale.
    pub(crate) fn check(self, link: Link) -> Result<()> {
        if self == Self::Off || link != Link::Savage {
            return Ok(());
        }
        let what = "`temperature`: the probabilities of the Savage loss have none";
        Err(Error::new(ErrorKind::Parameter, what, "leave it out, or choose `loss=logistic`"))
    }

    /// The link with the temperature that was given.
    pub(crate) fn of_link(self, link: Link) -> Link {
        self.temperature().map_or(link, |temperature| link.times(1.0 / temperature))
    }
}

/// What is believed of the logarithm of the factor of scores before anything was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    /// About how far from 0 it is: a few hard rows alone decide nothing.
    usual: f64,
    /// The numbers that are looked at.
    range: (f64, f64),
}

impl Belief {
    /// Where the loss is that of the probabilities themselves. No model is made surer than it is: rows that were kept aside are
    /// more like those of training than others will be.
    pub const LIKELIHOOD: Self = Self { usual: 0.15, range: (-2.0, 0.0) };

    /// Where scores are votes, from which theory alone makes probabilities: they may be anything.
    pub const OPEN: Self = Self { usual: 1.0, range: (-6.0, 3.0) };
}

/// Rows in two parts, each by the weights of all rows: those of the other part have none.
pub(crate) struct HoldOut {
    aside: Weights,
    pub(crate) rest: Weights,
}

impl HoldOut {
    /// Keeps one part of so many aside.
    fn new(RunContext { plan, data, weights, .. }: RunContext<'_>, parts: u64, part: u64) -> Self {
        let seed = Seed::new(plan.seed);
        let aside: Vec<bool> =
            row_hashes(&data.bins).into_iter().map(|hash| seed.part(hash).below(parts) == part).collect();
        Self { aside: weights.only(|row| aside[row]), rest: weights.only(|row| !aside[row]) }
    }

    /// Whether so many rows are left in both parts.
    fn has(&self, RunContext { weights, exchange, .. }: RunContext<'_>, rows: f64) -> bool {
        let enough = |part: &Weights| totals(part, exchange).weight() >= rows * one_row(weights);
        enough(&self.aside) && enough(&self.rest)
    }

    /// The rows that the only training does without, if they are many and its booster wants a temperature.
    pub(crate) fn of_many(context: RunContext<'_>, valid: Option<&Applied>) -> Option<Self> {
        let Calibration::Auto(_) = context.plan.calibration else { return None };
        let rows = totals(context.weights, context.exchange).weight() / one_row(context.weights);
        if valid.is_some() || rows < MANY_ROWS {
            return None;
        }
        // Where many rows are equal, they may all be kept aside together: too many to do without.
        let few = |parted: &Self| {
            totals(&parted.aside, context.exchange).weight() * PARTS as f64 <= rows * one_row(context.weights)
        };
        let parted = Self::new(context, (rows / ENOUGH_ROWS) as u64, 0);
        (parted.has(context, LEAST_ROWS) && few(&parted)).then_some(parted)
    }
}

/// What a row of the least weight weighs.
fn one_row(weights: &Weights) -> f64 {
    weights.one() as f64 * pow2(weights.exponent())
}

/// Rows that may tell how sure a model that has just been trained may be.
pub(crate) struct HoldOutRows<'a> {
    /// Rows to validate on.
    pub(crate) valid: Option<&'a Applied>,
    /// Rows that the training did without.
    pub(crate) aside: Option<&'a HoldOut>,
    /// What the model says of all rows.
    pub(crate) scores: &'a Scores,
}

/// Finds the temperature of a model that has just been trained, if its booster wants one.
pub(crate) fn choose(
    context: RunContext<'_>,
    others: &HoldOutRows<'_>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
    outcome: &mut Outcome,
) -> Result<()> {
    let RunContext { plan, data, weights, exchange, .. } = context;
    let rounds = outcome.history.len();
    let Calibration::Auto(belief) = plan.calibration else { return Ok(()) };
    if rounds == 0 || outcome.stop == Stop::Interrupted {
        return Ok(());
    }
    let task = Problem {
        labels: &data.labels,
        totals: totals(weights, exchange),
        rounds,
        seed: Seed::new(plan.seed),
    };
    let reading = plan.booster.reading(&task);
    let factor = if let Some(Applied { frame, labels, weights, .. }) = others.valid {
        let scores = Predictor::new(&outcome.ensemble, rounds).raw_scores(frame);
        HoldOutScores { labels, weights, scores: &scores }.factor(&reading, belief, exchange)
    } else if let Some(parted) = others.aside {
        HoldOutScores { labels: &data.labels, weights: &parted.aside, scores: others.scores }
            .factor(&reading, belief, exchange)
    } else {
        let scored = after_another_training(context, rounds, interrupt, observer)?;
        scored.map_or(1.0, |(aside, scores)| {
            HoldOutScores { labels: &data.labels, weights: &aside, scores: &scores }
                .factor(&reading, belief, exchange)
        })
    };
    outcome.ensemble.reading.link = reading.link.times(factor);
    Ok(())
}

/// Trains again without a fifth of the rows, or without each in its turn: the weights of these rows, and what is said of them.
fn after_another_training(
    context: RunContext<'_>,
    rounds: usize,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Option<(Weights, Scores)>> {
    let RunContext { plan, data, weights, exchange, .. } = context;
    let plan = RunPlan { rounds, learner: plan.learner.clone(), patience: None, ..*plan };
    let few = totals(weights, exchange).weight() < FEW_ROWS * one_row(weights);
    let (times, least) = if few { (PARTS, 1.0) } else { (1, LEAST_ROWS) };
    let rounds_done = Mutex::new((observer, 0));
    let without = |part: u64| {
        let parted = HoldOut::new(context, PARTS, part);
        if !parted.has(context, least) {
            return Ok((parted, None));
        }
        let rest = RunContext { plan: &plan, weights: &parted.rest, ..context };
        let scores = rest.scores_after(interrupt, &mut Aside { rounds_done: &rounds_done, times })?;
        Ok((parted, scores))
    };
    // Few rows are too little work for several threads: whole trainings are not.
    let trained: Result<Vec<(HoldOut, Option<Scores>)>> = if exchange.alone() {
        (0..times).into_par_iter().map(without).collect()
    } else {
        (0..times).map(without).collect()
    };
    if interrupt.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // The rows that something was said of, and what.
    let mut told = vec![false; data.rows()];
    let mut all: Option<Scores> = None;
    for (parted, scores) in trained? {
        let Some(scores) = scores else { continue };
        let all = all.get_or_insert_with(|| scores.clone());
        for row in (0..told.len()).filter(|&row| parted.aside.units()[row] > 0) {
            told[row] = true;
            all.row_mut(row).copy_from_slice(scores.row(row));
        }
    }
    Ok(all.map(|scores| (weights.only(|row| told[row]), scores)))
}

/// Rows that a model was not trained on, with its scores; those without weight do not count.
struct HoldOutScores<'a> {
    labels: &'a Labels,
    weights: &'a Weights,
    scores: &'a Scores,
}

impl HoldOutScores<'_> {
    /// The likeliest factor of the scores.
    fn factor(&self, reading: &Reading, belief: Belief, exchange: &dyn Exchange) -> f64 {
        let Self { labels, weights, scores } = *self;
        let (held, one) = (totals(weights, exchange), one_row(weights));
        if held.weight() < LEAST_ROWS * one {
            return 1.0;
        }
        belief.likeliest(|factor| {
            let link = reading.link.times(factor);
            let of = |row: usize| {
                let mut p = reading.class_scores(scores.row(row), &mut Vec::new()).to_vec();
                link.apply(&mut p);
                row_surprise(labels, row, &p)
            };
            let counted = |row: usize| [if weights.units()[row] > 0 { of(row) } else { 0.0 }];
            let [sum] = held.sums_within([most_surprise(labels)], counted);
            sum / one
        })
    }
}

/// Whoever looks on knows that this is another training; of several side by side, as many rounds are told as each has done on
/// average.
struct Aside<'a, 'b> {
    rounds_done: &'a Mutex<(&'b mut dyn Observer, u64)>,
    times: u64,
}

impl Observer for Aside<'_, '_> {
    fn round(&mut self, round: &Round<'_>) -> Result<()> {
        let mut told = self.rounds_done.lock().unwrap_or_else(PoisonError::into_inner);
        let (observer, done) = &mut *told;
        *done += 1;
        if done.is_multiple_of(self.times) {
            observer.aside((*done / self.times) as usize, round.record);
        }
        Ok(())
    }
}

impl Belief {
    /// The likeliest factor, given the loss that each has, by golden sections: there is one valley.
    fn likeliest(self, loss: impl Fn(f64) -> f64) -> f64 {
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let (mut low, mut high) = self.range;
        let places = |low: f64, high: f64| (high - golden * (high - low), low + golden * (high - low));
        let at = |x: f64| loss(exp(x)) + 0.5 * (x / self.usual).powi(2);
        let (mut a, mut b) = places(low, high);
        let (mut of_a, mut of_b) = (at(a), at(b));
        for _ in 0..STEPS {
            if of_a <= of_b {
                high = b;
                (b, of_b) = (a, of_a);
                a = places(low, high).0;
                of_a = at(a);
            } else {
                low = a;
                (a, of_a) = (b, of_b);
                b = places(low, high).1;
                of_b = at(b);
            }
        }
        let found = low.midpoint(high);
        if at(0.0) <= at(found) { 1.0 } else { exp(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for bottom in [0.2f64, 0.7, 0.9] {
            let found = Belief::LIKELIHOOD.likeliest(|factor| 1e6 * (factor.ln() - bottom.ln()).powi(2));
            assert!((found - bottom).abs() < 1e-3 * bottom, "{found}, not {bottom}");
        }
        // Beyond the range the nearest end is best; without rows nothing is better than 1.
        assert!(
            (Belief::LIKELIHOOD.likeliest(|factor| 1e6 * factor) - Belief::LIKELIHOOD.range.0.exp()).abs()
                < 1e-3
        );
        assert_eq!(Belief::LIKELIHOOD.likeliest(|factor| -1e6 * factor), 1.0);
        assert_eq!(Belief::LIKELIHOOD.likeliest(|_| 0.0), 1.0);
    }
}
