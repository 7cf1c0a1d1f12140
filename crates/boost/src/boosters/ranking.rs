//! What [`mr`](super::mr) does with answers that are not signs: steps for answers that abstain, and the best real answers of a region.
//!
//! Schapire & Singer (1999), section 9. **Abstaining.** Where h(x, l) ∈ {−1, 0, +1}, a pair moves by ½ (h(x, l₀) − h(x, l₁)) ∈ {−1, −½, 0, ½, 1}: with t =
//! exp(α/2), Z is S₂ t² + S₁ t + S₀ + S₋₁/t + S₋₂/t², and five sums over the rows are all that a search for the best α needs. Without
//! zeros S₁ and S₋₁ vanish, and α is that of (22).
//!
//! **Real answers.** Folding α/2 into h, a region has Z = Σ w(l₀, l₁) exp(h(l₀) − h(l₁)) (25), a convex function of the k numbers h(l), which
//! Newton's method minimises (appendix A): its second derivatives are those of a graph whose edges weigh w(l₀, l₁) exp(h(l₀) − h(l₁)).
//! Where a step would raise Z, it is halved. Nothing changes if a constant is added to all h: their sum stays 0.
//!
//! **Signs that look at no row.** All 2^k are tried: that of the least Z (23) is sought by the open problem at the end of section 9.

use manyboost_kernel::numbers::math::{exp, ln};

use super::hamming::NO_PROGRESS;
use super::line_search::least;
use super::{LEAST_EDGE, LEAST_LOSS};
use crate::model::answers::Answers;
use crate::model::hypothesis::Hypothesis;
use crate::spec::booster::{Figures, FittedHypothesis, RoundState, Stop};

/// No number that is searched is larger: what is left of a weight then is 2⁻⁴⁰.
const LONGEST: f64 = 40.0 * std::f64::consts::LN_2;

/// Most steps of Newton's method, and how small the fall that a step promises must be, beside Z, for it to be the last.
const STEPS: usize = 60;
const ENOUGH: f64 = 1e-13;

/// A row's parts of S₋₂, …, S₂, from the channels −Y d and the answers.
pub(super) fn moved(c: &[f64], h: &[f64]) -> [f64; 5] {
    // Sums of d by answer (−1, 0, +1), of the labels that the row has and of the others.
    let (mut own, mut other) = ([0.0; 3], [0.0; 3]);
    for (&c, &h) in c.iter().zip(h) {
        let at = if h > 0.0 { 2 } else { usize::from(h == 0.0) };
        if c < 0.0 {
            own[at] -= c;
        } else {
            other[at] += c;
        }
    }
    let all: f64 = own.iter().chain(&other).sum();
    let mut sums = [0.0; 5];
    if all > 0.0 {
        for (o, a) in own.iter().enumerate() {
            for (n, b) in other.iter().enumerate() {
                sums[n + 2 - o] += 4.0 * a * b / all;
            }
        }
    }
    sums
}

/// Z, times its normaliser, after a step.
pub(super) fn left(sums: &[f64; 5], alpha: f64) -> f64 {
    (-2i32..).zip(sums).map(|(power, s)| s * exp(0.5 * alpha * f64::from(power))).sum()
}

/// The step with the least Z, which falls at 0.
pub(super) fn best_step(sums: &[f64; 5]) -> f64 {
    let part = |alpha: f64, (power, s): (i32, &f64)| {
        if *s > 0.0 { f64::from(power) * s * exp(0.5 * alpha * f64::from(power)) } else { 0.0 }
    };
    least(|alpha| (-2i32..).zip(sums).map(|term| part(alpha, term)).sum(), LONGEST)
}

/// Σ w(a, b) exp(h(a) − h(b)), where w(a, b) is at a k + b.
fn normaliser(w: &[f64], h: &[f64]) -> f64 {
    let k = h.len();
    let up: Vec<f64> = h.iter().map(|&h| exp(h)).collect();
    let row = |(row, up_a): (&[f64], &f64)| up_a * row.iter().zip(&up).map(|(w, up_b)| w / up_b).sum::<f64>();
    w.chunks_exact(k).zip(&up).map(row).sum()
}

