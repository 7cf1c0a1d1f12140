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

use super::os_states::{Ahead, LayersOf, States};
use super::{LOSS_HELP, STEP_HELP, StepSize, fill_blocks};
use crate::engine::history::SHORT;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::bounds::Proved;
use crate::spec::option::{Choice, Declaration, Describe, Group, Number, OptionInfo, OptionKind, Range};
use crate::spec::options::Options;
use crate::spec::registry::BoosterEntry;
use crate::theory::{Condition, GameLoss, Walk, best_eta, first_potential, kappa, plain_eta};
use crate::votes::{LabelCriterion, LabelVote};

/// The longest game.
const LONGEST: usize = 10_000;

/// The edges that are counted on: one for all rounds, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges(Vec<f64>);

impl Edges {
    /// The same edge in all rounds.
    pub fn one(gamma: f64) -> Self {
        Self(vec![gamma])
    }

    /// The edge of a round, from 1.
    pub fn of(&self, round: usize) -> f64 {
        self.0.get(round - 1).or(self.0.last()).copied().unwrap_or(0.0)
    }
}

/// The option that promises them.
struct EdgeOption;

impl Describe for EdgeOption {
    fn name(&self) -> &'static str {
        "edge"
    }

    fn info(&self) -> OptionInfo {
        OptionInfo {
            name: self.name(),
            help: "The edge that is counted on, or one for each round",
            group: Group::Boosting,
            kind: OptionKind::Numbers,
            words: Vec::new(),
            allowed: "an edge above 0 and below 1, or one for each round: 0.3,0.2,0.1".to_string(),
        }
    }
}

impl Declaration for EdgeOption {
    type Value = Edges;

    fn parse(&self, text: &str) -> Option<Edges> {
        let edges: Vec<f64> = text.split(',').map(|edge| edge.parse().ok()).collect::<Option<_>>()?;
        edges.iter().all(|gamma| *gamma > 0.0 && *gamma < 1.0).then_some(Edges(edges))
    }

    fn text(&self, edges: &Edges) -> String {
        edges.0.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
    }
}

const LOSS: Choice<bool> = Choice::new(
    "loss",
    LOSS_HELP,
    &[
        ("exponential", false, "the exponential loss"),
        ("zero-one", true, "the error itself, at the end of the game"),
    ],
);

const HORIZON: Number<usize> = Number::new(
    "horizon",
    "Rounds that the potentials of the zero-one game look ahead to, at least as many as there are",
    Range::from_to(1, LONGEST),
);

const STEP: Choice<StepSize> = Choice::new(
    "step",
    STEP_HELP,
    &[
        ("edge", StepSize::Edge, "ln(1 + γ), as the paper has it"),
        ("exact", StepSize::Exact, "the one with the smallest bound"),
    ],
);

/// The loss that the game is about.
#[derive(Debug)]
pub enum OsLoss {
    /// The exponential loss.
    Exponential(StepSize),
    /// The error itself.
    ZeroOne {
        /// What is promised.
        condition: Condition,
        /// The rounds of the game, T.
        horizon: usize,
    },
}

