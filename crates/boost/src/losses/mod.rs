//! γ-φ losses: what a wrong class costs, and what all of them cost together.
//!
//! Saberian & Vasconcelos 2019, sections 4.1 and 7. With u the margins of the classes, a row of class c costs
//!
//! ```text
//! L = γ(Σ_{l ≠ c} φ(u^c − u^l)),   u^k = ½ ⟨y^k, f⟩                                              (11), (23)
//! ```
//!
//! The score matrix holds s^k = ⟨y^k, f⟩ = 2 u^k. Every φ here is e^{−rate · v}: only then has the inverse link a closed form
//! (109). A new loss is one small file: γ, its derivative, the rate, its link. A loss of one's own is two [formulas](OwnLoss), of any φ. One loss is there for comparison that has no pairs of classes:
//! its sum is φ(u^c) alone (121).

mod codeword;
pub(crate) mod cost_logistic;
mod exponential;
mod formula;
mod logistic;
mod own;
mod savage;

pub use codeword::Codeword;
pub use exponential::Exponential;
pub use formula::Formula;
pub use logistic::Logistic;
pub use own::OwnLoss;
pub use savage::Savage;

use std::collections::BTreeMap;

use manyboost_data::Result;
use manyboost_kernel::numbers::math::exp;

use crate::boosters::LOSS_HELP;
use crate::model::reading::{Decode, Link, Reading};
use crate::spec::option::{Choice, Declaration};
use crate::spec::options::Options;

/// Exponents above this count as this: sums and products of their exponentials stay finite.
pub(crate) const MOST: f64 = 300.0;

/// A γ-φ loss.
pub trait GammaPhi: Copy + Send + Sync {
    /// φ(v) = e^{−rate · v}.
    const RATE: f64;
    /// Whether the loss is convex in the scores, so that a line has one minimum at most.
    const CONVEX: bool;
    /// Whether the own class is compared with every other one; otherwise with 0.
    const COMPARES: bool = true;

    /// γ.
    fn gamma(v: f64) -> f64;

    /// γ′.
    fn gamma_slope(v: f64) -> f64;

    /// From scores to probabilities: Theorem 7 and Table 3.
    fn link() -> Link;

    /// φ.
    fn phi(v: f64) -> f64 {
        let exponent = -Self::RATE * v;
        exp(if exponent > MOST { MOST } else { exponent })
    }

    /// φ′.
    fn phi_slope(v: f64) -> f64 {
        -Self::RATE * Self::phi(v)
    }

    /// Writes `w τ_k` for every class but the row's own, `c`, and −w there (29), (30): the derivatives of the loss by the
    /// margins u. Returns the loss.
    #[inline]
    fn row(scores: &[f64], c: usize, weights: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for (k, (weight, &s)) in weights.iter_mut().zip(scores).enumerate() {
            *weight = if k == c || !Self::COMPARES { 0.0 } else { Self::phi(0.5 * (scores[c] - s)) };
            sum += *weight;
        }
        if !Self::COMPARES {
            sum = Self::phi(0.5 * scores[c]);
            weights[c] = -Self::RATE * Self::gamma_slope(sum) * sum;
            return Self::gamma(sum);
        }
        let slope = Self::RATE * Self::gamma_slope(sum);
        let mut all = 0.0;
        for weight in weights.iter_mut() {
            *weight *= slope;
            all += *weight;
        }
        weights[c] = -all;
        Self::gamma(sum)
    }
}

/// Runs code for the type of a loss with a name.
macro_rules! by_loss {
    ($loss:expr, $L:ident => $code:expr) => {
        match $loss {
            $crate::losses::Loss::Exponential => {
                type $L = $crate::losses::Exponential;
                $code
            }
            $crate::losses::Loss::Logistic => {
                type $L = $crate::losses::Logistic;
                $code
            }
            $crate::losses::Loss::Savage => {
                type $L = $crate::losses::Savage;
                $code
            }
            $crate::losses::Loss::Codeword => {
                type $L = $crate::losses::Codeword;
                $code
            }
        }
    };
}
pub(crate) use by_loss;

/// The losses by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loss {
    /// [`Exponential`].
    #[default]
    Exponential,
    /// [`Logistic`].
    Logistic,
    /// [`Savage`].
    Savage,
    /// [`Codeword`].
    Codeword,
}

