//! A loss of one's own: γ and φ as formulas (Saberian & Vasconcelos 2019, Definition 4).
//!
//! Where γ rises and φ falls, both strictly, the loss is proper (Theorem 7): the probabilities η of the classes follow from the scores of the least
//! risk, and so γ and φ are checked before anything is trained. η solves Ω η = e₁ (101), (102), which is (99):
//!
//! ```text
//! η_k π_k Σ_{j ≠ k} |φ′(u^k − u^j)| = Σ_{l ≠ k} η_l π_l |φ′(u^l − u^k)|,   π_k = γ′(Σ_{l ≠ k} φ(u^k − u^l))
//! ```
//!
//! So `η_k π_k` is how often a walk is at class k that goes from k to l at the rate |φ′(u^k − u^l)|, and the classes are taken out of the walk one by one (Grassmann,
//! Taksar & Heyman 1985): nothing is subtracted, so that no probability is less than 0.

use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::numbers::math::ln;
use serde::{Deserialize, Serialize};

use super::formula::Formula;
use crate::engine::scores::argmax;
use crate::spec::option::{Declaration, Describe, Group, OptionInfo, OptionKind};

/// γ and φ are checked for margins up to this, and taken for straight lines beyond [`FAR`].
const NEAR: f64 = 12.0;
const FAR: f64 = 40.0;

/// Values and slopes must stay below: beyond, exponentials are cut off.
const LARGEST: f64 = 1e300;

/// Places that are looked at on either side of 0.
const PLACES: i32 = 480;

/// No more classes: probabilities take their third power.
const MOST_CLASSES: usize = 256;

/// An option that takes a formula.
pub(crate) struct FormulaOption {
    name: &'static str,
    help: &'static str,
    allowed: &'static str,
}

impl Describe for FormulaOption {
    fn name(&self) -> &'static str {
        self.name
    }

    fn info(&self) -> OptionInfo {
        let Self { name, help, allowed } = *self;
        let (group, kind) = (Group::Boosting, OptionKind::Formula);
        OptionInfo { name, help, group, kind, words: Vec::new(), allowed: allowed.to_string() }
    }
}

impl Declaration for FormulaOption {
    type Value = Formula;

    fn parse(&self, text: &str) -> Option<Formula> {
        Formula::parse(text)
    }

    fn text(&self, value: &Formula) -> String {
        value.text().to_string()
    }
}

pub(crate) const GAMMA: FormulaOption = FormulaOption {
    name: "gamma",
    help: "γ of a loss of your own: what all wrong classes cost together",
    allowed: "a formula of v that rises: v, ln(1 + v), (v/(1 + v))^2",
};

pub(crate) const PHI: FormulaOption = FormulaOption {
    name: "phi",
    help: "φ of a loss of your own: what a wrong class costs by its margin v",
    allowed: "a formula of v that falls: exp(-v), ln(1 + exp(-2v)), 1/(1 + exp(2v))^2",
};

/// γ(Σ φ(u^c − u^l)).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[String; 2]", into = "[String; 2]")]
pub struct OwnLoss {
    gamma: Formula,
    phi: Formula,
    /// No sum of φ is larger.
    most: f64,
}

impl TryFrom<[String; 2]> for OwnLoss {
    type Error = String;

    fn try_from([gamma, phi]: [String; 2]) -> std::result::Result<Self, String> {
        let read = |text: &str| Formula::parse(text).ok_or_else(|| format!("{text:?} is no formula of v"));
        Self::new(read(&gamma)?, read(&phi)?).map_err(|error| error.what().into_owned())
    }
}

impl From<OwnLoss> for [String; 2] {
    fn from(loss: OwnLoss) -> Self {
        [loss.gamma.text().to_string(), loss.phi.text().to_string()]
    }
}

