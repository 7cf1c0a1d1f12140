//! Questions that are a function of each row's scores and answer alone.
//!
//! With many classes, scores are most of what a round reads and writes. Where the next question needs no more than one row at a
//! time, its channels are computed while the scores that the last round changed are still in the cache: one pass instead of two.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use manyboost_data::Labels;
use manyboost_kernel::{Seed, Totals, rows_at_hand};
use rayon::prelude::*;

use crate::boosters::BLOCK;
use crate::engine::fast::{ChannelBounds, ChannelSink, Incoming, Storage};
use crate::engine::scores::Scores;
use crate::engine::train_metrics::TrainMetrics;
use crate::model::answers::ScoreUpdate;
use crate::spec::booster::{Query, RoundState, Shape, Target};
use crate::votes::Vote;

/// Writes the channels of some rows, of which the first is given, from their scores; returns their loss, in units.
pub type Fill<R> = fn(&Labels, &Totals<'_>, usize, &[f64], &mut [R]) -> i64;

/// A question that is a function of single rows.
pub struct ByRows {
    /// What regions may answer.
    pub vote: Box<dyn Vote>,
    /// Bounds of absolute values, one per channel.
    pub each: Vec<f64>,
    /// A bound of the sum of the absolute values of a row, without those that a sketch would keep.
    pub row: f64,
    /// No row loses more.
    pub worst: f64,
    /// The channels, in single precision: for those that are rounded to a few bits right away.
    pub coarse: Fill<f32>,
    /// The channels.
    pub fine: Fill<f64>,
}

impl ByRows {
    /// What is to come in a round of this seed.
    fn incoming(&self, seed: Seed) -> Incoming<'_> {
        Incoming { vote: &*self.vote, bounds: ChannelBounds { each: &self.each, row: self.row }, seed }
    }

    fn asked(self, totals: &Totals<'_>, storage: Storage, loss: i64) -> Target {
        let norm = totals.weight();
        let loss = totals.of_units_within(self.worst, loss) / norm;
        let shape = Shape::Dense(self.each.len());
        let query = Query::boxed(shape, self.vote, norm);
        Target::one(Query { bounds: Some(self.each), storage, ..query }, loss)
    }

    /// The question at the present scores, its channels handed to the learner's sink; `None` if it does not take them.
    pub(super) fn rounded(self, now: &RoundState<'_>, sink: &dyn ChannelSink) -> Option<Target> {
        let (width, k) = (self.each.len(), now.scores.width());
        let scores = |first: usize, rows: usize| &now.scores.values()[first * k..(first + rows) * k];
        let write = |first: usize, channels: &mut [f32]| {
            (self.coarse)(now.labels, &now.totals, first, scores(first, channels.len() / width), channels)
        };
        let loss = sink.quantise_rows(self.incoming(now.round_seed()), &write)?;
        Some(self.asked(&now.totals, Storage::Rounded, loss))
    }

    /// The question at the present scores, its channels written to the matrix.
    pub fn target(self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (width, k) = (self.each.len(), now.scores.width());
        let scores = |first: usize, rows: usize| &now.scores.values()[first * k..(first + rows) * k];
        channels.resize(now.scores.rows() * width, 0.0);
        let blocks = channels.par_chunks_mut(BLOCK * width).enumerate();
        let fill = |(block, channels): (usize, &mut [f64])| {
            let (first, rows) = (block * BLOCK, channels.len() / width);
            (self.fine)(now.labels, &now.totals, first, scores(first, rows), channels)
        };
        let loss = blocks.map(fill).sum();
        self.asked(&now.totals, Storage::Matrix, loss)
    }

    /// Adds a round to the scores and asks the next question in the same pass; with it comes what the training rows say of the
    /// round. `None`, and nothing is added, if the sink does not take the channels.
    pub(crate) fn advance(
        self,
        scores: &mut Scores,
        (applied, cell_of): (&ScoreUpdate, &[u32]),
        train_metrics: &TrainMetrics<'_>,
        seed: Seed,
        sink: &dyn ChannelSink,
    ) -> Option<([i64; 3], Target)> {
        let (width, k) = (self.each.len(), scores.width());
        let rows = rows_at_hand(width);
        // Blocks are those of the sink: each is locked once.
        let blocks: Vec<Mutex<&mut [f64]>> =
            scores.values_mut().chunks_mut(rows * k).map(Mutex::new).collect();
        let seen = [const { AtomicI64::new(0) }; 3];
        let write = |first: usize, channels: &mut [f32]| {
            let mut scores = blocks[first / rows].lock().unwrap_or_else(PoisonError::into_inner);
            applied.add_rows(&cell_of[first..first + scores.len() / k], k, &mut scores);
            for (sum, x) in seen.iter().zip(train_metrics.count_block(first, &scores)) {
                sum.fetch_add(x, Ordering::Relaxed);
            }
            (self.coarse)(train_metrics.labels, &train_metrics.totals, first, &scores, channels)
        };
        let loss = sink.quantise_rows(self.incoming(seed), &write)?;
        let seen = seen.map(AtomicI64::into_inner);
        Some((seen, self.asked(&train_metrics.totals, Storage::Rounded, loss)))
    }
}
