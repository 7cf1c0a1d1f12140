//! What a boosting algorithm is: scores → target, fit → step.
//!
//! The loop in [`train`](crate::engine::train) owns everything else. A booster keeps no state of its own: weights, costs and
//! residuals are functions of the scores, so resuming, staging and checking come for free.

use std::sync::atomic::AtomicBool;

use manyboost_data::{Labels, Result};
use manyboost_kernel::{Seed, Statistics, Totals};

use crate::engine::background::Background;
use crate::engine::by_rows::ByRows;
use crate::engine::scores::Scores;
use crate::engine::sink::ChannelSink;
use crate::model::answers::{Answers, Lift};
use crate::model::ensemble::Term;
use crate::model::hypothesis::Hypothesis;
use crate::model::reading::Reading;
use crate::votes::Vote;

/// What is to be learnt.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The answers to learn.
    pub labels: &'a Labels,
    /// Exact sums over rows.
    pub totals: Totals<'a>,
    /// Most rounds.
    pub rounds: usize,
    /// Makes every random choice.
    pub seed: Seed,
}

/// Where training stands.
#[derive(Clone, Copy)]
pub struct RoundState<'a> {
    /// The answers to learn.
    pub labels: &'a Labels,
    /// Exact sums over rows.
    pub totals: Totals<'a>,
    /// Most rounds.
    pub rounds: usize,
    /// Makes every random choice.
    pub seed: Seed,
    /// The scores of all rows.
    pub scores: &'a Scores,
    /// The rounds that are done.
    pub past: &'a [Vec<Term>],
    /// How far the scores of most rows have moved, where the learner keeps channels.
    pub background: Option<&'a Background>,
    /// Where channels may go that are not needed again.
    pub sink: &'a dyn ChannelSink,
    /// Whether the user wants an end. What takes long looks at it often; a target that it cut short has no loss (NaN).
    pub stop: &'a AtomicBool,
}

impl RoundState<'_> {
    /// The class of each row.
    pub fn classes(&self) -> &[u32] {
        classes(self.labels)
    }

    /// The number of the round under way, from 1.
    pub fn round(&self) -> usize {
        self.past.len() + 1
    }

    /// Makes the random choices of the round under way.
    pub fn round_seed(&self) -> Seed {
        self.seed.part(self.round() as u64)
    }
}

/// How channels are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// So many numbers per row.
    Dense(usize),
    /// One number per row, in the channel of its class.
    OneHot(usize),
    /// So many numbers per row, which the learner took in while they were written (see [`sink`](crate::engine::sink)).
    Rounded(usize),
    /// So many numbers per row, which the learner keeps from round to round.
    Cached(usize),
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
}

impl Query {
    /// A question whose answers are scores.
    pub fn new(shape: Shape, vote: impl Vote + 'static, norm: f64) -> Self {
        Self::boxed(shape, Box::new(vote), norm)
    }

    /// The same for any vote.
    pub fn boxed(shape: Shape, vote: Box<dyn Vote>, norm: f64) -> Self {
        let (lift, bounds) = (Lift::Whole, None);
        Self { shape, vote, lift, bounds, norm, rows: None, channel_of: None }
    }

    /// The channels as the kernel wants them.
    pub fn statistics<'a>(&'a self, values: &'a [f64], labels: &'a Labels) -> Statistics<'a> {
        match self.shape {
            Shape::Dense(width) | Shape::Rounded(width) | Shape::Cached(width) => {
                Statistics::Dense { values, width }
            }
            Shape::OneHot(width) => {
                let labels = self.channel_of.as_deref().unwrap_or(classes(labels));
                Statistics::OneHot { values, width, labels }
            }
        }
    }

    /// Number of channels.
    pub fn width(&self) -> usize {
        match self.shape {
            Shape::Dense(width) | Shape::OneHot(width) | Shape::Rounded(width) | Shape::Cached(width) => {
                width
            }
        }
    }

    /// Numbers that a row has in the channel matrix.
    pub fn numbers(&self) -> usize {
        match self.shape {
            Shape::Dense(width) => width,
            Shape::OneHot(_) => 1,
            Shape::Rounded(_) | Shape::Cached(_) => 0,
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

/// The class of each row (none for label sets).
fn classes(labels: &Labels) -> &[u32] {
    match labels {
        Labels::Classes { of, .. } => of,
        Labels::Sets { .. } => &[],
    }
}

/// A weak hypothesis and what it does on the training rows.
#[derive(Clone, Debug)]
pub struct FittedHypothesis {
    /// The hypothesis.
    pub hypothesis: Hypothesis,
    /// The cell of every row.
    pub cell_of: Vec<u32>,
    /// The cost of its answers.
    pub cost: f64,
}

impl FittedHypothesis {
    /// The class that the hypothesis names for a row.
    #[inline]
    pub fn label(&self, row: usize) -> Option<u32> {
        match &self.hypothesis.answers {
            Answers::Labels(labels) => Some(labels[self.cell_of[row] as usize]),
            _ => None,
        }
    }

    /// The number that the hypothesis answers for a row, where it answers one number.
    #[inline]
    pub fn number(&self, row: usize) -> f64 {
        self.hypothesis.answers.number(self.cell_of[row] as usize)
    }

    /// The numbers that the hypothesis answers in each cell, cell after cell, however they are lifted.
    pub fn numbers(&self) -> &[f64] {
        match &self.hypothesis.answers {
            Answers::Labels(_) | Answers::Election(_) => &[],
            Answers::Vectors { values, .. }
            | Answers::Coordinate { values, .. }
            | Answers::Along { values, .. } => values,
        }
    }
}

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Stop {
    /// All rounds are done.
    Rounds,
    /// A hypothesis without error: nothing is left to learn.
    Perfect,
    /// No hypothesis has the edge that the algorithm asks for: over chance for most, over a coin for AdaBoost.M1 (see
    /// [`BoosterEntry::no_edge`](crate::spec::registry::BoosterEntry::no_edge)).
    NoEdge,
    /// The validation rows have not improved for too long.
    Patience,
    /// The user asked for it.
    Interrupted,
}

impl Stop {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Perfect => "perfect",
            Self::NoEdge => "no_edge",
            Self::Patience => "patience",
            Self::Interrupted => "interrupted",
        }
    }
}

