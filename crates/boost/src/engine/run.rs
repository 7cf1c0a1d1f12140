//! The boosting loop. It owns the rounds, the scores, the history and the end; a booster only says target and step.

mod told;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_data::agree::{all_or_none, any};
use manyboost_data::{Applied, Frame, Labels, Result};
use manyboost_kernel::{Seed, Totals};

use crate::corrective::Corrective;
use crate::engine::adding::{add_blocks, add_watched};
use crate::engine::fast::{self, Background, Shared};
use crate::engine::history::Record;
use crate::engine::memory;
use crate::engine::scores::Scores;
use crate::engine::train::{Observer, Outcome, Round, RunContext, RunPlan, Watched, totals};
use crate::engine::train_metrics::TrainMetrics;
use crate::evaluate::metrics;
use crate::learners;
use crate::model::LARGEST_FIGURE;
use crate::model::ensemble::{Ensemble, Term, parted};
use crate::spec::booster::{FittedHypothesis, Query, RoundState, Step, Stop, Target};

/// Seeds of the second question of a round and of later ones.
const SEVERAL: u64 = 1 << 32;

/// Seeds of further attempts of a round.
const AGAIN: u64 = 1 << 33;

/// How often a learner that draws at random is asked before there is no edge.
const ATTEMPTS: u64 = 20;

