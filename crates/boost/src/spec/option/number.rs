//! Options that take a number.

use std::fmt::Display;
use std::str::FromStr;

use manyboost_data::wording::grouped;

use super::{Declaration, Describe, Group, OptionInfo, OptionKind};

/// A number that options may be.
pub trait Numeric: FromStr + Display + Copy + PartialOrd + Sync + 'static {
    /// Whether it is a whole one.
    const KIND: OptionKind;

    /// As it is written for people.
    fn shown(self) -> String;
}

impl Numeric for f64 {
    const KIND: OptionKind = OptionKind::Number;

    fn shown(self) -> String {
        if self.abs() >= 1000.0 && self.fract() == 0.0 && self.abs() < 1e9 {
            grouped(self)
        } else if self == 0.0 || (1e-3..1e9).contains(&self.abs()) {
            self.to_string()
        } else {
            format!("{self:e}")
        }
    }
}

impl Numeric for usize {
    const KIND: OptionKind = OptionKind::Whole;

    fn shown(self) -> String {
        grouped(self)
    }
}

impl Numeric for u32 {
    const KIND: OptionKind = OptionKind::Whole;

    fn shown(self) -> String {
        grouped(self)
    }
}

/// Which numbers are accepted.
#[derive(Clone, Copy, Debug)]
pub struct Range<T> {
    least: T,
    /// Whether the least itself is left out.
    above: bool,
    most: Option<T>,
}

impl<T: Numeric> Range<T> {
    /// From one number to another, both included.
    pub const fn from_to(least: T, most: T) -> Self {
        Self { least, above: false, most: Some(most) }
    }

    /// Above one number, up to another.
    pub const fn above_to(least: T, most: T) -> Self {
        Self { least, above: true, most: Some(most) }
    }

    /// At least a number.
    pub const fn at_least(least: T) -> Self {
        Self { least, above: false, most: None }
    }

    /// Whether it has a number.
    pub fn has(&self, x: T) -> bool {
        (if self.above { x > self.least } else { x >= self.least }) && self.most.is_none_or(|most| x <= most)
    }

    /// In words; `zero` says what the least number means.
    fn shown(&self, zero: Option<&str>) -> String {
        let noun = if T::KIND == OptionKind::Whole { "a whole number" } else { "a number" };
        let least = match zero {
            Some(meaning) => format!("{} ({meaning})", self.least.shown()),
            None => self.least.shown(),
        };
        match self.most.map(Numeric::shown) {
            None => format!("{noun} of at least {least}"),
            Some(most) if self.above => format!("{noun} above {least}, up to {most}"),
            Some(most) => format!("{noun} from {least} to {most}"),
        }
    }
}

/// An option that takes a number.
#[derive(Clone, Copy, Debug)]
pub struct Number<T> {
    name: &'static str,
    help: &'static str,
    group: Group,
    range: Range<T>,
    zero: Option<&'static str>,
}

impl<T: Numeric> Number<T> {
    /// An option of a booster.
    pub const fn new(name: &'static str, help: &'static str, range: Range<T>) -> Self {
        Self { name, help, group: Group::Boosting, range, zero: None }
    }

    /// An option of a weak learner.
    pub const fn of_learner(name: &'static str, help: &'static str, range: Range<T>) -> Self {
        Self { name, help, group: Group::Learner, range, zero: None }
    }

    /// What the least number means.
    #[must_use]
    pub const fn least_means(self, meaning: &'static str) -> Self {
        Self { zero: Some(meaning), ..self }
    }
}

impl<T: Numeric> Describe for Number<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn info(&self) -> OptionInfo {
        let Self { name, help, group, range, zero } = *self;
        OptionInfo { name, help, group, kind: T::KIND, words: Vec::new(), allowed: range.shown(zero) }
    }
}

impl<T: Numeric> Declaration for Number<T> {
    type Value = T;

    fn parse(&self, text: &str) -> Option<T> {
        text.parse().ok().filter(|x| self.range.has(*x))
    }

    fn text(&self, value: &T) -> String {
        value.to_string()
    }
}

/// An option that takes a number, or `auto`: `None`.
#[derive(Clone, Copy, Debug)]
pub struct NumberOrAuto<T> {
    number: Number<T>,
    auto: &'static str,
}

/// The word for a number that is found.
const AUTO: &str = "auto";

impl<T: Numeric> NumberOrAuto<T> {
    /// An option of a booster; `auto` says how the number is found.
    pub const fn new(name: &'static str, help: &'static str, range: Range<T>, auto: &'static str) -> Self {
        Self { number: Number::new(name, help, range), auto }
    }
}

impl<T: Numeric> Describe for NumberOrAuto<T> {
    fn name(&self) -> &'static str {
        self.number.name
    }

    fn info(&self) -> OptionInfo {
        let info = self.number.info();
        OptionInfo { words: vec![(AUTO, self.auto)], allowed: format!("{AUTO}, or {}", info.allowed), ..info }
    }
}

impl<T: Numeric> Declaration for NumberOrAuto<T> {
    type Value = Option<T>;

    fn parse(&self, text: &str) -> Option<Option<T>> {
        if text == AUTO { Some(None) } else { self.number.parse(text).map(Some) }
    }

    fn text(&self, value: &Option<T>) -> String {
        value.map_or_else(|| AUTO.to_string(), |x| x.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_said_as_they_are_checked() {
        let shares = Number::new("share", "", Range::above_to(0.0, 1.0));
        assert_eq!(shares.info().allowed, "a number above 0, up to 1");
        assert!(shares.parse("0").is_none() && shares.parse("NaN").is_none() && shares.parse("x").is_none());
        assert_eq!((shares.parse("1"), shares.parse("1.1")), (Some(1.0), None));
        let cuts = Number::new("cuts", "", Range::from_to(0u32, 2550)).least_means("all");
        assert_eq!(cuts.info().allowed, "a whole number from 0 (all) to 2,550");
        assert_eq!((cuts.parse("0"), cuts.parse("2551"), cuts.parse("-1")), (Some(0), None, None));
        let drop = Number::new("drop", "", Range::at_least(1usize));
        assert_eq!(drop.info().allowed, "a whole number of at least 1");
        let tolerance = Number::new("tolerance", "", Range::from_to(1e-9, 0.1));
        assert_eq!(tolerance.info().allowed, "a number from 1e-9 to 0.1");
        let auto = NumberOrAuto::new("temperature", "", Range::from_to(0.01, 100.0), "found");
        assert_eq!(auto.info().allowed, "auto, or a number from 0.01 to 100");
        assert_eq!(
            (auto.parse("auto"), auto.parse("2"), auto.parse("0")),
            (Some(None), Some(Some(2.0)), None)
        );
    }
}
