//! A tree as its paths: which features each leaf depends on, and whether a row fits what the path asks of them.
//!
//! All tests of a feature on a path count as one: the row fits if it passes all of them. So a leaf's path is a list of features, each
//! with a bit of a row's mask and with the share of training rows that its tests let through.

use manyboost_kernel::sums::weighted::add_weighted;

use crate::model::answers::ScoreUpdate;
use crate::model::tree::{Child, Node, Tree};

/// A test on a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Where the value of its feature is in a row.
    pub(super) place: usize,
    /// The bit of its feature.
    pub(super) bit: u64,
    /// The share of training rows that the tests of its feature so far let through, and then with this one, on both sides.
    pub(super) share: f64,
    pub(super) sides: [f64; 2],
}

/// A feature on the path of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PathFeature {
    /// Where its value is in a row.
    pub(super) place: usize,
    /// The share of training rows that its tests let through.
    pub(super) share: f64,
}

/// The paths of a tree.
#[derive(Clone, Debug)]
pub(super) struct Paths<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) steps: Vec<Step>,
    /// The features of all leaves, leaf after leaf.
    pub(super) features: Vec<PathFeature>,
    /// Where those of each leaf begin, and the end of the last.
    pub(super) starts: Vec<usize>,
}

impl<'a> Paths<'a> {
    /// Of a tree; `place` says where the value of a feature is in a row. Where nothing is known of what leaves weigh, shares are not either.
    pub(super) fn new(tree: &'a Tree, place: impl Fn(u32) -> usize) -> Self {
        let cover = tree.node_cover();
        // The part of the rows at a test that goes on to a child.
        let part = |at: usize, child: Child| match &cover {
            Some(cover) if cover[at] > 0 => tree.cover_of(child, cover) as f64 / cover[at] as f64,
            _ => 0.5,
        };
        let mut before: Vec<Vec<PathFeature>> = vec![Vec::new(); tree.nodes.len()];
        let mut ends: Vec<Vec<PathFeature>> = vec![Vec::new(); tree.leaves()];
        let mut steps = Vec::with_capacity(tree.nodes.len());
        for (at, node) in tree.nodes.iter().enumerate() {
            let mut path = std::mem::take(&mut before[at]);
            let place = place(node.feature);
            let position = path.iter().position(|feature| feature.place == place).unwrap_or_else(|| {
                path.push(PathFeature { place, share: 1.0 });
                path.len() - 1
            });
            let share = path[position].share;
            let sides = [node.left, node.right].map(|child| share * part(at, child));
            steps.push(Step { place, bit: 1 << position, share, sides });
            for (child, share) in [node.left, node.right].into_iter().zip(sides) {
                let mut path = path.clone();
                path[position].share = share;
                match child {
                    Child::Node(next) => before[next as usize] = path,
                    Child::Leaf(leaf) => ends[leaf as usize] = path,
                }
            }
        }
        let mut starts = vec![0];
        for path in &ends {
            starts.push(starts.last().copied().unwrap_or(0) + path.len());
        }
        Self { nodes: &tree.nodes, steps, features: ends.concat(), starts }
    }

    /// Number of leaves.
    pub(super) fn leaves(&self) -> usize {
        self.starts.len() - 1
    }

    /// The features on the path of a leaf.
    pub(super) fn features(&self, leaf: usize) -> &[PathFeature] {
        &self.features[self.starts[leaf]..self.starts[leaf + 1]]
    }

    /// Most features on a path.
    pub(super) fn longest(&self) -> usize {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// The share of the training rows in each leaf.
    pub(super) fn leaf_shares(&self) -> Vec<f64> {
        (0..self.leaves())
            .map(|leaf| self.features(leaf).iter().map(|feature| feature.share).product())
            .collect()
    }

    /// Tells of each leaf which features on its path a row fits; `masks` is room to work in.
    pub(super) fn fits(&self, row: &[f64], masks: &mut Vec<u64>, mut told: impl FnMut(usize, u64)) {
        masks.clear();
        masks.resize(self.nodes.len(), u64::MAX);
        if self.nodes.is_empty() {
            told(0, u64::MAX);
        }
        for (at, (node, step)) in self.nodes.iter().zip(&self.steps).enumerate() {
            let left = node.goes_left(row[step.place]);
            for (child, goes) in [(node.left, left), (node.right, !left)] {
                let mask = if goes { masks[at] } else { masks[at] & !step.bit };
                match child {
                    Child::Node(next) => masks[next as usize] = mask,
                    Child::Leaf(leaf) => told(leaf as usize, mask),
                }
            }
        }
    }
}

/// What the leaves of a tree add to scores, laid out to be summed by the slots that their features belong to.
#[derive(Clone, Debug)]
pub(super) struct LeafSums {
    pub(super) updates: ScoreUpdate,
    /// Slots, and where their pairs end.
    groups: Vec<(u32, u32)>,
    /// Places of coefficients, and leaves.
    pairs: Vec<(u32, u32)>,
}

impl LeafSums {
    /// For coefficients with these slots and leaves.
    pub(super) fn new(updates: ScoreUpdate, coefficients: impl Iterator<Item = (u32, usize)>) -> Self {
        let mut entries: Vec<(u32, u32, u32)> =
            coefficients.zip(0..).map(|((slot, leaf), place)| (slot, place, leaf as u32)).collect();
        entries.sort_unstable();
        let mut groups: Vec<(u32, u32)> = Vec::new();
        for (end, &(slot, ..)) in (1..).zip(&entries) {
            match groups.last_mut() {
                Some(group) if group.0 == slot => group.1 = end,
                _ => groups.push((slot, end)),
            }
        }
        Self { updates, groups, pairs: entries.into_iter().map(|(_, place, leaf)| (place, leaf)).collect() }
    }

    /// Number of coefficients.
    pub(super) fn coefficients(&self) -> usize {
        self.pairs.len()
    }

    /// Adds a share of what a leaf adds to scores.
    pub(super) fn add_leaf(&self, leaf: usize, share: f64, width: usize, out: &mut [f64]) {
        let mut values = vec![0.0; width];
        self.updates.add(leaf, &mut values);
        out.iter_mut().zip(values).for_each(|(out, value)| *out += share * value);
    }

    /// Adds each coefficient times what its leaf adds to the scores of its slot.
    pub(super) fn add(&self, coefficients: &[f64], width: usize, out: &mut [f64]) {
        if let ScoreUpdate::All { values, .. } = &self.updates {
            return add_weighted(&self.groups, &self.pairs, coefficients, values, width, out);
        }
        let mut first = 0;
        for &(slot, end) in &self.groups {
            let out = &mut out[slot as usize * width..][..width];
            for &(place, leaf) in &self.pairs[first..end as usize] {
                let (c, leaf) = (coefficients[place as usize], leaf as usize);
                match &self.updates {
                    ScoreUpdate::One { labels, value } => out[labels[leaf] as usize] += c * value,
                    ScoreUpdate::At { at, values } => out[*at] += c * values[leaf],
                    ScoreUpdate::All { .. } | ScoreUpdate::Election(_) => {}
                }
            }
            first = end as usize;
        }
    }
}