impl Loss {
    /// The losses by name, each with its formula; the last has no name of its own.
    pub const OPTION: Choice<Option<Self>> = Choice::new(
        "loss",
        LOSS_HELP,
        &[
            (
                "exponential",
                Some(Self::Exponential),
                "γ(v) = v, φ(v) = e^−v: AdaBoost's loss with two classes",
            ),
            (
                "logistic",
                Some(Self::Logistic),
                "γ(v) = ln(1 + v), φ(v) = e^−2v: LogitBoost's loss with two classes",
            ),
            (
                "savage",
                Some(Self::Savage),
                "γ(v) = (v/(1 + v))², φ(v) = e^−2v: SavageBoost's loss with two classes; bounded",
            ),
            (
                "codeword",
                Some(Self::Codeword),
                "e^−⟨y, f⟩ of the own codeword y, whatever the others say: SAMME's loss with the simplex",
            ),
            ("own", None, "γ(Σ φ) of the formulas `gamma` and `phi`"),
        ],
    );

    /// Whether the own class is compared with every other one.
    pub fn compares(self) -> bool {
        by_loss!(self, L => L::COMPARES)
    }

    /// From scores to probabilities.
    pub fn link(self) -> Link {
        by_loss!(self, L => L::link())
    }
}

/// A loss with a name, or one's own.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyLoss {
    /// With a name.
    Named(Loss),
    /// Of two formulas.
    Own(OwnLoss),
}

impl Default for AnyLoss {
    fn default() -> Self {
        Self::Named(Loss::default())
    }
}

/// The option that [`AnyLoss`] is taken by.
const OPTION: &Choice<Option<Loss>> = &Loss::OPTION;

impl AnyLoss {
    /// What options say.
    pub(crate) fn from_options(options: &mut Options) -> Result<Self> {
        if let Some(loss) = options.take(OPTION, Some(Loss::default()))? {
            return Ok(Self::Named(loss));
        }
        let default = |text: &str| Formula::parse(text).expect("a formula");
        let gamma = options.take(&own::GAMMA, default("v"))?;
        let phi = options.take(&own::PHI, default("exp(-v)"))?;
        OwnLoss::new(gamma, phi).map(Self::Own)
    }

    /// The loss of a model that remembers these options.
    pub(crate) fn remembered(parameters: &BTreeMap<String, String>) -> Option<Self> {
        if let Some(loss) = OPTION.parse(parameters.get("loss")?)? {
            return Some(Self::Named(loss));
        }
        let formula = |name: &str| Formula::parse(parameters.get(name)?);
        OwnLoss::new(formula("gamma")?, formula("phi")?).ok().map(Self::Own)
    }

    /// Refuses more classes than it can have.
    pub(crate) fn check(&self, classes: usize) -> Result<()> {
        if let Self::Own(_) = self { OwnLoss::check(classes) } else { Ok(()) }
    }

    /// What a row costs, given its scores and its class.
    pub fn of(&self, scores: &[f64], class: usize) -> f64 {
        self.row(scores, class, &mut vec![0.0; scores.len()])
    }

    /// As [`GammaPhi::row`].
    pub fn row(&self, scores: &[f64], class: usize, weights: &mut [f64]) -> f64 {
        match self {
            Self::Named(loss) => by_loss!(loss, L => L::row(scores, class, weights)),
            Self::Own(own) => own.row(scores, class, weights),
        }
    }

    /// The weight w of a row, given its scores and its class, and the share τ of each class in it (29), (30).
    pub fn weights(&self, scores: &[f64], class: usize) -> (f64, Vec<f64>) {
        let mut weights = vec![0.0; scores.len()];
        self.row(scores, class, &mut weights);
        let w = -weights[class];
        weights[class] = 0.0;
        let share = |x: &f64| if w > 0.0 { x / w } else { 0.0 };
        (w, weights.iter().map(share).collect())
    }

