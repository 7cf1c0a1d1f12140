//! Which features of the path of each leaf a row fits, as bits: the pattern of a leaf, for many rows at a time.
//!
//! A test clears the bit of its feature on the side that a row does not go to. Rows lie side by side, so that a test is
//! one comparison and two "and" for as many rows as fit into a vector of the machine.

use std::ops::{BitAnd, BitOr, Not};

use super::paths::Paths;
use crate::model::tree::{Child, Node, Test};

/// Bits of a pattern, as many as the longest path of a tree needs.
pub(super) trait Bits:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// No bit.
    const NONE: Self;

    /// The lowest bits of a mask.
    fn of(mask: u64) -> Self;

    /// All bits, with zeros above.
    fn mask(self) -> u64;
}

impl Bits for u16 {
    const NONE: Self = 0;

    fn of(mask: u64) -> Self {
        mask as Self
    }

    fn mask(self) -> u64 {
        u64::from(self)
    }
}

impl Bits for u64 {
    const NONE: Self = 0;

    fn of(mask: u64) -> Self {
        mask
    }

    fn mask(self) -> u64 {
        self
    }
}

/// Patterns of a block of rows at the leaves of some trees; room that is used again.
#[derive(Debug)]
pub(super) struct Patterns<B> {
    rows: usize,
    /// Whether a row goes left: all bits, or none.
    left: Vec<B>,
    /// For each test of a tree the patterns of all rows.
    tests: Vec<B>,
    /// For each leaf of all trees.
    leaves: Vec<B>,
}

impl<B: Bits> Patterns<B> {
    pub(super) const fn new() -> Self {
        Self { rows: 0, left: Vec::new(), tests: Vec::new(), leaves: Vec::new() }
    }

    /// Begins with so many rows.
    pub(super) fn begin(&mut self, rows: usize) {
        self.rows = rows;
        self.leaves.clear();
        self.left.resize(rows, B::NONE);
    }

    /// Adds the leaves of a tree for rows whose values are given column by column.
    pub(super) fn find(&mut self, paths: &Paths<'_>, columns: &[f64]) {
        let (rows, first) = (self.rows, self.leaves.len());
        self.tests.clear();
        self.tests.resize(paths.nodes.len() * rows, !B::NONE);
        self.leaves.resize(first + paths.leaves() * rows, !B::NONE);
        let leaves = &mut self.leaves[first..];
        for (at, (node, step)) in paths.nodes.iter().zip(&paths.steps).enumerate() {
            goes_left(node, &columns[step.place * rows..][..rows], &mut self.left);
            // Children come after their parents.
            let (before, after) = self.tests.split_at_mut((at + 1) * rows);
            let (here, others) = (&before[at * rows..], !B::of(step.bit));
            for (child, right) in [(node.left, false), (node.right, true)] {
                let to = match child {
                    Child::Node(next) => &mut after[(next as usize - at - 1) * rows..][..rows],
                    Child::Leaf(leaf) => &mut leaves[leaf as usize * rows..][..rows],
                };
                if right {
                    send(here, &self.left, to, |left| !left | others);
                } else {
                    send(here, &self.left, to, |left| left | others);
                }
            }
        }
    }

    /// The pattern of a row at a leaf, counted over the trees so far; bits beyond the features of its path are set.
    #[inline]
    pub(super) fn of(&self, row: usize, leaf: usize) -> u64 {
        self.leaves[leaf * self.rows + row].mask()
    }
}

/// Sends patterns on to a child, less the bits that rows lose there.
#[inline]
fn send<B: Bits>(from: &[B], left: &[B], to: &mut [B], kept: impl Fn(B) -> B) {
    for ((to, from), left) in to.iter_mut().zip(from).zip(left) {
        *to = *from & kept(*left);
    }
}

/// Which values a test sends left.
fn goes_left<B: Bits>(node: &Node, values: &[f64], left: &mut [B]) {
    let bits = |goes: bool| if goes { !B::NONE } else { B::NONE };
    let each = left.iter_mut().zip(values);
    match node.test {
        // Comparisons with what is missing are false.
        Test::AtMost(threshold) if node.missing_left => {
            each.for_each(|(left, value)| *left = !bits(*value > threshold));
        }
        Test::AtMost(threshold) => each.for_each(|(left, value)| *left = bits(*value <= threshold)),
        Test::Levels(_) => each.for_each(|(left, value)| *left = bits(node.goes_left(*value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::tables::whole;
    use crate::model::tree::Tree;

    /// A tree that asks twice for the same feature, for levels, and sends missing values both ways.
    fn tree() -> Tree {
        let node =
            |feature, test, missing_left, left, right| Node { feature, test, missing_left, left, right };
        Tree::new(vec![
            node(0, Test::AtMost(0.5), true, Child::Node(1), Child::Node(2)),
            node(1, Test::Levels(vec![1, 3]), false, Child::Leaf(0), Child::Leaf(1)),
            node(0, Test::AtMost(1.5), false, Child::Leaf(2), Child::Node(3)),
            node(2, Test::AtMost(-1.0), true, Child::Leaf(3), Child::Leaf(4)),
        ])
    }

    /// The tests on the way to a leaf, and whether it goes left there.
    fn way(tree: &Tree, leaf: usize, child: Child, path: &mut Vec<(usize, bool)>) -> bool {
        let node = match child {
            Child::Leaf(other) => return other as usize == leaf,
            Child::Node(node) => node as usize,
        };
        for (child, left) in [(tree.nodes[node].left, true), (tree.nodes[node].right, false)] {
            path.push((node, left));
            if way(tree, leaf, child, path) {
                return true;
            }
            path.pop();
        }
        false
    }

    #[test]
    fn patterns_are_those_of_rows_one_by_one() {
        let tree = tree();
        let paths = Paths::new(&tree, |feature| feature as usize);
        let rows: Vec<[f64; 3]> = (0..60)
            .map(|i| {
                [
                    [0.0, 1.0, 2.0, f64::NAN][i % 4],
                    [0.0, 1.0, 3.0, 7.0, f64::NAN][i % 5],
                    [-2.0, 0.0, f64::NAN][i % 3],
                ]
            })
            .collect();
        let columns: Vec<f64> = (0..3).flat_map(|at| rows.iter().map(move |row| row[at])).collect();
        let (mut few, mut many) = (Patterns::<u16>::new(), Patterns::<u64>::new());
        few.begin(rows.len());
        many.begin(rows.len());
        // Twice: the second time its leaves come after those of the first.
        (0..2).for_each(|_| few.find(&paths, &columns));
        many.find(&paths, &columns);
        for (at, row) in rows.iter().enumerate() {
            for leaf in 0..5 {
                let (mut path, mut wanted) = (Vec::new(), 0);
                way(&tree, leaf, Child::Node(0), &mut path);
                for (at, feature) in paths.features(leaf).iter().enumerate() {
                    let own =
                        path.iter().filter(|(node, _)| tree.nodes[*node].feature as usize == feature.place);
                    let fits = own
                        .clone()
                        .all(|&(node, left)| tree.nodes[node].goes_left(row[feature.place]) == left);
                    wanted |= u64::from(fits) << at;
                }
                let whole = whole(paths.features(leaf).len());
                assert_eq!(few.of(at, 5 + leaf) & whole, wanted, "{row:?}, leaf {leaf}");
                assert_eq!(many.of(at, leaf) & whole, wanted, "{row:?}, leaf {leaf}");
            }
        }
    }
}
