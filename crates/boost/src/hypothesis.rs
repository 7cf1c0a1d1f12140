//! A weak hypothesis: it puts every row into one of a few cells, and each cell has an answer.

use serde::{Deserialize, Serialize};

use crate::answers::Answers;
use crate::linear::{Linear, Slope};
use crate::tree::{Node, Tree};

/// What puts rows into cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cells {
    /// The leaves of a tree.
    Tree(Tree),
    /// The sides of a hyperplane.
    Linear(Linear),
}

impl Cells {
    /// The cell of a row, given the value of any feature in it (levels by number; missing is NaN).
    #[inline]
    pub fn cell(&self, value: impl Fn(u32) -> f64) -> usize {
        match self {
            Self::Tree(tree) => tree.leaf(value),
            Self::Linear(linear) => linear.cell(value),
        }
    }

    /// The features that are looked at, with repetitions.
    pub fn features(&self) -> impl Iterator<Item = u32> {
        let (nodes, slopes): (&[Node], &[Slope]) = match self {
            Self::Tree(tree) => (&tree.nodes, &[]),
            Self::Linear(linear) => (&[], &linear.slopes),
        };
        nodes.iter().map(|node| node.feature).chain(slopes.iter().map(|slope| slope.feature))
    }

    /// The tree, if it is one.
    pub fn tree(&self) -> Option<&Tree> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Linear(_) => None,
        }
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
