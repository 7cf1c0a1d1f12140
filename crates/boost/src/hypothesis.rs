//! A weak hypothesis: it puts every row into one of a few cells, and each cell has an answer.

use serde::{Deserialize, Serialize};

use crate::answers::Answers;
use crate::tree::Tree;

/// What puts rows into cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cells {
    /// The leaves of a tree.
    Tree(Tree),
}

impl Cells {
    /// The cell of a row, given the value of any feature in it (levels by number; missing is NaN).
    #[inline]
    pub fn cell(&self, value: impl Fn(u32) -> f64) -> usize {
        match self {
            Self::Tree(tree) => tree.leaf(value),
        }
    }

    /// The features that are looked at, with repetitions.
    pub fn features(&self) -> impl Iterator<Item = u32> {
        let Self::Tree(tree) = self;
        tree.nodes.iter().map(|node| node.feature)
    }

    /// How many tests there are.
    pub fn tests(&self) -> usize {
        let Self::Tree(tree) = self;
        tree.nodes.len()
    }
}

/// A weak hypothesis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hypothesis {
    /// What puts rows into cells.
    pub cells: Cells,
    /// What the cells answer.
    pub answers: Answers,
}
