//! AdaBoost.Iter: SAMME's weak learnability, asked for again and again on fewer classes.
//!
//! Cho, Libgober & Ding (2024), Algorithms 1 and 2. Every row x has a list Sur(x) of n classes, at first of all. An
//! epoch of K rounds starts with equal weights on the rows S whose class is still on their list, and in round t
//!
//! ```text
//! ε = Σ_{h(xᵢ) ≠ yᵢ} d(i) / Σ d(i)                  the epoch ends if ε ≥ 1 − 1/n
//! α = L / (2(n − 1)),   L = ln((n − 1)(1 − ε)/ε)     (17); L/n would minimise Z
//! d(i) ← d(i) exp(−α (n − 1)) where h(xᵢ) = yᵢ,   d(i) exp(α) elsewhere
//! F(x, a) = Σ α [h(x) = a],   Ψ(x, a) = (n − 1) F(x, a) − Σ_{a′ ≠ a} F(x, a′)     (18)
//! ```
//!
//! so that d(i) = exp(−Ψ(xᵢ, yᵢ)) up to a factor. If ε = 0 the epoch ends, and h is all that it votes with. Its end takes the
//! class of the least Ψ off the list of every row, and the next epoch begins, until one class is left. The class predicted
//! is the one that had Ψ > 0 in most epochs (section 5.4).
//!
//! Lists differ from row to row, and a hypothesis must name a class on each. `position`, as printed, names a place on the list
//! (λ, sorted by label). `restrict` keeps the weights of classes in each leaf and takes the heaviest class on the row's list:
//! only so does the weak learner see the lists, and only so does it learn much with more than a few classes.
//!
//! The sum over epochs of |S|/m ∏ Z bounds the share of rows that had Ψ(x, y) ≤ 0 in any of them (Lemma A.1). Of two classes
//! only one has Ψ > 0: from the first round of the last epoch on, such rows are the only ones that the final rule can get
//! wrong, and the sum bounds the training error (Theorem 6.2).

use manyboost_data::Labels;
use manyboost_data::agree::gather;
use manyboost_kernel::numbers::math::{exp, ln};
use manyboost_kernel::search::score::Listed;
use rayon::prelude::*;

use super::STEP_HELP;
use super::fill_blocks;
use crate::engine::train::Rounds;
use crate::learners::TreeParameters;
use crate::model::answers::{Answers, ScoreUpdate};
use crate::model::ensemble::Term;
use crate::model::epochs::{Close, Eliminate, tally};
use crate::model::reading::{Decode, Link, Reading};
use crate::spec::booster::{
    Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::bounds::Proved;
use crate::spec::option::{Choice, Number, Range};
use crate::spec::registry::BoosterEntry;
use crate::votes::{LabelCriterion, LabelVote, ListVote, PlaceVote};

/// A smaller error counts as this one: its step would be infinite.
const LEAST_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// With more pairs of a list and a class on it, regions are sought that are pure instead of right.
const MOST_PAIRS: usize = 4096;

/// How the step size is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IterStep {
    /// As printed, equation (17).
    #[default]
    Printed,
    /// The minimiser of Z: L/n.
    Opt,
}

/// How a hypothesis names a class on the list of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relabel {
    /// The heaviest one in its leaf.
    #[default]
    Restrict,
    /// By its place.
    Position,
}

const EPOCH: Number<usize> = Number::new("epoch", "Rounds of an epoch", Range::from_to(1, 1_000_000));
const DROP: Number<u32> =
    Number::new("drop", "Classes that an epoch rules out, as long as two are left", Range::at_least(1));
const RELABEL: Choice<Relabel> = Choice::new(
    "relabel",
    "How hypotheses name classes that are left",
    &[
        ("restrict", Relabel::Restrict, "the heaviest one in its leaf"),
        ("position", Relabel::Position, "by its place on the row's list"),
    ],
);
const ELIMINATE: Choice<Eliminate> = Choice::new(
    "eliminate",
    "Which class an epoch rules out",
    &[
        ("argmin", Eliminate::Argmin, "the class of the least Ψ"),
        (
            "last-negative",
            Eliminate::LastNegative,
            "the last class whose Ψ is negative; without any, as argmin",
        ),
    ],
);
const STEP: Choice<IterStep> = Choice::new(
    "step",
    STEP_HELP,
    &[
        ("printed", IterStep::Printed, "L / (2(n − 1)), as the paper prints it: equation (17)"),
        ("opt", IterStep::Opt, "L / n, where Z is least"),
    ],
);

