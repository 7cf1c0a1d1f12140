//! Are these the rows that a model was trained on?
//!
//! A model keeps none of its rows and no fingerprint of them, but it keeps the error and the loss that its last round ended with: a sum over
//! all of its rows with many digits, which other rows hardly share. So the booster is asked once more for the loss of the model's scores, on the
//! rows at hand.

use std::sync::atomic::AtomicBool;

use manyboost_data::{Applied, Dataset, Labels, PrepareOptions, Prepared, Split, TargetSpec, Weights};
use manyboost_kernel::{Alone, Seed};

use super::Model;
use crate::engine::calibration::Calibration;
use crate::engine::scores::Scores;
use crate::engine::train::{Rounds, RunContext, totals};
use crate::engine::tuning::{Jury, MANY_ROWS};
use crate::evaluate::metrics::quality;
use crate::model::reading::Link;
use crate::model::text::TextPart;
use crate::spec::booster::RoundState;
use crate::spec::registry::Setup;

/// Losses that differ by less, as a share of them, are the same: of many rows they are computed in single precision.
const SAME_LOSS: f64 = 1e-6;

/// Errors that differ by less are the same.
const SAME_ERROR: f64 = 1e-9;

impl Model {
    /// The share of the rows that was held out of training, if one was.
    pub fn held_out(&self) -> Option<f64> {
        self.parameters.get("valid")?.parse().ok()
    }

    /// Which rows were held out, if some were.
    pub fn split(&self) -> Split {
        self.parameters.get("split").and_then(|split| split.parse().ok()).unwrap_or_default()
    }

    /// Whether it was trained on these rows, which have these [raw scores](crate::predict::Predictor::raw_scores). Where many rows
    /// were given to train on, some of which may have been kept aside ([`Model::keeps_aside`]), it takes the same rows `prepared`
    /// once more to know.
    pub fn was_trained_on(&self, rows: &Applied, scores: &Scores, prepared: Option<&Prepared>) -> bool {
        let Some(setup) = self.known() else { return false };
        if setup.booster.check(&rows.labels).is_err() || !all_known(&rows.labels) {
            return false;
        }
        if let Some(text) = &self.ensemble.text {
            return self.has_loss_of_texts(text, rows);
        }
        let plan = setup.plan(self.seed, None);
        let stop = &AtomicBool::new(false);
        let jury = prepared.map(|Prepared { dataset, encoder, .. }| {
            let Dataset { weights, .. } = dataset;
            let (asked, exchange) = (stop, &Alone);
            let context = RunContext {
                plan: &plan,
                data: dataset,
                weights,
                encoder,
                exchange,
                asked,
                stop,
                head: None,
            };
            Jury::new(context, None)
        });
        let weights = jury.as_ref().and_then(Jury::main_weights).unwrap_or(&rows.weights);
        weights.units().len() == rows.labels.rows() && self.has_loss(&setup, rows, scores, weights)
    }

    /// Whether training on so many rows may have kept some aside.
    pub fn keeps_aside(&self, rows: usize) -> bool {
        let found = self.known().is_some_and(|setup| {
            matches!(setup.calibration, Calibration::Auto(_)) || matches!(setup.rounds, Rounds::Found(_))
        });
        self.held_out().is_none() && found && rows as f64 >= MANY_ROWS
    }

    /// How its rows were prepared, as far as it remembers.
    pub fn preparation(&self) -> PrepareOptions {
        let number = |name: &str| self.parameters.get(name).and_then(|value| value.parse().ok());
        let mut options = PrepareOptions::default();
        options.encode.bins = number("bins").unwrap_or(options.encode.bins);
        options.encode.ngrams = number("ngrams").unwrap_or(options.encode.ngrams);
        if let TargetSpec::Sets { prefix, .. } = &self.schema.target {
            options.labels = Some(prefix.clone());
        }
        options
    }

    /// The booster and the learner. Matrices that were read from files are not there any more: the loss is another one then. The
    /// potentials of a game take too long to compute again.
    fn known(&self) -> Option<Setup> {
        let game = self.parameters.get("loss").is_some_and(|loss| loss == "zero-one");
        if game { None } else { self.setup().ok() }
    }

    /// Whether rows have the loss that a linear function of texts ended with: later rounds were told other scores of its training rows.
    fn has_loss_of_texts(&self, text: &TextPart, rows: &Applied) -> bool {
        let link = if rows.labels.is_sets() { Link::Sigmoid(1.0) } else { Link::Softmax(1.0) };
        let scores = self.ensemble.first_scores(&rows.frame);
        let loss = quality(&scores, link, &rows.labels, &rows.weights).log_loss;
        (loss - text.loss).abs() <= SAME_LOSS * text.loss.abs()
    }

    /// Whether rows of these weights have the error and the loss of the last round.
    fn has_loss(&self, setup: &Setup, rows: &Applied, scores: &Scores, weights: &Weights) -> bool {
        let Some(last) = self.history.last() else { return false };
        let reading = &self.ensemble.reading;
        let read = reading.scores(std::borrow::Cow::Borrowed(scores));
        if (quality(&read, reading.link, &rows.labels, weights).error - last.train_error).abs() > SAME_ERROR {
            return false;
        }
        let now = RoundState {
            labels: &rows.labels,
            totals: totals(weights, &Alone),
            rounds: setup.rounds.most(),
            seed: Seed::new(self.seed),
            scores,
            past: &self.ensemble.rounds,
            stop: &AtomicBool::new(false),
        };
        // Where coefficients are found anew, the loss may follow from what hypotheses say of the rows, not from scores.
        let anew = setup.booster.corrective().and_then(|corrective| {
            let cells = self.apply_frame(&rows.frame).by_term();
            corrective.correct(&now, &cells, &mut Vec::new()).1
        });
        let loss = anew.unwrap_or_else(|| setup.booster.target(&now, &mut Vec::new())).loss;
        (loss - last.loss).abs() <= SAME_LOSS * last.loss.abs()
    }
}

/// Whether training could have seen all answers.
fn all_known(labels: &Labels) -> bool {
    labels.rows() > 0 && (labels.is_sets() || (0..labels.rows()).all(|row| labels.class(row).is_some()))
}
