//! The largest soft margin of a mixture of given hypotheses, by an interior-point method.
//!
//! ```text
//! max γ − Σᵢ Dᵢ ξᵢ  with  Σⱼ λⱼ M(r, j) ≥ γ − ξᵢ₍ᵣ₎, λ ≥ 0, Σ λ = 1, ξ ≥ 0
//! min u             with  Σᵣ wᵣ M(r, j) ≤ u, w ≥ 0, Σ w = 1, Σ_{r of i} wᵣ ≤ Dᵢ
//! ```
//!
//! (Demiriz, Bennett & Shawe-Taylor 2002, for one row r of the game per wrong answer.) Both sides have an interior point that is known
//! beforehand, every step keeps both feasible, and their distance is λᵀz + wᵀs + ξᵀv, with the slacks z, s and v of the inequalities. With
//! the w of a group i taken together, a step solves
//!
//! ```text
//! (Z/Λ + M̃ᵀ H M̃) dλ = … − 1 du,   H = D − D 1 1ᵀ D · e/(1 + e 1ᵀ D 1) in each group,  D = W/S,  e = ξ/v
//! ```
//!
//! where M̃ is M less the mean of each column by the weights H 1 = D 1/(1 + e 1ᵀ D 1). Near the end D and e are huge, and differences of
//! huge numbers would be noise: means are taken off before anything is multiplied, in columns and in groups.

use manyboost_kernel::dot;
use rayon::prelude::*;

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
    /// The group of each row, ascending.
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

/// The equations of a step at a point.
struct Normal {
    factor: Factor,
    d: Vec<f64>,
    /// H 1.
    ones: Vec<f64>,
    /// M̃.
    centred: Vec<Vec<f64>>,
    /// What du takes off dλ.
    o: Vec<f64>,
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

    /// H x: what is the same in a group, and what is not.
    fn h(&self, d: &[f64], ones: &[f64], x: &[f64]) -> Vec<f64> {
        if self.most.is_none() {
            return zip(d, x, |d, x| d * x);
        }
        let mut out = Vec::with_capacity(x.len());
        for group in self.group.chunk_by(|a, b| a == b) {
            let rows = out.len()..out.len() + group.len();
            let (d, ones, x) = (&d[rows.clone()], &ones[rows.clone()], &x[rows]);
            let heaviest = (0..d.len()).fold(0, |most, r| if d[r] > d[most] { r } else { most });
            let from = x[heaviest];
            let mean = d.iter().zip(x).map(|(d, x)| d * (x - from)).sum::<f64>() / sum(d);
            out.extend((0..d.len()).map(|r| d[r] * (x[r] - from - mean) + ones[r] * (from + mean)));
        }
        out
    }

    fn normal(&self, at: &Point) -> Normal {
        let d = zip(&at.w, &at.s, |w, s| w / s);
        let mut ones = d.clone();
        if self.most.is_some() {
            let e = zip(&at.xi, &at.v, |xi, v| xi / v);
            let less = zip(&e, &self.by_group(&d), |e, d| 1.0 + e * d);
            ones.iter_mut().zip(self.group).for_each(|(one, &i)| *one /= less[i]);
        }
        let all = sum(&ones);
        let less_mean = |gains: &Vec<f64>| {
            let mean = dot(gains, &ones) / all;
            gains.iter().map(|gain| gain - mean).collect::<Vec<f64>>()
        };
        let centred: Vec<Vec<f64>> = self.gains.iter().map(less_mean).collect();
        let row = |(j, column): (usize, &Vec<f64>)| {
            let h = self.h(&d, &ones, column);
            let mut row: Vec<f64> = centred[..=j].iter().map(|other| dot(&h, other)).collect();
            row[j] += at.z[j] / at.lambda[j];
            row
        };
        let factor = Factor::new(centred.par_iter().enumerate().map(row).collect());
        let o = factor.solve(&vec![1.0; centred.len()]);
        Normal { factor, d, ones, centred, o }
    }

    fn direction(&self, at: &Point, normal: &Normal, aim: &Aim) -> Point {
        let Normal { factor, d, ones, centred, o } = normal;
        let b = zip(&aim.w, &at.w, |c, w| c / w);
        // What ξ moves by itself, and with it the weights.
        let free = zip(&aim.xi, &at.v, |c, v| c / v);
        let of_group = |x: &[f64], r: usize| x.get(self.group[r]).copied().unwrap_or(0.0);
        let pushed = |h: Vec<f64>| -> Vec<f64> {
            h.into_iter().enumerate().map(|(r, h)| h - ones[r] * of_group(&free, r)).collect()
        };
        let push = pushed(self.h(d, ones, &b));
        let right = |(j, column): (usize, &Vec<f64>)| aim.lambda[j] / at.lambda[j] + dot(column, &push);
        let p = factor.solve(&centred.iter().enumerate().map(right).collect::<Vec<f64>>());
        // Σ dλ = 0, and then Σ dw = 0.
        let u = sum(&p) / sum(o);
        let lambda = zip(&p, o, |p, o| p - u * o);
        let moved = moves(self.gains, &lambda, d.len());
        let left: Vec<f64> = (0..d.len()).map(|r| moved[r] - b[r] + of_group(&free, r)).collect();
        let gamma = dot(ones, &left) / sum(ones);
        let ahead: Vec<f64> = moved.iter().map(|moved| moved - gamma).collect();
        let w = pushed(self.h(d, ones, &zip(&b, &ahead, |b, a| b - a)));
        let z = centred.iter().map(|column| u - dot(column, &w)).collect();
        let (mut v, mut xi) = (Vec::new(), Vec::new());
        if self.most.is_some() {
            v = self.by_group(&zip(ones, &left, |one, left| one * (left - gamma)));
            xi = (0..v.len()).map(|i| free[i] - at.xi[i] / at.v[i] * v[i]).collect();
        }
        let s = (0..ahead.len()).map(|r| ahead[r] + of_group(&xi, r)).collect();
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
