//! The logistic loss where mistakes cost differently, and its inverse link.
//!
//! With c(y, l) the cost of the answer l where y is true, the loss of a row is
//!
//! ```text
//! w(y) ln(1 + Σ_{l ≠ y} c(y, l) exp(f(x, l) − f(x, y))),   w(y) = 1 + Σ_{l ≠ y} c(y, l)
//! ```
//!
//! A dear mistake is avoided by a larger margin, and w makes the gradient of a row without an opinion (f = 0) the costs themselves. Costs
//! of 1 make it the plain loss, k times.
//!
//! Write a for exp(f), and let c(y, y) be 1. Where the expected loss is least, u(y) = w(y) P(y | x) solves
//!
//! ```text
//! u(l) = Σ_y u(y) a(l) c(y, l) / Σ_m a(m) c(y, m)
//! ```
//!
//! so it is what a walk over the classes with these chances comes to. P can be read off the scores, and the loss is as honest as
//! the plain one.

use manyboost_kernel::numbers::math::{exp, ln};
use serde::{Deserialize, Serialize};

use crate::evaluate::costs::CostMatrix;

/// Steps of the walk at most, and the change that ends it.
const STEPS: usize = 200;
const STILL: f64 = 1e-9;

/// Costs that are read have a ratio of at most 1e200, and what they are divided by is a mean over rows.
const DEAREST: f64 = 1e250;

/// Costs as margins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostMargins {
    /// Class after class, what each answer costs; 1 for the right one.
    costs: Vec<f64>,
    /// What a row of each class is worth: w/k.
    worth: Vec<f64>,
}

impl CostMargins {
    /// From costs; `shares` are the classes' shares of all weight. Only the proportions of costs count: wrong answers cost 1 on
    /// average.
    pub fn new(costs: &CostMatrix, shares: &[f64]) -> Self {
        let k = shares.len();
        let each = |y: usize| costs.of(y).iter().sum::<f64>();
        let all: f64 = shares.iter().enumerate().map(|(y, share)| share * each(y)).sum();
        let one = if all > 0.0 { all / (k.max(2) - 1) as f64 } else { 1.0 };
        let cost = |y: usize, l: usize| if y == l { 1.0 } else { costs.of(y)[l] / one };
        Self {
            costs: (0..k).flat_map(|y| (0..k).map(move |l| cost(y, l))).collect(),
            worth: (0..k).map(|y| (1.0 + each(y) / one) / k as f64).collect(),
        }
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.worth.len()
    }

    /// Whether this can be what [`CostMargins::new`] made.
    pub fn is_valid(&self) -> bool {
        let k = self.classes();
        // The sum of a class's costs, but for the order of adding.
        let fits = |y: usize| {
            let sum = self.of(y).iter().sum::<f64>();
            (self.worth[y] * k as f64 - sum).abs() <= 1e-6 * sum
        };
        self.costs.len() == k * k
            && self.costs.iter().all(|cost| (0.0..=DEAREST).contains(cost))
            && (0..k).all(|y| self.of(y)[y] == 1.0 && fits(y))
    }

    /// What each answer costs where this class is true, and 1 for the right one.
    pub fn of(&self, class: usize) -> &[f64] {
        let k = self.classes();
        &self.costs[class * k..(class + 1) * k]
    }

    /// What a row of each class is worth.
    pub fn worth(&self) -> &[f64] {
        &self.worth
    }

