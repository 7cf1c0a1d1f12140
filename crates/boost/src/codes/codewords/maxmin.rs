//! Max-min distance codewords (67): M points on the sphere in d dimensions, centred, whose closest pair is as far apart as it
//! can be. That is Tammes' problem with a constraint.
//!
//! From several beginnings, a soft maximum of the cosines of all pairs is lowered, ever harder, along the surface of the
//! constraints. From the best of the ends, the largest cosine is then bisected: Newton's method looks for points nearby of
//! which no pair is closer. Only +, −, ×, ÷, √ and the kernel's exp and ln are used: the result is the same everywhere.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_kernel::Seed;
use manyboost_kernel::numbers::math::{exp, ln};

use super::dot;
use crate::codes::matrix::Matrix;

/// Multiplications that may be spent on all beginnings together.
const BUDGET: f64 = 2e9;
/// Most beginnings.
const STARTS: usize = 48;
/// Hardness of the soft maximum: from 2² to 2¹⁸.
const HARDNESS: std::ops::RangeInclusive<u32> = 2..=18;
/// Systems of more unknowns are not polished.
const MOST_UNKNOWNS: usize = 160;
/// Ends of descents that are polished.
const POLISHED: usize = 4;

/// How often to begin, and how many steps to go with each hardness.
fn plan(m: usize, d: usize) -> (usize, usize) {
    let one = (m * m * d) as f64;
    let evaluations = (BUDGET / one / HARDNESS.count() as f64).max(8.0);
    let starts = ((evaluations / 100.0) as usize).clamp(1, STARTS);
    (starts, ((evaluations / starts as f64) as usize).clamp(8, 200))
}

/// About how many seconds it takes: what was measured of descents, and of polishing, whose time grows with the eighth power of the
/// unknowns.
pub(super) fn seconds(m: usize, d: usize) -> f64 {
    let (starts, steps) = plan(m, d);
    let descents = 3.2e-9 * (starts * HARDNESS.count() * steps) as f64 * (m * m * d) as f64;
    let unknowns = (m * d) as f64;
    descents + if m * d > MOST_UNKNOWNS { 0.0 } else { 3.0 * (unknowns / 84.0).powi(8) }
}

/// The codewords, or the best so far once `stop` is set.
pub(super) fn max_min(m: usize, d: usize, stop: &AtomicBool) -> Matrix {
    let (starts, steps) = plan(m, d);
    let mut ends: Vec<(Vec<f64>, f64)> = Vec::new();
    for start in 0..starts {
        let mut y = drawn(m, d, Seed::new(start as u64));
        for hardness in HARDNESS {
            descend(&mut y, d, f64::from(1u32 << hardness), steps, stop);
        }
        let most = largest_cosine(&y, d);
        ends.push((y, most));
    }
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    ends.truncate(POLISHED);
    let polished = ends.into_iter().map(|(y, _)| polished(y, d, stop));
    let better = |a: (Vec<f64>, f64), b: (Vec<f64>, f64)| if b.1 < a.1 - 1e-13 { b } else { a };
    let best = polished.reduce(better).map(|(y, _)| y);
    Matrix::new(d, best.unwrap_or_else(|| vec![0.0; m * d]))
}

/// Random points (each number the sum of a few uniform ones), on the surface.
fn drawn(m: usize, d: usize, seed: Seed) -> Vec<f64> {
    let normal = |at: usize| (0..6).map(|i| seed.part(at as u64).part(i).unit()).sum::<f64>() - 3.0;
    let mut y: Vec<f64> = (0..m * d).map(normal).collect();
    onto_surface(&mut y, d);
    y
}

/// Alternately centres the points and gives them length 1, until both hold.
fn onto_surface(y: &mut [f64], d: usize) {
    const ROUNDS: usize = 400;
    let m = (y.len() / d) as f64;
    for _ in 0..ROUNDS {
        let mut off = 0f64;
        for j in 0..d {
            let mean = y.iter().skip(j).step_by(d).sum::<f64>() / m;
            off = off.max(mean.abs());
            y.iter_mut().skip(j).step_by(d).for_each(|x| *x -= mean);
        }
        for point in y.chunks_exact_mut(d) {
            let length = dot(point, point).sqrt();
            if length > 1e-12 {
                for x in point.iter_mut() {
                    *x /= length;
                }
            } else {
                point.fill(0.0);
                point[0] = 1.0;
                off = 1.0;
            }
        }
        if off < 1e-15 {
            break;
        }
    }
}

fn largest_cosine(y: &[f64], d: usize) -> f64 {
    let points: Vec<&[f64]> = y.chunks_exact(d).collect();
    let pairs = (1..points.len()).flat_map(|k| (0..k).map(move |l| (k, l)));
    pairs.map(|(k, l)| dot(points[k], points[l])).fold(-1.0, f64::max)
}

/// The soft maximum of the cosines of all pairs, and its gradient.
fn soft_maximum(y: &[f64], d: usize, hardness: f64, gradient: &mut [f64]) -> f64 {
    let most = largest_cosine(y, d);
    gradient.fill(0.0);
    let (m, mut sum) = (y.len() / d, 0.0);
    for k in 1..m {
        for l in 0..k {
            let (a, b) = (&y[k * d..(k + 1) * d], &y[l * d..(l + 1) * d]);
            let e = exp(hardness * (dot(a, b) - most));
            if e < 1e-18 {
                continue;
            }
            sum += e;
            for j in 0..d {
                gradient[k * d + j] += e * b[j];
                gradient[l * d + j] += e * a[j];
            }
        }
    }
    for g in gradient.iter_mut() {
        *g /= sum;
    }
    most + ln(sum) / hardness
}

