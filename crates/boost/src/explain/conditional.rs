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
//! vector that is multiplied at the end. A row comes in by its pattern only, which is why patterns have tables (`tables.rs`). Several patterns
//! are computed side by side, each as if it were alone.

use manyboost_kernel::sums::weighted::SIDES;

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

/// A number of each of several patterns.
type Sides = [f64; SIDES];

/// A leaf's paths at its quadrature points.
pub(super) struct Conditional<'a> {
    paths: &'a Paths<'a>,
    /// For each feature of each leaf, at each of the leaf's points: p of a row that does not fit it, and
    /// quadrature weight · (1 − z) / p of one that does.
    factors: Vec<f64>,
    /// Where those of each leaf begin.
    starts: Vec<usize>,
}

/// A leaf at Q points, and which features patterns fit: 1 or 0.
struct Leaf<'a, const Q: usize> {
    factors: &'a [[[f64; Q]; 2]],
    quadrature: Quadrature<Q>,
    patterns: &'a [u64; SIDES],
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
                    let missing = points.map(|t| feature.share * (1.0 - t));
                    factors.extend(missing);
                    factors.extend(
                        (0..Q).map(|i| weights[i] * (1.0 - feature.share) / (missing[i] + points[i])),
                    );
                }
            });
        }
        starts.push(factors.len());
        Self { paths, factors, starts }
    }

    /// A leaf, given that it has as many points.
    fn leaf<'p, const Q: usize>(&'p self, leaf: usize, patterns: &'p [u64; SIDES]) -> Leaf<'p, Q> {
        let (numbers, _) = self.factors[self.starts[leaf]..self.starts[leaf + 1]].as_chunks::<Q>();
        Leaf { factors: numbers.as_chunks::<2>().0, quadrature: Quadrature::new(), patterns }
    }
}

impl<const Q: usize> Leaf<'_, Q> {
    /// Whether patterns fit a feature: 1 or 0.
    #[inline]
    fn fits(&self, at: usize) -> Sides {
        self.patterns.map(|pattern| (pattern >> at & 1) as f64)
    }

    /// The product of the factors of all features.
    #[inline]
    fn product(&self) -> [Sides; Q] {
        let mut product = [[1.0; SIDES]; Q];
        for (at, [missing, _]) in self.factors.iter().enumerate() {
            let fits = self.fits(at);
            for ((product, missing), t) in product.iter_mut().zip(missing).zip(&self.quadrature.points) {
                product.iter_mut().zip(&fits).for_each(|(product, fits)| *product *= missing + fits * t);
            }
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
    fn numbers(&self, leaf: usize, patterns: &[u64; SIDES], out: &mut [Sides]) {
        with_points!(self.paths.features(leaf).len(), |Q| {
            let leaf = self.leaf::<Q>(leaf, patterns);
            let (product, missing) = (leaf.product(), leaf.missing());
            let missing = dot(&product, |i, _| missing[i]);
            for (at, (out, [_, own])) in out.iter_mut().zip(leaf.factors).enumerate() {
                *out = picked(&leaf.fits(at), &dot(&product, |i, _| own[i]), &missing);
            }
        });
    }
}

/// The coefficient of each ordered pair of features of a leaf: half of what the two add together beyond what they add each on its
/// own (Lundberg et al. 2020), and on the diagonal what is left of a feature's own coefficient.
pub(super) struct Pairs<'a>(pub(super) Conditional<'a>);

impl Rule for Pairs<'_> {
    fn numbers(&self, leaf: usize, patterns: &[u64; SIDES], out: &mut [Sides]) {
        let size = self.0.paths.features(leaf).len();
        with_points!(size, |Q| {
            let leaf = self.0.leaf::<Q>(leaf, patterns);
            let (product, missing) = (leaf.product(), leaf.missing());
            let of = |at: usize| -> [Sides; Q] {
                let fits = leaf.fits(at);
                std::array::from_fn(|i| picked(&fits, &[leaf.factors[at][1][i]; SIDES], &[missing[i]; SIDES]))
            };
            for at in 0..size {
                let own = of(at);
                let mut rest = dot(&product, |i, side| own[i][side]);
                let weights = &leaf.quadrature.weights;
                let scaled: [Sides; Q] = std::array::from_fn(|i| {
                    std::array::from_fn(|side| 0.5 * product[i][side] * own[i][side] / weights[i])
                });
                for other in (0..size).filter(|&other| other != at) {
                    let its = of(other);
                    let pair = dot(&scaled, |i, side| its[i][side]);
                    rest.iter_mut().zip(&pair).for_each(|(rest, pair)| *rest -= pair);
                    out[at * size + other] = pair;
                }
                out[at * size + at] = rest;
            }
        });
    }
}

/// One number where patterns fit, another where they do not.
#[inline]
fn picked(fits: &Sides, yes: &Sides, no: &Sides) -> Sides {
    std::array::from_fn(|side| fits[side] * yes[side] + (1.0 - fits[side]) * no[side])
}

/// Sums of products over points.
#[inline]
fn dot<const Q: usize>(a: &[Sides; Q], b: impl Fn(usize, usize) -> f64) -> Sides {
    let mut sums = [0.0; SIDES];
    for (i, a) in a.iter().enumerate() {
        for (side, (sum, a)) in sums.iter_mut().zip(a).enumerate() {
            *sum += a * b(i, side);
        }
    }
    sums
}
