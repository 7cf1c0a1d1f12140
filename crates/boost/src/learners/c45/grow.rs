//! Growing a tree from the root down, and writing it as tests with two sides.

use manyboost_kernel::{Bins, Cut, Exchange, Sides};
use rayon::prelude::*;

use super::super::grow::Grown;
use super::C45Parameters;
use super::choose::{Candidate, Counts, Test, choose};
use crate::learners::tree_parameters::MOST_DEPTH;
use crate::model::tree::Child;

/// Less weight than this, in rows, is none.
const NOTHING: f64 = 1e-9;

/// What all nodes have in common.
pub(super) struct Ground<'a> {
    pub bins: &'a Bins,
    /// The class of each row.
    pub labels: &'a [u32],
    /// The weight of each row, in units.
    pub weights: &'a [i64],
    pub classes: usize,
    /// What all rows count.
    pub rows: f64,
    pub exchange: &'a dyn Exchange,
    pub parameters: C45Parameters,
}

/// A test that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Split {
    pub feature: u32,
    pub test: Test,
    /// The branch of missing values, and of levels that have none of their own.
    pub heaviest: usize,
}

/// A tree: a test and its branches, or a leaf.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub split: Option<(Split, Vec<Node>)>,
}

impl Node {
    pub(super) fn leaf() -> Self {
        Self { split: None }
    }
}