/// A training run under way.
pub(crate) struct Run<'a> {
    plan: &'a RunPlan<'a>,
    labels: &'a Labels,
    values: Option<&'a Frame>,
    totals: Totals<'a>,
    learner: Shared<'a>,
    pub(crate) scores: Scores,
    background: Option<Background>,
    channels: Vec<f64>,
    /// The cells of all rows in the hypotheses so far, where all coefficients are found anew.
    kept: Vec<Vec<u32>>,
    valid: Option<(&'a Applied, Scores)>,
    test: Option<(&'a Applied, Scores)>,
    /// Rounds up to the best one on the validation rows, and its loss.
    best: Option<(usize, f64)>,
    /// Whether the user wants an end, and whether there is to be one.
    asked: &'a AtomicBool,
    stop: &'a AtomicBool,
    /// Whether the scores are those of the rounds that are kept.
    whole: bool,
    /// The bound after the last round, and the question of the next one, once they are known.
    next: Option<(Option<f64>, Target)>,
    /// Whether there is no next round.
    ended: bool,
    pub(crate) outcome: Outcome,
}

impl<'a> Run<'a> {
    /// A run that is about to begin, or to go on.
    pub(crate) fn new(
        context: RunContext<'a>,
        watched: Watched<'a>,
        earlier: Option<Outcome>,
    ) -> Result<Self> {
        let RunContext { plan, data, weights, encoder, exchange, asked, stop, head } = context;
        let totals = totals(weights, exchange);
        let mut outcome = Outcome::first(plan, &data.labels, totals);
        if let Some(Outcome { ensemble, history, stop }) = earlier.filter(|run| !run.history.is_empty()) {
            // A finished run may have found its own temperature.
            let reading = outcome.ensemble.reading;
            outcome = Outcome { ensemble: Ensemble { reading, ..ensemble }, history, stop };
        }
        if let Some(head) = head {
            outcome.ensemble.start.clone_from(&head.start);
            outcome.ensemble.text = Some(Arc::clone(&head.part));
        }
        let start = &outcome.ensemble.start;
        plan.calibration.check(outcome.ensemble.reading.link)?;
        plan.metric.check(&data.labels, exchange.alone())?;
        all_or_none(exchange, memory::check(plan, data, watched, start.len()))?;
        let watch =
            |rows: Option<&'a Applied>| rows.map(|rows| (rows, outcome.ensemble.first_scores(&rows.frame)));
        let mut learner = plan.learner.learner(data, encoder, &totals)?;
        let keeps = learner.takes_channels().is_some_and(|learner| learner.keeps(start.len()));
        let mut run = Self {
            plan,
            labels: &data.labels,
            values: data.values.as_ref(),
            totals,
            background: keeps.then(|| Background::new(start.len())),
            learner: Shared::new(learner, totals),
            scores: head.map_or_else(|| Scores::new(data.rows(), start), |head| head.scores.clone()),
            channels: Vec::new(),
            kept: Vec::new(),
            valid: watch(watched.valid),
            test: watch(watched.test),
            best: None,
            asked,
            stop,
            whole: true,
            next: None,
            ended: false,
            outcome,
        };
        run.replay();
        Ok(run)
    }

    /// The rows that are watched.
    pub(crate) fn watched(&self) -> Watched<'a> {
        let rows = |watched: &Option<(&'a Applied, Scores)>| watched.as_ref().map(|(rows, _)| *rows);
        Watched { valid: rows(&self.valid), test: rows(&self.test) }
    }

    /// Makes rounds until there are so many, unless there is an end before.
    pub(crate) fn train_to(
        &mut self,
        rounds: usize,
        interrupt: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        self.begin(interrupt)?;
        while !self.ended && self.outcome.history.len() < rounds {
            if self.is_interrupted(interrupt) {
                self.end(Stop::Interrupted);
            } else {
                self.round(interrupt, observer)?;
            }
        }
        Ok(())
    }

    /// Whether there is to be an end: of several workers all stop if one is asked to.
    fn is_interrupted(&self, interrupt: &AtomicBool) -> bool {
        let exchange = self.totals.exchange();
        if !exchange.alone() && any(exchange, self.asked.load(Ordering::Relaxed)) {
            self.stop.store(true, Ordering::Relaxed);
        }
        interrupt.load(Ordering::Relaxed)
    }

    /// Whether another round can be made.
    pub(crate) fn goes_on(&self) -> bool {
        !self.ended
    }

    /// Asks the first question, unless an earlier run has ended already.
    fn begin(&mut self, interrupt: &AtomicBool) -> Result<()> {
        if self.ended || self.next.is_some() {
            return Ok(());
        }
        let bound = match self.outcome.history.last() {
            Some(record) => record.bound,
            None => self.plan.booster.first_bound_until(self.labels, interrupt),
        };
        // An earlier run may have ended with its last round, just before it could say so.
        if self.outcome.stop == Stop::Perfect {
            self.ended = true;
        } else if let Some(stop) = self.out_of_patience(self.outcome.history.len()) {
            self.end(stop);
        } else {
            self.outcome.stop = Stop::Rounds;
            self.next = Some((bound, self.target()));
            self.plan.learner.check_booster(self.plan.booster)?;
        }
        Ok(())
    }

    fn end(&mut self, stop: Stop) {
        (self.outcome.stop, self.ended) = (stop, true);
    }

    /// Makes a round.
    fn round(&mut self, interrupt: &AtomicBool, observer: &mut dyn Observer) -> Result<()> {
        let Some((bound, target)) = self.next.take() else { return Ok(()) };
        let number = self.outcome.history.len() + 1;
        let (fits, step) = self.step(&target);
        let (alphas, figures, last) = match step {
            Step::Take { alphas, figures, last } => (alphas, figures, last),
            Step::Stop(stop) => {
                self.end(stop);
                return Ok(());
            }
        };
        let bound = self.plan.booster.bound(&self.now(), &target, bound, &figures);
        // Of a bound that is too large to be said, nothing is known any more.
        let bound = bound.filter(|bound| *bound <= LARGEST_FIGURE);
        let (terms, cells): (Vec<Term>, Vec<Vec<u32>>) = fits
            .into_iter()
            .zip(&alphas)
            .map(|(FittedHypothesis { hypothesis, cell_of, .. }, &alpha)| {
                (Term { alpha, hypothesis }, cell_of)
            })
            .unzip();
        self.outcome.ensemble.rounds.push(terms);
        let (mut record, target) = self.advance(&cells);
        if target.loss.is_nan() && interrupt.load(Ordering::Relaxed) {
            // What the round came to was not found out: it is as if it had not begun.
            self.outcome.ensemble.rounds.pop();
            self.whole = false;
            self.end(Stop::Interrupted);
            return Ok(());
        }
        self.watch(&mut record);
        let terms = self.outcome.ensemble.rounds.last().map_or(&[][..], Vec::as_slice);
        let corrective = self.plan.booster.corrective();
        let bound = corrective.map_or(bound, |corrective| corrective.proved(&target));
        // A coefficient that later rounds change is not one of this round.
        record.alpha = match parted(terms).0 {
            [term] if corrective.is_none() => Some(term.alpha),
            _ => None,
        };
        (record.edge, record.z, record.loss, record.bound) = (figures.edge, figures.z, target.loss, bound);
        record.promised = self.plan.booster.promise(number);
        self.outcome.history.push(record);
        self.best = better(self.best, number, self.plan.metric.of(&record));
        self.next = Some((bound, target));
        // Observers see the end too: a checkpoint of the last round must not go on, and ends for the same reason.
        let end = match last {
            Some(Stop::Perfect) => last,
            _ => self.out_of_patience(number).or(last),
        };
        if let Some(stop) = end {
            self.end(stop);
        }
        if let Some(terms) = self.outcome.ensemble.rounds.last() {
            observer.round(&Round { number, terms, record: &record, outcome: &self.outcome })?;
        }
        Ok(())
    }

    fn now(&self) -> RoundState<'_> {
        RoundState {
            labels: self.labels,
            totals: self.totals,
            rounds: self.plan.rounds.most(),
            seed: Seed::new(self.plan.seed),
            scores: &self.scores,
            past: &self.outcome.ensemble.rounds,
            stop: self.stop,
        }
    }

    /// Finds all coefficients anew, and brings all scores to where they lead; returns what the training rows say of it, and the next question
    /// where it does not follow from the scores.
    fn correct(&mut self, corrective: &dyn Corrective) -> ([i64; 3], Option<Target>) {
        let mut channels = std::mem::take(&mut self.channels);
        let (alphas, target) = corrective.correct(&self.now(), &self.kept, &mut channels);
        self.channels = channels;
        let Ensemble { start, rounds, reading, .. } = &mut self.outcome.ensemble;
        for (term, alpha) in rounds.iter_mut().filter_map(|terms| terms.first_mut()).zip(alphas) {
            term.alpha = alpha;
        }
        let width = start.len();
        let metrics = TrainMetrics { labels: self.labels, totals: self.totals, reading, width };
        self.scores = Scores::new(self.scores.rows(), start);
        let (mut seen, last) = ([0; 3], rounds.len());
        for (at, (term, cells)) in (1..).zip(rounds.iter().flatten().zip(&self.kept)) {
            let count = |first: usize, scores: &[f64]| {
                if at == last { metrics.count_block(first, scores) } else { [0; 3] }
            };
            seen = add_blocks(&mut self.scores, term, cells, count);
        }
        // The last round is added when they are measured.
        for (rows, scores) in self.valid.iter_mut().chain(&mut self.test) {
            *scores = Scores::new(rows.frame.rows(), start);
            rounds[..last.saturating_sub(1)].iter().for_each(|terms| add_watched(rows, scores, terms));
        }
        (seen, target)
    }

    /// Ends with so many rounds, whose coefficients are then those of an end there.
    fn truncate(&mut self, rounds: usize) {
        self.outcome.ensemble.rounds.truncate(rounds);
        self.outcome.history.truncate(rounds);
        if let Some(corrective) = self.plan.booster.corrective() {
            self.kept.truncate(rounds);
            self.correct(corrective);
        }
    }

    /// scores → target.
    fn target(&mut self) -> Target {
        if let (Some(corrective), false) = (self.plan.booster.corrective(), self.kept.is_empty())
            && let (_, Some(target)) = self.correct(corrective)
        {
            return target;
        }
        self.plain_target()
    }

    fn plain_target(&mut self) -> Target {
        let mut channels = std::mem::take(&mut self.channels);
        let (booster, background) = (self.plan.booster, self.background.as_ref());
        let target = fast::target(booster, &self.now(), background, &self.learner, &mut channels);
        self.channels = channels;
        target
    }

    /// target → hypotheses and their step. A learner that draws at random may be unlucky, so it is asked again before
    /// training ends for want of an edge.
    fn step(&self, target: &Target) -> (Vec<FittedHypothesis>, Step) {
        let mut attempt = 0;
        loop {
            let mut fits = self.fit(target, attempt);
            let step = self.plan.booster.step(&self.now(), target, &self.channels, &mut fits);
            attempt += 1;
            let unlucky = step == Step::Stop(Stop::NoEdge) && self.plan.learner.draws();
            if !unlucky || attempt == ATTEMPTS {
                return (fits, step);
            }
        }
    }

    /// target → hypotheses.
    fn fit(&self, target: &Target, attempt: u64) -> Vec<FittedHypothesis> {
        let seed = self.now().round_seed();
        let seed = if attempt == 0 { seed } else { seed.part(AGAIN + attempt) };
        let parts = target.parts(&self.channels, self.scores.rows());
        let fit = |(at, (query, channels)): (usize, (&Query, &[f64]))| {
            let seed = if at == 0 { seed } else { seed.part(SEVERAL + at as u64) };
            let statistics = &query.statistics(channels, self.labels);
            self.learner.learner().fit(&learners::Task { query, statistics, totals: &self.totals, seed })
        };
        target.queries.iter().zip(parts).enumerate().map(fit).collect()
    }

    /// Adds the last round to the scores and asks the next question, in one pass where it can be; returns what the training rows
    /// say of the round.
    fn advance(&mut self, cells: &[Vec<u32>]) -> (Record, Target) {
        if let (Some(corrective), [cell_of, ..]) = (self.plan.booster.corrective(), cells) {
            self.kept.push(cell_of.clone());
            let (seen, target) = self.correct(corrective);
            let Ensemble { reading, start, .. } = &self.outcome.ensemble;
            let metrics =
                TrainMetrics { labels: self.labels, totals: self.totals, reading, width: start.len() };
            let record = metrics.record(seen);
            return (record, target.unwrap_or_else(|| self.plain_target()));
        }
        let (seed, width) = (self.now().round_seed(), self.scores.width());
        let Ensemble { rounds, reading, .. } = &self.outcome.ensemble;
        let terms = rounds.last().map_or(&[][..], Vec::as_slice);
        let train_metrics = TrainMetrics { labels: self.labels, totals: self.totals, reading, width };
        if let ([term], [cell_of], None) = (terms, cells, &self.background)
            && let Some(question) = self.plan.booster.fast_paths().and_then(|fast| fast.by_rows(self.labels))
        {
            let applied = term.hypothesis.answers.applied(term.alpha, width);
            let round = (&applied, cell_of.as_slice());
            if let Some((seen, target)) =
                question.advance(&mut self.scores, round, &train_metrics, seed, &self.learner)
            {
                return (train_metrics.record(seen), target);
            }
        }
        if let Some(background) = &mut self.background {
            background.follow(terms.iter().zip(cells.iter().map(Vec::as_slice)), &self.totals);
        }
        let mut seen = [0; 3];
        for (at, (term, cell_of)) in terms.iter().zip(cells).enumerate() {
            seen = if at + 1 == terms.len() {
                add_blocks(&mut self.scores, term, cell_of, |first, scores| {
                    train_metrics.count_block(first, scores)
                })
            } else {
                add_blocks(&mut self.scores, term, cell_of, |_, _| [0; 3])
            };
        }
        let record = train_metrics.record(seen);
        (record, self.target())
    }

    /// Adds the last round to the scores of watched rows and measures them.
    fn watch(&mut self, record: &mut Record) {
        let Ensemble { rounds, reading, .. } = &self.outcome.ensemble;
        let exchange = self.totals.exchange();
        let metric = self.plan.metric;
        let mut measure = |(rows, scores): &mut (&Applied, Scores)| {
            add_watched(rows, scores, rounds.last().map_or(&[], Vec::as_slice));
            let totals = totals(&rows.weights, exchange);
            let (scores, labels) = (reading.scores(Cow::Borrowed(scores)), &rows.labels);
            let [error, loss] = metrics::error_and_loss(&scores, reading.link, labels, &totals);
            (error, loss, metric.measure(&scores, reading.link, labels, &rows.weights))
        };
        record.test_error = self.test.as_mut().map(|test| measure(test).0);
        if let Some((error, loss, figure)) = self.valid.as_mut().map(&mut measure) {
            (record.valid_error, record.valid_loss) = (Some(error), Some(loss));
            record.valid_metric = figure;
        }
    }

    fn out_of_patience(&self, number: usize) -> Option<Stop> {
        let (best, _) = self.best?;
        (number - best >= self.plan.patience?).then_some(Stop::Patience)
    }

    /// The scores of the rows to validate on.
    pub(crate) fn valid_scores(&self) -> Option<&Scores> {
        self.valid.as_ref().map(|(_, scores)| scores)
    }

    /// Ends with so many rounds for this reason, unless it had fewer anyway; forgets those after them.
    pub(crate) fn keep(&mut self, rounds: usize, stop: Stop) {
        let after = self.outcome.history.len() > rounds;
        if after {
            self.truncate(rounds);
            self.whole = false;
        }
        if after || (self.outcome.history.len() == rounds && self.outcome.stop == Stop::Rounds) {
            self.outcome.stop = stop;
        }
    }

    /// The outcome; with validation rows and patience, up to the best round.
    pub(crate) fn finish(mut self, observer: &mut dyn Observer) -> Outcome {
        let trained = self.outcome.history.len();
        if let (Some((best, _)), Some(_)) = (self.best, self.plan.patience)
            && best < trained
        {
            self.truncate(best);
        }
        let outcome = self.outcome;
        if outcome.history.len() == trained && self.whole {
            observer.end(&outcome, &self.scores);
        }
        outcome
    }
}

/// The better of the best round so far and this one, by a figure of the validation rows: less is better.
fn better(best: Option<(usize, f64)>, number: usize, loss: Option<f64>) -> Option<(usize, f64)> {
    match (best, loss) {
        (Some((_, least)), Some(loss)) if loss < least => Some((number, loss)),
        (None, Some(loss)) => Some((number, loss)),
        _ => best,
    }
}
