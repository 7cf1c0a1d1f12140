//! What a round asks of the weak learner.

use manyboost_data::Labels;
use manyboost_kernel::Statistics;

use crate::engine::fast::Storage;
use crate::model::answers::Lift;
use crate::spec::booster::classes;
use crate::votes::Vote;

/// How channels are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// So many numbers per row.
    Dense(usize),
    /// One number per row, in the channel of its class.
    OneHot(usize),
}

/// A question to the weak learner.
pub struct Query {
    /// The layout of the channels.
    pub shape: Shape,
    /// What regions may answer.
    pub vote: Box<dyn Vote>,
    /// Where the answers land in score space.
    pub lift: Lift,
    /// Bounds on the absolute values of the channels, where they are known beforehand and the values are spread over
    /// them (weights of boosting are not: a few are large, most are small).
    pub bounds: Option<Vec<f64>>,
    /// What edges are measured against: the total weight, or the loss.
    pub norm: f64,
    /// The rows that count, ascending, if not all do.
    pub rows: Option<Vec<u32>>,
    /// For one-hot channels: the channel of each row, if it is not its class.
    pub channel_of: Option<Vec<u32>>,
    /// Where the channels are.
    pub(crate) storage: Storage,
}

impl Query {
    /// A question whose answers are scores.
    pub fn new(shape: Shape, vote: impl Vote + 'static, norm: f64) -> Self {
        Self::boxed(shape, Box::new(vote), norm)
    }

    /// The same for any vote.
    pub fn boxed(shape: Shape, vote: Box<dyn Vote>, norm: f64) -> Self {
        let (lift, storage) = (Lift::Whole, Storage::Matrix);
        Self { shape, vote, lift, bounds: None, norm, rows: None, channel_of: None, storage }
    }

    /// The channels as the kernel wants them.
    pub fn statistics<'a>(&'a self, values: &'a [f64], labels: &'a Labels) -> Statistics<'a> {
        match self.shape {
            Shape::Dense(width) => Statistics::Dense { values, width },
            Shape::OneHot(width) => {
                let labels = self.channel_of.as_deref().unwrap_or(classes(labels));
                Statistics::OneHot { values, width, labels }
            }
        }
    }

    /// Number of channels.
    pub fn width(&self) -> usize {
        match self.shape {
            Shape::Dense(width) | Shape::OneHot(width) => width,
        }
    }

    /// Numbers that a row has in the channel matrix.
    pub fn numbers(&self) -> usize {
        match (self.storage, self.shape) {
            (Storage::Rounded | Storage::Cached, _) => 0,
            (Storage::Matrix, Shape::Dense(width)) => width,
            (Storage::Matrix, Shape::OneHot(_)) => 1,
        }
    }
}

/// What a round asks for.
pub struct Target {
    /// The questions; the channels of all rows for the first one come first, then those for the second, and so on.
    pub queries: Vec<Query>,
    /// The loss that the algorithm lowers, at the present scores.
    pub loss: f64,
}

impl Target {
    /// One question.
    pub fn one(query: Query, loss: f64) -> Self {
        Self { queries: vec![query], loss }
    }

    /// The parts of the channel matrix, question by question.
    pub fn parts<'a>(&self, mut channels: &'a [f64], rows: usize) -> Vec<&'a [f64]> {
        let part = |query: &Query| channels.split_off(..rows * query.numbers()).unwrap_or_default();
        self.queries.iter().map(part).collect()
    }
}
