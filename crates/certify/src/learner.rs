//! The weak learners of training as oracles: what they answer is what boosting would be given.
//!
//! Trees are grown greedily, so that a better tree may exist: what an answer proves, it proves of the learner.

use std::sync::atomic::AtomicBool;

use manyboost::learners::{LearnerParameters, Task, TreeParameters, WeakLearner};
use manyboost::model::answers::Answers;
use manyboost::spec::booster::{Query, Shape};
use manyboost::votes::{LabelCriterion, LabelVote, SignVote};
use manyboost_data::{Dataset, Encoder, Result, Weights};
use manyboost_kernel::{Alone, Order, RowWeights, Seed, Statistics, Totals};

use crate::oracle::{HypothesisSpace, MOST_IN_SETS, Oracle, Says};
use crate::stumps::{Depth, StumpSpace};

/// A learner on a data set, each row of which counts as one.
pub struct Learner<'a> {
    parameters: LearnerParameters,
    data: &'a Dataset,
    encoder: &'a Encoder,
}

impl<'a> Learner<'a> {
    /// Unless the learner cannot work on the data, whose weights are taken off.
    pub fn new(parameters: LearnerParameters, data: &'a mut Dataset, encoder: &'a Encoder) -> Result<Self> {
        parameters.validate()?;
        data.weights = Weights::ones(data.rows());
        let learner = Self { parameters, data, encoder };
        learner.learner()?;
        Ok(learner)
    }

    fn totals(&self) -> Totals<'a> {
        Totals::new(RowWeights { units: self.data.weights.units(), step: 1.0 }, &Alone)
    }

    fn learner(&self) -> Result<Box<dyn WeakLearner + 'a>> {
        self.parameters.learner(self.data, self.encoder, &self.totals())
    }
}

impl HypothesisSpace for Learner<'_> {
    fn is_exact(&self) -> bool {
        false
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn oracle(&self, rows: &[u32], classes: &[u32]) -> Option<Box<dyn Oracle + '_>> {
        let (learner, totals) = (self.learner().ok()?, self.totals());
        let all = rows.len() == self.data.rows();
        let mut query = Query::new(Shape::Dense(classes.len()), LabelVote(LabelCriterion::Cost), 1.0);
        query.rows = if all { None } else { Some(rows.to_vec()) };
        let channels = vec![0.0; self.data.rows() * classes.len()];
        Some(Box::new(Asked { learner, totals, query, rows: rows.to_vec(), channels, questions: 0 }))
    }

    fn sets_oracle(&self, k: usize) -> Option<Box<dyn Oracle + '_>> {
        if k > MOST_IN_SETS {
            return None;
        }
        let (learner, totals) = (self.learner().ok()?, self.totals());
        let query = Query::new(Shape::Dense(k), SignVote, 1.0);
        let (rows, channels) = ((0..self.data.rows() as u32).collect(), vec![0.0; self.data.rows() * k]);
        Some(Box::new(Asked { learner, totals, query, rows, channels, questions: 0 }))
    }

    /// On numbers a greedy tree is never worse than the best stump: what stumps can do, it can.
    fn beats_guessing(&self, y: &[u32], stop: &AtomicBool) -> Option<bool> {
        let LearnerParameters::Tree(TreeParameters { min_rows, .. }) = self.parameters else { return None };
        let bins = &self.data.bins;
        if bins.features().iter().any(|feature| feature.order == Order::Nominal && feature.bins > 2) {
            return None;
        }
        let stumps = StumpSpace::new(bins, Depth::One, min_rows.ceil() as usize);
        stumps.beats_guessing(y, stop).filter(|beats| *beats)
    }
}

struct Asked<'a> {
    learner: Box<dyn WeakLearner + 'a>,
    totals: Totals<'a>,
    query: Query,
    rows: Vec<u32>,
    channels: Vec<f64>,
    /// Questions so far: what random choices depend on.
    questions: u64,
}

impl Oracle for Asked<'_> {
    fn query(&mut self, costs: &[i64]) -> Says {
        let width = self.query.width();
        // Of sets, the last cost of a row is paid in any case.
        let given = costs.len() / self.rows.len().max(1);
        for (&row, costs) in self.rows.iter().zip(costs.chunks_exact(given.max(1))) {
            let channels = &mut self.channels[row as usize * width..][..width];
            channels.iter_mut().zip(costs).for_each(|(channel, &cost)| *channel = cost as f64);
        }
        let statistics = Statistics::Dense { values: &self.channels, width };
        self.questions += 1;
        let seed = Seed::new(1).part(self.questions);
        let task = Task { query: &self.query, statistics: &statistics, totals: &self.totals, seed };
        let fit = self.learner.fit(&task);
        let cell = |row: u32| fit.cell_of[row as usize] as usize;
        match &fit.hypothesis.answers {
            Answers::Vectors { values, .. } => {
                let yes = |set: u32, (l, x): (usize, &f64)| set | u32::from(*x > 0.0) << l;
                let set =
                    |row: u32| values[cell(row) * width..][..width].iter().enumerate().fold(1 << width, yes);
                self.rows.iter().map(|&row| set(row)).collect()
            }
            _ => self.rows.iter().map(|&row| fit.label(row as usize).unwrap_or(0)).collect(),
        }
    }

    fn patience(&self) -> usize {
        60
    }
}
