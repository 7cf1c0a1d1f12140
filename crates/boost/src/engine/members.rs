//! Several trainings whose mean is the model.
//!
//! Every training depends on chance: on its draws, and on which of several good trees come first. The mean of the scores of some of
//! them depends on it less, and trees of other shapes err elsewhere. With few rows rounds cost little, so others are trained
//! beside the main one, for as many rounds, each with draws of its own. Who they are depends on how many rounds are good; they
//! begin once that is known, or likely.
//!
//! A round of the model has a tree of each member, and what it came to is told anew: of the mean.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_data::Result;
use manyboost_kernel::Seed;
use rayon::prelude::*;

use crate::engine::run::Run;
use crate::engine::train::{RunContext, RunPlan, Watched};
use crate::learners::LearnerParameters;
use crate::spec::booster::{Booster, Stop};
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
    fn companions(&self, found: Option<usize>) -> Vec<Part> {
        let same = || Companion { learner: self.learner.clone(), pace: 1.0 };
        let companions = match (&self.members, found) {
            (&Members::Given(members), _) => (1..members).map(|_| same()).collect(),
            (Members::Found(beside), Some(rounds)) if self.are_few(rounds) => beside.few.clone(),
            (Members::Found(beside), Some(_)) => beside.many.clone(),
            (Members::Found(_), None) => Vec::new(),
        };
        // Without draws the same question has the same answer.
        let differs = |one: &Companion<LearnerParameters>| one.learner.draws() || one.learner != self.learner;
        let part = |Companion { learner, pace }| Part { booster: self.booster.paced(pace), learner };
        companions.into_iter().filter(differs).map(part).collect()
    }

    /// Whether so many rounds mean that labels are noisy.
    fn are_few(&self, rounds: usize) -> bool {
        rounds <= self.rounds.most() / 2
    }
}

/// What a companion trains with.
struct Part {
    /// The booster, if it goes at another pace.
    booster: Option<Box<dyn Booster>>,
    learner: LearnerParameters,
}

/// Who may train beside the main training.
pub(crate) struct Cast {
    few: Vec<Part>,
    many: Vec<Part>,
}

impl Cast {
    /// Of a training that finds its rounds, or does not.
    pub(crate) fn new(plan: &RunPlan<'_>, finds_rounds: bool) -> Self {
        let of = |rounds: usize| plan.companions(finds_rounds.then_some(rounds));
        Self { few: of(0), many: of(plan.rounds.most()) }
    }

    /// What each of them is to do.
    pub(crate) fn plans<'a>(&'a self, plan: &'a RunPlan<'a>) -> CastPlans<'a> {
        let of = |(number, part): (usize, &'a Part)| RunPlan {
            booster: part.booster.as_deref().unwrap_or(plan.booster),
            learner: part.learner.clone(),
            seed: Seed::new(plan.seed).part(BESIDE + number as u64).bits(),
            members: Members::default(),
            text: None,
            ..*plan
        };
        let all = |parts: &'a [Part]| parts.iter().enumerate().map(of).collect();
        CastPlans { main: plan, few: all(&self.few), many: all(&self.many) }
    }
}

/// What those beside the main training are to do.
pub(crate) struct CastPlans<'a> {
    main: &'a RunPlan<'a>,
    few: Vec<RunPlan<'a>>,
    many: Vec<RunPlan<'a>>,
}

impl CastPlans<'_> {
    /// The plans of those who train, as far as it is known: the rounds that are good can only become more.
    fn so_far(&self, best: Option<usize>) -> Option<&[RunPlan<'_>]> {
        let known = matches!(self.main.members, Members::Given(_))
            || best.is_some_and(|best| !self.main.are_few(best));
        known.then_some(&self.many)
    }

    /// The plans of those who are likely to train, where a thread would have little else to do: more rounds are still better, and nearly
    /// as many as decide.
    fn likely(&self, best: Option<usize>, rises: bool) -> Option<&[RunPlan<'_>]> {
        let near = |best: usize| rises && !self.main.are_few(2 * best);
        (best.is_some_and(near) && rayon::current_num_threads() > 1).then_some(&self.many)
    }

    /// The plans of those who train, once the rounds are found.
    fn at_the_end(&self, best: Option<usize>) -> &[RunPlan<'_>] {
        self.so_far(best).unwrap_or(&self.few)
    }
}

/// The trainings beside the main one, from when it is known who they are.
pub(crate) struct Beside<'a> {
    context: RunContext<'a>,
    plans: &'a CastPlans<'a>,
    runs: Option<Vec<Run<'a>>>,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(context: RunContext<'a>, plans: &'a CastPlans<'a>) -> Self {
        Self { context, plans, runs: None }
    }

    /// Begins where it is known, or likely, with whom, and makes so many rounds more, up to a goal. The best rounds so far are given, and
    /// whether they are the last.
    pub(crate) fn catch_up(
        &mut self,
        (best, rises): (Option<usize>, bool),
        more: usize,
        goal: usize,
        interrupt: &AtomicBool,
    ) -> Result<()> {
        let guess = || if self.context.exchange.alone() { self.plans.likely(best, rises) } else { None };
        match self.plans.so_far(best).or_else(guess) {
            Some(plans) => self.go_on(plans, interrupt, |rounds| goal.min(rounds + more)),
            None => Ok(()),
        }
    }

    fn go_on(
        &mut self,
        plans: &'a [RunPlan<'a>],
        interrupt: &AtomicBool,
        goal: impl Fn(usize) -> usize + Sync,
    ) -> Result<()> {
        let runs = match &mut self.runs {
            Some(runs) => runs,
            none => {
                let begin = |plan| Run::new(RunContext { plan, ..self.context }, Watched::default(), None);
                none.insert(plans.iter().map(begin).collect::<Result<_>>()?)
            }
        };
        let each = |run: &mut Run<'_>| run.train_to(goal(run.outcome.history.len()), interrupt, &mut ());
        if self.context.exchange.alone() {
            runs.par_iter_mut().try_for_each(each)
        } else {
            runs.iter_mut().try_for_each(each)
        }
    }

    /// Brings all to as many rounds as the main training has; the run of the mean of all. When interrupted, the main training.
    pub(crate) fn mean<'b>(
        mut self,
        best: Option<usize>,
        context: RunContext<'b>,
        mut main: Run<'b>,
        interrupt: &AtomicBool,
    ) -> Result<Run<'b>> {
        let rounds = main.outcome.ensemble.rounds.len();
        if self.plans.so_far(best).is_none() {
            // It turned out otherwise than was likely.
            self.runs = None;
        }
        self.go_on(self.plans.at_the_end(best), interrupt, |_| rounds)?;
        let companions = self.runs.unwrap_or_default();
        if companions.is_empty() {
            return Ok(main);
        }
        if interrupt.load(Ordering::Relaxed) {
            main.outcome.stop = Stop::Interrupted;
            return Ok(main);
        }
        let share = 1.0 / (1 + companions.len()) as f64;
        let mut all = std::mem::take(&mut main.outcome.ensemble.rounds);
        for member in companions {
            all.iter_mut().zip(member.outcome.ensemble.rounds).for_each(|(round, terms)| round.extend(terms));
        }
        all.iter_mut().flatten().for_each(|term| term.alpha *= share);
        let mut run = Run::new(context, main.watched(), None)?;
        run.tell(all);
        run.outcome.stop = main.outcome.stop;
        Ok(run)
    }
}
