//! Trees in flat arrays, walked by several rows at a time.
//!
//! One step of a walk waits for memory; four walks side by side wait together.

use crate::answers::Applied;
use crate::ensemble::Term;
use crate::hypothesis::Cells;
use crate::tree::{Child, Test, Tree};

/// Walks side by side.
const ROWS: usize = 4;

/// A test: 24 bytes.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The threshold, or where the set of levels begins.
    test: TestAt,
    /// The place of the value in a row, times two, plus one if missing values go left.
    place: u32,
    /// Where each side leads: below [`LEAF`] to a node of the same tree, else to a leaf.
    sides: [u32; 2],
}

#[derive(Clone, Copy, Debug)]
enum TestAt {
    AtMost(f64),
    /// Words of 64 levels each: the first, and how many.
    Levels(u32, u32),
}

/// Leaves are numbered from here.
const LEAF: u32 = 1 << 31;

/// Trees, ready to be walked.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    trees: Vec<Flat>,
    /// Sets of levels, 64 a word.
    levels: Vec<u64>,
    width: usize,
}

#[derive(Clone, Debug)]
struct Flat {
    nodes: Vec<Node>,
    applied: Applied,
}

impl Forest {
    /// Lays trees out; `place` says where a feature's value is in a row.
    pub(super) fn new(terms: &[&Term], place: impl Fn(u32) -> u32, width: usize) -> Self {
        let mut levels = Vec::new();
        let trees = terms
            .iter()
            .map(|term| {
                let Cells::Tree(tree) = &term.hypothesis.cells;
                Flat {
                    nodes: flatten(tree, &place, &mut levels),
                    applied: term.hypothesis.answers.applied(term.alpha, width),
                }
            })
            .collect();
        Self { trees, levels, width }
    }

    /// Adds all trees to the scores of a block of rows with `used` values each.
    pub(super) fn add(&self, values: &[f64], used: usize, scores: &mut [f64]) {
        let rows = scores.len() / self.width;
        let of = |row: usize| &values[row * used..(row + 1) * used];
        for tree in &self.trees {
            let mut row = 0;
            while row + ROWS <= rows {
                let leaves = self.walk(tree, std::array::from_fn::<_, ROWS, _>(|i| of(row + i)));
                for (i, leaf) in leaves.into_iter().enumerate() {
                    tree.applied.add(leaf, &mut scores[(row + i) * self.width..][..self.width]);
                }
                row += ROWS;
            }
            for row in row..rows {
                let [leaf] = self.walk(tree, [of(row)]);
                tree.applied.add(leaf, &mut scores[row * self.width..][..self.width]);
            }
        }
    }

    /// The leaves of some rows.
    #[inline]
    fn walk<const N: usize>(&self, tree: &Flat, rows: [&[f64]; N]) -> [usize; N] {
        let mut at = [if tree.nodes.is_empty() { LEAF } else { 0 }; N];
        while at.iter().any(|&a| a < LEAF) {
            for (at, row) in at.iter_mut().zip(rows) {
                if *at < LEAF {
                    let node = &tree.nodes[*at as usize];
                    *at = node.sides[usize::from(!self.goes_left(node, row[(node.place >> 1) as usize]))];
                }
            }
        }
        at.map(|a| (a - LEAF) as usize)
    }

    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "a branch would be mispredicted")]
    fn goes_left(&self, node: &Node, value: f64) -> bool {
        let missing_left = value.is_nan() & (node.place & 1 == 1);
        match node.test {
            TestAt::AtMost(threshold) => (value <= threshold) | missing_left,
            TestAt::Levels(first, words) => {
                let level = value as u32;
                let word = level / 64;
                let inside = word < words && !value.is_nan();
                missing_left || (inside && self.levels[(first + word) as usize] >> (level % 64) & 1 == 1)
            }
        }
    }
}

/// A tree's tests in one array.
fn flatten(tree: &Tree, place: impl Fn(u32) -> u32, levels: &mut Vec<u64>) -> Vec<Node> {
    let side = |child: Child| match child {
        Child::Node(node) => node,
        Child::Leaf(leaf) => LEAF + leaf,
    };
    let mut test_at = |test: &Test| match test {
        Test::AtMost(threshold) => TestAt::AtMost(*threshold),
        Test::Levels(set) => {
            let first = levels.len();
            levels.resize(first + set.last().map_or(0, |&l| l as usize / 64 + 1), 0);
            for &level in set {
                levels[first + level as usize / 64] |= 1 << (level % 64);
            }
            TestAt::Levels(first as u32, (levels.len() - first) as u32)
        }
    };
    let node = |node: &crate::tree::Node| Node {
        test: test_at(&node.test),
        place: 2 * place(node.feature) + u32::from(node.missing_left),
        sides: [side(node.left), side(node.right)],
    };
    tree.nodes.iter().map(node).collect()
}
