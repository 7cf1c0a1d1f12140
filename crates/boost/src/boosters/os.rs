//! OS, the optimal strategy of the drifting game: for a weak learner that promises an edge, and a given number of rounds.
//!
//! Mukherjee & Schapire (2013), sections 5 to 7; (2010), for edges that differ from round to round.
//! Round t of T, with s the votes so far, the own class y, and φ the [potentials](crate::theory) of the rounds to go:
//!
//! ```text
//! C(i, l) = φ_{T−t}(sᵢ + e_l)                                                       (28), (41)
//! the promise: Σᵢ C(i, h(xᵢ)) ≤ C • B, the cost of guessing with the edge γₜ
//! f(x, l) ← f(x, l) + α [h(x) = l]
//! ```
//!
//! If the promise is kept, the average potential never rises (Theorems 9 and 16), so that the error after T rounds is at
//! most `φ_T(0)`. With the exponential loss of votes of weight α = ηₜ the costs are, up to a factor and a shift of each row,
//!
//! ```text
//! C(i, l) = (e^η − 1) e^{f(l) − f(y)} for l ≠ y,   C(i, y) = (e^−η − 1) Σ_{l ≠ y} e^{f(l) − f(y)}       (36)
//! ```
//!
//! and the bound is (k − 1) ∏ κ(γₜ, ηₜ) (35). The cost of guessing is linear in the edge, so every hypothesis has an edge of
//! its own, the largest that it keeps; the promise of a round is broken where this is less than γₜ.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::numbers::math::{exp, ln};

use super::os_options::{EDGE, Edges, LONGEST, LOSS, OsGame, PlayedLoss, VoteWeights, played, vote_weights};
use super::os_states::{Ahead, LayersOf, States};
use super::{StepSize, fill_blocks};
use crate::engine::history::SHORT;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::bounds::Proved;
use crate::spec::options::Options;
use crate::spec::registry::BoosterEntry;
use crate::theory::{Condition, GameLoss, LeadWalk, Walk, best_eta, first_potential, kappa, plain_eta};
use crate::votes::{LabelCriterion, LabelVote};

/// The optimal strategy.
#[derive(Debug)]
pub struct Os {
    edges: Edges,
    game: OsGame,
    weights: VoteWeights,
    layers: LayersOf,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved,
    ..BoosterEntry::new(
        "os",
        "the optimal strategy against a weak learner that promises an edge",
        "Mukherjee & Schapire 2013",
        |options| Ok(Box::new(Os::new(options)?)),
    )
};

/// Losses of whole votes are those of the whole game: potentials bound the error at its end.
fn proved(parameters: &BTreeMap<String, String>) -> Proved {
    match parameters.get("horizon").and_then(|rounds| rounds.parse().ok()) {
        Some(rounds) => Proved::After(rounds),
        None => Proved::Error,
    }
}

impl Os {
    fn new(options: &mut Options) -> Result<Self> {
        let rounds = options.taken("rounds").unwrap_or("1");
        let Ok(rounds) = rounds.parse::<usize>() else {
            return Err(Error::parameter(
                "rounds",
                rounds,
                "a whole number: the game is played for so many rounds",
            ));
        };
        let edges = options.take(&EDGE, Edges::one(0.1))?;
        let loss = options.take(&LOSS, PlayedLoss::Exponential)?;
        let condition = if loss == PlayedLoss::Exponential {
            options.take_given(&Condition::OPTION)?.unwrap_or_default()
        } else {
            Condition::Uniform
        };
        let by_round = loss == PlayedLoss::Exponential && condition == Condition::Uniform;
        let game =
            if by_round { OsGame::Exponential } else { played(options, rounds, &edges, loss, condition)? };
        let weights = match loss {
            PlayedLoss::Exponential => vote_weights(options, rounds, by_round)?,
            _ => VoteWeights::Found(StepSize::Edge),
        };
        let longest = if by_round { usize::MAX } else { LONGEST };
        if rounds > longest || (edges.0.len() > 1 && edges.0.len() < rounds) {
            let what = format!("`rounds={rounds}`, and `edge` has {} edges", edges.0.len());
            let remedy = "give one edge, or one for each round (with `loss=zero-one` at most 10,000 rounds)";
            return Err(Error::new(ErrorKind::Parameter, what, remedy));
        }
        Ok(Self { edges, game, weights, layers: LayersOf::default() })
    }

