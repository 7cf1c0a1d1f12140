//! `AdaBoost` for two classes, with answers that are signs, that may abstain, or that have confidences of their own.
//!
//! Schapire & Singer (1999), figure 1. The first class is y = +1, the other −1; the scores of a row are f and −f.
//! Round t, with D(i) ∝ exp(−yᵢ f(xᵢ)) summing to 1 and a hypothesis h, uᵢ = yᵢ h(xᵢ), Z = Σ D(i) exp(−α uᵢ):
//!
//! ```text
//! sign         h ∈ {−1, +1}        α = ½ ln((1 + r)/(1 − r)),  r = Σ D(i) uᵢ                     (3.1)
//! mean         h = mean of y       α as above (edge), or where Z is least (exact)               (3.1, 3.2)
//! abstain      h ∈ {−1, 0, +1}     α = ½ ln((W₊ + ε)/(W₋ + ε)) (exact), W_b = Σ D(i) [uᵢ = b]     (3.3)
//! confidence   h = ½ ln((W₊ + ε)/(W₋ + ε)) of each region, α = 1                                (4.1, 4.2)
//! ```
//!
//! A bound of exp(−α u) that is straight between −1 and 1 gives the step of the edge (4). One that is straight from −1 to 0 and from 0 to 1 is
//! tighter, Z ≤ 1 − P − N + P exp(−α) + N exp(α) with P and N the sums of D(i) u over positive u and of −D(i) u over negative ones, and is least
//! at α = ½ ln((P + ε)/(N + ε)) (`pieces`, the end of section 3.1).
//!
//! For sign all steps are one; for abstain the step of the edge is Freund & Schapire's, below equation (5). Splits are
//! searched with ε = 0. The training error is at most ∏ Z (Theorem 1).

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::Statistics;
use manyboost_kernel::numbers::math::{exp, ln};

use super::hamming::SMOOTHING;
use super::{ANSWERS_HELP, LEAST_EDGE, LEAST_LOSS, STEP_HELP, fill_blocks, half_log_odds};
use crate::boosters::line_search::least;
use crate::model::answers::Lift;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Asks, Booster, Figures, Fits, FittedHypothesis, Load, Problem, Query, RoundState, Shape, Step, Stop,
    Target,
};
use crate::spec::bounds::Proved;
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::{AbstainVote, LogOddsVote, MeanVote, OddsCriterion, SignVote};

/// No step that is searched moves a score further: what is left of a weight then is 2⁻⁴⁰, and can come back.
const LONGEST: f64 = 40.0 * std::f64::consts::LN_2;

/// A Z closer to 1 is no progress.
const NO_PROGRESS: f64 = 1e-12;

/// What a region answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdaAnswers {
    /// +1 or −1.
    #[default]
    Sign,
    /// +1, −1 or 0.
    Abstain,
    /// Half the logarithm of the odds.
    Confidence,
    /// The mean of y.
    Mean,
}

const ANSWERS: Choice<AdaAnswers> = Choice::new(
    "answers",
    ANSWERS_HELP,
    &[
        ("sign", AdaAnswers::Sign, "+1 or −1"),
        ("abstain", AdaAnswers::Abstain, "+1, −1 or 0"),
        ("confidence", AdaAnswers::Confidence, "half the logarithm of the odds"),
        ("mean", AdaAnswers::Mean, "the mean of y, from −1 to 1"),
    ],
);

/// How the step size is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AdaStep {
    /// From the edge.
    #[default]
    Edge,
    /// Where a bound in pieces is least.
    Pieces,
    /// Where Z is least.
    Exact,
}

const STEP: Choice<AdaStep> = Choice::new(
    "step",
    STEP_HELP,
    &[
        ("edge", AdaStep::Edge, "from the edge"),
        (
            "pieces",
            AdaStep::Pieces,
            "where a bound of Z is least that is straight between the answers −1, 0 and 1",
        ),
        ("exact", AdaStep::Exact, "where Z is least"),
    ],
);

