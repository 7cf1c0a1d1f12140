//! How many hypotheses a model's were chosen from.
//!
//! Trees of the sizes in a model, on features with finitely many tests: shapes (4 a node are enough), tests with the side of missing values,
//! and what leaves say. Products of stumps are as many stumps. Hyperplanes and leaves that answer real numbers are not finitely
//! many.

use manyboost_kernel::Order;
use manyboost_kernel::numbers::math::{exp, ln};

use crate::boosters::gd_mcboost;
use crate::codes::codewords::MOST_DIMENSIONS;
use crate::model::Model;
use crate::model::answers::Answers;
use crate::model::ensemble::Term;
use crate::model::epochs::{Ballot, Election};
use crate::model::hypothesis::Cells;

/// Differences of answers that are closer, relatively, are equal.
const EQUAL: f64 = 1e-9;

/// A finite set of hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// ln |H|.
    pub ln_size: f64,
    /// Whether each hypothesis sets two classes apart by nothing or by the most that it can.
    pub all_or_nothing: bool,
}

impl Space {
    /// What the hypotheses of a model were chosen from, or why that is not finite. `rows` is how many there were, which is as many
    /// thresholds as a feature can have where bins do not limit them.
    pub fn of(model: &Model, rows: usize) -> Result<Self, &'static str> {
        let ln_tests = ln_tests(model, rows);
        let codewords = gd_mcboost::names_classes(&model.booster, &model.parameters);
        let width = model.ensemble.start.len();
        let mut space = Self { ln_size: 0.0, all_or_nothing: true };
        for term in model.ensemble.terms() {
            space.ln_size = space.ln_size.max(ln_size(term, ln_tests, width as f64, codewords)?);
            space.all_or_nothing &= all_or_nothing(&term.hypothesis.answers, width);
        }
        Ok(space)
    }
}

/// The logarithm of the number of tests that a node may have: at a threshold or, of categories, any set of levels (of stumps one level),
/// with missing values on either side. Models keep no thresholds but those that they use: features may have had as many as there were bins.
pub(super) fn ln_tests(model: &Model, rows: usize) -> f64 {
    let bins =
        model.parameters.get("bins").and_then(|bins| bins.parse::<usize>().ok()).filter(|bins| *bins > 0);
    let thresholds = ln(bins.unwrap_or(rows).max(1) as f64);
    let one_level = matches!(model.parameters.get("learner").map(String::as_str), Some("stump" | "product"));
    let of_feature = |at: usize| {
        let feature = model.encoder.feature(at, false)?;
        let levels = f64::from(feature.bins.max(1));
        Some(match feature.order {
            Order::Nominal if one_level => ln(levels),
            Order::Nominal => levels * ln(2.0),
            // A word is there or not.
            Order::Ordered if model.encoder.describe(at).is_some_and(|(_, word)| word.is_some()) => 0.0,
            Order::Ordered => thresholds,
        })
    };
    let each: Vec<f64> = (0..model.encoder.features()).filter_map(of_feature).collect();
    let most = each.iter().fold(0.0f64, |most, &tests| most.max(tests));
    ln(2.0) + most + ln(each.iter().map(|tests| exp(tests - most)).sum::<f64>().max(exp(-most)))
}

/// ln |H| of hypotheses like this one.
fn ln_size(term: &Term, ln_tests: f64, classes: f64, codewords: bool) -> Result<f64, &'static str> {
    let partitions =
        ln_partitions(&term.hypothesis.cells, ln_tests).ok_or("there are infinitely many hyperplanes")?;
    let leaves = match &term.hypothesis.cells {
        Cells::Tree(tree) => tree.nodes.len() as f64 + 1.0,
        // Which side of a stump is +1 is among what its two leaves say.
        Cells::Product(stumps) => 2.0 * stumps.len() as f64 + 2.0,
        Cells::Linear(_) => 2.0,
    };
    let whole = |values: &[f64]| values.iter().all(|x| *x == 0.0 || x.abs() == 1.0);
    // What is said once, and by each leaf.
    let (once, each) = match &term.hypothesis.answers {
        Answers::Labels(_) => (0.0, ln(classes)),
        Answers::Vectors { .. } if codewords => (0.0, ln(classes)),
        Answers::Vectors { values, .. } if values.iter().all(|x| x.abs() == 1.0) => (0.0, classes * ln(2.0)),
        // A sign, or nothing.
        Answers::Coordinate { values, .. } if whole(values) => (ln(classes), ln(3.0)),
        Answers::Along { direction, values } if whole(values) => {
            let signs = direction.iter().all(|x| x.abs() == 1.0);
            (if signs { classes * ln(2.0) } else { ln(MOST_DIMENSIONS as f64) }, ln(3.0))
        }
        // Votes and standings are scores too. A leaf orders the classes, or names a place.
        Answers::Election(Election { ballot: Ballot::Weights { classes, .. }, .. }) => {
            (0.0, (2..=*classes).map(|n| ln(f64::from(n))).sum())
        }
        Answers::Election(Election { ballot: Ballot::Places(_), .. }) => (0.0, ln(0.5 * classes)),
        Answers::Vectors { .. } | Answers::Coordinate { .. } | Answers::Along { .. } => {
            return Err("hypotheses answer real numbers");
        }
    };
    Ok(partitions + once + leaves * each)
}

