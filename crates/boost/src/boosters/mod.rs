//! The boosting algorithms, one short file each.

mod mcboost;
mod mm;
mod samme;

pub use mcboost::McBoost;
pub use mm::{Mm, MmStep};
pub use samme::Samme;

use rayon::prelude::*;

use crate::scores::Scores;

/// Rows a task handles.
const BLOCK: usize = 1024;

/// Fills `width` channels of every row from its scores, in parallel. `fill` gets the first row, the scores and the
/// channels of a block of rows.
fn fill_blocks(
    scores: &Scores,
    width: usize,
    channels: &mut Vec<f64>,
    fill: impl Fn(usize, &[f64], &mut [f64]) + Sync,
) {
    channels.resize(scores.rows() * width, 0.0);
    channels
        .par_chunks_mut(BLOCK * width)
        .zip(scores.values().par_chunks(BLOCK * scores.width()))
        .enumerate()
        .for_each(|(block, (channels, scores))| fill(block * BLOCK, scores, channels));
}
