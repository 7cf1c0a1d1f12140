//! What both `MCBoost` algorithms of Saberian & Vasconcelos 2019 share: the weights (29), (30) and the line search (33), (40).
//!
//! Scores are s^k = ⟨y^k, f⟩, of which a γ-φ loss is a function whatever the codewords are. A hypothesis whose cells add t^k to
//! them has the risk, α steps along it,
//!
//! ```text
//! R(α) = (1/n) Σᵢ γ(Σ_{k ≠ c} E(i, k) e^{α (rate/2) (t^k − t^c)}),   E(i, k) = e^{(rate/2) (s^k − s^c)}
//! ```
//!
//! (with [`Codeword`](crate::losses::Codeword), E(i) e^{−α t^c} and E(i) = e^{−s^c}), so that exponentials of rows are taken once a round, and those of steps once for each cell. A convex risk lies above its
//! tangents: of several lines those are not followed to their ends whose tangents show that another leads lower.

use manyboost_kernel::dot;
use manyboost_kernel::numbers::math::exp;
use rayon::prelude::*;

use super::{BLOCK, LEAST_EDGE, fill_blocks};
use crate::boosters::line_search::first_minimum;
use crate::losses::{AnyLoss, GammaPhi, MOST, OwnLoss, by_loss};
use crate::model::answers::Answers;
use crate::spec::booster::{Figures, FittedHypothesis, RoundState};

/// No step changes an exponent of the loss by more: what is left of it then is 2⁻⁴⁰.
const LONGEST: f64 = 40.0 * std::f64::consts::LN_2;
/// With a bounded loss, no step moves a predictor further than this.
const LONGEST_MOVE: f64 = 4.0;
/// The first place of a search is at most this many times nearer than the last.
const NEAREST: f64 = 4096.0;
/// Risks closer than this, relatively, are ties: the first hypothesis wins.
const TIE: f64 = 1e-12;
/// Relatively, what rounding may make of the tangents' bounds at most.
const UNSURE: f64 = 1e-9;

/// Writes `width` channels of every row from `w τ_k` and −w (29), (30); returns the loss of each row.
pub(super) fn fill(
    loss: &AnyLoss,
    now: &RoundState<'_>,
    width: usize,
    channels: &mut Vec<f64>,
    write: impl Fn(&[f64], &mut [f64]) + Sync,
) -> Vec<f64> {
    let (y, k) = (now.classes(), now.scores.width());
    fill_blocks(now.scores, width, channels, &|first, scores, channels, losses| {
        let mut weights = vec![0.0; k];
        let rows = scores.chunks_exact(k).zip(channels.chunks_exact_mut(width)).zip(losses).zip(&y[first..]);
        for (((scores, channels), loss_of_row), &y) in rows {
            *loss_of_row = loss.row(scores, y as usize, &mut weights);
            write(&weights, channels);
        }
    })
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
    pub(crate) fn figures(&self) -> Figures {
        Figures { edge: Some(self.derivative), ..Figures::default() }
    }
}

/// What is known of a convex risk: its slope and value at the last place where it falls and the first where it rises.
struct Tangents {
    falls: [f64; 3],
    rises: Option<[f64; 3]>,
}

impl Tangents {
    /// Takes the slope and the risk at a place.
    fn touch(&mut self, alpha: f64, [slope, risk]: [f64; 2]) {
        let here = [alpha, slope, risk];
        if slope < 0.0 {
            self.falls = if alpha > self.falls[0] { here } else { self.falls };
        } else if self.rises.is_none_or(|rises| alpha < rises[0]) {
            self.rises = Some(here);
        }
    }

    /// The risk is nowhere less.
    fn floor(&self) -> f64 {
        let [a, fall, low] = self.falls;
        let Some([b, rise, high]) = self.rises else { return f64::NEG_INFINITY };
        // Where the tangents meet.
        let beyond = ((high - low) - rise * (b - a)) / (fall - rise);
        low + fall * beyond.max(0.0)
    }
}

