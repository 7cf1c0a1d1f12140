//! Lent features as a worker's part of those that all workers have together.

use std::borrow::Cow;

use manyboost_kernel::Exchange;
use serde::{Deserialize, Serialize};

use crate::agree::gather;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::FeatureSpec;
use crate::schema::role::Kind;
use crate::table::source::ColumnSource;
use crate::table::{Numbers, Values, Words};
use crate::wording;

/// Lent features, of the kinds that they have where the first rows are.
pub(crate) struct Lent<'a> {
    of: &'a dyn ColumnSource,
    features: Vec<FeatureSpec>,
    /// Whether some worker lists only what is not zero.
    sparse: Vec<bool>,
}

/// What a worker has to say of its features.
#[derive(Serialize, Deserialize)]
struct Shape {
    rows: u64,
    features: Vec<FeatureSpec>,
    sparse: Vec<bool>,
}

impl<'a> Lent<'a> {
    /// Agrees with the other workers on what columns there are.
    pub(crate) fn new(of: &'a dyn ColumnSource, exchange: &dyn Exchange) -> Result<Self> {
        let features = of.features();
        let sparse = (0..features.len()).map(|at| of.is_sparse(at)).collect();
        if exchange.alone() {
            return Ok(Self { of, features, sparse });
        }
        let own = Shape { rows: of.rows() as u64, features, sparse };
        let shapes = gather(exchange, &own);
        let there = || shapes.iter().enumerate().filter(|(_, shape)| shape.rows > 0);
        let first = there().next().map_or(&own, |(_, first)| first);
        for (rank, shape) in there() {
            shape.check(rank, first)?;
        }
        let any = |at: usize| there().any(|(_, shape)| shape.sparse.get(at) == Some(&true));
        let sparse = (0..first.features.len()).map(any).collect();
        Ok(Self { of, features: first.features.clone(), sparse })
    }
}

impl Shape {
    fn check(&self, rank: usize, first: &Self) -> Result<()> {
        let names = |shape: &Self| shape.features.iter().map(|spec| spec.name.clone()).collect::<Vec<_>>();
        if names(self) != names(first) {
            let what = format!("worker {rank}: other columns than where the first rows are");
            return Err(Error::new(
                ErrorKind::Column,
                what,
                "give all parts the same columns in the same order",
            ));
        }
        match self.features.iter().zip(&first.features).find(|(own, other)| own.kind != other.kind) {
            None => Ok(()),
            Some((own, _)) => {
                let name = wording::name(&own.name);
                let what =
                    format!("worker {rank}: column {name} is of another kind than where the first rows are");
                let remedy = "say what kind it is (`categorical`, `text`), or leave it out";
                Err(Error::new(ErrorKind::Column, what, remedy))
            }
        }
    }
}

impl ColumnSource for Lent<'_> {
    fn source(&self) -> &str {
        self.of.source()
    }

    fn rows(&self) -> usize {
        self.of.rows()
    }

    fn features(&self) -> Vec<FeatureSpec> {
        self.features.clone()
    }

    fn values(&self, column: usize) -> Result<Cow<'_, Values>> {
        if self.rows() == 0 {
            // It may have no columns at all.
            return Ok(Cow::Owned(match self.features[column].kind {
                Kind::Number if self.sparse[column] => Values::SparseNumbers(Vec::new()),
                Kind::Number | Kind::Time(_) => Values::Numbers(Numbers::I8(Vec::new())),
                Kind::Category | Kind::Text => Values::Words(Words::default()),
            }));
        }
        let values = self.of.values(column)?;
        match (values.as_ref(), self.sparse[column]) {
            (Values::Numbers(numbers), true) => Ok(Cow::Owned(listed(numbers))),
            _ => Ok(values),
        }
    }

    fn work(&self, column: usize) -> usize {
        if self.rows() == 0 { 0 } else { self.of.work(column) }
    }

    fn is_sparse(&self, column: usize) -> bool {
        self.sparse[column]
    }
}

/// The numbers that are not zero.
pub(crate) fn listed(numbers: &Numbers) -> Values {
    let all = (0..numbers.len()).map(|row| (row as u32, numbers.get(row)));
    Values::SparseNumbers(all.filter(|(_, value)| *value != 0.0).collect())
}
