//! The front door: a training run as one chain of calls.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use manyboost_data::{Applied, ClassWeights, PrepareOptions, Result, Split, Table, apply, prepare};

use crate::engine::job::{Choices, Job};
use crate::engine::train::{Observer, Watched};
use crate::evaluate::metric::Metric;
use crate::learners::OwnLearner;
use crate::model::{Checkpoint, Model};
use crate::spec::options::{Options, Value};
use crate::spec::registry::Setup;

/// Rows to validate on.
#[derive(Clone, Copy)]
enum Valid<'a> {
    /// This share of the rows, held out.
    Share(f64),
    /// Other rows.
    Rows(&'a Table),
}

/// A training run under construction: a booster by name, its options, and how to train.
///
/// Use it to train any booster from Rust; [`McBoost`] is the one to try first. Options are those of the command line, by the same
/// names; whatever a booster does not take is an error of [`fit`](Self::fit) that says what it takes.
///
/// ```
/// use manyboost::prelude::*;
///
/// # fn main() -> manyboost::data::Result<()> {
/// let table = Table::from_rows(&[[0.0], [1.0], [2.0], [3.0]], &["low", "low", "high", "high"])?;
/// let model = Boost::named("samme").rounds(5).option("learner", "stump").fit(&table)?;
/// assert_eq!(model.predict(&table)?, ["low", "low", "high", "high"]);
/// # Ok(())
/// # }
/// ```
pub struct Boost<'a> {
    booster: String,
    options: Vec<(String, Value)>,
    learner: Option<Arc<dyn OwnLearner>>,
    prepare: PrepareOptions,
    choices: Choices,
    valid: Option<Valid<'a>>,
    test: Option<&'a Table>,
    earlier: Option<Checkpoint>,
    interrupt: Option<&'a AtomicBool>,
    observer: Option<&'a mut dyn Observer>,
}

/// Gradient-descent `MCBoost`, the booster to try first: one vector-valued tree per round serves all classes.
#[derive(Clone, Copy, Debug)]
pub struct McBoost;

impl McBoost {
    /// A run of `mcboost`; all that [`Boost`] has can be set on it.
    #[expect(clippy::new_ret_no_self, reason = "a booster by its own name is a run of any booster")]
    pub fn new<'a>() -> Boost<'a> {
        Boost::named("mcboost")
    }
}

impl<'a> Boost<'a> {
    /// The booster of a name (see [`BOOSTERS`](crate::spec::registry::BOOSTERS)); one that does not exist is an error of
    /// [`fit`](Self::fit).
    pub fn named(booster: impl Into<String>) -> Self {
        let choices = Choices { seed: 1, ..Choices::default() };
        Self {
            booster: booster.into(),
            options: Vec::new(),
            learner: None,
            prepare: PrepareOptions::default(),
            choices,
            valid: None,
            test: None,
            earlier: None,
            interrupt: None,
            observer: None,
        }
    }

    /// An option of the booster or its weak learner, as on the command line: `option("step", "exact")`. Matrices and costs are
    /// given by the name of a file or in memory: a [`Matrix`](crate::codes::matrix::Matrix) with a row for each class, or
    /// [`Costs`](crate::evaluate::costs::Costs).
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Most rounds.
    #[must_use]
    pub fn rounds(self, rounds: usize) -> Self {
        self.option("rounds", rounds)
    }

    /// The weak learner: `stump`, `tree`, `linear`, `line` or `product`.
    #[must_use]
    pub fn learner(self, name: &str) -> Self {
        self.option("learner", name)
    }

    /// A weak learner of your own instead of one by name.
    #[must_use]
    pub fn own_learner(mut self, learner: Arc<dyn OwnLearner>) -> Self {
        self.learner = Some(learner);
        self
    }

    /// Most leaves of a tree.
    #[must_use]
    pub fn leaves(self, leaves: usize) -> Self {
        self.option("leaves", leaves)
    }

    /// Most cuts on the way to a leaf.
    #[must_use]
    pub fn depth(self, depth: usize) -> Self {
        self.option("depth", depth)
    }

    /// The part of each step that is taken.
    #[must_use]
    pub fn shrinkage(self, shrinkage: f64) -> Self {
        self.option("shrinkage", shrinkage)
    }

