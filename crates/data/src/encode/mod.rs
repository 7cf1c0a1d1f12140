//! From the values of columns to the small codes that the kernel works on.
//!
//! [`Encoder::fit`] looks at weighted training rows once, decides for every column what its codes mean, which goes
//! into the model file, and gives the rows their codes. [`Encoder::encode`] gives the rows of other tables theirs, column by
//! column and by name. Both depend on the rows as a weighted set only: not on their order, not on the number of threads.

mod among;
pub mod category;
mod codec;
mod cuts;
mod fit;
mod groups;
pub mod numeric;
pub mod text;
pub mod time;
mod words;

use among::agreed;
use fit::Fitting;
use groups::groups;
use manyboost_kernel::Exchange;
use manyboost_kernel::bins::{Bins, BinsBuilder, Codes, Feature, Order};
use rayon::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use category::CategoryCodec;
pub use codec::{Codec, ColumnEncoder};
use codec::{check_values, pack};
pub use fit::Remarks;
pub use numeric::NumberCodec;
pub use text::TextCodec;
pub use time::TimeCodec;

use crate::agree::{ALONE, any};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::names::Names;
use crate::schema::role::Kind;
use crate::schema::{FeatureSpec, Schema};
use crate::table::source::ColumnSource;
use crate::table::{Column, Table, Values};
use crate::time::Part as TimePart;
use crate::weights::Weights;
use crate::wording;

/// Choices of the encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeOptions {
    /// Most bins of a numeric feature; 0 for a cut between any two distinct values.
    pub bins: u32,
    /// Most words of an n-gram of text.
    pub ngrams: u32,
    /// Rows (by weight) that must contain an n-gram.
    pub min_docs: u32,
    /// Rows (by weight) that a category needs: rarer ones count as missing.
    pub rare: u32,
}

impl Default for EncodeOptions {
    fn default() -> Self {
        Self { bins: 255, ngrams: 1, min_docs: 3, rare: 2 }
    }
}

impl EncodeOptions {
    /// Refuses values out of range.
    pub fn validate(&self) -> Result<()> {
        if self.bins != 0 && !(2..=65_536).contains(&self.bins) {
            let what = format!("bins is {}", self.bins);
            return Err(Error::new(ErrorKind::Parameter, what, "bins is 0 (exact) or 2 to 65,536"));
        }
        if !(1..=8).contains(&self.ngrams) {
            let what = format!("ngrams is {}", self.ngrams);
            return Err(Error::new(ErrorKind::Parameter, what, "ngrams is 1 to 8"));
        }
        Ok(())
    }
}

/// What the codes of all columns mean, in the order of the schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoder {
    columns: Vec<ColumnEncoder>,
    /// The first feature of each column, and the number of features.
    starts: Vec<usize>,
}

impl Serialize for Encoder {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.columns.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Encoder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

impl Encoder {
    /// From the columns' codes.
    pub fn new(columns: Vec<ColumnEncoder>) -> Self {
        let mut starts = vec![0];
        for column in &columns {
            starts.push(starts.last().copied().unwrap_or(0) + column.codec.width());
        }
        Self { columns, starts }
    }

    /// Decides what codes mean from weighted rows, and gives the rows their codes; also says what the user should know.
    pub fn fit(
        features: &dyn ColumnSource,
        weights: &Weights,
        options: &EncodeOptions,
    ) -> Result<(Self, Bins, Remarks)> {
        Self::fit_among(features, weights, options, ALONE)
    }

    /// The same from rows of which other workers have some too: all decide the same.
    pub(crate) fn fit_among(
        features: &dyn ColumnSource,
        weights: &Weights,
        options: &EncodeOptions,
        exchange: &dyn Exchange,
    ) -> Result<(Self, Bins, Remarks)> {
        options.validate()?;
        let total = weights.units().iter().map(|&u| u64::from(u)).sum();
        let fitting =
            Fitting { source: features.source(), weights, total, uniform: weights.uniform(), options };
        let specs: Vec<(usize, FeatureSpec)> = features.features().into_iter().enumerate().collect();
        let (mut codecs, mut remarks) = (Vec::with_capacity(specs.len()), Remarks::default());
        let counts = if any(exchange, !fitting.uniform) { weights.rows() } else { 0 };
        let copies = (0..counts).map(|row| weights.copies(row)).collect();
        let mut builder = BinsBuilder::counted(features.rows(), copies);
        let groups = groups(&specs, features.rows(), |(at, _)| features.work(*at)).map(<[_]>::len).collect();
        let mut rest = specs.as_slice();
        for columns in agreed(groups, exchange) {
            let (some, others) = rest.split_at(columns.min(rest.len()));
            rest = others;
            let mut features_of = Vec::new();
            for (codec, codes, own) in fitting.group(some, features, exchange)? {
                features_of.extend(codes);
                codecs.push(codec);
                remarks.extend(own);
            }
            builder.push_among(features_of, exchange);
        }
        let named = specs.into_iter().zip(codecs);
        let encoder =
            Self::new(named.map(|((_, spec), codec)| ColumnEncoder { name: spec.name, codec }).collect());
        let bins = builder.finish_among(exchange);
        let numbers = encoder.columns.iter().zip(&encoder.starts);
        let missing = |(column, start): &(&ColumnEncoder, &usize)| {
            matches!(column.codec, Codec::Number(_) | Codec::Time(_)) && bins.features()[**start].missing
        };
        remarks.missing += numbers.filter(missing).count();
        Ok((encoder, bins, remarks))
    }

