//! The trees of a model one by one, and the cell of each row in each hypothesis.

use manyboost_data::{Error, ErrorKind, Frame, Result, Table};
use rayon::prelude::*;

use crate::model::Model;
use crate::model::answers::{Answers, ScoreUpdate};
use crate::model::ensemble::Term;
use crate::model::hypothesis::Cells;
use crate::model::tree::Tree;

/// Rows that are worth a thread.
const ROWS: usize = 256;

/// A tree of a model, with what its leaves add to the scores.
#[derive(Clone, Copy, Debug)]
pub struct TreeTerm<'a> {
    /// Its round, counted from 0.
    pub round: usize,
    /// Its place among the hypotheses of the round.
    pub place: usize,
    /// Its tests: features, thresholds or sets of levels, the side of missing values, children; and what its leaves weigh.
    pub tree: &'a Tree,
    /// What its leaves answer, before the step.
    pub answers: &'a Answers,
    /// The step.
    pub alpha: f64,
    width: usize,
}

impl TreeTerm<'_> {
    /// What a leaf adds to each score, the step included.
    pub fn values(&self, leaf: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.width];
        self.updates().add(leaf, &mut values);
        values
    }

    /// What all leaves add to scores.
    pub(super) fn updates(&self) -> ScoreUpdate {
        self.answers.applied(self.alpha, self.width)
    }
}

/// The cell of each row in each hypothesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowCells {
    /// Number of rows.
    pub rows: usize,
    /// Number of hypotheses, over all rounds.
    pub terms: usize,
    /// Row after row.
    pub cells: Vec<u32>,
}

impl RowCells {
    /// Hypothesis after hypothesis.
    pub(crate) fn by_term(&self) -> Vec<Vec<u32>> {
        (0..self.terms)
            .map(|term| self.cells.iter().skip(term).step_by(self.terms).copied().collect())
            .collect()
    }
}

impl Model {
    /// Its trees, round by round: scores are the sum of what their leaves add to the [start](crate::model::ensemble::Ensemble::start). Refused
    /// where hypotheses are no trees, or more than a sum is made of them.
    pub fn trees(&self) -> Result<Vec<TreeTerm<'_>>> {
        let width = self.ensemble.start.len();
        let terms = self.ensemble.rounds.iter().enumerate();
        let terms = terms
            .flat_map(|(round, terms)| terms.iter().enumerate().map(move |(at, term)| (round, at, term)));
        terms.map(|(round, place, term)| tree_term(term, round, place, width)).collect()
    }

    /// The cell of each row in each hypothesis: the leaf of a tree, the side of a hyperplane, the sign of a product.
    pub fn apply(&self, table: &Table) -> Result<RowCells> {
        Ok(self.apply_frame(&self.frame(table)?))
    }

    /// The same for rows as the model looks at them.
    pub fn apply_frame(&self, frame: &Frame) -> RowCells {
        let terms: Vec<&Term> = self.ensemble.terms().collect();
        let mut cells = vec![0; frame.rows() * terms.len()];
        if !terms.is_empty() {
            let rows = cells.par_chunks_mut(terms.len()).enumerate().with_min_len(ROWS);
            rows.for_each(|(row, cells)| {
                let value = |feature: u32| frame.value(row, feature as usize);
                cells.iter_mut().zip(&terms).for_each(|(cell, term)| {
                    *cell = term.hypothesis.cells.cell(value) as u32;
                });
            });
        }
        RowCells { rows: frame.rows(), terms: terms.len(), cells }
    }
}

fn tree_term(term: &Term, round: usize, place: usize, width: usize) -> Result<TreeTerm<'_>> {
    let Term { alpha, hypothesis } = term;
    let (why, what) = match (&hypothesis.cells, &hypothesis.answers) {
        (_, Answers::Election(_)) => (
            "its rounds are votes of epochs, in which classes drop out one after the other: scores are no sum of trees",
            "another booster than iter",
        ),
        (Cells::Linear(_), _) => {
            ("hyperplanes are not trees", "`learner=stump`, `learner=tree` or `learner=line`")
        }
        (Cells::Product(_), _) => ("products of stumps are not trees", "`learner=stump` or `learner=tree`"),
        (Cells::Tree(tree), answers) => {
            return Ok(TreeTerm { round, place, tree, answers, alpha: *alpha, width });
        }
    };
    Err(refused(why, what))
}

/// An error about a model that has no such explanation.
pub(super) fn refused(why: &str, what: &str) -> Error {
    let said = format!("this model cannot be explained by its trees: {why}");
    Error::new(ErrorKind::Model, said, format!("train a model with {what}"))
}
