//! Says how good scores are for rows that were not trained on: their log loss, at its best temperature.

use std::cell::RefCell;

use manyboost_data::{Applied, Labels, Weights};
use manyboost_kernel::numbers::math::pow2;
use manyboost_kernel::{Exchange, RowWeights, Seed, Totals};

use crate::engine::calibration::{Belief, Calibration};
use crate::engine::run::Run;
use crate::engine::scores::Scores;
use crate::engine::train::{RunContext, totals};
use crate::engine::tuning::{LEAST_ROWS, Rung};
use crate::evaluate::metrics::{most_surprise, row_surprise};
use crate::model::reading::{Link, Reading};
use crate::spec::booster::Problem;

/// Rows that a model was not trained on, with its scores; those without weight do not count.
pub(crate) struct Seen<'a> {
    labels: &'a Labels,
    weights: &'a Weights,
    scores: &'a Scores,
}

impl<'a> Seen<'a> {
    pub(crate) fn of_valid(valid: &'a Applied, scores: &'a Scores) -> Self {
        Self { labels: &valid.labels, weights: &valid.weights, scores }
    }

    pub(crate) fn of_run(context: RunContext<'a>, aside: &'a Weights, run: &'a Run<'_>) -> Self {
        Self { labels: &context.data.labels, weights: aside, scores: &run.scores }
    }
}

/// Says how good scores are.
pub(crate) struct Judge<'a> {
    exchange: &'a dyn Exchange,
    /// From scores to probabilities, before any temperature that is to be found.
    pub(crate) reading: Reading,
    /// What is believed of the temperature, unless it is given.
    belief: Option<Belief>,
    /// What "one row" weighs.
    one: f64,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(RunContext { plan, data, weights, exchange, .. }: RunContext<'a>) -> Self {
        let totals = totals(weights, exchange);
        let task =
            Problem { labels: &data.labels, totals, rounds: plan.rounds.most(), seed: Seed::new(plan.seed) };
        let reading = plan.reading(&task);
        let belief = match plan.calibration {
            Calibration::Given(_) => None,
            Calibration::Auto(belief) => Some(belief),
            Calibration::Off => (reading.link != Link::Savage).then_some(Belief::OPEN),
        };
        Self { exchange, reading, belief, one: weights.one_row() }
    }

    /// The loss of the rows that are seen, at its best temperature, which is sought from the last one.
    pub(crate) fn rung(&self, rounds: usize, seen: &[Seen<'_>], last: f64) -> Rung {
        let seen: Vec<Shown<'_>> = seen.iter().map(|seen| Shown::new(seen, &self.reading)).collect();
        let rows: f64 = seen.iter().map(|seen| seen.totals(self.exchange).weight()).sum::<f64>() / self.one;
        let loss = |factor: f64| {
            let link = self.reading.link.times(factor);
            seen.iter().map(|seen| seen.loss(link, self.exchange)).sum::<f64>() / self.one
        };
        let factor =
            self.belief.filter(|_| rows >= LEAST_ROWS).map_or(1.0, |belief| belief.likeliest(last, loss));
        Rung { rounds, loss: loss(factor) / rows.max(1.0), factor }
    }
}

/// The rows that count, side by side.
struct Shown<'a> {
    labels: &'a Labels,
    step: f64,
    units: Vec<u32>,
    rows: Vec<u32>,
    /// Of classes, row after row.
    scores: Vec<f64>,
}

impl<'a> Shown<'a> {
    fn new(&Seen { labels, weights, scores }: &Seen<'a>, reading: &Reading) -> Self {
        let rows: Vec<u32> =
            (0..weights.rows() as u32).filter(|&row| weights.units()[row as usize] > 0).collect();
        let mut buffer = Vec::new();
        let of_classes = |&row: &u32| reading.class_scores(scores.row(row as usize), &mut buffer).to_vec();
        let scores = rows.iter().flat_map(of_classes).collect();
        let units = rows.iter().map(|&row| weights.units()[row as usize]).collect();
        Self { labels, step: pow2(weights.exponent()), units, rows, scores }
    }

    fn totals<'b>(&'b self, exchange: &'b dyn Exchange) -> Totals<'b> {
        Totals::new(RowWeights { units: &self.units, step: self.step }, exchange)
    }

    /// Their loss together.
    fn loss(&self, link: Link, exchange: &dyn Exchange) -> f64 {
        let classes = self.scores.len() / self.rows.len().max(1);
        let of = |at: usize| {
            PROBABILITIES.with_borrow_mut(|p| {
                p.clear();
                p.extend_from_slice(&self.scores[at * classes..][..classes]);
                link.apply(p);
                [row_surprise(self.labels, self.rows[at] as usize, p)]
            })
        };
        self.totals(exchange).sums_within([most_surprise(self.labels)], of)[0]
    }
}

thread_local! {
    /// Those of a row.
    static PROBABILITIES: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}