impl Ground<'_> {
    /// Grows and prunes a tree on some rows.
    pub(super) fn tree(&self, rows: Vec<u32>) -> Grown {
        let total = self.total(&rows);
        let unit = self.rows / total.iter().sum::<i64>().max(1) as f64;
        let (mut node, _) = self.grow(&rows, unit, MOST_DEPTH);
        if self.parameters.prune {
            self.prune(&mut node, &rows, unit);
            self.tidy(&mut node, &rows);
        }
        let mut grown = Grown {
            cuts: Vec::new(),
            rows: Vec::new(),
            leaves: Vec::new(),
            sums: Vec::new(),
            settled: Vec::new(),
        };
        self.write(&node, rows, &mut grown);
        grown
    }

    /// The weights of classes in a node, in units.
    pub(super) fn total(&self, rows: &[u32]) -> Vec<i64> {
        let mut total = vec![0; self.classes];
        for &row in rows {
            total[self.labels[row as usize] as usize] += self.weights[row as usize];
        }
        self.exchange.sum(&mut total);
        total
    }

    /// The best test of each feature.
    fn candidates(&self, rows: &[u32], unit: f64) -> Vec<Option<Candidate>> {
        let features = self.bins.features();
        let count = |feature: usize| {
            let codes = self.bins.codes_of(feature);
            let mut cells = vec![0i64; (features[feature].bins as usize + 1) * self.classes];
            for &row in rows {
                let row = row as usize;
                cells[codes.code(row) as usize * self.classes + self.labels[row] as usize] +=
                    self.weights[row];
            }
            cells
        };
        let best = |feature: usize, cells: &[i64]| {
            let counts = Counts { order: features[feature].order, cells, classes: self.classes };
            counts.best(unit, self.parameters.min_rows)
        };
        let each = (0..features.len()).into_par_iter();
        if self.exchange.alone() {
            return each.map(|feature| best(feature, &count(feature))).collect();
        }
        let mut all = each.clone().map(count).collect::<Vec<_>>().concat();
        self.exchange.sum(&mut all);
        let starts: Vec<usize> = features
            .iter()
            .scan(0, |end, feature| {
                *end += (feature.bins as usize + 1) * self.classes;
                Some(*end)
            })
            .collect();
        each.map(|feature| {
            let start = if feature == 0 { 0 } else { starts[feature - 1] };
            best(feature, &all[start..starts[feature]])
        })
        .collect()
    }

    /// The tree of some rows, and what it errs on them; `depth` tests are left.
    fn grow(&self, rows: &[u32], unit: f64, depth: usize) -> (Node, f64) {
        let total = self.total(rows);
        let cases = total.iter().sum::<i64>() as f64 * unit;
        let wrong = cases - total.iter().max().map_or(0.0, |&most| most as f64 * unit);
        let leaf = (Node::leaf(), wrong);
        if wrong <= NOTHING || cases < 2.0 * self.parameters.min_rows {
            return leaf;
        }
        let candidates = self.candidates(rows, unit);
        let many = |feature: usize| match &candidates[feature] {
            Some(Candidate { test: Test::Levels(_), .. }) => {
                f64::from(self.bins.features()[feature].bins) >= 0.3 * self.rows
            }
            _ => false,
        };
        let Some(feature) = choose(&candidates, many) else { return leaf };
        let Some(Candidate { test, .. }) = candidates.into_iter().nth(feature).flatten() else { return leaf };
        let mut split = Split { feature: feature as u32, test, heaviest: 0 };
        let needed = split.branches().next_power_of_two().ilog2() as usize;
        if needed > depth {
            return leaf;
        }
        split.heaviest = self.heaviest(&split, rows);
        let parts = self.parts(&split, rows);
        let (branches, errors): (Vec<Node>, Vec<f64>) =
            parts.iter().map(|part| self.grow(part, unit, depth - needed)).unzip();
        if errors.iter().sum::<f64>() >= wrong - 1e-3 {
            return leaf;
        }
        (Node { split: Some((split, branches)) }, errors.iter().sum())
    }

    /// The branch with the most weight of rows whose value is known, the first of equals.
    pub(super) fn heaviest(&self, split: &Split, rows: &[u32]) -> usize {
        let codes = self.bins.codes_of(split.feature as usize);
        let missing = self.bins.features()[split.feature as usize].bins;
        let mut weights = vec![0i64; split.branches()];
        for &row in rows {
            let code = codes.code(row as usize);
            if code != missing {
                weights[split.branch(code, missing)] += self.weights[row as usize];
            }
        }
        self.exchange.sum(&mut weights);
        (1..weights.len()).fold(0, |best, at| if weights[at] > weights[best] { at } else { best })
    }

    /// The rows of each branch, in their order.
    pub(super) fn parts(&self, split: &Split, rows: &[u32]) -> Vec<Vec<u32>> {
        let codes = self.bins.codes_of(split.feature as usize);
        let missing = self.bins.features()[split.feature as usize].bins;
        let mut parts = vec![Vec::new(); split.branches()];
        for &row in rows {
            parts[split.branch(codes.code(row as usize), missing)].push(row);
        }
        parts
    }

    /// Writes a tree: parents before children, leaves from left to right.
    fn write(&self, node: &Node, rows: Vec<u32>, grown: &mut Grown) -> Child {
        let Some((split, branches)) = &node.split else {
            let start = grown.rows.len();
            grown.rows.extend(rows);
            grown.leaves.push(start..grown.rows.len());
            grown.settled.push(true);
            return Child::Leaf(grown.leaves.len() as u32 - 1);
        };
        let parts = self.parts(split, &rows);
        let mut branches: Vec<(usize, &Node, Vec<u32>)> =
            branches.iter().zip(parts).enumerate().map(|(at, (node, rows))| (at, node, rows)).collect();
        if let Test::Levels(_) = split.test {
            // What has no branch of its own goes right at every test.
            let last = branches.remove(split.heaviest);
            branches.push(last);
        }
        self.write_branches(split, branches, grown)
    }

    /// Writes the branches of a test, halved until each is alone.
    fn write_branches(
        &self,
        split: &Split,
        mut branches: Vec<(usize, &Node, Vec<u32>)>,
        grown: &mut Grown,
    ) -> Child {
        if branches.len() < 2 {
            return match branches.pop() {
                Some((_, node, rows)) => self.write(node, rows, grown),
                None => self.write(&Node::leaf(), Vec::new(), grown),
            };
        }
        let right = branches.split_off(branches.len() / 2);
        let (sides, missing_left) = match &split.test {
            Test::AtMost { low, high } => {
                (Sides::AtMost { low: *low, high: Some(*high) }, split.heaviest == 0)
            }
            Test::Levels(levels) => {
                let mut left: Vec<u32> = branches.iter().map(|(at, ..)| levels[*at]).collect();
                left.sort_unstable();
                (Sides::Levels(left), false)
            }
        };
        let number = grown.cuts.len();
        let cut = Cut { feature: split.feature, sides, missing_left, left: Vec::new(), score: 0.0 };
        grown.cuts.push((cut, [Child::Leaf(0); 2]));
        let low = self.write_branches(split, branches, grown);
        let high = self.write_branches(split, right, grown);
        grown.cuts[number].1 = [low, high];
        Child::Node(number as u32)
    }
}

impl Split {
    /// Number of branches.
    pub(super) fn branches(&self) -> usize {
        match &self.test {
            Test::AtMost { .. } => 2,
            Test::Levels(levels) => levels.len(),
        }
    }

    /// The branch of a code.
    pub(super) fn branch(&self, code: u32, missing: u32) -> usize {
        match &self.test {
            _ if code == missing => self.heaviest,
            Test::AtMost { low, .. } => usize::from(code > *low),
            Test::Levels(levels) => levels.binary_search(&code).unwrap_or(self.heaviest),
        }
    }
}