/// Figures of a step that a paper defines.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How much better than chance the hypothesis is.
    pub edge: Option<f64>,
    /// The normaliser of the weights, Z.
    pub z: Option<f64>,
    /// The factor by which the bound falls.
    pub bound_factor: Option<f64>,
}

/// What to do with the hypotheses of a round.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Add them.
    Take {
        /// The weight of each.
        alphas: Vec<f64>,
        /// What to report.
        figures: Figures,
        /// End after it.
        last: Option<Stop>,
    },
    /// End without them.
    Stop(Stop),
}

impl Step {
    /// Adds the only hypothesis.
    pub fn take(alpha: f64, figures: Figures) -> Self {
        Self::Take { alphas: vec![alpha], figures, last: None }
    }

    /// Adds the only hypothesis, and perhaps ends after it.
    pub fn take_last(alpha: f64, figures: Figures, last: Option<Stop>) -> Self {
        Self::Take { alphas: vec![alpha], figures, last }
    }
}

/// What a round takes: an estimate, before there is any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Bytes a row: channels, what they are computed from, and their units.
    pub row_bytes: usize,
    /// Channels of a question.
    pub channels: usize,
}

impl Load {
    /// So many real numbers per row, and units of so many channels (and of the weight).
    pub fn dense(numbers: usize, channels: usize) -> Self {
        Self { row_bytes: 8 * numbers + 4 * (channels + 1), channels }
    }

    /// A number in one of so many channels, and what is rounded of it.
    pub fn one_hot(channels: usize) -> Self {
        Self { row_bytes: 32, channels }
    }
}

/// What a booster asks hypotheses for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// A class. Hyperplanes can tell two of them apart.
    Classes,
    /// +1 or −1 for each score, at a cost that is linear in the answers. Hyperplanes and products of stumps have such answers.
    Signs,
    /// The same, but one sign for all scores, times a vector of signs that all regions share: products of stumps.
    SharedSigns,
    /// Numbers that are means. Straight lines can be fitted to them.
    Numbers,
    /// Other numbers, such as odds: trees alone have them.
    Odds,
}

/// A boosting algorithm.
pub trait Booster: Send + Sync {
    /// Refuses answers that the algorithm is not made for.
    fn check(&self, _: &Labels) -> Result<()> {
        Ok(())
    }

    /// The scores that all rows start with; their number is the width of the score matrix.
    fn start(&self, task: &Problem<'_>) -> Vec<f64> {
        vec![0.0; task.labels.classes()]
    }

    /// Writes the channels of this round and says what regions may answer.
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target;

    /// The target, if it is a function of single rows.
    fn by_rows(&self, _: &Labels) -> Option<ByRows> {
        None
    }

    /// What a round takes beside the scores, of which a row has so many.
    fn load(&self, width: usize) -> Load {
        Load::dense(width + 1, width)
    }

    /// The weights of the hypotheses, of which there is one for each question; the channels are those that the target
    /// wrote. Hypotheses may be changed, removed or added: those that are left are taken.
    fn step(
        &self,
        now: &RoundState<'_>,
        target: &Target,
        channels: &[f64],
        fits: &mut Vec<FittedHypothesis>,
    ) -> Step;

    /// The bound before the first round, if there is one; the entry in the registry says what it bounds.
    fn first_bound(&self, labels: &Labels) -> Option<f64>;

    /// The same where it takes long: none if `stop` is set meanwhile.
    fn first_bound_until(&self, labels: &Labels, _stop: &AtomicBool) -> Option<f64> {
        self.first_bound(labels)
    }

    /// About how many seconds it takes before the first round can begin, on one thread.
    fn seconds_ahead(&self, _labels: &Labels) -> f64 {
        0.0
    }

    /// The bound after a step that is about to be taken, given the one before it.
    fn bound(&self, _: &RoundState<'_>, _: &Target, before: Option<f64>, figures: &Figures) -> Option<f64> {
        before.zip(figures.bound_factor).map(|(bound, factor)| bound * factor)
    }

    /// The edge that the algorithm counts on in a round (from 1), if it counts on any.
    fn promise(&self, _: usize) -> Option<f64> {
        None
    }

    /// What hypotheses are asked for: decides which weak learners have an answer.
    fn asks(&self) -> Asks {
        Asks::Classes
    }

    /// From scores to classes and probabilities.
    fn reading(&self, task: &Problem<'_>) -> Reading;
}