    /// η for an edge, in a round.
    fn eta(&self, round: usize, gamma: f64, k: usize) -> f64 {
        match &self.weights {
            VoteWeights::Found(StepSize::Edge) => plain_eta(gamma),
            VoteWeights::Found(StepSize::Exact) => best_eta(k, gamma),
            VoteWeights::Given(etas) => etas.of(round),
        }
    }

    /// The weight of a vote in a round.
    fn alpha(&self, round: usize, k: usize) -> f64 {
        match self.game {
            OsGame::Exponential => self.eta(round, self.edges.of(round), k),
            OsGame::Played { .. } => 1.0,
        }
    }

    /// What whole votes cost at the end. One η is for all rounds: that of the mean edge.
    fn loss(&self, loss: PlayedLoss, k: usize) -> GameLoss {
        match loss {
            PlayedLoss::ZeroOne => GameLoss::ZeroOne,
            PlayedLoss::Hinge => GameLoss::Hinge,
            PlayedLoss::Exponential => GameLoss::Exponential { eta: self.eta(1, self.edges.mean(), k) },
        }
    }

    /// The edges of the rounds after the first `done` ones.
    fn ahead(&self, done: usize, horizon: usize) -> Vec<f64> {
        (done + 1..=horizon).map(|round| self.edges.of(round)).collect()
    }

    /// (36), divided by the largest exponential; edges are measured against N = Σᵢ Σ_{l ≠ yᵢ} e^{f(l) − f(yᵢ)}.
    fn exponential(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k) = (now.classes(), now.labels.classes());
        let eta = self.alpha(now.round(), k);
        let behind = |i: usize| {
            let (f, own) = (now.scores.row(i), y[i] as usize);
            let most = f.iter().enumerate().filter(|&(l, _)| l != own).map(|(_, &score)| score);
            most.fold(f64::NEG_INFINITY, f64::max) - f[own]
        };
        let largest = if k > 1 { now.totals.max(behind) } else { 0.0 };
        let (up, down) = (exp(eta) - 1.0, exp(-eta) - 1.0);
        let sums = fill_blocks(now.scores, k, channels, &|first, scores, channels, sums| {
            let rows = scores.chunks_exact(k).zip(channels.chunks_exact_mut(k)).zip(&y[first..]).zip(sums);
            for (((f, c), &l), sum) in rows {
                let own = l as usize;
                // The own class stays out of the sum: far ahead, its exponential would swallow the others'.
                for (l, (cost, &score)) in c.iter_mut().zip(f).enumerate() {
                    *cost = if l == own { 0.0 } else { exp(score - f[own] - largest) };
                    *sum += *cost;
                }
                for cost in c.iter_mut() {
                    *cost *= up;
                }
                c[own] = down * *sum;
            }
        });
        let norm = now.totals.sum(|i| sums[i]);
        let loss = norm * exp(largest) / now.totals.weight();
        Target::one(Query::new(Shape::Dense(k), LabelVote(LabelCriterion::Cost), norm), loss)
    }

    /// (28) or (41), less the potential that a vote for the own class leads to; edges are measured against what guessing
    /// without an edge costs.
    fn played(
        &self,
        (loss, condition, horizon): (PlayedLoss, Condition, usize),
        now: &RoundState<'_>,
        channels: &mut Vec<f64>,
    ) -> Target {
        let k = now.labels.classes();
        let (round, gamma) = (now.round(), self.edges.of(now.round()));
        let (loss, to_go) = (self.loss(loss, k), self.ahead(round, horizon));
        let layers = match condition {
            Condition::Minimal => self.layers.get((k, &self.ahead(0, horizon), loss)),
            Condition::Uniform => None,
        };
        let ahead = match layers {
            _ if round > horizon => Ahead::Over(loss),
            Some(layers) => Ahead::Layers { layers, round },
            None if loss == GameLoss::Hinge => Ahead::Lead(LeadWalk::uniform(k, &to_go)),
            None => Ahead::Walk(Walk::new(k, &to_go)),
        };
        let states = States::new(now, &ahead, channels);
        let vote = LabelVote(LabelCriterion::Cost);
        if !states.whole() {
            return Target::one(Query::new(Shape::Dense(k), vote, 0.0), f64::NAN);
        }
        let [potential, excess] = now.totals.sums(|i| states.of(i, gamma));
        Target::one(Query::new(Shape::Dense(k), vote, excess), potential / now.totals.weight())
    }
}

