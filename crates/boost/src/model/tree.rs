//! Trees as a model keeps them: tests on values, one after the other, until a leaf.

use serde::{Deserialize, Serialize};

/// What sends a value left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Test {
    /// Numbers up to this one.
    AtMost(f64),
    /// Any of these levels, ascending.
    Levels(Vec<u32>),
}

/// Where a test leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Child {
    /// To another test, which always has a larger number.
    Node(u32),
    /// To an answer.
    Leaf(u32),
}

/// One test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The feature that is looked at.
    pub feature: u32,
    /// What sends its value left.
    pub test: Test,
    /// Whether a missing value goes left.
    pub missing_left: bool,
    /// Where the left side leads.
    pub left: Child,
    /// Where the right side leads.
    pub right: Child,
}

/// A tree. Without nodes it is one leaf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The tests; the first is the root.
    pub nodes: Vec<Node>,
    /// The weight of the training rows in each leaf, in units; empty if it is not known. It has a section of its own in the model
    /// file, so that files without one can be read.
    #[serde(skip)]
    pub cover: Vec<u64>,
}

impl Tree {
    /// A tree of which only the tests are known.
    pub fn new(nodes: Vec<Node>) -> Self {
        Self { nodes, cover: Vec::new() }
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.len() + 1
    }

    /// The weight of the training rows at each test, in units; `None` if it is not known.
    pub fn node_cover(&self) -> Option<Vec<u64>> {
        if self.cover.len() != self.leaves() {
            return None;
        }
        let mut cover = vec![0; self.nodes.len()];
        // Children have larger numbers than their parents.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            cover[at] = [node.left, node.right].iter().map(|child| self.cover_of(*child, &cover)).sum();
        }
        Some(cover)
    }

    /// The weight of the training rows behind a child, given that at tests.
    pub(crate) fn cover_of(&self, child: Child, at_tests: &[u64]) -> u64 {
        match child {
            Child::Node(node) => at_tests[node as usize],
            Child::Leaf(leaf) => self.cover[leaf as usize],
        }
    }

    /// The leaf of a row, given the value of any feature in it (levels by number; missing is NaN).
    #[inline]
    pub fn leaf(&self, value: impl Fn(u32) -> f64) -> usize {
        let mut child = if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        loop {
            match child {
                Child::Leaf(leaf) => return leaf as usize,
                Child::Node(node) => {
                    let node = &self.nodes[node as usize];
                    child = if node.goes_left(value(node.feature)) { node.left } else { node.right };
                }
            }
        }
    }
}

impl Node {
    /// Whether a value goes left.
    #[inline]
    pub fn goes_left(&self, value: f64) -> bool {
        if value.is_nan() {
            return self.missing_left;
        }
        match &self.test {
            Test::AtMost(threshold) => value <= *threshold,
            Test::Levels(levels) => levels.binary_search(&(value as u32)).is_ok(),
        }
    }
}
