//! AdaBoost.MH: for each label, whether a row has it; one hypothesis per round answers for all labels.
//!
//! Schapire & Singer (1999), section 7; [`Hamming`] has the rounds. With one class per row, the class of the highest
//! score is predicted (17), and the training error is at most (k/2) ∏ Z (19).
//!
//! The skewed start of section 7.2 gives the true classes together as much weight as all others. It is the same as to begin
//! with h₀ ≡ −1 of weight ½ ln(k − 1): so it is here a first score, which also keeps the sign of a score meaningful. The
//! bound is then √(k − 1) ∏ Z.
//!
//! Factored answers (Kégl 2013) are h(x, l) = φ(x) v(l), see [`FactoredVote`](crate::votes::FactoredVote). With the uniform start their
//! first hypothesis is mostly the constant −1, of weight ½ ln(k − 1): the skewed start, one round later.

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::numbers::math::ln;

use super::ANSWERS_HELP;
use super::hamming::{ABSTAIN, FACTORED, Hamming, LabelAnswers, Marks, SIGN, SMOOTHING, label_answers};
use crate::engine::fast::{Cache, FastPaths};
use crate::engine::scores::applied;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{Asks, Booster, Fits, Load, Problem, RoundState, Step, Target};
use crate::spec::bounds::Proved;
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::OddsCriterion;

/// The first weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MhStart {
    /// The same for every row and label.
    #[default]
    Uniform,
    /// Half of all weight for the true classes.
    Skewed,
}

/// AdaBoost.MH.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mh {
    /// Answers and smoothing.
    pub hamming: Hamming,
    /// The first weights.
    pub start: MhStart,
}

const START: Choice<MhStart> = Choice::new(
    "start",
    "The first weights",
    &[
        ("uniform", MhStart::Uniform, "the same for every row and label"),
        ("skewed", MhStart::Skewed, "half of all weight for the true classes"),
    ],
);

const ANSWERS: Choice<LabelAnswers> = Choice::new(
    "answers",
    ANSWERS_HELP,
    &[
        ("sign", LabelAnswers::Sign, SIGN),
        ("class", LabelAnswers::Class, "+1 for one class, −1 for the others"),
        ("factored", LabelAnswers::Factored, FACTORED),
        ("abstain", LabelAnswers::Abstain, ABSTAIN),
    ],
);

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    sets: true,
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "mh",
        "AdaBoost.MH: one sign for each class or label, one hypothesis per round",
        "Schapire & Singer 1999",
        |options| {
            let answers = label_answers(options, &ANSWERS)?;
            let smoothing = if answers.weighs_both() { options.take(&SMOOTHING, None)? } else { None };
            let hamming = Hamming { answers, smoothing, criterion: OddsCriterion::Z };
            Ok(Box::new(Mh { hamming, start: options.take(&START, MhStart::Uniform)? }))
        },
    )
};

pub(crate) const REAL: BoosterEntry = BoosterEntry {
    sets: true,
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "mh-real",
        "AdaBoost.MH with a confidence for each class or label",
        "Schapire & Singer 1999",
        |options| {
            let hamming = Hamming {
                answers: LabelAnswers::Confidence,
                smoothing: options.take(&SMOOTHING, None)?,
                criterion: OddsCriterion::from_options(options)?,
            };
            Ok(Box::new(Mh { hamming, start: options.take(&START, MhStart::Uniform)? }))
        },
    )
};

impl FastPaths for Mh {
    fn cached(&self, now: &RoundState<'_>, cache: &Cache<'_>) -> Option<Target> {
        self.hamming.cached(now, |i| now.labels.labels(i), cache)
    }
}

impl Booster for Mh {
    fn check(&self, labels: &Labels) -> Result<()> {
        if labels.is_sets() && self.start == MhStart::Skewed {
            let what = "`start=skewed` is for one class per row, and these rows have sets of labels";
            return Err(Error::new(ErrorKind::Parameter, what, "leave it out, or say `start=uniform`"));
        }
        Ok(())
    }

    fn start(&self, task: &Problem<'_>) -> Vec<f64> {
        let k = task.labels.classes();
        let first = match self.start {
            MhStart::Skewed if k > 1 => applied(-0.5, ln(k as f64 - 1.0)),
            _ => 0.0,
        };
        vec![first; k]
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        self.hamming.target(now, |i| Marks { own: now.labels.labels(i), silent: &[] }, channels)
    }

    fn load(&self, width: usize) -> Load {
        self.hamming.load(width)
    }

    fn fast_paths(&self) -> Option<&dyn FastPaths> {
        Some(self)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        self.hamming.step(now, target, channels, &fits[0])
    }

    fn asks(&self) -> Asks {
        self.hamming.asks()
    }

    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        let k = labels.classes() as f64;
        Some(match (labels, self.start) {
            (Labels::Sets { .. }, _) => 1.0,
            (_, MhStart::Skewed) if k > 1.0 => (k - 1.0).sqrt(),
            _ => 0.5 * k,
        })
    }

    /// The minimiser of the loss has f(x, l) = ½ ln(P(l | x)/(1 − P(l | x))); classes share what is 1 together.
    fn reading(&self, task: &Problem<'_>) -> Reading {
        match task.labels {
            Labels::Classes { .. } => Link::Odds(2.0).into(),
            Labels::Sets { .. } => Link::Sigmoid(2.0).into(),
        }
    }
}
