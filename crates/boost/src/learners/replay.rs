//! The leaves of training rows in a tree that has not seen them: one that a model file brought back, or one that was
//! grown on other rows.
//!
//! Codes are compared instead of values: a threshold separates the training values with codes up to some code from the
//! others, so it is enough to find that code once for each test. Both cases must be the same rule, or a run that is
//! taken up again would not go on as it began.

use manyboost_data::Encoder;
use manyboost_kernel::Bins;
use rayon::prelude::*;

use crate::model::hypothesis::Cells;
use crate::model::tree::{Child, Test, Tree};

/// A tree over the codes of training rows.
pub(super) struct Replay<'a> {
    tree: &'a Tree,
    bins: &'a Bins,
    /// The number of codes that each test sends left.
    codes: Vec<u32>,
}

impl<'a> Replay<'a> {
    pub(super) fn new(tree: &'a Tree, bins: &'a Bins, encoder: &Encoder) -> Self {
        let codes = tree.nodes.iter().map(|node| match node.test {
            Test::AtMost(threshold) => encoder.codes_up_to(node.feature as usize, threshold),
            Test::Levels(_) => 0,
        });
        Self { tree, bins, codes: codes.collect() }
    }

    /// The leaf of a row.
    pub(super) fn leaf(&self, row: usize) -> u32 {
        let mut child = if self.tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        loop {
            match child {
                Child::Leaf(leaf) => return leaf,
                Child::Node(number) => {
                    let node = &self.tree.nodes[number as usize];
                    let feature = node.feature as usize;
                    let code = self.bins.code(row, feature);
                    let left = match &node.test {
                        _ if code == self.bins.features()[feature].bins => node.missing_left,
                        Test::AtMost(_) => code < self.codes[number as usize],
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
