//! Calibration: whether of the rows that are given a probability p, a share of p is as predicted.

use manyboost::engine::scores::{Scores, argmax};
use manyboost::model::Model;
use manyboost_data::Applied;
use serde_json::{Value, json};

use crate::Page;
use crate::numbers::{number, numbers};

/// Ranges of probability.
const BINS: usize = 10;
/// Classes that can be looked at one by one.
const CLASSES: usize = 100;

/// Rows by predicted probability: their weight, the sum of probabilities, the weight of those that are as predicted.
#[derive(Clone, Default)]
struct Bins([[f64; 3]; BINS]);

impl Bins {
    fn add(&mut self, p: f64, weight: f64, right: bool) {
        let bin = &mut self.0[((p * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += weight;
        bin[1] += weight * p;
        bin[2] += if right { weight } else { 0.0 };
    }

    /// The mean distance between probability and share.
    fn error(&self) -> f64 {
        let all: f64 = self.0.iter().map(|bin| bin[0]).sum();
        self.0.iter().map(|bin| (bin[1] - bin[2]).abs()).sum::<f64>() / all.max(f64::MIN_POSITIVE)
    }

    fn json(&self) -> Value {
        let there = || self.0.iter().filter(|bin| bin[0] > 0.0);
        json!({
            "p": numbers(there().map(|bin| bin[1] / bin[0])),
            "share": numbers(there().map(|bin| bin[2] / bin[0])),
            "rows": numbers(there().map(|bin| bin[0])),
            "error": number(self.error()),
        })
    }
}

pub fn section(page: &mut Page, model: &Model, rows: &Applied, scores: &Scores, names: &[String]) {
    let shown = names.len().min(CLASSES);
    let (mut whole, mut each) = (Bins::default(), vec![Bins::default(); shown]);
    let one = rows.weights.one().max(1) as f64;
    for (row, &units) in rows.weights.units().iter().enumerate() {
        let weight = f64::from(units) / one;
        let mut p = scores.row(row).to_vec();
        model.ensemble.reading.link.apply(&mut p);
        if !rows.labels.is_sets() {
            let named = argmax(scores.row(row));
            whole.add(p[named], weight, rows.labels.class(row) == Some(named as u32));
        }
        for (label, &p) in p.iter().enumerate() {
            let has = rows.labels.has(row, label as u32);
            if rows.labels.is_sets() {
                whole.add(p, weight, has);
            }
            if let Some(bins) = each.get_mut(label) {
                bins.add(p, weight, has);
            }
        }
    }
    let classes: Vec<Value> = each.iter().map(Bins::json).collect();
    let first = if rows.labels.is_sets() { "all labels" } else { "the answer" };
    let data = json!({"names": names[..shown], "first": first, "whole": whole.json(), "classes": classes});
    let figure = page.figure("reliability", "Reliability of probabilities", data);
    let text = format!(
        "Of the rows that are given a probability of 70 %, about 70 % should be as predicted: dots on the line. Below it the model is too \
         sure, above it not sure enough. The mean distance is {:.1} points.",
        100.0 * whole.error()
    );
    page.section("calibration", "Calibration", &text, &figure);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_weighted() {
        let mut bins = Bins::default();
        for i in 0..10 {
            bins.add(0.75, 1.0, i < 7);
            bins.add(1.0, 3.0, true);
        }
        // Forty rows, ten of which are off by 0.05.
        assert!((bins.error() - 0.05 * 10.0 / 40.0).abs() < 1e-12);
        assert_eq!(bins.json()["rows"], json!([10.0, 30.0]));
    }
}
