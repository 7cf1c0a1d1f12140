//! SAMME: `AdaBoost` for k classes, asking of a weak hypothesis only that it beats guessing.
//!
//! Zhu, Rosset, Zou & Hastie (2009); paper 004, appendix H.2.2. Round t, with weights D and a hypothesis h:
//!
//! ```text
//! ε = Σ D(i) [h(xᵢ) ≠ yᵢ] / Σ D(i)                 stop if ε ≥ 1 − 1/k
//! α = ln((1 − ε)/ε) + ln(k − 1)
//! D(i) ← D(i) · exp(α [h(xᵢ) ≠ yᵢ]),   F(x, l) ← F(x, l) + α [h(x) = l]
//! ```
//!
//! Up to a common factor, D(i) = exp(−F(xᵢ, yᵢ)): the scores are all the state there is.

use polyboost_data::Labels;
use polyboost_kernel::math::{exp, ln};
use rayon::prelude::*;

use super::fill_blocks;
use crate::booster::{Ask, Booster, Figures, Fit, Now, Shape, Step, Stop, Target, Task};
use crate::learners::TreeParameters;
use crate::reading::{Link, Reading};
use crate::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote};

/// A smaller error counts as none: its step would be infinite.
const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// SAMME.
#[derive(Clone, Copy, Debug, Default)]
pub struct Samme {
    /// What trees are grown by.
    pub criterion: LabelCriterion,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    name: "samme",
    summary: "SAMME: AdaBoost for many classes, one weighted vote a round",
    source: "Zhu, Rosset, Zou & Hastie 2009",
    sets: false,
    defaults: || ("stump", TreeParameters::stump(), 200),
    build: |options| Ok(Box::new(Samme { criterion: options.choice("criterion", LabelCriterion::NAMES)? })),
};

impl Booster for Samme {
    fn target(&self, now: &Now<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k) = (now.classes(), now.labels.classes());
        fill_blocks(now.scores, 1, channels, |first, scores, channels, _| {
            for ((f, c), &l) in scores.chunks_exact(k).zip(channels).zip(&y[first..]) {
                *c = -f[l as usize];
            }
        });
        let heaviest = now.totals.max(|i| channels[i]);
        channels.par_iter_mut().with_min_len(4096).for_each(|c| *c = -exp(*c - heaviest));
        // The heaviest row weighs 1.
        let [norm] = now.totals.sums_within([1.0], |i| [-channels[i]]);
        // Every row has cast the same votes, for whatever classes: its mean score is that of any other.
        let any = |i: usize| if i == 0 { now.scores.row(0).iter().sum() } else { f64::NEG_INFINITY };
        let mean = now.totals.max(any) / k as f64;
        let loss = norm * exp(mean + heaviest) / now.totals.weight();
        Target::one(Ask::new(Shape::OneHot(k), LabelVote(self.criterion), norm), loss)
    }

    fn step(&self, now: &Now<'_>, target: &Target, channels: &[f64], fits: &mut Vec<Fit>) -> Step {
        let (fit, norm) = (&fits[0], target.asks[0].norm);
        let (y, k) = (now.classes(), now.labels.classes() as f64);
        let wrong = |i: usize| fit.label(i) != Some(y[i]);
        let [lost] = now.totals.sums_within([1.0], |i| [if wrong(i) { -channels[i] } else { 0.0 }]);
        let error = lost / norm;
        if error >= 1.0 - 1.0 / k {
            return Step::Stop(Stop::NoEdge);
        }
        let last = (error < LEAST_ERROR).then_some(Stop::Perfect);
        let e = error.max(LEAST_ERROR);
        let alpha = ln((1.0 - e) / e) + ln(k - 1.0);
        // Z of the exponential loss whose minimiser is α/k: a bound on how often the true class has no more than its share.
        let z = (1.0 - error) * exp(-alpha * (k - 1.0) / k) + error * exp(alpha / k);
        let figures = Figures { edge: Some(1.0 - 1.0 / k - error), z: Some(z), bound_factor: Some(z) };
        Step::take_last(alpha, figures, last)
    }

    fn first_bound(&self, _: &Labels) -> Option<f64> {
        Some(1.0)
    }

    /// The minimiser of SAMME's loss has F(x, l) = ln P(l | x) up to a constant.
    fn reading(&self, _: &Task<'_>) -> Reading {
        Link::Softmax(1.0).into()
    }
}
