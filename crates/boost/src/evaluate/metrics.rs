//! How good predictions are.

use manyboost_data::{Labels, Weights};
use manyboost_kernel::numbers::math::ln;
use manyboost_kernel::{Totals, count_at_least};

use crate::engine::scores::{Scores, argmax};
use crate::model::reading::Link;

/// Probabilities below this count as this much in a log loss, so that one sure mistake does not make it infinite.
const LEAST: f64 = 1e-15;

/// Quality of predictions, weighted.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Share of rows with the wrong class; for label sets the share of wrong labels (Hamming loss).
    pub error: f64,
    /// Mean logarithmic loss (for label sets: summed over the labels of a row).
    pub log_loss: f64,
    /// Label sets only: share of rows whose first label is wrong.
    pub one_error: Option<f64>,
    /// Label sets only: share of (has, has not) pairs in the wrong order.
    pub ranking_loss: Option<f64>,
    /// Label sets only: at the place of each label that a row has, the share of those above it that it has too.
    pub average_precision: Option<f64>,
}

/// The smallest positive number.
const LEAST_POSITIVE: f64 = f64::from_bits(1);

/// How many mistakes a row's scores make: 1 for the wrong class, or the number of wrong labels.
#[inline]
pub fn row_mistakes(labels: &Labels, row: usize, scores: &[f64]) -> u32 {
    match labels {
        Labels::Classes { of, .. } => u32::from(argmax(scores) as u32 != of[row]),
        Labels::Sets { sets, .. } => {
            let (own, said) = (sets.row(row), count_at_least(scores, LEAST_POSITIVE));
            let right = own.iter().filter(|&&l| scores[l as usize] > 0.0).count();
            (said - right + own.len() - right) as u32
        }
    }
}

/// The most mistakes that a row can make.
pub fn most_mistakes(labels: &Labels) -> f64 {
    if labels.is_sets() { labels.classes().max(1) as f64 } else { 1.0 }
}

/// Measures the scores of classes against answers. Rows are summed in order: only this process looks at the result.
pub fn quality(scores: &Scores, link: Link, labels: &Labels, weights: &Weights) -> Quality {
    let (mut error, mut log_loss, mut total) = (0.0, 0.0, 0.0);
    let (mut one_error, mut ranking, mut precision) = (0.0, 0.0, 0.0);
    for (row, &units) in weights.units().iter().enumerate() {
        let (f, w) = (scores.row(row), f64::from(units));
        let mut p = f.to_vec();
        link.apply(&mut p);
        total += w;
        error += w * f64::from(row_mistakes(labels, row, f)) / most_mistakes(labels);
        log_loss += w * row_surprise(labels, row, &p);
        if labels.is_sets() {
            let [one, pairs] = row_ranking(labels, row, f);
            one_error += w * one;
            ranking += w * pairs;
            precision += w * average_precision(f, labels.labels(row));
        }
    }
    let sets = labels.is_sets();
    Quality {
        error: error / total,
        log_loss: log_loss / total,
        one_error: sets.then_some(one_error / total),
        ranking_loss: sets.then_some(ranking / total),
        average_precision: sets.then_some(precision / total),
    }
}

/// The error and the log loss of rows of which other workers may have some: sums in whole numbers, on which the order of rows has no
/// bearing.
pub(crate) fn error_and_loss(scores: &Scores, link: Link, labels: &Labels, totals: &Totals<'_>) -> [f64; 2] {
    let of = |row: usize| {
        let f = scores.row(row);
        let mut p = f.to_vec();
        link.apply(&mut p);
        [f64::from(row_mistakes(labels, row, f)), row_surprise(labels, row, &p)]
    };
    let most = most_mistakes(labels);
    let [mistakes, loss] = totals.sums_within([most, most_surprise(labels)], of);
    [mistakes / (totals.weight() * most), loss / totals.weight()]
}

/// The log loss of a row's probabilities; for label sets summed over the labels.
pub(crate) fn row_surprise(labels: &Labels, row: usize, p: &[f64]) -> f64 {
    let surprise = |likely: f64| -ln(likely.max(LEAST));
    match labels {
        Labels::Classes { of, .. } => surprise(p.get(of[row] as usize).copied().unwrap_or(0.0)),
        Labels::Sets { .. } => {
            let has = labels.labels(row);
            let one = |(l, &p): (usize, &f64)| surprise(if has.contains(&(l as u32)) { p } else { 1.0 - p });
            p.iter().enumerate().map(one).sum()
        }
    }
}

