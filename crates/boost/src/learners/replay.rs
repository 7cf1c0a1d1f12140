//! The leaves of training rows in a tree that has not seen them: one that a model file brought back, or one that was
//! grown on other rows.
//!
//! Codes are compared instead of values: a threshold separates the training values with codes up to some code from the
//! others, so it is enough to find that code once for each test. Both cases must be the same rule, or a run that is
//! taken up again would not go on as it began.

use manyboost_data::Encoder;
use manyboost_kernel::{Bins, CodesOf};
use rayon::prelude::*;

use crate::model;
use crate::model::hypothesis::Cells;
use crate::model::tree::{Child, Test, Tree};

/// A tree over the codes of training rows.
pub(super) struct Replay<'a> {
    nodes: Vec<Node<'a>>,
}

/// A test of codes.
struct Node<'a> {
    codes: CodesOf<'a>,
    test: &'a Test,
    /// The number of codes that a threshold sends left.
    below: u32,
    /// The code of missing values.
    missing: u32,
    missing_left: bool,
    left: Child,
    right: Child,
}

impl<'a> Replay<'a> {
    pub(super) fn new(tree: &'a Tree, bins: &'a Bins, encoder: &Encoder) -> Self {
        let node = |node: &'a model::tree::Node| {
            let feature = node.feature as usize;
            let below = match node.test {
                Test::AtMost(threshold) => encoder.codes_up_to(feature, threshold),
                Test::Levels(_) => 0,
            };
            Node {
                codes: bins.codes_of(feature),
                test: &node.test,
                below,
                missing: bins.features()[feature].bins,
                missing_left: node.missing_left,
                left: node.left,
                right: node.right,
            }
        };
        Self { nodes: tree.nodes.iter().map(node).collect() }
    }

    /// The leaf of a row.
    pub(super) fn leaf(&self, row: usize) -> u32 {
        let mut child = if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        loop {
            match child {
                Child::Leaf(leaf) => return leaf,
                Child::Node(number) => {
                    let node = &self.nodes[number as usize];
                    let code = node.codes.code(row);
                    let left = match node.test {
                        _ if code == node.missing => node.missing_left,
                        Test::AtMost(_) => code < node.below,
                        Test::Levels(levels) => levels.binary_search(&code).is_ok(),
                    };
                    child = if left { node.left } else { node.right };
                }
            }
        }
    }
}

/// The cell of each training row.
pub(super) fn leaves_of(cells: &Cells, bins: &Bins, encoder: &Encoder) -> Vec<u32> {
    let trees: Vec<Replay> = cells.trees().iter().map(|tree| Replay::new(tree, bins, encoder)).collect();
    let cell = |row: usize| match cells {
        Cells::Tree(_) => trees[0].leaf(row),
        Cells::Product(_) => trees.iter().map(|tree| tree.leaf(row)).sum::<u32>() % 2,
        // Hyperplanes are replayed on values, not on codes.
        Cells::Linear(_) => 0,
    };
    (0..bins.rows()).into_par_iter().with_min_len(1024).map(cell).collect()
}
