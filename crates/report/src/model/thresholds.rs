//! What a class is worth at each threshold of its probability: ROC and precision-recall curves.

use manyboost::engine::scores::Scores;
use manyboost::model::Model;
use manyboost_data::Applied;
use serde_json::{Value, json};

use crate::Page;
use crate::numbers::{number, numbers};

/// Classes that can be looked at.
const CLASSES: usize = 60;
/// Points of a curve are at least this far apart, but for those at whole per cents of the threshold.
const APART: f64 = 0.02;

/// A class against all others: probability, weight of those that have it and of those that have not, the highest first.
struct Curve(Vec<(f64, [f64; 2])>);

impl Curve {
    fn new(mut rows: Vec<(f64, [f64; 2])>) -> Self {
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Rows of one probability are on one side of any threshold.
        rows.dedup_by(|next, last| {
            let same = next.0 == last.0;
            if same {
                last.1 = [last.1[0] + next.1[0], last.1[1] + next.1[1]];
            }
            same
        });
        Self(rows)
    }

    /// How often a row of the class has the higher probability, ties counting half; `None` without rows on either side.
    fn area(&self) -> Option<f64> {
        let (mut area, mut seen) = (0.0, [0.0; 2]);
        for &(_, [has, not]) in &self.0 {
            area += not * (seen[0] + 0.5 * has);
            seen = [seen[0] + has, seen[1] + not];
        }
        (seen[0] > 0.0 && seen[1] > 0.0).then(|| area / (seen[0] * seen[1]))
    }

    /// Thresholds with the shares of both sides at or above each, few enough to draw.
    fn json(&self) -> Option<Value> {
        let area = self.area()?;
        let sum = |side: usize| self.0.iter().map(|row| row.1[side]).sum::<f64>();
        let all = [sum(0), sum(1)];
        let mut points = vec![(1.0, [0.0, 0.0])];
        let (mut seen, mut kept) = ([0.0; 2], (101.0, [0.0; 2]));
        for (at, &(p, [has, not])) in self.0.iter().enumerate() {
            seen = [seen[0] + has, seen[1] + not];
            let shares = [seen[0] / all[0], seen[1] / all[1]];
            let next = self.0.get(at + 1).map_or(-1.0, |next| (next.0 * 100.0).floor());
            let far = (shares[0] - kept.1[0]).max(shares[1] - kept.1[1]) >= APART;
            if far || next < (p * 100.0).floor() {
                points.push((p, shares));
                kept = (p, shares);
            }
        }
        Some(json!({
            "p": numbers(points.iter().map(|point| point.0)),
            "has": numbers(points.iter().map(|point| point.1[0])),
            "not": numbers(points.iter().map(|point| point.1[1])),
            "all": numbers(all),
            "area": number(area),
        }))
    }
}

pub fn section(page: &mut Page, model: &Model, rows: &Applied, scores: &Scores, names: &[String]) {
    let shown = names.len().min(CLASSES);
    let one = rows.weights.one().max(1) as f64;
    let mut curves: Vec<Vec<(f64, [f64; 2])>> = vec![Vec::new(); shown];
    for (row, &units) in rows.weights.units().iter().enumerate() {
        let weight = f64::from(units) / one;
        let mut p = scores.row(row).to_vec();
        model.ensemble.reading.link.apply(&mut p);
        for (label, (curve, p)) in curves.iter_mut().zip(p).enumerate() {
            let has = rows.labels.has(row, label as u32);
            curve.push((p, if has { [weight, 0.0] } else { [0.0, weight] }));
        }
    }
    let classes = curves.into_iter().zip(names);
    let classes: Vec<Value> = classes
        .filter_map(|(rows, name)| Some(json!({"name": name, "curve": Curve::new(rows).json()?})))
        .collect();
    if classes.is_empty() {
        return;
    }
    let figure =
        page.figure("thresholds", "ROC and precision-recall of a class", json!({"classes": classes}));
    let text = "One class against all others: a row is said to have it where its probability is at least the threshold. The lower the threshold, the \
                more of the class are found (recall), and the more others are taken for it (false alarms).";
    page.section("thresholds", "Thresholds", text, &figure);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_count_pairs() {
        let rows = [(0.9, true), (0.8, false), (0.8, true), (0.3, false), (0.1, true)];
        let curve = Curve::new(
            rows.iter().map(|&(p, has)| (p, [f64::from(u8::from(has)), f64::from(u8::from(!has))])).collect(),
        );
        // Six pairs: 0.9 is above both, 0.8 ties one and is above one, 0.1 is below both.
        assert_eq!(curve.area(), Some(3.5 / 6.0));
        assert_eq!(Curve::new(vec![(0.5, [1.0, 0.0])]).area(), None);
    }
}
