//! What a model says of the rows of a table.

use std::borrow::Cow;
use std::fmt;

use manyboost_data::{Applied, Frame, Result, Table, TargetSpec, apply};

use super::Model;
use crate::engine::scores::{Scores, argmax};
use crate::evaluate::importance::{self, Importance};
use crate::evaluate::metrics::{Quality, quality};
use crate::predict::row::RowPredictor;

impl Model {
    /// The class of each row; for label sets the labels of each row, with spaces between them.
    pub fn predict(&self, table: &Table) -> Result<Vec<String>> {
        Ok(self.named(&self.scores(table)?))
    }

    /// The probability of each class in each row (`rows × classes`): of classes they sum to one.
    pub fn predict_proba(&self, table: &Table) -> Result<Scores> {
        let frame = self.frame(table)?;
        Ok(self.predictor().probabilities(&frame))
    }

    /// The score of each class in each row (`rows × classes`): the class of the highest is the answer.
    pub fn scores(&self, table: &Table) -> Result<Scores> {
        let frame = self.frame(table)?;
        Ok(self.predictor().scores(&frame))
    }

    /// The answers after so many rounds.
    pub fn staged(&self, table: &Table, rounds: usize) -> Result<Vec<String>> {
        let frame = self.frame(table)?;
        Ok(self.named(&self.predictor_after(rounds).scores(&frame)))
    }

    /// How good the model is on rows with answers.
    pub fn evaluate(&self, table: &Table) -> Result<Quality> {
        let Applied { frame, labels, weights, .. } =
            apply(table.seen_by(&self.schema, true)?, &self.schema, &self.encoder)?;
        self.ensemble.claim(frame.rows())?;
        let scores = self.predictor().scores(&frame);
        Ok(quality(&scores, self.ensemble.reading.link, &labels, &weights))
    }

    /// The share of each feature in what the model does, the greatest first.
    pub fn importance(&self) -> Vec<Importance> {
        importance::of(self)
    }

    /// A table as the model looks at it.
    pub fn frame(&self, table: &Table) -> Result<Frame> {
        let frame = Frame::new(table.seen_by(&self.schema, false)?, &self.encoder)?;
        self.ensemble.claim(frame.rows())?;
        Ok(frame)
    }

    /// The names of the answers.
    fn named(&self, scores: &Scores) -> Vec<String> {
        (0..scores.rows()).map(|row| self.answer(scores.row(row)).into_owned()).collect()
    }

    /// What the scores of classes of a row answer: the class, or the labels with spaces between them.
    pub fn answer(&self, scores: &[f64]) -> Cow<'_, str> {
        named(&self.schema.target, scores)
    }

    /// Ready to answer one row after the other.
    pub fn row_predictor(&self) -> RowPredictor {
        RowPredictor::new(self)
    }
}

/// What the scores of classes of a row answer.
pub(crate) fn named<'a>(target: &'a TargetSpec, scores: &[f64]) -> Cow<'a, str> {
    let name = |class: usize| target.label(class).unwrap_or_default();
    if let TargetSpec::Classes { .. } = target {
        return Cow::Borrowed(name(argmax(scores)));
    }
    let has = scores.iter().enumerate().filter(|(_, score)| **score > 0.0);
    Cow::Owned(has.map(|(label, _)| name(label)).collect::<Vec<_>>().join(" "))
}

impl fmt::Display for Quality {
    /// On one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = if self.one_error.is_some() { "Hamming loss" } else { "error" };
        write!(f, "{error} {:.2} %, log loss {:.4}", 100.0 * self.error, self.log_loss)?;
        let more = [
            ("one-error", self.one_error),
            ("ranking loss", self.ranking_loss),
            ("average precision", self.average_precision),
        ];
        for (name, figure) in more {
            if let Some(figure) = figure {
                write!(f, ", {name} {:.2} %", 100.0 * figure)?;
            }
        }
        Ok(())
    }
}