    /// The least margin that rows can have whose losses add up to so much (Theorem 5): the row of the least margin alone costs γ(φ(margin)) or
    /// more. `None` if any margin costs less than that, or if the loss does not look at margins.
    pub fn least_margin(&self, losses: f64) -> Option<f64> {
        const FAR: f64 = 140.0;
        let cost = |margin: f64| match self {
            Self::Named(loss) => by_loss!(loss, L => L::gamma(L::phi(margin))),
            Self::Own(own) => own.gamma(own.phi(margin)[0])[0],
        };
        let (mut low, mut high) = (-FAR, FAR);
        if losses.is_nan() || cost(low) <= losses || !self.compares() {
            return None;
        }
        while high - low > 1e-12 * FAR {
            let middle = 0.5 * (low + high);
            if cost(middle) > losses { low = middle } else { high = middle }
        }
        Some(low)
    }

    /// Whether the own class is compared with every other one.
    pub fn compares(&self) -> bool {
        match self {
            Self::Named(loss) => loss.compares(),
            Self::Own(_) => true,
        }
    }

    /// From scores to probabilities.
    pub(crate) fn reading(&self) -> Reading {
        match self {
            Self::Named(loss) => loss.link().into(),
            Self::Own(own) => Reading { decode: Decode::Own(own.clone()), link: Link::Softmax(1.0) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slopes_are_slopes<L: GammaPhi>() {
        let h = 1e-6;
        for i in 1..40 {
            let v = 0.2 * f64::from(i);
            let numeric = (L::gamma(v + h) - L::gamma(v - h)) / (2.0 * h);
            assert!((numeric - L::gamma_slope(v)).abs() < 1e-8, "γ′({v})");
            let v = v - 4.0;
            let numeric = (L::phi(v + h) - L::phi(v - h)) / (2.0 * h);
            assert!((numeric / L::phi_slope(v) - 1.0).abs() < 1e-6, "φ′({v})");
        }
        let scores = [0.3, -0.7, 1.9, 0.2];
        for c in 0..4 {
            let mut weights = [0.0; 4];
            L::row(&scores, c, &mut weights);
            for k in 0..4 {
                let at = |by: f64| {
                    let mut moved = scores;
                    moved[k] += by;
                    L::row(&moved, c, &mut [0.0; 4])
                };
                let numeric = (at(h) - at(-h)) / (2.0 * h);
                assert!((2.0 * numeric - weights[k]).abs() < 1e-8, "class {c}, score {k}");
            }
        }
    }

    #[test]
    fn derivatives_agree_with_finite_differences() {
        slopes_are_slopes::<Exponential>();
        slopes_are_slopes::<Logistic>();
        slopes_are_slopes::<Savage>();
        slopes_are_slopes::<Codeword>();
    }

    /// Theorem 5, with ≥: (92).
    #[test]
    fn losses_prove_margins() {
        for loss in [Loss::Exponential, Loss::Logistic, Loss::Savage] {
            for scores in [[2.0f64, 0.1, -0.4], [0.3, 0.2, 0.1], [-0.5, 0.2, 0.0]] {
                let margin = 0.5 * (scores[0] - scores[1].max(scores[2]));
                let loss = AnyLoss::Named(loss);
                let proved = loss.least_margin(loss.of(&scores, 0));
                assert!(proved.is_none_or(|proved| proved <= margin + 1e-9), "{loss:?}: {proved:?} {margin}");
                // With two classes the margin is all there is.
                let two = loss.least_margin(loss.of(&scores[..2], 0)).unwrap();
                assert!((two - 0.5 * (scores[0] - scores[1])).abs() < 1e-6, "{loss:?}: {two}");
            }
        }
        assert_eq!(AnyLoss::Named(Loss::Savage).least_margin(1.5), None);
        assert_eq!(AnyLoss::Named(Loss::Codeword).least_margin(0.1), None);
    }

    #[test]
    fn huge_scores_stay_finite() {
        fn finite<L: GammaPhi>() {
            for scores in [[1e6, -1e6, 0.0], [-1e6, 1e6, 1e6], [0.0; 3]] {
                for c in 0..3 {
                    let mut weights = [0.0; 3];
                    let loss = L::row(&scores, c, &mut weights);
                    assert!(loss.is_finite() && weights.iter().all(|w| w.is_finite()));
                }
            }
        }
        finite::<Exponential>();
        finite::<Logistic>();
        finite::<Savage>();
        finite::<Codeword>();
    }
}