impl OwnLoss {
    /// Of γ and φ; refuses what is not proper.
    pub fn new(gamma: Formula, phi: Formula) -> Result<Self> {
        let wrong = |what: String, remedy: &str| Err(Error::new(ErrorKind::Parameter, what, remedy));
        let fair = |x: f64| x.abs() < LARGEST;
        for place in -PLACES..=PLACES {
            let v = FAR * f64::from(place) / f64::from(PLACES);
            let [value, slope] = phi.at(v);
            let fits =
                if v.abs() <= NEAR { value > 0.0 && slope < 0.0 } else { value >= 0.0 && slope <= 0.0 };
            if !fits || !fair(value) || !fair(slope) {
                let what = format!("`phi={}` is {value} at v = {v:.3}, with the slope {slope}", phi.text());
                return wrong(
                    what,
                    "give a φ that is positive and falls everywhere: else no probabilities follow from scores",
                );
            }
        }
        // All sums that there can be, from one wrong class far behind to all far ahead.
        let (low, high) = (ln(phi.at(NEAR)[0]), ln(MOST_CLASSES as f64 * phi.at(-NEAR)[0]));
        let most = MOST_CLASSES as f64 * phi.at(-FAR)[0];
        let sums = (0..=PLACES).map(|at| low + (high - low) * f64::from(at) / f64::from(PLACES));
        for sum in sums.map(manyboost_kernel::numbers::math::exp).chain([most]) {
            let [value, slope] = gamma.at(sum);
            let rises = if sum == most { slope >= 0.0 } else { slope > 0.0 };
            if value < 0.0 || !rises || !fair(value) || !fair(slope) {
                let what =
                    format!("`gamma={}` is {value} at v = {sum:.3e}, with the slope {slope}", gamma.text());
                return wrong(what, "give a γ that is not negative and rises wherever sums of φ can be");
            }
        }
        Ok(Self { gamma, phi, most })
    }

    /// Refuses more classes than probabilities can be found for.
    pub(crate) fn check(classes: usize) -> Result<()> {
        if classes <= MOST_CLASSES {
            return Ok(());
        }
        let what =
            format!("losses of your own have at most {MOST_CLASSES} classes, and here there are {classes}");
        Err(Error::new(ErrorKind::Parameter, what, "leave out `gamma` and `phi`, and choose a `loss`"))
    }

    /// φ and its slope.
    #[inline]
    pub fn phi(&self, v: f64) -> [f64; 2] {
        let [value, slope] = self.phi.at(v.clamp(-FAR, FAR));
        if v < -FAR { [value + slope * (v + FAR), slope] } else { [value, if v > FAR { 0.0 } else { slope }] }
    }

    /// γ and its slope.
    #[inline]
    pub fn gamma(&self, v: f64) -> [f64; 2] {
        let within = v.min(self.most);
        let [value, slope] = self.gamma.at(within);
        [value + slope * (v - within), slope]
    }

    /// As [`GammaPhi::row`](super::GammaPhi::row): writes `w τ_k` for every class but the row's own, `c`, and −w there (29), (30); returns the loss.
    pub fn row(&self, scores: &[f64], c: usize, weights: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for (k, (weight, &s)) in weights.iter_mut().zip(scores).enumerate() {
            let [value, slope] = if k == c { [0.0; 2] } else { self.phi(0.5 * (scores[c] - s)) };
            sum += value;
            *weight = -slope;
        }
        let [value, slope] = self.gamma(sum);
        let mut all = 0.0;
        for weight in weights.iter_mut() {
            *weight *= slope;
            all += *weight;
        }
        weights[c] = -all;
        value
    }

