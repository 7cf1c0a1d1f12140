//! One column of training rows: what its codes mean, the codes, and what the user should know about it.

use manyboost_kernel::bins::{Codes, Feature};

use super::{CategoryCodec, Codec, EncodeOptions, NumberCodec, TextCodec, unlike};
use crate::error::Result;
use crate::schema::FeatureSpec;
use crate::schema::role::Kind;
use crate::table::Values;
use crate::table::suspect::Categories;
use crate::weights::Weights;
use crate::wording;

/// What the user should know about columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remarks {
    /// What happened to them.
    pub notes: Vec<String>,
    /// What looks like a mistake, and what to do.
    pub warnings: Vec<String>,
    /// Columns of numbers and categories in which values are missing.
    pub missing: usize,
    /// Categories that are too rare for a level.
    pub rare: usize,
}

impl Remarks {
    pub(super) fn extend(&mut self, other: Self) {
        self.notes.extend(other.notes);
        self.warnings.extend(other.warnings);
        self.missing += other.missing;
        self.rare += other.rare;
    }
}

/// What a column's codes mean, the codes, and what the user should know.
pub(super) type Fitted = (Codec, Vec<(Feature, Codes)>, Remarks);

/// What deciding about a column needs besides the column.
pub(super) struct Fitting<'a> {
    pub source: &'a str,
    pub weights: &'a Weights,
    /// All weights together, in units.
    pub total: u64,
    pub uniform: bool,
    pub options: &'a EncodeOptions,
}

impl Fitting<'_> {
    /// Decides what the codes of a column mean, and gives them.
    pub(super) fn fit(&self, spec: &FeatureSpec, values: &Values) -> Result<Fitted> {
        let (units, one) = (self.weights.units(), self.weights.one());
        let about = |what: &str| format!("{}: column {}: {what}", self.source, wording::name(&spec.name));
        let mut remarks = Remarks::default();
        let mut note = |whether: bool, what: &str| remarks.notes.extend(whether.then(|| about(what)));
        let codec = match (spec.kind, values) {
            (Kind::Number, Values::Numbers(numbers)) => {
                let (codec, any) = NumberCodec::fit(numbers, units, self.uniform, self.options.bins);
                note(!any, "no values: ignored");
                Codec::Number(codec)
            }
            (Kind::Number, Values::SparseNumbers(entries)) => {
                let (codec, any) = NumberCodec::fit_sparse(entries, units, self.total, self.options.bins);
                note(!any, "no values: ignored");
                Codec::Number(codec)
            }
            (Kind::Category, Values::Words(words)) => {
                let codec = CategoryCodec::fit(words, units, u64::from(self.options.rare) * one);
                let seen = Categories::look(words, &codec);
                note(codec.bins() == 0 && seen.warning.is_none(), "no values that are not rare: ignored");
                remarks.warnings.extend(seen.warning.as_deref().map(about));
                (remarks.missing, remarks.rare) = (usize::from(seen.missing), seen.rare);
                Codec::Category(codec)
            }
            (Kind::Text, Values::Words(words)) => {
                let least = u64::from(self.options.min_docs) * one;
                let codec = TextCodec::fit(words, units, self.options.ngrams, least);
                note(codec.width() == 0, "no words in enough rows: ignored");
                Codec::Text(codec)
            }
            (Kind::Number, Values::Words(_)) => return Err(unlike(self.source, &spec.name, "numbers")),
            _ => return Err(unlike(self.source, &spec.name, "words")),
        };
        let codes = codec.encode(values);
        if spec.kind == Kind::Number {
            remarks.missing = usize::from(codes.iter().any(|(feature, _)| feature.missing));
        }
        Ok((codec, codes, remarks))
    }
}
