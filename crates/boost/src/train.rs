//! The boosting loop. It owns the rounds, the scores, the history and the end; a booster only says target and step.

use std::sync::atomic::{AtomicBool, Ordering};

use polyboost_data::{Applied, Dataset, Encoder, Labels, Result};
use polyboost_kernel::math::pow2;
use polyboost_kernel::soft::mistakes;
use polyboost_kernel::{Alone, Exchange, RowWeights, Seed, Totals};
use rayon::prelude::*;

use crate::booster::{Booster, Fit, Now, Step, Stop, Target};
use crate::ensemble::{Ensemble, Term};
use crate::history::Record;
use crate::learners::{TreeLearner, TreeParameters};
use crate::metrics;
use crate::scores::Scores;

/// What a training run is.
pub struct Plan<'a> {
    /// The algorithm.
    pub booster: &'a dyn Booster,
    /// The weak learner.
    pub tree: TreeParameters,
    /// Most rounds.
    pub rounds: usize,
    /// Makes every random choice.
    pub seed: u64,
    /// Rounds without improvement on the validation rows after which to stop.
    pub patience: Option<usize>,
}

/// Rows that are not trained on, but watched.
#[derive(Clone, Copy, Default)]
pub struct Watched<'a> {
    /// Decides when to stop and which round was best.
    pub valid: Option<&'a Applied>,
    /// Only reported.
    pub test: Option<&'a Applied>,
}

/// What an observer sees after each round.
pub struct Round<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// Its hypothesis.
    pub term: &'a Term,
    /// Its figures.
    pub record: &'a Record,
    /// Everything so far.
    pub outcome: &'a Outcome,
}

/// Looks on while a model is trained: progress, traces, checkpoints.
pub trait Observer: Send {
    /// Called after each round. An error ends the training.
    fn round(&mut self, round: &Round<'_>) -> Result<()>;
}

impl Observer for () {
    fn round(&mut self, _: &Round<'_>) -> Result<()> {
        Ok(())
    }
}

/// The result of a training run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The hypotheses.
    pub ensemble: Ensemble,
    /// What each round did.
    pub history: Vec<Record>,
    /// Why training ended.
    pub stop: Stop,
}

/// Trains on encoded rows. `earlier` is the outcome of a run that is to go on; `interrupt` ends the run after the
/// round in which it becomes true.
pub fn train(
    plan: &Plan<'_>,
    data: &Dataset,
    encoder: &Encoder,
    watched: Watched<'_>,
    earlier: Option<Outcome>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    plan.tree.validate()?;
    // On a thread of the pool: whoever starts parallel work from outside waits for it asleep.
    rayon::scope(|_| {
        let mut run = Run::new(plan, data, encoder, watched, &Alone, earlier);
        run.train(interrupt, observer)?;
        Ok(run.finish())
    })
}

/// Trains as one of several workers, each with rows of its own in the codes of one encoder and in one layout. All call
/// this with the same plan, and all get the same outcome: that of training alone on all rows.
pub fn train_among(
    exchange: &dyn Exchange,
    plan: &Plan<'_>,
    data: &Dataset,
    encoder: &Encoder,
) -> Result<Outcome> {
    plan.tree.validate()?;
    let mut run = Run::new(plan, data, encoder, Watched::default(), exchange, None);
    run.train(&AtomicBool::new(false), &mut ())?;
    Ok(run.finish())
}

