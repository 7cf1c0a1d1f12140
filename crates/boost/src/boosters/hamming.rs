//! What AdaBoost.MH and AdaBoost.MO share: boosting of the Hamming loss, one question per label.
//!
//! Schapire & Singer (1999), figure 2. Y(i, l) is +1 for the labels that a row has and −1 for the others. Round t,
//! with D(i, l) ∝ exp(−Y(i, l) f(xᵢ, l)) summing to 1 and a hypothesis h:
//!
//! ```text
//! sign         h(x, l) ∈ {−1, +1}    r = Σ D(i, l) Y(i, l) h(xᵢ, l),  α = ½ ln((1 + r)/(1 − r)),  Z = √(1 − r²)    (14)
//! class        h(x, l) is +1 for one label of each region and −1 for the others, else as sign
//! factored     h(x, l) = φ(x) v(l), both ∈ {−1, +1}, else as sign
//! abstain      h(x, l) ∈ {−1, 0, +1}  α = ½ ln((W₊ + ε)/(W₋ + ε)),  W_b = Σ D(i, l) [Y(i, l) h(xᵢ, l) = b]            (3.3)
//! confidence   h(x, l) = ½ ln((W₊(l) + ε)/(W₋(l) + ε)) of each region,  α = 1                          (15), 4.2
//! ```
//!
//! W₊(l) and W₋(l) are the weights of the rows of a region that have the label and that have it not. Splits are searched with
//! ε = 0: Z = 2 Σ √(W₊ W₋) over regions and labels (16). The Hamming loss is at most ∏ Z (Theorem 3).

use manyboost_data::Result;
use manyboost_kernel::loss::softmax::exponentials;
use manyboost_kernel::numbers::math::{exp, ln};
use manyboost_kernel::{RowUpdate, dot};

use super::{LEAST_EDGE, LEAST_LOSS, fill_blocks, gaps, half_log_odds};
use crate::engine::fast::{Cache, Storage};
use crate::spec::booster::{
    Asks, Figures, FittedHypothesis, Load, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::option::{Choice, NumberOrAuto, Range};
use crate::spec::options::Options;
use crate::votes::{AbstainVote, FactoredVote, LogOddsVote, OddsCriterion, OneSignVote, SignVote};

/// A Z closer to 1 is no progress.
pub(super) const NO_PROGRESS: f64 = 1e-12;

/// Takes what regions are to answer.
pub(super) fn label_answers(
    options: &mut Options,
    choice: &'static Choice<LabelAnswers>,
) -> Result<LabelAnswers> {
    let answers = options.take(choice, LabelAnswers::Sign)?;
    // Products of stumps have a sign and a vector of signs, whichever signs are asked for.
    if !answers.weighs_both() && options.taken("learner") == Some("product") {
        options.remember("answers", "factored");
    }
    Ok(answers)
}

/// What answers by signs are.
pub(super) const SIGN: &str = "+1 or −1 for each label";

/// What factored answers are.
pub(super) const FACTORED: &str = "+1 or −1 times a vector of signs that both sides of a cut share";

/// What a region answers for each label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelAnswers {
    /// +1 or −1.
    #[default]
    Sign,
    /// +1 for one label, −1 for the others: hypotheses that name one class, as Mukherjee & Schapire 2013 has them.
    Class,
    /// +1 or −1 times a vector of signs that both sides of a cut share.
    Factored,
    /// +1, −1 or 0.
    Abstain,
    /// Half the logarithm of the odds.
    Confidence,
}

impl LabelAnswers {
    /// Whether channels are the weights for and against each label, and steps are smoothed.
    pub(super) fn weighs_both(self) -> bool {
        matches!(self, Self::Abstain | Self::Confidence)
    }
}

/// The labels of a row, ascending.
#[derive(Clone, Copy)]
pub(super) struct Marks<'a> {
    /// Those that it has.
    pub(super) own: &'a [u32],
    /// Those that it has no say in: they weigh nothing.
    pub(super) silent: &'a [u32],
}

