//! Laying an exported graph beside the model that it was made of.

use manyboost::engine::scores::argmax;
use manyboost::model::Model;
use manyboost_data::{Frame, Kind, Result, Table, TargetSpec, Values};

use crate::build::columns;
use crate::graph::Graph;
use crate::run::Input;

/// How far graph and model are apart on some rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Rows that were looked at.
    pub rows: usize,
    /// Rows with another label.
    pub labels: usize,
    /// The largest difference of two scores.
    pub scores: f64,
    /// The largest difference of two probabilities.
    pub probabilities: f64,
}

/// Runs both on the rows of a table.
pub fn probe(model: &Model, graph: &Graph, table: &Table) -> Result<Difference> {
    let rows = table.rows;
    let (numbers, categories) = (columns(model, Kind::Number), columns(model, Kind::Category));
    let mut input = Input {
        rows,
        numbers: vec![f64::NAN; rows * numbers.len()],
        categories: vec![String::new(); rows * categories.len()],
    };
    for (at, name) in numbers.iter().enumerate() {
        for row in 0..rows {
            input.numbers[row * numbers.len() + at] = match table.column(name).map(|column| &column.values) {
                Some(Values::Numbers(values)) => values.get(row),
                Some(Values::SparseNumbers(entries)) => entries
                    .binary_search_by_key(&(row as u32), |entry| entry.0)
                    .map_or(0.0, |at| entries[at].1),
                _ => f64::NAN,
            };
        }
    }
    for (at, name) in categories.iter().enumerate() {
        if let Some(Values::Words(words)) = table.column(name).map(|column| &column.values) {
            for row in 0..rows {
                input.categories[row * categories.len() + at] = words.get(row).unwrap_or("").to_string();
            }
        }
    }
    let output = graph.run(&input);
    let frame = Frame::new(table.clone(), &model.encoder)?;
    let predictor = model.predictor();
    let (scores, probabilities) = (predictor.scores(&frame), predictor.probabilities(&frame));
    let apart = |ours: &[f64], theirs: &[f64]| {
        let each = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs());
        if ours.len() == theirs.len() { each.fold(0.0, f64::max) } else { f64::INFINITY }
    };
    let label = |row: usize| match &model.schema.target {
        TargetSpec::Classes { names, .. } => names[argmax(scores.row(row))].clone(),
        TargetSpec::Sets { .. } => scores.row(row).iter().map(|x| if *x > 0.0 { '1' } else { '0' }).collect(),
    };
    let wrong = (0..rows).filter(|&row| output.labels.get(row) != Some(&label(row))).count();
    Ok(Difference {
        rows,
        labels: wrong,
        scores: apart(scores.values(), &output.scores),
        probabilities: apart(probabilities.values(), &output.probabilities),
    })
}
