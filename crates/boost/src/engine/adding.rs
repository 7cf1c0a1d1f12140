//! Adding a round to scores.

use manyboost_data::Applied;
use manyboost_kernel::rows_at_hand;
use rayon::prelude::*;

use crate::engine::scores::Scores;
use crate::model::ensemble::Term;
use crate::predict::stages::Stage;

/// Adds a term to the scores of training rows, block by block; what `count_block` counts in each block while its scores are at
/// hand is summed.
pub(crate) fn add_blocks(
    scores: &mut Scores,
    term: &Term,
    cell_of: &[u32],
    count_block: impl Fn(usize, &[f64]) -> [i64; 3] + Sync,
) -> [i64; 3] {
    let width = scores.width();
    let rows = rows_at_hand(width);
    let applied = term.hypothesis.answers.applied(term.alpha, width);
    let blocks = scores.values_mut().par_chunks_mut(rows * width).zip(cell_of.par_chunks(rows)).enumerate();
    blocks
        .map(|(block, (scores, cells))| {
            applied.add_rows(cells, width, scores);
            count_block(block * rows, scores)
        })
        .reduce(|| [0; 3], |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

/// Adds a round to the scores of watched rows.
pub(crate) fn add_watched(rows: &Applied, scores: &mut Scores, terms: &[Term]) {
    let stage = Stage::new(terms, scores.width());
    stage.add_rows(|row, feature| rows.frame.value(row, feature as usize), scores);
}