    /// The logarithms of the probabilities that scores stand for.
    pub fn logarithms(&self, scores: &[f64], out: &mut Vec<f64>) {
        let k = self.classes();
        let most = scores.iter().fold(f64::NEG_INFINITY, |most, &f| most.max(f));
        let a: Vec<f64> = scores.iter().map(|f| exp(f - most).max(f64::MIN_POSITIVE)).collect();
        let dot = |own: &[f64]| own.iter().zip(&a).map(|(c, a)| c * a).sum::<f64>();
        let sums: Vec<f64> = (0..k).map(|y| dot(self.of(y))).collect();
        let all: f64 = a.iter().sum();
        let mut u: Vec<f64> = a.iter().map(|a| a / all).collect();
        let mut next = vec![0.0; k];
        for _ in 0..STEPS {
            next.fill(0.0);
            for (y, (u, sum)) in u.iter().zip(&sums).enumerate() {
                let part = u / sum;
                next.iter_mut().zip(self.of(y)).for_each(|(n, c)| *n += part * c);
            }
            next.iter_mut().zip(&a).for_each(|(n, a)| *n *= a);
            let all: f64 = next.iter().sum();
            if !all.is_normal() {
                // Chances too far apart for double precision: where the walk has come to is as near as it gets.
                break;
            }
            let moved = next.iter().zip(&u).fold(0.0f64, |most, (n, u)| most.max((n / all - u).abs()));
            u.iter_mut().zip(&next).for_each(|(u, n)| *u = n / all);
            if moved < STILL {
                break;
            }
        }
        out.clear();
        out.extend(u.iter().zip(&self.worth).map(|(u, worth)| ln((u / worth).max(f64::MIN_POSITIVE))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margins() -> CostMargins {
        let given = |y: usize, l: usize| [[0.0, 1.0, 9.0], [4.0, 0.0, 1.0], [1.0, 2.0, 0.0]][y][l];
        let costs = CostMatrix::new(3, (0..9).map(|i| given(i / 3, i % 3)).collect());
        CostMargins::new(&costs, &[0.2, 0.3, 0.5])
    }

    #[test]
    fn the_least_expected_loss_gives_the_probabilities_back() {
        let margins = margins();
        assert!(margins.is_valid());
        for p in [[0.2, 0.3, 0.5], [0.01, 0.01, 0.98], [0.6, 0.39, 0.01]] {
            // Gradient descent on the expected loss.
            let mut f = [0.0f64; 3];
            for _ in 0..200_000 {
                let mut gradient = [0.0; 3];
                for (y, p) in p.iter().enumerate() {
                    let e: Vec<f64> = f.iter().zip(margins.of(y)).map(|(f, c)| c * f.exp()).collect();
                    let all: f64 = e.iter().sum();
                    for l in 0..3 {
                        let own = if l == y { 1.0 } else { 0.0 };
                        gradient[l] += p * margins.worth()[y] * (own - e[l] / all);
                    }
                }
                f.iter_mut().zip(gradient).for_each(|(f, g)| *f += 0.2 * g);
            }
            let mut found = Vec::new();
            margins.logarithms(&f, &mut found);
            let all: f64 = found.iter().map(|x| x.exp()).sum();
            for (found, p) in found.iter().zip(p) {
                assert!((found.exp() / all - p).abs() < 1e-6, "{} for {p}", found.exp() / all);
            }
        }
    }

    #[test]
    fn equal_costs_are_softmax() {
        let costs = CostMatrix::new(3, [0.0, 5.0, 5.0, 5.0, 0.0, 5.0, 5.0, 5.0, 0.0].to_vec());
        let margins = CostMargins::new(&costs, &[0.1, 0.1, 0.8]);
        assert_eq!(margins.worth(), [1.0; 3]);
        let mut found = Vec::new();
        margins.logarithms(&[1.0, -2.0, 0.5], &mut found);
        assert!((found[0] - found[1] - 3.0).abs() < 1e-12 && (found[0] - found[2] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn extreme_scores_stay_finite() {
        let mut found = Vec::new();
        for f in [[1e300, -1e300, 0.0], [0.0; 3], [-1e300; 3], [800.0, 0.0, -800.0]] {
            margins().logarithms(&f, &mut found);
            assert!(found.iter().all(|x| x.is_finite()), "{f:?}: {found:?}");
        }
    }
}
