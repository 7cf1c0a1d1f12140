//! The leaves of training rows in a tree that a model file brought back.
//!
//! Codes are compared instead of values: a threshold separates the training values with codes up to some code from the
//! others, so it is enough to find that code once for each test.

use polyboost_data::Encoder;
use polyboost_kernel::Bins;
use rayon::prelude::*;

use crate::tree::{Child, Test, Tree};

/// The leaf of each training row.
pub(crate) fn leaves_of(tree: &Tree, bins: &Bins, encoder: &Encoder) -> Vec<u32> {
    let codes: Vec<u32> = tree
        .nodes
        .iter()
        .map(|node| match node.test {
            Test::AtMost(threshold) => encoder.codes_up_to(node.feature as usize, threshold),
            Test::Levels(_) => 0,
        })
        .collect();
    let leaf = |row: usize| {
        let mut child = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        loop {
            match child {
                Child::Leaf(leaf) => return leaf,
                Child::Node(number) => {
                    let node = &tree.nodes[number as usize];
                    let feature = node.feature as usize;
                    let code = bins.code(row, feature);
                    let left = match &node.test {
                        _ if code == bins.features()[feature].bins => node.missing_left,
                        Test::AtMost(_) => code < codes[number as usize],
                        Test::Levels(levels) => levels.binary_search(&code).is_ok(),
                    };
                    child = if left { node.left } else { node.right };
                }
            }
        }
    };
    (0..bins.rows()).into_par_iter().with_min_len(1024).map(leaf).collect()
}
