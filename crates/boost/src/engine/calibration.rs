//! How sure a model may be: the temperature of its probabilities.
//!
//! A model that fits its own rows closely is surer of its answers than it should be on others. So what the scores of other rows
//! have to be multiplied by for the least log loss there is what the model's scores are multiplied by (Guo, Pleiss, Sun &
//! Weinberger 2017, "temperature scaling"). Classes that are predicted do not change.
//!
//! Which rows these are, and who trains without them, [`tuning`](crate::engine::tuning) says.

use manyboost_data::{Error, ErrorKind, Result};
use manyboost_kernel::numbers::math::{exp, ln};

use crate::model::reading::Link;
use crate::spec::option::{NumberOrAuto, Range};

/// How far apart, in logarithms, the three factors are through which a parabola is laid.
const APART: f64 = 0.1;

/// Most looks around; each goes twice as far as the one before.
const LOOKS: usize = 32;

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
    /// The likeliest factor, given the loss that each has, sought from a factor that should not be far: downhill, as there is
    /// one valley, then to the lowest point of the parabola through three places at its bottom.
    pub(crate) fn likeliest(self, from: f64, loss: impl Fn(f64) -> f64) -> f64 {
        let (low, high) = self.range;
        let at = |x: f64| loss(exp(x)) + 0.5 * (x / self.usual).powi(2);
        let (mut x, mut apart) = (ln(from).clamp(low, high), APART);
        for _ in 0..LOOKS {
            let (left, here, right) = (at(x - apart), at(x), at(x + apart));
            let bends = left + right - 2.0 * here;
            if left.min(right) < here {
                let next = (if left < right { x - apart } else { x + apart }).clamp(low, high);
                if next == x {
                    break;
                }
                (x, apart) = (next, 2.0 * apart);
            } else if apart > APART {
                apart = APART;
            } else {
                let lowest = if bends > 0.0 { x + 0.5 * apart * (left - right) / bends } else { x };
                x = lowest.clamp(low, high);
                break;
            }
        }
        exp(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for bottom in [0.2f64, 0.7, 0.9] {
            for from in [0.3, 0.8, 1.0] {
                let found =
                    Belief::LIKELIHOOD.likeliest(from, |factor| 1e6 * (factor - bottom * factor.ln()));
                assert!((found - bottom).abs() < 5e-3 * bottom, "{found}, not {bottom}");
            }
        }
        // Beyond the range the nearest end is best; without rows nothing is better than 1.
        assert!(
            (Belief::LIKELIHOOD.likeliest(1.0, |factor| 1e6 * factor) - Belief::LIKELIHOOD.range.0.exp())
                .abs()
                < 2e-3
        );
        assert_eq!(Belief::LIKELIHOOD.likeliest(0.5, |factor| -1e6 * factor), 1.0);
        assert_eq!(Belief::LIKELIHOOD.likeliest(1.0, |_| 0.0), 1.0);
    }
}
