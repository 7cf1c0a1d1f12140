//! One column of training rows: what its codes mean, the codes, and what the user should know about it.

use manyboost_kernel::bins::{Codes, Feature};

use super::time::{TimeCodec, looked_at};
use super::{CategoryCodec, Codec, EncodeOptions, NumberCodec, TextCodec, check_values};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::FeatureSpec;
use crate::schema::role::{Clock, Kind};
use crate::table::suspect::{Categories, Seen};
use crate::table::{Numbers, Values};
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

/// What there is to say of a column that one does not see in its codes.
#[derive(Default)]
pub(super) struct Noted {
    note: Option<&'static str>,
    warning: Option<String>,
    missing: bool,
    rare: usize,
}

impl Noted {
    pub(super) fn numbers((codec, any): (NumberCodec, bool)) -> (Codec, Self) {
        let note = (!any).then_some("no values: ignored");
        (Codec::Number(codec), Self { note, ..Self::default() })
    }

    /// Times, from the bins of their seconds and of all parts, and whether there are any.
    pub(super) fn times(clock: Clock, all: impl Iterator<Item = (NumberCodec, bool)>) -> (Codec, Self) {
        let (bins, any): (Vec<NumberCodec>, Vec<bool>) = all.unzip();
        let note = (!any.contains(&true)).then_some("no values: ignored");
        (Codec::Time(TimeCodec::new(clock, bins)), Self { note, ..Self::default() })
    }

    pub(super) fn category(codec: CategoryCodec, seen: &Seen<'_>) -> (Codec, Self) {
        let Categories { missing, rare, warning } = Categories::judge(seen, &codec);
        let ignored = codec.bins() == 0 && warning.is_none();
        let note = ignored.then_some("no values that are not rare: ignored");
        (Codec::Category(codec), Self { note, warning, missing, rare })
    }

    pub(super) fn text(codec: TextCodec) -> (Codec, Self) {
        let note = (codec.width() == 0).then_some("no words in enough rows: ignored");
        (Codec::Text(codec), Self { note, ..Self::default() })
    }
}

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
        self.check(spec, values)?;
        let (codec, noted) = self.codec(values, spec.kind);
        Ok(self.coded(spec, values, codec, &noted))
    }

    /// Refuses values of another kind than the column's.
    pub(super) fn check(&self, spec: &FeatureSpec, values: &Values) -> Result<()> {
        if spec.kind == Kind::Time(Clock::Open) {
            return Err(self.undecided(&spec.name));
        }
        check_values(self.source, &spec.name, spec.kind, values)
    }

    /// The error of dates of which nothing says what is the day and what the month.
    fn undecided(&self, name: &str) -> Error {
        let what = format!(
            "{}: column {}: nothing tells day and month apart in its dates, as in 03/04/2021",
            self.source,
            wording::name(name)
        );
        let remedy = format!(
            "say which comes first (`dates=day-first` or `dates=month-first`), write dates as 2021-03-31, or leave the column out ({})",
            wording::option("ignore", name)
        );
        Error::new(ErrorKind::Column, what, remedy)
    }

    /// Decides what the codes of a column mean.
    fn codec(&self, values: &Values, kind: Kind) -> (Codec, Noted) {
        let (units, one) = (self.weights.units(), self.weights.one());
        match values {
            Values::Numbers(numbers) => {
                let fit =
                    |numbers: &Numbers| NumberCodec::fit(numbers, units, self.uniform, self.options.bins);
                match kind {
                    Kind::Time(clock) => {
                        Noted::times(clock, looked_at(clock, numbers).map(|numbers| fit(&numbers)))
                    }
                    _ => Noted::numbers(fit(numbers)),
                }
            }
            Values::SparseNumbers(entries) => {
                Noted::numbers(NumberCodec::fit_sparse(entries, units, self.total, self.options.bins))
            }
            Values::Words(words) if kind == Kind::Category => {
                let codec = CategoryCodec::fit(words, units, u64::from(self.options.rare) * one);
                Noted::category(codec, &Seen::of(words))
            }
            Values::Words(words) => {
                let least = u64::from(self.options.min_docs) * one;
                Noted::text(TextCodec::fit(words, units, self.options.ngrams, least))
            }
        }
    }

    /// The codes of a column, and what the user should know of it.
    pub(super) fn coded(&self, spec: &FeatureSpec, values: &Values, codec: Codec, noted: &Noted) -> Fitted {
        let about = |what: &str| format!("{}: column {}: {what}", self.source, wording::name(&spec.name));
        let remarks = Remarks {
            notes: noted.note.map(about).into_iter().collect(),
            warnings: noted.warning.as_deref().map(about).into_iter().collect(),
            missing: usize::from(noted.missing),
            rare: noted.rare,
        };
        let codes = codec.encode(values);
        (codec, codes, remarks)
    }
}
