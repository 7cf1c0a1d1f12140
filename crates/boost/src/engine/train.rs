//! Training: what is to be done, who looks on, and what comes of it.

use std::sync::atomic::AtomicBool;

use manyboost_data::agree::together;
use manyboost_data::encode::{Codec, ColumnEncoder};
use manyboost_data::{Applied, Dataset, Encoder, Error, ErrorKind, Labels, Result, Weights};
use manyboost_kernel::numbers::math::pow2;
use manyboost_kernel::{Alone, Exchange, RowWeights, Seed, Totals};

use crate::engine::calibration::Calibration;
use crate::engine::history::Record;
use crate::engine::members::Members;
use crate::engine::run::Run;
use crate::engine::scores::Scores;
use crate::engine::tuning::{self, Jury, Rung};
use crate::evaluate::metric::Metric;
use crate::learners::LearnerParameters;
use crate::model::ensemble::{Ensemble, Term};
use crate::model::hypothesis::Cells;
use crate::model::reading::Reading;
use crate::spec::booster::{Booster, Problem, Stop};
use crate::text::{Head, TextPlan};

/// What a training run is.
pub struct RunPlan<'a> {
    /// The algorithm.
    pub booster: &'a dyn Booster,
    /// The weak learner.
    pub learner: LearnerParameters,
    /// How sure its probabilities are.
    pub calibration: Calibration,
    /// How many rounds.
    pub rounds: Rounds,
    /// The trainings whose mean is the model.
    pub members: Members,
    /// Makes every random choice.
    pub seed: u64,
    /// Rounds without improvement on the validation rows after which to stop.
    pub patience: Option<usize>,
    /// What improves, or does not.
    pub metric: Metric,
    /// How the linear function of texts is found with which boosting begins, if it does.
    pub text: Option<TextPlan>,
}

/// How many rounds there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// So many, unless there is an end before.
    Given(usize),
    /// As many as are good for rows that were not trained on, up to so many ([`tuning`]).
    Found(usize),
}

impl Rounds {
    /// There are never more.
    pub fn most(self) -> usize {
        let (Self::Given(most) | Self::Found(most)) = self;
        most
    }
}

impl RunPlan<'_> {
    /// Whether the data say how many rounds there are; with a given patience, the validation rows do, round by round.
    pub(crate) fn finds_rounds(&self) -> bool {
        matches!(self.rounds, Rounds::Found(_)) && self.patience.is_none()
    }

    /// From scores to classes and probabilities, as far as it is known before training.
    pub(crate) fn reading(&self, task: &Problem<'_>) -> Reading {
        let reading = self.booster.reading(task);
        Reading { link: self.calibration.of_link(reading.link), ..reading }
    }
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
    /// Its hypotheses.
    pub terms: &'a [Term],
    /// Its figures.
    pub record: &'a Record,
    /// Everything so far.
    pub outcome: &'a Outcome,
}

/// Looks on while a model is trained: progress, traces, checkpoints.
pub trait Observer: Send {
    /// Called after each round. An error ends the training.
    fn round(&mut self, round: &Round<'_>) -> Result<()>;

    /// Called now and then with what rows that were not trained on say of so many rounds, and which were best so far.
    fn rung(&mut self, _rung: &Rung, _best: Rung) {}

    /// Called at the end, with the scores of the training rows, if all rounds are kept.
    fn end(&mut self, _outcome: &Outcome, _scores: &Scores) {}
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

impl Outcome {
    /// Before the first round.
    pub fn nothing(plan: &RunPlan<'_>, data: &Dataset) -> Self {
        Self::nothing_among(&Alone, plan, data)
    }

    /// Before the first round of one of several workers.
    pub(crate) fn nothing_among(exchange: &dyn Exchange, plan: &RunPlan<'_>, data: &Dataset) -> Self {
        Self::first(plan, &data.labels, totals(&data.weights, exchange))
    }

    pub(crate) fn first(plan: &RunPlan<'_>, labels: &Labels, totals: Totals<'_>) -> Self {
        let task = Problem { labels, totals, rounds: plan.rounds.most(), seed: Seed::new(plan.seed) };
        let (start, reading) = (plan.booster.start(&task), plan.reading(&task));
        let ensemble = Ensemble { start, text: None, rounds: Vec::new(), reading };
        Self { ensemble, history: Vec::new(), stop: Stop::Rounds }
    }
}

/// Sums over rows of these weights.
pub(crate) fn totals<'a>(weights: &'a Weights, exchange: &'a dyn Exchange) -> Totals<'a> {
    let weights = RowWeights { units: weights.units(), step: pow2(weights.exponent()) };
    Totals::new(weights, exchange)
}

/// Training on encoded rows: what to do, on which rows, with what codes mean.
///
/// [`Job`](crate::engine::job::Job) puts one together from prepared rows; use this directly where there is no model to make.
#[derive(Clone, Copy)]
pub struct Training<'a> {
    /// What the run is.
    pub plan: &'a RunPlan<'a>,
    /// The rows.
    pub data: &'a Dataset,
    /// What their codes mean.
    pub encoder: &'a Encoder,
    /// Rows that are not trained on, but watched.
    pub watched: Watched<'a>,
}

impl<'a> Training<'a> {
    /// On these rows, with nothing to watch.
    pub fn new(plan: &'a RunPlan<'a>, data: &'a Dataset, encoder: &'a Encoder) -> Self {
        Self { plan, data, encoder, watched: Watched::default() }
    }

