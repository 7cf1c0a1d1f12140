//! AdaBoost.ECC: a binary question per round, which colours the classes black and white.
//!
//! Guruswami & Sahai (1999); Saberian & Vasconcelos 2019, appendix H.1.2 and its erratum (the usual ½ in the exponent). Round t, with a colouring
//! μ of the classes in {−1, +1} and f(i, l) = Σ g(xᵢ) μ(l) over the rounds so far:
//!
//! ```text
//! D(i, l) = exp(½ (f(i, l) − f(i, yᵢ))) for l ≠ yᵢ
//! U = Σᵢ Σ_l D(i, l) [μ(l) ≠ μ(yᵢ)] / Σᵢ Σ_l D(i, l),   D(i) ∝ Σ_l D(i, l) [μ(l) ≠ μ(yᵢ)]
//! h = a weak hypothesis for the answers μ(yᵢ) with weights D(i)
//! one vote:   g = α h,   α = ½ ln((1 − ε)/ε)
//! two votes:  g = α where h = +1 and −β where h = −1, each ½ ln((W₊ + 1/2n)/(W₋ + 1/2n)) of the weights D(i) right and wrong
//!             there, smoothed as Schapire & Singer 1999 does in section 4.2
//! f(x, l) ← f(x, l) + g(x) μ(l)
//! ```
//!
//! The loss Σ D falls by Z = 1 − U + U Σ (W₊ e^{−α} + W₋ e^{α}) (one vote: 1 − U + 2U √(ε (1 − ε))), and the training error is at most
//! (k − 1) ∏ Z. Colourings come from a code matrix, column by column and from the start again, or are drawn (half of the
//! classes each), or cut the graph of classes whose edges are the weights of pairs as heavily as can be.

use manyboost_data::{Labels, Result};
use manyboost_kernel::numbers::math::{exp, ln};
use manyboost_kernel::{Seed, Totals};

use super::colouring::{Colouring, max_cut};
use super::{LEAST_EDGE, fill_blocks};
use crate::model::answers::{Answers, Lift};
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Asks, Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::bounds::Proved;
use crate::spec::option::Choice;
use crate::spec::registry::BoosterEntry;
use crate::votes::SignVote;

/// A smaller share of the weight counts as none: its step would be infinite.
const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// How many step sizes a hypothesis has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EccVotes {
    /// One for both of its answers.
    #[default]
    One,
    /// One for each of its answers.
    Two,
}

const VOTES: Choice<EccVotes> = Choice::new(
    "votes",
    "Votes per round",
    &[
        ("one", EccVotes::One, "one step size for both answers of a hypothesis"),
        ("two", EccVotes::Two, "one for each of its answers"),
    ],
);

/// AdaBoost.ECC.
#[derive(Clone, Debug)]
pub struct Ecc {
    /// Where colourings are from.
    pub code: Colouring,
    /// How many step sizes a hypothesis has.
    pub votes: EccVotes,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved: |_| Proved::Error,
    ..BoosterEntry::new(
        "ecc",
        "AdaBoost.ECC: error-correcting codes, one colouring of the classes per round",
        "Guruswami & Sahai 1999",
        |options| {
            let code = Colouring::from_options(options)?;
            let votes = options.take(&VOTES, EccVotes::One)?;
            Ok(Box::new(Ecc { code, votes }))
        },
    )
};

/// The step for these weights of the rows that are right and wrong.
fn alpha(right: f64, wrong: f64) -> f64 {
    0.5 * ln(right / wrong.max(LEAST_ERROR * right))
}

/// The summed weights of pairs of classes: of rows of one that should not be taken for the other, and the reverse.
fn pair_weights(labels: &[u32], k: usize, d: &[f64], totals: &Totals<'_>) -> Vec<f64> {
    let mut rows_of = vec![Vec::new(); k];
    for (row, &l) in (0u32..).zip(labels) {
        rows_of[l as usize].push(row);
    }
    let groups: Vec<&[u32]> = rows_of.iter().map(Vec::as_slice).collect();
    let most = totals.max(|i| d[i * k..(i + 1) * k].iter().fold(0.0, |a: f64, &b| a.max(b)));
    let own = |row: usize, out: &mut [f64]| out.copy_from_slice(&d[row * k..(row + 1) * k]);
    let sums = totals.by_group_of(&groups, &vec![most.max(0.0); k], own);
    let sum = |a: usize, b: usize| sums[a * (k + 1) + 1 + b];
    (0..k * k).map(|at| sum(at / k, at % k) + sum(at % k, at / k)).collect()
}

