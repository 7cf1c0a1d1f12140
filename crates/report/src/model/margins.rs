//! The margins of rows through the rounds: figure 5 of Saberian & Vasconcelos 2019.

use serde_json::json;

use super::staged::Staged;
use crate::Page;
use crate::numbers::{number, numbers};

/// Bars of a histogram.
const BARS: usize = 48;
/// What is drawn of the margins; the few beyond are counted in the last bars.
const SHARE: f64 = 0.995;

/// Half the distance from the score of the true class to the best of the others (equation 14); for label sets the
/// score of each label, its sign changed where a row has it not.
fn margins(staged: &Staged<'_>, stage: usize) -> Vec<f64> {
    let (labels, scores) = (staged.labels(), &staged.scores[stage]);
    let mut margins = Vec::new();
    for (at, &row) in staged.rows.iter().enumerate() {
        let scores = scores.row(at);
        if labels.is_sets() {
            let signed =
                |(label, s): (usize, &f64)| if labels.has(row as usize, label as u32) { *s } else { -*s };
            margins.extend(scores.iter().enumerate().map(signed));
        } else if let Some(class) = labels.class(row as usize) {
            let others = scores.iter().enumerate().filter(|(k, _)| *k != class as usize).map(|(_, s)| *s);
            let best = others.fold(f64::NEG_INFINITY, f64::max);
            if best.is_finite() {
                margins.push(0.5 * (scores[class as usize] - best));
            }
        }
    }
    margins
}

pub fn section(page: &mut Page, staged: &Staged<'_>) {
    let all: Vec<Vec<f64>> = (0..staged.rounds.len()).map(|stage| margins(staged, stage)).collect();
    // What the widest stage needs.
    let reach = all.iter().map(|margins| {
        let mut sizes: Vec<f64> = margins.iter().map(|m| m.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let place = (sizes.len() as f64 * SHARE) as usize;
        sizes.get(place.min(sizes.len().saturating_sub(1))).copied().unwrap_or(0.0)
    });
    let reach = reach.fold(0.0, f64::max);
    if reach <= 0.0 || !reach.is_finite() {
        return;
    }
    let bar = |margin: &f64| {
        ((f64::midpoint(margin / reach, 1.0) * BARS as f64).floor().clamp(0.0, BARS as f64 - 1.0)) as usize
    };
    let histogram = |margins: &Vec<f64>| {
        let mut counts = vec![0.0; BARS];
        for margin in margins {
            counts[bar(margin)] += 1.0 / margins.len() as f64;
        }
        numbers(counts)
    };
    let share = |margins: &Vec<f64>| {
        margins.iter().filter(|m| **m > 0.0).count() as f64 / margins.len().max(1) as f64
    };
    let data = json!({
        "rounds": staged.rounds,
        "reach": number(reach),
        "bars": all.iter().map(histogram).collect::<Vec<_>>(),
        "positive": numbers(all.iter().map(share)),
    });
    let figure = page.figure("margins", "Margins of the rows after each round", data);
    let text = if staged.labels().is_sets() {
        "The score of each label, its sign changed where a row has it not: right answers are on the right. Boosting moves them there, and then \
         on, where they are safer."
    } else {
        "Half the distance from the score of a row's class to the best of the others: right answers are on the right. Boosting moves rows there, \
         and then on, where they are safer."
    };
    page.section("margins", "Margins through the rounds", text, &figure);
}
