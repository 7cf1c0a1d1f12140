//! Pruning by pessimistic estimates of errors.
//!
//! A leaf of N rows that errs on E of them is expected to err on N U(E, N) others, where U is the upper end of a binomial confidence interval.
//! From the leaves up, each test is replaced by a leaf or by its largest branch if that is not expected to err more.

use manyboost_kernel::numbers::math::{exp, ln};

use super::choose::Test;
use super::grow::{Ground, Node};

/// Quantiles of the normal distribution: the confidence, and how many deviations away it is.
const QUANTILES: [(f64, f64); 9] = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.0, 0.0),
];

/// A tree may be expected to err so much less, in rows, and is replaced nevertheless.
const TOLERANCE: f64 = 0.1;

/// The square of how many deviations away a confidence is.
fn squared_deviation(confidence: f64) -> f64 {
    let at = QUANTILES.partition_point(|(value, _)| *value < confidence).clamp(1, QUANTILES.len() - 1);
    let ((from, a), (to, b)) = (QUANTILES[at - 1], QUANTILES[at]);
    let deviation = a + (b - a) * (confidence - from) / (to - from);
    deviation * deviation
}

/// How many more errors than `errors` are expected of so many other `rows`.
pub(super) fn more_errors(rows: f64, errors: f64, confidence: f64) -> f64 {
    if rows <= 0.0 {
        return 0.0;
    }
    let none = rows * (1.0 - exp(ln(confidence) / rows));
    if errors < 1e-6 {
        none
    } else if errors < 0.9999 {
        none + errors * (more_errors(rows, 1.0, confidence) - none)
    } else if errors + 0.5 >= rows {
        0.67 * (rows - errors)
    } else {
        let (square, errors_and_half) = (squared_deviation(confidence), errors + 0.5);
        let spread = square * (errors_and_half * (1.0 - errors_and_half / rows) + square / 4.0);
        rows * (errors_and_half + square / 2.0 + spread.sqrt()) / (rows + square) - errors
    }
}

impl Ground<'_> {
    /// Prunes a tree on these rows; returns how much it is expected to err.
    pub(super) fn prune(&self, node: &mut Node, rows: &[u32], unit: f64) -> f64 {
        let of_leaf = self.expected_of_leaf(rows, unit);
        let Some((split, branches)) = &mut node.split else { return of_leaf };
        let parts = self.parts(split, rows);
        let of_tree: f64 =
            branches.iter_mut().zip(&parts).map(|(branch, part)| self.prune(branch, part, unit)).sum();
        let largest = split.heaviest;
        let of_branch = self.expected(&branches[largest], rows, unit);
        if of_leaf <= of_branch + TOLERANCE && of_leaf <= of_tree + TOLERANCE {
            *node = Node::leaf();
            of_leaf
        } else if of_branch <= of_tree + TOLERANCE {
            *node = branches.swap_remove(largest);
            // Its branches have other rows now.
            self.prune(node, rows, unit)
        } else {
            of_tree
        }
    }

    /// How much a tree is expected to err on rows like these.
    fn expected(&self, node: &Node, rows: &[u32], unit: f64) -> f64 {
        let Some((split, branches)) = &node.split else { return self.expected_of_leaf(rows, unit) };
        let parts = self.parts(split, rows);
        branches.iter().zip(&parts).map(|(branch, part)| self.expected(branch, part, unit)).sum()
    }

    /// Takes out branches without rows, which a raised branch may have: what they would have answered goes with the heaviest one.
    pub(super) fn tidy(&self, node: &mut Node, rows: &[u32]) {
        let Some((split, branches)) = &mut node.split else { return };
        let parts = self.parts(split, rows);
        let there: Vec<bool> = parts.iter().map(|part| self.total(part).iter().any(|&w| w > 0)).collect();
        if there.iter().all(|&there| there) {
            branches.iter_mut().zip(&parts).for_each(|(branch, part)| self.tidy(branch, part));
            return;
        }
        let mut at = 0..;
        branches.retain(|_| at.next().is_some_and(|at: usize| there[at]));
        if branches.len() < 2 {
            *node = branches.pop().unwrap_or_else(Node::leaf);
        } else if let Test::Levels(levels) = &mut split.test {
            let mut at = 0..;
            levels.retain(|_| at.next().is_some_and(|at: usize| there[at]));
            split.heaviest = self.heaviest(split, rows);
        }
        self.tidy(node, rows);
    }

    fn expected_of_leaf(&self, rows: &[u32], unit: f64) -> f64 {
        let total = self.total(rows);
        let cases = total.iter().sum::<i64>() as f64 * unit;
        let errors = cases - total.iter().max().map_or(0.0, |&most| most as f64 * unit);
        errors + more_errors(cases, errors, self.parameters.confidence)
    }
}
