//! The boosting algorithms, one short file each.

pub(crate) mod mcboost;
pub(crate) mod mm;
pub(crate) mod samme;

pub use mcboost::McBoost;
pub use mm::{Mm, MmStep};
pub use samme::Samme;

use rayon::prelude::*;

use crate::scores::Scores;

/// Rows a task handles.
const BLOCK: usize = 1024;

/// Fills `width` channels of every row from its scores, in parallel, and one more number a row (a loss). `fill` gets the
/// first row of a block, its scores, its channels and its numbers.
fn fill_blocks(
    scores: &Scores,
    width: usize,
    channels: &mut Vec<f64>,
    fill: impl Fn(usize, &[f64], &mut [f64], &mut [f64]) + Sync,
) -> Vec<f64> {
    channels.resize(scores.rows() * width, 0.0);
    let mut numbers = vec![0.0; scores.rows()];
    channels
        .par_chunks_mut(BLOCK * width)
        .zip(scores.values().par_chunks(BLOCK * scores.width()))
        .zip(numbers.par_chunks_mut(BLOCK))
        .enumerate()
        .for_each(|(block, ((channels, scores), numbers))| fill(block * BLOCK, scores, channels, numbers));
    numbers
}