    /// The codes of other rows.
    pub fn encode(&self, table: &Table) -> Result<Bins> {
        self.check(table)?;
        let sources = self.sources(table)?;
        let mut builder = BinsBuilder::new(table.rows);
        let work = |(_, column): &(&ColumnEncoder, &Column)| match &column.values {
            Values::SparseNumbers(entries) => entries.len(),
            _ => table.rows,
        };
        for some in groups(&sources, table.rows, work) {
            let codes: Vec<Vec<(Feature, Codes)>> =
                some.par_iter().map(|(encoder, column)| encoder.codec.encode(&column.values)).collect();
            for (feature, codes) in codes.into_iter().flatten() {
                builder.push(feature, codes);
            }
        }
        Ok(builder.finish())
    }

    /// Notes on categories of a table that are not known.
    pub fn unseen(&self, table: &Table) -> Result<Vec<String>> {
        let mut rows = vec![0; self.columns.len()];
        self.count_unseen(table, &mut rows)?;
        Ok(self.unseen_notes(&table.source, &rows))
    }

    /// Adds the rows of a table with categories that are not known, for each column.
    ///
    /// # Panics
    /// If there is not a number for each column.
    pub fn count_unseen(&self, table: &Table, rows: &mut [usize]) -> Result<()> {
        assert_eq!(rows.len(), self.columns.len(), "a number for each column");
        for ((encoder, column), rows) in self.sources(table)?.into_iter().zip(rows) {
            if let (Codec::Category(codec), Values::Words(words)) = (&encoder.codec, &column.values) {
                *rows += codec.unseen(words);
            }
        }
        Ok(())
    }

    /// Notes on so many rows of each column with categories that are not known.
    pub fn unseen_notes(&self, source: &str, rows: &[usize]) -> Vec<String> {
        let noted = self.columns.iter().zip(rows).filter(|(_, rows)| **rows > 0);
        let note = |(column, rows): (&ColumnEncoder, &usize)| {
            let (name, rows) = (wording::name(&column.name), wording::count(*rows, "row"));
            format!("{source}: column {name}: {rows} of rare or unseen categories (as missing)")
        };
        noted.map(note).collect()
    }