/// The signs of the least W₀ + 2 √(W₊ W₋) (23), and their W₊ and W₋, the larger first: every set of labels is tried, each with one label more or less
/// than the one before. The first label has −1: the opposite signs are as good.
fn best_signs(w: &[f64], k: usize) -> (Vec<f64>, [f64; 2]) {
    let (mut h, mut sums, mut best) = (vec![-1.0; k], [0.0; 2], vec![-1.0; k]);
    let all: f64 = w.iter().sum();
    let mut least = all;
    for set in 1u64..1 << k.saturating_sub(1) {
        let turned = 1 + set.trailing_zeros() as usize;
        h[turned] = -h[turned];
        for other in (0..k).filter(|&other| other != turned) {
            // Of the two pairs of labels that differ, the one whose upper label has +1 is in order.
            let pairs = [w[other * k + turned], w[turned * k + other]];
            let sign = if h[other] == h[turned] { -1.0 } else { 1.0 };
            let up = usize::from(h[other] > 0.0);
            sums[0] += sign * pairs[up];
            sums[1] += sign * pairs[1 - up];
        }
        let z = all + 2.0 * (sums[0].max(0.0) * sums[1].max(0.0)).sqrt() - sums[0] - sums[1];
        if z < least - 1e-12 * all {
            (best, least) = (h.clone(), z);
        }
    }
    // What was added and taken off again is summed once more.
    let mut sums = [0.0; 2];
    for (below, row) in w.chunks_exact(k.max(1)).enumerate() {
        for (above, w) in row.iter().enumerate().filter(|(above, _)| best[*above] != best[below]) {
            sums[usize::from(best[above] < best[below])] += w;
        }
    }
    if sums[0] < sums[1] {
        for h in &mut best {
            *h = -*h;
        }
        sums.swap(0, 1);
    }
    (best, sums)
}

/// Where that is least: all weights of pairs are positive.
fn best_answers(w: &[f64], k: usize) -> Vec<f64> {
    let mut h = vec![0.0; k];
    let mut z = normaliser(w, &h);
    for _ in 0..STEPS {
        let up: Vec<f64> = h.iter().map(|&h| exp(h)).collect();
        let (mut slope, mut curve) = (vec![0.0; k], vec![0.0; k * k]);
        for a in 0..k {
            for b in (0..k).filter(|&b| b != a) {
                let m = w[a * k + b] * up[a] / up[b];
                (slope[a], slope[b]) = (slope[a] + m, slope[b] - m);
                (curve[a * k + a], curve[b * k + b]) = (curve[a * k + a] + m, curve[b * k + b] + m);
                (curve[a * k + b], curve[b * k + a]) = (curve[a * k + b] - m, curve[b * k + a] - m);
            }
        }
        // The same number for all answers changes nothing: make it cost something.
        let anchor = curve.iter().step_by(k + 1).sum::<f64>() / (k * k) as f64;
        for x in &mut curve {
            *x += anchor;
        }
        let Some(step) = solve(curve, slope.clone(), k) else { break };
        let promised: f64 = slope.iter().zip(&step).map(|(g, s)| g * s).sum();
        if promised.is_nan() || promised <= ENOUGH * z {
            break;
        }
        let longest = step.iter().fold(1.0f64, |most, s| most.max(s.abs()));
        let mut part = 1.0 / longest;
        let mut moved = false;
        while part > ENOUGH && !moved {
            let next: Vec<f64> =
                h.iter().zip(&step).map(|(h, s)| (h - part * s).clamp(-LONGEST, LONGEST)).collect();
            let lower = normaliser(w, &next);
            moved = lower < z;
            if moved {
                (h, z) = (next, lower);
            }
            part *= 0.5;
        }
        if !moved {
            break;
        }
    }
    h
}

/// A step, its figures, and whether it is the last; none without an edge.
pub(super) type Taken = Option<(f64, Figures, Option<Stop>)>;

