//! `LPBoost`: the mixture of hypotheses with the largest soft margin, by column generation.
//!
//! Demiriz, Bennett & Shawe-Taylor (2002), with one row of the game for each wrong answer: Mukherjee & Schapire (2013), Theorem 6, says that
//! a margin of mixtures above 0 is what it takes to boost. With V(i, l) the share of the mixture that says l of row i:
//!
//! ```text
//! max γ − 1/(νn) Σᵢ ξᵢ   with   V(i, yᵢ) − V(i, l) ≥ γ − ξᵢ  for l ≠ yᵢ
//! ```
//!
//! In each round the weak learner answers the weights d(i, l) of the other side of this game. All coefficients are then found anew
//! ([`corrective`](crate::corrective)). The loss in traces is 1 less the soft margin that the mixture has: the *primal* value. The edge is that of the
//! round's hypothesis on the weights: the *dual* value. No mixture of hypotheses that the learner finds has a soft margin above any
//! edge, so what lies between 1 − loss and the least edge is all that is not known; when it is [`CLOSE`], training ends.
//!
//! Round t takes time like t² times the number of (row, wrong answer) that hypotheses tell apart: it is for some thousands of rows and some hundreds of rounds.
//!
//! With ν = 0 no row may fall short: γ is then the margin that `certify` finds.

use manyboost_data::{Error, ErrorKind, Labels, Result};

use crate::corrective::Corrective;
use crate::corrective::Patterns;
use crate::corrective::soft_margin::SoftGame;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{Booster, Figures, Fits, Problem, Query, RoundState, Shape, Step, Stop, Target};
use crate::spec::option::{Number, Range};
use crate::spec::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote};

/// What an edge may be above the soft margin at the end.
const CLOSE: f64 = 1e-7;

const NU: Number<f64> =
    Number::new("nu", "The share of rows that may fall short of the margin", Range::from_to(0.0, 0.9))
        .least_means("none: a hard margin");

/// `LPBoost`.
#[derive(Clone, Copy, Debug)]
pub struct Lp {
    /// The share of rows that may fall short of the margin.
    pub nu: f64,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry::new(
    "lp",
    "LPBoost: the mixture of the largest soft margin; all coefficients are found anew in every round",
    "Demiriz, Bennett & Shawe-Taylor 2002",
    |options| Ok(Box::new(Lp { nu: options.take(&NU, 0.1)? })),
);

fn question(now: &RoundState<'_>, margin: f64) -> Target {
    let (shape, vote) = (Shape::Dense(now.labels.classes()), LabelVote(LabelCriterion::Cost));
    Target::one(Query::new(shape, vote, 1.0), 1.0 - margin)
}

impl Booster for Lp {
    fn check(&self, labels: &Labels) -> Result<()> {
        match labels {
            Labels::Classes { .. } => Ok(()),
            Labels::Sets { .. } => Err(Error::new(
                ErrorKind::Parameter,
                "LPBoost learns one class per row, and these are label sets",
                "use `booster=mh` or `booster=mr`",
            )),
        }
    }

    /// The first question: all rows and all wrong answers weigh the same.
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let patterns = Patterns::new(now, &[]);
        let all = now.totals.weight();
        let weights: Vec<f64> =
            patterns.wrongs.iter().map(|wrong| patterns.seen[wrong.pattern].1 / all).collect();
        patterns.costs(now, &[], &weights, channels);
        question(now, -1.0)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, k) = (&fits[0], now.labels.classes());
        let gain = |i: usize| fit.label(i).map_or(0.0, |l| -channels[i * k + l as usize]);
        let edge = now.totals.sum(gain);
        if edge <= 1.0 - target.loss + CLOSE || k < 2 {
            return Step::Stop(Stop::NoEdge);
        }
        Step::take(1.0, Figures { edge: Some(edge), ..Figures::default() })
    }

    fn corrective(&self) -> Option<&dyn Corrective> {
        Some(self)
    }

    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(4.0).into()
    }
}

impl Corrective for Lp {
    fn correct(
        &self,
        now: &RoundState<'_>,
        cells: &[Vec<u32>],
        channels: &mut Vec<f64>,
    ) -> (Vec<f64>, Option<Target>) {
        let patterns = Patterns::new(now, cells);
        let all = now.totals.weight();
        let share: Vec<f64> = patterns.seen.iter().map(|(_, weight)| weight / all).collect();
        let group: Vec<usize> = patterns.wrongs.iter().map(|wrong| wrong.pattern).collect();
        let most = (self.nu > 0.0).then(|| 1.0 / self.nu);
        let play = SoftGame { gains: &patterns.gains, group: &group, share: &share, most }.solve();
        patterns.costs(now, cells, &play.w, channels);
        (play.lambda, Some(question(now, play.value)))
    }

    fn proved(&self, _: &Target) -> Option<f64> {
        None
    }
}
