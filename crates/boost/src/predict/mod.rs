//! Prediction: an ensemble laid out for blocks of rows.
//!
//! The values that any tree looks at are copied to a block of a few dozen rows, which stays in the cache while all trees
//! look at it. Stumps need no trees at all: they collapse to one table per feature ([`additive`]). Scores are multiples
//! of one small number, so every way of adding them up gives the same bits.

pub mod additive;
mod forest;
pub mod row;
pub mod stages;

use std::borrow::Cow;
use std::collections::BTreeSet;

use manyboost_data::Frame;
use rayon::prelude::*;

use crate::engine::scores::Scores;
use crate::model::ensemble::{Ensemble, Term};
use crate::model::reading::Reading;
use crate::model::text::TextScorer;
use additive::Additive;
use forest::Forest;

/// Values of a block of rows: they should fit into the fastest cache.
const BLOCK_VALUES: usize = 3072;

/// An ensemble, ready to predict.
#[derive(Clone, Debug)]
pub struct Predictor {
    start: Vec<f64>,
    text: Option<TextScorer>,
    reading: Reading,
    /// The features that any tree looks at, ascending.
    features: Vec<u32>,
    layout: Layout,
}

#[derive(Clone, Debug)]
enum Layout {
    Additive(Additive),
    Forest(Forest),
}

impl Predictor {
    /// Lays out the first `rounds` rounds of an ensemble.
    pub fn new(ensemble: &Ensemble, rounds: usize) -> Self {
        let terms: Vec<&Term> = ensemble.rounds.iter().take(rounds).flatten().collect();
        let width = ensemble.start.len();
        let used: BTreeSet<u32> = terms.iter().flat_map(|term| term.hypothesis.cells.features()).collect();
        let layout = match Additive::new(&terms, width) {
            Some(additive) => Layout::Additive(additive),
            None => Layout::Forest(forest(&terms, &used, width)),
        };
        Self {
            start: ensemble.start.clone(),
            text: ensemble.text.as_ref().map(TextScorer::new),
            reading: ensemble.reading.clone(),
            features: used.into_iter().collect(),
            layout,
        }
    }

    /// The scores of all rows as training knows them.
    pub fn raw_scores(&self, frame: &Frame) -> Scores {
        let mut scores = Scores::new(frame.rows(), &self.start);
        if let Some(text) = &self.text {
            text.add_rows(frame, &mut scores);
        }
        let (width, used) = (self.start.len(), self.features.len());
        let block = (BLOCK_VALUES / used.max(1)).clamp(16, 256);
        let blocks = scores.values_mut().par_chunks_mut(block * width).enumerate();
        blocks.for_each_init(Vec::new, |values, (number, out)| {
            let first = number * block;
            frame.fill(first..first + out.len() / width, &self.features, values);
            match &self.layout {
                Layout::Additive(additive) => additive.add(values, out),
                Layout::Forest(forest) => forest.add(values, used, out),
            }
        });
        scores
    }

    /// The scores of a row before the first round.
    pub fn first_scores(&self, frame: &Frame, row: usize) -> Vec<f64> {
        let mut scores = self.start.clone();
        if let Some(text) = &self.text {
            text.add(|column| frame.text(row, column), &mut scores);
        }
        scores
    }

    /// The features whose values a row has, ascending.
    pub(crate) fn features(&self) -> &[u32] {
        &self.features
    }

    /// The scores of the classes in one row, given the values of [`features`](Self::features) in it, and its texts by
    /// the places of their columns.
    pub(crate) fn row_scores<'t>(
        &self,
        values: &[f64],
        text_of: impl Fn(usize) -> Option<&'t str>,
    ) -> Vec<f64> {
        let mut scores = self.start.clone();
        if let Some(text) = &self.text {
            text.add(text_of, &mut scores);
        }
        match &self.layout {
            Layout::Additive(additive) => additive.add(values, &mut scores),
            Layout::Forest(forest) => forest.add_row(values, &mut scores),
        }
        if self.reading.is_plain() {
            return scores;
        }
        self.reading.class_scores(&scores, &mut Vec::new()).to_vec()
    }

    /// The probabilities that scores of classes stand for.
    pub(crate) fn row_probabilities(&self, mut scores: Vec<f64>) -> Vec<f64> {
        self.reading.link.apply(&mut scores);
        scores
    }

    /// The scores of the classes in all rows.
    pub fn scores(&self, frame: &Frame) -> Scores {
        self.reading.scores(Cow::Owned(self.raw_scores(frame))).into_owned()
    }

    /// The probabilities of all rows: of classes they sum to one, and the likeliest is the one with the highest score.
    pub fn probabilities(&self, frame: &Frame) -> Scores {
        self.reading.link.apply_rows(self.scores(frame))
    }
}

fn forest(terms: &[&Term], used: &BTreeSet<u32>, width: usize) -> Forest {
    let places: std::collections::HashMap<u32, u32> = used.iter().copied().zip(0..).collect();
    Forest::new(terms, |feature| places.get(&feature).copied().unwrap_or(0), width)
}
