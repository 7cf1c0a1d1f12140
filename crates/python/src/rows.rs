//! Rows with answers, as Python gives them.

use manyboost_data::agree::{all_or_none, together};
use manyboost_data::{
    Applied, Column, ColumnSource, Encoder, Numbers, Part, Result, Role, RowSubset, Schema, Table, Values,
    apply_among,
};
use manyboost_kernel::Exchange;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::columns::{Columns, Held, SOURCE, View, table};
use crate::work::Flag;

/// Rows with answers.
#[derive(FromPyObject)]
pub struct Rows<'py> {
    count: usize,
    columns: Bound<'py, PyList>,
    /// The column of the class, or those of labels: name and values.
    answers: Vec<(String, Bound<'py, PyAny>)>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
}

/// Rows, held so that they stay where they are.
pub struct HeldRows<'py> {
    count: usize,
    columns: Vec<Held<'py>>,
    answers: Vec<(String, Held<'py>)>,
    weights: Option<Vec<f64>>,
}

impl<'py> HeldRows<'py> {
    pub fn new(rows: &Rows<'py>) -> PyResult<Self> {
        let answer = |(name, values): &(String, _)| Ok((name.clone(), Held::new(values)?));
        let answers = rows.answers.iter().map(answer).collect::<PyResult<_>>()?;
        let weights = rows.weights.as_ref().map(|weights| weights.as_array().to_vec());
        Ok(Self { count: rows.count, columns: Held::all(&rows.columns)?, answers, weights })
    }

    pub fn look<'a>(&'a self, names: &'a [String], stop: &'a Flag) -> Looked<'a> {
        let views = Held::views(&self.columns);
        let named = |(name, held): &'a (String, Held<'_>)| {
            let view = Held::views(std::slice::from_ref(held)).into_iter().next()?;
            Some((name.as_str(), view))
        };
        let answers = self.answers.iter().filter_map(named).collect();
        let weights = self.weights.as_deref();
        Looked { columns: Columns { names, views, rows: self.count, stop }, answers, weights }
    }
}

/// Rows, to look at.
pub struct Looked<'a> {
    pub columns: Columns<'a>,
    answers: Vec<(&'a str, View<'a>)>,
    weights: Option<&'a [f64]>,
}

impl Looked<'_> {
    /// What there is besides features.
    pub fn answers(&self) -> Result<Table> {
        let rows = self.columns.rows;
        let mut columns = Vec::new();
        for (name, view) in &self.answers {
            let values = view.values(name, 0..rows)?;
            let role = if matches!(values, Values::Words(_)) { Role::Target } else { Role::Label };
            columns.push(Column { name: (*name).to_string(), role, values });
        }
        if let Some(weights) = self.weights {
            let values = Values::Numbers(Numbers::F64(weights.to_vec()));
            columns.push(Column { name: WEIGHT.into(), role: Role::Weight, values });
        }
        Ok(Table { source: SOURCE.into(), columns, rows, notes: Vec::new() })
    }

    /// The rows, or some of them, copied, as a model looks at them.
    pub fn applied(
        &self,
        some: Option<&Part>,
        schema: &Schema,
        encoder: &Encoder,
        exchange: &dyn Exchange,
    ) -> Result<Applied> {
        let table = together(|| all_or_none(exchange, self.looked_at(some, schema)))?;
        apply_among(table, schema, encoder, exchange)
    }

    fn looked_at(&self, some: Option<&Part>, schema: &Schema) -> Result<Table> {
        let answers = self.answers()?;
        let (mut table, answers) = if let Some(part) = some {
            (RowSubset { of: &self.columns, rows: &part.rows }.table()?, answers.part(part))
        } else {
            let all = 0..self.columns.rows;
            (table(&schema.features, &self.columns.views, all)?, answers)
        };
        table.columns.extend(answers.columns);
        Ok(table)
    }
}

/// What the weights of rows are called.
const WEIGHT: &str = "sample_weight";
