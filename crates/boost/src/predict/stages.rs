//! An ensemble round by round: what each round adds to the scores of rows.
//!
//! [`Predictor`](super::Predictor) is quicker where only the sum of all rounds counts.

use rayon::prelude::*;

use crate::engine::scores::Scores;
use crate::model::answers::ScoreUpdate;
use crate::model::ensemble::{Ensemble, Term};
use crate::model::hypothesis::Cells;

/// Rows that are worth a thread.
const ROWS: usize = 256;

/// One round, ready to be added to scores.
#[derive(Clone, Debug)]
pub struct Stage<'a> {
    terms: Vec<(&'a Cells, ScoreUpdate)>,
}

impl<'a> Stage<'a> {
    /// Of the terms of a round, for rows of so many scores.
    pub fn new(terms: &'a [Term], width: usize) -> Self {
        let ready = |Term { alpha, hypothesis }: &'a Term| {
            (&hypothesis.cells, hypothesis.answers.applied(*alpha, width))
        };
        Self { terms: terms.iter().map(ready).collect() }
    }

    /// Adds the round to the scores of a row, given the value of any feature in it. `seen` is told the number of each term and the
    /// cell in which the row is.
    pub fn add(&self, value: impl Fn(u32) -> f64, scores: &mut [f64], mut seen: impl FnMut(usize, usize)) {
        for (term, (cells, applied)) in self.terms.iter().enumerate() {
            let cell = cells.cell(&value);
            seen(term, cell);
            applied.add(cell, scores);
        }
    }

    /// Adds the round to the scores of all rows, given the value of any feature in any of them.
    pub fn add_rows(&self, value: impl Fn(usize, u32) -> f64 + Sync, scores: &mut Scores) {
        let width = scores.width();
        let rows = scores.values_mut().par_chunks_mut(width).enumerate().with_min_len(ROWS);
        rows.for_each(|(row, scores)| self.add(|feature| value(row, feature), scores, |_, _| {}));
    }
}

impl Ensemble {
    /// Its rounds one by one, ready to be added to scores, which begin with [`start`](Self::start).
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        self.rounds.iter().map(|terms| Stage::new(terms, self.start.len()))
    }
}
