//! From a table to what training works on: codes, labels, integer weights.
//!
//! Rows of weight 0 go first, before classes, bins, categories and words are looked for: they are not there.

use manyboost_kernel::Exchange;
use manyboost_kernel::bins::Bins;

use crate::agree::{self, ALONE, all_or_none, any, together};
use crate::encode::{EncodeOptions, Encoder, Remarks};
use crate::error::{Error, ErrorKind, Result};
use crate::labels::{Labels, RowNumbers};
use crate::schema::role::{Kind, Role};
use crate::schema::{Schema, TargetSpec};
use crate::table::frame::Frame;
use crate::table::lent::Lent;
use crate::table::source::{ColumnSource, Features, RowSubset};
use crate::table::{Table, Values, Words};
use crate::weights::Weights;
use crate::weights::class_weights::ClassWeights;

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
    /// The texts behind the codes, column by column, if they were asked for (see [`PrepareOptions::texts`]).
    pub texts: Vec<TextValues>,
}

/// The texts of a column.
#[derive(Clone, Debug)]
pub struct TextValues {
    /// Its place among the columns of the encoder.
    pub column: u32,
    /// Its texts.
    pub words: Words,
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
    /// Keep the texts themselves beside their codes: some boosters begin with them.
    pub texts: bool,
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
    pub remarks: Remarks,
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
    prepare_among(table, options, ALONE)
}

/// Prepares a worker's part of a training table (and frees it). All workers call this, and each gets what its rows are in the table
/// that all have together: the same schema and encoder, one layout, one unit of weights.
pub fn prepare_among(table: Table, options: &PrepareOptions, exchange: &dyn Exchange) -> Result<Prepared> {
    together(|| {
        options.encode.validate()?;
        let table = agree::columns(table, exchange)?;
        let (table, answers) = Answers::read(table, options, exchange)?;
        let mut prepared = answers.prepared(&Features::of(&table), options, exchange)?;
        if options.values {
            let values = Frame::new(table, &prepared.encoder);
            prepared.dataset.values = Some(all_or_none(exchange, values)?);
        }
        Ok(prepared)
    })
}

/// Prepares training rows whose features are lent; `answers` has their other columns. The features are copied only if
/// their values are asked for.
pub fn prepare_columns(
    answers: Table,
    features: &dyn ColumnSource,
    options: &PrepareOptions,
) -> Result<Prepared> {
    prepare_columns_among(answers, features, options, ALONE)
}

/// The same of a worker's part of such rows.
pub fn prepare_columns_among(
    answers: Table,
    features: &dyn ColumnSource,
    options: &PrepareOptions,
    exchange: &dyn Exchange,
) -> Result<Prepared> {
    together(|| {
        options.encode.validate()?;
        let lent = Lent::new(features, exchange)?;
        let (_, answers) = Answers::read(agree::columns(answers, exchange)?, options, exchange)?;
        let rows = answers.rows.clone();
        let some;
        let features: &dyn ColumnSource = match &rows {
            Some(rows) => {
                some = RowSubset { of: &lent, rows };
                &some
            }
            None => &lent,
        };
        let mut prepared = answers.prepared(features, options, exchange)?;
        if options.values {
            let values = features.table().and_then(|table| Frame::new(table, &prepared.encoder));
            prepared.dataset.values = Some(all_or_none(exchange, values)?);
        }
        Ok(prepared)
    })
}

/// What training rows have besides features.
struct Answers {
    labels: Labels,
    target: TargetSpec,
    weights: Weights,
    /// Which rows of the table they are, if not all are there once.
    rows: Option<Vec<u32>>,
    notes: Vec<String>,
}

