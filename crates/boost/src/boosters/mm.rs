//! AdaBoost.MM: the adaptive booster that asks for the least a multiclass weak learner must be able to do.
//!
//! Mukherjee & Schapire (2013), section 8, Algorithm 1. Round t, with f the votes so far:
//!
//! ```text
//! C(i, l) = exp(f(i, l) − f(i, yᵢ)) for l ≠ yᵢ,   C(i, yᵢ) = −Σ_{l ≠ yᵢ} exp(f(i, l) − f(i, yᵢ))
//! δ = −Σᵢ C(i, h(xᵢ)) / Z,   Z = Σᵢ Σ_{l ≠ yᵢ} exp(f(i, l) − f(i, yᵢ))                       (59)
//! α = ½ ln((1 + δ)/(1 − δ))                                                                (61)
//! α = ½ ln(Σ_{i right} −C(i, yᵢ) / Σ_{i wrong} C(i, h(xᵢ)))                                    (62)
//! ```
//!
//! Where mistakes cost differently ([`Costs`]), each exponential of C counts times the cost of the answer l where yᵢ is true, and Z
//! bounds the cost of all mistakes.
//!
//! A wrong answer costs at least 1, so that the mean of Z over the rows bounds the training error. It is k − 1 at first and falls by
//! √(1 − δ²) or better either way (Lemma 23): the (k − 1) ∏ √(1 − δ²) of Theorem 25 is never less. What it falls by is `z` in traces; with the
//! step (62) that is (1 − c) + √(c² − δ²), where c is the share of Z in what the hypothesis is right or wrong on (58, with its sign put right).

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::numbers::math::{exp, ln};

use super::{STEP_HELP, StepSize, fill_blocks};
use crate::corrective::newton::least_loss;
use crate::corrective::{Corrective, Patterns, Wrong};
use crate::evaluate::costs::{COSTS, Costs};
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{Booster, Figures, Fits, Problem, Query, RoundState, Shape, Step, Stop, Target};
use crate::spec::bounds::Proved;
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote};

/// An edge closer to 1 counts as 1: its step would be infinite.
const LEAST_LOSS: f64 = 1.0 / (1u64 << 40) as f64;

const STEP: Choice<StepSize> = Choice::new(
    "step",
    STEP_HELP,
    &[
        ("edge", StepSize::Edge, "from the edge, equation (61)"),
        ("exact", StepSize::Exact, "the exact minimiser of the loss, equation (62)"),
    ],
);

const REFIT: Choice<bool> = Choice::new(
    "refit",
    "Which coefficients a round changes",
    &[
        ("last", false, "that of its own hypothesis (the default)"),
        ("all", true, "those of all hypotheses: the loss is least in all of them together"),
    ],
);

/// AdaBoost.MM.
#[derive(Clone, Debug, Default)]
pub struct Mm {
    /// The step size.
    pub step: StepSize,
    /// Whether every round changes all coefficients (Schapire & Singer 1999, appendix A).
    pub refit: bool,
    /// What mistakes cost, if not all the same.
    pub costs: Option<Costs>,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "mm",
        "AdaBoost.MM: asks the least of a multiclass weak learner",
        "Mukherjee & Schapire 2013",
        |options| {
            let step = options.take(&STEP, StepSize::Edge)?;
            let (refit, costs) = (options.take_given(&REFIT)? == Some(true), options.take_costs(&COSTS)?);
            if refit && costs.is_some() {
                let what = "`refit=all` counts every mistake alike, and `costs` do not";
                return Err(Error::new(ErrorKind::Parameter, what, "leave one of them out"));
            }
            Ok(Box::new(Mm { step, refit, costs }))
        },
    )
};