/// AdaBoost.Iter.
#[derive(Clone, Copy, Debug)]
pub struct Iter {
    /// K: rounds of an epoch.
    pub epoch: usize,
    /// How hypotheses name classes.
    pub relabel: Relabel,
    /// Which class an epoch takes off the list.
    pub eliminate: Eliminate,
    /// How many it takes off, as long as two are left for the last epoch.
    pub drop: u32,
    /// The step size.
    pub step: IterStep,
    /// What split search minimises: the cost, or the impurity of regions in classes (by place: in places), whatever the lists.
    pub criterion: LabelCriterion,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    proved: |_| Proved::LastEpoch,
    // Enough for all epochs of 1,001 classes: the run ends with the last epoch.
    defaults: |_| ("stump", TreeParameters::stump(), Rounds::Given(100_000)),
    ..BoosterEntry::new(
        "iter",
        "AdaBoost.Iter: epochs of boosting, each of which rules out a class",
        "Cho, Libgober & Ding 2024",
        |options| {
            Ok(Box::new(Iter {
                epoch: options.take(&EPOCH, 100)?,
                relabel: options.take(&RELABEL, Relabel::Restrict)?,
                eliminate: options.take(&ELIMINATE, Eliminate::Argmin)?,
                drop: options.take(&DROP, 1)?,
                step: options.take(&STEP, IterStep::Printed)?,
                criterion: LabelCriterion::from_options(options)?,
            }))
        },
    )
};

impl Booster for Iter {
    /// No votes, and no class has been counted or taken off.
    fn start(&self, task: &Problem<'_>) -> Vec<f64> {
        vec![0.0; 2 * task.labels.classes()]
    }

    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k) = (now.classes(), now.labels.classes());
        // −Ψ(x, y), or nothing where y is off the list.
        fill_blocks(now.scores, 1, channels, &|first, scores, channels, _| {
            for ((row, c), &l) in scores.chunks_exact(2 * k).zip(channels).zip(&y[first..]) {
                let (votes, standing) = row.split_at(k);
                let (n, sum) = tally(votes, standing);
                *c =
                    if standing[l as usize] >= 0.0 { sum - n * votes[l as usize] } else { f64::NEG_INFINITY };
            }
        });
        let rows: Vec<u32> =
            (0u32..).zip(channels.iter()).filter(|(_, c)| c.is_finite()).map(|(row, _)| row).collect();
        let heaviest = now.totals.max(|i| channels[i]);
        channels.par_iter_mut().with_min_len(4096).for_each(|c| *c = -exp(*c - heaviest));
        if heaviest == f64::NEG_INFINITY {
            channels.fill(0.0);
        }
        let [norm] = now.totals.sums_within([1.0], |i| [-channels[i]]);
        let query = Query { rows: Some(rows), ..self.query(now, norm) };
        Target::one(query, norm * exp(heaviest) / now.totals.weight())
    }

    fn load(&self, width: usize) -> Load {
        // Half of the scores are votes.
        Load::one_hot(width / 2)
    }

    fn step(&self, now: &RoundState<'_>, target: &Target, channels: &[f64], fits: &mut Fits) -> Step {
        let (fit, norm) = (&mut fits[0], target.queries[0].norm);
        let (y, n) = (now.classes(), classes_left(now) as f64);
        let all_done = n < 2.0 && now.labels.classes() > 1;
        if all_done || norm <= 0.0 {
            return Step::Stop(if all_done { Stop::Rounds } else { Stop::NoEdge });
        }
        let k = now.labels.classes();
        let applied = fit.hypothesis.answers.applied(1.0, 2 * k);
        let wrong = |i: usize| {
            let row = now.scores.row(i);
            let ScoreUpdate::Election(election) = &applied else { return true };
            row[k + y[i] as usize] >= 0.0
                && election.choice(fit.cell_of[i] as usize, row) != Some(y[i] as usize)
        };
        let [lost] = now.totals.sums_within([1.0], |i| [if wrong(i) { -channels[i] } else { 0.0 }]);
        // What weighs next to nothing is wrong too.
        let perfect = lost <= 0.0 && now.totals.count(|i| u32::from(wrong(i))) == 0.0;
        let error = lost / norm;
        let (hopeless, final_epoch) = (error >= 1.0 - 1.0 / n, n < 3.0);
        if hopeless && final_epoch {
            return Step::Stop(Stop::NoEdge);
        }
        let e = error.max(LEAST_ERROR);
        let l = ln((n - 1.0) * (1.0 - e) / e);
        let alpha = match self.step {
            _ if hopeless => 0.0,
            _ if perfect => 1.0,
            IterStep::Printed => l / (2.0 * (n - 1.0)),
            IterStep::Opt => l / n,
        };
        let z = if perfect { 0.0 } else { (1.0 - error) * exp(-alpha * (n - 1.0)) + error * exp(alpha) };
        let ends = hopeless || perfect || rounds_of_epoch(now.past) + 1 == self.epoch;
        if let Answers::Election(election) = &mut fit.hypothesis.answers {
            election.alone = perfect;
            // The last epoch always has two classes: only then does its winner win for sure.
            let drop = self.drop.min((n as u32).saturating_sub(2)).max(1);
            election.close = ends.then_some(Close { drop, eliminate: self.eliminate });
        }
        let figures = Figures { edge: Some(1.0 - 1.0 / n - error), z: Some(z), ..Figures::default() };
        let end = if perfect { Stop::Perfect } else { Stop::Rounds };
        Step::take_last(alpha, figures, (ends && final_epoch).then_some(end))
    }

    fn first_bound(&self, _: &Labels) -> Option<f64> {
        Some(0.0)
    }

    /// Each epoch adds its |S|/m ∏ Z, which is its loss; the one under way replaces what it had added before.
    fn bound(
        &self,
        now: &RoundState<'_>,
        target: &Target,
        before: Option<f64>,
        figures: &Figures,
    ) -> Option<f64> {
        let so_far = if rounds_of_epoch(now.past) == 0 { 0.0 } else { target.loss };
        before.zip(figures.z).map(|(bound, z)| (bound - so_far + target.loss * z).max(0.0))
    }

    /// Classes score the number of epochs that spoke for them. There is no loss behind it whose link could be inverted: an
    /// epoch more is taken to make a class e times as likely.
    fn reading(&self, _: &Problem<'_>) -> Reading {
        Reading { decode: Decode::Epochs, link: Link::Softmax(1.0) }
    }
}

