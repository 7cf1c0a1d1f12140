//! What each round did, as a model remembers it. No clock enters: a model is a function of data and parameters.

use serde::{Deserialize, Serialize};

use crate::spec::bounds::Bound;

/// The figures of one round. What an algorithm does not define is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The step size, where there is one hypothesis (a threshold aside).
    pub alpha: Option<f64>,
    /// How much better than chance the hypothesis is.
    pub edge: Option<f64>,
    /// The edge that the algorithm counted on, where it counts on one.
    pub promised: Option<f64>,
    /// The normaliser of the weights.
    pub z: Option<f64>,
    /// The loss after the round.
    pub loss: f64,
    /// The bound after the round, as the booster's paper has it; [`bounds`](crate::spec::bounds) says what it bounds.
    pub bound: Option<f64>,
    /// The training error after the round (for label sets: the Hamming loss).
    pub train_error: f64,
    /// Label sets only: the share of training rows whose first label is wrong.
    pub one_error: Option<f64>,
    /// Label sets only: the share of (has, has not) pairs in the wrong order.
    pub ranking_loss: Option<f64>,
    /// The error on the test rows, if there are any.
    pub test_error: Option<f64>,
    /// The error on the validation rows, if there are any.
    pub valid_error: Option<f64>,
    /// The log loss on the validation rows, if there are any.
    pub valid_loss: Option<f64>,
    /// The metric on the validation rows that decides, if it is another one. It has a place of its own in files of models.
    #[serde(skip)]
    pub valid_metric: Option<f64>,
}

impl Record {
    /// Every figure that there is.
    pub fn figures(&self) -> impl Iterator<Item = f64> {
        // No `..`: a new figure is not forgotten.
        let Self {
            alpha,
            edge,
            promised,
            z,
            loss,
            bound,
            train_error,
            one_error,
            ranking_loss,
            test_error,
            valid_error,
            valid_loss,
            valid_metric,
        } = *self;
        let sometimes = [
            alpha,
            edge,
            promised,
            z,
            bound,
            one_error,
            ranking_loss,
            test_error,
            valid_error,
            valid_loss,
            valid_metric,
        ];
        sometimes.into_iter().flatten().chain([loss, train_error])
    }

    /// By how much the hypothesis fell short of the edge that was counted on, if it did.
    pub fn short(&self) -> Option<f64> {
        let short = self.promised? - self.edge?;
        (short > SHORT).then_some(short)
    }
}

/// A round as it is told.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Told {
    /// Its figures.
    pub record: Record,
    /// What theory says of it.
    pub bound: Bound,
}

/// One of the figures of a round, if it is defined.
pub type Figure = fn(&Told) -> Option<f64>;

/// The names of all figures, wherever rounds are written down. `bound` is always one of `train_error`, and `short` is there where the
/// weak learner broke its promise: by how much its edge is below the one that the booster counts on.
pub const FIGURES: [(&str, Figure); 16] = [
    ("alpha", |shown| shown.record.alpha),
    ("edge", |shown| shown.record.edge),
    ("promised", |shown| shown.record.promised),
    ("short", |shown| shown.record.short()),
    ("z", |shown| shown.record.z),
    ("loss", |shown| Some(shown.record.loss)),
    ("bound", |shown| shown.bound.error),
    ("final_bound", |shown| shown.bound.at_end),
    ("train_error", |shown| Some(shown.record.train_error)),
    ("one_error", |shown| shown.record.one_error),
    ("ranking_bound", |shown| shown.bound.ranking_loss),
    ("ranking_loss", |shown| shown.record.ranking_loss),
    ("test_error", |shown| shown.record.test_error),
    ("valid_error", |shown| shown.record.valid_error),
    ("valid_loss", |shown| shown.record.valid_loss),
    ("valid_metric", |shown| shown.record.valid_metric),
];

/// Less is no more than the last bits of sums.
pub(crate) const SHORT: f64 = 1e-12;
