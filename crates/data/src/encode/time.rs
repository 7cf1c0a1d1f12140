//! Times become bins of their seconds and of parts of the calendar: several features of one column.

use std::borrow::Cow;

use manyboost_kernel::bins::{Codes, Feature};
use serde::{Deserialize, Serialize};

use super::NumberCodec;
use crate::schema::role::Clock;
use crate::table::Numbers;
use crate::time::{self, Part};

/// The features of a column of times: its seconds, and the parts that were not the same in all training rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeCodec {
    clock: Clock,
    parts: Vec<Part>,
    /// The bins of each feature. They are for training only, as those of numbers are.
    #[serde(skip)]
    bins: Vec<NumberCodec>,
}

/// The numbers that a column of times is looked at by: its seconds, then parts.
pub(super) fn looked_at(clock: Clock, seconds: &Numbers) -> impl Iterator<Item = Cow<'_, Numbers>> {
    let parts = if clock == Clock::Span { &[][..] } else { &Part::ALL[..] };
    std::iter::once(Cow::Borrowed(seconds)).chain(parts.iter().map(|part| Cow::Owned(part.of_all(seconds))))
}

/// How many numbers that are.
pub(super) fn width(clock: Clock) -> usize {
    if clock == Clock::Span { 1 } else { 1 + Part::ALL.len() }
}

impl TimeCodec {
    /// From the bins of all that a column is looked at by: parts of one bin tell nothing.
    pub(super) fn new(clock: Clock, bins: Vec<NumberCodec>) -> Self {
        let mut bins = bins.into_iter();
        let mut kept: Vec<NumberCodec> = bins.next().into_iter().collect();
        let mut parts = Vec::new();
        for (part, own) in Part::ALL.into_iter().zip(bins).filter(|(_, own)| own.bins() > 1) {
            parts.push(part);
            kept.push(own);
        }
        Self { clock, parts, bins: kept }
    }

    /// What the column holds.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The parts that are features, in their order behind the seconds.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The part of a feature by its place; the first one has the seconds.
    pub fn part(&self, place: usize) -> Option<Part> {
        place.checked_sub(1).and_then(|at| self.parts.get(at)).copied()
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        1 + self.parts.len()
    }

    /// The bins of a feature by its place.
    pub fn bins(&self, place: usize) -> &NumberCodec {
        static NONE: NumberCodec = NumberCodec::NONE;
        self.bins.get(place).unwrap_or(&NONE)
    }

    /// Seconds as a text: a date, a time, or both.
    pub fn shown(&self, seconds: f64) -> String {
        time::shown(self.clock, seconds)
    }

    /// The codes of a column.
    pub(super) fn encode(&self, seconds: &Numbers) -> Vec<(Feature, Codes)> {
        let feature = |place: usize| match self.part(place) {
            Some(part) => self.bins(place).encode(&part.of_all(seconds)),
            None => self.bins(place).encode(seconds),
        };
        (0..self.width()).map(feature).collect()
    }

    /// Whether it is what training writes.
    pub(super) fn valid(&self) -> bool {
        let parts = self.clock != Clock::Span || self.parts.is_empty();
        parts && self.clock != Clock::Open && self.parts.windows(2).all(|pair| pair[0] < pair[1])
    }
}