/// The lines from the present scores.
pub(super) struct Lines<'a> {
    loss: &'a AnyLoss,
    now: &'a RoundState<'a>,
    /// E(i, k), and 0 for the row's own class; or E(i) there, and 0 for the others. None for a loss of one's own.
    exponentials: Vec<f64>,
    /// How much the risk can change at most when one exponent (or margin) of each row changes.
    steepness: f64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(loss: &'a AnyLoss, now: &'a RoundState<'a>) -> Self {
        let (exponentials, steepness) = match loss {
            AnyLoss::Named(loss) => by_loss!(loss, L => exponentials::<L>(now)),
            AnyLoss::Own(_) => {
                let mut most = Vec::new();
                // w and all w τ are as much.
                let half = |weights: &[f64]| 0.25 * weights.iter().map(|w| w.abs()).sum::<f64>();
                fill(loss, now, 1, &mut most, |weights, out| out[0] = half(weights));
                (Vec::new(), now.totals.sum(|i| most[i]))
            }
        };
        Self { loss, now, exponentials, steepness: steepness / now.totals.weight() }
    }

    /// The hypothesis whose line leads lowest, and where to. `longest` is the longest answer of each in the space of
    /// predictors.
    pub(crate) fn lowest(
        &self,
        fits: &[FittedHypothesis],
        longest: impl Fn(&FittedHypothesis) -> f64,
    ) -> Option<(usize, Found)> {
        // The most promising ones first: they rule the others out.
        let mut order: Vec<usize> = (0..fits.len()).collect();
        order.sort_by(|&a, &b| fits[a].cost.total_cmp(&fits[b].cost));
        let (mut found, mut least) = (vec![None; fits.len()], f64::INFINITY);
        for j in order {
            found[j] = self.search(&fits[j], longest(&fits[j]), least);
            least = found[j].map_or(least, |found: Found| least.min(found.risk));
        }
        let lowest = |found: &Option<Found>| found.is_some_and(|found| found.risk <= least * (1.0 + TIE));
        let at = found.iter().position(lowest)?;
        Some((at, found[at]?))
    }

    /// The first minimum along a hypothesis whose longest answer, in the space of predictors, is `longest`; nothing if the
    /// risk does not fall, or surely not as far as to `wanted`.
    fn search(&self, fit: &FittedHypothesis, longest: f64, wanted: f64) -> Option<Found> {
        match self.loss {
            AnyLoss::Named(loss) => by_loss!(loss, L => self.search_by::<L>(fit, longest, wanted)),
            AnyLoss::Own(own) => self.search_own(own, fit, longest),
        }
    }

    /// The same for a loss of one's own, which may have several minima and no exponentials.
    fn search_own(&self, own: &OwnLoss, fit: &FittedHypothesis, longest: f64) -> Option<Found> {
        let (y, k) = (self.now.classes(), self.now.scores.width());
        let moves = moves(&fit.hypothesis.answers, k, true);
        let widest = moves.chunks_exact(k).map(|t| spread(t, true)).fold(0.0, f64::max);
        if widest <= 0.0 || longest <= 0.0 {
            return None;
        }
        let of = |alpha: f64, i: usize| {
            let (s, t, c) =
                (self.now.scores.row(i), &moves[fit.cell_of[i] as usize * k..][..k], y[i] as usize);
            let (mut sum, mut slope) = (0.0, 0.0);
            for l in (0..k).filter(|&l| l != c) {
                let ahead = 0.5 * (t[c] - t[l]);
                let [value, by_margin] = own.phi(0.5 * (s[c] - s[l]) + alpha * ahead);
                (sum, slope) = (sum + value, slope + by_margin * ahead);
            }
            let [value, by_sum] = own.gamma(sum);
            [by_sum * slope, value]
        };
        let at = |alpha: f64| {
            let rows = (0..y.len()).into_par_iter().with_min_len(BLOCK);
            let values: Vec<[f64; 2]> = rows.map(|i| of(alpha, i)).collect();
            self.now.totals.sums(|i| values[i]).map(|sum| sum / self.now.totals.weight())
        };
        let (limit, steepest) = (LONGEST_MOVE / longest, self.steepness * widest);
        self.settle(fit, &moves, (limit, steepest), at, |at, [at_zero, _]| {
            first_minimum(|alpha| Some(at(alpha)[0]), at_zero, None, limit)
        })
    }

    fn search_by<L: GammaPhi>(&self, fit: &FittedHypothesis, longest: f64, wanted: f64) -> Option<Found> {
        let k = self.now.scores.width();
        let moves = moves(&fit.hypothesis.answers, k, L::COMPARES);
        let widest = moves.chunks_exact(k).map(|t| spread(t, L::COMPARES)).fold(0.0, f64::max);
        if widest <= 0.0 || longest <= 0.0 {
            return None;
        }
        // What a step of 1 changes an exponent by at most.
        let far = 0.5 * L::RATE * widest;
        let limit = if L::CONVEX { LONGEST / far } else { (LONGEST / far).min(LONGEST_MOVE / longest) };
        let steepest = self.steepness * widest;
        let at = |alpha: f64| self.slope_at::<L>(fit, &moves, alpha);
        self.settle(fit, &moves, (limit, steepest), at, |at, [at_zero, before]| {
            // A curvature of about steepest · far at most.
            let near = (-at_zero / (steepest * far)).max(limit / NEAREST);
            let mut tangents = Tangents { falls: [0.0, at_zero, before], rises: None };
            let slope = |alpha: f64| {
                let [slope, risk] = at(alpha);
                tangents.touch(alpha, [slope, risk]);
                (!L::CONVEX || tangents.floor() <= wanted * (1.0 + UNSURE)).then_some(slope)
            };
            first_minimum(slope, at_zero, L::CONVEX.then_some(near), limit)
        })
    }

    /// The place that `find` finds on a line whose slope and risk are `at` each place; none if the risk does not fall.
    fn settle<A: Fn(f64) -> [f64; 2]>(
        &self,
        fit: &FittedHypothesis,
        moves: &[f64],
        (limit, steepest): (f64, f64),
        at: A,
        find: impl FnOnce(&A, [f64; 2]) -> Option<f64>,
    ) -> Option<Found> {
        let [at_zero, before] = at(0.0);
        if -at_zero <= LEAST_EDGE * steepest {
            return None;
        }
        let mut alpha = find(&at, [at_zero, before])?;
        let mut risk = at(alpha)[1];
        // Never up, whatever rounding does.
        for _ in 0..60 {
            if risk < before {
                break;
            }
            alpha *= 0.5;
            risk = at(alpha)[1];
        }
        let separates = alpha >= limit && self.separates(fit, moves);
        (risk < before).then_some(Found { alpha, risk, derivative: -at_zero, separates })
    }

    /// The slope of the risk, and the risk, so far along a hypothesis.
    fn slope_at<L: GammaPhi>(&self, fit: &FittedHypothesis, moves: &[f64], alpha: f64) -> [f64; 2] {
        let (y, k) = (self.now.classes(), self.now.scores.width());
        let half = 0.5 * L::RATE;
        let factors: Vec<f64> = moves.iter().map(|t| exp((half * alpha * t).clamp(-MOST, MOST))).collect();
        let slopes: Vec<f64> = factors.iter().zip(moves).map(|(b, t)| b * t).collect();
        let of = |((e, &c), &cell): ((&[f64], &u32), &u32)| {
            let (cell, own) = (cell as usize * k, cell as usize * k + c as usize);
            let against =
                |other: &[f64]| if L::COMPARES { dot(e, &other[cell..cell + k]) / factors[own] } else { 0.0 };
            let sum = if L::COMPARES { against(&factors) } else { e[c as usize] / factors[own] };
            let slope = against(&slopes) - sum * moves[own];
            [L::gamma_slope(sum) * half * slope, L::gamma(sum)]
        };
        let rows = self.exponentials.par_chunks_exact(k).zip(y).zip(&fit.cell_of);
        let values: Vec<[f64; 2]> = rows.with_min_len(BLOCK).map(of).collect();
        let weight = self.now.totals.weight();
        self.now.totals.sums(|i| values[i]).map(|sum| sum / weight)
    }

    /// Whether every row moves away from every wrong class, or from 0.
    fn separates(&self, fit: &FittedHypothesis, moves: &[f64]) -> bool {
        let (y, k) = (self.now.classes(), self.now.scores.width());
        let stays = |i: usize| {
            let t = &moves[fit.cell_of[i] as usize * k..][..k];
            let c = y[i] as usize;
            let stays =
                if self.loss.compares() { (0..k).any(|l| l != c && t[l] >= t[c]) } else { t[c] <= 0.0 };
            u32::from(stays)
        };
        self.now.totals.count(stays) == 0.0
    }
}

