//! Where channels go that nobody needs as real numbers: to the learner, block by block, while they are written.
//!
//! A block of rows is rounded while it is in the cache. The channel matrix, by far the largest thing that a round would
//! write and read again, is then never in memory.

use std::sync::{Mutex, MutexGuard, PoisonError};

use manyboost_kernel::{RowUpdate, Seed, Totals};

use crate::learners::WeakLearner;
use crate::votes::Vote;

/// Computes the channels of a block: gets its first row and room for its channels, and returns a number to be summed. They
/// are rounded to a few bits right away, so single precision is enough. Blocks are
/// [`rows_at_hand`](manyboost_kernel::rows_at_hand) of so many channels long, but for the last.
pub type Write<'a> = &'a (dyn Fn(usize, &mut [f32]) -> i64 + Sync);

/// What is known of channels before they are computed.
#[derive(Clone, Copy, Debug)]
pub struct ChannelBounds<'a> {
    /// Bounds of absolute values, one per channel, over which they are spread.
    pub each: &'a [f64],
    /// A bound of the sum of the absolute values of a row, without those that a sketch would keep.
    pub row: f64,
}

/// Channels that are about to be written.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// What they are for.
    pub vote: &'a dyn Vote,
    /// What is known of them.
    pub bounds: ChannelBounds<'a>,
    /// The seed of the round.
    pub seed: Seed,
}

/// What a learner must do to take channels in.
pub trait TakesChannels {
    /// Takes in channels, as [`ChannelSink::quantise_rows`].
    fn quantise_rows(&mut self, incoming: Incoming<'_>, totals: &Totals<'_>, write: Write<'_>)
    -> Option<i64>;

    /// Whether so many channels are kept from round to round.
    fn keeps(&self, channels: usize) -> bool;

    /// Takes in what changed in kept channels, as [`ChannelSink::keep`].
    fn keep(&mut self, totals: &Totals<'_>, update: &RowUpdate<'_>) -> Option<Vec<f64>>;
}

/// Takes the channels of a round in.
pub trait ChannelSink: Sync {
    /// Takes in channels; returns the sum of what `write` returned. `None`, and nothing is written, if they must be kept as real
    /// numbers.
    fn quantise_rows(&self, incoming: Incoming<'_>, write: Write<'_>) -> Option<i64>;

    /// Takes in what changed in channels that are kept; returns the sums of all rows, the weight first. `None` if none are
    /// kept.
    fn keep(&self, rewrite: &RowUpdate<'_>) -> Option<Vec<f64>>;
}

/// A learner that is asked for hypotheses at one door and takes channels in at another.
pub(crate) struct Shared<'a> {
    learner: Mutex<Box<dyn WeakLearner + 'a>>,
    totals: Totals<'a>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(learner: Box<dyn WeakLearner + 'a>, totals: Totals<'a>) -> Self {
        Self { learner: Mutex::new(learner), totals }
    }

    /// The learner.
    pub(crate) fn learner(&self) -> MutexGuard<'_, Box<dyn WeakLearner + 'a>> {
        self.learner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChannelSink for Shared<'_> {
    fn quantise_rows(&self, incoming: Incoming<'_>, write: Write<'_>) -> Option<i64> {
        self.learner().takes_channels()?.quantise_rows(incoming, &self.totals, write)
    }

    fn keep(&self, rewrite: &RowUpdate<'_>) -> Option<Vec<f64>> {
        self.learner().takes_channels()?.keep(&self.totals, rewrite)
    }
}
