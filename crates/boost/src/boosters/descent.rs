//! What both `MCBoost` algorithms of paper 004 share: the weights (29), (30) and the line search (33), (40).
//!
//! Scores are s^k = ⟨y^k, f⟩, of which a γ-φ loss is a function whatever the codewords are. A hypothesis whose cells add t^k to
//! them has the risk, α steps along it,
//!
//! ```text
//! R(α) = (1/n) Σᵢ γ(Σ_{k ≠ c} E(i, k) e^{α (rate/2) (t^k − t^c)}),   E(i, k) = e^{(rate/2) (s^k − s^c)}
//! ```
//!
//! so that exponentials of rows are taken once a round, and those of steps once for each cell.

use polyboost_kernel::math::exp;

use super::{LEAST_EDGE, fill_blocks};
use crate::answers::Answers;
use crate::booster::{Figures, Fit, Now};
use crate::losses::{GammaPhi, Loss, by_loss};
use crate::search::first_minimum;

/// No step changes an exponent of the loss by more: what is left of it then is 2⁻⁴⁰.
const LONGEST: f64 = 40.0 * std::f64::consts::LN_2;
/// With a bounded loss, no step moves a predictor further than this.
const LONGEST_MOVE: f64 = 4.0;
/// Exponents above this count as this.
const MOST: f64 = 300.0;

/// Writes `width` channels of every row from `w τ_k` and −w (29), (30); returns the loss of each row.
pub(super) fn fill(
    loss: Loss,
    now: &Now<'_>,
    width: usize,
    channels: &mut Vec<f64>,
    write: impl Fn(&[f64], &mut [f64]) + Sync,
) -> Vec<f64> {
    let (y, k) = (now.classes(), now.scores.width());
    by_loss!(loss, L => fill_blocks(now.scores, width, channels, &|first, scores, channels, losses| {
        let mut weights = vec![0.0; k];
        let rows = scores.chunks_exact(k).zip(channels.chunks_exact_mut(width)).zip(losses).zip(&y[first..]);
        for (((scores, channels), loss), &y) in rows {
            *loss = L::row(scores, y as usize, &mut weights);
            write(&weights, channels);
        }
    }))
}

/// A place on a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// How far along it.
    pub alpha: f64,
    /// The risk there.
    pub risk: f64,
    /// Minus the slope of the risk at the beginning: what (72) wants above 0.
    pub derivative: f64,
    /// Every row moves away from every wrong class, and the risk falls for ever.
    pub separates: bool,
}

impl Found {
    /// What a round reports.
    pub fn figures(&self) -> Figures {
        Figures { edge: Some(self.derivative), ..Figures::default() }
    }
}

/// The lines from the present scores.
pub(super) struct Lines<'a> {
    loss: Loss,
    now: &'a Now<'a>,
    /// E(i, k), and 0 for the row's own class.
    exponentials: Vec<f64>,
}

impl<'a> Lines<'a> {
    pub fn new(loss: Loss, now: &'a Now<'a>) -> Self {
        let (y, k) = (now.classes(), now.scores.width());
        let half = 0.5 * by_loss!(loss, L => L::RATE);
        let mut exponentials = Vec::new();
        fill_blocks(now.scores, k, &mut exponentials, &|first, scores, out, _| {
            for ((s, out), &y) in scores.chunks_exact(k).zip(out.chunks_exact_mut(k)).zip(&y[first..]) {
                let own = s[y as usize];
                for (e, &s) in out.iter_mut().zip(s) {
                    *e = exp((half * (s - own)).min(MOST));
                }
                out[y as usize] = 0.0;
            }
        });
        Self { loss, now, exponentials }
    }

    /// The first minimum along a hypothesis whose longest answer, in the space of predictors, is `longest`; nothing if the
    /// risk does not fall.
    pub fn search(&self, fit: &Fit, longest: f64) -> Option<Found> {
        by_loss!(self.loss, L => self.search_by::<L>(fit, longest))
    }