/// The exponentials of [`Lines`], and the sum of what the risk of each row can change by.
fn exponentials<L: GammaPhi>(now: &RoundState<'_>) -> (Vec<f64>, f64) {
    let (y, k, half) = (now.classes(), now.scores.width(), 0.5 * L::RATE);
    let mut exponentials = Vec::new();
    let sums = fill_blocks(now.scores, k, &mut exponentials, &|first, scores, out, sums| {
        let rows = scores.chunks_exact(k).zip(out.chunks_exact_mut(k)).zip(sums).zip(&y[first..]);
        for (((s, out), sum), &y) in rows {
            let own = s[y as usize];
            for (e, &s) in out.iter_mut().zip(s) {
                *e = if L::COMPARES { exp((half * (s - own)).min(MOST)) } else { 0.0 };
            }
            out[y as usize] = if L::COMPARES { 0.0 } else { exp((-half * own).min(MOST)) };
            *sum = out.iter().sum();
        }
    });
    let steepness = now.totals.sum(|i| half * L::gamma_slope(sums[i]) * sums[i]);
    (exponentials, steepness)
}

/// What each cell adds to the scores at step 1; less the largest of it, where only differences count.
fn moves(answers: &Answers, k: usize, compares: bool) -> Vec<f64> {
    let of = |cell: usize| {
        let t = answers.vector(cell, k);
        let most = if compares { t.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)) } else { 0.0 };
        t.into_iter().map(move |x| x - most)
    };
    (0..answers.len()).flat_map(of).collect()
}

/// How far two scores that are compared are moved apart at most.
fn spread(t: &[f64], compares: bool) -> f64 {
    let (low, high) = t.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
    if compares { high - low } else { high.max(-low) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_stay_below_a_convex_risk() {
        let risk = |x: f64| (x - 0.7).exp() + (2.0 * (0.7 - x)).exp();
        let slope = |x: f64| (x - 0.7).exp() - 2.0 * (2.0 * (0.7 - x)).exp();
        let least = risk(0.7 + 2f64.ln() / 3.0);
        let mut tangents = Tangents { falls: [0.0, slope(0.0), risk(0.0)], rises: None };
        assert_eq!(tangents.floor(), f64::NEG_INFINITY);
        let mut before = f64::NEG_INFINITY;
        for x in [3.0, 0.1, 1.5, 2.0, 0.8, 0.4, 0.95] {
            tangents.touch(x, [slope(x), risk(x)]);
            let floor = tangents.floor();
            assert!(before <= floor && floor <= least, "{before} <= {floor} <= {least}");
            before = floor;
        }
        assert!(least - before < 0.01, "{before} for {least}");
    }
}
