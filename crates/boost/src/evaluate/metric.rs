//! What decides which round is best on rows to validate on, and when patience is at an end.
//!
//! Every metric but the log loss and the error is a function of whole numbers (rows by class and answer, or pairs of rows), so it does
//! not depend on the order of rows either. They need all rows in one place: several workers know the log loss and the error only.

use std::fmt;
use std::str::FromStr;

use manyboost_data::{Error, ErrorKind, Labels, Weights};

use crate::engine::history::Record;
use crate::engine::scores::{Scores, argmax};
use crate::model::reading::Link;

/// A figure of rows that were not trained on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// The mean logarithmic loss.
    #[default]
    LogLoss,
    /// The share of wrong answers.
    Error,
    /// The mean of the F1 of all classes or labels that rows have or are said to have.
    MacroF1,
    /// The mean share of wrong answers of each class.
    BalancedError,
    /// The mean over classes or labels of the share of pairs (a row that has it, a row that has not) in the right order.
    Auc,
    /// The share of rows whose class is not among so many with the highest scores.
    Top(usize),
}

/// What they are called.
pub const METRICS: &str = "log-loss, error, macro-f1, balanced-error, auc or top-N, such as top-3";

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LogLoss => f.write_str("log-loss"),
            Self::Error => f.write_str("error"),
            Self::MacroF1 => f.write_str("macro-f1"),
            Self::BalancedError => f.write_str("balanced-error"),
            Self::Auc => f.write_str("auc"),
            Self::Top(n) => write!(f, "top-{n}"),
        }
    }
}

impl FromStr for Metric {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let top = |text: &str| text.strip_prefix("top-")?.parse().ok().filter(|n| *n >= 1).map(Self::Top);
        match text {
            "log-loss" => Ok(Self::LogLoss),
            "error" => Ok(Self::Error),
            "macro-f1" => Ok(Self::MacroF1),
            "balanced-error" => Ok(Self::BalancedError),
            "auc" => Ok(Self::Auc),
            _ => top(text).ok_or_else(|| {
                let what = format!("`metric`: there is no {text:?}");
                Error::new(ErrorKind::Parameter, what, format!("choose {METRICS}"))
            }),
        }
    }
}

impl Metric {
    /// What it says of a round: less is better.
    pub(crate) fn of(self, record: &Record) -> Option<f64> {
        match self {
            Self::LogLoss => record.valid_loss,
            Self::Error => record.valid_error,
            Self::MacroF1 | Self::Auc => record.valid_metric.map(|x| -x),
            Self::BalancedError | Self::Top(_) => record.valid_metric,
        }
    }

    /// Whether it is measured beside the log loss and the error, which always are.
    pub(crate) fn is_extra(self) -> bool {
        !matches!(self, Self::LogLoss | Self::Error)
    }

    /// Refuses answers of which it says nothing.
    pub(crate) fn check(self, labels: &Labels, alone: bool) -> Result<(), Error> {
        let refuse = |what: &str, remedy: &str| {
            Err(Error::new(ErrorKind::Parameter, format!("`metric={self}`: {what}"), remedy))
        };
        match self {
            Self::Top(n) if labels.is_sets() || n >= labels.classes() => {
                refuse("rows do not have one of more classes than that", "choose `metric=error`")
            }
            Self::BalancedError if labels.is_sets() => {
                refuse("rows do not have one class each", "choose `metric=macro-f1`")
            }
            _ if self.is_extra() && !alone => refuse(
                "it needs all rows to validate on in one place, and here are several workers",
                "choose `metric=log-loss` or `metric=error`",
            ),
            _ => Ok(()),
        }
    }

    /// The figure of these scores of classes, if it is not one that always is measured.
    pub(crate) fn measure(
        self,
        scores: &Scores,
        link: Link,
        labels: &Labels,
        weights: &Weights,
    ) -> Option<f64> {
        let seen = Seen { scores, labels, weights };
        match self {
            Self::LogLoss | Self::Error => None,
            Self::MacroF1 => Some(mean(seen.counts().iter().filter_map(Counts::f1))),
            Self::BalancedError => Some(mean(seen.counts().iter().filter_map(Counts::missed))),
            Self::Auc => {
                let likely = link.apply_rows(scores.clone());
                Some(mean((0..scores.width()).filter_map(|class| seen.auc(&likely, class))))
            }
            Self::Top(n) => Some(seen.beyond(n)),
        }
    }
}

/// The mean, 0 of nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), x| (sum + x, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// What rows of a class, or with a label, are said to be, by weight.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// They have it.
    has: u64,
    /// They are said to have it.
    said: u64,
    /// Both.
    right: u64,
}

impl Counts {
    fn f1(&self) -> Option<f64> {
        let all = self.has + self.said;
        (all > 0).then(|| 2.0 * self.right as f64 / all as f64)
    }

    /// The share of rows with it that are not said to have it.
    fn missed(&self) -> Option<f64> {
        (self.has > 0).then(|| (self.has - self.right) as f64 / self.has as f64)
    }
}

/// Rows, what is known of them, and what a model says.
struct Seen<'a> {
    scores: &'a Scores,
    labels: &'a Labels,
    weights: &'a Weights,
}

