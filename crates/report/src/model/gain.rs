//! What each feature does for the scores of some rows.
//!
//! A test parts the rows that come to it, n into n₁ and n₂, and the hypotheses' answers on its two sides have means m₁ and m₂. It
//! takes n₁ n₂ / n · ‖m₁ − m₂‖² off the squares within its parts, which is what a tree that fits the scores would gain by it.

use std::collections::BTreeMap;

use manyboost::model::Model;
use manyboost::model::ensemble::Term;
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::tree::{Child, Tree};

use super::staged::Staged;
use crate::words;

/// Words that are listed.
const WORDS: usize = 25;

/// A column and what its tests do.
pub struct Gain {
    /// The column.
    pub name: String,
    /// Its place among the encoder's columns.
    pub column: usize,
    /// Its share in the gains of all tests.
    pub share: f64,
    /// Tests that look at it.
    pub tests: usize,
}

/// Gains by column, the greatest first.
pub fn by_column(model: &Model, staged: &Staged<'_>) -> Vec<Gain> {
    let features = by_feature(model, staged);
    let all: f64 = features.values().map(|gain| gain.0).sum();
    let of = model.encoder.columns();
    let mut columns: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    for (feature, (gain, tests)) in features {
        let slot = columns.entry(of[feature as usize].0).or_default();
        (slot.0, slot.1) = (slot.0 + gain, slot.1 + tests);
    }
    let named = |(column, (gain, tests)): (usize, (f64, usize))| Gain {
        name: model.encoder.column_encoders()[column].name.clone(),
        column,
        share: if all > 0.0 { gain / all } else { 0.0 },
        tests,
    };
    let mut gains: Vec<Gain> = columns.into_iter().map(named).collect();
    gains.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.column.cmp(&b.column)));
    gains
}

/// The words of text columns with the greatest gains, and their shares in all gains.
pub fn words(model: &Model, staged: &Staged<'_>) -> Vec<(String, f64)> {
    let features = by_feature(model, staged);
    let all: f64 = features.values().map(|gain| gain.0).sum();
    let mut found: Vec<(String, f64)> = features
        .into_iter()
        .filter_map(|(feature, (gain, _))| {
            let (column, word) = model.encoder.describe(feature as usize)?;
            Some((format!("{}: {}", words::name(column), words::name(word?)), gain / all))
        })
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(WORDS);
    found
}

/// Gain and number of tests of each feature that is used.
pub fn by_feature(model: &Model, staged: &Staged<'_>) -> BTreeMap<u32, (f64, usize)> {
    let width = model.ensemble.start.len();
    let mut gains: BTreeMap<u32, (f64, usize)> = BTreeMap::new();
    for (terms, cells) in model.ensemble.rounds.iter().zip(&staged.cells) {
        for (term, rows) in terms.iter().zip(cells) {
            let features = term.hypothesis.cells.features();
            for (feature, gain) in features.zip(of_tests(term, rows, width)) {
                let slot = gains.entry(feature).or_default();
                (slot.0, slot.1) = (slot.0 + gain, slot.1 + 1);
            }
        }
    }
    gains
}

/// The gain of each test of a hypothesis.
fn of_tests(term: &Term, rows: &[f64], width: usize) -> Vec<f64> {
    let Hypothesis { cells, answers } = &term.hypothesis;
    let answer = |cell: usize| answers.vector(cell, width).iter().map(|x| term.alpha * x).collect::<Vec<_>>();
    // Products and hyperplanes part the rows once, and their tests share what that gains.
    let whole = || gain((rows[0], &answer(0)), (rows[1], &answer(1)));
    match cells {
        Cells::Tree(tree) => of_tree(tree, rows, answer),
        Cells::Product(stumps) => vec![whole() / stumps.len() as f64; stumps.len()],
        Cells::Linear(plane) => {
            let all: f64 = plane.slopes.iter().map(|s| s.slope.abs()).sum();
            plane.slopes.iter().map(|s| whole() * s.slope.abs() / all).collect()
        }
    }
}

fn gain((a, mean_a): (f64, &[f64]), (b, mean_b): (f64, &[f64])) -> f64 {
    let apart: f64 = mean_a.iter().zip(mean_b).map(|(x, y)| (x - y) * (x - y)).sum();
    if a + b > 0.0 { a * b / (a + b) * apart } else { 0.0 }
}

fn of_tree(tree: &Tree, rows: &[f64], answer: impl Fn(usize) -> Vec<f64>) -> Vec<f64> {
    let mut means: Vec<(f64, Vec<f64>)> = vec![(0.0, Vec::new()); tree.nodes.len()];
    let mut gains = vec![0.0; tree.nodes.len()];
    // Children have larger numbers than their parents.
    for (at, node) in tree.nodes.iter().enumerate().rev() {
        let mut side = |child: Child| match child {
            Child::Node(node) => std::mem::take(&mut means[node as usize]),
            Child::Leaf(leaf) => (rows[leaf as usize], answer(leaf as usize)),
        };
        let ((a, left), (b, right)) = (side(node.left), side(node.right));
        gains[at] = gain((a, &left), (b, &right));
        let all = if a + b > 0.0 { a + b } else { 1.0 };
        means[at] = (a + b, left.iter().zip(&right).map(|(x, y)| (a * x + b * y) / all).collect());
    }
    gains
}

#[cfg(test)]
mod tests {
    use manyboost::model::tree::{Node, Test};

    use super::*;

    #[test]
    fn gains_add_up_to_the_spread() {
        let node = |feature, left, right| Node {
            feature,
            test: Test::AtMost(0.0),
            missing_left: false,
            left,
            right,
        };
        let tree =
            Tree::new(vec![node(0, Child::Leaf(0), Child::Node(1)), node(1, Child::Leaf(1), Child::Leaf(2))]);
        let (rows, answers) = ([2.0, 1.0, 1.0], [0.0, 3.0, 5.0]);
        let gains = of_tree(&tree, &rows, |cell| vec![answers[cell]]);
        assert_eq!(gains, [16.0, 2.0]);
        let mean = 2.0;
        let spread: f64 = rows.iter().zip(answers).map(|(n, a): (_, f64)| n * (a - mean) * (a - mean)).sum();
        assert_eq!(gains.iter().sum::<f64>(), spread);
    }
}
