//! What a column does to the answers of any model, whatever its hypotheses are: the column is given other values, and the model is asked.
//!
//! *Partial dependence* (Friedman 2001) gives all rows the same value and takes the mean answer; *individual curves* (Goldstein et al. 2015)
//! leave the rows apart; *accumulated local effects* (Apley & Zhu 2020) move rows only between values near their own, so that columns
//! which go together are not torn apart. The same with two columns at a time.
//!
//! ```
//! use manyboost::explain::effects::{Effects, Output};
//! use manyboost::prelude::*;
//!
//! # fn main() -> manyboost::data::Result<()> {
//! let table = Table::from_rows(&[[0.0, 5.0], [1.0, 6.0], [2.0, 5.0], [3.0, 6.0]], &["low", "low", "high", "high"])?;
//! let model = Boost::named("samme").rounds(5).option("learner", "stump").fit(&table)?;
//! let mut effects = Effects::new(&model, &table, Output::Probabilities)?;
//! let name = effects.columns()[0].to_string();
//! let axis = effects.axis(&name, 10)?;
//! let found = effects.partial(&[axis])?;
//! // Four values, and what is answered where all rows have the first of them: "low".
//! assert_eq!((found.points(), found.at(0).len()), (4, 2));
//! # Ok(())
//! # }
//! ```

mod accumulated;
mod axis;

pub use axis::Axis;

use manyboost_data::memory::claim;
use manyboost_data::{Error, ErrorKind, Frame, FrameColumn, Result, Table};

use crate::engine::scores::Scores;
use crate::model::Model;
use crate::predict::Predictor;

/// What is asked of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Probabilities of classes.
    Probabilities,
    /// Scores of classes.
    Scores,
}

/// What one or two columns do: numbers of each class at each point.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The columns and their values. Points are the pairs of two columns, the second fastest.
    pub axes: Vec<Axis>,
    /// Number of classes, or labels.
    pub classes: usize,
    /// For partial and accumulated effects point after point, class after class; for individual curves row after row.
    pub values: Vec<f64>,
}

impl Effect {
    /// Number of points.
    pub fn points(&self) -> usize {
        self.axes.iter().map(|axis| axis.values.len()).product()
    }

    /// The numbers of all classes at a point; of individual curves, at a point of the row `number / points`.
    pub fn at(&self, number: usize) -> &[f64] {
        &self.values[number * self.classes..(number + 1) * self.classes]
    }

    /// The places of a point on its axes.
    pub fn places(&self, point: usize) -> Vec<usize> {
        match &self.axes[..] {
            [_, second] => vec![point / second.values.len(), point % second.values.len()],
            _ => vec![point],
        }
    }
}

/// A model and the rows that it is asked about.
pub struct Effects<'a> {
    model: &'a Model,
    predictor: Predictor,
    frame: Frame,
    output: Output,
    classes: usize,
}

impl<'a> Effects<'a> {
    /// On the rows of a table.
    pub fn new(model: &'a Model, table: &Table, output: Output) -> Result<Self> {
        Self::of_frame(model, model.frame(table)?, output)
    }

    /// On rows as the model looks at them.
    pub fn of_frame(model: &'a Model, frame: Frame, output: Output) -> Result<Self> {
        if frame.rows() == 0 {
            let what = "there are no rows to ask the model about";
            return Err(Error::new(ErrorKind::Parameter, what, "give rows that are like those of training"));
        }
        model.ensemble.claim(frame.rows().saturating_mul(4))?;
        let classes = model.ensemble.reading.classes(model.ensemble.start.len());
        Ok(Self { model, predictor: model.predictor(), frame, output, classes })
    }

    /// The names of the columns.
    pub fn columns(&self) -> Vec<&'a str> {
        self.model.encoder.column_encoders().iter().map(|column| column.name.as_str()).collect()
    }

    /// A column with values of its rows: all of them, or so many quantiles. Levels are those that occur; missing is a value too.
    pub fn axis(&self, column: &str, most: usize) -> Result<Axis> {
        Axis::find(self.model, &self.frame, column, most)
    }

    /// The mean answer where all rows have the same value of a column, or of two, at each point.
    pub fn partial(&mut self, axes: &[Axis]) -> Result<Effect> {
        let classes = self.classes;
        let mut effect = check(axes).map(|()| Effect { axes: axes.to_vec(), classes, values: Vec::new() })?;
        let rows = self.frame.rows();
        for point in 0..effect.points() {
            let scores = self.at(&effect, point);
            let mut sums = vec![0.0; classes];
            for row in 0..rows {
                sums.iter_mut().zip(scores.row(row)).for_each(|(sum, x)| *sum += x);
            }
            effect.values.extend(sums.iter().map(|sum| sum / rows as f64));
        }
        Ok(effect)
    }

    /// The answers of each row with each value of a column, or of two.
    pub fn individual(&mut self, axes: &[Axis]) -> Result<Effect> {
        let classes = self.classes;
        let mut effect = check(axes).map(|()| Effect { axes: axes.to_vec(), classes, values: Vec::new() })?;
        let (rows, points) = (self.frame.rows(), effect.points());
        let numbers = [points, classes].iter().fold(rows, |all, n| all.saturating_mul(*n));
        let remedy = "give fewer rows, or ask for fewer points";
        claim((numbers as u64).saturating_mul(8), &format!("{points} points of {rows} rows"), remedy)?;
        effect.values = vec![0.0; numbers];
        for point in 0..points {
            let scores = self.at(&effect, point);
            for row in 0..rows {
                let first = (row * points + point) * classes;
                effect.values[first..first + classes].copy_from_slice(scores.row(row));
            }
        }
        Ok(effect)
    }

    /// The answers of all rows at a point.
    fn at(&mut self, effect: &Effect, point: usize) -> Scores {
        let rows = self.frame.rows();
        let given = effect.axes.iter().zip(effect.places(point));
        let given = given.map(|(axis, place)| (axis.column, vec![axis.values[place]; rows])).collect();
        self.asked(given)
    }

    /// The answers of all rows with other values in some columns.
    fn asked(&mut self, given: Vec<(usize, Vec<f64>)>) -> Scores {
        let mut columns: Vec<(usize, FrameColumn)> = given
            .into_iter()
            .map(|(column, values)| (column, self.frame.column_of(column, values)))
            .collect();
        for (column, values) in &mut columns {
            self.frame.swap_column(*column, values);
        }
        let scores = match self.output {
            Output::Probabilities => self.predictor.probabilities(&self.frame),
            Output::Scores => self.predictor.scores(&self.frame),
        };
        for (column, values) in &mut columns {
            self.frame.swap_column(*column, values);
        }
        scores
    }
}

/// Refuses anything but one column, or two that differ.
fn check(axes: &[Axis]) -> Result<()> {
    let what = match axes {
        [_] => return Ok(()),
        [a, b] if a.column != b.column => return Ok(()),
        [a, _] => format!("column {:?} is given twice", a.name),
        _ => format!("effects of {} columns are not computed", axes.len()),
    };
    Err(Error::new(ErrorKind::Parameter, what, "give one column, or two that differ"))
}
