//! The largest soft margin of a mixture of given hypotheses, by an interior-point method.
//!
//! ```text
//! max γ − Σᵢ Dᵢ ξᵢ  with  Σⱼ λⱼ M(r, j) ≥ γ − ξᵢ₍ᵣ₎, λ ≥ 0, Σ λ = 1, ξ ≥ 0
//! min u             with  Σᵣ wᵣ M(r, j) ≤ u, w ≥ 0, Σ w = 1, Σ_{r of i} wᵣ ≤ Dᵢ
//! ```
//!
//! (Demiriz, Bennett & Shawe-Taylor 2002, for one row r of the game per wrong answer.) Both sides have an interior point that is known
//! beforehand, every step keeps both feasible, and their distance is λᵀz + wᵀs + ξᵀv, with the slacks z, s and v of the inequalities. With
//! the w of a group i taken together, the normal equations are those of a matrix game with H instead of W/S:
//!
//! ```text
//! (Z/Λ + Mᵀ H M) dλ = …,   H = D − D 1 1ᵀ D · e/(1 + e 1ᵀ D 1) in each group,  D = W/S,  e = ξ/v
//! ```

use manyboost_kernel::dot;

use super::newton::moves;
use super::symmetric::Factor;

/// Most steps.
const STEPS: usize = 80;

/// How much of the way to the boundary a step may take.
const SHY: f64 = 0.99;

/// Both sides are this close at the end.
const CLOSE: f64 = 1e-10;

/// A game between a mixture and weights of rows.
pub(crate) struct SoftGame<'a> {
    /// What each hypothesis has in each row.
    pub gains: &'a [Vec<f64>],
    /// The group of each row.
    pub group: &'a [usize],
    /// The share of each group in the first weights.
    pub share: &'a [f64],
    /// No group has more than so many times its share; not below 1. `None` is a hard margin.
    pub most: Option<f64>,
}

/// What both sides choose.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    /// The mixture.
    pub lambda: Vec<f64>,
    /// The weights of rows.
    pub w: Vec<f64>,
    /// The soft margin of the mixture.
    pub value: f64,
}

/// A point inside, or a step from one.
struct Point {
    lambda: Vec<f64>,
    gamma: f64,
    xi: Vec<f64>,
    s: Vec<f64>,
    w: Vec<f64>,
    u: f64,
    z: Vec<f64>,
    v: Vec<f64>,
}

/// What λz, ws and ξv shall change by.
struct Aim {
    lambda: Vec<f64>,
    w: Vec<f64>,
    xi: Vec<f64>,
}

/// The normal equations at a point.
struct Normal {
    factor: Factor,
    d: Vec<f64>,
    /// e/(1 + e 1ᵀ D 1) of each group.
    g: Vec<f64>,
    a: Vec<f64>,
    q: Vec<f64>,
    o: Vec<f64>,
    /// 1ᵀ H 1.
    h: f64,
}

fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn zip(x: &[f64], y: &[f64], f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect()
}

