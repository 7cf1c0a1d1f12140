//! What the codes of columns mean where several workers have their rows.
//!
//! Columns of numbers are dealt to workers. Each sends the distinct values of its own rows, with their weights, to the owner
//! of the column, who merges them and chooses the cuts as one process would, from the same runs; then all are told the cuts. There is no
//! sketch, so nothing depends on who has which rows. Categories and words are told to all, by their weight.

use std::borrow::Cow;
use std::collections::BTreeMap;

use manyboost_kernel::Exchange;
use rayon::prelude::*;

use super::fit::{Fitted, Fitting, Noted};
use super::numeric::{Gaps, Run};
use super::time::{looked_at, width};
use super::{CategoryCodec, Codec, NumberCodec, TextCodec};
use crate::agree::{all_or_none, deal, gather};
use crate::error::Result;
use crate::schema::FeatureSpec;
use crate::schema::role::Kind;
use crate::table::source::ColumnSource;
use crate::table::suspect::Seen;
use crate::table::{Values, Words};

/// How many columns are encoded together, the same for all workers: as the one says who takes the fewest.
pub(super) fn agreed(groups: Vec<usize>, exchange: &dyn Exchange) -> Vec<usize> {
    if exchange.alone() {
        return groups;
    }
    let all = gather(exchange, &groups);
    all.into_iter()
        .reduce(|most, groups| if groups.len() > most.len() { groups } else { most })
        .unwrap_or_default()
}

impl Fitting<'_> {
    /// Decides about some columns side by side.
    pub(super) fn group(
        &self,
        some: &[(usize, FeatureSpec)],
        features: &dyn ColumnSource,
        exchange: &dyn Exchange,
    ) -> Result<Vec<Fitted>> {
        if exchange.alone() {
            let fit = |(at, spec): &(usize, FeatureSpec)| self.fit(spec, features.values(*at)?.as_ref());
            // In order, so that the error is always the same one.
            return some.par_iter().map(fit).collect::<Vec<_>>().into_iter().collect();
        }
        let look = |(at, spec): &(usize, FeatureSpec)| {
            let values = features.values(*at)?;
            self.check(spec, &values)?;
            Ok(values)
        };
        let values: Result<Vec<Cow<'_, Values>>> = some.iter().map(look).collect();
        let values = all_or_none(exchange, values)?;
        let columns: Vec<(&FeatureSpec, &Values)> =
            some.iter().zip(&values).map(|((_, spec), values)| (spec, values.as_ref())).collect();
        let codecs = self.codecs_among(&columns, exchange);
        let coded = |((spec, values), (codec, noted)): ((&FeatureSpec, &Values), (Codec, Noted))| {
            self.coded(spec, values, codec, &noted)
        };
        Ok(columns.into_par_iter().zip(codecs).map(coded).collect())
    }

    /// Decides what the codes of some columns mean, together with the other workers.
    fn codecs_among(
        &self,
        columns: &[(&FeatureSpec, &Values)],
        exchange: &dyn Exchange,
    ) -> Vec<(Codec, Noted)> {
        let runs: Vec<Vec<Run>> =
            columns.iter().flat_map(|(spec, values)| self.runs(spec.kind, values)).collect();
        let mut cuts = cuts(runs, self.options.bins, exchange).into_iter();
        let mut codec = |&(spec, values): &(&FeatureSpec, &Values)| match (spec.kind, values) {
            (Kind::Category, Values::Words(words)) => self.category_among(words, exchange),
            (Kind::Text, Values::Words(words)) => {
                let least = u64::from(self.options.min_docs) * self.weights.one();
                let codec =
                    TextCodec::fit_among(words, self.weights.units(), self.options.ngrams, least, exchange);
                Noted::text(codec)
            }
            (Kind::Time(clock), _) => {
                Noted::times(clock, cuts.by_ref().take(width(clock)).map(NumberCodec::new))
            }
            _ => Noted::numbers(NumberCodec::new(cuts.next().flatten())),
        };
        columns.iter().map(&mut codec).collect()
    }

    /// The distinct values of a column of numbers, or of all numbers that one of times is looked at by.
    fn runs(&self, kind: Kind, values: &Values) -> Vec<Vec<Run>> {
        let units = self.weights.units();
        match (kind, values) {
            (Kind::Time(clock), Values::Numbers(seconds)) => {
                looked_at(clock, seconds).map(|numbers| NumberCodec::runs(&numbers, units)).collect()
            }
            (Kind::Number, Values::Numbers(numbers)) => vec![NumberCodec::runs(numbers, units)],
            (Kind::Number, Values::SparseNumbers(entries)) => vec![NumberCodec::runs_sparse(entries, units)],
            _ => Vec::new(),
        }
    }

    fn category_among(&self, words: &Words, exchange: &dyn Exchange) -> (Codec, Noted) {
        let mut own: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        let mut missing = false;
        for (&code, &unit) in words.codes.iter().zip(self.weights.units()) {
            match words.dictionary.get(code as usize) {
                Some(text) => {
                    let (units, rows) = own.entry(text).or_default();
                    *units += u64::from(unit);
                    *rows += 1;
                }
                None => missing = true,
            }
        }
        let own: Vec<(String, u64, u64)> = own.into_iter().map(|(t, (u, r))| (t.to_string(), u, r)).collect();
        let mut all: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for (lacks, texts) in gather(exchange, &(missing, own)) {
            missing |= lacks;
            for (text, units, rows) in texts {
                let sums = all.entry(text).or_default();
                (sums.0, sums.1) = (sums.0 + units, sums.1 + rows);
            }
        }
        let least = u64::from(self.options.rare) * self.weights.one();
        let codec = {
            let (words, units) = weighed(all.iter().map(|(text, (units, _))| (text.as_str(), *units)));
            CategoryCodec::fit(&words, &units, least)
        };
        let rows = all.iter().map(|(text, (_, rows))| (text.as_str(), *rows as usize)).collect();
        Noted::category(codec, &Seen { rows, missing })
    }
}

