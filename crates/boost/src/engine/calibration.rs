//! How sure a model may be: the temperature of its probabilities.
//!
//! A model that fits its own rows closely is surer of its answers than it should be on others. So what the scores of other rows
//! have to be multiplied by for the least log loss there is what the model's scores are multiplied by (Guo, Pleiss, Sun &
//! Weinberger 2017, "temperature scaling"). Classes that are predicted do not change.
//!
//! Which rows these are, and who trains without them, [`tuning`](crate::engine::tuning) says.

use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::numbers::math::exp;

use crate::model::reading::Link;
use crate::spec::option::{NumberOrAuto, Range};

/// Steps of the search; each leaves 0.618 of the range.
const STEPS: usize = 14;

/// What scores are divided by before they become probabilities.
pub(crate) const TEMPERATURE: NumberOrAuto<f64> = NumberOrAuto::new(
    "temperature",
    "What scores are divided by before they become probabilities",
    Range::from_to(0.01, 100.0),
    "found on the rows to validate on or, without any, on some kept aside",
);

/// How sure the probabilities of a model are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Calibration {
    /// As the theory of the booster has them.
    Off,
    /// Scores are divided by this number first.
    Given(f64),
    /// By the number that suits rows which the model was not trained on.
    Auto(Belief),
}

impl Calibration {
    /// What `temperature` asks for where it is off by default.
    pub(crate) fn asked(temperature: Option<f64>) -> Self {
        temperature.map_or(Self::Auto(Belief::OPEN), Self::Given)
    }

    /// The value of `temperature` that stands for it.
    pub(crate) fn temperature(self) -> Option<f64> {
        match self {
            Self::Given(temperature) => Some(temperature),
            Self::Off | Self::Auto(_) => None,
        }
    }

    /// Refuses links that have no scale.
    pub(crate) fn check(self, link: Link) -> Result<()> {
        if self == Self::Off || link != Link::Savage {
            return Ok(());
        }
        let what = "`temperature`: the probabilities of the Savage loss have none";
        Err(Error::new(ErrorKind::Parameter, what, "leave it out, or choose `loss=logistic`"))
    }

    /// The link with the temperature that was given.
    pub(crate) fn of_link(self, link: Link) -> Link {
        self.temperature().map_or(link, |temperature| link.times(1.0 / temperature))
    }
}

/// What is believed of the logarithm of the factor of scores before anything was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belief {
    /// About how far from 0 it is: a few hard rows alone decide nothing.
    usual: f64,
    /// The numbers that are looked at.
    range: (f64, f64),
}

impl Belief {
    /// Where the loss is that of the probabilities themselves. No model is made surer than it is: rows that were kept aside are
    /// more like those of training than others will be.
    pub const LIKELIHOOD: Self = Self { usual: 0.15, range: (-2.0, 0.0) };

    /// Where scores are votes, from which theory alone makes probabilities: they may be anything.
    pub const OPEN: Self = Self { usual: 1.0, range: (-6.0, 3.0) };
}

impl Belief {
    /// The likeliest factor, given the loss that each has, by golden sections: there is one valley.
    pub(crate) fn likeliest(self, loss: impl Fn(f64) -> f64) -> f64 {
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let (mut low, mut high) = self.range;
        let places = |low: f64, high: f64| (high - golden * (high - low), low + golden * (high - low));
        let at = |x: f64| loss(exp(x)) + 0.5 * (x / self.usual).powi(2);
        let (mut a, mut b) = places(low, high);
        let (mut of_a, mut of_b) = (at(a), at(b));
        for _ in 0..STEPS {
            if of_a <= of_b {
                high = b;
                (b, of_b) = (a, of_a);
                a = places(low, high).0;
                of_a = at(a);
            } else {
                low = a;
                (a, of_a) = (b, of_b);
                b = places(low, high).1;
                of_b = at(b);
            }
        }
        let found = low.midpoint(high);
        if at(0.0) <= at(found) { 1.0 } else { exp(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for bottom in [0.2f64, 0.7, 0.9] {
            let found = Belief::LIKELIHOOD.likeliest(|factor| 1e6 * (factor.ln() - bottom.ln()).powi(2));
            assert!((found - bottom).abs() < 5e-3 * bottom, "{found}, not {bottom}");
        }
        // Beyond the range the nearest end is best; without rows nothing is better than 1.
        assert!(
            (Belief::LIKELIHOOD.likeliest(|factor| 1e6 * factor) - Belief::LIKELIHOOD.range.0.exp()).abs()
                < 2e-3
        );
        assert_eq!(Belief::LIKELIHOOD.likeliest(|factor| -1e6 * factor), 1.0);
        assert_eq!(Belief::LIKELIHOOD.likeliest(|_| 0.0), 1.0);
    }
}
