//! Matrix games by an interior-point method.
//!
//! ```text
//! max γ  with  M λ ≥ γ, λ ≥ 0, Σ λ = 1          min u  with  Mᵀ w ≤ u, w ≥ 0, Σ w = 1
//! ```
//!
//! Both sides have an interior point that is known beforehand, so every step keeps both feasible, and u − γ = λᵀz + wᵀs is the
//! distance of both from the value, with slacks s = M λ − γ and z = u − Mᵀ w. Mehrotra's predictor and corrector steps, on the
//! normal equations of the side with fewer unknowns:
//!
//! ```text
//! (Z/Λ + Mᵀ (W/S) M) dλ = …
//! ```
//!
//! The answer is a proposal: whoever wants a proof computes it from λ and w (see [`generate`](crate::generate)).

use ndarray::{Array1, Array2};

use crate::cholesky::{Factor, gram};

/// Most steps.
const STEPS: usize = 60;

/// How much of the way to the boundary a step may take.
const SHY: f64 = 0.995;

/// Strategies of both players.
#[derive(Clone, Debug)]
pub struct Play {
    /// Of the one who chooses columns and wants much.
    pub columns: Vec<f64>,
    /// Of the one who chooses rows and wants little.
    pub rows: Vec<f64>,
}

/// Solves the game until both sides are closer than this (or no step helps any more).
pub fn play(payoffs: &Array2<f64>, tolerance: f64) -> Play {
    if payoffs.nrows() < payoffs.ncols() {
        // The same game with the players in each other's place has the smaller system.
        let Play { columns, rows } = MatrixGame::new(-&payoffs.t()).solve(tolerance);
        return Play { columns: rows, rows: columns };
    }
    MatrixGame::new(payoffs.clone()).solve(tolerance)
}

/// The payoffs.
struct MatrixGame {
    m: Array2<f64>,
    /// The same, column after column.
    t: Array2<f64>,
}

/// What both sides choose, with its slacks: a point inside, or a step from one.
struct Iterate {
    lambda: Array1<f64>,
    gamma: f64,
    s: Array1<f64>,
    w: Array1<f64>,
    u: f64,
    z: Array1<f64>,
}

/// The normal equations at a point, factored, with the solutions that every direction needs.
struct Normal {
    factor: Factor,
    /// W/S.
    d: Array1<f64>,
    /// Mᵀ (W/S) 1, and K⁻¹ of it.
    a: Array1<f64>,
    q: Array1<f64>,
    /// K⁻¹ 1.
    o: Array1<f64>,
}

impl MatrixGame {
    fn new(m: Array2<f64>) -> Self {
        let t = m.t().as_standard_layout().into_owned();
        Self { m, t }
    }

    /// Equal chances for all, which is inside.
    fn start(&self) -> Iterate {
        let (r, n) = self.m.dim();
        let lambda = Array1::from_elem(n, 1.0 / n as f64);
        let w = Array1::from_elem(r, 1.0 / r as f64);
        let (votes, edges) = (self.m.dot(&lambda), self.t.dot(&w));
        let gamma = votes.iter().fold(f64::INFINITY, |least, &x| x.min(least)) - 1.0;
        let u = edges.iter().fold(f64::NEG_INFINITY, |most, &x| x.max(most)) + 1.0;
        Iterate { s: votes - gamma, z: u - edges, lambda, gamma, w, u }
    }

    fn solve(&self, tolerance: f64) -> Play {
        let mut at = self.start();
        for _ in 0..STEPS {
            let gap = at.u - at.gamma;
            if gap <= tolerance {
                break;
            }
            let count = (at.lambda.len() + at.w.len()) as f64;
            let mu = gap / count;
            let normal = self.normal(&at);
            let (c1, c2) = (-&at.lambda * &at.z, -&at.w * &at.s);
            let ahead = self.direction(&at, &normal, &c1, &c2);
            let (p, d) = at.lengths(&ahead, 1.0);
            let reached = (at.u + d * ahead.u) - (at.gamma + p * ahead.gamma);
            let centre = mu * (reached / gap).clamp(0.0, 1.0).powi(3);
            let c1 = c1 + centre - &ahead.lambda * &ahead.z;
            let c2 = c2 + centre - &ahead.w * &ahead.s;
            let direction = self.direction(&at, &normal, &c1, &c2);
            let (p, d) = at.lengths(&direction, SHY);
            if p.max(d) < 1e-10 || !self.go(&mut at, &direction, p, d) {
                break;
            }
        }
        Play { columns: at.lambda.to_vec(), rows: at.w.to_vec() }
    }