    /// Makes every random choice (1 if nothing is said).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.choices.seed = seed;
        self
    }

    /// Holds out this share of the rows to validate on.
    #[must_use]
    pub fn valid(mut self, share: f64) -> Self {
        self.valid = Some(Valid::Share(share));
        self
    }

    /// Which rows [`valid`](Self::valid) holds out, if they are not drawn: the last ones.
    #[must_use]
    pub fn split(mut self, split: Split) -> Self {
        self.choices.split = split;
        self
    }

    /// Validates on other rows.
    #[must_use]
    pub fn valid_on(mut self, rows: &'a Table) -> Self {
        self.valid = Some(Valid::Rows(rows));
        self
    }

    /// Reports the error on other rows in every round; they decide nothing.
    #[must_use]
    pub fn test_on(mut self, rows: &'a Table) -> Self {
        self.test = Some(rows);
        self
    }

    /// Stops after so many rounds without a better log loss, or [`metric`](Self::metric), on the validation rows, and keeps the best
    /// round.
    #[must_use]
    pub fn patience(mut self, rounds: usize) -> Self {
        self.choices.patience = Some(rounds);
        self
    }

    /// What is to be better on the validation rows, if it is not the log loss.
    #[must_use]
    pub fn metric(mut self, metric: Metric) -> Self {
        self.choices.metric = metric;
        self
    }

    /// Most bins of a numeric column (0 = a cut between any two values).
    #[must_use]
    pub fn bins(mut self, bins: u32) -> Self {
        self.prepare.encode.bins = bins;
        self
    }

    /// Most words of an n-gram of text.
    #[must_use]
    pub fn ngrams(mut self, words: u32) -> Self {
        self.prepare.encode.ngrams = words;
        self
    }

    /// How much rows weigh by their class.
    #[must_use]
    pub fn class_weights(mut self, weights: ClassWeights) -> Self {
        self.prepare.class_weights = Some(weights);
        self
    }

    /// Ends after the round in which this becomes true, with a model of the rounds that are done.
    #[must_use]
    pub fn interrupt(mut self, interrupt: &'a AtomicBool) -> Self {
        self.interrupt = Some(interrupt);
        self
    }

    /// Is told of every round: progress, traces, checkpoints.
    #[must_use]
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Goes on where an earlier run of the same choices on the same rows left off.
    #[must_use]
    pub fn resume(mut self, checkpoint: Checkpoint) -> Self {
        self.earlier = Some(checkpoint);
        self
    }

    /// Trains on the rows of a table.
    pub fn fit(self, table: &Table) -> Result<Model> {
        let mut setup = Setup::new(&self.booster, Options::new(self.options))?;
        if let Some(learner) = self.learner {
            setup = setup.with_learner(learner)?;
        }
        let prepare_options = PrepareOptions {
            values: setup.learner.needs_values(),
            texts: setup.needs_texts(),
            ..self.prepare
        };
        let mut choices = Choices { encode: prepare_options.encode, ..self.choices };
        let (kept, held) = match self.valid {
            Some(Valid::Share(share)) => {
                choices.held_out = Some(share);
                let [kept, held] = table.split_by(choices.split, share, choices.seed)?;
                (kept, Some(held))
            }
            Some(Valid::Rows(_)) | None => (table.clone(), None),
        };
        let prepared = prepare(kept, &prepare_options)?;
        let seen = |rows: &Table| -> Result<Applied> {
            apply(rows.seen_by(&prepared.schema, true)?, &prepared.schema, &prepared.encoder)
        };
        let valid = match (held, self.valid) {
            (Some(held), _) => Some(apply(held, &prepared.schema, &prepared.encoder)?),
            (None, Some(Valid::Rows(rows))) => Some(seen(rows)?),
            (None, _) => None,
        };
        let test = self.test.map(seen).transpose()?;
        let setup = setup.for_data(&prepared.dataset)?;
        let watched = Watched { valid: valid.as_ref(), test: test.as_ref() };
        let job = Job { setup: &setup, prepared: &prepared, watched, choices: &choices };
        let earlier = self.earlier.map(|checkpoint| job.resume(checkpoint)).transpose()?;
        let never = AtomicBool::new(false);
        let mut nobody = ();
        let observer = self.observer.unwrap_or(&mut nobody);
        let outcome = job.train(earlier, self.interrupt.unwrap_or(&never), observer)?;
        Ok(job.model(outcome))
    }
}