/// `AdaBoost` for two classes.
#[derive(Clone, Copy, Debug, Default)]
pub struct AdaBoost {
    /// What regions answer.
    pub answers: AdaAnswers,
    /// The step size, where answers are not confidences.
    pub step: AdaStep,
    /// ε; 1/(2m) if it is not given.
    pub smoothing: Option<f64>,
    /// What split search minimises, where answers are confidences.
    pub criterion: OddsCriterion,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "adaboost",
        "AdaBoost for two classes: answers that are signs, may abstain, or have confidences",
        "Schapire & Singer 1999",
        |options| {
            let answers = options.take(&ANSWERS, AdaAnswers::Sign)?;
            let step = match answers {
                AdaAnswers::Confidence => AdaStep::Exact,
                AdaAnswers::Abstain => options.take(&STEP, AdaStep::Exact)?,
                _ => options.take(&STEP, AdaStep::Edge)?,
            };
            let smoothing = match (answers, step) {
                (AdaAnswers::Confidence, _)
                | (AdaAnswers::Abstain, AdaStep::Exact)
                | (_, AdaStep::Pieces) => options.take(&SMOOTHING, None)?,
                _ => None,
            };
            let criterion = match answers {
                AdaAnswers::Confidence => OddsCriterion::from_options(options)?,
                _ => OddsCriterion::Z,
            };
            Ok(Box::new(AdaBoost { answers, step, smoothing, criterion }))
        },
    )
};

impl AdaBoost {
    /// The vote of confidences, for weights that sum to `norm`.
    fn log_odds(&self, now: &RoundState<'_>, norm: f64) -> LogOddsVote {
        LogOddsVote::new(norm, self.smoothing.unwrap_or(0.5 / now.totals.weight())).by(self.criterion)
    }

    /// D(i), from the channels of a row.
    fn weight(&self, channels: &[f64]) -> f64 {
        match self.answers {
            AdaAnswers::Sign => channels[0].abs(),
            AdaAnswers::Abstain | AdaAnswers::Confidence => channels[0] + channels[1],
            AdaAnswers::Mean => channels[0],
        }
    }

    /// W₊ and W₋ of every cell of a hypothesis.
    fn cells(&self, now: &RoundState<'_>, channels: &[f64], fit: &FittedHypothesis) -> Vec<(f64, f64)> {
        let y = now.classes();
        let per_row = (channels.len() / y.len().max(1)).max(1);
        let weights: Vec<f64> = channels.chunks_exact(per_row).map(|c| self.weight(c)).collect();
        let places: Vec<u32> = fit.cell_of.iter().zip(y).map(|(cell, y)| 2 * cell + y).collect();
        let width = 2 * fit.hypothesis.answers.len();
        let rows: Vec<u32> = (0..y.len() as u32).collect();
        let statistics = Statistics::OneHot { values: &weights, labels: &places, width };
        now.totals.by_group(&statistics, &[&rows])[1..].chunks_exact(2).map(|w| (w[0], w[1])).collect()
    }
}

