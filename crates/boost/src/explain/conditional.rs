//! Shapley values where a feature that is left out takes both sides of its tests, each with its share of the training rows
//! ("path-dependent": Lundberg et al. 2020).
//!
//! The Shapley value of feature j is an integral over one number (Owen 1972): let every other feature be in the coalition with
//! probability t, and average over t. On the path of a leaf, feature k then contributes the factor pₖ(t) = oₖ t + zₖ (1 − t), where oₖ is
//! whether the row fits what the path asks of it, and zₖ the share of training rows that does. So a leaf that adds v gives j
//!
//! ```text
//! φⱼ = v (oⱼ − zⱼ) ∫₀¹ ∏ₖ≠ⱼ pₖ(t) dt
//! ```
//!
//! a polynomial that Gauss–Legendre quadrature integrates exactly with half as many points as the path has features. All
//! factors are positive, so nothing cancels. The products are shared by all features of a path, paths share their beginnings, and
//! all classes share everything: v is a vector that is multiplied at the end.

use super::paths::{PathFeature, Paths, Step};
use super::quadrature::Quadrature;
use crate::model::tree::Child;

/// Everything about a tree that does not depend on the row, at Q points.
pub(super) struct Tables<'a, const Q: usize> {
    paths: &'a Paths<'a>,
    /// For each test and side: what the product is multiplied by if the row fits so far and goes there, if it fits so far and does not, and
    /// if it did not fit before.
    factors: Vec<[[f64; Q]; 3]>,
    /// For each feature of each leaf that the row fits: quadrature weight · (1 − z) / p.
    fitting: Vec<[f64; Q]>,
    /// The same for one that it does not fit, whichever it is: weight · (0 − z) / (z (1 − t)).
    missing: [f64; Q],
    weights: [f64; Q],
    /// Products at each test, and masks.
    products: Vec<[f64; Q]>,
    masks: Vec<u64>,
}

impl<'a, const Q: usize> Tables<'a, Q> {
    pub(super) fn new(paths: &'a Paths<'a>) -> Self {
        let Quadrature { points, weights } = Quadrature::<Q>::new();
        let fits = |share: f64| points.map(|t| t + share * (1.0 - t));
        let factors = |step: &Step| {
            let before = fits(step.share);
            let side = |share: f64| {
                let (now, part) = (fits(share), if step.share > 0.0 { share / step.share } else { 0.0 });
                [
                    std::array::from_fn(|i| now[i] / before[i]),
                    std::array::from_fn(|i| share * (1.0 - points[i]) / before[i]),
                    [part; Q],
                ]
            };
            step.sides.map(side)
        };
        let fitting = |feature: &PathFeature| {
            let p = fits(feature.share);
            std::array::from_fn(|i| weights[i] * (1.0 - feature.share) / p[i])
        };
        Self {
            paths,
            factors: paths.steps.iter().flat_map(factors).collect(),
            fitting: paths.features.iter().map(fitting).collect(),
            missing: std::array::from_fn(|i| -weights[i] / (1.0 - points[i])),
            weights,
            products: vec![[1.0; Q]; paths.nodes.len()],
            masks: vec![u64::MAX; paths.nodes.len()],
        }
    }

    /// Tells of each leaf its product at all points and which features on its path a row fits.
    fn walk(&mut self, row: &[f64], mut told: impl FnMut(&Self, usize, [f64; Q], u64)) {
        let paths = self.paths;
        for (at, (node, step)) in paths.nodes.iter().zip(&paths.steps).enumerate() {
            let left = node.goes_left(row[step.place]);
            let (product, mask) = (self.products[at], self.masks[at]);
            for (side, (child, goes)) in [(node.left, left), (node.right, !left)].into_iter().enumerate() {
                let case = if mask & step.bit == 0 { 2 } else { usize::from(!goes) };
                let factor = &self.factors[2 * at + side][case];
                let product = std::array::from_fn(|i| product[i] * factor[i]);
                let mask = if goes { mask } else { mask & !step.bit };
                match child {
                    Child::Node(next) => {
                        self.products[next as usize] = product;
                        self.masks[next as usize] = mask;
                    }
                    Child::Leaf(leaf) => told(self, leaf as usize, product, mask),
                }
            }
        }
    }

    /// The coefficient of each feature of each leaf: what it adds, as a multiple of what the leaf adds.
    pub(super) fn coefficients(&mut self, row: &[f64], out: &mut [f64]) {
        self.walk(row, |tables, leaf, product, mut mask| {
            let range = tables.paths.starts[leaf]..tables.paths.starts[leaf + 1];
            let missing = dot(&product, &tables.missing);
            for (out, fitting) in out[range.clone()].iter_mut().zip(&tables.fitting[range]) {
                *out = if mask & 1 == 1 { dot(&product, fitting) } else { missing };
                mask >>= 1;
            }
        });
    }

    /// The coefficient of each ordered pair of features of each leaf: half of what the two add together beyond what they add each on its
    /// own (Lundberg et al. 2020), and on the diagonal what is left of a feature's own coefficient.
    pub(super) fn pairs(&mut self, row: &[f64], out: &mut [f64]) {
        let mut first = 0;
        let firsts: Vec<usize> = self
            .paths
            .starts
            .windows(2)
            .map(|pair| {
                let size = (pair[1] - pair[0]).pow(2);
                first += size;
                first - size
            })
            .collect();
        self.walk(row, |tables, leaf, product, mask| {
            let own = &tables.fitting[tables.paths.starts[leaf]..tables.paths.starts[leaf + 1]];
            let of = |at: usize| if mask >> at & 1 == 1 { &own[at] } else { &tables.missing };
            let size = own.len();
            let out = &mut out[firsts[leaf]..firsts[leaf] + size * size];
            for at in 0..size {
                let (a, mut rest) = (of(at), dot(&product, of(at)));
                let scaled: [f64; Q] = std::array::from_fn(|i| 0.5 * product[i] * a[i] / tables.weights[i]);
                for other in (0..size).filter(|&other| other != at) {
                    let pair = dot(&scaled, of(other));
                    out[at * size + other] = pair;
                    rest -= pair;
                }
                out[at * size + at] = rest;
            }
        });
    }
}

#[inline]
fn dot<const Q: usize>(a: &[f64; Q], b: &[f64; Q]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