/// The optimal strategy.
#[derive(Debug)]
pub struct Os {
    edges: Edges,
    loss: OsLoss,
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

/// The zero-one loss is that of the whole game: potentials bound the error at its end.
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
        let edges = options.take(&EdgeOption, Edges::one(0.1))?;
        let zero_one = options.take(&LOSS, false)?;
        let loss = if zero_one {
            let longest = if edges.0.len() > 1 { edges.0.len() } else { LONGEST };
            let whole = if edges.0.len() > 1 { longest } else { rounds };
            let horizon = options.take(&HORIZON, whole)?;
            // A default that is wrong is the fault of the rounds.
            if horizon != whole && !(rounds..=longest).contains(&horizon) {
                let allowed = format!("a whole number from `rounds` ({rounds}) to {longest}");
                return Err(Error::parameter("horizon", &horizon.to_string(), &allowed));
            }
            OsLoss::ZeroOne { condition: options.take(&Condition::OPTION, Condition::Uniform)?, horizon }
        } else {
            OsLoss::Exponential(options.take(&STEP, StepSize::Edge)?)
        };
        let longest = if zero_one { LONGEST } else { usize::MAX };
        if rounds > longest || (edges.0.len() > 1 && edges.0.len() < rounds) {
            let what = format!("`rounds={rounds}`, and `edge` has {} edges", edges.0.len());
            let remedy = "give one edge, or one for each round (with `loss=zero-one` at most 10,000 rounds)";
            return Err(Error::new(ErrorKind::Parameter, what, remedy));
        }
        Ok(Self { edges, loss, layers: LayersOf::default() })
    }

    /// The weight of a vote in a round.
    fn alpha(&self, round: usize, k: usize) -> f64 {
        let gamma = self.edges.of(round);
        match self.loss {
            OsLoss::Exponential(StepSize::Edge) => plain_eta(gamma),
            OsLoss::Exponential(StepSize::Exact) => best_eta(k, gamma),
            OsLoss::ZeroOne { .. } => 1.0,
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
    fn zero_one(
        &self,
        condition: Condition,
        horizon: usize,
        now: &RoundState<'_>,
        channels: &mut Vec<f64>,
    ) -> Target {
        let k = now.labels.classes();
        let (round, gamma) = (now.round(), self.edges.of(now.round()));
        let to_go = self.ahead(round, horizon);
        let layers = match condition {
            Condition::Minimal => self.layers.get(k, &self.ahead(0, horizon)),
            Condition::Uniform => None,
        };
        let ahead = match layers {
            _ if round > horizon => Ahead::Over,
            Some(layers) => Ahead::Layers { layers, round },
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
        match self.loss {
            OsLoss::ZeroOne { condition: Condition::Minimal, horizon } => {
                self.layers.check(labels.classes(), &self.ahead(0, horizon))
            }
            _ => Ok(()),
        }
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        match self.loss {
            OsLoss::Exponential(_) => self.exponential(now, channels),
            OsLoss::ZeroOne { condition, horizon } => self.zero_one(condition, horizon, now, channels),
        }
    }

    fn load(&self, width: usize) -> Load {
        match self.loss {
            OsLoss::Exponential(_) => Load::dense(width + 1, width),
            // What each class is behind by, and the states that rows are told apart by.
            OsLoss::ZeroOne { .. } => Load::dense(2 * width + 2, width),
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
        let (guess, own) = match self.loss {
            OsLoss::Exponential(_) => ((exp(alpha) + exp(-alpha) - 2.0) / k as f64, exp(-alpha) - 1.0),
            OsLoss::ZeroOne { .. } => (1.0, 0.0),
        };
        let edge = (guess - cost) / (guess - own);
        if edge <= 0.0 {
            return Step::Stop(Stop::NoEdge);
        }
        let kept = edge >= gamma - SHORT;
        let bound_factor = match self.loss {
            OsLoss::Exponential(_) => Some(kappa(k, if kept { gamma } else { edge }, alpha)),
            OsLoss::ZeroOne { .. } => kept.then_some(1.0),
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
        match self.loss {
            OsLoss::Exponential(_) => Some(k as f64 - 1.0),
            OsLoss::ZeroOne { condition: Condition::Uniform, horizon } => {
                Walk::new(k, &self.ahead(0, horizon)).zero_one_until(&vec![0; k.saturating_sub(1)], stop)
            }
            OsLoss::ZeroOne { condition, horizon } => {
                first_potential(k, &self.ahead(0, horizon), GameLoss::ZeroOne, condition).ok()
            }
        }
    }

    /// The bound, and the potentials after a vote for the own class and for another.
    fn seconds_ahead(&self, labels: &Labels) -> f64 {
        match self.loss {
            OsLoss::ZeroOne { condition: Condition::Uniform, horizon } => {
                3.0 * Walk::seconds(labels.classes(), horizon)
            }
            _ => 0.0,
        }
    }

    fn promise(&self, round: usize) -> Option<f64> {
        Some(self.edges.of(round))
    }

    /// The minimiser of the exponential loss has f(x, l) = ½ ln P(l | x) up to a constant. Votes of the zero-one game are
    /// read as draws of the guesser with the promised edge: each multiplies the odds of its class by 1 + kγ/(1 − γ).
    fn reading(&self, task: &Problem<'_>) -> Reading {
        match self.loss {
            OsLoss::Exponential(_) => Link::Softmax(2.0).into(),
            OsLoss::ZeroOne { .. } => {
                let gamma = self.edges.0.iter().sum::<f64>() / self.edges.0.len() as f64;
                Link::Softmax(ln(1.0 + task.labels.classes() as f64 * gamma / (1.0 - gamma))).into()
            }
        }
    }
}