impl Answers {
    /// Those of a table, and the table of their rows.
    fn read(table: Table, options: &PrepareOptions, exchange: &dyn Exchange) -> Result<(Table, Self)> {
        let (table, weights, rows) = weigh(table, exchange)?;
        let numbers = RowNumbers(rows.as_deref());
        let (labels, target, notes) =
            Labels::read_among(&table, options.labels.as_deref(), numbers, exchange)?;
        let Some(class_weights) = &options.class_weights else {
            return Ok((table, Self { labels, target, weights, rows, notes }));
        };
        let (weights, again) = class_weights.times(&weights, &labels, exchange)?;
        let Some(again) = again else {
            return Ok((table, Self { labels, target, weights, rows, notes }));
        };
        let of = |&row: &u32| rows.as_ref().map_or(row, |rows| rows[row as usize]);
        let rows = Some(again.iter().map(of).collect());
        Ok((table.select(&again), Self { labels: labels.select(&again), target, weights, rows, notes }))
    }

    /// The rows with their features.
    fn prepared(
        self,
        features: &dyn ColumnSource,
        options: &PrepareOptions,
        exchange: &dyn Exchange,
    ) -> Result<Prepared> {
        let Self { labels, target, weights, mut notes, .. } = self;
        let schema = Schema { features: features.features(), target };
        if schema.features.is_empty() {
            let what = format!(
                "{}: 0 feature(s) (shape=({}, 0)) while a minimum of 1 is required",
                features.source(),
                features.rows()
            );
            return Err(Error::new(ErrorKind::Column, what, "give at least one feature column"));
        }
        let (encoder, bins, mut remarks) = Encoder::fit_among(features, &weights, &options.encode, exchange)?;
        let texts = if options.texts { texts(features, &schema)? } else { Vec::new() };
        notes.append(&mut remarks.notes);
        remarks.notes = notes;
        let dataset = Dataset { bins, labels, weights, values: None, texts };
        Ok(Prepared { dataset, schema, encoder, remarks })
    }
}

/// The texts of all columns of text.
fn texts(features: &dyn ColumnSource, schema: &Schema) -> Result<Vec<TextValues>> {
    let mut texts = Vec::new();
    for (at, _) in schema.features.iter().enumerate().filter(|(_, spec)| spec.kind == Kind::Text) {
        if let Values::Words(words) = features.values(at)?.into_owned() {
            texts.push(TextValues { column: at as u32, words });
        }
    }
    Ok(texts)
}

/// Looks at a table with answers as a model does. Without answers, [`Frame::new`] is all there is to do.
pub fn apply(table: Table, schema: &Schema, encoder: &Encoder) -> Result<Applied> {
    apply_among(table, schema, encoder, ALONE)
}

/// The same of a worker's part of such a table.
pub fn apply_among(
    table: Table,
    schema: &Schema,
    encoder: &Encoder,
    exchange: &dyn Exchange,
) -> Result<Applied> {
    together(|| {
        let (mut table, weights, kept) = weigh(agree::columns(table, exchange)?, exchange)?;
        // A feature may have the name that weights were given.
        table.columns.retain(|column| column.role != Role::Weight);
        let applied = || {
            let (labels, mut notes) =
                Labels::read_known(&table, &schema.target, RowNumbers(kept.as_deref()))?;
            notes.extend(encoder.unseen(&table)?);
            Ok(Applied { frame: Frame::new(table, encoder)?, labels, weights, notes })
        };
        all_or_none(exchange, applied())
    })
}

/// The rows of positive weight, their weights, and which rows they are if some were dropped.
fn weigh(table: Table, exchange: &dyn Exchange) -> Result<(Table, Weights, Option<Vec<u32>>)> {
    if !any(exchange, table.rows > 0) {
        let what = format!("{}: no rows", table.source);
        return Err(Error::new(ErrorKind::Limit, what, "give at least one row"));
    }
    if any(exchange, table.rows >= u32::MAX as usize) {
        let what = format!("{}: {} rows", table.source, table.rows);
        return Err(Error::new(ErrorKind::Limit, what, "at most 4,294,967,294 rows are accepted"));
    }
    let (weights, kept) = Weights::read_among(&table, exchange)?;
    let table = match &kept {
        Some(rows) => table.select(rows),
        None => table,
    };
    Ok((table, weights, kept))
}
