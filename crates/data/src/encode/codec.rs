//! What the codes of one column mean, whatever is in it.

use manyboost_kernel::bins::{Codes, Feature, Order};
use serde::{Deserialize, Serialize};

use super::{CategoryCodec, NumberCodec, TextCodec, TimeCodec};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::role::Kind;
use crate::table::Values;
use crate::wording;

/// What the codes of one column mean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Codec {
    /// Bins of numbers: one feature.
    Number(NumberCodec),
    /// Levels of categories: one feature.
    Category(CategoryCodec),
    /// N-grams of text: one feature each.
    Text(TextCodec),
    /// Times: their seconds, and parts of the calendar.
    Time(TimeCodec),
}

/// One column's codes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoder {
    /// The column.
    pub name: String,
    /// What its codes mean.
    pub codec: Codec,
}

impl Codec {
    /// Number of features.
    pub fn width(&self) -> usize {
        match self {
            Self::Text(text) => text.width(),
            Self::Time(times) => times.width(),
            Self::Number(_) | Self::Category(_) => 1,
        }
    }

    /// The codes of a column of the right kind.
    pub(super) fn encode(&self, values: &Values) -> Vec<(Feature, Codes)> {
        match (self, values) {
            (Self::Number(codec), Values::Numbers(numbers)) => vec![codec.encode(numbers)],
            (Self::Number(codec), Values::SparseNumbers(entries)) => vec![codec.encode_sparse(entries)],
            (Self::Category(codec), Values::Words(words)) => vec![codec.encode(words)],
            (Self::Text(codec), Values::Words(words)) => codec.encode(words),
            (Self::Time(codec), Values::Numbers(seconds)) => codec.encode(seconds),
            _ => Vec::new(),
        }
    }
}

/// Refuses values of another kind than that of their column.
pub(super) fn check_values(source: &str, name: &str, kind: Kind, values: &Values) -> Result<()> {
    let wanted = match (kind, values) {
        (Kind::Number, Values::Numbers(_) | Values::SparseNumbers(_))
        | (Kind::Time(_), Values::Numbers(_))
        | (Kind::Category | Kind::Text, Values::Words(_)) => return Ok(()),
        (Kind::Number, Values::Words(_)) => "numbers",
        (Kind::Time(_), _) => "dates or times",
        (Kind::Category | Kind::Text, _) => "words",
    };
    Err(unlike(source, name, wanted))
}

fn unlike(source: &str, column: &str, wanted: &str) -> Error {
    let what = format!("{source}: column {} does not hold {wanted}", wording::name(column));
    Error::new(ErrorKind::Column, what, "give the column the kind of values that it is used as")
}

/// Codes in the narrowest layout, and whether missing occurs among them.
pub(super) fn pack(order: Order, bins: u32, codes: impl Iterator<Item = u32>) -> (Feature, Codes) {
    let mut missing = false;
    let codes = codes.inspect(|&code| missing |= code == bins);
    let codes = if bins <= 255 {
        Codes::Bytes(codes.map(|code| code as u8).collect())
    } else {
        Codes::U32(codes.collect())
    };
    (Feature { order, bins, missing }, codes)
}