impl Seen<'_> {
    fn rows(&self) -> impl Iterator<Item = (usize, u64)> {
        self.weights.units().iter().map(|&units| u64::from(units)).enumerate()
    }

    fn counts(&self) -> Vec<Counts> {
        let mut counts = vec![Counts::default(); self.scores.width()];
        for (row, units) in self.rows() {
            let scores = self.scores.row(row);
            let best = argmax(scores);
            for (class, counts) in counts.iter_mut().enumerate() {
                let has = self.labels.has(row, class as u32);
                let said = if self.labels.is_sets() { scores[class] > 0.0 } else { best == class };
                counts.has += units * u64::from(has);
                counts.said += units * u64::from(said);
                counts.right += units * u64::from(has && said);
            }
        }
        counts
    }

    /// The share of pairs in the right order, half of those that are equal; none where all rows or no row has the class.
    fn auc(&self, likely: &Scores, class: usize) -> Option<f64> {
        let of =
            |(row, units): (usize, u64)| (likely.row(row)[class], self.labels.has(row, class as u32), units);
        let mut rows: Vec<(f64, bool, u64)> = self.rows().map(of).collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut below, mut with, mut pairs) = (0_u128, 0_u128, 0_u128);
        for equal in rows.chunk_by(|a, b| a.0 == b.0) {
            let of = |has: bool| {
                equal.iter().filter(|row| row.1 == has).map(|row| u128::from(row.2)).sum::<u128>()
            };
            let (own, others) = (of(true), of(false));
            // Twice the pairs, so that half a pair is a whole number.
            pairs += own * (2 * below + others);
            (below, with) = (below + others, with + own);
        }
        (below > 0 && with > 0).then(|| pairs as f64 / (2 * below * with) as f64)
    }

    /// The share of rows whose class is not among so many.
    fn beyond(&self, n: usize) -> f64 {
        let (mut wrong, mut all) = (0, 0);
        for (row, units) in self.rows() {
            let scores = self.scores.row(row);
            let own = (0..scores.len()).find(|&class| self.labels.has(row, class as u32)).unwrap_or(0);
            let before = |(k, &x): (usize, &f64)| x > scores[own] || (x == scores[own] && k < own);
            let place = scores.iter().enumerate().filter(|&(k, x)| before((k, x))).count();
            all += units;
            wrong += units * u64::from(place >= n || !self.labels.has(row, own as u32));
        }
        if all == 0 { 0.0 } else { wrong as f64 / all as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(rows: &[[f64; 3]]) -> Scores {
        let mut all = Scores::new(rows.len(), &[0.0; 3]);
        all.values_mut().copy_from_slice(&rows.concat());
        all
    }

    fn measured(metric: &str, rows: &[[f64; 3]], of: &[u32]) -> f64 {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let labels = Labels::Classes { names, of: of.to_vec() };
        let metric: Metric = metric.parse().unwrap();
        metric.measure(&scores(rows), Link::Softmax(1.0), &labels, &Weights::ones(of.len())).unwrap()
    }

    /// Answers a, a, b, c.
    const ROWS: [[f64; 3]; 4] = [[2.0, 1.0, 0.0], [1.0, 0.5, 0.0], [0.0, 3.0, 1.0], [0.0, 1.0, 2.0]];

    #[test]
    fn figures_are_those_of_the_books() {
        let of = [0, 1, 1, 2];
        // F1: a 2/3, b 2/3, c 1. Recalls: 1, 1/2, 1.
        assert!((measured("macro-f1", &ROWS, &of) - 7.0 / 9.0).abs() < 1e-15);
        assert!((measured("balanced-error", &ROWS, &of) - 1.0 / 6.0).abs() < 1e-15);
        assert_eq!(measured("top-1", &ROWS, &of), 0.25);
        assert_eq!(measured("top-2", &ROWS, &of), 0.0);
        assert_eq!(measured("auc", &ROWS, &[0, 0, 1, 2]), 1.0);
        // Equal scores are half a pair each.
        assert_eq!(measured("auc", &[[1.0; 3]; 4], &of), 0.5);
    }

    #[test]
    fn names_are_read_and_others_refused() {
        for name in ["log-loss", "error", "macro-f1", "balanced-error", "auc", "top-3"] {
            assert_eq!(name.parse::<Metric>().unwrap().to_string(), name);
        }
        for name in ["f1", "top-0", "top-", "accuracy"] {
            assert!(name.parse::<Metric>().unwrap_err().remedy().contains("macro-f1"));
        }
    }

    #[test]
    fn what_says_nothing_of_the_answers_is_refused() {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let labels = Labels::Classes { names, of: vec![0, 1, 2] };
        let refused = |metric: Metric, alone| metric.check(&labels, alone).unwrap_err().what().to_string();
        assert!(refused(Metric::Top(3), true).contains("top-3"));
        for metric in [Metric::MacroF1, Metric::BalancedError, Metric::Auc, Metric::Top(2)] {
            assert!(metric.check(&labels, true).is_ok());
            assert!(refused(metric, false).contains("several workers"));
        }
        assert!(Metric::Error.check(&labels, false).is_ok() && Metric::LogLoss.check(&labels, false).is_ok());
    }
}
