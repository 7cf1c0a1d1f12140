//! Prediction: a model laid out for blocks of rows.

use std::collections::BTreeMap;

use polyboost_data::Frame;
use rayon::prelude::*;

use crate::ensemble::Ensemble;
use crate::scores::Scores;
use crate::tree::{Applied, Tree};

/// Rows a task handles: their values stay in the cache while all trees look at them.
const BLOCK: usize = 128;

/// A model, ready to predict.
#[derive(Clone, Debug)]
pub struct Predictor {
    start: Vec<f64>,
    link: crate::booster::Link,
    /// The features that any tree looks at, ascending.
    features: Vec<u32>,
    trees: Vec<Compiled>,
}

/// A tree whose features are places in a block of values.
#[derive(Clone, Debug)]
struct Compiled {
    tree: Tree,
    applied: Applied,
}

impl Predictor {
    /// Lays out the first `rounds` rounds of an ensemble.
    pub fn new(ensemble: &Ensemble, rounds: usize) -> Self {
        let terms = &ensemble.terms[..rounds.min(ensemble.terms.len())];
        let mut places: BTreeMap<u32, u32> = BTreeMap::new();
        for node in terms.iter().flat_map(|term| &term.tree.nodes) {
            places.insert(node.feature, 0);
        }
        for (place, slot) in places.values_mut().enumerate() {
            *slot = place as u32;
        }
        let width = ensemble.start.len();
        let compile = |term: &crate::ensemble::Term| {
            let mut tree = term.tree.clone();
            for node in &mut tree.nodes {
                node.feature = places[&node.feature];
            }
            Compiled { applied: tree.answers.applied(term.alpha, width), tree }
        };
        Self {
            start: ensemble.start.clone(),
            link: ensemble.link,
            features: places.keys().copied().collect(),
            trees: terms.iter().map(compile).collect(),
        }
    }

    /// The scores of all rows.
    pub fn scores(&self, frame: &Frame) -> Scores {
        let mut scores = Scores::new(frame.rows(), &self.start);
        let width = self.start.len();
        scores.values_mut().par_chunks_mut(BLOCK * width).enumerate().for_each_init(
            Vec::new,
            |values, (block, out)| {
                let first = block * BLOCK;
                let rows = out.len() / width;
                frame.fill(first..first + rows, &self.features, values);
                for tree in &self.trees {
                    for (row, out) in out.chunks_exact_mut(width).enumerate() {
                        let values = &values[row * self.features.len()..(row + 1) * self.features.len()];
                        tree.applied.add(tree.tree.leaf(|place| values[place as usize]), out);
                    }
                }
            },
        );
        scores
    }

    /// The probabilities of all rows: of classes they sum to one, and the likeliest is the one with the highest score.
    pub fn probabilities(&self, frame: &Frame) -> Scores {
        let mut scores = self.scores(frame);
        let width = scores.width();
        scores.values_mut().par_chunks_mut(width).with_min_len(1024).for_each(|row| self.link.apply(row));
        scores
    }
}
