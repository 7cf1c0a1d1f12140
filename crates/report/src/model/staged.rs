//! A sample of rows, taken through the rounds one by one.

use manyboost::engine::scores::Scores;
use manyboost::model::Model;
use manyboost_data::{Applied, Labels};

/// Rows of the sample.
const ROWS: usize = 3000;
/// Rounds that are kept, the start and the end among them.
const STAGES: usize = 22;

/// The sample at some rounds.
pub struct Staged<'a> {
    /// All rows.
    pub all: &'a Applied,
    /// Those of the sample.
    pub rows: Vec<u32>,
    /// The rounds that are kept, ascending from 0.
    pub rounds: Vec<usize>,
    /// The scores of classes of the sample after each of them.
    pub scores: Vec<Scores>,
    /// For each hypothesis of each round, how many rows of the sample are in each of its cells.
    pub cells: Vec<Vec<Vec<f64>>>,
}

impl<'a> Staged<'a> {
    pub fn new(model: &Model, all: &'a Applied) -> Self {
        let rows = spread(all.frame.rows(), ROWS);
        let ensemble = &model.ensemble;
        let rounds = stages(ensemble.rounds.len());
        let mut raw = ensemble.first_scores(&all.frame.select(&rows));
        let width = raw.width();
        let classes = |raw: &Scores| ensemble.reading.scores(std::borrow::Cow::Borrowed(raw)).into_owned();
        let mut scores = vec![classes(&raw)];
        let mut cells = Vec::with_capacity(ensemble.rounds.len());
        for (at, (terms, stage)) in ensemble.rounds.iter().zip(ensemble.stages()).enumerate() {
            let mut counts: Vec<Vec<f64>> =
                terms.iter().map(|term| vec![0.0; term.hypothesis.answers.len()]).collect();
            for (&row, scores) in rows.iter().zip(raw.values_mut().chunks_exact_mut(width)) {
                let value = |feature: u32| all.frame.value(row as usize, feature as usize);
                stage.add(value, scores, |term, cell| counts[term][cell] += 1.0);
            }
            cells.push(counts);
            if rounds.binary_search(&(at + 1)).is_ok() {
                scores.push(classes(&raw));
            }
        }
        Self { all, rows, rounds, scores, cells }
    }

    /// The answers of all rows.
    pub fn labels(&self) -> &Labels {
        &self.all.labels
    }
}

/// Up to `most` of `rows` rows, evenly apart.
pub fn spread(rows: usize, most: usize) -> Vec<u32> {
    let kept = rows.min(most);
    (0..kept).map(|at| (at * rows / kept) as u32).collect()
}

/// Rounds from 0 to the last, closer at the beginning, where more happens.
pub fn stages(last: usize) -> Vec<usize> {
    let ratio = (last.max(1) as f64).powf(1.0 / (STAGES - 2) as f64);
    let mut stages = vec![0];
    let mut next = 1.0f64;
    while stages.len() < STAGES {
        let stage = (next.round() as usize).max(stages[stages.len() - 1] + 1);
        if stage >= last {
            break;
        }
        stages.push(stage);
        next = (next * ratio).max(stage as f64);
    }
    if last > 0 {
        stages.push(last);
    }
    stages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_begin_and_end_where_training_does() {
        assert_eq!(stages(0), [0]);
        assert_eq!(stages(1), [0, 1]);
        assert_eq!(stages(5), [0, 1, 2, 3, 4, 5]);
        for last in [6, 20, 21, 22, 23, 100, 600, 10_000] {
            let stages = stages(last);
            assert!(stages.len() <= STAGES + 1 && stages.is_sorted_by(|a, b| a < b), "{last}: {stages:?}");
            assert_eq!((stages[0], stages[stages.len() - 1]), (0, last));
        }
    }

    #[test]
    fn samples_are_spread() {
        assert_eq!(spread(3, 10), [0, 1, 2]);
        assert_eq!(spread(10, 4), [0, 2, 5, 7]);
    }
}