/// A column in which each text weighs so much.
fn weighed<'a>(texts: impl Iterator<Item = (&'a str, u64)>) -> (Words, Vec<u32>) {
    let (mut words, mut all) = (Words::default(), Vec::new());
    for (code, (text, mut left)) in (0u32..).zip(texts) {
        words.dictionary.push(text.into());
        while left > 0 {
            let units = u32::try_from(left).unwrap_or(u32::MAX);
            words.codes.push(code);
            all.push(units);
            left -= u64::from(units);
        }
    }
    (words, all)
}

/// Where columns of numbers are cut, from the distinct values of each worker's rows.
fn cuts(runs: Vec<Vec<Run>>, bins: u32, exchange: &dyn Exchange) -> Vec<Option<Gaps>> {
    let (columns, workers) = (runs.len(), exchange.workers());
    let mut parts: Vec<Vec<Vec<Run>>> = vec![Vec::new(); workers];
    for (column, runs) in runs.into_iter().enumerate() {
        parts[column % workers].push(steps(runs));
    }
    let mut owned: Vec<Vec<Run>> =
        vec![Vec::new(); columns.saturating_sub(exchange.rank()).div_ceil(workers)];
    for columns in deal(exchange, &parts) {
        drop(std::mem::take(&mut parts));
        owned.iter_mut().zip(columns).for_each(|(all, some)| all.extend(values(some)));
    }
    let own: Vec<Option<Gaps>> =
        owned.into_iter().map(|runs| NumberCodec::gaps_of_runs(runs, bins)).collect();
    let mut all: Vec<_> = gather(exchange, &own).into_iter().map(Vec::into_iter).collect();
    (0..columns).map(|column| all[column % workers].next().flatten()).collect()
}

/// Ascending keys as what each adds to the one before: smaller numbers are shorter messages.
fn steps(mut runs: Vec<Run>) -> Vec<Run> {
    let mut last = 0;
    for (key, _) in &mut runs {
        last += std::mem::replace(key, *key - last) - last;
    }
    runs
}

/// The keys again.
fn values(steps: Vec<Run>) -> impl Iterator<Item = Run> {
    let mut last = 0u64;
    steps.into_iter().map(move |(step, weight)| {
        last = last.wrapping_add(step);
        (last, weight)
    })
}