    /// From the first round to the last, with nobody looking on.
    pub fn outcome(&self) -> Result<Outcome> {
        self.run(None, &AtomicBool::new(false), &mut ())
    }

    /// Trains. `earlier` is the outcome of a run that is to go on; `interrupt` ends the run after the round in which it becomes true.
    pub fn run(
        &self,
        earlier: Option<Outcome>,
        interrupt: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        self.run_among(&Alone, earlier, interrupt, observer)
    }

    /// Trains as one of several workers, each with [rows of its own](manyboost_data::prepare_among). All call this with the same plan,
    /// and all get the same outcome: that of training alone on all rows. One that is interrupted interrupts all.
    pub fn run_among(
        &self,
        exchange: &dyn Exchange,
        earlier: Option<Outcome>,
        interrupt: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let Self { plan, data, encoder, watched } = *self;
        // Of several workers none stops before all have agreed to.
        let agreed = AtomicBool::new(false);
        let stop = if exchange.alone() { interrupt } else { &agreed };
        let weights = &data.weights;
        let context =
            RunContext { plan, data, weights, encoder, exchange, asked: interrupt, stop, head: None };
        // On a thread of the pool: whoever starts parallel work from outside waits for it asleep.
        together(|| rayon::scope(|_| context.train(watched, earlier, observer)))
    }
}

/// What to do, on which rows, and with whom.
#[derive(Clone, Copy)]
pub(crate) struct RunContext<'a> {
    pub(crate) plan: &'a RunPlan<'a>,
    pub(crate) data: &'a Dataset,
    /// The weights of the rows, or of some of them: the others have none.
    pub(crate) weights: &'a Weights,
    pub(crate) encoder: &'a Encoder,
    pub(crate) exchange: &'a dyn Exchange,
    /// Whether the user of this worker wants an end.
    pub(crate) asked: &'a AtomicBool,
    /// Whether there is to be one.
    pub(crate) stop: &'a AtomicBool,
    /// The linear function of texts with which boosting begins.
    pub(crate) head: Option<&'a Head>,
}

impl RunContext<'_> {
    /// The rows that there are, by weight.
    pub(crate) fn rows(self) -> f64 {
        totals(self.weights, self.exchange).weight() / self.weights.one_row()
    }

    /// There are never more rounds. Where texts are all there is, and a linear function says what they say, trees of single words have
    /// hardly anything to add.
    pub(crate) fn most_rounds(self) -> usize {
        let texts = |column: &ColumnEncoder| matches!(column.codec, Codec::Text(_));
        match (self.head, self.plan.rounds) {
            (Some(_), Rounds::Found(_)) if self.encoder.column_encoders().iter().all(texts) => 0,
            (_, rounds) => rounds.most(),
        }
    }

    fn train(
        self,
        watched: Watched<'_>,
        earlier: Option<Outcome>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        check(self.plan, self.data, earlier.as_ref())?;
        let head = self.fit_head()?;
        let context = RunContext { head: head.as_ref(), ..self };
        context.train_from(watched, earlier, observer)
    }

    /// The linear function of texts, if there is to be one.
    fn fit_head(self) -> Result<Option<Head>> {
        let Self { plan, data, weights, exchange, .. } = self;
        let Some(text) = plan.text.as_ref().filter(|_| plan.booster.begins_with_text()) else {
            return Ok(None);
        };
        if data.texts.is_empty() {
            return Ok(None);
        }
        let first = Outcome::first(plan, &data.labels, totals(weights, exchange));
        Head::fit(text, data, weights, &first.ensemble.start, exchange)
    }

    fn train_from(
        self,
        watched: Watched<'_>,
        earlier: Option<Outcome>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let jury = Jury::new(self, watched.valid);
        let weights = jury.main_weights().unwrap_or(self.weights);
        let main = Run::new(RunContext { weights, ..self }, watched, earlier)?;
        tuning::train(self, &jury, main, self.stop, observer)
    }
}

/// Refuses what cannot be trained, or gone on with, on these rows.
fn check(plan: &RunPlan<'_>, data: &Dataset, earlier: Option<&Outcome>) -> Result<()> {
    plan.learner.validate()?;
    plan.learner.check_booster(plan.booster)?;
    let linear = |outcome: &Outcome| {
        outcome.ensemble.terms().any(|term| matches!(term.hypothesis.cells, Cells::Linear(_)))
    };
    if data.values.is_none() && earlier.is_some_and(linear) {
        let what = "the earlier run has linear classifiers, and the data were prepared without values";
        return Err(Error::new(
            ErrorKind::Parameter,
            what,
            "prepare them with PrepareOptions { values: true, .. }",
        ));
    }
    Ok(())
}
