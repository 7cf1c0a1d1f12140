//! Trees as the lists that `TreeEnsembleRegressor` takes: one entry for each test and leaf, one for each number of a leaf.
//!
//! A test of a set of levels is a chain of tests for single levels, all of which lead to the same place where they succeed.

use std::borrow::Cow;

use manyboost::model::ensemble::{Ensemble, Term};
use manyboost::model::hypothesis::{Cells, Hypothesis};
use manyboost::model::tree::{Child, Node, Test, Tree};
use manyboost_data::{Error, ErrorKind, Result};

/// More stumps than these make a product too large to be written as a tree.
const FACTORS: usize = 10;

/// Where the value of a feature is.
pub type Columns<'a> = &'a dyn Fn(u32) -> u32;

/// What a test asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    AtMost,
    Equal,
    Leaf,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::AtMost => "BRANCH_LEQ",
            Self::Equal => "BRANCH_EQ",
            Self::Leaf => "LEAF",
        }
    }
}

/// All trees of a model.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    /// What sums begin with; one for each target.
    pub start: Vec<f64>,
    /// Of each test or leaf: its tree, its number there, and what it asks.
    pub tree: Vec<u32>,
    pub node: Vec<u32>,
    pub feature: Vec<u32>,
    pub modes: Vec<Mode>,
    pub value: Vec<f64>,
    /// Where it leads.
    pub yes: Vec<u32>,
    pub no: Vec<u32>,
    pub missing: Vec<bool>,
    /// Of each number of a leaf: the leaf, the target, the number.
    pub leaf_tree: Vec<u32>,
    pub leaf_node: Vec<u32>,
    pub target: Vec<u32>,
    pub weight: Vec<f64>,
    /// Trees so far.
    count: u32,
}

impl Trees {
    /// The trees of an ensemble; `column` is where the value of a feature is.
    pub fn new(ensemble: &Ensemble, column: Columns<'_>) -> Result<Self> {
        let mut trees = Self { start: ensemble.start.clone(), ..Self::default() };
        for Term { alpha, hypothesis: Hypothesis { cells, answers } } in ensemble.terms() {
            let applied = answers.applied(*alpha, ensemble.start.len());
            let added = |leaf: usize| {
                let mut scores = vec![0.0; ensemble.start.len()];
                applied.add(leaf, &mut scores);
                scores
            };
            trees.add(&*tree_of(cells)?, &added, column);
        }
        trees.not_empty();
        Ok(trees)
    }

    /// One hypothesis, with so many targets for the numbers of each cell.
    pub fn one(
        cells: &Cells,
        width: usize,
        numbers: &dyn Fn(usize) -> Vec<f64>,
        column: Columns<'_>,
    ) -> Result<Self> {
        let mut trees = Self { start: vec![0.0; width], ..Self::default() };
        trees.add(&*tree_of(cells)?, numbers, column);
        trees.not_empty();
        Ok(trees)
    }

    /// Zeros for so many targets.
    pub fn start_only(width: usize) -> Self {
        let mut trees = Self { start: vec![0.0; width], ..Self::default() };
        trees.not_empty();
        trees
    }

    fn add(&mut self, tree: &Tree, added: &dyn Fn(usize) -> Vec<f64>, column: Columns<'_>) {
        if tree.nodes.is_empty() {
            self.start.iter_mut().zip(added(0)).for_each(|(start, x)| *start += x);
            return;
        }
        let chain = |node: &Node| match &node.test {
            Test::AtMost(_) => 1,
            Test::Levels(levels) => levels.len().max(1) as u32,
        };
        // The first number of each test; leaves come behind all tests, one for each way that leads to an answer.
        let mut firsts = Vec::with_capacity(tree.nodes.len());
        let mut next = 0;
        for node in &tree.nodes {
            firsts.push(next);
            next += chain(node);
        }
        let mut leaves = Vec::new();
        let mut place = |child: Child| match child {
            Child::Node(node) => firsts[node as usize],
            Child::Leaf(leaf) => {
                leaves.push(leaf as usize);
                next + leaves.len() as u32 - 1
            }
        };
        for (node, &first) in tree.nodes.iter().zip(&firsts) {
            let (yes, no) = (place(node.left), place(node.right));
            let feature = column(node.feature);
            match &node.test {
                Test::AtMost(threshold) => {
                    self.push(first, feature, Mode::AtMost, *threshold, [yes, no], node.missing_left);
                }
                Test::Levels(levels) => {
                    // Where there is none, nothing is equal.
                    let levels: Vec<f64> = if levels.is_empty() {
                        vec![-1.0]
                    } else {
                        levels.iter().map(|&l| f64::from(l)).collect()
                    };
                    for (at, &level) in (0u32..).zip(&levels) {
                        let last = at as usize + 1 == levels.len();
                        let no = if last { no } else { first + at + 1 };
                        let missing = at == 0 && node.missing_left;
                        self.push(first + at, feature, Mode::Equal, level, [yes, no], missing);
                    }
                }
            }
        }
        for (at, leaf) in (next..).zip(leaves) {
            self.leaf(at, &added(leaf));
        }
        self.count += 1;
    }