    fn normal(&self, at: &Iterate) -> Normal {
        let d = &at.w / &at.s;
        let mut scaled = self.m.clone();
        for (mut row, d) in scaled.rows_mut().into_iter().zip(&d) {
            row *= d.sqrt();
        }
        let mut k = gram(&scaled);
        for (k, (z, lambda)) in k.diag_mut().iter_mut().zip(at.z.iter().zip(&at.lambda)) {
            *k += z / lambda;
        }
        let factor = Factor::new(k);
        let a = self.t.dot(&d);
        let (q, o) = (factor.solve(&a), factor.solve(&Array1::ones(a.len())));
        Normal { factor, d, a, q, o }
    }

    /// The step that would make λ z = λ z + c₁ and w s = w s + c₂, to first order.
    fn direction(&self, at: &Iterate, normal: &Normal, c1: &Array1<f64>, c2: &Array1<f64>) -> Iterate {
        let Normal { factor, d, a, q, o } = normal;
        let c2 = c2 / &at.s;
        let p = factor.solve(&(c1 / &at.lambda + self.t.dot(&c2)));
        // Σ dλ = 0 and Σ dw = 0 for the two unknowns dγ and du.
        let (a11, a12, b1) = (q.sum(), -o.sum(), -p.sum());
        let (a21, a22, b2) = (d.sum() - a.dot(q), a.dot(o), a.dot(&p) - c2.sum());
        let det = a11 * a22 - a12 * a21;
        let (gamma, u) = ((b1 * a22 - a12 * b2) / det, (a11 * b2 - a21 * b1) / det);
        let lambda = p + q * gamma - o * u;
        let s = self.m.dot(&lambda) - gamma;
        let w = c2 - d * &s;
        let z = u - self.t.dot(&w);
        Iterate { lambda, gamma, s, w, u, z }
    }

    /// Goes there, unless rounding has reached the slacks, which are computed anew: then the point is as good as it gets.
    fn go(&self, at: &mut Iterate, by: &Iterate, p: f64, d: f64) -> bool {
        let mut lambda = &at.lambda + p * &by.lambda;
        lambda /= lambda.sum();
        let mut w = &at.w + d * &by.w;
        w /= w.sum();
        let (gamma, u) = (at.gamma + p * by.gamma, at.u + d * by.u);
        let (s, z) = (self.m.dot(&lambda) - gamma, u - self.t.dot(&w));
        let inside = [&lambda, &w, &s, &z].iter().all(|x| x.iter().all(|&x| x > 0.0 && x.is_finite()));
        if inside {
            (at.lambda, at.gamma, at.s) = (lambda, gamma, s);
            (at.w, at.u, at.z) = (w, u, z);
        }
        inside
    }
}

impl Iterate {
    /// How far each side may go, up to a share of the way to its boundary.
    fn lengths(&self, by: &Self, share: f64) -> (f64, f64) {
        let reach = |x: &Array1<f64>, dx: &Array1<f64>| {
            let limits = x.iter().zip(dx).filter(|(_, dx)| **dx < 0.0).map(|(x, dx)| -x / dx);
            limits.fold(f64::INFINITY, f64::min)
        };
        let primal = reach(&self.lambda, &by.lambda).min(reach(&self.s, &by.s));
        let dual = reach(&self.w, &by.w).min(reach(&self.z, &by.z));
        ((share * primal).min(1.0), (share * dual).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What each strategy makes sure of.
    fn secured(m: &Array2<f64>, play: &Play) -> (f64, f64) {
        let (lambda, w) = (Array1::from(play.columns.clone()), Array1::from(play.rows.clone()));
        let least = m.dot(&lambda).iter().fold(f64::INFINITY, |least, &x| x.min(least));
        (least, w.dot(m).iter().fold(f64::NEG_INFINITY, |most, &x| x.max(most)))
    }

    #[test]
    fn known_games() {
        let cases = [
            (vec![vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]], 0.0),
            (vec![vec![3.0, -1.0], vec![-2.0, 4.0]], 1.0),
            (vec![vec![1.0]], 1.0),
            (vec![vec![0.0, 0.0, 0.0]], 0.0),
            // The same rows and columns again and again.
            (vec![vec![1.0, 1.0, -1.0, -1.0], vec![1.0, 1.0, -1.0, -1.0], vec![-1.0, -1.0, 1.0, 1.0]], 0.0),
        ];
        for (rows, value) in cases {
            let m = Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j]);
            let (least, most) = secured(&m, &play(&m, 1e-10));
            assert!((least - value).abs() < 1e-9 && (most - value).abs() < 1e-9, "{least} {value} {most}");
        }
    }

    proptest! {
        #[test]
        fn both_sides_meet(
            rows in 1usize..40,
            columns in 1usize..40,
            cells in prop::collection::vec(-1i32..=1, 1600),
        ) {
            let m = Array2::from_shape_fn((rows, columns), |(i, j)| f64::from(cells[i * 40 + j]));
            let (least, most) = secured(&m, &play(&m, 1e-9));
            prop_assert!(most - least < 1e-7, "{} {}", least, most);
        }
    }
}
