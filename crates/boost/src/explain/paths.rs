//! A tree as its paths: which features each leaf depends on, and whether a row fits what the path asks of them.
//!
//! All tests of a feature on a path count as one: the row fits if it passes all of them. So a leaf's path is a list of features, each
//! with a bit of a row's mask and with the share of training rows that its tests let through.

use crate::model::tree::{Child, Node, Tree};

/// A test on a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Where the value of its feature is in a row.
    pub(super) place: usize,
    /// The bit of its feature.
    pub(super) bit: u64,
}

/// A feature on the path of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PathFeature {
    /// Where its value is in a row.
    pub(super) place: usize,
    /// The share of training rows that its tests let through.
    pub(super) share: f64,
}

/// The paths of a tree.
#[derive(Clone, Debug)]
pub(super) struct Paths<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) steps: Vec<Step>,
    /// The features of all leaves, leaf after leaf.
    pub(super) features: Vec<PathFeature>,
    /// Where those of each leaf begin, and the end of the last.
    pub(super) starts: Vec<usize>,
}

impl<'a> Paths<'a> {
    /// Of a tree; `place` says where the value of a feature is in a row. Where nothing is known of what leaves weigh, shares are not either.
    pub(super) fn new(tree: &'a Tree, place: impl Fn(u32) -> usize) -> Self {
        let cover = tree.node_cover();
        // The part of the rows at a test that goes on to a child.
        let part = |at: usize, child: Child| match &cover {
            Some(cover) if cover[at] > 0 => tree.cover_of(child, cover) as f64 / cover[at] as f64,
            _ => 0.5,
        };
        let mut before: Vec<Vec<PathFeature>> = vec![Vec::new(); tree.nodes.len()];
        let mut ends: Vec<Vec<PathFeature>> = vec![Vec::new(); tree.leaves()];
        let mut steps = Vec::with_capacity(tree.nodes.len());
        for (at, node) in tree.nodes.iter().enumerate() {
            let mut path = std::mem::take(&mut before[at]);
            let place = place(node.feature);
            let position = path.iter().position(|feature| feature.place == place).unwrap_or_else(|| {
                path.push(PathFeature { place, share: 1.0 });
                path.len() - 1
            });
            let share = path[position].share;
            steps.push(Step { place, bit: 1 << position });
            for child in [node.left, node.right] {
                let mut path = path.clone();
                path[position].share = share * part(at, child);
                match child {
                    Child::Node(next) => before[next as usize] = path,
                    Child::Leaf(leaf) => ends[leaf as usize] = path,
                }
            }
        }
        let mut starts = vec![0];
        for path in &ends {
            starts.push(starts.last().copied().unwrap_or(0) + path.len());
        }
        Self { nodes: &tree.nodes, steps, features: ends.concat(), starts }
    }

    /// Number of leaves.
    pub(super) fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    /// The features on the path of a leaf.
    pub(super) fn features(&self, leaf: usize) -> &[PathFeature] {
        &self.features[self.starts[leaf]..self.starts[leaf + 1]]
    }

    /// Most features on a path.
    pub(super) fn longest(&self) -> usize {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// The share of the training rows in each leaf.
    pub(super) fn leaf_shares(&self) -> Vec<f64> {
        (0..self.leaves())
            .map(|leaf| self.features(leaf).iter().map(|feature| feature.share).product())
            .collect()
    }
}