impl Iter {
    /// The question of a round; `norm` is the sum of all weights.
    fn query(&self, now: &RoundState<'_>, norm: f64) -> Query {
        let (y, k, n) = (now.classes(), now.labels.classes(), classes_left(now));
        let listed = |i: usize, class: usize| now.scores.row(i)[k + class] >= 0.0;
        let place = |i: usize| (0..y[i] as usize).filter(|&class| listed(i, class)).count() as u32;
        let rows = (0..y.len()).into_par_iter().with_min_len(1024);
        if self.relabel == Relabel::Position {
            // Places of rows that are dropped do not matter, but must be places.
            let places = rows.map(|i| place(i).min(n.saturating_sub(1) as u32)).collect();
            let vote = PlaceVote(LabelVote(self.criterion));
            return Query { channel_of: Some(places), ..Query::new(Shape::OneHot(n.max(1)), vote, norm) };
        }
        let pure = if self.criterion == LabelCriterion::Cost { LabelCriterion::Gini } else { self.criterion };
        let by_list = self.criterion == LabelCriterion::Cost && k <= Listed::MOST_CLASSES;
        let list = |i: usize| (0..k).fold(0u64, |list, class| list << 1 | u64::from(listed(i, class)));
        let lists: Vec<u64> = if by_list { rows.map(list).collect() } else { Vec::new() };
        let known = if by_list { Self::lists(now, &lists, n) } else { None };
        let Some(known) = known else {
            let vote = ListVote { classes: k, norm, lists: None, length: n, pure };
            return Query::new(Shape::OneHot(k), vote, norm);
        };
        let classes =
            |&list: &u64| (0..k as u32).filter(move |class| list >> (k as u32 - 1 - class) & 1 == 1);
        let class_of: Vec<u32> = known.iter().flat_map(classes).collect();
        let width = class_of.len();
        let channel = |i: usize| {
            let at = known.partition_point(|&list| list > lists[i]);
            // Bits above that of its class are of those before it.
            let place = (lists[i] >> (k as u32 - y[i])).count_ones() as usize;
            (at * n + place).min(width - 1) as u32
        };
        let channel_of = (0..y.len()).into_par_iter().with_min_len(1024).map(channel).collect();
        let vote = ListVote { classes: k, norm, lists: Some(Listed::new(n, class_of)), length: n, pure };
        Query { channel_of: Some(channel_of), ..Query::new(Shape::OneHot(width), vote, norm) }
    }

    /// The lists that rows of any worker have, descending, unless there are too many.
    fn lists(now: &RoundState<'_>, lists: &[u64], n: usize) -> Option<Vec<u64>> {
        let mut own = lists.to_vec();
        own.par_sort_unstable_by(|a, b| b.cmp(a));
        own.dedup();
        // One more than may be is as good as all.
        own.truncate(MOST_PAIRS / n.max(1) + 1);
        let mut known = gather(now.totals.exchange(), &own).concat();
        known.sort_unstable_by(|a, b| b.cmp(a));
        known.dedup();
        (n > 0 && !known.is_empty() && known.len() * n <= MOST_PAIRS).then_some(known)
    }
}

/// n: the number of classes on the list of every row.
fn classes_left(now: &RoundState<'_>) -> usize {
    let k = now.labels.classes();
    let count = |row: &[f64]| row[k..].iter().filter(|&&c| c >= 0.0).count() as f64;
    let any = |i: usize| if i == 0 { count(now.scores.row(0)) } else { 0.0 };
    now.totals.max(any).max(0.0) as usize
}

/// The rounds of the epoch under way that are done.
fn rounds_of_epoch(past: &[Vec<Term>]) -> usize {
    let closes = |term: &Term| matches!(&term.hypothesis.answers, Answers::Election(election) if election.close.is_some());
    past.iter().rev().take_while(|terms| !terms.iter().any(closes)).count()
}
