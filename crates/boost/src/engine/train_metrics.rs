//! What the training rows say of a round, counted block by block while their scores are at hand.

use manyboost_data::Labels;
use manyboost_kernel::Totals;
use manyboost_kernel::loss::softmax::mistakes;

use crate::engine::history::Record;
use crate::evaluate::metrics;
use crate::model::reading::Reading;

/// Counts what rows of scores get wrong.
#[derive(Clone, Copy)]
pub(crate) struct TrainMetrics<'a> {
    pub(crate) labels: &'a Labels,
    pub(crate) totals: Totals<'a>,
    pub(crate) reading: &'a Reading,
    /// Scores a row has.
    pub(crate) width: usize,
}

impl TrainMetrics<'_> {
    /// For rows from `first` on: their mistakes and, for label sets, wrong first labels and wrong pairs; all in units.
    pub(crate) fn count_block(&self, first: usize, scores: &[f64]) -> [i64; 3] {
        let mut seen = [self.mistakes(first, scores), 0, 0];
        if self.labels.is_sets() {
            for (row, scores) in (first..).zip(scores.chunks_exact(self.width)) {
                let [one, pairs] = metrics::row_ranking(self.labels, row, scores);
                seen[1] += self.totals.units_within(1.0, row, &[one]);
                seen[2] += self.totals.units_within(1.0, row, &[pairs]);
            }
        }
        seen
    }

    fn mistakes(&self, first: usize, scores: &[f64]) -> i64 {
        let (units, rows) = (self.totals.weights().units, first..first + scores.len() / self.width);
        match self.labels {
            Labels::Classes { of, .. } if self.reading.ranks_by_scores() => {
                mistakes(scores, self.width, &of[rows.clone()], &units[rows])
            }
            Labels::Classes { of, .. } => {
                let classes = self.reading.classes(self.width);
                let (mut decoded, mut buffer) = (Vec::with_capacity(rows.len() * classes), Vec::new());
                for scores in scores.chunks_exact(self.width) {
                    decoded.extend_from_slice(self.reading.class_scores(scores, &mut buffer));
                }
                mistakes(&decoded, classes, &of[rows.clone()], &units[rows])
            }
            Labels::Sets { .. } => {
                let mut buffer = Vec::new();
                let one = |(row, scores): (usize, &[f64])| {
                    let scores = self.reading.class_scores(scores, &mut buffer);
                    i64::from(metrics::row_mistakes(self.labels, row, scores)) * i64::from(units[row])
                };
                rows.zip(scores.chunks_exact(self.width)).map(one).sum()
            }
        }
    }

    /// What all rows' units stand for.
    pub(crate) fn record(&self, [wrong, one_error, ranking_loss]: [i64; 3]) -> Record {
        let (labels, totals) = (self.labels, self.totals);
        let mean = |units| labels.is_sets().then(|| totals.of_units_within(1.0, units) / totals.weight());
        Record {
            train_error: totals.exchanged(wrong) / (totals.weight() * metrics::most_mistakes(labels)),
            one_error: mean(one_error),
            ranking_loss: mean(ranking_loss),
            ..Record::default()
        }
    }
}
