//! Trees in flat arrays, walked by several rows at a time; hyperplanes between them.
//!
//! One step of a walk waits for memory; four walks side by side wait together.

use crate::model::answers::ScoreUpdate;
use crate::model::ensemble::Term;
use crate::model::hypothesis::Cells;
use crate::model::linear::{Linear, distance, side};
use crate::model::tree::{Child, Test, Tree};

/// Walks side by side: of rows through one tree, …
const ROWS: usize = 4;

/// … and of one row through several trees.
const TREES: usize = 8;

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
    cells: FlatCells,
    applied: ScoreUpdate,
}

#[derive(Clone, Debug)]
enum FlatCells {
    Tree(Vec<Node>),
    /// The intercept, and for each slope the place of its value in a row.
    Linear(f64, Vec<Part>),
}

/// A slope: 32 bytes.
#[derive(Clone, Copy, Debug)]
struct Part {
    place: u32,
    mean: f64,
    scale: f64,
    slope: f64,
}

impl Forest {
    /// Lays trees out; `place` says where a feature's value is in a row.
    pub(super) fn new(terms: &[&Term], place: impl Fn(u32) -> u32, width: usize) -> Self {
        let mut levels = Vec::new();
        let trees = terms
            .iter()
            .map(|term| {
                let cells = match &term.hypothesis.cells {
                    Cells::Tree(tree) => FlatCells::Tree(flatten(tree, &place, &mut levels)),
                    Cells::Linear(linear) => FlatCells::Linear(linear.intercept, parts(linear, &place)),
                    Cells::Product(stumps) => FlatCells::Tree(multiply(stumps, &place, &mut levels)),
                };
                Flat { cells, applied: term.hypothesis.answers.applied(term.alpha, width) }
            })
            .collect();
        Self { trees, levels, width }
    }

    /// Adds all trees to the scores of a block of rows with `used` values each.
    pub(super) fn add(&self, values: &[f64], used: usize, scores: &mut [f64]) {
        let of = |row: usize| &values[row * used..(row + 1) * used];
        let mut cell_of = vec![0; scores.len() / self.width];
        for Flat { cells, applied } in &self.trees {
            match cells {
                FlatCells::Tree(nodes) => {
                    let (together, alone) = cell_of.as_chunks_mut::<ROWS>();
                    let first = ROWS * together.len();
                    for (at, cells) in together.iter_mut().enumerate() {
                        *cells = self.walk(nodes, std::array::from_fn(|i| of(ROWS * at + i)));
                    }
                    for (row, cell) in (first..).zip(alone) {
                        [*cell] = self.walk(nodes, [of(row)]);
                    }
                }
                FlatCells::Linear(intercept, parts) => {
                    for (row, cell) in cell_of.iter_mut().enumerate() {
                        *cell = side_of(*intercept, parts, of(row)) as u32;
                    }
                }
            }
            applied.add_rows(&cell_of, self.width, scores);
        }
    }

    /// Adds all trees to the scores of one row.
    pub(super) fn add_row(&self, row: &[f64], scores: &mut [f64]) {
        let (together, alone) = self.trees.as_chunks::<TREES>();
        for trees in together {
            let cells = self.cells(trees, row);
            trees.iter().zip(cells).for_each(|(tree, cell)| tree.applied.add(cell as usize, scores));
        }
        for tree in alone {
            let [cell] = self.cells(std::array::from_ref(tree), row);
            tree.applied.add(cell as usize, scores);
        }
    }

    /// The cells of a row in some trees.
    fn cells<const N: usize>(&self, trees: &[Flat; N], row: &[f64]) -> [u32; N] {
        let mut nodes: [&[Node]; N] = [&[]; N];
        let mut at = [LEAF; N];
        for ((tree, nodes), at) in trees.iter().zip(&mut nodes).zip(&mut at) {
            match &tree.cells {
                FlatCells::Tree(tests) if tests.is_empty() => {}
                FlatCells::Tree(tests) => (*nodes, *at) = (tests, 0),
                FlatCells::Linear(intercept, parts) => *at = LEAF + side_of(*intercept, parts, row) as u32,
            }
        }
        while at.iter().any(|&a| a < LEAF) {
            for (at, nodes) in at.iter_mut().zip(nodes) {
                if *at < LEAF {
                    let node = &nodes[*at as usize];
                    *at = node.sides[usize::from(!self.goes_left(node, row[(node.place >> 1) as usize]))];
                }
            }
        }
        at.map(|a| a - LEAF)
    }

    /// The leaves of some rows.
    #[inline]
    fn walk<const N: usize>(&self, nodes: &[Node], rows: [&[f64]; N]) -> [u32; N] {
        let mut at = [if nodes.is_empty() { LEAF } else { 0 }; N];
        while at.iter().any(|&a| a < LEAF) {
            for (at, row) in at.iter_mut().zip(rows) {
                if *at < LEAF {
                    let node = &nodes[*at as usize];
                    *at = node.sides[usize::from(!self.goes_left(node, row[(node.place >> 1) as usize]))];
                }
            }
        }
        at.map(|a| a - LEAF)
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

/// The side of a row: the sum of [`Linear::cell`], in the same order.
#[inline]
fn side_of(intercept: f64, parts: &[Part], row: &[f64]) -> usize {
    let part = |p: &Part| p.slope * distance(row[p.place as usize], p.mean, p.scale);
    side(parts.iter().fold(intercept, |sum, p| sum + part(p)))
}

/// A hyperplane's slopes in one array.
fn parts(linear: &Linear, place: impl Fn(u32) -> u32) -> Vec<Part> {
    let part = |s: &crate::model::linear::Slope| Part {
        place: place(s.feature),
        mean: s.mean,
        scale: s.scale(),
        slope: s.slope,
    };
    linear.slopes.iter().map(part).collect()
}

/// A product of stumps as tests in one array: each is there twice but for the first, once for each cell so far.
fn multiply(stumps: &[Tree], place: impl Fn(u32) -> u32, levels: &mut Vec<u64>) -> Vec<Node> {
    let tests: Vec<Node> = stumps.iter().flat_map(|stump| flatten(stump, &place, levels)).collect();
    let mut nodes = Vec::with_capacity(2 * tests.len());
    for (at, test) in tests.iter().enumerate() {
        let next = if at + 1 < tests.len() { 2 * at as u32 + 1 } else { LEAF };
        // The side that adds nothing, then the one that turns the cell.
        let sides = test.sides.map(|leaf| leaf - LEAF);
        for cell in if at == 0 { 0..1 } else { 0..2 } {
            nodes.push(Node { sides: sides.map(|side| next + (cell ^ side)), ..*test });
        }
    }
    nodes
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
    let node = |node: &crate::model::tree::Node| Node {
        test: test_at(&node.test),
        place: 2 * place(node.feature) + u32::from(node.missing_left),
        sides: [side(node.left), side(node.right)],
    };
    tree.nodes.iter().map(node).collect()
}