/// w(l₀, l₁) of each group of rows, after its weight: D is 4 d(l₀) d(l₁) over the sum of the row's d.
fn weights_of_pairs(now: &RoundState<'_>, channels: &[f64], groups: &[&[u32]]) -> Vec<f64> {
    let k = now.scores.width();
    now.totals.by_group_of(groups, &vec![1.0; k * k], |row, out| {
        let c = &channels[row * k..(row + 1) * k];
        let all: f64 = c.iter().map(|c| c.abs()).sum();
        for (&absent, out) in c.iter().zip(out.chunks_exact_mut(k)) {
            let share = if absent > 0.0 && all > 0.0 { 4.0 * absent / all } else { 0.0 };
            out.iter_mut().zip(c).for_each(|(w, &own)| *w = if own < 0.0 { -share * own } else { 0.0 });
        }
    })
}

/// Fills the regions with the numbers that leave the least of Z (25).
pub(super) fn confident(
    now: &RoundState<'_>,
    norm: f64,
    channels: &[f64],
    fit: &mut FittedHypothesis,
    smoothing: Option<f64>,
) -> Taken {
    let k = now.scores.width();
    let mut rows = vec![Vec::new(); fit.hypothesis.answers.len()];
    (0u32..).zip(&fit.cell_of).for_each(|(row, &cell)| rows[cell as usize].push(row));
    let groups: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
    let sums = weights_of_pairs(now, channels, &groups);
    let share = smoothing.unwrap_or(0.5 / (now.totals.weight() * k as f64));
    let least = (norm * share).max(f64::MIN_POSITIVE);
    let (mut values, mut after) = (Vec::new(), 0.0);
    for sums in sums.chunks_exact(1 + k * k) {
        let smooth: Vec<f64> = sums[1..].iter().map(|w| w + least).collect();
        let h = best_answers(&smooth, k);
        after += normaliser(&sums[1..], &h);
        values.extend(h.iter().map(|h| 2.0 * h));
    }
    fit.hypothesis.answers = Answers::Vectors { width: k as u32, values };
    let z = after / norm;
    if z.is_nan() || z > 1.0 - NO_PROGRESS {
        return None;
    }
    Some((1.0, Figures { edge: None, z: Some(z), bound_factor: Some(z) }, None))
}

/// Puts the oblivious hypothesis of the least Z (23) in the place of one that looks at rows.
pub(super) fn oblivious(
    now: &RoundState<'_>,
    norm: f64,
    channels: &[f64],
    fit: &mut FittedHypothesis,
) -> Taken {
    let (k, rows) = (now.scores.width(), (0..fit.cell_of.len() as u32).collect::<Vec<u32>>());
    let sums = weights_of_pairs(now, channels, &[&rows]);
    let (h, [plus, minus]) = best_signs(&sums[1..], k);
    let r = (plus - minus) / norm;
    fit.hypothesis = Hypothesis::constant(k);
    fit.hypothesis.answers = Answers::Vectors { width: k as u32, values: h };
    fit.cell_of.fill(0);
    if r.is_nan() || r <= LEAST_EDGE {
        return None;
    }
    let alpha = 0.5 * ln(plus / minus.max(LEAST_LOSS * plus));
    let z = 1.0 + (plus * (exp(-alpha) - 1.0) + minus * (exp(alpha) - 1.0)) / norm;
    let figures = Figures { edge: Some(r), z: Some(z), bound_factor: Some(z) };
    Some((alpha, figures, (r >= 1.0 - LEAST_LOSS).then_some(Stop::Perfect)))
}

