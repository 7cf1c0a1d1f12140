//! Rounds that others have made: those of an earlier run, and those of several trainings together.

use rayon::prelude::*;

use crate::engine::adding::{add_blocks, add_watched};
use crate::engine::run::{Run, better};
use crate::learners::cells_of;
use crate::model::ensemble::Term;
use crate::model::hypothesis::Cells;

/// The cells of about so many rows are found at once.
const AT_ONCE: usize = 1 << 22;

/// Those of so many rounds, at most.
const MOST_ROUNDS: usize = 64;

impl Run<'_> {
    /// Brings the scores to where an earlier run left them.
    pub(super) fn replay(&mut self) {
        for (number, terms) in self.outcome.ensemble.rounds.iter().enumerate() {
            let cells = self.cells_of_all(terms);
            if let Some(background) = &mut self.background {
                background.follow(terms.iter().zip(cells.iter().map(Vec::as_slice)), &self.totals);
            }
            for (term, cell_of) in terms.iter().zip(&cells) {
                add_blocks(&mut self.scores, term, cell_of, |_, _| [0; 3]);
            }
            for (rows, scores) in self.valid.iter_mut().chain(&mut self.test) {
                add_watched(rows, scores, terms);
            }
            if self.plan.booster.corrective().is_some() {
                self.kept.extend(cells.into_iter().next());
            }
            let figure = self.outcome.history.get(number).and_then(|record| self.plan.metric.of(record));
            self.best = better(self.best, number + 1, figure);
        }
    }

    /// Adds rounds that others have made, and finds out what each of them comes to.
    pub(crate) fn tell(&mut self, rounds: Vec<Vec<Term>>) {
        let terms = rounds.first().map_or(1, Vec::len);
        let several = (AT_ONCE / (self.scores.rows() * terms).max(1)).clamp(1, MOST_ROUNDS);
        let mut rounds = rounds.into_iter();
        loop {
            let next: Vec<Vec<Term>> = rounds.by_ref().take(several).collect();
            if next.is_empty() {
                return;
            }
            let cells: Vec<Vec<Vec<u32>>> = next.par_iter().map(|terms| self.cells_of_all(terms)).collect();
            for (terms, cells) in next.into_iter().zip(cells) {
                self.outcome.ensemble.rounds.push(terms);
                let (mut record, target) = self.advance(&cells);
                self.watch(&mut record);
                record.loss = target.loss;
                self.outcome.history.push(record);
            }
        }
    }

    /// The cell of every row in each hypothesis of a round.
    fn cells_of_all(&self, terms: &[Term]) -> Vec<Vec<u32>> {
        let of = |term: &Term| match (&term.hypothesis.cells, self.values) {
            (cells @ Cells::Linear(_), Some(values)) => cells_of(cells, values),
            (cells, _) => self.learner.learner().cells_of(cells),
        };
        terms.iter().map(of).collect()
    }
}