impl SoftGame<'_> {
    /// Solves the game.
    pub(crate) fn solve(&self) -> Play {
        let mut at = self.start();
        for _ in 0..STEPS {
            let gap = at.gap();
            if gap <= CLOSE {
                break;
            }
            let count = (at.lambda.len() + at.w.len() + at.v.len()) as f64;
            let normal = self.normal(&at);
            let aim = |centre: f64, by: Option<&Point>| {
                let aim = |x: &[f64], y: &[f64], by: Option<(&[f64], &[f64])>| {
                    let second = by.map_or_else(|| vec![0.0; x.len()], |(dx, dy)| zip(dx, dy, |x, y| x * y));
                    zip(&zip(x, y, |x, y| centre - x * y), &second, |aim, second| aim - second)
                };
                Aim {
                    lambda: aim(&at.lambda, &at.z, by.map(|by| (&by.lambda[..], &by.z[..]))),
                    w: aim(&at.w, &at.s, by.map(|by| (&by.w[..], &by.s[..]))),
                    xi: aim(&at.xi, &at.v, by.map(|by| (&by.xi[..], &by.v[..]))),
                }
            };
            let ahead = self.direction(&at, &normal, &aim(0.0, None));
            let left = at.moved(&ahead, at.lengths(&ahead, 1.0)).gap() / gap;
            let centre = gap / count * left.clamp(0.0, 1.0).powi(3);
            let by = self.direction(&at, &normal, &aim(centre, Some(&ahead)));
            let lengths = at.lengths(&by, SHY);
            let next = self.anew(at.moved(&by, lengths));
            if lengths.0.max(lengths.1) < 1e-10 || !next.inside() {
                break;
            }
            at = next;
        }
        self.play(&at)
    }

    fn start(&self) -> Point {
        let (n, r, groups) = (self.gains.len(), self.group.len(), self.share.len());
        let mut rows = vec![0.0; groups];
        self.group.iter().for_each(|&i| rows[i] += 1.0);
        let w: Vec<f64> = self.group.iter().map(|&i| self.share[i] / rows[i]).collect();
        let lambda = vec![1.0 / n as f64; n];
        let margins = moves(self.gains, &lambda, r);
        let least = margins.iter().fold(f64::INFINITY, |least, &x| x.min(least));
        let most = self.gains.iter().map(|gains| dot(gains, &w)).fold(f64::NEG_INFINITY, f64::max);
        let xi = if self.most.is_some() { vec![1.0; groups] } else { Vec::new() };
        let (s, z, v) = (Vec::new(), Vec::new(), Vec::new());
        self.anew(Point { lambda, gamma: least - 1.0, xi, s, w, u: most + 1.0, z, v })
    }

    /// The same point with mixtures that add up to 1 and the slacks that follow.
    fn anew(&self, mut at: Point) -> Point {
        let (all, weight) = (sum(&at.lambda), sum(&at.w));
        at.lambda.iter_mut().for_each(|x| *x /= all);
        at.w.iter_mut().for_each(|x| *x /= weight);
        let xi = |r: usize| at.xi.get(self.group[r]).copied().unwrap_or(0.0);
        let margins = moves(self.gains, &at.lambda, self.group.len());
        at.s = margins.iter().enumerate().map(|(r, margin)| margin - at.gamma + xi(r)).collect();
        at.z = self.gains.iter().map(|gains| at.u - dot(gains, &at.w)).collect();
        if let Some(most) = self.most {
            at.v = zip(self.share, &self.by_group(&at.w), |share, has| most * share - has);
        }
        at
    }

    fn by_group(&self, x: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.share.len()];
        self.group.iter().zip(x).for_each(|(&i, x)| sums[i] += x);
        sums
    }

    /// H x.
    fn h(&self, d: &[f64], g: &[f64], x: &[f64]) -> Vec<f64> {
        let dx = zip(d, x, |d, x| d * x);
        if g.is_empty() {
            return dx;
        }
        let together = zip(&self.by_group(&dx), g, |sum, g| sum * g);
        (0..dx.len()).map(|r| dx[r] - d[r] * together[self.group[r]]).collect()
    }

    fn normal(&self, at: &Point) -> Normal {
        let d = zip(&at.w, &at.s, |w, s| w / s);
        let e = zip(&at.xi, &at.v, |xi, v| xi / v);
        let g = if e.is_empty() { e } else { zip(&e, &self.by_group(&d), |e, d| e / (1.0 + e * d)) };
        let row = |(j, gains): (usize, &Vec<f64>)| {
            let h = self.h(&d, &g, gains);
            let mut row: Vec<f64> = self.gains[..=j].iter().map(|other| dot(&h, other)).collect();
            row[j] += at.z[j] / at.lambda[j];
            row
        };
        let factor = Factor::new(self.gains.iter().enumerate().map(row).collect());
        let ones = self.h(&d, &g, &vec![1.0; d.len()]);
        let a: Vec<f64> = self.gains.iter().map(|gains| dot(gains, &ones)).collect();
        let (q, o, h) = (factor.solve(&a), factor.solve(&vec![1.0; a.len()]), sum(&ones));
        Normal { factor, d, g, a, q, o, h }
    }

    fn direction(&self, at: &Point, normal: &Normal, aim: &Aim) -> Point {
        let Normal { factor, d, g, a, q, o, h } = normal;
        let mut c = zip(&aim.w, &at.s, |c, s| c / s);
        let free = zip(&aim.xi, &at.v, |c, v| c / v);
        if !g.is_empty() {
            // What is left of each group when ξ has moved by itself.
            let (together, ds, e) = (self.by_group(&c), self.by_group(d), zip(&at.xi, &at.v, |xi, v| xi / v));
            let alone: Vec<f64> =
                (0..g.len()).map(|i| free[i] / (1.0 + e[i] * ds[i]) + g[i] * together[i]).collect();
            (0..c.len()).for_each(|r| c[r] -= d[r] * alone[self.group[r]]);
        }
        let right = |(j, gains): (usize, &Vec<f64>)| aim.lambda[j] / at.lambda[j] + dot(gains, &c);
        let p = factor.solve(&self.gains.iter().enumerate().map(right).collect::<Vec<f64>>());
        // Σ dλ = 0 and Σ dw = 0 for the two unknowns dγ and du.
        let (a11, a12, b1) = (sum(q), -sum(o), -sum(&p));
        let (a21, a22, b2) = (h - dot(a, q), dot(a, o), dot(a, &p) - sum(&c));
        let det = a11 * a22 - a12 * a21;
        let (gamma, u) = ((b1 * a22 - a12 * b2) / det, (a11 * b2 - a21 * b1) / det);
        let lambda: Vec<f64> = (0..p.len()).map(|j| p[j] + q[j] * gamma - o[j] * u).collect();
        let ahead: Vec<f64> =
            moves(self.gains, &lambda, self.group.len()).iter().map(|m| m - gamma).collect();
        let w = zip(&c, &self.h(d, g, &ahead), |c, h| c - h);
        let z = self.gains.iter().map(|gains| u - dot(gains, &w)).collect();
        let v: Vec<f64> =
            if g.is_empty() { Vec::new() } else { self.by_group(&w).iter().map(|w| -w).collect() };
        let xi: Vec<f64> = (0..v.len()).map(|i| free[i] - at.xi[i] / at.v[i] * v[i]).collect();
        let s = (0..ahead.len()).map(|r| ahead[r] + xi.get(self.group[r]).unwrap_or(&0.0)).collect();
        Point { lambda, gamma, xi, s, w, u, z, v }
    }

    /// The soft margin of the mixture, with the best γ: at some margin of a group.
    fn play(&self, at: &Point) -> Play {
        let margins = moves(self.gains, &at.lambda, self.group.len());
        let mut least = vec![f64::INFINITY; self.share.len()];
        self.group.iter().zip(&margins).for_each(|(&i, &margin)| least[i] = margin.min(least[i]));
        let mut order: Vec<(f64, f64)> = least.into_iter().zip(self.share.iter().copied()).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut value, mut below, mut last) = (f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY);
        for (margin, share) in order {
            if last == f64::NEG_INFINITY {
                value = margin;
            } else {
                // With γ higher by so much, all groups below fall short by as much more.
                let slope = self.most.map_or(f64::NEG_INFINITY, |most| 1.0 - most * below);
                if slope <= 0.0 {
                    break;
                }
                value += slope * (margin - last);
            }
            below += share;
            last = margin;
        }
        Play { lambda: at.lambda.clone(), w: at.w.clone(), value }
    }
}