/// Boosting of the Hamming loss.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hamming {
    /// What regions answer.
    pub answers: LabelAnswers,
    /// ε; 1/(2 m k) if it is not given.
    pub smoothing: Option<f64>,
    /// What split search minimises, where answers are confidences.
    pub criterion: OddsCriterion,
}

/// What abstaining answers are.
pub(super) const ABSTAIN: &str = "+1, −1 or 0 for each label";

/// ε.
pub(super) const SMOOTHING: NumberOrAuto<f64> = NumberOrAuto::new(
    "smoothing",
    "Smoothing of confidences, a share of all weight",
    Range::above_to(0.0, 1.0),
    "1 / (2 rows · labels)",
);

impl Hamming {
    /// As [`Booster::asks`](crate::spec::booster::Booster::asks).
    pub(super) fn asks(&self) -> Asks {
        match self.answers {
            LabelAnswers::Sign | LabelAnswers::Class => Asks::Signs,
            LabelAnswers::Factored => Asks::SharedSigns,
            LabelAnswers::Abstain | LabelAnswers::Confidence => Asks::Odds,
        }
    }

    /// As [`Booster::load`](crate::spec::booster::Booster::load).
    pub(super) fn load(&self, width: usize) -> Load {
        match self.answers {
            // What is kept from round to round has units of eight bytes.
            LabelAnswers::Confidence => Load::dense(4 * width + 2, 2 * width),
            LabelAnswers::Abstain => Load::dense(2 * width + 2, 2 * width),
            _ => Load::dense(width + 1, width),
        }
    }

    /// The vote of confidences, for weights of so many pairs that sum to `norm`.
    fn log_odds(&self, norm: f64, pairs: f64) -> LogOddsVote {
        LogOddsVote::new(norm, self.smoothing.unwrap_or(0.5 / pairs)).by(self.criterion)
    }

