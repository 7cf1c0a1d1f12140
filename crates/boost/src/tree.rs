//! Trees as a model keeps them: tests on values, answers in the leaves.

use serde::{Deserialize, Serialize};

use crate::scores::applied;

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

/// Answers of leaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answers {
    /// One class each: a vote of 1 for it, 0 for the others.
    Labels(Vec<u32>),
    /// One number for each score.
    Vectors {
        /// Numbers a leaf has.
        width: u32,
        /// Leaf after leaf.
        values: Vec<f64>,
    },
}

impl Answers {
    /// Number of leaves.
    pub fn len(&self) -> usize {
        match self {
            Self::Labels(labels) => labels.len(),
            Self::Vectors { width, values } => values.len() / (*width).max(1) as usize,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What each leaf adds to a row of `width` scores when the step is `alpha`.
    pub fn applied(&self, alpha: f64, width: usize) -> Applied {
        match self {
            Self::Labels(labels) => Applied::One { labels: labels.clone(), value: applied(alpha, 1.0) },
            Self::Vectors { values, .. } => {
                Applied::All { width, values: values.iter().map(|&a| applied(alpha, a)).collect() }
            }
        }
    }

    /// The answer of a leaf in score space, before the step.
    pub fn vector(&self, leaf: usize, width: usize) -> Vec<f64> {
        let mut vector = vec![0.0; width];
        match self {
            Self::Labels(labels) => vector[labels[leaf] as usize] = 1.0,
            Self::Vectors { values, .. } => vector.copy_from_slice(&values[leaf * width..(leaf + 1) * width]),
        }
        vector
    }
}

/// What leaves add to scores, the step included.
#[derive(Clone, Debug, PartialEq)]
pub enum Applied {
    /// The same number to the score of one class.
    One {
        /// The class of each leaf.
        labels: Vec<u32>,
        /// The number.
        value: f64,
    },
    /// One number to each score.
    All {
        /// Numbers a leaf has.
        width: usize,
        /// Leaf after leaf.
        values: Vec<f64>,
    },
}

impl Applied {
    /// Adds a leaf's part to a row of scores.
    #[inline]
    pub fn add(&self, leaf: usize, scores: &mut [f64]) {
        match self {
            Self::One { labels, value } => scores[labels[leaf] as usize] += value,
            Self::All { width, values } => {
                for (score, x) in scores.iter_mut().zip(&values[leaf * width..(leaf + 1) * width]) {
                    *score += x;
                }
            }
        }
    }
}

/// A tree. Without nodes it is one leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// The tests; the first is the root.
    pub nodes: Vec<Node>,
    /// The answers.
    pub answers: Answers,
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