    /// Each column's encoder with the table's column of its name.
    fn sources<'a>(&'a self, table: &'a Table) -> Result<Vec<(&'a ColumnEncoder, &'a Column)>> {
        let mut columns = Names::new(&table.columns, |column| &column.name);
        let find = |encoder: &'a ColumnEncoder| {
            columns.find(&encoder.name).map(|at| (encoder, &table.columns[at])).ok_or_else(|| {
                let names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
                let what = format!("{}: there is no column {}", table.source, wording::name(&encoder.name));
                Error::new(ErrorKind::Column, what, wording::nearest(&encoder.name, &names))
            })
        };
        self.columns.iter().map(find).collect()
    }

    /// Refuses a table that lacks a column or has values of another kind in it.
    pub fn check(&self, table: &Table) -> Result<()> {
        for (encoder, column) in self.sources(table)? {
            let kind = match &encoder.codec {
                Codec::Number(_) => Kind::Number,
                Codec::Category(_) => Kind::Category,
                Codec::Text(_) => Kind::Text,
                Codec::Time(codec) => Kind::Time(codec.clock()),
            };
            check_values(&table.source, &column.name, kind, &column.values)?;
        }
        Ok(())
    }

    /// The first feature of each column, and the number of features.
    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The first feature of each column.
    pub fn first_features(&self) -> &[usize] {
        &self.starts[..self.columns.len()]
    }

    /// The columns.
    pub fn column_encoders(&self) -> &[ColumnEncoder] {
        &self.columns
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// For each feature its column, and its n-gram if it is one of text.
    pub fn columns(&self) -> Vec<(usize, Option<&str>)> {
        let features = self.columns.iter().enumerate().flat_map(|(at, column)| match &column.codec {
            Codec::Text(text) => text.grams().iter().map(|g| (at, Some(g.as_str()))).collect(),
            codec => vec![(at, None); codec.width()],
        });
        features.collect()
    }

    /// The encoder of a feature's column, and the feature's place within it.
    fn locate(&self, feature: usize) -> Option<(&ColumnEncoder, usize)> {
        let column = self.starts.partition_point(|&start| start <= feature).checked_sub(1)?;
        Some((self.columns.get(column)?, feature - self.starts[column]))
    }

    /// The column of a feature, and its n-gram if it is one of text.
    pub fn describe(&self, feature: usize) -> Option<(&str, Option<&str>)> {
        let (column, place) = self.locate(feature)?;
        let word = match &column.codec {
            Codec::Text(text) => Some(text.grams().get(place)?.as_str()),
            _ => None,
        };
        Some((&column.name, word))
    }

    /// The column of times that a feature belongs to, and its part of the calendar unless it is the seconds themselves.
    pub fn time(&self, feature: usize) -> Option<(&TimeCodec, Option<TimePart>)> {
        let (column, place) = self.locate(feature)?;
        match &column.codec {
            Codec::Time(codec) => Some((codec, codec.part(place))),
            _ => None,
        }
    }

    /// The bins of a feature of numbers.
    fn bins_of(&self, feature: usize) -> Option<&NumberCodec> {
        let (column, place) = self.locate(feature)?;
        match &column.codec {
            Codec::Number(numbers) => Some(numbers),
            Codec::Time(times) => Some(times.bins(place)),
            Codec::Category(_) | Codec::Text(_) => None,
        }
    }

    /// A number that separates training values with codes up to `low` from those with codes from `high` on (0.5 for the
    /// presence of an n-gram).
    pub fn threshold(&self, feature: usize, low: u32, high: Option<u32>) -> f64 {
        match self.locate(feature).map(|(column, _)| &column.codec) {
            Some(Codec::Text(_)) => 0.5,
            _ => self.bins_of(feature).map_or(f64::MAX, |numbers| numbers.between(low, high)),
        }
    }

    /// A threshold of a feature that parts no bin, which the given one may do where it separates codes that are not neighbours: rows
    /// with a code between them are then on the same side by their values as by their codes.
    pub fn threshold_beside_bins(&self, feature: usize, threshold: f64) -> f64 {
        self.bins_of(feature).map_or(threshold, |numbers| numbers.beside_bins(threshold))
    }

    /// How many of a feature's codes stand for training values up to a threshold.
    pub fn codes_up_to(&self, feature: usize, threshold: f64) -> u32 {
        self.bins_of(feature).map_or(u32::from(threshold >= 0.0), |numbers| numbers.codes_up_to(threshold))
    }

    /// The category of a code.
    pub fn level(&self, feature: usize, code: u32) -> Option<&str> {
        match &self.locate(feature)?.0.codec {
            Codec::Category(levels) => levels.levels().get(code as usize).map(String::as_str),
            _ => None,
        }
    }

    /// What the kernel knows of a feature; `missing` is whether missing values may occur.
    pub fn feature(&self, feature: usize, missing: bool) -> Option<Feature> {
        let (column, place) = self.locate(feature)?;
        Some(match &column.codec {
            Codec::Number(numbers) => Feature { order: Order::Ordered, bins: numbers.bins(), missing },
            Codec::Time(times) => Feature { order: Order::Ordered, bins: times.bins(place).bins(), missing },
            Codec::Category(levels) => Feature { order: Order::Nominal, bins: levels.bins(), missing },
            Codec::Text(_) => Feature { order: Order::Ordered, bins: 2, missing: false },
        })
    }

    /// Refuses what no training writes: other columns than the schema's, repeated levels, unsorted words.
    pub fn validate(&self, schema: &Schema) -> Result<()> {
        let wrong = |what: String| Err(Error::new(ErrorKind::Model, what, "train the model again"));
        if self.columns.len() != schema.features.len() {
            let (here, there) = (self.columns.len(), schema.features.len());
            return wrong(format!("the model encodes {here} columns, but its schema has {there}"));
        }
        if self.features() >= u32::MAX as usize {
            return wrong("the model has too many features".into());
        }
        for (column, spec) in self.columns.iter().zip(&schema.features) {
            let valid = match (&column.codec, spec.kind) {
                (Codec::Number(_), Kind::Number) => true,
                (Codec::Category(codec), Kind::Category) => codec.valid(),
                (Codec::Text(codec), Kind::Text) => codec.valid(),
                (Codec::Time(codec), Kind::Time(clock)) => codec.valid() && codec.clock() == clock,
                _ => false,
            };
            if !valid || column.name != spec.name {
                return wrong(format!(
                    "the model's codes for column {} are broken",
                    wording::name(&spec.name)
                ));
            }
        }
        Ok(())
    }
}
