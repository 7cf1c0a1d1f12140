//! Several trainings whose mean is the model.
//!
//! Every training depends on chance: on its draws, and on which of several good trees come first. The mean of the scores of some of
//! them depends on it less, and trees of other shapes err elsewhere. With few rows rounds cost little, so others are trained
//! beside the main one once it is known how many rounds are good, for as many rounds, each with draws of its own.
//!
//! A round of the model has a tree of each member, and what it came to is told anew: of the mean.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_data::Result;
use manyboost_kernel::Seed;
use rayon::prelude::*;

use crate::engine::run::Run;
use crate::engine::train::{RunContext, RunPlan, Watched};
use crate::learners::LearnerParameters;
use crate::model::ensemble::Term;
use crate::spec::booster::Stop;
use crate::spec::option::{NumberOrAuto, Range};

/// How many trainings the model is the mean of.
pub(crate) const MEMBERS: NumberOrAuto<usize> = NumberOrAuto::new(
    "members",
    "Trainings whose mean is the model",
    Range::from_to(1, 64),
    "two or four with few rows, by how many rounds are found, else one",
);

/// Seeds of the members beside the main one.
const BESIDE: u64 = 1 << 34;

/// A training beside the main one.
#[derive(Clone, Debug, PartialEq)]
pub struct Companion<L> {
    /// How its hypotheses are found.
    pub learner: L,
    /// How many times as long its steps are: larger trees are worth fewer rounds.
    pub pace: f64,
}

/// Trainings beside the main one, by the rounds that were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Companions<L> {
    /// Where up to half of the rounds that are tried at most are good: labels are noisy.
    pub few: Vec<Companion<L>>,
    /// Where more are.
    pub many: Vec<Companion<L>>,
}

impl<L> Default for Companions<L> {
    fn default() -> Self {
        Self { few: Vec::new(), many: Vec::new() }
    }
}

impl<L> Companions<L> {
    /// The same with other learners.
    pub(crate) fn try_map<M>(self, mut map: impl FnMut(L) -> Result<M>) -> Result<Companions<M>> {
        let mut each = |of: Vec<Companion<L>>| -> Result<Vec<Companion<M>>> {
            let one = |Companion { learner, pace }| Ok(Companion { learner: map(learner)?, pace });
            of.into_iter().map(one).collect()
        };
        Ok(Companions { few: each(self.few)?, many: each(self.many)? })
    }
}

/// The trainings whose mean is the model.
#[derive(Clone, Debug, PartialEq)]
pub enum Members {
    /// So many, alike but for their draws.
    Given(usize),
    /// The main one and, where the rounds are found, some of these.
    Found(Companions<LearnerParameters>),
}

impl Default for Members {
    fn default() -> Self {
        Self::Given(1)
    }
}

impl Members {
    /// There are never more beside the main one.
    pub(crate) fn most_beside(&self) -> usize {
        match self {
            Self::Given(members) => members - 1,
            Self::Found(Companions { few, many }) => few.len().max(many.len()),
        }
    }
}

impl RunPlan<'_> {
    /// The trainings beside the main one, if so many rounds were found.
    pub(crate) fn companions(&self, found: Option<usize>) -> Vec<Companion<LearnerParameters>> {
        let same = || Companion { learner: self.learner.clone(), pace: 1.0 };
        let companions = match (&self.members, found) {
            (&Members::Given(members), _) => (1..members).map(|_| same()).collect(),
            (Members::Found(beside), Some(rounds)) if rounds <= self.rounds.most() / 2 => beside.few.clone(),
            (Members::Found(beside), Some(_)) => beside.many.clone(),
            (Members::Found(_), None) => Vec::new(),
        };
        // Without draws the same question has the same answer.
        let differs = |one: &Companion<LearnerParameters>| one.learner.draws() || one.learner != self.learner;
        companions.into_iter().filter(differs).collect()
    }
}

/// Trains companions for as many rounds as the main training has; the run of the mean of all. When interrupted, the main training.
pub(crate) fn mean<'a>(
    context: RunContext<'a>,
    main: Run<'a>,
    companions: Vec<Companion<LearnerParameters>>,
    interrupt: &AtomicBool,
) -> Result<Run<'a>> {
    let RunContext { plan, exchange, .. } = context;
    let rounds = main.outcome.ensemble.rounds.len();
    let beside = |(number, Companion { learner, pace }): (usize, Companion<LearnerParameters>)| {
        let paced = plan.booster.paced(pace);
        let plan = RunPlan {
            booster: paced.as_deref().unwrap_or(plan.booster),
            learner,
            seed: Seed::new(plan.seed).part(BESIDE + number as u64).bits(),
            members: Members::default(),
            ..*plan
        };
        let mut run = Run::new(RunContext { plan: &plan, ..context }, Watched::default(), None)?;
        run.train_to(rounds, interrupt, &mut ())?;
        Ok(run.outcome.ensemble.rounds)
    };
    let companions = companions.into_iter().enumerate();
    let trained: Vec<Vec<Vec<Term>>> = if exchange.alone() {
        companions.collect::<Vec<_>>().into_par_iter().map(beside).collect::<Result<_>>()?
    } else {
        companions.map(beside).collect::<Result<_>>()?
    };
    let mut main = main;
    if interrupt.load(Ordering::Relaxed) {
        main.outcome.stop = Stop::Interrupted;
        return Ok(main);
    }
    let share = 1.0 / (1 + trained.len()) as f64;
    let mut all = std::mem::take(&mut main.outcome.ensemble.rounds);
    for member in trained {
        all.iter_mut().zip(member).for_each(|(round, terms)| round.extend(terms));
    }
    all.iter_mut().flatten().for_each(|term| term.alpha *= share);
    let mut run = Run::new(context, main.watched(), None)?;
    run.tell(all);
    run.outcome.stop = main.outcome.stop;
    Ok(run)
}
