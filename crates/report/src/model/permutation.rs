//! Permutation importance: what a column is worth is what is lost when its values change places.

use manyboost::evaluate::metrics::quality;
use manyboost::model::Model;
use manyboost_data::Applied;
use manyboost_kernel::numbers::math::ln;
use manyboost_kernel::numbers::seed::mix;

use super::gain::Gain;
use super::staged::{Staged, spread};

/// Columns that are tried: those with the greatest gains.
pub const COLUMNS: usize = 30;
/// Rows that they are tried on.
const ROWS: usize = 1500;
/// Classes that are told apart.
const CLASSES: usize = 200;
/// Probabilities below this count as this much.
const LEAST: f64 = 1e-15;

/// What is lost when the values of a column change places.
pub struct Rise {
    /// How much the log loss of the sample rises.
    pub all: f64,
    /// How much it rises among the rows of each class (of label sets: for each label); NaN where there are none.
    pub classes: Vec<f64>,
}

/// The rises for each of the first columns.
pub fn of(model: &Model, staged: &Staged<'_>, gains: &[Gain]) -> Vec<Rise> {
    let rows: Vec<u32> = spread(staged.rows.len(), ROWS).iter().map(|&at| staged.rows[at as usize]).collect();
    let mut sample = staged.all.select(&rows);
    let predictor = model.predictor();
    let loss = |rows: &Applied| {
        let scores = predictor.scores(&rows.frame);
        let all = quality(&scores, model.ensemble.reading.link, &rows.labels, &rows.weights).log_loss;
        let p = model.ensemble.reading.link.apply_rows(scores);
        let classes = p.width().min(CLASSES);
        Rise {
            all,
            classes: (0..classes).map(|class| of_class(rows, class, |row| p.row(row)[class])).collect(),
        }
    };
    let before = loss(&sample);
    let order = shuffled(rows.len());
    let mut rises = Vec::new();
    for column in gains.iter().take(COLUMNS) {
        let mut other = sample.frame.reordered(column.column, &order);
        sample.frame.swap_column(column.column, &mut other);
        let after = loss(&sample);
        let classes = after.classes.iter().zip(&before.classes).map(|(after, before)| after - before);
        rises.push(Rise { all: after.all - before.all, classes: classes.collect() });
        sample.frame.swap_column(column.column, &mut other);
    }
    rises
}

/// The log loss of the rows of a class, or of a label in all rows, given its probability in each.
fn of_class(rows: &Applied, class: usize, p: impl Fn(usize) -> f64) -> f64 {
    let (mut sum, mut all) = (0.0, 0.0);
    for (row, &weight) in rows.weights.units().iter().enumerate() {
        let has = rows.labels.has(row, class as u32);
        if has || rows.labels.is_sets() {
            let likely = if has { p(row) } else { 1.0 - p(row) };
            sum -= f64::from(weight) * ln(likely.max(LEAST));
            all += f64::from(weight);
        }
    }
    sum / all
}

/// All rows in an order that looks random and is always the same.
fn shuffled(rows: usize) -> Vec<u32> {
    let hash = |row: u32| mix(u64::from(row) ^ 0x5eed);
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.sort_by_key(|&row| hash(row));
    order
}
