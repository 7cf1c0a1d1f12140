//! One-vs-all `AdaBoost`: each class against all others, with weights of its own.
//!
//! Saberian & Vasconcelos 2019, appendix H.1.1. With Y(i, l) = +1 where row i is of class l and −1 elsewhere, class l lowers
//!
//! ```text
//! R_l = (1/n) Σᵢ exp(−Y(i, l) f(i, l))                                                           (223)
//! ```
//!
//! by one hypothesis per round, `h_l`:
//!
//! ```text
//! α_l = ½ ln((1 − ε_l)/ε_l),   Z_l = 2 √(ε_l (1 − ε_l)),   R_l ← R_l Z_l
//! ```
//!
//! A class for which no hypothesis beats guessing takes no part, and after some such rounds never again, nor does one whose
//! hypothesis makes no error. The class predicted is the one of the highest f. A row that is wrong has f(i, l) ≥ f(i, y) for
//! some l, so it costs at least `e^{−f(i, y)} + e^{f(i, l)} ≥ 2`: the training error is at most half the sum of the losses
//! (for label sets: the Hamming loss at most their mean).

use manyboost_data::Labels;
use manyboost_kernel::numbers::math::{exp, ln};
use rayon::prelude::*;

use super::LEAST_EDGE;
use crate::model::answers::{Answers, Lift};
use crate::model::ensemble::Term;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Asks, Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::bounds::Proved;
use crate::spec::registry::BoosterEntry;
use crate::votes::SignVote;

/// A smaller error counts as none: its step would be infinite.
const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// Rounds without an edge after which a class is given up: a learner that draws at random may be unlucky.
const PATIENCE: usize = 20;

/// One-vs-all `AdaBoost`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ova;

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    sets: true,
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "ova",
        "one-vs-all AdaBoost: each class against the rest, one hypothesis for each per round",
        "Freund & Schapire 1997; Saberian & Vasconcelos 2019, H.1.1",
        |_| Ok(Box::new(Ova)),
    )
};

/// The step for these weights of the rows that are right and wrong.
fn alpha(right: f64, wrong: f64) -> f64 {
    0.5 * ln(right / wrong.max(LEAST_ERROR * right))
}

/// The score that a term is for.
fn class_of(term: &Term) -> Option<u32> {
    match term.hypothesis.answers {
        Answers::Coordinate { at, .. } => Some(at),
        _ => None,
    }
}

/// Whether a class still takes part: it did lately, and not with a hypothesis without error.
fn takes_part(past: &[Vec<Term>], class: u32) -> bool {
    let own =
        |terms: &Vec<Term>| terms.iter().rev().find(|term| class_of(term) == Some(class)).map(|t| t.alpha);
    let lately = past.iter().rev().take(PATIENCE).find_map(own);
    lately.map_or(past.len() < PATIENCE, |last| last < alpha(1.0, 0.0))
}

/// Y(i, l).
fn sign(labels: &Labels, row: usize, class: u32) -> f64 {
    let has = match labels {
        Labels::Classes { of, .. } => of[row] == class,
        Labels::Sets { sets, .. } => sets.row(row).binary_search(&class).is_ok(),
    };
    if has { 1.0 } else { -1.0 }
}

impl Booster for Ova {
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (rows, k) = (now.scores.rows(), now.scores.width());
        // e^{−Yf} as a row has it: R_l never rises, so no weight outgrows the number of rows.
        let cost = |row: usize, class: u32| {
            let y = sign(now.labels, row, class);
            -y * exp(-y * now.scores.row(row)[class as usize])
        };
        channels.clear();
        let (mut queries, mut loss) = (Vec::new(), 0.0);
        for class in 0..k as u32 {
            let norm = if takes_part(now.past, class) {
                let first = channels.len();
                channels.resize(first + rows, 0.0);
                let own = &mut channels[first..];
                own.par_iter_mut().enumerate().with_min_len(1024).for_each(|(i, c)| *c = cost(i, class));
                let own = &channels[first..];
                let norm = now.totals.sum(|i| own[i].abs());
                queries.push(Query {
                    lift: Lift::Coordinate(class),
                    ..Query::new(Shape::Dense(1), SignVote, norm)
                });
                norm
            } else {
                now.totals.sum(|i| cost(i, class).abs())
            };
            loss += norm / now.totals.weight();
        }
        Target { queries, loss }
    }

    fn load(&self, width: usize) -> Load {
        // A channel and a cell of its own for every class.
        Load::dense(width + width.div_ceil(2), 1)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (mut alphas, mut edge, mut gone, mut goes_on) = (Vec::new(), 0.0, 0.0, false);
        let parts = target.parts(channels, now.scores.rows());
        let asked = std::mem::take(fits).into_iter().zip(&target.queries).zip(parts);
        for ((fit, query), cost) in asked {
            let part = |i: usize| {
                let cost = fit.number(i) * cost[i];
                [(-cost).max(0.0), cost.max(0.0)]
            };
            let [right, wrong] = now.totals.sums(part);
            if right - wrong <= LEAST_EDGE * query.norm {
                goes_on = true;
                continue;
            }
            let alpha = alpha(right, wrong);
            goes_on |= wrong > LEAST_ERROR * right;
            edge += right - wrong;
            gone += query.norm - (right * exp(-alpha) + wrong * exp(alpha));
            alphas.push(alpha);
            fits.push(fit);
        }
        if fits.is_empty() {
            return Step::Stop(Stop::NoEdge);
        }
        let norm = target.loss * now.totals.weight();
        let z = (1.0 - gone / norm).max(0.0);
        let figures = Figures { edge: Some(edge / norm), z: Some(z), bound_factor: Some(z) };
        // Every class has its hypothesis without error.
        Step::Take { alphas, figures, last: (!goes_on).then_some(Stop::Perfect) }
    }

    fn asks(&self) -> Asks {
        Asks::Signs
    }

    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        Some(if labels.is_sets() { 1.0 } else { 0.5 * labels.classes() as f64 })
    }

    /// The minimiser of each class's loss has f(x, l) = ½ ln(P(l | x)/(1 − P(l | x))); for rows of one class these are
    /// divided by their sum, which is 1 for the true probabilities.
    fn reading(&self, task: &Problem<'_>) -> Reading {
        match task.labels {
            Labels::Classes { .. } => Link::Odds(2.0).into(),
            Labels::Sets { .. } => Link::Sigmoid(2.0).into(),
        }
    }
}