/// Goes down the soft maximum; steps grow while they help and shrink while they do not.
fn descend(y: &mut Vec<f64>, d: usize, hardness: f64, steps: usize, stop: &AtomicBool) {
    let mut gradient = vec![0.0; y.len()];
    let mut now = soft_maximum(y, d, hardness, &mut gradient);
    let (mut other, mut length) = (vec![0.0; y.len()], 1.0 / hardness);
    for _ in 0..steps {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        along_surface(y, d, &mut gradient);
        let mut next: Vec<f64> = y.iter().zip(&gradient).map(|(x, g)| x - length * g).collect();
        onto_surface(&mut next, d);
        let then = soft_maximum(&next, d, hardness, &mut other);
        if then < now {
            (*y, now) = (next, then);
            std::mem::swap(&mut gradient, &mut other);
            length *= 1.5;
        } else {
            length *= 0.4;
            if length * hardness < 1e-9 {
                break;
            }
        }
    }
}

/// Takes out of a gradient what would change lengths, and its mean.
fn along_surface(y: &[f64], d: usize, gradient: &mut [f64]) {
    for _ in 0..3 {
        for (g, point) in gradient.chunks_exact_mut(d).zip(y.chunks_exact(d)) {
            let out = dot(g, point);
            g.iter_mut().zip(point).for_each(|(g, x)| *g -= out * x);
        }
        let m = (y.len() / d) as f64;
        for j in 0..d {
            let mean = gradient.iter().skip(j).step_by(d).sum::<f64>() / m;
            gradient.iter_mut().skip(j).step_by(d).for_each(|g| *g -= mean);
        }
    }
}

/// Points nearby whose largest cosine is as small as bisection finds it, and that cosine.
fn polished(mut y: Vec<f64>, d: usize, stop: &AtomicBool) -> (Vec<f64>, f64) {
    let mut most = largest_cosine(&y, d);
    if y.len() > MOST_UNKNOWNS {
        return (y, most);
    }
    let mut by = 0.01;
    while by > 1e-13 && !stop.load(Ordering::Relaxed) {
        let found = feasible(&y, d, most - by).map(|y| (largest_cosine(&y, d), y));
        match found {
            Some((cosine, better)) if cosine < most => {
                (y, most) = (better, cosine);
                by *= 1.5;
            }
            _ => by *= 0.3,
        }
    }
    (y, most)
}

/// Newton's method (a short step each time) for points of length 1 that sum to 0 and of which no two have a larger cosine.
fn feasible(y: &[f64], d: usize, most: f64) -> Option<Vec<f64>> {
    const ROUNDS: usize = 30;
    let (m, n) = (y.len() / d, y.len());
    let mut x = y.to_vec();
    for _ in 0..ROUNDS {
        let worst = worst_violation(&x, d, most);
        if worst < 1e-14 {
            break;
        }
        // The normal equations, with a little on the diagonal.
        let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n]);
        let mut add = |row: &[(usize, f64)], residual: f64| {
            for &(i, u) in row {
                b[i] -= u * residual;
                for &(j, v) in row {
                    a[i * n + j] += u * v;
                }
            }
        };
        for k in 0..m {
            let p = &x[k * d..(k + 1) * d];
            for l in 0..k {
                let q = &x[l * d..(l + 1) * d];
                let residual = dot(p, q) - most;
                if residual > -1e-15 {
                    let row = (0..d).flat_map(|j| [(k * d + j, q[j]), (l * d + j, p[j])]);
                    add(&row.collect::<Vec<_>>(), residual);
                }
            }
            add(&(0..d).map(|j| (k * d + j, 2.0 * p[j])).collect::<Vec<_>>(), dot(p, p) - 1.0);
        }
        for j in 0..d {
            let sum: f64 = (0..m).map(|k| x[k * d + j]).sum();
            add(&(0..m).map(|k| (k * d + j, 1.0)).collect::<Vec<_>>(), sum);
        }
        (0..n).for_each(|i| a[i * n + i] += 1e-9);
        let step = solve(a, b)?;
        x.iter_mut().zip(step).for_each(|(x, s)| *x += s);
    }
    onto_surface(&mut x, d);
    (x.iter().all(|x| x.is_finite()) && worst_violation(&x, d, most) < 1e-12).then_some(x)
}

/// By how much points break the conditions at most.
fn worst_violation(x: &[f64], d: usize, most: f64) -> f64 {
    let lengths = x.chunks_exact(d).map(|p| (dot(p, p) - 1.0).abs());
    let sums = (0..d).map(|j| x.iter().skip(j).step_by(d).sum::<f64>().abs());
    lengths.chain(sums).fold(largest_cosine(x, d) - most, f64::max)
}

/// Solves a symmetric positive definite system by Cholesky's method.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for j in 0..n {
        for i in j..n {
            let inner: f64 = (0..j).map(|t| a[i * n + t] * a[j * n + t]).sum();
            let left = a[i * n + j] - inner;
            if i == j {
                if left <= 0.0 {
                    return None;
                }
                a[j * n + j] = left.sqrt();
            } else {
                a[i * n + j] = left / a[j * n + j];
            }
        }
    }
    for i in 0..n {
        let inner: f64 = (0..i).map(|t| a[i * n + t] * b[t]).sum();
        b[i] = (b[i] - inner) / a[i * n + i];
    }
    for i in (0..n).rev() {
        let inner: f64 = (i + 1..n).map(|t| a[t * n + i] * b[t]).sum();
        b[i] = (b[i] - inner) / a[i * n + i];
    }
    Some(b)
}