impl Point {
    /// λᵀz + wᵀs + ξᵀv.
    fn gap(&self) -> f64 {
        dot(&self.lambda, &self.z) + dot(&self.w, &self.s) + dot(&self.xi, &self.v)
    }

    fn inside(&self) -> bool {
        let all = [&self.lambda, &self.s, &self.w, &self.z, &self.xi, &self.v];
        all.iter().all(|x| x.iter().all(|&x| x > 0.0 && x.is_finite()))
    }

    /// How far each side may go, up to a share of the way to its boundary.
    fn lengths(&self, by: &Self, share: f64) -> (f64, f64) {
        let reach = |x: &[f64], dx: &[f64]| {
            let limits = x.iter().zip(dx).filter(|(_, dx)| **dx < 0.0).map(|(x, dx)| -x / dx);
            limits.fold(f64::INFINITY, f64::min)
        };
        let primal = reach(&self.lambda, &by.lambda).min(reach(&self.s, &by.s)).min(reach(&self.xi, &by.xi));
        let dual = reach(&self.w, &by.w).min(reach(&self.z, &by.z)).min(reach(&self.v, &by.v));
        ((share * primal).min(1.0), (share * dual).min(1.0))
    }

    fn moved(&self, by: &Self, (p, d): (f64, f64)) -> Self {
        let go = |x: &[f64], dx: &[f64], length: f64| zip(x, dx, |x, dx| x + length * dx);
        Self {
            lambda: go(&self.lambda, &by.lambda, p),
            gamma: self.gamma + p * by.gamma,
            xi: go(&self.xi, &by.xi, p),
            s: go(&self.s, &by.s, p),
            w: go(&self.w, &by.w, d),
            u: self.u + d * by.u,
            z: go(&self.z, &by.z, d),
            v: go(&self.v, &by.v, d),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both sides are feasible, and meet: each is a proof of the other.
        #[test]
        fn both_sides_meet(
            groups in 1usize..25,
            columns in 1usize..12,
            cells in prop::collection::vec(-1i32..=1, 1200),
            nu in prop::sample::select(vec![None, Some(0.1), Some(0.4), Some(0.9)]),
        ) {
            let group: Vec<usize> = (0..2 * groups).map(|r| r / 2).collect();
            let gains: Vec<Vec<f64>> =
                (0..columns).map(|j| (0..2 * groups).map(|r| f64::from(cells[j * 50 + r])).collect()).collect();
            let share = vec![1.0 / groups as f64; groups];
            let game =
                SoftGame { gains: &gains, group: &group, share: &share, most: nu.map(|nu: f64| 1.0 / nu) };
            let play = game.solve();
            let edge = gains.iter().map(|gains| dot(gains, &play.w)).fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(play.lambda.iter().chain(&play.w).all(|&x| x >= 0.0));
            prop_assert!((sum(&play.lambda) - 1.0).abs() < 1e-9 && (sum(&play.w) - 1.0).abs() < 1e-9);
            if let Some(nu) = nu {
                prop_assert!(game.by_group(&play.w).iter().zip(&share).all(|(w, s)| *w <= s / nu + 1e-9));
            }
            prop_assert!((edge - play.value).abs() < 1e-6, "{} {}", play.value, edge);
        }
    }
}
