//! How much each feature matters to a model, from the model alone.
//!
//! A test matters as much as its outcome moves scores: the step times the distance between the mean answers on its
//! two sides. A feature has the share of its tests in the sum over all tests. A hyperplane is a test that its features share by
//! their slopes, with values measured so that the largest is about 1.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::model::answers::Answers;
use crate::model::hypothesis::{Cells, Hypothesis};
use crate::model::linear::Linear;
use crate::model::tree::{Child, Tree};

/// What a feature does in a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Importance {
    /// Its number; of times, that of the seconds, which stands for all parts of the column.
    pub feature: u32,
    /// Its column.
    pub column: String,
    /// Its word, if the column is text.
    pub word: Option<String>,
    /// Its share in the moves of all tests.
    pub share: f64,
    /// Tests that look at it.
    pub tests: usize,
}

/// The importances of the features that any test looks at, the greatest first.
pub fn of(model: &Model) -> Vec<Importance> {
    let width = model.ensemble.start.len();
    let mut moves: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
    // The seconds of a time and the parts of its calendar are one.
    let columns = model.encoder.columns();
    let shared = |feature: u32| match model.encoder.time(feature as usize) {
        Some(_) => model.encoder.first_features()[columns[feature as usize].0] as u32,
        None => feature,
    };
    for term in model.ensemble.terms() {
        let Hypothesis { cells, answers } = &term.hypothesis;
        let distance = || distance(&answers.vector(0, width), &answers.vector(1, width));
        let moved: Vec<f64> = match cells {
            Cells::Tree(tree) => distances(tree, answers, width),
            // Each factor leads from one answer to the other.
            Cells::Product(stumps) => vec![distance(); stumps.len()],
            Cells::Linear(plane) => shares(plane, distance()),
        };
        for (feature, moved) in cells.features().zip(moved) {
            let slot = moves.entry(shared(feature)).or_default();
            slot.0 += term.alpha.abs() * moved;
            slot.1 += 1;
        }
    }
    let all: f64 = moves.values().map(|m| m.0).sum();
    let describe = |(feature, (moved, tests)): (u32, (f64, usize))| {
        let (column, word) = model.encoder.describe(feature as usize).unwrap_or(("", None));
        let share = if all > 0.0 { moved / all } else { 0.0 };
        Importance { feature, column: column.to_string(), word: word.map(String::from), share, tests }
    };
    let mut importances: Vec<Importance> = moves.into_iter().map(describe).collect();
    importances.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.feature.cmp(&b.feature)));
    importances
}

/// What each slope of a hyperplane has of the distance between the answers on its sides.
fn shares(plane: &Linear, distance: f64) -> Vec<f64> {
    let all: f64 = plane.slopes.iter().map(|s| s.slope.abs()).sum();
    plane.slopes.iter().map(|s| distance * s.slope.abs() / all).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// For each test the distance between the mean answers on its two sides.
fn distances(tree: &Tree, answers: &Answers, width: usize) -> Vec<f64> {
    let mut sums: Vec<(Vec<f64>, f64)> = vec![(Vec::new(), 0.0); tree.nodes.len()];
    let mut distances = vec![0.0; tree.nodes.len()];
    // Children have larger numbers than their parents.
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let mut side = |child: Child| match child {
            Child::Node(node) => std::mem::take(&mut sums[node as usize]),
            Child::Leaf(leaf) => (answers.vector(leaf as usize, width), 1.0),
        };
        let (mut left, right) = (side(node.left), side(node.right));
        let mean = |(sum, leaves): &(Vec<f64>, f64)| sum.iter().map(|x| x / leaves).collect::<Vec<f64>>();
        distances[at] = distance(&mean(&left), &mean(&right));
        left.0.iter_mut().zip(&right.0).for_each(|(l, r)| *l += r);
        sums[at] = (left.0, left.1 + right.1);
    }
    distances
}