    /// The question of a round.
    pub(super) fn target<'a>(
        &self,
        now: &RoundState<'_>,
        marks: impl Fn(usize) -> Marks<'a> + Sync,
        channels: &mut Vec<f64>,
    ) -> Target {
        let (k, own) = (now.scores.width(), |i: usize| marks(i).own);
        let heaviest = now.totals.max(|i| largest_exponent(now.scores.row(i), marks(i)));
        // D(i, l) of a block of rows; the heaviest is 1.
        let weigh = |first: usize, scores: &[f64], d: &mut [f64]| {
            for (i, (f, d)) in scores.chunks_exact(k).zip(d.chunks_exact_mut(k)).enumerate() {
                d.iter_mut().zip(f).for_each(|(d, f)| *d = f - heaviest);
                for &l in own(first + i) {
                    d[l as usize] = -f[l as usize] - heaviest;
                }
            }
            exponentials(d);
            for (i, d) in d.chunks_exact_mut(k).enumerate() {
                marks(first + i).silent.iter().for_each(|&l| d[l as usize] = 0.0);
            }
        };
        let sums = |d: &[f64], sums: &mut [f64]| {
            d.chunks_exact(k).zip(sums).for_each(|(d, sum)| *sum = d.iter().sum());
        };
        let (width, weights) = match self.answers {
            LabelAnswers::Sign | LabelAnswers::Class | LabelAnswers::Factored => {
                let fill = |first: usize, scores: &[f64], channels: &mut [f64], weights: &mut [f64]| {
                    weigh(first, scores, channels);
                    sums(channels, weights);
                    for (i, c) in channels.chunks_exact_mut(k).enumerate() {
                        for &l in own(first + i) {
                            c[l as usize] = -c[l as usize];
                        }
                    }
                };
                (k, fill_blocks(now.scores, k, channels, &fill))
            }
            LabelAnswers::Abstain | LabelAnswers::Confidence => {
                let fill = |first: usize, scores: &[f64], channels: &mut [f64], weights: &mut [f64]| {
                    let mut d = vec![0.0; scores.len()];
                    weigh(first, scores, &mut d);
                    sums(&d, weights);
                    for (i, (d, c)) in d.chunks_exact(k).zip(channels.chunks_exact_mut(2 * k)).enumerate() {
                        let (plus, minus) = c.split_at_mut(k);
                        plus.fill(0.0);
                        minus.copy_from_slice(d);
                        own(first + i).iter().map(|&l| l as usize).for_each(|l| {
                            (plus[l], minus[l]) = (d[l], 0.0);
                        });
                    }
                };
                (2 * k, fill_blocks(now.scores, 2 * k, channels, &fill))
            }
        };
        let [norm] = now.totals.sums_within([k as f64], |i| [weights[i]]);
        let silent = now.totals.count(|i| marks(i).silent.len() as u32);
        let pairs = now.totals.weight() * k as f64 - silent;
        let loss = exp(heaviest + ln(norm / pairs));
        let query = match self.answers {
            LabelAnswers::Sign => Query::new(Shape::Dense(width), SignVote, norm),
            LabelAnswers::Class => Query::new(Shape::Dense(width), OneSignVote, norm),
            LabelAnswers::Factored => Query::new(Shape::Dense(width), FactoredVote, norm),
            LabelAnswers::Abstain => Query::new(Shape::Dense(width), AbstainVote { labels: k }, norm),
            LabelAnswers::Confidence => Query::new(Shape::Dense(width), self.log_odds(norm, pairs), norm),
        };
        Target::one(query, loss)
    }

    /// The question of a round where the learner keeps weights: D(i, l) = exp(−Y(i, l) f(xᵢ, l)) is kept as a
    /// multiple of what the background makes of 1: exp(−b(l)) for labels that a row has and exp(b(l)) for the others.
    pub(super) fn cached<'a>(
        &self,
        now: &RoundState<'_>,
        own: impl Fn(usize) -> &'a [u32] + Sync,
        cache: &Cache<'_>,
    ) -> Option<Target> {
        if self.answers != LabelAnswers::Confidence || self.criterion != OddsCriterion::Z {
            return None;
        }
        let background = cache.background;
        let (k, b) = (now.scores.width(), background.scores());
        let write = |i: usize, weights: &mut [f64]| {
            let (plus, minus) = weights.split_at_mut(k);
            let f = now.scores.row(i);
            minus.iter_mut().zip(f).zip(b).for_each(|((m, f), b)| *m = f - b);
            exponentials(minus);
            for l in own(i).iter().map(|&l| l as usize) {
                (plus[l], minus[l]) = (exp(b[l] - f[l]), 0.0);
            }
        };
        let worth: Vec<f64> = b.iter().map(|b| exp(-b)).chain(b.iter().map(|&b| exp(b))).collect();
        let rewrite = RowUpdate { changed: background.changed(), worth: &worth, write: &write };
        let sums = cache.update(&rewrite)?;
        let (norm, pairs) = (sums[1..].iter().sum::<f64>(), sums[0] * k as f64);
        let query = Query::new(Shape::Dense(2 * k), self.log_odds(norm, pairs), norm);
        Some(Target::one(Query { storage: Storage::Cached, ..query }, norm / pairs))
    }

    /// The step of a round.
    pub(super) fn step(
        &self,
        now: &RoundState<'_>,
        target: &Target,
        channels: &[f64],
        fit: &FittedHypothesis,
    ) -> Step {
        let (k, norm) = (now.scores.width(), target.queries[0].norm);
        match self.answers {
            LabelAnswers::Sign | LabelAnswers::Class | LabelAnswers::Factored => {
                // What +1 costs, times the answer: −D(i, l) Y(i, l) h(xᵢ, l).
                let r = -over_cells(now, channels, fit, k, fit.numbers()) / norm;
                if r.is_nan() || r <= LEAST_EDGE {
                    return Step::Stop(Stop::NoEdge);
                }
                let (alpha, perfect) = (half_log_odds(r), r >= 1.0 - LEAST_LOSS);
                let z = 0.5 * ((1.0 + r) * exp(-alpha) + (1.0 - r) * exp(alpha));
                let figures = Figures { edge: Some(r), z: Some(z), bound_factor: Some(z) };
                Step::take_last(alpha, figures, perfect.then_some(Stop::Perfect))
            }
            LabelAnswers::Abstain => {
                // What is right where +1 and where −1 is answered, and what is wrong.
                let marked = |right: bool| {
                    let mark = move |h: &f64, has: bool| {
                        f64::from(u8::from(*h != 0.0 && (*h > 0.0) == (has == right)))
                    };
                    let row = move |h: &[f64]| {
                        h.iter()
                            .map(|h| mark(h, true))
                            .chain(h.iter().map(|h| mark(h, false)))
                            .collect::<Vec<f64>>()
                    };
                    fit.numbers().chunks_exact(k).flat_map(row).collect::<Vec<f64>>()
                };
                let sum = |table: &[f64]| over_cells(now, channels, fit, 2 * k, table);
                let (right, wrong) = (sum(&marked(true)), sum(&marked(false)));
                let r = (right - wrong) / norm;
                if r.is_nan() || r <= LEAST_EDGE {
                    return Step::Stop(Stop::NoEdge);
                }
                let alpha = self.log_odds(norm, now.totals.weight() * k as f64).confidence(right, wrong);
                let z = 1.0 + (right * (exp(-alpha) - 1.0) + wrong * (exp(alpha) - 1.0)) / norm;
                let figures = Figures { edge: Some(r), z: Some(z), bound_factor: Some(z) };
                Step::take_last(alpha, figures, (r >= 1.0 - LEAST_LOSS).then_some(Stop::Perfect))
            }
            LabelAnswers::Confidence => {
                let after = if target.queries[0].storage == Storage::Cached {
                    fit.cost
                } else {
                    let factors = |c: &[f64]| -> Vec<f64> {
                        c.iter().map(|c| exp(-c)).chain(c.iter().map(|&c| exp(c))).collect()
                    };
                    let table: Vec<f64> = fit.numbers().chunks_exact(k).flat_map(factors).collect();
                    over_cells(now, channels, fit, 2 * k, &table)
                };
                let z = after / norm;
                if z.is_nan() || z > 1.0 - NO_PROGRESS {
                    return Step::Stop(Stop::NoEdge);
                }
                Step::take(1.0, Figures { edge: None, z: Some(z), bound_factor: Some(z) })
            }
        }
    }
}

