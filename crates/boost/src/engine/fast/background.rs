//! The background: how far the scores have moved of a row that every hypothesis puts with the most rows.
//!
//! Where hypotheses ask for single words, most rows have none of them, and a row's scores less the background change only in
//! the rounds that ask for one of its words. What depends on that difference alone can be kept for all other rows
//! (see [`CachedChannels`](manyboost_kernel::CachedChannels)).

use manyboost_kernel::Totals;

use crate::model::ensemble::Term;

/// A background that has moved farther begins anew at 0: grids that suit exponentials of the scores should suit those of the
/// scores less the background too.
const FARTHEST: f64 = 8.0;

/// What most rows' scores have moved by, and the rows that moved otherwise.
#[derive(Clone, Debug)]
pub struct Background {
    scores: Vec<f64>,
    changed: Option<Vec<u32>>,
}

impl Background {
    /// Before anything moved, with so many scores.
    pub fn new(width: usize) -> Self {
        Self { scores: vec![0.0; width], changed: None }
    }

    /// By how much each score has moved.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// The rows, ascending, that moved otherwise in the last round, if not all did.
    pub fn changed(&self) -> Option<&[u32]> {
        self.changed.as_deref()
    }

    /// Goes along with the cell in which the most weight is (of equals, the first), in every hypothesis of a round.
    pub(crate) fn follow<'a>(
        &mut self,
        hypotheses: impl Iterator<Item = (&'a Term, &'a [u32])>,
        totals: &Totals<'_>,
    ) {
        let mut moved = vec![false; totals.weights().units.len()];
        for (term, cell_of) in hypotheses {
            let mut weights = vec![0i64; term.hypothesis.answers.len()];
            for (&cell, &unit) in cell_of.iter().zip(totals.weights().units) {
                weights[cell as usize] += i64::from(unit);
            }
            totals.exchange().sum(&mut weights);
            let most = weights.iter().max().copied().unwrap_or(0);
            let common = weights.iter().position(|&weight| weight == most).unwrap_or(0);
            term.hypothesis.answers.applied(term.alpha, self.scores.len()).add(common, &mut self.scores);
            moved.iter_mut().zip(cell_of).for_each(|(moved, &cell)| *moved |= cell as usize != common);
        }
        if self.scores.iter().any(|score| score.abs() > FARTHEST) {
            self.scores.fill(0.0);
            self.changed = None;
        } else {
            self.changed = Some((0..moved.len() as u32).filter(|&row| moved[row as usize]).collect());
        }
    }
}