impl Booster for Os {
    fn check(&self, labels: &Labels) -> Result<()> {
        match self.game {
            OsGame::Played { loss, condition: Condition::Minimal, horizon } => {
                let k = labels.classes();
                self.layers.check((k, &self.ahead(0, horizon), self.loss(loss, k)))
            }
            _ => Ok(()),
        }
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        match self.game {
            OsGame::Exponential => self.exponential(now, channels),
            OsGame::Played { loss, condition, horizon } => {
                self.played((loss, condition, horizon), now, channels)
            }
        }
    }

    fn load(&self, width: usize) -> Load {
        match self.game {
            OsGame::Exponential => Load::dense(width + 1, width),
            // What each class is behind by, and the states that rows are told apart by.
            OsGame::Played { .. } => Load::dense(2 * width + 2, width),
        }
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, norm) = (&fits[0], target.queries[0].norm);
        let (k, gamma) = (now.labels.classes(), self.edges.of(now.round()));
        let alpha = self.alpha(now.round(), k);
        if norm <= 0.0 {
            // No vote can change anything any more.
            return Step::Stop(if target.loss > 0.0 { Stop::NoEdge } else { Stop::Perfect });
        }
        let cost = |i: usize| fit.label(i).map_or(0.0, |h| channels[i * k + h as usize]);
        let cost = now.totals.sum(cost) / norm;
        // Guessing costs `guess` without an edge and `own` with the edge 1.
        let (guess, own) = match self.game {
            OsGame::Exponential => ((exp(alpha) + exp(-alpha) - 2.0) / k as f64, exp(-alpha) - 1.0),
            OsGame::Played { .. } => (1.0, 0.0),
        };
        let edge = (guess - cost) / (guess - own);
        if edge <= 0.0 {
            return Step::Stop(Stop::NoEdge);
        }
        let kept = edge >= gamma - SHORT;
        let bound_factor = match self.game {
            OsGame::Exponential => Some(kappa(k, if kept { gamma } else { edge }, alpha)),
            OsGame::Played { .. } => kept.then_some(1.0),
        };
        Step::take(alpha, Figures { edge: Some(edge), bound_factor, ..Figures::default() })
    }

    /// (k − 1) before the first factor κ; `φ_T(0)` for the zero-one loss. Where the promise is broken, the first goes on
    /// with the edge that was seen, and the second ends.
    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        self.first_bound_until(labels, &AtomicBool::new(false))
    }

    fn first_bound_until(&self, labels: &Labels, stop: &AtomicBool) -> Option<f64> {
        let k = labels.classes();
        match self.game {
            OsGame::Exponential => Some(k as f64 - 1.0),
            OsGame::Played { loss: PlayedLoss::ZeroOne, condition: Condition::Uniform, horizon } => {
                Walk::new(k, &self.ahead(0, horizon)).zero_one_until(&vec![0; k.saturating_sub(1)], stop)
            }
            OsGame::Played { loss, condition, horizon } => {
                first_potential(k, &self.ahead(0, horizon), self.loss(loss, k), condition).ok()
            }
        }
    }

    /// The bound, and the potentials after a vote for the own class and for another.
    fn seconds_ahead(&self, labels: &Labels) -> f64 {
        match self.game {
            OsGame::Played { loss: PlayedLoss::ZeroOne, condition: Condition::Uniform, horizon } => {
                3.0 * Walk::seconds(labels.classes(), horizon)
            }
            _ => 0.0,
        }
    }

    fn promise(&self, round: usize) -> Option<f64> {
        Some(self.edges.of(round))
    }

    /// The minimiser of the exponential loss has f(x, l) = ½ ln P(l | x) up to a constant. Votes of the other games are
    /// read as draws of the guesser with the promised edge: each multiplies the odds of its class by 1 + kγ/(1 − γ).
    fn reading(&self, task: &Problem<'_>) -> Reading {
        let k = task.labels.classes();
        match self.game {
            OsGame::Exponential => Link::Softmax(2.0).into(),
            OsGame::Played { loss: PlayedLoss::Exponential, .. } => {
                Link::Softmax(2.0 * self.eta(1, self.edges.mean(), k)).into()
            }
            OsGame::Played { .. } => {
                let gamma = self.edges.mean();
                Link::Softmax(ln(1.0 + k as f64 * gamma / (1.0 - gamma))).into()
            }
        }
    }
}