    /// The logarithms of the probabilities of the classes; the class with the highest score stays the likeliest.
    pub fn logarithms(&self, scores: &[f64], out: &mut Vec<f64>) {
        let k = scores.len();
        let (mut rates, mut pi) = (vec![0.0; k * k], vec![0.0; k]);
        for a in 0..k {
            let mut sum = 0.0;
            for b in (0..k).filter(|&b| b != a) {
                let [value, slope] = self.phi(0.5 * (scores[a] - scores[b]));
                sum += value;
                rates[a * k + b] = (-slope).max(f64::MIN_POSITIVE);
            }
            pi[a] = self.gamma(sum)[1].max(f64::MIN_POSITIVE);
        }
        // Without class n, a walk goes on from where n would have led.
        for n in (1..k).rev() {
            let away: f64 = rates[n * k..n * k + n].iter().sum();
            for a in 0..n {
                for b in (0..n).filter(|&b| b != a) {
                    rates[a * k + b] += rates[a * k + n] * (rates[n * k + b] / away);
                }
                rates[a * k + n] /= away;
            }
        }
        let mut often = vec![1.0; k];
        for n in 1..k {
            often[n] = (0..n).map(|a| often[a] * rates[a * k + n]).sum::<f64>().min(f64::MAX);
            // What is rare beside it may vanish, but nothing overflows.
            let most = often[n].max(1.0);
            often[..=n].iter_mut().for_each(|x| *x /= most);
        }
        let least = |x: f64| ln(x.max(f64::MIN_POSITIVE));
        out.clear();
        out.extend(often.iter().zip(&pi).map(|(often, pi)| least(*often) - ln(*pi)));
        let most = out.iter().fold(f64::NEG_INFINITY, |most, x| most.max(*x));
        let all: f64 = out.iter().map(|x| manyboost_kernel::numbers::math::exp(x - most)).sum();
        let total = most + ln(all);
        for x in out.iter_mut() {
            *x -= total;
        }
        let (first, likeliest) = (argmax(scores), argmax(out));
        if k > 0 && first != likeliest {
            out[first] = out[likeliest].next_up();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::losses::{AnyLoss, Loss};

    fn own(gamma: &str, phi: &str) -> OwnLoss {
        OwnLoss::new(Formula::parse(gamma).unwrap(), Formula::parse(phi).unwrap()).unwrap()
    }

    fn probabilities(loss: &OwnLoss, scores: &[f64]) -> Vec<f64> {
        let mut found = Vec::new();
        loss.logarithms(scores, &mut found);
        found.iter().map(|x| x.exp()).collect()
    }

    #[test]
    fn formulas_of_losses_with_a_name_are_these() {
        let named = [
            (Loss::Exponential, own("v", "exp(-v)")),
            (Loss::Logistic, own("ln(1 + v)", "exp(-2v)")),
            (Loss::Savage, own("(v/(1+v))^2", "exp(-2v)")),
        ];
        for (name, own) in named {
            let loss = AnyLoss::Named(name);
            for scores in [[0.3, -0.7, 1.9, 0.2], [0.0; 4], [-3.0, 1.0, 1.0, 0.5]] {
                for c in 0..4 {
                    let mut weights = [0.0; 4];
                    let cost = own.row(&scores, c, &mut weights);
                    assert!((cost - loss.of(&scores, c)).abs() < 1e-12 * cost.max(1.0), "{loss:?}");
                    let (w, tau) = loss.weights(&scores, c);
                    assert!((weights[c] + w).abs() < 1e-12 * w.max(1.0));
                    assert!((0..4).all(|k| k == c || (weights[k] - w * tau[k]).abs() < 1e-12 * w.max(1.0)));
                }
                // (101) against the closed forms of table 3.
                let mut closed = scores;
                name.link().apply(&mut closed);
                for (found, closed) in probabilities(&own, &scores).iter().zip(closed) {
                    assert!((found - closed).abs() < 1e-12, "{loss:?}: {found} for {closed}");
                }
            }
        }
    }

    /// Theorem 7 where φ is not exponential: gradient descent on the risk of known probabilities, which are then read off the scores.
    #[test]
    fn probabilities_are_read_off_the_least_risk() {
        for loss in [
            own("v", "ln(1 + exp(-2v))"),
            own("v", "1/(1 + exp(2v))^2"),
            own("sqrt(1 + v)", "exp(-v) + exp(-3v)"),
        ] {
            for eta in [[0.2, 0.3, 0.5], [0.05, 0.15, 0.8]] {
                let mut scores = [0.0f64; 3];
                for _ in 0..40_000 {
                    let mut slope = [0.0; 3];
                    for (c, eta) in eta.iter().enumerate() {
                        let mut weights = [0.0; 3];
                        loss.row(&scores, c, &mut weights);
                        slope.iter_mut().zip(weights).for_each(|(s, w)| *s += eta * w);
                    }
                    scores.iter_mut().zip(slope).for_each(|(f, s)| *f -= 0.5 * s);
                }
                for (found, eta) in probabilities(&loss, &scores).iter().zip(eta) {
                    assert!((found - eta).abs() < 1e-6, "{loss:?}: {found} for {eta}");
                }
            }
        }
    }

    #[test]
    fn what_is_not_proper_is_refused() {
        let pairs = [
            ("v", "v"),
            ("v", "exp(v)"),
            ("-v", "exp(-v)"),
            ("v", "1"),
            ("1/v", "exp(-v)"),
            ("v", "(1 - v)^2"),
            ("v", "sqrt(1 - v)"),
            ("exp(v)", "exp(-v)"),
        ];
        for (gamma, phi) in pairs {
            let [gamma, phi] = [gamma, phi].map(|text| Formula::parse(text).unwrap());
            assert!(OwnLoss::new(gamma.clone(), phi.clone()).is_err(), "{gamma:?} {phi:?}");
        }
    }

    #[test]
    fn extreme_scores_stay_finite() {
        for loss in [own("v", "exp(-v)"), own("ln(1 + v)", "ln(1 + exp(-2v))")] {
            for scores in [[1e6, -1e6, 0.0], [-1e6, 1e6, 1e6], [0.0; 3]] {
                let mut weights = [0.0; 3];
                assert!(
                    loss.row(&scores, 1, &mut weights).is_finite() && weights.iter().all(|w| w.is_finite())
                );
                assert!(probabilities(&loss, &scores).iter().all(|p| p.is_finite()));
            }
        }
    }
}
