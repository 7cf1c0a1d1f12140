//! AdaBoost.MR: ranks the labels that a row has above those that it has not. AdaBoost.M2 is its case of one class per row.
//!
//! Schapire & Singer (1999), section 9, figure 5. Pairs (l₀, l₁) of a label that a row has not and one that it has
//! are what counts. Round t, for hypotheses h(x, l) ∈ {−1, +1}:
//!
//! ```text
//! v(i, l) ∝ exp(−½ Y(i, l) f(xᵢ, l)) / √(|Yᵢ| |Ȳᵢ|),   D(i, l₀, l₁) = v(i, l₀) v(i, l₁), summing to 1       (29)
//! d(i, l) = ½ v(i, l) Σ_{l' : Y(i, l') ≠ Y(i, l)} v(i, l'),   r = Σ d(i, l) Y(i, l) h(xᵢ, l)                  (30)
//! α = ½ ln((1 + r)/(1 − r))                                                                            (28)
//! α = ½ ln(W₊/W₋),   W_b = Σ D(i, l₀, l₁) [h(xᵢ, l₁) − h(xᵢ, l₀) = 2b]                             (22, with its sign put right)
//! Z = W₀ + W₋ exp(α) + W₊ exp(−α)
//! ```
//!
//! The ranking loss is at most ∏ Z (Theorem 6). All sums are over labels, never over pairs: with P the sums of v over the labels
//! that a row has, by the sign of h, and N those over the others, its part of W₊ is P₊ N₋ and that of W₋ is P₋ N₊.
//!
//! Hypotheses may also abstain, or answer any number: [`ranking`](super::ranking) has their steps and answers. Abstaining hypotheses answer for
//! each label what is best where d(i, l) are the weights of a Hamming loss: that is never below Z, as the mean of exp(α h(l₀)) and
//! exp(−α h(l₁)) is never below exp(½ α (h(l₀) − h(l₁))). Regions of real answers are those of signs.
//!
//! With costs, the pairs that count are those that they put in order: [`feedback`](super::feedback). Oblivious hypotheses say the same of all rows: one of
//! least Z is looked for among all 2^k, or half of them, since h and −h differ in the sign of α. No faster way is known (section 9 asks for one).
//!
//! A ranking has no zero. For label sets each round also adds to all scores what makes 0 the [`threshold`] that gets the fewest labels of the
//! training rows wrong; it changes no pair.
//!
//! AdaBoost.M2 (Freund & Schapire 1997) has answers in {0, 1} and counts ln((1 + r)/(1 − r)) for each: twice the step for half
//! the difference, hence the same scores up to a constant, and the same model.

use manyboost_data::{Error, ErrorKind, Labels, Result};
use manyboost_kernel::Criterion;
use manyboost_kernel::loss::softmax::exponentials;
use manyboost_kernel::numbers::math::{exp, ln};

use super::feedback::Pairs;
use super::hamming::SMOOTHING;
use super::ranking::{Taken, best_step, confident, left, moved, oblivious};
use super::threshold::threshold;
use super::{ANSWERS_HELP, STEP_HELP, StepSize};
use super::{LEAST_EDGE, LEAST_LOSS, fill_blocks, gaps, half_log_odds};
use crate::evaluate::costs::{COSTS, Costs};
use crate::model::answers::Answers;
use crate::model::hypothesis::Hypothesis;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Asks, Booster, Figures, Fits, FittedHypothesis, Load, Problem, Query, RoundState, Shape, Step, Stop,
    Target,
};
use crate::spec::bounds::Proved;
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::{AbstainVote, SignVote, Sketch, Vote};

const STEP: Choice<StepSize> = Choice::new(
    "step",
    STEP_HELP,
    &[
        ("edge", StepSize::Edge, "from the edge, equation (28)"),
        ("exact", StepSize::Exact, "where Z is least, equation (22)"),
    ],
);

/// What hypotheses answer for each label.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MrAnswers {
    /// +1 or −1.
    #[default]
    Sign,
    /// +1, −1 or 0.
    Abstain,
    /// Any number.
    Confidence {
        /// Added to the weights of all pairs of a region, a share of all weight; 1/(2 m k) if it is not given.
        smoothing: Option<f64>,
    },
    /// +1 or −1, the same for all rows, of the least Z.
    Oblivious,
}