/// The logarithm of the number of ways in which hypotheses like this one can cut feature space into cells; `None` of hyperplanes.
pub(super) fn ln_partitions(cells: &Cells, ln_tests: f64) -> Option<f64> {
    let nodes = match cells {
        Cells::Tree(tree) => tree.nodes.len(),
        Cells::Product(stumps) => stumps.len(),
        Cells::Linear(_) => return None,
    };
    Some(nodes as f64 * (ln(4.0) + ln_tests))
}

/// Whether all cells set any two classes apart by 0 or by one and the same amount.
fn all_or_nothing(answers: &Answers, width: usize) -> bool {
    let cells: Vec<Vec<f64>> = (0..answers.len()).map(|cell| answers.vector(cell, width)).collect();
    let least = |cell: &[f64]| cell.iter().fold(f64::INFINITY, |least, &x| least.min(x));
    let above = |cell: &Vec<f64>| cell.iter().map(|x| x - least(cell)).collect::<Vec<f64>>();
    let gaps: Vec<f64> = cells.iter().flat_map(above).collect();
    let most = gaps.iter().fold(0.0f64, |most, &gap| most.max(gap));
    gaps.iter().all(|&gap| gap <= EQUAL * most || gap >= (1.0 - EQUAL) * most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::hypothesis::Hypothesis;
    use crate::model::tree::Tree;

    fn of(answers: Answers, codewords: bool) -> Result<f64, &'static str> {
        let cells = Cells::Tree(Tree::default());
        ln_size(&Term { alpha: 1.0, hypothesis: Hypothesis { cells, answers } }, ln(10.0), 3.0, codewords)
    }

    #[test]
    fn only_finitely_many_hypotheses_are_counted() {
        let close = |found: Result<f64, &str>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        let vectors = |values: &[f64]| Answers::Vectors { width: 3, values: values.to_vec() };
        assert!(close(of(Answers::Labels(vec![1]), false), 3f64.ln()));
        assert!(close(of(vectors(&[1.0, -1.0, 1.0]), false), 8f64.ln()));
        // The codeword of a class, as what it adds to the scores.
        assert!(of(vectors(&[1.0, -0.5, -0.5]), false).is_err());
        assert!(close(of(vectors(&[1.0, -0.5, -0.5]), true), 3f64.ln()));
        let along =
            |values: &[f64]| Answers::Along { direction: vec![1.0, 1.0, -1.0], values: values.to_vec() };
        assert!(close(of(along(&[-1.0]), false), 24f64.ln()));
        assert!(of(along(&[0.3]), false).is_err());
        let coordinate = Answers::Coordinate { at: 2, values: vec![1.0] };
        assert!(close(of(coordinate, false), 9f64.ln()));
    }

    #[test]
    fn some_answers_set_classes_apart_by_all_or_nothing() {
        let vectors = |values: &[f64]| Answers::Vectors { width: 3, values: values.to_vec() };
        assert!(all_or_nothing(&Answers::Labels(vec![0, 2]), 3));
        assert!(all_or_nothing(&vectors(&[1.0, -0.5, -0.5, 0.1, 0.1, 1.6, 2.0, 2.0, 2.0]), 3));
        assert!(!all_or_nothing(&vectors(&[1.0, -0.5, -0.4]), 3));
        assert!(!all_or_nothing(&vectors(&[1.0, 0.0, 0.0, 0.5, 0.0, 0.0]), 3));
    }
}
