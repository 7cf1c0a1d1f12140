//! Permutation importance: what a column is worth is what is lost when its values change places.

use manyboost::evaluate::metrics::quality;
use manyboost::model::Model;
use manyboost_data::Applied;
use manyboost_kernel::numbers::seed::mix;

use super::gain::Gain;
use super::staged::{Staged, spread};

/// Columns that are tried: those with the greatest gains.
pub const COLUMNS: usize = 30;
/// Rows that they are tried on.
const ROWS: usize = 1500;

/// How much the log loss of the sample rises for each of the first columns.
pub fn of(model: &Model, staged: &Staged<'_>, gains: &[Gain]) -> Vec<f64> {
    let rows: Vec<u32> = spread(staged.rows.len(), ROWS).iter().map(|&at| staged.rows[at as usize]).collect();
    let mut sample = staged.all.select(&rows);
    let predictor = model.predictor();
    let loss = |Applied { frame, labels, weights, .. }: &Applied| {
        quality(&predictor.scores(frame), model.ensemble.reading.link, labels, weights).log_loss
    };
    let before = loss(&sample);
    let order = shuffled(rows.len());
    let mut rises = Vec::new();
    for column in gains.iter().take(COLUMNS) {
        let mut other = sample.frame.reordered(column.column, &order);
        sample.frame.swap_column(column.column, &mut other);
        rises.push(loss(&sample) - before);
        sample.frame.swap_column(column.column, &mut other);
    }
    rises
}

/// All rows in an order that looks random and is always the same.
fn shuffled(rows: usize) -> Vec<u32> {
    let hash = |row: u32| mix(u64::from(row) ^ 0x5eed);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.sort_by_key(|&row| hash(row));
    order
}
