//! What a training will take, before it takes it.
//!
//! Scores are rows × classes numbers of eight bytes, and a round has channels of about as many beside them: with a class for
//! every few rows that is more than any machine has. So the sizes of what is large are added up beforehand, and a training that
//! cannot be is refused with the figure ([`claim`]). What is small is left out, and so is the model, which grows
//! with every round that turns out to be worth it.

use manyboost_data::memory::claim;
use manyboost_data::{Applied, Dataset, Result};
use manyboost_kernel::histogram_bytes;

use crate::corrective::ROUND_BYTES;
use crate::engine::calibration::Calibration;
use crate::engine::train::{RunPlan, Watched};
use crate::engine::tuning::trials;
use crate::learners::LearnerParameters;

/// Bytes of a row in a learner and in the loop: its place among the rows of a region, twice, its cell, twice, a figure of it.
const ROW: usize = 24;

/// Rows that are dealt out: what is in them, and their order.
const DEALT: u64 = 40;

/// Rows that are kept aside: the weights of both parts.
const ASIDE: u64 = 8;

/// An estimate of the bytes that a training takes beside its data, with rows of so many scores.
pub fn estimate(plan: &RunPlan<'_>, data: &Dataset, watched: Watched<'_>, width: usize) -> u64 {
    let (rows, scores) = (data.rows() as u64, 8 * width as u64);
    // Without rows to validate on, those that say how many rounds there are and how sure the probabilities: trials without them have
    // scores and channels of their own.
    let tunes = plan.finds_rounds() || matches!(plan.calibration, Calibration::Auto(_));
    let tunes = tunes && watched.valid.is_none();
    let trials = if tunes { trials(data.weights.total() as f64 / data.weights.one() as f64) } else { 0 };
    let load = plan.booster.load(width);
    let kept = plan.booster.corrective().map_or(0, |_| ROUND_BYTES * plan.rounds.most());
    let run = scores + (load.row_bytes + kept + plan.learner.row_bytes(data)) as u64;
    let beside = trials + plan.members.most_beside() as u64;
    let row = run * (1 + beside) + if tunes { DEALT + ASIDE + trials * ASIDE } else { 0 };
    let others = |applied: Option<&Applied>| applied.map_or(0, |applied| applied.frame.rows() as u64);
    // Scores, and what is read off them.
    let others = (others(watched.valid) + others(watched.test)).saturating_mul(2 * scores);
    rows.saturating_mul(row)
        .saturating_add(others)
        .saturating_add(plan.learner.histogram_bytes(data, load.channels).saturating_mul(1 + beside))
}

/// Refuses a training for which there is no memory.
pub(crate) fn check(plan: &RunPlan<'_>, data: &Dataset, watched: Watched<'_>, width: usize) -> Result<()> {
    let bytes = estimate(plan, data, watched, width);
    let (rows, classes) = (data.rows(), data.labels.classes());
    let what = format!("training on {rows} rows with {classes} classes");
    let remedy = if classes > 2 && classes * 4 > rows {
        "nearly every row has a class of its own: name another target column, or put values together into fewer classes"
    } else {
        "train on fewer rows, with fewer classes or columns, or where there is more memory"
    };
    claim(bytes, &what, remedy)
}

/// Refuses scores for which there is no memory: so many rows of so many classes, and as much again while they are read, by
/// hypotheses that take so many bytes.
pub(crate) fn check_scores(hypotheses: u64, rows: usize, classes: usize) -> Result<()> {
    let bytes = (rows as u64).saturating_mul(classes as u64).saturating_mul(16).saturating_add(hypotheses);
    let what = format!("{rows} rows with {classes} classes: what a model says of them");
    claim(bytes, &what, "predict fewer rows at a time")
}

impl LearnerParameters {
    /// An estimate of the bytes that a row takes in the learner.
    fn row_bytes(&self, data: &Dataset) -> usize {
        let values = 8 * data.bins.features().len();
        match self {
            Self::Tree(_) | Self::Product(_) | Self::Own(_) => ROW,
            Self::C45(_) => ROW + 3 * size_of::<u64>(),
            Self::Linear(_) => ROW + values,
            Self::Line(_) => ROW + 2 * values,
        }
    }

    /// An estimate of the bytes that histograms take.
    fn histogram_bytes(&self, data: &Dataset, channels: usize) -> u64 {
        let tree = match self {
            Self::Tree(tree) => tree,
            Self::Product(product) => &product.stump,
            Self::C45(_) => {
                let codes: usize = data.bins.features().iter().map(|feature| feature.bins as usize + 1).sum();
                return (codes * channels * size_of::<i64>()) as u64;
            }
            Self::Linear(_) | Self::Line(_) | Self::Own(_) => return 0,
        };
        if tree.random_cuts > 0 || tree.feature_fraction < 1.0 {
            return 0;
        }
        let channels = if tree.sketch > 0 { channels.min(tree.sketch.max(16)) } else { channels };
        histogram_bytes(&data.bins, channels, tree.leaves) as u64
    }
}
