//! What columns add to scores, over many rows: the exact Shapley values of a sample, by class.

use manyboost::explain::{Explainer, Explanation, Grain};
use manyboost::model::Model;
use manyboost_data::Frame;
use manyboost_data::encode::Codec;
use serde_json::{Value, json};

use super::staged::{Staged, spread};
use super::values::first_feature;
use crate::numbers::{number, numbers};
use crate::{Page, words};

/// Rows that are explained at most, and the fewest that say something.
const ROWS: usize = 200;
const FEWEST: usize = 20;
/// Columns that are shown: those that add most.
const COLUMNS: usize = 15;
/// Leaves and classes of all rows, numbers that are computed, and numbers of the figure, at most.
const WORK: usize = 300_000_000;
const COMPUTED: usize = 20_000_000;
const NUMBERS: usize = 45_000;

pub fn section(page: &mut Page, model: &Model, staged: &Staged<'_>, names: &[String]) {
    let Ok(explainer) = Explainer::new(model, Grain::Columns) else { return };
    let (parts, classes) = (explainer.parts().len(), names.len());
    let leaves: usize = model.trees().map_or(0, |trees| trees.iter().map(|term| term.tree.leaves()).sum());
    let most = (WORK / (leaves * (classes + 40)).max(1)).min(COMPUTED / (parts * classes).max(1)).min(ROWS);
    let rows: Vec<u32> = spread(staged.rows.len(), most).iter().map(|&at| staged.rows[at as usize]).collect();
    if rows.len() < FEWEST {
        return;
    }
    let frame = staged.all.frame.select(&rows);
    let Ok(added) = explainer.values(&frame) else { return };
    if added.classes != classes {
        return;
    }
    let mean = |part: usize, class: usize| {
        (0..rows.len()).map(|row| added.part(row, part)[class].abs()).sum::<f64>() / rows.len() as f64
    };
    let sum = |part: usize| (0..classes).map(|class| mean(part, class)).sum::<f64>();
    let mut order: Vec<(usize, f64)> = (0..parts).map(|part| (part, sum(part))).collect();
    order.retain(|(_, sum)| *sum > 0.0);
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order.truncate(COLUMNS);
    if order.is_empty() {
        return;
    }
    let columns: Vec<Column> = order.iter().map(|&(part, _)| Column::new(model, &frame, part)).collect();
    let bees = (NUMBERS / (order.len() * classes)).min(rows.len());
    let drawn: Vec<Value> = columns
        .iter()
        .map(|column| {
            let means = numbers((0..classes).map(|class| mean(column.part, class)));
            let rises = numbers((0..classes).map(|class| column.direction(&added, class)));
            json!({"name": column.name, "mean": means, "rises": rises, "values": column.tenths(&rows, bees)})
        })
        .collect();
    let reach = |class: usize| {
        let all = (0..rows.len()).flat_map(|row| order.iter().map(move |&(part, _)| (row, part)));
        all.map(|(row, part)| added.part(row, part)[class].abs()).fold(1e-12, f64::max)
    };
    let reaches: Vec<f64> = (0..classes).map(reach).collect();
    let swarm = |class: usize| -> Vec<Vec<i64>> {
        let place = |row: u32, part: usize| {
            (1000.0 * added.part(row as usize, part)[class] / reaches[class]).round() as i64
        };
        let own = spread(rows.len(), bees);
        order.iter().map(|&(part, _)| own.iter().map(|&row| place(row, part)).collect()).collect()
    };
    let swarms: Vec<Vec<Vec<i64>>> =
        if bees >= FEWEST { (0..classes).map(swarm).collect() } else { Vec::new() };
    let data = json!({
        "names": names,
        "columns": drawn,
        "reach": reaches.iter().map(|&reach| number(reach)).collect::<Vec<_>>(),
        "swarms": swarms,
    });
    let figure = page.figure("shapley", "What columns add to scores", data);
    let text = format!(
        "Exact Shapley values of {}: how far each column moves the score of a class away from what is expected of any row. Pick a class: each dot is a \
         row, to the right where the column speaks for the class, and the redder the higher the value.",
        words::count(rows.len(), "row")
    );
    page.section("shapley", "What columns add", &text, &figure);
}

/// A column, and how its values stand among those of the rows.
struct Column {
    part: usize,
    name: String,
    /// Ranks of the values between 0 and 1, nothing where there is none; empty if values have no order.
    ranks: Vec<Option<f64>>,
}

impl Column {
    fn new(model: &Model, frame: &Frame, part: usize) -> Self {
        let encoder = &model.encoder.column_encoders()[part];
        let feature = first_feature(model, part);
        let ranks = if matches!(encoder.codec, Codec::Number(_) | Codec::Time(_)) {
            ranks(&(0..frame.rows()).map(|row| frame.value(row, feature)).collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        Self { part, name: words::name(&encoder.name), ranks }
    }

    /// Ranks in tenths, of some of the rows.
    fn tenths(&self, rows: &[u32], most: usize) -> Vec<Value> {
        let tenth =
            |row: u32| self.ranks[row as usize].map_or(Value::Null, |rank| json!((10.0 * rank) as u32));
        if self.ranks.is_empty() {
            Vec::new()
        } else {
            spread(rows.len(), most).into_iter().map(tenth).collect()
        }
    }

    /// The correlation of what is added to a class with the ranks: above 0 where higher values speak for it.
    fn direction(&self, added: &Explanation, class: usize) -> f64 {
        let pairs: Vec<[f64; 2]> = self
            .ranks
            .iter()
            .enumerate()
            .filter_map(|(row, rank)| Some([(*rank)?, added.part(row, self.part)[class]]))
            .collect();
        correlation(&pairs)
    }
}

/// Pearson's; nothing (NaN) where one side does not vary.
fn correlation(pairs: &[[f64; 2]]) -> f64 {
    let n = pairs.len() as f64;
    let mean = [0, 1].map(|side| pairs.iter().map(|pair| pair[side]).sum::<f64>() / n);
    let product = |a: usize, b: usize| pairs.iter().map(|p| (p[a] - mean[a]) * (p[b] - mean[b])).sum::<f64>();
    product(0, 1) / (product(0, 0) * product(1, 1)).sqrt()
}

/// The share of the values that are below each, ties counting half.
fn ranks(values: &[f64]) -> Vec<Option<f64>> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let rank = |x: &f64| {
        let (below, up_to) = (sorted.partition_point(|y| y < x), sorted.partition_point(|y| y <= x));
        (!x.is_nan()).then(|| (f64::midpoint(below as f64, up_to as f64) / sorted.len() as f64).min(0.999))
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shares_below() {
        let found = ranks(&[3.0, f64::NAN, 1.0, 1.0, 9.0]);
        assert_eq!(found, [Some(0.625), None, Some(0.25), Some(0.25), Some(0.875)]);
    }

    #[test]
    fn directions_have_signs() {
        assert_eq!(correlation(&[[0.0, 1.0], [0.5, 0.0], [1.0, -1.0]]), -1.0);
        assert!(correlation(&[[0.0, 1.0], [0.5, 1.0]]).is_nan());
    }
}