impl Booster for AdaBoost {
    fn check(&self, labels: &Labels) -> Result<()> {
        match labels.classes() {
            // One class is the first of two.
            1 | 2 => Ok(()),
            k => {
                let what = format!("adaboost tells two classes apart, and here the number of classes is {k}");
                Err(Error::new(
                    ErrorKind::Parameter,
                    what,
                    "choose another booster, such as `booster=mcboost`, `booster=mh` or `booster=samme`",
                ))
            }
        }
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let y = now.classes();
        // −y f: the scores of a row are f and −f, of which one is there if there is one class.
        let exponent = |i: usize| match now.scores.row(i) {
            [f] => -f,
            scores => scores[1 - y[i] as usize],
        };
        let heaviest = now.totals.max(exponent);
        let width = if self.answers == AdaAnswers::Sign { 1 } else { 2 };
        let weights = fill_blocks(now.scores, width, channels, &|first, _, channels, weights| {
            for (at, (c, weight)) in channels.chunks_exact_mut(width).zip(weights).enumerate() {
                let plus = y[first + at] == 0;
                let d = exp(exponent(first + at) - heaviest);
                *weight = d;
                match self.answers {
                    AdaAnswers::Sign => c[0] = if plus { -d } else { d },
                    AdaAnswers::Mean => c.copy_from_slice(&[d, if plus { d } else { -d }]),
                    AdaAnswers::Abstain | AdaAnswers::Confidence => {
                        c.copy_from_slice(&if plus { [d, 0.0] } else { [0.0, d] });
                    }
                }
            }
        });
        // The heaviest row weighs 1.
        let [norm] = now.totals.sums_within([1.0], |i| [weights[i]]);
        let shape = Shape::Dense(width);
        let query = match self.answers {
            AdaAnswers::Sign => Query::new(shape, SignVote, norm),
            AdaAnswers::Mean => Query::new(shape, MeanVote { most: 1.0 }, norm),
            AdaAnswers::Abstain => Query::new(shape, AbstainVote { labels: 1 }, norm),
            AdaAnswers::Confidence => Query::new(shape, self.log_odds(now, norm), norm),
        };
        let loss = exp(heaviest + ln(norm / now.totals.weight()));
        Target::one(Query { lift: Lift::Along([1.0, -1.0][..now.scores.width()].to_vec()), ..query }, loss)
    }

    fn load(&self, _: usize) -> Load {
        Load::dense(3, 2)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, norm) = (&fits[0], target.queries[0].norm);
        let (weights, answers) = (self.cells(now, channels, fit), fit.numbers());
        // Sums over all u = y h, with their weights.
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            weights.iter().zip(answers).map(|((p, q), h)| p * of(*h) + q * of(-h)).sum()
        };
        let r = sum(&|u| u) / norm;
        let confident = self.answers == AdaAnswers::Confidence;
        if r.is_nan() || r <= LEAST_EDGE {
            return Step::Stop(Stop::NoEdge);
        }
        let perfect = !confident && r >= 1.0 - LEAST_LOSS;
        let alpha = match (self.answers, self.step) {
            (AdaAnswers::Confidence, _) => 1.0,
            (AdaAnswers::Abstain, AdaStep::Exact) => {
                let right = sum(&|u| f64::from(u8::from(u > 0.0)));
                let wrong = sum(&|u| f64::from(u8::from(u < 0.0)));
                self.log_odds(now, norm).confidence(right, wrong)
            }
            (AdaAnswers::Mean, AdaStep::Exact) if !perfect => {
                let largest = answers.iter().fold(0.0f64, |most, h| most.max(h.abs()));
                let slope = |alpha: f64| -sum(&|u| if u == 0.0 { 0.0 } else { u * exp(-alpha * u) });
                least(slope, LONGEST / largest)
            }
            (_, AdaStep::Pieces) => {
                let part = |x: f64| if x > 0.0 { x } else { 0.0 };
                self.log_odds(now, norm).confidence(sum(&|u| part(u)), sum(&|u| part(-u)))
            }
            _ => half_log_odds(r),
        };
        let z = sum(&|u| exp(-alpha * u)) / norm;
        if confident && z > 1.0 - NO_PROGRESS {
            return Step::Stop(Stop::NoEdge);
        }
        let edge = (!confident).then_some(r);
        let figures = Figures { edge, z: Some(z), bound_factor: Some(z) };
        Step::take_last(alpha, figures, perfect.then_some(Stop::Perfect))
    }

    fn asks(&self) -> Asks {
        match self.answers {
            AdaAnswers::Sign => Asks::Signs,
            AdaAnswers::Mean => Asks::Numbers,
            AdaAnswers::Abstain | AdaAnswers::Confidence => Asks::Odds,
        }
    }

    fn first_bound(&self, _: &Labels) -> Option<f64> {
        Some(1.0)
    }

    /// The minimiser of the loss has f(x) = ½ ln(P(+1 | x)/P(−1 | x)).
    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(1.0).into()
    }
}
