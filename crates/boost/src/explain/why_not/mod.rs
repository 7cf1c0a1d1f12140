//! Why not another answer: the smallest changes of a row after which the model answers otherwise.
//!
//! A model of trees tells values apart by its thresholds and levels only, so the rows that it can tell apart are finitely many, and a search
//! over them is exact. Fewer columns are a smaller change; of as many, those whose values move less, each by the spread of its
//! column. For one column after the other, then for all pairs, and so on, ranges of steps are halved as long as a bound allows the other
//! answer: no tree can do more for it than the best leaf that is within reach.
//!
//! ```
//! use std::time::Duration;
//! use manyboost::explain::why_not::WhyNot;
//! use manyboost::prelude::*;
//!
//! # fn main() -> manyboost::data::Result<()> {
//! let table = Table::from_rows(&[[0.0, 5.0], [1.0, 6.0], [2.0, 5.0], [3.0, 6.0]], &["low", "low", "high", "high"])?;
//! let model = Boost::named("samme").rounds(5).option("learner", "stump").fit(&table)?;
//! let why_not = WhyNot::new(&model, &[])?;
//! let sought = why_not.find(&model.frame(&table)?, 0, None, Duration::from_secs(10));
//! let found = sought.found.expect("there are two classes");
//! // The first row is low, and would be high if its first column were above the threshold.
//! assert!(found.changes.len() == 1 && found.changes[0].to > 1.0 && sought.complete);
//! # Ok(())
//! # }
//! ```

mod bounds;
mod search;
mod steps;

use std::time::Duration;

use manyboost_data::memory::claim;
use manyboost_data::{Error, ErrorKind, Frame, Result, TargetSpec};

use crate::explain::access::refused;
use crate::explain::check_reading;
use crate::model::Model;
use crate::model::tree::Test;
use crate::predict::Predictor;
use bounds::StepTree;
use search::Search;
use steps::Steps;

/// A column that has another value.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Its place among the columns of the model.
    pub column: usize,
    /// What the value is; NaN where it is missing. Levels by their numbers.
    pub from: f64,
    /// What it would have to be.
    pub to: f64,
}

/// Changes that lead to another answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The answer.
    pub class: usize,
    /// The changes, by column.
    pub changes: Vec<Change>,
    /// How far values move in all: 1 is the spread of a column of numbers, or another level.
    pub distance: f64,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The smallest changes, or the best that were found in time.
    pub found: Option<Found>,
    /// Whether there are no smaller ones; without any, whether there are none at all.
    pub complete: bool,
}

/// A model, ready to be asked.
pub struct WhyNot<'a> {
    model: &'a Model,
    predictor: Predictor,
    columns: Vec<Steps>,
    trees: Vec<StepTree<'a>>,
    /// The trees that look at each feature.
    trees_of: Vec<Vec<u32>>,
}

impl<'a> WhyNot<'a> {
    /// Columns that are `fixed`, and those of texts and times, are left as they are. Refused where scores are no sum of trees, or answers are sets of labels.
    pub fn new(model: &'a Model, fixed: &[String]) -> Result<Self> {
        check_reading(model)?;
        if matches!(model.schema.target, TargetSpec::Sets { .. }) {
            return Err(refused("its answers are sets of labels", "one class for each row"));
        }
        let (terms, encoders) = (model.trees()?, model.encoder.column_encoders());
        if let Some(unknown) = fixed.iter().find(|name| encoders.iter().all(|column| column.name != **name)) {
            let what = format!("the model has no column {unknown:?} that could be fixed");
            return Err(Error::new(
                ErrorKind::Parameter,
                what,
                "give names of its columns; `inspect` shows them",
            ));
        }
        let leaves: usize = terms.iter().map(|term| term.tree.leaves()).sum();
        let bytes = (leaves as u64).saturating_mul(8 * model.ensemble.start.len() as u64);
        claim(bytes, &format!("{leaves} leaves"), "ask a model of fewer rounds")?;
        let mut thresholds = vec![Vec::new(); model.encoder.features()];
        for node in terms.iter().flat_map(|term| &term.tree.nodes) {
            if let Test::AtMost(threshold) = node.test {
                thresholds[node.feature as usize].push(threshold);
            }
        }
        let mut columns = Vec::new();
        let mut first = 0;
        for (at, column) in encoders.iter().enumerate() {
            let tests = std::mem::take(&mut thresholds[first]);
            let steps = Steps::new(at, first as u32, &column.codec, tests.into_iter());
            columns.extend(steps.filter(|_| !fixed.contains(&column.name)));
            first += column.codec.width();
        }
        let mut steps_of = vec![None; model.encoder.features()];
        for steps in &columns {
            steps_of[steps.feature as usize] = Some(steps);
        }
        let trees: Vec<StepTree<'_>> = terms.iter().map(|term| StepTree::new(term, &steps_of)).collect();
        let mut trees_of = vec![Vec::new(); model.encoder.features()];
        for (number, tree) in (0..).zip(&trees) {
            for feature in tree.features() {
                let own: &mut Vec<u32> = &mut trees_of[feature as usize];
                if own.last() != Some(&number) {
                    own.push(number);
                }
            }
        }
        columns.retain(|steps| !trees_of[steps.feature as usize].is_empty());
        Ok(Self { model, predictor: model.predictor(), columns, trees, trees_of })
    }

    /// The smallest changes of a row after which the answer is `class`, or any other than now.
    pub fn find(&self, frame: &Frame, at: usize, class: Option<usize>, limit: Duration) -> Sought {
        let row: Vec<f64> = (0..self.trees_of.len()).map(|feature| frame.value(at, feature)).collect();
        let choices = self.columns.iter().map(|steps| steps.choices(row[steps.feature as usize])).collect();
        let begin = self.predictor.first_scores(frame, at);
        let search = Search::new(self, row, begin, choices, limit);
        let now = search.answer();
        let classes: Vec<usize> = match class {
            Some(class) if class == now => {
                let found = Some(Found { class, changes: Vec::new(), distance: 0.0 });
                return Sought { found, complete: true };
            }
            Some(class) => vec![class],
            None => (0..self.width()).filter(|other| *other != now).collect(),
        };
        search.run(&classes)
    }

    fn width(&self) -> usize {
        self.model.ensemble.start.len()
    }
}
