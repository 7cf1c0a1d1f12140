//! Weights of classes: a row weighs as many times more as its class does.

use std::str::FromStr;

use polyboost_kernel::math::pow2;

use crate::error::{Error, ErrorKind, Result};
use crate::labels::Labels;
use crate::say;
use crate::weights::Weights;

/// How much the rows of each class weigh, beside weights of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassWeights {
    /// So much that all classes weigh the same together.
    Balanced,
    /// So much for classes of these names, 1 for the others.
    Given(Vec<(String, f64)>),
}

impl FromStr for ClassWeights {
    type Err = Error;

    /// `balanced`, or `NAME=WEIGHT,…`.
    fn from_str(text: &str) -> Result<Self> {
        if text == "balanced" {
            return Ok(Self::Balanced);
        }
        let one = |part: &str| {
            let (name, weight) = part.rsplit_once('=')?;
            let weight = weight.trim().parse::<f64>().ok().filter(|w| w.is_finite() && *w > 0.0)?;
            Some((name.trim().to_string(), weight))
        };
        let wrong =
            |part: &str| parameter(&format!("{} is no class and its weight", say::name(part)), REMEDY);
        text.split(',')
            .map(|part| one(part).ok_or_else(|| wrong(part)))
            .collect::<Result<_>>()
            .map(Self::Given)
    }
}

const REMEDY: &str = "give balanced, or NAME=WEIGHT,NAME=WEIGHT with weights above 0";

fn parameter(what: &str, remedy: &str) -> Error {
    Error::new(ErrorKind::Parameter, format!("--class-weight: {what}"), remedy)
}

impl ClassWeights {
    /// The weights of rows with these labels, those of their classes included.
    pub(crate) fn times(&self, weights: &Weights, labels: &Labels) -> Result<Weights> {
        let Labels::Classes { of, names } = labels else {
            return Err(parameter(
                "rows with sets of labels have no class",
                "leave it out, or give --weight a column",
            ));
        };
        let by_class = self.by_class(weights, of, names)?;
        let unit = pow2(weights.exponent());
        let own = weights.units().iter().zip(of);
        let values: Vec<f64> = own.map(|(&u, &y)| f64::from(u) * unit * by_class[y as usize]).collect();
        match Weights::from_values(&values)? {
            (weights, None) => Ok(weights),
            (_, Some(_)) => Err(parameter(
                "some rows would weigh nothing beside others",
                "give weights that are less than a million times apart",
            )),
        }
    }

    fn by_class(&self, weights: &Weights, of: &[u32], names: &[String]) -> Result<Vec<f64>> {
        let mut by_class = vec![1.0; names.len()];
        match self {
            Self::Balanced => {
                let mut units = vec![0u64; names.len()];
                of.iter().zip(weights.units()).for_each(|(&y, &u)| units[y as usize] += u64::from(u));
                let there = units.iter().filter(|&&u| u > 0).count() as f64;
                for (weight, &units) in by_class.iter_mut().zip(&units).filter(|(_, units)| **units > 0) {
                    *weight = weights.total() as f64 / (there * units as f64);
                }
            }
            Self::Given(given) => {
                for (name, weight) in given {
                    let Some(at) = names.iter().position(|there| there == name) else {
                        let what = format!("there is no class {}", say::name(name));
                        return Err(parameter(&what, &say::nearest(name, names)));
                    };
                    by_class[at] = *weight;
                }
            }
        }
        Ok(by_class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(of: &[u32]) -> Labels {
        Labels::Classes { of: of.to_vec(), names: ["a", "b", "c"].map(String::from).to_vec() }
    }

    fn shares(weights: &Weights) -> Vec<f64> {
        weights.units().iter().map(|&u| f64::from(u) / weights.total() as f64).collect()
    }

    #[test]
    fn balanced_classes_weigh_the_same() {
        let (weights, _) = Weights::from_values(&[1.0, 2.0, 1.0, 1.0, 4.0]).unwrap();
        let of = [0, 0, 1, 1, 2];
        let shares = shares(&ClassWeights::Balanced.times(&weights, &labels(&of)).unwrap());
        for class in 0..3 {
            let own: f64 = shares.iter().zip(of).filter(|(_, y)| *y == class).map(|(share, _)| share).sum();
            assert!((own - 1.0 / 3.0).abs() < 1e-5, "{class}: {own}");
        }
        assert!((shares[1] - 2.0 * shares[0]).abs() < 1e-6, "weights of rows stay");
    }

    #[test]
    fn given_weights_multiply() {
        let given: ClassWeights = "b=3, c=0.5".parse().unwrap();
        let weights = given.times(&Weights::ones(3), &labels(&[0, 1, 2])).unwrap();
        assert_eq!(weights.units(), [2, 6, 1]);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in ["", "a", "a=", "a=0", "a=-1", "a=nan", "a=1,b"] {
            assert!(text.parse::<ClassWeights>().is_err(), "{text}");
        }
        let unknown = ClassWeights::Given(vec![("d".into(), 2.0)]);
        assert!(unknown.times(&Weights::ones(3), &labels(&[0, 1, 2])).is_err());
        let light = ClassWeights::Given(vec![("a".into(), 1e-9)]);
        assert!(light.times(&Weights::ones(3), &labels(&[0, 1, 2])).is_err());
    }
}
