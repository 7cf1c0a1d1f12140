//! The drifting game between a booster and a weak learner that keeps its promise (Mukherjee & Schapire 2010 and 2013).
//!
//! The state of an example is the number of votes that each class has: s(1) for its own class, s(2), …, s(k) for the
//! others. With t rounds to go, the **potential** φₜ(s) is the loss that the best booster ends with against the worst
//! weak learner that still keeps its promise. It is the expected loss of a random walk (Theorem 12), and `φ_T(0)` is the
//! bound on the training error after T rounds (Theorems 9 and 16). Nothing here needs data.

pub mod baseline;
pub mod capacity;
pub mod degrees;
pub mod epochs;
pub mod lazy;
mod lead;
pub mod light;
pub mod margins;
pub mod minimal;
pub mod play;
pub mod space;
pub(crate) mod uniform;
pub mod weightings;

pub use baseline::Baseline;
pub use degrees::{DegreeMap, degree_map};
pub use lead::LeadWalk;
pub use minimal::Layers;
pub use uniform::Walk;

use manyboost_data::Result;
use manyboost_kernel::numbers::math::{exp, ln};

use crate::spec::option::Choice;

/// What a final state costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameLoss {
    /// 1 unless the own class has more votes than every other (16).
    ZeroOne,
    /// Σ_{l > 1} exp(η (s(l) − s(1))) (32).
    Exponential {
        /// The weight of a vote.
        eta: f64,
    },
    /// Σ_{l > 1} max(0, 1 − (s(1) − s(l))).
    Hinge,
}

/// What the weak learner promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Condition {
    /// Its cost is at most that of guessing uniformly, but for the edge γ on the own class: `(Cᵉᵒʳ, U_γ)`.
    #[default]
    Uniform,
    /// The least that makes boosting possible: its cost is at most that of some guessing with edge γ (13).
    Minimal,
}

impl Condition {
    /// The conditions by name.
    pub const OPTION: Choice<Self> = Choice::new(
        "condition",
        "The weak-learning condition",
        &[
            ("uniform", Self::Uniform, "at most the cost of guessing uniformly, but for the edge"),
            ("minimal", Self::Minimal, "the least that makes boosting possible"),
        ],
    );
}

impl GameLoss {
    /// The loss of a final state, given the leads s(1) − s(l) of the own class over the others.
    pub fn of(self, leads: impl Iterator<Item = i64>) -> f64 {
        let mut leads = leads;
        match self {
            Self::ZeroOne => f64::from(u8::from(leads.any(|lead| lead <= 0))),
            Self::Exponential { eta } => leads.map(|lead| exp(-eta * lead as f64)).sum(),
            Self::Hinge => leads.map(|lead| (1 - lead).max(0) as f64).sum(),
        }
    }
}

/// κ(γ, η) of (35): the factor by which the exponential loss falls in a round in which the promise is just kept.
pub fn kappa(classes: usize, gamma: f64, eta: f64) -> f64 {
    1.0 + (1.0 - gamma) / classes as f64 * (exp(eta) + exp(-eta) - 2.0) - (1.0 - exp(-eta)) * gamma
}

/// The weight of a vote that the paper takes: η = ln(1 + γ), for a bound of (k − 1) exp(−Tγ²/2).
pub fn plain_eta(gamma: f64) -> f64 {
    ln(1.0 + gamma)
}

/// The weight of a vote with the smallest κ. Its derivative (1 − γ)/k (e^η − e^−η) − γ e^−η is zero where
/// e^2η = 1 + kγ/(1 − γ).
pub fn best_eta(classes: usize, gamma: f64) -> f64 {
    0.5 * ln(1.0 + classes as f64 * gamma / (1.0 - gamma))
}

/// (64): scores below the highest, which becomes 0, and none below −C. With C large enough and T = √m rounds, AdaBoost.MM with clamped scores
/// is consistent (Mukherjee & Schapire 2013, Theorem 29); the class of the highest score stays the same.
pub fn clamped(scores: &[f64], most: f64) -> Vec<f64> {
    let highest = scores.iter().fold(f64::NEG_INFINITY, |highest, &score| highest.max(score));
    scores.iter().map(|score| (score - highest).max(-most)).collect()
}

/// The potential `φ_T(0)` of a game of T rounds with these edges, one for each round.
pub fn first_potential(classes: usize, edges: &[f64], loss: GameLoss, condition: Condition) -> Result<f64> {
    let others = classes.saturating_sub(1);
    match (condition, loss) {
        // Light votes: the conditions are the same (Lemma 19).
        (Condition::Minimal, GameLoss::Exponential { eta }) if light::is_light(classes, edges.len(), eta) => {
            first_potential(classes, edges, loss, Condition::Uniform)
        }
        (Condition::Minimal, _) => Ok(Layers::last(classes, edges, loss)?.potential(&vec![0; others])),
        (Condition::Uniform, GameLoss::ZeroOne) => Ok(Walk::new(classes, edges).zero_one(&vec![0; others])),
        (Condition::Uniform, GameLoss::Hinge) => {
            Ok(others as f64 * LeadWalk::uniform(classes, edges).hinge(0))
        }
        (Condition::Uniform, GameLoss::Exponential { eta }) => {
            Ok(others as f64 * edges.iter().map(|&gamma| kappa(classes, gamma, eta)).product::<f64>())
        }
    }
}