/// The largest log loss of a row.
pub(crate) fn most_surprise(labels: &Labels) -> f64 {
    -ln(LEAST) * most_mistakes(labels)
}

/// Whether a row's first label is wrong (1 or 0), and the share of pairs of labels in the wrong order.
pub(crate) fn row_ranking(labels: &Labels, row: usize, scores: &[f64]) -> [f64; 2] {
    ranking(scores, labels.labels(row))
}

/// Whether the label with the highest score, the first of equals, is none that a row has (1 or 0); and the share of pairs (label that
/// it has, label that it has not) that scores do not put in this order. Ties of pairs count as wrong.
fn ranking(scores: &[f64], has: &[u32]) -> [f64; 2] {
    // Labels that it has not, but that score as much as one that it has.
    let before = |&l: &u32| {
        let own = scores[l as usize];
        count_at_least(scores, own) - has.iter().filter(|&&other| scores[other as usize] >= own).count()
    };
    let (mut wrong, mut first) = (0, false);
    for before in has.iter().map(before) {
        wrong += before;
        first |= before == 0;
    }
    // Only if others are as high it matters which comes first.
    first = first || has.contains(&(argmax(scores) as u32));
    let pairs = has.len() * (scores.len() - has.len());
    [f64::from(u8::from(!first)), if pairs == 0 { 0.0 } else { wrong as f64 / pairs as f64 }]
}

/// Whether a row has each label, from the highest score to the lowest. Ties count as wrong: a label that is not there comes
/// first among equals.
fn ranked(scores: &[f64], has: &[u32]) -> Vec<bool> {
    let mut ranked: Vec<(f64, bool)> =
        scores.iter().enumerate().map(|(l, &s)| (s, has.contains(&(l as u32)))).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().map(|(_, there)| there).collect()
}

/// The mean, over the labels that a row has, of the share of them among all labels down to it; 1 where it has none.
fn average_precision(scores: &[f64], has: &[u32]) -> f64 {
    let places = ranked(scores, has).into_iter().zip(1u32..).filter(|&(there, _)| there).zip(1u32..);
    let shares: f64 = places.map(|((_, place), found)| f64::from(found) / f64::from(place)).sum();
    if has.is_empty() { 1.0 } else { shares / has.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_label_is_the_first_of_the_highest() {
        let wrong = |scores: &[f64], has: &[u32]| ranking(scores, has)[0];
        assert_eq!(wrong(&[3.0, 2.0, 1.0], &[0]), 0.0);
        assert_eq!(wrong(&[3.0, 2.0, 1.0], &[1, 2]), 1.0);
        assert_eq!(wrong(&[3.0, 2.0, 1.0], &[0, 2]), 0.0);
        assert_eq!(wrong(&[1.0, 1.0, 0.0], &[0]), 0.0);
        assert_eq!(wrong(&[1.0, 1.0, 0.0], &[1]), 1.0);
        assert_eq!(wrong(&[1.0, 1.0, 0.0], &[0, 1]), 0.0);
        assert_eq!(wrong(&[1.0], &[]), 1.0);
    }

    #[test]
    fn ranking_counts_pairs() {
        let loss = |scores: &[f64], has: &[u32]| ranking(scores, has)[1];
        assert_eq!(loss(&[3.0, 2.0, 1.0], &[0]), 0.0);
        assert_eq!(loss(&[3.0, 2.0, 1.0], &[2]), 1.0);
        assert_eq!(loss(&[3.0, 2.0, 1.0], &[0, 2]), 0.5);
        assert_eq!(loss(&[1.0, 1.0], &[0]), 1.0);
        assert_eq!(loss(&[1.0, 1.0], &[]), 0.0);
    }

    #[test]
    fn precision_looks_at_the_labels_above() {
        assert_eq!(average_precision(&[3.0, 2.0, 1.0], &[0]), 1.0);
        assert_eq!(average_precision(&[3.0, 2.0, 1.0], &[1]), 0.5);
        assert_eq!(average_precision(&[3.0, 2.0, 1.0, 0.0], &[0, 3]), 0.75);
        assert_eq!(average_precision(&[1.0, 1.0], &[0]), 0.5);
        assert_eq!(average_precision(&[1.0, 1.0], &[]), 1.0);
    }

    #[test]
    fn argmax_and_error_take_the_first_of_equals() {
        let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![1] };
        assert_eq!(row_mistakes(&labels, 0, &[1.0, 1.0]), 1);
        assert_eq!(row_mistakes(&labels, 0, &[1.0, 2.0]), 0);
    }
}
