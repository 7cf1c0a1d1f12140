//! What a boosting algorithm is: scores → target, fit → step.
//!
//! The loop in [`train`](crate::engine::train) owns everything else. A booster keeps no state of its own: weights, costs and
//! residuals are functions of the scores, so resuming, staging and checking come for free.

use std::sync::atomic::AtomicBool;

use manyboost_data::{Labels, Result};
use manyboost_kernel::{Seed, Totals};
use rayon::prelude::*;

use crate::corrective::Corrective;
use crate::engine::fast::FastPaths;
use crate::engine::scores::Scores;
use crate::model::answers::Answers;
use crate::model::ensemble::Term;
use crate::model::hypothesis::{Cells, Hypothesis};
use crate::model::reading::Reading;
pub use crate::spec::query::{Query, Shape, Target};

/// Rows whose weight is counted by one thread.
const COVER_ROWS: usize = 1 << 16;

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

/// The class of each row (none for label sets).
pub(super) fn classes(labels: &Labels) -> &[u32] {
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

    /// Remembers the weight of the training rows in each leaf of its tree, if it is one with tests: what
    /// [explanations](crate::explain) weigh leaves by.
    pub fn count_cover(&mut self, totals: &Totals<'_>) {
        let Cells::Tree(tree) = &mut self.hypothesis.cells else { return };
        if tree.nodes.is_empty() {
            return;
        }
        let leaves = tree.leaves();
        let rows = self.cell_of.par_chunks(COVER_ROWS).zip(totals.weights().units.par_chunks(COVER_ROWS));
        let counted = rows.map(|(cells, units)| {
            let mut cover = vec![0i64; leaves];
            cells.iter().zip(units).for_each(|(&cell, &unit)| cover[cell as usize] += i64::from(unit));
            cover
        });
        let add = |mut a: Vec<i64>, b: Vec<i64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let mut cover = counted.reduce_with(add).unwrap_or_else(|| vec![0; leaves]);
        totals.exchange().sum(&mut cover);
        tree.cover = cover.into_iter().map(|units| units as u64).collect();
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

/// The hypotheses of a round, one for each question.
pub type Fits = Vec<FittedHypothesis>;

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
    /// Rows that were not trained on say that these are the rounds.
    Found,
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
            Self::Found => "found",
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
    /// The class of the row, by weights of rows: mistakes of a row cost the same, whichever they are. C4.5 grows trees by such weights, and whatever
    /// names classes has answers.
    OwnClass,
    /// A class, by the cost of each. Hyperplanes can tell two of them apart.
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
///
/// Its life, in the order in which it is asked:
///
/// 1. Its entry in the [registry](crate::spec::registry) makes it from options ([`BoosterEntry::build`](crate::spec::registry::BoosterEntry::build)).
/// 2. [`asks`](Self::asks): does the weak learner have answers to what it asks for?
/// 3. [`check`](Self::check): are these answers that it is made for? [`load`](Self::load): is there memory for them?
/// 4. [`start`](Self::start): the first scores. [`reading`](Self::reading): what scores say. [`first_bound`](Self::first_bound): what is
///    proved before the first round.
/// 5. Every round: [`target`](Self::target) writes the channels of all rows, from their scores.
/// 6. The weak learner finds a hypothesis for each of its questions.
/// 7. [`step`](Self::step) says how much it counts, or that training is at its end.
/// 8. [`bound`](Self::bound): what is proved now. The engine adds the hypothesis to the scores, and goes on with 5.
///
/// It keeps no state from round to round: what it knows is in the scores. So a run can go on where another ended, and every stage of a
/// model can be looked at. The least that must be written is this (the [guide](crate::guide::own_booster) has an example that learns):
///
/// ```
/// use manyboost::model::reading::{Link, Reading};
/// use manyboost::spec::booster::{
///     Booster, Figures, Fits, Problem, Query, RoundState, Shape, Step, Target,
/// };
/// use manyboost::votes::{LabelCriterion, LabelVote};
///
/// struct Skeleton;
///
/// impl Booster for Skeleton {
///     fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
///         // What it costs to name the class of each row: here the same for all.
///         channels.clear();
///         channels.resize(now.scores.rows(), -1.0);
///         let (shape, vote) = (Shape::OneHot(now.labels.classes()), LabelVote(LabelCriterion::Cost));
///         Target::one(Query::new(shape, vote, now.totals.weight()), 1.0)
///     }
///
///     fn step(&self, _: &RoundState<'_>, _: &Target, _: &[f64], _: &mut Fits) -> Step {
///         Step::take(1.0, Figures::default())
///     }
///
///     fn reading(&self, _: &Problem<'_>) -> Reading {
///         Link::Softmax(1.0).into() // probabilities are the softmax of the scores
///     }
/// }
/// ```
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

    /// The door to the [fast paths](crate::engine::fast), if there is something to gain.
    fn fast_paths(&self) -> Option<&dyn FastPaths> {
        None
    }

    /// What a round takes beside the scores, of which a row has so many.
    fn load(&self, width: usize) -> Load {
        Load::dense(width + 1, width)
    }

    /// The weights of the hypotheses, of which there is one for each question; the channels are those that the target
    /// wrote. Hypotheses may be changed, removed or added: those that are left are taken.
    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step;

    /// The bound before the first round, if there is one; the entry in the registry says what it bounds.
    fn first_bound(&self, _: &Labels) -> Option<f64> {
        None
    }

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

    /// The same algorithm with steps so many times as long, if that makes sense: with longer ones a trial needs fewer rounds to show how
    /// many are good.
    fn paced(&self, _times: f64) -> Option<Box<dyn Booster>> {
        None
    }

    /// Whether its first scores may be what a linear function of texts says.
    fn begins_with_text(&self) -> bool {
        false
    }

    /// Who finds all coefficients anew after every round, if that is done. Hypotheses then name classes, one in each round.
    fn corrective(&self) -> Option<&dyn Corrective> {
        None
    }

    /// What hypotheses are asked for: decides which weak learners have an answer.
    fn asks(&self) -> Asks {
        Asks::Classes
    }

    /// From scores to classes and probabilities.
    fn reading(&self, task: &Problem<'_>) -> Reading;
}
