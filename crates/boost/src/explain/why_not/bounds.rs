//! How far one class can get ahead of the others, if some columns may be within ranges of steps.

use crate::explain::TreeTerm;
use crate::explain::why_not::steps::Steps;
use crate::model::tree::{self, Child, Test};

/// A tree over steps.
pub(super) struct StepTree<'a> {
    nodes: Vec<Node<'a>>,
    /// What each leaf adds to each score, leaf after leaf.
    leaves: Vec<f64>,
}

struct Node<'a> {
    feature: u32,
    test: &'a tree::Node,
    /// The last step that goes left, where the test is a threshold.
    last_left: Option<u32>,
}

/// A range of steps of a column: the first and the last.
pub(super) type Range = (u32, u32);

/// Which columns may have which steps; the others are those of a row.
#[derive(Clone, Copy)]
pub(super) struct Space<'a> {
    /// For each feature its place among the ranges, if it has one.
    pub(super) places: &'a [Option<u32>],
    pub(super) ranges: &'a [Range],
    /// The values of the row.
    pub(super) row: &'a [f64],
}

impl<'a> StepTree<'a> {
    /// `steps` are those of each feature that may change.
    pub(super) fn new(term: &TreeTerm<'a>, steps: &[Option<&Steps>]) -> Self {
        let node = |test: &'a tree::Node| {
            let last_left = steps[test.feature as usize].and_then(|steps| steps.last_left(&test.test));
            Node { feature: test.feature, test, last_left }
        };
        let leaves = (0..term.tree.leaves()).flat_map(|leaf| term.values(leaf)).collect();
        Self { nodes: term.tree.nodes.iter().map(node).collect(), leaves }
    }

    /// The features of its tests.
    pub(super) fn features(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter().map(|node| node.feature)
    }

    /// Adds to each class the most by which this tree can put `class` ahead of it.
    pub(super) fn add_most(&self, class: usize, space: Space<'_>, most: &mut [f64], ahead: &mut [f64]) {
        most.fill(f64::NEG_INFINITY);
        let root = if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        self.raise(root, class, space, most);
        ahead.iter_mut().zip(most).for_each(|(ahead, most)| *ahead += *most);
    }

    /// Adds what the leaf of the row adds to each score.
    pub(super) fn add_leaf(&self, row: &[f64], scores: &mut [f64]) {
        let mut child = if self.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        while let Child::Node(number) = child {
            let node = self.nodes[number as usize].test;
            child = if node.goes_left(row[node.feature as usize]) { node.left } else { node.right };
        }
        if let Child::Leaf(leaf) = child {
            let values = &self.leaves[leaf as usize * scores.len()..][..scores.len()];
            scores.iter_mut().zip(values).for_each(|(score, value)| *score += value);
        }
    }

    fn raise(&self, child: Child, class: usize, space: Space<'_>, most: &mut [f64]) {
        match child {
            Child::Leaf(leaf) => {
                let values = &self.leaves[leaf as usize * most.len()..][..most.len()];
                for (most, value) in most.iter_mut().zip(values) {
                    *most = most.max(values[class] - value);
                }
            }
            Child::Node(number) => {
                let node = &self.nodes[number as usize];
                let (left, right) = node.sides(space);
                if left {
                    self.raise(node.test.left, class, space, most);
                }
                if right {
                    self.raise(node.test.right, class, space, most);
                }
            }
        }
    }
}

impl Node<'_> {
    /// Whether each side can be reached.
    fn sides(&self, space: Space<'_>) -> (bool, bool) {
        let Some(place) = space.places[self.feature as usize] else {
            let left = self.test.goes_left(space.row[self.feature as usize]);
            return (left, !left);
        };
        let (first, last) = space.ranges[place as usize];
        match (self.last_left, &self.test.test) {
            (Some(at), _) => (first <= at, last > at),
            (None, Test::Levels(levels)) => {
                let before = |level: u32| levels.partition_point(|l| *l < level);
                let inside = before(last + 1) - before(first);
                (inside > 0, inside < (last - first + 1) as usize)
            }
            (None, Test::AtMost(_)) => (true, true),
        }
    }
}
