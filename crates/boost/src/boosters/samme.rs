//! SAMME: `AdaBoost` for k classes, asking of a weak hypothesis only that it beats guessing.
//!
//! Zhu, Rosset, Zou & Hastie (2009); Saberian & Vasconcelos 2019, appendix H.2.2. Round t, with weights D and a hypothesis h, n = k:
//!
//! ```text
//! ε = Σ D(i) [h(xᵢ) ≠ yᵢ] / Σ D(i)                 stop if ε ≥ 1 − 1/n
//! α = ln((1 − ε)/ε) + ln(n − 1)
//! D(i) ← D(i) · exp(α [h(xᵢ) ≠ yᵢ]),   F(x, l) ← F(x, l) + α [h(x) = l]
//! Z = (1 − ε) exp(−α (n − 1)/n) + ε exp(α/n)
//! ```
//!
//! Up to a common factor, D(i) = exp(−F(xᵢ, yᵢ)): the scores are all the state there is.
//!
//! AdaBoost.M1 (Freund & Schapire 1997; Mukherjee & Schapire 2013, section 9) is the same with n = 2 for any number of classes: it asks that a
//! hypothesis be right on half of the weight, α = ln((1 − ε)/ε), Z = 2 √(ε(1 − ε)). ∏ Z bounds how often the true class has no
//! more than the share 1/n of all votes, and hence, for n = 2, the training error.
//!
//! With a shrinkage ν the step is ν α; ν may be above 1, as it may in scikit-learn. A hypothesis without error, for which α would be
//! infinite, has the step of one that errs on 2⁻⁴⁰ of the weight, or 1 with the option `step=unit`, as in scikit-learn.

use manyboost_data::{Labels, Result};
use manyboost_kernel::numbers::math::{exp, ln};
use rayon::prelude::*;

use super::{LEAST_EDGE, SHRINKAGE_HELP, STEP_HELP, fill_blocks};
use crate::engine::train::Rounds;
use crate::learners::TreeParameters;
use crate::model::LARGEST_FIGURE;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Asks, Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::bounds::Proved;
use crate::spec::option::{Choice, Number, Range};
use crate::spec::options::Options;
use crate::spec::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote};

/// A smaller error counts as none: its step would be infinite.
const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// The step of a hypothesis that is right on every row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perfect {
    /// As if it erred on `LEAST_ERROR`.
    #[default]
    Odds,
    /// 1, as in scikit-learn.
    Unit,
}

/// With a larger shrinkage, e to the power of a step might not be a number, and sums of steps would lose bits.
const SHRINKAGE: Number<f64> = Number::new("shrinkage", SHRINKAGE_HELP, Range::above_to(0.0, 32.0));

const STEP: Choice<Perfect> = Choice::new(
    "step",
    STEP_HELP,
    &[
        (
            "odds",
            Perfect::Odds,
            "from the error; a hypothesis without any counts as one that errs on 2⁻⁴⁰ (the default)",
        ),
        ("unit", Perfect::Unit, "the same, but 1 for a hypothesis without error, as in scikit-learn"),
    ],
);

/// What a hypothesis must be better than.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rival {
    /// A guess among all classes: SAMME.
    #[default]
    Guess,
    /// The toss of a coin: AdaBoost.M1.
    Coin,
}

/// Rows from which the trees of SAMME are grown by Gini impurity, unless something else is asked for.
const ENOUGH_ROWS: usize = 1000;

/// SAMME and AdaBoost.M1.
#[derive(Clone, Copy, Debug)]
pub struct Samme {
    /// What trees are grown by.
    pub criterion: LabelCriterion,
    /// The part of each step that is taken.
    pub shrinkage: f64,
    /// What a hypothesis must be better than.
    pub rival: Rival,
    /// The step of a hypothesis that is right on every row.
    pub perfect: Perfect,
}

impl Samme {
    fn from_options(options: &mut Options, rival: Rival) -> Result<Box<dyn Booster>> {
        // With enough rows, trees that are grown by impurity err less on others; M1 wants the least error at once.
        let gini = rival == Rival::Guess && options.size().rows >= ENOUGH_ROWS;
        let for_trees = if gini { LabelCriterion::Gini } else { LabelCriterion::Cost };
        let criterion = LabelCriterion::from_options_or(options, for_trees)?;
        let shrinkage = options.take(&SHRINKAGE, 1.0)?;
        let perfect = options.take_given(&STEP)?.unwrap_or_default();
        Ok(Box::new(Self { criterion, shrinkage, rival, perfect }))
    }