impl Booster for Mm {
    fn check(&self, labels: &Labels) -> Result<()> {
        self.costs.as_ref().map_or(Ok(()), |costs| costs.check(labels))
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k) = (now.classes(), now.labels.classes());
        let costs = self.costs.as_ref().and_then(|costs| costs.matrix(now.labels.names()).ok());
        fill_blocks(now.scores, k, channels, &|first, scores, channels, _| {
            for ((f, c), &l) in scores.chunks_exact(k).zip(channels.chunks_exact_mut(k)).zip(&y[first..]) {
                let y = l as usize;
                // The own class stays out of the sum: where it is far ahead, its 1 would swallow the others.
                for (l, (cost, &score)) in c.iter_mut().zip(f).enumerate() {
                    *cost = if l == y { 0.0 } else { exp(score - f[y]) };
                }
                if let Some(costs) = &costs {
                    c.iter_mut().zip(costs.of(y)).for_each(|(c, cost)| *c *= cost);
                }
                c[y] = -c.iter().sum::<f64>();
            }
        });
        let norm = now.totals.sum(|i| -channels[i * k + y[i] as usize]);
        let loss = norm / now.totals.weight();
        Target::one(Query::new(Shape::Dense(k), LabelVote(LabelCriterion::Cost), norm), loss)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, norm) = (&fits[0], target.queries[0].norm);
        let (y, k) = (now.classes(), now.labels.classes());
        let part = |i: usize| match fit.label(i) {
            Some(h) if h == y[i] => [-channels[i * k + h as usize], 0.0],
            Some(h) => [0.0, channels[i * k + h as usize]],
            None => [0.0; 2],
        };
        let [right, wrong] = now.totals.sums(part);
        let delta = (right - wrong) / norm;
        // Nothing is left to cost anything: with one class from the start, or when every exponential is zero.
        if norm <= 0.0 || delta <= 0.0 {
            return Step::Stop(Stop::NoEdge);
        }
        let perfect = wrong <= LEAST_LOSS * right;
        let alpha = match self.step {
            StepSize::Edge => {
                let delta = delta.min(1.0 - LEAST_LOSS);
                0.5 * ln((1.0 + delta) / (1.0 - delta))
            }
            StepSize::Exact => 0.5 * ln(right / wrong.max(LEAST_LOSS * right)),
        };
        let factor = 1.0 + (right * (exp(-alpha) - 1.0) + wrong * (exp(alpha) - 1.0)) / norm;
        let figures = Figures { edge: Some(delta), z: Some(factor), bound_factor: Some(factor) };
        // Only a hypothesis that is right everywhere leaves nothing to learn.
        let all_right = perfect && now.totals.count(|i| u32::from(fit.label(i) != Some(y[i]))) == 0.0;
        Step::take_last(alpha, figures, all_right.then_some(Stop::Perfect))
    }

    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        self.costs.is_none().then_some(labels.classes() as f64 - 1.0)
    }

    fn corrective(&self) -> Option<&dyn Corrective> {
        self.refit.then_some(self)
    }

    /// The minimiser of MM's loss has f(x, l) = ½ ln P(l | x) up to a constant.
    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(2.0).into()
    }
}

impl Corrective for Mm {
    /// With qᵣⱼ = [hⱼ(xᵢ) = yᵢ] − [hⱼ(xᵢ) = l] for each wrong answer r = (i, l), the loss is the Z of appendix A.
    fn correct(
        &self,
        now: &RoundState<'_>,
        cells: &[Vec<u32>],
        _: &mut Vec<f64>,
    ) -> (Vec<f64>, Option<Target>) {
        let patterns = Patterns::new(now, cells);
        let weight = |wrong: &Wrong| patterns.seen[wrong.pattern].1 * wrong.times as f64;
        let weights: Vec<f64> = patterns.wrongs.iter().map(weight).collect();
        (least_loss(&patterns.gains, &weights), None)
    }

    /// The loss bounds the training error, whatever the coefficients are.
    fn proved(&self, next: &Target) -> Option<f64> {
        Some(next.loss)
    }
}
