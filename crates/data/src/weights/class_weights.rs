//! Weights of classes: a row weighs as many times more as its class does.
//!
//! Where weights count rows, units are found once for a row of each class and multiplied by how often it is there: "twice" and
//! "weight 2" cannot come out differently, as they would if products were rounded row by row.

use std::str::FromStr;

use manyboost_kernel::Exchange;
use manyboost_kernel::numbers::math::pow2;

use crate::agree::{ALONE, any};
use crate::error::{Error, ErrorKind, Result};
use crate::labels::Labels;
use crate::weights::Weights;
use crate::weights::scaled::{MOST, Scaled, WeightKind};
use crate::wording;

/// Most units of all rows together: sums of them leave enough bits to values.
const MOST_TOGETHER: u64 = 1 << 44;

/// How much the rows of each class weigh, beside weights of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum ClassWeights {
    /// So much that all classes weigh the same together.
    Balanced,
    /// So much for classes of these names, 1 for the others.
    Given(Vec<(String, f64)>),
    /// The same, whether all of these classes are there or not; what weighs nothing beside others is not there either.
    IfThere(Vec<(String, f64)>),
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
            |part: &str| parameter(&format!("{} is no class and its weight", wording::name(part)), REMEDY);
        text.split(',')
            .map(|part| one(part).ok_or_else(|| wrong(part)))
            .collect::<Result<_>>()
            .map(Self::Given)
    }
}

const REMEDY: &str = "give balanced, or NAME=WEIGHT,NAME=WEIGHT with weights above 0";

fn parameter(what: &str, remedy: &str) -> Error {
    Error::new(ErrorKind::Parameter, format!("`class-weight`: {what}"), remedy)
}

impl ClassWeights {
    /// The weights of rows with these labels, those of their classes included; and which rows they are, where some are there
    /// several times because one row cannot have so many units, or not at all because they weigh nothing beside others.
    pub(crate) fn times(
        &self,
        weights: &Weights,
        labels: &Labels,
        exchange: &dyn Exchange,
    ) -> Result<(Weights, Option<Vec<u32>>)> {
        let Labels::Classes { of, names } = labels else {
            return Err(parameter(
                "rows with sets of labels have no class",
                "leave it out, or give `weight` a column",
            ));
        };
        let mut totals = vec![0i64; names.len()];
        of.iter().zip(weights.units()).for_each(|(&y, &u)| totals[y as usize] += i64::from(u));
        exchange.sum(&mut totals);
        let totals: Vec<u64> = totals.into_iter().map(|units| units as u64).collect();
        let by_class = self.by_class(&totals, names)?;
        if weights.are_counts() && u32::try_from(totals.iter().sum::<u64>()).is_ok() {
            return self.counted(weights, of, &by_class, &totals);
        }
        let unit = pow2(weights.exponent());
        let own = weights.units().iter().zip(of);
        let values: Vec<f64> = own.map(|(&u, &y)| f64::from(u) * unit * by_class[y as usize]).collect();
        let (weights, kept) = Weights::from_values_among(&values, exchange)?;
        if any(exchange, kept.is_some()) && !self.drops() {
            return Err(too_light());
        }
        Ok((weights, kept))
    }

    /// The weight of each class, given the units of its rows.
    fn by_class(&self, units: &[u64], names: &[String]) -> Result<Vec<f64>> {
        let mut by_class = vec![1.0; names.len()];
        match self {
            Self::Balanced => {
                let total: u64 = units.iter().sum();
                let there = units.iter().filter(|&&u| u > 0).count() as f64;
                for (weight, &units) in by_class.iter_mut().zip(units).filter(|(_, units)| **units > 0) {
                    *weight = total as f64 / (there * units as f64);
                }
            }
            Self::Given(given) | Self::IfThere(given) => {
                for (name, weight) in given {
                    let Some(at) = names.iter().position(|there| there == name) else {
                        if matches!(self, Self::IfThere(_)) {
                            continue;
                        }
                        let what = format!("there is no class {}", wording::name(name));
                        return Err(parameter(&what, &wording::nearest(name, names)));
                    };
                    if !(weight.is_finite() && *weight > 0.0) {
                        return Err(parameter(
                            &format!("class {} weighs {weight}", wording::name(name)),
                            REMEDY,
                        ));
                    }
                    by_class[at] = *weight;
                }
            }
        }
        Ok(by_class)
    }

    /// Whether rows that weigh nothing beside others are left out, as rows of such weights of their own are.
    fn drops(&self) -> bool {
        matches!(self, Self::IfThere(_))
    }

