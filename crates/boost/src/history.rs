//! What each round did, as a model remembers it. No clock enters: a model is a function of data and parameters.

use serde::{Deserialize, Serialize};

/// The figures of one round. What an algorithm does not define is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The step size, where there is one hypothesis.
    pub alpha: Option<f64>,
    /// How much better than chance the hypothesis is.
    pub edge: Option<f64>,
    /// The edge that the algorithm counted on, where it counts on one.
    pub promised: Option<f64>,
    /// The normaliser of the weights.
    pub z: Option<f64>,
    /// The loss after the round.
    pub loss: f64,
    /// The bound on the training error after the round.
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
}

impl Record {
    /// By how much the hypothesis fell short of the edge that was counted on, if it did.
    pub fn short(&self) -> Option<f64> {
        let short = self.promised? - self.edge?;
        (short > SHORT).then_some(short)
    }
}

/// Less is no more than the last bits of sums.
pub(crate) const SHORT: f64 = 1e-12;
