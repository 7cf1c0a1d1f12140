//! From a table to what training works on: codes, labels, integer weights.
//!
//! Rows of weight 0 go first, before classes, bins, categories and words are looked for: they are not there.

use polyboost_kernel::bins::Bins;

use crate::class_weights::ClassWeights;
use crate::encode::{EncodeOptions, Encoder};
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;
use crate::labels::{Labels, RowNumbers};
use crate::lent::{Features, Lent, SomeRows};
use crate::schema::Schema;
use crate::table::Table;
use crate::weights::Weights;

/// Encoded rows with their labels and weights.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The features' codes.
    pub bins: Bins,
    /// The answers.
    pub labels: Labels,
    /// The weights.
    pub weights: Weights,
    /// The values behind the codes, if they were asked for (see [`PrepareOptions::values`]).
    pub values: Option<Frame>,
}

impl Dataset {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.bins.rows()
    }
}

/// Choices in preparing a training table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PrepareOptions {
    /// Choices of the encoder.
    pub encode: EncodeOptions,
    /// What the names of label columns begin with (`label:` if not given).
    pub labels: Option<String>,
    /// How much the rows of each class weigh, beside weights of their own.
    pub class_weights: Option<ClassWeights>,
    /// Keep the values themselves beside their codes: some learners work on them, and others need no room for them.
    pub values: bool,
}

/// A prepared training table.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// What training works on.
    pub dataset: Dataset,
    /// The columns and answers.
    pub schema: Schema,
    /// What the codes mean.
    pub encoder: Encoder,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Another table as a model looks at it, with its answers.
#[derive(Clone, Debug)]
pub struct Applied {
    /// The values of the rows of positive weight.
    pub frame: Frame,
    /// Their answers.
    pub labels: Labels,
    /// Their weights.
    pub weights: Weights,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl Applied {
    /// The given rows, in the given order.
    ///
    /// # Panics
    /// If a row is not there.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        Self {
            frame: self.frame.select(rows),
            labels: self.labels.select(rows),
            weights: self.weights.select(rows),
            notes: Vec::new(),
        }
    }
}

/// Prepares a training table (and frees it).
pub fn prepare(table: Table, options: &PrepareOptions) -> Result<Prepared> {
    options.encode.validate()?;
    let (table, weights, kept) = weigh(table)?;
    let rows = RowNumbers(kept.as_deref());
    let mut prepared = prepared(&table, &Features::of(&table), weights, rows, options)?;
    if options.values {
        prepared.dataset.values = Some(Frame::new(table, &prepared.encoder)?);
    }
    Ok(prepared)
}

/// Prepares training rows whose features are lent; `answers` has their other columns. The features are copied only if
/// their values are asked for.
pub fn prepare_lent(answers: Table, features: &dyn Lent, options: &PrepareOptions) -> Result<Prepared> {
    options.encode.validate()?;
    let (answers, weights, kept) = weigh(answers)?;
    let rows = RowNumbers(kept.as_deref());
    let some;
    let features = match &kept {
        Some(rows) => {
            some = SomeRows { of: features, rows };
            &some
        }
        None => features,
    };
    let mut prepared = prepared(&answers, features, weights, rows, options)?;
    if options.values {
        prepared.dataset.values = Some(Frame::new(features.table()?, &prepared.encoder)?);
    }
    Ok(prepared)
}

fn prepared(
    answers: &Table,
    features: &dyn Lent,
    weights: Weights,
    rows: RowNumbers<'_>,
    options: &PrepareOptions,
) -> Result<Prepared> {
    let (labels, target, mut notes) = Labels::read(answers, options.labels.as_deref(), rows)?;
    let weights = match &options.class_weights {
        Some(class_weights) => class_weights.times(&weights, &labels)?,
        None => weights,
    };
    let schema = Schema { features: features.features(), target };
    if schema.features.is_empty() {
        let what = format!(
            "{}: 0 feature(s) (shape=({}, 0)) while a minimum of 1 is required",
            answers.source, answers.rows
        );
        return Err(Error::new(ErrorKind::Column, what, "give at least one feature column"));
    }
    let (encoder, bins, more) = Encoder::fit(features, &weights, &options.encode)?;
    notes.extend(more);
    Ok(Prepared { dataset: Dataset { bins, labels, weights, values: None }, schema, encoder, notes })
}

/// Looks at a table with answers as a model does. Without answers, [`Frame::new`] is all there is to do.
pub fn apply(table: Table, schema: &Schema, encoder: &Encoder) -> Result<Applied> {
    let (table, weights, kept) = weigh(table)?;
    let (labels, mut notes) = Labels::read_known(&table, &schema.target, RowNumbers(kept.as_deref()))?;
    notes.extend(encoder.unseen(&table)?);
    Ok(Applied { frame: Frame::new(table, encoder)?, labels, weights, notes })
}

/// The rows of positive weight, their weights, and which rows they are if some were dropped.
fn weigh(table: Table) -> Result<(Table, Weights, Option<Vec<u32>>)> {
    if table.rows == 0 {
        let what = format!("{}: no rows", table.source);
        return Err(Error::new(ErrorKind::Limit, what, "give at least one row"));
    }
    if table.rows >= u32::MAX as usize {
        let what = format!("{}: {} rows", table.source, table.rows);
        return Err(Error::new(ErrorKind::Limit, what, "at most 4,294,967,294 rows are accepted"));
    }
    let (weights, kept) = Weights::read(&table)?;
    let table = match &kept {
        Some(rows) => table.select(rows),
        None => table,
    };
    Ok((table, weights, kept))
}