    /// The weights of rows that are there so often, in classes of these weights, with so many rows each.
    fn counted(
        &self,
        weights: &Weights,
        of: &[u32],
        by_class: &[f64],
        totals: &[u64],
    ) -> Result<(Weights, Option<Vec<u32>>)> {
        let there: Vec<usize> = (0..totals.len()).filter(|&class| totals[class] > 0).collect();
        let values: Vec<f64> = there.iter().map(|&class| by_class[class]).collect();
        let together = |units: &[u32]| {
            there.iter().zip(units).map(|(&class, &u)| totals[class] * u64::from(u)).sum::<u64>()
        };
        // By the sums of all rows, which do not depend on how rows share them.
        let all: u64 = totals.iter().sum();
        let most = (MOST_TOGETHER / all.next_power_of_two()).min(u64::from(MOST)) as u32;
        // One value for each class, the same for all workers.
        let mut scaled = Scaled::new(&values, most, ALONE);
        if scaled.kind == WeightKind::Whole && together(&scaled.units) > MOST_TOGETHER {
            scaled = Scaled::by_ratio(&values, most, ALONE);
        }
        if scaled.units.contains(&0) && !self.drops() {
            return Err(too_light());
        }
        let exponent = scaled.kind.exponent(together(&scaled.units) / all);
        let mut units_of = vec![0; totals.len()];
        there.iter().zip(&scaled.units).for_each(|(&class, &units)| units_of[class] = units);
        let (mut rows, mut copies, mut units) = (Vec::new(), Vec::new(), Vec::new());
        for (row, (&y, &count)) in (0u32..).zip(of.iter().zip(weights.units())) {
            let (each, mut left) = (units_of[y as usize], count);
            while left > 0 && each > 0 {
                let some = left.min(u32::MAX / each);
                rows.push(row);
                copies.push(some);
                units.push(each);
                left -= some;
            }
        }
        let as_they_are = rows.iter().copied().eq(0..of.len() as u32);
        let again = (!as_they_are).then_some(rows);
        Ok((Weights::by_copies(&copies, units, scaled.one, exponent), again))
    }
}

fn too_light() -> Error {
    parameter(
        "some rows would weigh nothing beside others",
        "give weights that are less than a million times apart",
    )
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
        let shares = shares(&ClassWeights::Balanced.times(&weights, &labels(&of), ALONE).unwrap().0);
        for class in 0..3 {
            let own: f64 = shares.iter().zip(of).filter(|(_, y)| *y == class).map(|(share, _)| share).sum();
            assert!((own - 1.0 / 3.0).abs() < 1e-5, "{class}: {own}");
        }
        assert!((shares[1] - 2.0 * shares[0]).abs() < 1e-6, "weights of rows stay");
    }

    #[test]
    fn given_weights_multiply() {
        let given: ClassWeights = "b=3, c=0.5".parse().unwrap();
        let weights = given.times(&Weights::ones(3), &labels(&[0, 1, 2]), ALONE).unwrap().0;
        assert_eq!(weights.units(), [2, 6, 1]);
    }

    #[test]
    fn a_class_multiplies_units_as_often_as_its_rows_are_there() {
        let given: ClassWeights = "a=0.7310585786300049,c=3.3".parse().unwrap();
        for class_weights in [given, ClassWeights::Balanced] {
            let (counts, _) = Weights::from_values(&[2.0, 7.0, 1.0, 4.0, 6.0]).unwrap();
            let (heavy, again) = class_weights.times(&counts, &labels(&[0, 1, 1, 2, 0]), ALONE).unwrap();
            let of: Vec<u32> = [[0; 2].as_slice(), &[1; 7], &[1], &[2; 4], &[0; 6]].concat();
            let (twice, _) = class_weights.times(&Weights::ones(20), &labels(&of), ALONE).unwrap();
            assert_eq!((again, heavy.one(), heavy.exponent()), (None, twice.one(), twice.exponent()));
            let one: Vec<u32> = [0, 2, 9, 10, 14].map(|row: usize| twice.units()[row]).to_vec();
            let copies: Vec<u32> = (0..5).map(|row| heavy.copies(row)).collect();
            assert_eq!((0..5).map(|row| heavy.copy(row)).collect::<Vec<_>>(), one);
            assert_eq!(copies, [2, 7, 1, 4, 6]);
        }
    }

    #[test]
    fn a_row_that_is_too_heavy_is_there_several_times() {
        let (counts, _) = Weights::from_values(&[1.0, 9e6, 3.0]).unwrap();
        let given = ClassWeights::Given(vec![("b".into(), 0.731)]);
        let (weights, again) = given.times(&counts, &labels(&[0, 1, 2]), ALONE).unwrap();
        let again = again.expect("more rows");
        assert!(again.windows(2).all(|w| w[0] <= w[1]) && again.len() == weights.rows());
        let copies = |of: u32| {
            let own = (0..again.len()).filter(|&at| again[at] == of);
            own.map(|at| u64::from(weights.copies(at))).sum::<u64>()
        };
        assert_eq!((copies(0), copies(1), copies(2)), (1, 9_000_000, 3));
        assert!((0..again.len()).all(|at| weights.copy(at) == weights.copy(usize::from(again[at] == 1))));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in ["", "a", "a=", "a=0", "a=-1", "a=nan", "a=1,b"] {
            assert!(text.parse::<ClassWeights>().is_err(), "{text}");
        }
        let unknown = vec![("d".into(), 2.0)];
        assert!(
            ClassWeights::Given(unknown.clone())
                .times(&Weights::ones(3), &labels(&[0, 1, 2]), ALONE)
                .is_err()
        );
        assert!(ClassWeights::IfThere(unknown).times(&Weights::ones(3), &labels(&[0, 1, 2]), ALONE).is_ok());
        let light = ClassWeights::IfThere(vec![("a".into(), 1e-9), ("c".into(), 3.0)]);
        let (weights, kept) = light.times(&Weights::ones(3), &labels(&[0, 1, 2]), ALONE).unwrap();
        assert_eq!((weights.rows(), kept), (2, Some(vec![1, 2])));
        let nothing = ClassWeights::IfThere(vec![("a".into(), 0.0)]);
        assert!(nothing.times(&Weights::ones(3), &labels(&[0, 1, 2]), ALONE).is_err());
        let light = ClassWeights::Given(vec![("a".into(), 1e-9)]);
        assert!(light.times(&Weights::ones(3), &labels(&[0, 1, 2]), ALONE).is_err());
    }
}