    fn search_by<L: GammaPhi>(&self, fit: &Fit, longest: f64) -> Option<Found> {
        let k = self.now.scores.width();
        let moves = moves(&fit.hypothesis.answers, k);
        let far = moves.chunks_exact(k).map(spread).fold(0.0, f64::max);
        if far <= 0.0 || longest <= 0.0 {
            return None;
        }
        let mut limit = LONGEST / (0.5 * L::RATE * far);
        if !L::CONVEX {
            limit = limit.min(LONGEST_MOVE / longest);
        }
        let [at_zero, _] = self.slope_at::<L>(fit, &moves, 0.0);
        let [steepest] = self.now.totals.sums(|i| [self.steepness::<L>(i)]);
        if -at_zero * self.now.totals.weight() <= LEAST_EDGE * far * steepest {
            return None;
        }
        let slope = |alpha: f64| self.slope_at::<L>(fit, &moves, alpha)[0];
        let mut alpha = first_minimum(slope, at_zero, limit, L::CONVEX);
        let [_, before] = self.slope_at::<L>(fit, &moves, 0.0);
        let mut risk = self.slope_at::<L>(fit, &moves, alpha)[1];
        // Never up, whatever rounding does.
        for _ in 0..60 {
            if risk < before {
                break;
            }
            alpha *= 0.5;
            risk = self.slope_at::<L>(fit, &moves, alpha)[1];
        }
        let separates = alpha >= limit && self.separates(fit, &moves);
        (risk < before).then_some(Found { alpha, risk, derivative: -at_zero, separates })
    }

    /// The slope of the risk, and the risk, so far along a hypothesis.
    fn slope_at<L: GammaPhi>(&self, fit: &Fit, moves: &[f64], alpha: f64) -> [f64; 2] {
        let (y, k) = (self.now.classes(), self.now.scores.width());
        let half = 0.5 * L::RATE;
        let factors: Vec<f64> = moves.iter().map(|t| exp((half * alpha * t).clamp(-MOST, MOST))).collect();
        let weight = self.now.totals.weight();
        let of = |i: usize| {
            let (cell, c) = (fit.cell_of[i] as usize * k, y[i] as usize);
            let (t, b) = (&moves[cell..cell + k], &factors[cell..cell + k]);
            let (mut sum, mut slope) = (0.0, 0.0);
            for ((e, b), t_k) in self.exponentials[i * k..(i + 1) * k].iter().zip(b).zip(t) {
                let phi = e * b;
                sum += phi;
                slope += phi * (t_k - t[c]);
            }
            let (sum, slope) = (sum / b[c], slope / b[c]);
            [L::gamma_slope(sum) * half * slope, L::gamma(sum)]
        };
        self.now.totals.sums(of).map(|sum| sum / weight)
    }

    /// How much the loss of a row can change at most when one exponent changes.
    fn steepness<L: GammaPhi>(&self, i: usize) -> f64 {
        let k = self.now.scores.width();
        let sum: f64 = self.exponentials[i * k..(i + 1) * k].iter().sum();
        0.5 * L::RATE * L::gamma_slope(sum) * sum
    }

    /// Whether every row moves away from every wrong class.
    fn separates(&self, fit: &Fit, moves: &[f64]) -> bool {
        let (y, k) = (self.now.classes(), self.now.scores.width());
        let stays = |i: usize| {
            let t = &moves[fit.cell_of[i] as usize * k..][..k];
            let c = y[i] as usize;
            u32::from((0..k).any(|l| l != c && t[l] >= t[c]))
        };
        self.now.totals.count(stays) == 0.0
    }
}

/// What each cell adds to the scores at step 1, less the largest of it: only differences count.
fn moves(answers: &Answers, k: usize) -> Vec<f64> {
    let of = |cell: usize| {
        let t = answers.vector(cell, k);
        let most = t.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
        t.into_iter().map(move |x| x - most)
    };
    (0..answers.len()).flat_map(of).collect()
}

/// The difference of the largest and the smallest.
fn spread(t: &[f64]) -> f64 {
    let (low, high) = t.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    high - low
}