const ANSWERS: Choice<MrAnswers> = Choice::new(
    "answers",
    ANSWERS_HELP,
    &[
        ("sign", MrAnswers::Sign, "+1 or −1 for each label"),
        ("abstain", MrAnswers::Abstain, "+1, −1 or 0 for each label"),
        (
            "confidence",
            MrAnswers::Confidence { smoothing: None },
            "numbers that leave the least of Z, equation (25)",
        ),
        (
            "oblivious",
            MrAnswers::Oblivious,
            "+1 or −1 for each label, the same for all rows, of the least Z that there is (up to 20 labels)",
        ),
    ],
);

/// Real answers of more labels, and pairs of one's own, take too long.
pub(super) const MOST_LABELS: usize = 256;

/// Sets of more labels are too many to be tried.
const MOST_TRIED: usize = 20;

/// AdaBoost.MR.
#[derive(Clone, Debug, Default)]
pub struct Mr {
    /// What hypotheses answer.
    pub answers: MrAnswers,
    /// The step size, where answers are not real numbers.
    pub step: StepSize,
    /// What puts labels in order, if not whether a row has them.
    pub costs: Option<Costs>,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    sets: true,
    proved: |_| Proved::Ranking,
    ..BoosterEntry::new(
        "mr",
        "AdaBoost.MR: ranks the true class or labels above the others",
        "Schapire & Singer 1999",
        |options| {
            let mut answers = options.take(&ANSWERS, MrAnswers::Sign)?;
            let (mut step, mut costs) = (StepSize::Exact, None);
            match &mut answers {
                MrAnswers::Confidence { smoothing } => *smoothing = options.take(&SMOOTHING, None)?,
                MrAnswers::Sign => {
                    step = options.take(&STEP, StepSize::Edge)?;
                    costs = options.take_costs(&COSTS)?;
                }
                MrAnswers::Abstain => step = options.take(&STEP, StepSize::Exact)?,
                MrAnswers::Oblivious => {}
            }
            Ok(Box::new(Mr { answers, step, costs }))
        },
    )
};

pub(crate) const M2: BoosterEntry = BoosterEntry {
    proved: |_| Proved::Ranking,
    ..BoosterEntry::new(
        "m2",
        "AdaBoost.M2: AdaBoost.MR for one class per row, with the step of the edge",
        "Freund & Schapire 1997",
        |_| Ok(Box::new(Mr::default())),
    )
};

/// The highest score of a row's absent labels less the lowest of its own: twice its largest exponent. Rows without a pair
/// have none.
fn worst(f: &[f64], own: &[u32]) -> Option<(f64, f64)> {
    if own.is_empty() || own.len() == f.len() {
        return None;
    }
    let absent = gaps(own, f.len()).fold(f64::NEG_INFINITY, |most, gap| {
        f[gap].iter().fold(most, |most, &f| if f > most { f } else { most })
    });
    let present = own.iter().map(|&l| f[l as usize]).fold(f64::INFINITY, |a, b| if b < a { b } else { a });
    Some((absent, present))
}

/// A row's parts of W₊ and W₋, from the channels −Y d and the answers: a product of sums of v is one of sums of d, over the
/// sum of all d.
fn ordered(c: &[f64], h: &[f64]) -> [f64; 2] {
    // Channels are negative for the labels that a row has. A label is ranked rightly where they differ from h in sign.
    let [mut own_up, mut own_down, mut other_up, mut other_down] = [0.0; 4];
    for (&c, &h) in c.iter().zip(h) {
        let (own, other) = (if c < 0.0 { -c } else { 0.0 }, if c < 0.0 { 0.0 } else { c });
        let up = h > 0.0;
        own_up += if up { own } else { 0.0 };
        own_down += if up { 0.0 } else { own };
        other_up += if up { other } else { 0.0 };
        other_down += if up { 0.0 } else { other };
    }
    let all = (own_up + own_down) + (other_up + other_down);
    if all > 0.0 { [4.0 * own_up * other_down / all, 4.0 * own_down * other_up / all] } else { [0.0; 2] }
}

/// Regions that signs would be best for, and which other answers take the place of: trees alone have such.
struct SignRegions;

impl Vote for SignRegions {
    fn criterion(&self) -> &dyn Criterion {
        SignVote.criterion()
    }

    fn sketch(&self) -> Sketch<'_> {
        SignVote.sketch()
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        SignVote.answers(sums, stride)
    }
}

