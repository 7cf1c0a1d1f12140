//! What boosting with codewords looks at, round by round (Saberian & Vasconcelos 2019, section 4.4).
//!
//! A γ-φ loss weighs twice: w(i), how much a row counts (42), and τ(i, k), how much of that is about each wrong class k, a soft minimum over the components of its
//! margin (45), (46). Both are told as numbers of equals: (Σ w)² / Σ w² rows that weigh the same would count as these do, and exp of the entropy of τ is as many
//! classes, on average over rows by w. At first all rows and all wrong classes count; later a few rows, each about the class that it is taken for.

use manyboost_data::{Frame, Labels};
use manyboost_kernel::numbers::math::{exp, ln};

use crate::codes::codewords::CodewordKind;
use crate::losses::AnyLoss;
use crate::model::Model;

/// Rounds that are looked at, more or less.
const SHOWN: usize = 8;

/// The weightings after a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighting {
    /// The round; 0 is before the first.
    pub round: usize,
    /// The share of the rows that count.
    pub rows: f64,
    /// The wrong classes that count for a row.
    pub classes: f64,
}

/// The loss of a model that was trained with codewords.
pub fn loss_of(model: &Model) -> Option<AnyLoss> {
    CodewordKind::remembered(&model.parameters)?;
    AnyLoss::remembered(&model.parameters)
}

/// The weightings of a model on rows with answers, before the first round and after some; `None` if it was trained without codewords, or by a
/// loss that does not compare classes.
pub fn weightings(model: &Model, frame: &Frame, labels: &Labels) -> Option<Vec<Weighting>> {
    let loss = loss_of(model).filter(AnyLoss::compares)?;
    let (rounds, width) = (model.ensemble.rounds.len(), model.ensemble.start.len());
    if labels.is_sets() || labels.rows() == 0 || !model.ensemble.reading.ranks_by_scores() {
        return None;
    }
    let step = rounds.div_ceil(SHOWN).max(1);
    let mut scores = model.ensemble.start.repeat(labels.rows());
    let mut found = vec![of_scores(&loss, &scores, width, labels, 0)];
    for (at, stage) in (1..).zip(model.ensemble.stages()) {
        for (row, scores) in scores.chunks_exact_mut(width).enumerate() {
            stage.add(|feature| frame.value(row, feature as usize), scores, |_, _| {});
        }
        if (rounds - at).is_multiple_of(step) {
            found.push(of_scores(&loss, &scores, width, labels, at));
        }
    }
    Some(found)
}

fn of_scores(loss: &AnyLoss, scores: &[f64], width: usize, labels: &Labels, round: usize) -> Weighting {
    let [mut sum, mut squares, mut classes] = [0.0; 3];
    for (row, scores) in scores.chunks_exact(width).enumerate() {
        let Some(class) = labels.class(row) else { continue };
        let (w, tau) = loss.weights(scores, class as usize);
        let entropy: f64 = tau.iter().filter(|t| **t > 0.0).map(|t| -t * ln(*t)).sum();
        (sum, squares, classes) = (sum + w, squares + w * w, classes + w * exp(entropy));
    }
    let rows = if squares > 0.0 { sum * sum / squares / labels.rows() as f64 } else { 0.0 };
    Weighting { round, rows, classes: if sum > 0.0 { classes / sum } else { 0.0 } }
}
