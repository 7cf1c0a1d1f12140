//! The fast paths of training, behind one door.
//!
//! Everything here could be deleted, and every model would keep its bits but for roundings that are allowed for: a booster's
//! [`target`](Booster::target) writes its channels, the learner rounds them and searches. Three things can be done faster:
//!
//! - **rounded**: channels that are a function of single rows are rounded by the learner block by block while they are
//!   written; the matrix of channels, the largest thing of a round, is never in memory ([`ByRows`], [`ChannelSink`]);
//! - **fused**: in the same pass the scores of the last round are added, while they are in the cache ([`ByRows`]);
//! - **cached**: where hypotheses ask for single words, the channels of most rows are those of the last round but for a factor that
//!   all rows share ([`Background`]).
//!
//! A booster that has something to gain says what its question is in these terms ([`FastPaths`]); the engine decides which way is
//! taken, and the learner whether it can.

mod background;
mod by_rows;
mod sink;

pub use background::Background;
pub use by_rows::{ByRows, Fill};
pub(crate) use sink::Shared;
pub use sink::{ChannelBounds, ChannelSink, Incoming, TakesChannels, Write};

use manyboost_data::Labels;
use manyboost_kernel::RowUpdate;

use crate::spec::booster::{Booster, RoundState, Target};

/// Where the channels of a question are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In the matrix of channels.
    #[default]
    Matrix,
    /// In the learner, rounded while they were written.
    Rounded,
    /// In the learner, kept from round to round.
    Cached,
}

/// What a booster may say of its question, so that it can be asked faster.
pub trait FastPaths {
    /// The question, if it is a function of single rows.
    fn by_rows(&self, _labels: &Labels) -> Option<ByRows> {
        None
    }

    /// The question, if its channels can be kept from round to round: those of rows that did not move otherwise than the background
    /// change by factors that all rows share.
    fn cached(&self, _now: &RoundState<'_>, _cache: &Cache<'_>) -> Option<Target> {
        None
    }
}

/// Channels that the learner keeps from round to round.
pub struct Cache<'a> {
    /// How far the scores of most rows have moved.
    pub background: &'a Background,
    sink: &'a dyn ChannelSink,
}

impl Cache<'_> {
    /// Takes in what changed; returns the sums of all rows, the weight first. `None` if so many channels are not kept.
    pub fn update(&self, update: &RowUpdate<'_>) -> Option<Vec<f64>> {
        self.sink.keep(update)
    }
}

/// scores → target, in the fastest way that booster and learner have.
pub(crate) fn target(
    booster: &dyn Booster,
    now: &RoundState<'_>,
    background: Option<&Background>,
    sink: &dyn ChannelSink,
    channels: &mut Vec<f64>,
) -> Target {
    let fast = booster.fast_paths();
    let cached = || fast?.cached(now, &Cache { background: background?, sink });
    let rounded = || fast?.by_rows(now.labels)?.rounded(now, sink);
    cached().or_else(rounded).unwrap_or_else(|| booster.target(now, channels))
}
