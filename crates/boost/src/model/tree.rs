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
}

impl Tree {
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