/// Solves A x = b for a symmetric positive A, by Cholesky's factors; `None` if it is not positive.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>, k: usize) -> Option<Vec<f64>> {
    for j in 0..k {
        for i in j..k {
            let known: f64 = (0..j).map(|n| a[i * k + n] * a[j * k + n]).sum();
            let rest = a[i * k + j] - known;
            if i > j {
                a[i * k + j] = rest / a[j * k + j];
            } else if rest > 0.0 {
                a[j * k + j] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    for i in 0..k {
        let known: f64 = (0..i).map(|n| a[i * k + n] * b[n]).sum();
        b[i] = (b[i] - known) / a[i * k + i];
    }
    for i in (0..k).rev() {
        let known: f64 = (i + 1..k).map(|n| a[n * k + i] * b[n]).sum();
        b[i] = (b[i] - known) / a[i * k + i];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws() -> impl FnMut() -> f64 {
        let mut state = 11u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 40) as u32 % 1000 + 1) / 1000.0
        }
    }

    /// Against pairs one by one.
    #[test]
    fn sums_are_those_over_pairs() {
        let mut draw = draws();
        for _ in 0..100 {
            let c: Vec<f64> = (0..5).map(|l| if l < 2 { -draw() } else { draw() }).collect();
            // As a row's channels are: both kinds of labels have half of the weight.
            let (own, other): (f64, f64) = (-c[..2].iter().sum::<f64>(), c[2..].iter().sum());
            let c: Vec<f64> = c.iter().map(|&c| if c < 0.0 { c / own } else { c / other }).collect();
            let h: Vec<f64> = (0..5).map(|_| (draw() * 3.0).floor().min(2.0) - 1.0).collect();
            let alpha = 0.7;
            let mut z = 0.0;
            for l1 in 0..2 {
                for l0 in 2..5 {
                    // Σ D = 2 of the row, and D is the product of shares.
                    z += 2.0 * -c[l1] * c[l0] * (0.5f64 * alpha * (h[l0] - h[l1])).exp();
                }
            }
            assert!((left(&moved(&c, &h), alpha) - z).abs() < 1e-12);
        }
    }

    #[test]
    fn without_zeros_the_best_step_is_that_of_equation_22() {
        let mut draw = draws();
        for _ in 0..50 {
            let (wrong, right) = (draw(), 1.0 + draw());
            let alpha = best_step(&[right, 0.0, draw(), 0.0, wrong]);
            assert!((alpha - 0.5 * (right / wrong).ln()).abs() < 1e-12);
        }
        // With them: no other step leaves less.
        let sums = [1.3, 0.4, 0.2, 0.3, 0.5];
        let best = best_step(&sums);
        for part in 0..400 {
            assert!(left(&sums, best) <= left(&sums, f64::from(part) / 100.0) + 1e-12);
        }
    }

    /// Against every set of labels, one by one.
    #[test]
    fn no_signs_have_a_smaller_normaliser() {
        let mut draw = draws();
        for k in 2..7 {
            for _ in 0..20 {
                let w: Vec<f64> =
                    (0..k * k).map(|at| if at % (k + 1) == 0 { 0.0 } else { draw().powi(3) }).collect();
                let (h, [plus, minus]) = best_signs(&w, k);
                let sums_of = |h: &[f64]| {
                    let mut sums = [0.0; 3];
                    for (at, w) in w.iter().enumerate() {
                        let (below, above) = (at / k, at % k);
                        sums[(1.0 + 0.5 * (h[above] - h[below])) as usize] += w;
                    }
                    sums
                };
                let z = |sums: [f64; 3]| sums[1] + 2.0 * (sums[0] * sums[2]).sqrt();
                let own = sums_of(&h);
                assert!((own[2] - plus).abs() < 1e-12 && (own[0] - minus).abs() < 1e-12 && plus >= minus);
                for set in 0..1u32 << k {
                    let h: Vec<f64> = (0..k).map(|l| if set >> l & 1 == 1 { 1.0 } else { -1.0 }).collect();
                    assert!(z(own) <= z(sums_of(&h)) + 1e-12, "{k}: {h:?}");
                }
            }
        }
    }

    #[test]
    fn newton_finds_the_least_normaliser() {
        let mut draw = draws();
        for k in [2, 3, 5, 8] {
            for _ in 0..20 {
                let w: Vec<f64> =
                    (0..k * k).map(|at| if at % (k + 1) == 0 { 0.0 } else { draw().powi(8) }).collect();
                let h = best_answers(&w, k);
                let z = normaliser(&w, &h);
                // No slope is left, in any direction.
                for l in 0..k {
                    let near = |by: f64| {
                        let mut h = h.clone();
                        h[l] += by;
                        normaliser(&w, &h)
                    };
                    assert!(near(1e-4) >= z - 1e-11 && near(-1e-4) >= z - 1e-11, "{k}: {w:?}");
                }
                if k == 2 {
                    // Two labels: half the logarithm of the odds apart.
                    assert!((h[1] - h[0] - 0.5 * (w[1] / w[2]).ln()).abs() < 1e-6 || w[1].min(w[2]) < 1e-12);
                }
            }
        }
    }
}
