//! What may be set on [`os`](super::os): the edges that are counted on, the loss, the rounds ahead, the weights of votes.

use manyboost_data::{Error, ErrorKind, Result};

use super::{LOSS_HELP, STEP_HELP, StepSize};
use crate::spec::option::{Choice, Declaration, Describe, Group, Number, OptionInfo, OptionKind, Range};
use crate::spec::options::Options;
use crate::theory::Condition;

/// The longest game.
pub(super) const LONGEST: usize = 10_000;

/// The edges that are counted on: one for all rounds, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Edges(pub(super) Vec<f64>);

impl Edges {
    /// The same edge in all rounds.
    pub fn one(gamma: f64) -> Self {
        Self(vec![gamma])
    }

    /// The mean.
    pub(super) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The edge of a round, from 1.
    pub fn of(&self, round: usize) -> f64 {
        self.0.get(round - 1).or(self.0.last()).copied().unwrap_or(0.0)
    }
}

/// An option of one number for all rounds, or one for each; all are above 0 and below 1.
pub(super) struct ByRound {
    name: &'static str,
    help: &'static str,
    allowed: &'static str,
}

impl Describe for ByRound {
    fn name(&self) -> &'static str {
        self.name
    }

    fn info(&self) -> OptionInfo {
        OptionInfo {
            name: self.name,
            help: self.help,
            group: Group::Boosting,
            kind: OptionKind::Numbers,
            words: Vec::new(),
            allowed: self.allowed.to_string(),
        }
    }
}

impl Declaration for ByRound {
    type Value = Edges;

    fn parse(&self, text: &str) -> Option<Edges> {
        let numbers: Vec<f64> = text.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        numbers.iter().all(|x| *x > 0.0 && *x < 1.0).then_some(Edges(numbers))
    }

    fn text(&self, numbers: &Edges) -> String {
        numbers.0.iter().map(f64::to_string).collect::<Vec<_>>().join(",")
    }
}

pub(super) const EDGE: ByRound = ByRound {
    name: "edge",
    help: "The edge that is counted on, or one for each round",
    allowed: "an edge above 0 and below 1, or one for each round: 0.3,0.2,0.1",
};

const ETA: ByRound = ByRound {
    name: "eta",
    help: "The weight of a vote under the exponential loss, or one for each round",
    allowed: "a weight above 0 and below 1, or one for each round: 0.3,0.2,0.1",
};

pub(super) const LOSS: Choice<PlayedLoss> = Choice::new(
    "loss",
    LOSS_HELP,
    &[
        ("exponential", PlayedLoss::Exponential, "the exponential loss"),
        ("zero-one", PlayedLoss::ZeroOne, "the error itself, at the end of the game"),
        ("hinge", PlayedLoss::Hinge, "the hinge loss, at the end of the game"),
    ],
);

const HORIZON: Number<usize> = Number::new(
    "horizon",
    "Rounds that potentials look ahead to, at least as many as there are",
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

/// The loss by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayedLoss {
    /// The exponential loss.
    Exponential,
    /// The error itself.
    ZeroOne,
    /// The hinge loss.
    Hinge,
}

/// The game.
#[derive(Debug)]
pub enum OsGame {
    /// The exponential loss under the uniform condition: every round by itself.
    Exponential,
    /// A loss of whole votes, at its end.
    Played {
        /// The loss.
        loss: PlayedLoss,
        /// What is promised.
        condition: Condition,
        /// The rounds of the game, T.
        horizon: usize,
    },
}

/// The weights η of votes under the exponential loss.
#[derive(Debug)]
pub(super) enum VoteWeights {
    /// They follow from the edges.
    Found(StepSize),
    /// These.
    Given(Edges),
}

/// A game of whole votes, as options ask for it.
pub(super) fn played(
    options: &mut Options,
    rounds: usize,
    edges: &Edges,
    loss: PlayedLoss,
    condition: Condition,
) -> Result<OsGame> {
    let longest = if edges.0.len() > 1 { edges.0.len() } else { LONGEST };
    let whole = if edges.0.len() > 1 { longest } else { rounds };
    let horizon = options.take(&HORIZON, whole)?;
    // A default that is wrong is the fault of the rounds.
    if horizon != whole && !(rounds..=longest).contains(&horizon) {
        let allowed = format!("a whole number from `rounds` ({rounds}) to {longest}");
        return Err(Error::parameter("horizon", &horizon.to_string(), &allowed));
    }
    let condition = match loss {
        PlayedLoss::Exponential => condition,
        _ => options.take(&Condition::OPTION, Condition::Uniform)?,
    };
    Ok(OsGame::Played { loss, condition, horizon })
}

/// The weights of votes, as options ask for them: given, or found from the edges.
pub(super) fn vote_weights(options: &mut Options, rounds: usize, by_round: bool) -> Result<VoteWeights> {
    let Some(etas) = options.take_given(&ETA)? else {
        return Ok(VoteWeights::Found(options.take(&STEP, StepSize::Edge)?));
    };
    let enough = etas.0.len() == 1 || (by_round && etas.0.len() >= rounds);
    if enough {
        return Ok(VoteWeights::Given(etas));
    }
    let what = format!("`rounds={rounds}`, and `eta` has {} weights", etas.0.len());
    Err(Error::new(
        ErrorKind::Parameter,
        what,
        "give one weight, or (with `condition=uniform`) one for each round",
    ))
}