/// A training run under way.
struct Run<'a> {
    plan: &'a Plan<'a>,
    labels: &'a Labels,
    totals: Totals<'a>,
    learner: TreeLearner<'a>,
    scores: Scores,
    channels: Vec<f64>,
    valid: Option<(&'a Applied, Scores)>,
    test: Option<(&'a Applied, Scores)>,
    /// Rounds up to the best one on the validation rows, and its loss.
    best: Option<(usize, f64)>,
    outcome: Outcome,
}

impl<'a> Run<'a> {
    fn new(
        plan: &'a Plan<'a>,
        data: &'a Dataset,
        encoder: &'a Encoder,
        watched: Watched<'a>,
        exchange: &'a dyn Exchange,
        earlier: Option<Outcome>,
    ) -> Self {
        let weights = RowWeights { units: data.weights.units(), step: pow2(data.weights.exponent()) };
        let totals = Totals::new(weights, exchange);
        let outcome = earlier.unwrap_or_else(|| Outcome {
            ensemble: Ensemble {
                start: plan.booster.start(&data.labels, &totals),
                terms: Vec::new(),
                link: plan.booster.link(&data.labels),
            },
            history: Vec::new(),
            stop: Stop::Rounds,
        });
        let start = &outcome.ensemble.start;
        let watch =
            |rows: Option<&'a Applied>| rows.map(|rows| (rows, Scores::new(rows.frame.rows(), start)));
        let mut run = Self {
            plan,
            labels: &data.labels,
            totals,
            learner: TreeLearner::new(plan.tree.clone(), &data.bins, encoder, data.weights.one()),
            scores: Scores::new(data.rows(), start),
            channels: Vec::new(),
            valid: watch(watched.valid),
            test: watch(watched.test),
            best: None,
            outcome,
        };
        run.replay(data, encoder);
        run
    }

    /// Brings the scores to where an earlier run left them.
    fn replay(&mut self, data: &Dataset, encoder: &Encoder) {
        for (number, term) in self.outcome.ensemble.terms.iter().enumerate() {
            let leaf_of = crate::learners::leaves_of(&term.tree, &data.bins, encoder);
            add(&mut self.scores, term, &leaf_of);
            for (rows, scores) in self.valid.iter_mut().chain(&mut self.test) {
                add_watched(rows, scores, term);
            }
            let loss = self.outcome.history.get(number).and_then(|record| record.valid_loss);
            self.best = better(self.best, number + 1, loss);
        }
    }

    fn train(&mut self, interrupt: &AtomicBool, observer: &mut dyn Observer) -> Result<()> {
        let mut bound = match self.outcome.history.last() {
            Some(record) => record.bound,
            None => self.plan.booster.first_bound(self.labels),
        };
        // An earlier run may have ended with its last round, just before it could say so.
        let rounds = self.outcome.history.len();
        if self.outcome.stop == Stop::Perfect {
            return Ok(());
        }
        if let Some(stop) = self.out_of_patience(rounds) {
            self.outcome.stop = stop;
            return Ok(());
        }
        self.outcome.stop = Stop::Rounds;
        let mut target = self.target();
        for number in rounds + 1..=self.plan.rounds {
            if interrupt.load(Ordering::Relaxed) {
                self.outcome.stop = Stop::Interrupted;
                break;
            }
            let fit = self.fit(&target, number);
            let (alpha, figures, last) =
                match self.plan.booster.step(&self.now(), &target, &self.channels, &fit) {
                    Step::Take { alpha, figures, last } => (alpha, figures, last),
                    Step::Stop(stop) => {
                        self.outcome.stop = stop;
                        break;
                    }
                };
            let Fit { tree, leaf_of, .. } = fit;
            let term = Term { alpha, tree };
            let train_error = self.add(&term, &leaf_of);
            target = self.target();
            bound = bound.zip(figures.bound_factor).map(|(bound, factor)| bound * factor);
            let (edge, z, loss) = (figures.edge, figures.z, target.loss);
            let mut record = Record { alpha, edge, z, loss, bound, train_error, ..Record::default() };
            self.watch(&term, &mut record);
            self.outcome.ensemble.terms.push(term);
            self.outcome.history.push(record);
            self.best = better(self.best, number, record.valid_loss);
            // Observers see the end too: a checkpoint of the last round must not go on.
            let end = last.or_else(|| self.out_of_patience(number));
            self.outcome.stop = end.unwrap_or(Stop::Rounds);
            if let Some(term) = self.outcome.ensemble.terms.last() {
                observer.round(&Round { number, term, record: &record, outcome: &self.outcome })?;
            }
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn now(&self) -> Now<'_> {
        Now { labels: self.labels, scores: &self.scores, totals: self.totals }
    }

    /// scores → target.
    fn target(&mut self) -> Target {
        let now = Now { labels: self.labels, scores: &self.scores, totals: self.totals };
        self.plan.booster.target(&now, &mut self.channels)
    }

    /// target → hypothesis.
    fn fit(&mut self, target: &Target, number: usize) -> Fit {
        let statistics = target.statistics(&self.channels, self.labels);
        let seed = Seed::new(self.plan.seed).part(number as u64);
        self.learner.fit(target, &statistics, &self.totals, seed)
    }

    /// Adds a round to the scores; returns the training error.
    fn add(&mut self, term: &Term, leaf_of: &[u32]) -> f64 {
        let (labels, units, width) = (self.labels, self.totals.weights().units, self.scores.width());
        let mistakes = |first: usize, scores: &[f64]| {
            let rows = first..first + scores.len() / width;
            match labels {
                Labels::Classes { of, .. } => mistakes(scores, width, &of[rows.clone()], &units[rows]),
                Labels::Sets { .. } => {
                    let one = |(row, scores): (usize, &[f64])| {
                        i64::from(metrics::row_mistakes(labels, row, scores)) * i64::from(units[row])
                    };
                    rows.zip(scores.chunks_exact(width)).map(one).sum()
                }
            }
        };
        let wrong = self.totals.exchanged(add_blocks(&mut self.scores, term, leaf_of, mistakes));
        wrong / (self.totals.weight() * metrics::most_mistakes(labels))
    }

    /// Adds a round to the scores of watched rows and measures them.
    fn watch(&mut self, term: &Term, record: &mut Record) {
        let link = self.outcome.ensemble.link;
        if let Some((rows, scores)) = &mut self.test {
            add_watched(rows, scores, term);
            record.test_error = Some(metrics::quality(scores, link, &rows.labels, &rows.weights).error);
        }
        if let Some((rows, scores)) = &mut self.valid {
            add_watched(rows, scores, term);
            let quality = metrics::quality(scores, link, &rows.labels, &rows.weights);
            record.valid_error = Some(quality.error);
            record.valid_loss = Some(quality.log_loss);
        }
    }

    fn out_of_patience(&self, number: usize) -> Option<Stop> {
        let (best, _) = self.best?;
        (number - best >= self.plan.patience?).then_some(Stop::Patience)
    }

    /// The outcome; with validation rows, up to the best round.
    fn finish(self) -> Outcome {
        let mut outcome = self.outcome;
        if let (Some((best, _)), Some(_)) = (self.best, self.plan.patience) {
            outcome.ensemble.terms.truncate(best);
            outcome.history.truncate(best);
        }
        outcome
    }
}

/// The better of the best round so far and this one, by validation loss.
fn better(best: Option<(usize, f64)>, number: usize, loss: Option<f64>) -> Option<(usize, f64)> {
    match (best, loss) {
        (Some((_, least)), Some(loss)) if loss < least => Some((number, loss)),
        (None, Some(loss)) => Some((number, loss)),
        _ => best,
    }
}

/// Adds a term to the scores of training rows.
fn add(scores: &mut Scores, term: &Term, leaf_of: &[u32]) {
    add_blocks(scores, term, leaf_of, |_, _| 0);
}

/// Adds a term to the scores of training rows, block by block; what `see` counts in each block while its scores are at
/// hand is summed.
fn add_blocks(
    scores: &mut Scores,
    term: &Term,
    leaf_of: &[u32],
    see: impl Fn(usize, &[f64]) -> i64 + Sync,
) -> i64 {
    const BLOCK: usize = 1024;
    let width = scores.width();
    let applied = term.tree.answers.applied(term.alpha, width);
    let blocks = scores.values_mut().par_chunks_mut(BLOCK * width).zip(leaf_of.par_chunks(BLOCK)).enumerate();
    blocks
        .map(|(block, (scores, leaves))| {
            for (row, &leaf) in scores.chunks_exact_mut(width).zip(leaves) {
                applied.add(leaf as usize, row);
            }
            see(block * BLOCK, scores)
        })
        .sum()
}

/// Adds a term to the scores of watched rows.
fn add_watched(rows: &Applied, scores: &mut Scores, term: &Term) {
    let width = scores.width();
    let applied = term.tree.answers.applied(term.alpha, width);
    scores.values_mut().par_chunks_mut(width).enumerate().with_min_len(256).for_each(|(row, scores)| {
        let leaf = term.tree.leaf(|feature| rows.frame.value(row, feature as usize));
        applied.add(leaf, scores);
    });
}