    /// n: the rival is right once in n times.
    fn n(self, labels: &Labels) -> f64 {
        match self.rival {
            Rival::Guess => labels.classes() as f64,
            Rival::Coin => 2.0,
        }
    }
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "samme",
        "SAMME: AdaBoost for many classes, one weighted vote per round",
        "Zhu, Rosset, Zou & Hastie 2009",
        |options| Samme::from_options(options, Rival::Guess),
    )
};

pub(crate) const M1: BoosterEntry = BoosterEntry {
    no_edge: "no hypothesis errs on less than one half of the weight",
    proved: |_| Proved::Error,
    defaults: |_| ("tree", TreeParameters::tree(32), Rounds::Given(200)),
    ..BoosterEntry::new(
        "m1",
        "AdaBoost.M1: one weighted vote per round, as long as hypotheses are right on half of the weight",
        "Freund & Schapire 1997",
        |options| Samme::from_options(options, Rival::Coin),
    )
};

impl Booster for Samme {
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k) = (now.classes(), now.labels.classes());
        fill_blocks(now.scores, 1, channels, &|first, scores, channels, _| {
            for ((f, c), &l) in scores.chunks_exact(k).zip(channels).zip(&y[first..]) {
                *c = -f[l as usize];
            }
        });
        let heaviest = now.totals.max(|i| channels[i]);
        channels.par_iter_mut().with_min_len(4096).for_each(|c| *c = -exp(*c - heaviest));
        // The heaviest row weighs 1.
        let [norm] = now.totals.sums_within([1.0], |i| [-channels[i]]);
        // Every row has cast the same votes, for whatever classes: their sum is that of any other row.
        let any = |i: usize| if i == 0 { now.scores.row(0).iter().sum() } else { f64::NEG_INFINITY };
        let share = now.totals.max(any) / self.n(now.labels);
        // Long steps make it more than a number can say.
        let loss = (norm * exp(share + heaviest) / now.totals.weight()).min(LARGEST_FIGURE);
        Target::one(Query::new(Shape::OneHot(k), LabelVote(self.criterion), norm), loss)
    }

    fn asks(&self) -> Asks {
        Asks::OwnClass
    }

    fn load(&self, width: usize) -> Load {
        Load::one_hot(width)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, norm) = (&fits[0], target.queries[0].norm);
        let (y, n) = (now.classes(), self.n(now.labels));
        let wrong = |i: usize| fit.label(i) != Some(y[i]);
        let [lost] = now.totals.sums_within([1.0], |i| [if wrong(i) { -channels[i] } else { 0.0 }]);
        let error = lost / norm;
        if error >= 1.0 - 1.0 / n - LEAST_EDGE {
            return Step::Stop(Stop::NoEdge);
        }
        let last = (error < LEAST_ERROR).then_some(Stop::Perfect);
        let e = error.max(LEAST_ERROR);
        // Where weights lie far apart, a hypothesis may err on rows that weigh next to nothing.
        let unit = self.perfect == Perfect::Unit
            && last.is_some()
            && now.totals.max(|i| f64::from(u8::from(wrong(i)))) == 0.0;
        let alpha = if unit { 1.0 } else { self.shrinkage * (ln((1.0 - e) / e) + ln(n - 1.0)) };
        // Z of the exponential loss whose minimiser is α/n: a bound on how often the true class has no more than its share.
        let z = (1.0 - error) * exp(-alpha * (n - 1.0) / n) + error * exp(alpha / n);
        let figures = Figures { edge: Some(1.0 - 1.0 / n - error), z: Some(z), bound_factor: Some(z) };
        Step::take_last(alpha, figures, last)
    }

    /// Only for n = 2: with less than half of the votes a class may still have the most.
    /// Steps of up to twice the paper's never raise the loss. Longer ones may, so far that the lightest rows lose their weights, and
    /// the product of Z no longer knows of them.
    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        (self.n(labels) <= 2.0 && self.shrinkage <= 2.0).then_some(1.0)
    }

    /// The minimiser of the loss has F(x, l) = ln P(l | x) up to a constant.
    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(1.0).into()
    }
}
