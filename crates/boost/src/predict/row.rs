//! One row after the other: answers to single rows in microseconds, for programs that serve a model.
//!
//! Tables have a price that only many rows pay back. Here a row is a slice of cells in the order of the model's columns, and it
//! walks through several trees at a time, because one walk mostly waits for memory. Scores are those of
//! [`Predictor`], to the bit.
//!
//! ```
//! use manyboost::prelude::*;
//!
//! # fn main() -> manyboost::data::Result<()> {
//! let rows = [[0.0, 1.0], [0.1, 3.0], [5.0, 2.0], [6.0, 0.5]].repeat(10);
//! let table = Table::from_rows(&rows, &["low", "low", "high", "high"].repeat(10))?;
//! let model = McBoost::new().rounds(20).fit(&table)?;
//! let predictor = model.row_predictor();
//! assert_eq!(predictor.answer(&[5.5, 1.0])?, "high");
//! let p = predictor.probabilities(&[Cell::Number(0.2), Cell::Missing])?;
//! assert!(p[1] > 0.5); // classes are in the order of their names
//! # Ok(())
//! # }
//! ```

use std::borrow::Cow;

use manyboost_data::{Cell, Result, RowReader, TargetSpec};

use super::Predictor;
use crate::model::Model;
use crate::model::answer::named;

/// A model, ready to answer one row after the other.
#[derive(Clone, Debug)]
pub struct RowPredictor {
    predictor: Predictor,
    reader: RowReader,
    target: TargetSpec,
}

impl RowPredictor {
    /// Of all rounds of a model.
    pub(crate) fn new(model: &Model) -> Self {
        let predictor = model.predictor();
        let reader = RowReader::new(&model.encoder, predictor.features());
        Self { predictor, reader, target: model.schema.target.clone() }
    }

    /// The same for many rows at a time.
    pub fn predictor(&self) -> &Predictor {
        &self.predictor
    }

    /// The score of each class, or of each label. A row has a cell for each column of the model, in its order.
    pub fn scores<'a, C: Into<Cell<'a>> + Copy>(&self, row: &[C]) -> Result<Vec<f64>> {
        let cells: Vec<Cell<'a>> = row.iter().map(|&cell| cell.into()).collect();
        let text = |column: usize| match cells.get(column) {
            Some(Cell::Word(text)) => Some(*text),
            _ => None,
        };
        Ok(self.predictor.row_scores(&self.reader.values(&cells)?, text))
    }

    /// The probability of each class, or of each label.
    pub fn probabilities<'a, C: Into<Cell<'a>> + Copy>(&self, row: &[C]) -> Result<Vec<f64>> {
        Ok(self.predictor.row_probabilities(self.scores(row)?))
    }

    /// The class, or the labels with spaces between them.
    pub fn answer<'a, C: Into<Cell<'a>> + Copy>(&self, row: &[C]) -> Result<Cow<'_, str>> {
        Ok(named(&self.target, &self.scores(row)?))
    }
}