impl Ecc {
    /// The colouring of this round.
    fn colouring(&self, now: &RoundState<'_>, d: &[f64]) -> Vec<f64> {
        let k = now.labels.classes();
        match &self.code {
            Colouring::MaxCut => max_cut(&pair_weights(now.classes(), k, d, &now.totals), k, now.seed),
            code => code.column(now.round(), k, colours_seed(now)),
        }
    }
}

/// Makes the draws of a round.
fn colours_seed(now: &RoundState<'_>) -> Seed {
    now.seed.part(now.round() as u64)
}

impl Booster for Ecc {
    fn check(&self, labels: &Labels) -> Result<()> {
        self.code.check(labels.classes())
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k) = (now.classes(), now.labels.classes());
        let mut d = Vec::new();
        // The loss never rises, so no weight outgrows the number of rows.
        let all = fill_blocks(now.scores, k, &mut d, &|first, scores, d, all| {
            let rows = scores.chunks_exact(k).zip(d.chunks_exact_mut(k)).zip(all).zip(&y[first..]);
            for (((f, d), all), &y) in rows {
                for (d, &score) in d.iter_mut().zip(f) {
                    *d = exp(0.5 * (score - f[y as usize]));
                }
                d[y as usize] = 0.0;
                *all = d.iter().sum();
            }
        });
        let mu = self.colouring(now, &d);
        fill_blocks(now.scores, 1, channels, &|first, _, channels, _| {
            for ((c, d), &y) in channels.iter_mut().zip(d[first * k..].chunks_exact(k)).zip(&y[first..]) {
                let own = mu[y as usize];
                let apart: f64 = d.iter().zip(&mu).map(|(&d, &mu)| if mu == own { 0.0 } else { d }).sum();
                *c = -own * apart;
            }
        });
        let [norm, all] = now.totals.sums(|i| [channels[i].abs(), all[i]]);
        let query = Query { lift: Lift::Along(mu), ..Query::new(Shape::Dense(1), SignVote, norm) };
        Target::one(query, all / now.totals.weight())
    }

    fn load(&self, width: usize) -> Load {
        Load::dense(width + 2, 1)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, norm) = (&mut fits[0], target.queries[0].norm);
        // Right and wrong where h = +1, then where h = −1.
        let part = |i: usize| {
            let (h, cost) = (fit.number(i), channels[i]);
            let (right, wrong) = ((-h * cost).max(0.0), (h * cost).max(0.0));
            if h > 0.0 { [right, wrong, 0.0, 0.0] } else { [0.0, 0.0, right, wrong] }
        };
        let [r, w, s, v] = now.totals.sums(part);
        let (right, wrong) = (r + s, w + v);
        if norm <= 0.0 || right - wrong <= LEAST_EDGE * norm {
            return Step::Stop(Stop::NoEdge);
        }
        let (alpha, beta) = match self.votes {
            EccVotes::One => (alpha(right, wrong), alpha(right, wrong)),
            EccVotes::Two => {
                let little = 0.5 * norm / now.totals.weight();
                (alpha(r + little, w + little), alpha(s + little, v + little))
            }
        };
        let all = target.loss * now.totals.weight();
        let left = r * exp(-alpha) + w * exp(alpha) + s * exp(-beta) + v * exp(beta);
        let z = (1.0 - (norm - left) / all).max(0.0);
        let edge = Some((right - wrong) / norm);
        let figures = Figures { edge, z: Some(z), bound_factor: Some(z) };
        // All pairs are kept apart, and for ever.
        let done = wrong <= LEAST_ERROR * right && all - norm <= LEAST_ERROR * norm;
        let step = match (&mut fit.hypothesis.answers, self.votes) {
            (Answers::Along { values, .. }, EccVotes::Two) => {
                for h in values.iter_mut() {
                    *h = if *h > 0.0 { alpha } else { -beta };
                }
                1.0
            }
            _ => alpha,
        };
        Step::take_last(step, figures, done.then_some(Stop::Perfect))
    }

    fn asks(&self) -> Asks {
        Asks::Signs
    }

    fn first_bound(&self, labels: &Labels) -> Option<f64> {
        Some(labels.classes() as f64 - 1.0)
    }

    /// The minimiser of the loss has f(x, l) = ln P(l | x) up to a constant: it is the exponential γ-φ loss of Table 3.
    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(1.0).into()
    }
}