/// Channels as weights for and against each label.
fn both(channels: &[f64], k: usize) -> Vec<f64> {
    let part = |x: f64| if x > 0.0 { x } else { 0.0 };
    let row = |c: &[f64]| c.iter().map(|c| part(-c)).chain(c.iter().map(|&c| part(c))).collect::<Vec<f64>>();
    channels.chunks_exact(k).flat_map(row).collect()
}

impl Mr {
    fn signs(&self, now: &RoundState<'_>, norm: f64, channels: &[f64], fit: &FittedHypothesis) -> Taken {
        let (k, answers) = (now.scores.width(), fit.numbers());
        let by_labels = |i: usize| {
            let cell = fit.cell_of[i] as usize * k;
            ordered(&channels[i * k..(i + 1) * k], &answers[cell..cell + k])
        };
        let [plus, minus] = match self.pairs(now.labels) {
            Some(pairs) => pairs.ordered(now, fit),
            None => now.totals.sums_within([1.0; 2], by_labels),
        };
        let r = (plus - minus) / norm;
        // Without a pair there is nothing to rank, and r is not a number.
        if r.is_nan() || r <= LEAST_EDGE {
            return None;
        }
        let alpha = match self.step {
            StepSize::Edge => half_log_odds(r),
            StepSize::Exact => 0.5 * ln(plus / minus.max(LEAST_LOSS * plus)),
        };
        let z = 1.0 + (plus * (exp(-alpha) - 1.0) + minus * (exp(alpha) - 1.0)) / norm;
        let figures = Figures { edge: Some(r), z: Some(z), bound_factor: Some(z) };
        Some((alpha, figures, (r >= 1.0 - LEAST_LOSS).then_some(Stop::Perfect)))
    }

    /// The pairs that a user gave.
    fn pairs(&self, labels: &Labels) -> Option<Pairs> {
        self.costs.as_ref().and_then(|costs| Pairs::new(costs, labels))
    }

    fn abstaining(&self, now: &RoundState<'_>, norm: f64, channels: &[f64], fit: &FittedHypothesis) -> Taken {
        let (k, answers) = (now.scores.width(), fit.numbers());
        let sums = now.totals.sums_within([1.0; 5], |i| {
            let (plus, minus) = channels[i * 2 * k..(i + 1) * 2 * k].split_at(k);
            let signed: Vec<f64> = plus.iter().zip(minus).map(|(p, m)| m - p).collect();
            moved(&signed, &answers[fit.cell_of[i] as usize * k..][..k])
        });
        let r = ((sums[0] - sums[4]) + 0.5 * (sums[1] - sums[3])) / norm;
        if r.is_nan() || r <= LEAST_EDGE {
            return None;
        }
        let alpha = match self.step {
            StepSize::Edge => half_log_odds(r),
            StepSize::Exact => best_step(&sums),
        };
        let z = left(&sums, alpha) / norm;
        let figures = Figures { edge: Some(r), z: Some(z), bound_factor: Some(z) };
        Some((alpha, figures, (r >= 1.0 - LEAST_LOSS).then_some(Stop::Perfect)))
    }
}