    fn push(&mut self, number: u32, feature: u32, mode: Mode, value: f64, sides: [u32; 2], missing: bool) {
        self.tree.push(self.count);
        self.node.push(number);
        self.feature.push(feature);
        self.modes.push(mode);
        self.value.push(value);
        self.yes.push(sides[0]);
        self.no.push(sides[1]);
        self.missing.push(missing);
    }

    /// A leaf and its numbers; zeros are left out, but for one that says that the leaf is there.
    fn leaf(&mut self, number: u32, scores: &[f64]) {
        self.push(number, 0, Mode::Leaf, 0.0, [0, 0], false);
        let some = scores.iter().any(|&x| x != 0.0);
        for (target, &weight) in (0u32..).zip(scores) {
            if weight != 0.0 || (!some && target == 0) {
                self.leaf_tree.push(self.count);
                self.leaf_node.push(number);
                self.target.push(target);
                self.weight.push(weight);
            }
        }
    }

    /// Where there is no tree, one that says nothing: an operator without trees is refused.
    fn not_empty(&mut self) {
        if self.count == 0 {
            let zeros = vec![0.0; self.start.len()];
            self.push(0, 0, Mode::AtMost, 0.0, [1, 2], false);
            self.leaf(1, &zeros);
            self.leaf(2, &zeros);
            self.count += 1;
        }
    }
}

/// The tree of a hypothesis, or why there is none.
fn tree_of(cells: &Cells) -> Result<Cow<'_, Tree>> {
    match cells {
        Cells::Tree(tree) => Ok(Cow::Borrowed(tree)),
        Cells::Product(stumps) if stumps.len() > FACTORS => {
            let what = format!("products of more than {FACTORS} stumps would be trees of too many leaves");
            Err(refused(&what, "`factors` of 11 and more"))
        }
        Cells::Product(stumps) => Ok(Cow::Owned(multiplied(stumps))),
        Cells::Linear(_) => Err(refused("hyperplanes are not trees", "`learner=linear`")),
    }
}

/// A product of stumps as one tree: each path ends in the cell of its product.
fn multiplied(stumps: &[Tree]) -> Tree {
    let tests: Vec<&Node> = stumps.iter().filter_map(|stump| stump.nodes.first()).collect();
    let right = |child: Child| u32::from(child == Child::Leaf(1));
    let mut nodes = Vec::new();
    // The paths of a level with their cells so far.
    let mut cells = vec![0];
    for (at, test) in tests.iter().enumerate() {
        let below = (nodes.len() + cells.len()) as u32;
        let mut next = Vec::new();
        for cell in cells {
            let mut side = |child: Child| {
                let own = cell ^ right(child);
                next.push(own);
                if at + 1 == tests.len() {
                    Child::Leaf(own)
                } else {
                    Child::Node(below + next.len() as u32 - 1)
                }
            };
            let (left, right) = (side(test.left), side(test.right));
            nodes.push(Node { left, right, ..(*test).clone() });
        }
        cells = next;
    }
    Tree::new(nodes)
}

/// An error about a model that has no such form.
pub fn refused(why: &str, what: &str) -> Error {
    let said = format!("this model cannot be written as ONNX: {why}");
    Error::new(ErrorKind::Model, said, format!("export models without {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stump(feature: u32, left: u32) -> Tree {
        let (test, missing_left) = (Test::AtMost(0.0), false);
        let (left, right) = (Child::Leaf(left), Child::Leaf(1 - left));
        Tree::new(vec![Node { feature, test, missing_left, left, right }])
    }

    #[test]
    fn products_are_trees() {
        let stumps = vec![stump(0, 0), stump(1, 1), stump(2, 0)];
        let (tree, product) = (multiplied(&stumps), Cells::Product(stumps));
        assert_eq!(tree.nodes.len(), 7);
        for row in 0..8u32 {
            let value = |feature: u32| f64::from((row >> feature) & 1);
            assert_eq!(tree.leaf(value), product.cell(value), "{row}");
        }
    }
}
