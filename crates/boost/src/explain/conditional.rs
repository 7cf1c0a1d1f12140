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
//! factors are positive, so nothing cancels. The products are shared by all features of a path, and all classes share everything: v is a
//! vector that is multiplied at the end. A row comes in by its pattern only, which is why patterns have tables (`tables.rs`).

use super::paths::Paths;
use super::quadrature::Quadrature;
use super::tables::Rule;

/// Runs code with as many quadrature points as so many features need, known when compiled; not at all for none.
macro_rules! with_points {
    ($features:expr, |$q:ident| $body:block) => {
        with_points!($features, $q, $body; 1 2 3 4 5 6 8 12 16 32)
    };
    ($features:expr, $q:ident, $body:block; $($points:literal)*) => {
        match usize::div_ceil($features, 2) {
            0 => {}
            $(points if points <= $points => {
                const $q: usize = $points;
                $body
            })*
            _ => {}
        }
    };
}

/// A leaf's paths at its quadrature points.
pub(super) struct Conditional<'a> {
    paths: &'a Paths<'a>,
    /// For each feature of each leaf, at each of the leaf's points: p of a row that fits it, p of one that does not, and
    /// quadrature weight · (1 − z) / p of one that fits.
    factors: Vec<f64>,
    /// Where those of each leaf begin.
    starts: Vec<usize>,
}

/// A leaf at Q points, and a pattern.
struct Leaf<'a, const Q: usize> {
    factors: &'a [[[f64; Q]; 3]],
    quadrature: Quadrature<Q>,
    pattern: u64,
}

impl<'a> Conditional<'a> {
    pub(super) fn new(paths: &'a Paths<'a>) -> Self {
        let (mut factors, mut starts) = (Vec::new(), Vec::new());
        for leaf in 0..paths.leaves() {
            let own = paths.features(leaf);
            starts.push(factors.len());
            with_points!(own.len(), |Q| {
                let Quadrature { points, weights } = Quadrature::<Q>::new();
                for feature in own {
                    let fits = points.map(|t| t + feature.share * (1.0 - t));
                    let missing = points.map(|t| feature.share * (1.0 - t));
                    factors.extend(fits.into_iter().chain(missing));
                    factors.extend((0..Q).map(|i| weights[i] * (1.0 - feature.share) / fits[i]));
                }
            });
        }
        starts.push(factors.len());
        Self { paths, factors, starts }
    }

    /// A leaf, given that it has as many points.
    fn leaf<const Q: usize>(&self, leaf: usize, pattern: u64) -> Leaf<'_, Q> {
        let (numbers, _) = self.factors[self.starts[leaf]..self.starts[leaf + 1]].as_chunks::<Q>();
        Leaf { factors: numbers.as_chunks::<3>().0, quadrature: Quadrature::new(), pattern }
    }
}

impl<const Q: usize> Leaf<'_, Q> {
    /// Whether the row fits a feature.
    fn fits(&self, at: usize) -> bool {
        self.pattern >> at & 1 == 1
    }

    /// The product of the factors of all features.
    fn product(&self) -> [f64; Q] {
        let mut product = [1.0; Q];
        for (at, factors) in self.factors.iter().enumerate() {
            let factor = &factors[usize::from(!self.fits(at))];
            product.iter_mut().zip(factor).for_each(|(x, p)| *x *= p);
        }
        product
    }

    /// What the product is weighted with for a feature that the row does not fit, whichever it is: weight · (0 − z) / (z (1 − t)).
    fn missing(&self) -> [f64; Q] {
        let Quadrature { points, weights } = &self.quadrature;
        std::array::from_fn(|i| -weights[i] / (1.0 - points[i]))
    }
}

/// The coefficient of each feature of a leaf: what it adds, as a multiple of what the leaf adds.
impl Rule for Conditional<'_> {
    fn numbers(&self, leaf: usize, pattern: u64, out: &mut [f64]) {
        with_points!(self.paths.features(leaf).len(), |Q| {
            let leaf = self.leaf::<Q>(leaf, pattern);
            let product = leaf.product();
            let missing = dot(&product, &leaf.missing());
            for (at, (out, factors)) in out.iter_mut().zip(leaf.factors).enumerate() {
                *out = if leaf.fits(at) { dot(&product, &factors[2]) } else { missing };
            }
        });
    }
}

/// The coefficient of each ordered pair of features of a leaf: half of what the two add together beyond what they add each on its
/// own (Lundberg et al. 2020), and on the diagonal what is left of a feature's own coefficient.
pub(super) struct Pairs<'a>(pub(super) Conditional<'a>);

impl Rule for Pairs<'_> {
    fn numbers(&self, leaf: usize, pattern: u64, out: &mut [f64]) {
        let size = self.0.paths.features(leaf).len();
        with_points!(size, |Q| {
            let leaf = self.0.leaf::<Q>(leaf, pattern);
            let (product, missing) = (leaf.product(), leaf.missing());
            let of = |at: usize| if leaf.fits(at) { &leaf.factors[at][2] } else { &missing };
            for at in 0..size {
                let (a, mut rest) = (of(at), dot(&product, of(at)));
                let weights = &leaf.quadrature.weights;
                let scaled: [f64; Q] = std::array::from_fn(|i| 0.5 * product[i] * a[i] / weights[i]);
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