impl Booster for Mr {
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let k = now.scores.width();
        if let Some(pairs) = self.pairs(now.labels) {
            let (norm, loss) = pairs.channels(now, channels);
            return Target::one(Query::new(Shape::Dense(k), SignVote, norm), loss);
        }
        let own = |i: usize| now.labels.labels(i);
        let exponent =
            |f: &[f64], own: &[u32]| worst(f, own).map(|(absent, present)| 0.5 * (absent - present));
        let heaviest = now.totals.max(|i| exponent(now.scores.row(i), own(i)).unwrap_or(f64::NEG_INFINITY));
        let weights = fill_blocks(now.scores, k, channels, &|first, scores, channels, weights| {
            // v up to two factors a row, by which its largest are 1.
            for (i, (f, v)) in scores.chunks_exact(k).zip(channels.chunks_exact_mut(k)).enumerate() {
                let (absent, present) = worst(f, own(first + i)).unwrap_or_default();
                v.iter_mut().zip(f).for_each(|(v, f)| *v = 0.5 * (f - absent));
                for &l in own(first + i) {
                    v[l as usize] = 0.5 * (present - f[l as usize]);
                }
            }
            exponentials(channels);
            let rows = scores.chunks_exact(k).zip(channels.chunks_exact_mut(k)).zip(weights);
            for (i, ((f, c), weight)) in rows.enumerate() {
                let own = own(first + i);
                let Some(exponent) = exponent(f, own) else {
                    c.fill(0.0);
                    continue;
                };
                let of_own: f64 = own.iter().map(|&l| c[l as usize]).sum();
                let of_others: f64 = gaps(own, k).map(|gap| c[gap].iter().sum::<f64>()).sum();
                let pairs = (own.len() * (k - own.len())) as f64;
                let scale = exp(exponent - heaviest) / pairs;
                *weight = of_own * of_others * scale;
                let (own_half, others_half) = (-0.5 * of_others * scale, 0.5 * of_own * scale);
                gaps(own, k).for_each(|gap| c[gap].iter_mut().for_each(|c| *c *= others_half));
                for &l in own {
                    c[l as usize] *= own_half;
                }
            }
        });
        // The heaviest pair of any row weighs 1 before the share of its row.
        let [norm] = now.totals.sums_within([1.0], |i| [weights[i]]);
        let ranked = now.totals.count(|i| u32::from(!own(i).is_empty() && own(i).len() < k));
        let loss = if norm > 0.0 { exp(heaviest + ln(norm / ranked)) } else { 0.0 };
        if self.answers == MrAnswers::Abstain {
            *channels = both(channels, k);
            return Target::one(Query::new(Shape::Dense(2 * k), AbstainVote { labels: k }, norm), loss);
        }
        let query = match self.answers {
            MrAnswers::Confidence { .. } | MrAnswers::Oblivious => {
                Query::new(Shape::Dense(k), SignRegions, norm)
            }
            _ => Query::new(Shape::Dense(k), SignVote, norm),
        };
        Target::one(query, loss)
    }

    fn check(&self, labels: &Labels) -> Result<()> {
        self.costs.as_ref().map_or(Ok(()), |costs| costs.check(labels))?;
        let (what, most) = match self.answers {
            MrAnswers::Confidence { .. } => ("`answers=confidence` ranks", MOST_LABELS),
            MrAnswers::Oblivious => ("`answers=oblivious` tries all sets of", MOST_TRIED),
            _ if self.costs.is_some() => ("`costs` put in order", MOST_LABELS),
            _ => return Ok(()),
        };
        let k = labels.classes();
        if k <= most {
            return Ok(());
        }
        let what = format!("{what} at most {most} labels, and here there are {k}");
        Err(Error::new(
            ErrorKind::Parameter,
            what,
            "say `answers=sign` or `answers=abstain`, without `costs`",
        ))
    }

    fn load(&self, width: usize) -> Load {
        match self.answers {
            MrAnswers::Abstain => Load::dense(3 * width + 1, 2 * width),
            _ => Load::dense(width + 1, width),
        }
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let norm = target.queries[0].norm;
        let taken = match self.answers {
            MrAnswers::Sign => self.signs(now, norm, channels, &fits[0]),
            MrAnswers::Abstain => self.abstaining(now, norm, channels, &fits[0]),
            MrAnswers::Confidence { smoothing } => confident(now, norm, channels, &mut fits[0], smoothing),
            MrAnswers::Oblivious => oblivious(now, norm, channels, &mut fits[0]),
        };
        let Some((alpha, figures, last)) = taken else { return Step::Stop(Stop::NoEdge) };
        if !now.labels.is_sets() {
            return Step::take_last(alpha, figures, last);
        }
        let fit = &fits[0];
        let shift = -threshold(now, alpha, fit);
        let constant = FittedHypothesis {
            hypothesis: Hypothesis::constant(now.scores.width()),
            cell_of: vec![0; fit.cell_of.len()],
            cost: 0.0,
        };
        fits.push(constant);
        Step::Take { alphas: vec![alpha, shift], figures, last }
    }

    fn asks(&self) -> Asks {
        if self.answers == MrAnswers::Sign { Asks::Signs } else { Asks::Odds }
    }

    /// With costs, k − 1 times the bound is of the error, as without.
    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        match self.pairs(labels) {
            Some(pairs) => pairs.mistakes().map(|mistakes| mistakes / (labels.classes().max(2) - 1) as f64),
            None => Some(1.0),
        }
    }

    /// The minimiser of the loss of one pair has f(x, l₁) − f(x, l₀) = ln of the odds that l₁ is the right one of them: with one
    /// class per row, f(x, l) = ln P(l | x) up to a constant. For label sets only the order of scores has a meaning, and 0.
    fn reading(&self, task: &Problem<'_>) -> Reading {
        match task.labels {
            Labels::Classes { .. } => Link::Softmax(1.0).into(),
            Labels::Sets { .. } => Link::Sigmoid(1.0).into(),
        }
    }
}
