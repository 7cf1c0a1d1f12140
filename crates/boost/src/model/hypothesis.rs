//! A weak hypothesis: it puts every row into one of a few cells, and each cell has an answer.

use serde::{Deserialize, Serialize};

use crate::model::answers::Answers;
use crate::model::linear::{Linear, Slope};
use crate::model::tree::Tree;

/// What puts rows into cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Cells {
    /// The leaves of a tree.
    Tree(Tree),
    /// The sides of a hyperplane.
    Linear(Linear),
    /// Two cells: the rows that go right in an even number of these stumps, and the others.
    Product(Vec<Tree>),
}

impl Cells {
    /// The cell of a row, given the value of any feature in it (levels by number; missing is NaN).
    #[inline]
    pub fn cell(&self, value: impl Fn(u32) -> f64) -> usize {
        match self {
            Self::Tree(tree) => tree.leaf(value),
            Self::Linear(linear) => linear.cell(value),
            Self::Product(stumps) => stumps.iter().map(|stump| stump.leaf(&value)).sum::<usize>() % 2,
        }
    }

    /// The trees that it takes to find a cell.
    pub fn trees(&self) -> &[Tree] {
        match self {
            Self::Tree(tree) => std::slice::from_ref(tree),
            Self::Linear(_) => &[],
            Self::Product(stumps) => stumps,
        }
    }

    /// The same, to change them.
    pub(crate) fn trees_mut(&mut self) -> &mut [Tree] {
        match self {
            Self::Tree(tree) => std::slice::from_mut(tree),
            Self::Linear(_) => &mut [],
            Self::Product(stumps) => stumps,
        }
    }

    /// The features that are looked at, with repetitions.
    pub fn features(&self) -> impl Iterator<Item = u32> {
        let slopes: &[Slope] = match self {
            Self::Tree(_) | Self::Product(_) => &[],
            Self::Linear(linear) => &linear.slopes,
        };
        let nodes = self.trees().iter().flat_map(|tree| &tree.nodes);
        nodes.map(|node| node.feature).chain(slopes.iter().map(|slope| slope.feature))
    }

    /// The tree, if it is one.
    pub fn tree(&self) -> Option<&Tree> {
        match self {
            Self::Tree(tree) => Some(tree),
            Self::Linear(_) | Self::Product(_) => None,
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

impl Hypothesis {
    /// Answers 1 for so many scores, whatever the row.
    pub fn constant(width: usize) -> Self {
        let answers = Answers::Vectors { width: width as u32, values: vec![1.0; width] };
        Self { cells: Cells::Tree(Tree::default()), answers }
    }

    /// Whether it is [`Hypothesis::constant`].
    pub fn is_constant(&self) -> bool {
        let ones = |answers: &Answers| matches!(answers, Answers::Vectors { values, .. } if values.iter().all(|x| *x == 1.0));
        self.cells.tree().is_some_and(|tree| tree.nodes.is_empty()) && ones(&self.answers)
    }
}
