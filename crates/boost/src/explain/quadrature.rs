//! Gauss–Legendre quadrature on [0, 1]: with q points, exact for polynomials of degree 2q − 1.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// Most points.
pub(super) const MOST_POINTS: usize = 32;

/// The points and weights of each degree.
static RULES: LazyLock<Vec<Vec<(f64, f64)>>> = LazyLock::new(|| (0..=MOST_POINTS).map(rule).collect());

/// Points and their weights.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quadrature<const Q: usize> {
    pub(super) points: [f64; Q],
    pub(super) weights: [f64; Q],
}

impl<const Q: usize> Quadrature<Q> {
    /// Of at most [`MOST_POINTS`].
    pub(super) fn new() -> Self {
        let rule = &RULES[Q];
        Self { points: std::array::from_fn(|at| rule[at].0), weights: std::array::from_fn(|at| rule[at].1) }
    }
}

/// The roots of the Legendre polynomial of a degree, by Newton's method, moved from [−1, 1] to [0, 1], and their weights.
fn rule(degree: usize) -> Vec<(f64, f64)> {
    let root = |at: usize| {
        let mut x = (PI * (at as f64 + 0.75) / (degree as f64 + 0.5)).cos();
        let mut slope = 1.0;
        // Quadratic convergence: a dozen steps are more than enough from so near.
        for _ in 0..12 {
            let (value, derivative) = legendre(degree, x);
            slope = derivative;
            x -= value / derivative;
        }
        (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..degree).map(root).collect()
}

/// The Legendre polynomial of a degree of at least 1, and its derivative, inside (−1, 1).
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for n in 2..=degree {
        let n = n as f64;
        (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const Q: usize>() {
        let Quadrature { points, weights } = Quadrature::<Q>::new();
        assert!(points.iter().all(|t| *t > 0.0 && *t < 1.0));
        for power in 0..2 * Q as i32 {
            let sum: f64 = points.iter().zip(weights).map(|(t, w)| w * t.powi(power)).sum();
            assert!((sum * f64::from(power + 1) - 1.0).abs() < 1e-12, "{Q} points, power {power}: {sum}");
        }
    }

    #[test]
    fn powers_have_their_integrals() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<6>();
        check::<8>();
        check::<16>();
        check::<32>();
    }
}