/// The largest −Y(l) f(l) of a row, over the labels that it has a say in.
fn largest_exponent(f: &[f64], Marks { own, silent }: Marks<'_>) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    if !silent.is_empty() {
        let says = |l: &usize| silent.binary_search(&(*l as u32)).is_err();
        let exponent = |l: usize| if own.binary_search(&(l as u32)).is_ok() { -f[l] } else { f[l] };
        return (0..f.len()).filter(says).map(exponent).fold(f64::NEG_INFINITY, larger);
    }
    let absent = gaps(own, f.len())
        .fold(f64::NEG_INFINITY, |most, gap| f[gap].iter().fold(most, |most, &f| larger(most, f)));
    own.iter().fold(absent, |most, &l| larger(most, -f[l as usize]))
}

/// Σ over rows of the products of their channels with the numbers of their cells, `width` of each.
fn over_cells(
    now: &RoundState<'_>,
    channels: &[f64],
    fit: &FittedHypothesis,
    width: usize,
    table: &[f64],
) -> f64 {
    let most = table.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let row = |i: usize| {
        let cell = fit.cell_of[i] as usize * width;
        [dot(&channels[i * width..(i + 1) * width], &table[cell..cell + width])]
    };
    // No channel is above 1.
    now.totals.sums_within([width as f64 * most], row)[0]
}
