//! What the data decide: how many rounds, and how sure the probabilities are.
//!
//! Rows that a training has not seen tell what is good for others (the jury). Where there are many rows, the only training does
//! without a few of them; where there are few, each counts, and trainings beside the main one, the trials, do without some.
//!
//! 1. All trainings go from rung to rung of a ladder of rounds, side by side.
//! 2. At each rung the jury says the loss of what was trained so far, at its best temperature.
//! 3. Once the loss has not been better for long, the best rung says the rounds and the temperature.
//! 4. The main training never goes further than what is known to be worth it, and ends there.
//!
//! The trainings do not know of one another, and losses are summed in whole numbers: the choice is the same for any number of threads
//! and any order of rows.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_data::{Applied, Result, Weights};
use rayon::prelude::*;

use crate::engine::calibration::Calibration;
use crate::engine::hold_out::{Dealt, HoldOut};
use crate::engine::judge::{Judge, Seen};
use crate::engine::members::{Beside, Cast, Members};
use crate::engine::run::Run;
use crate::engine::train::{Observer, Outcome, RunContext, RunPlan, Watched, totals};
use crate::predict::Predictor;
use crate::spec::booster::Stop;

/// Of few rows one in so many is kept aside.
const PARTS: u64 = 5;

/// Of many rows about so many are kept aside.
const ENOUGH_ROWS: f64 = 2000.0;

/// Of fewer rows, by weight, all are kept aside, a part at a time.
const FEW_ROWS: f64 = 3000.0;

/// Fewer rows, by weight, say nothing.
pub(crate) const LEAST_ROWS: f64 = 20.0;

/// Row count from which the only training spares the rows that tell: others beside it would take too long.
pub(crate) const MANY_ROWS: f64 = 30_000.0;

/// The first rung, and how much higher each one is than the one before.
const FIRST_RUNG: usize = 8;
const RUNG: f64 = 1.1;

/// How many times as long the steps of trials are.
const HASTE: usize = 2;

/// How many rounds those beside the main training make for each round between two rungs, until they have caught up with it.
const CATCH_UP: usize = 2;

/// A loss that is better by less, as a share of it (unless there are few rows) or in itself, is not waited for.
const SLIGHTLY: f64 = 0.01;
const HARDLY: f64 = 1e-4;

/// What was found at a rung.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rung {
    /// Rounds so far.
    pub rounds: usize,
    /// Log loss of a row that was not trained on, at the best temperature.
    pub loss: f64,
    /// What scores are multiplied by for it.
    pub factor: f64,
}

/// The rungs up to so many rounds, but for the last one so many rounds apart or a multiple of it.
fn rungs(most: usize, haste: usize) -> Vec<usize> {
    let next = |&rung: &usize| {
        (rung < most).then(|| ((rung as f64 * RUNG).ceil() as usize).next_multiple_of(haste).min(most))
    };
    std::iter::successors(Some(FIRST_RUNG.min(most)), next).collect()
}

/// The rungs so far.
struct Course {
    rungs: Vec<Rung>,
    /// A loss that is better by a smaller share of it is not waited for.
    slightly: f64,
}

impl Course {
    /// Of a training on so many rows. With few of them rounds take hardly any time, and those after a slight gain may bring errors down.
    fn new(rows: f64) -> Self {
        Self { rungs: Vec::new(), slightly: if rows < FEW_ROWS { 0.0 } else { SLIGHTLY } }
    }

    /// The rung of the least loss, the first of equals.
    fn best(&self) -> Option<Rung> {
        self.rungs.iter().copied().reduce(|best, rung| if rung.loss < best.loss { rung } else { best })
    }

    /// What scores were multiplied by at the last rung.
    fn factor(&self) -> f64 {
        self.rungs.last().map_or(1.0, |rung| rung.factor)
    }

    /// Whether the loss has not been better for long, by more than is worth speaking of.
    fn is_over(&self) -> bool {
        let (Some(best), Some(last)) = (self.best(), self.rungs.last()) else { return false };
        let enough = best.loss + (self.slightly * best.loss).max(HARDLY);
        self.rungs
            .iter()
            .find(|rung| rung.loss <= enough)
            .is_some_and(|first| last.rounds >= patience(first.rounds))
    }
}

/// The rounds after which those after the best ones are not waited for.
fn patience(best: usize) -> usize {
    best + (best / 2).max(40)
}

/// The trials of a training on so many rows.
pub(crate) fn trials(rows: f64) -> u64 {
    match rows {
        rows if rows < FEW_ROWS => PARTS,
        rows if rows < MANY_ROWS => 1,
        _ => 0,
    }
}

/// Rows that tell how a training fares on rows that it has not seen.
pub(crate) enum Jury<'a> {
    /// Nobody is asked.
    Nobody,
    /// Rows to validate on.
    Valid(&'a Applied),
    /// Rows that the only training does without.
    Spared(HoldOut),
    /// Rows that trials do without.
    Trials(Vec<HoldOut>),
}

impl<'a> Jury<'a> {
    /// Who is asked of a training.
    pub(crate) fn new(context: RunContext<'_>, valid: Option<&'a Applied>) -> Self {
        let RunContext { plan, data, weights, exchange, .. } = context;
        let calibrates = matches!(plan.calibration, Calibration::Auto(_));
        if !(calibrates || plan.finds_rounds()) || context.most_rounds() == 0 {
            return Self::Nobody;
        }
        if let Some(valid) = valid {
            return Self::Valid(valid);
        }
        let rows = context.rows();
        let dealt = Dealt::new(data, weights, plan.seed, exchange);
        if rows >= MANY_ROWS {
            let spared = dealt.part((rows / ENOUGH_ROWS) as u64, 0);
            // Of few rows that are there many times a part may weigh too much to do without.
            let few = totals(&spared.aside, exchange).weight() * PARTS as f64 <= rows * weights.one_row();
            if spared.has(context, LEAST_ROWS) && few {
                return Self::Spared(spared);
            }
        }
        let least = if rows < FEW_ROWS { 1.0 } else { LEAST_ROWS };
        let parts = (0..trials(rows).max(1)).map(|part| dealt.part(PARTS, part));
        let parts: Vec<HoldOut> = parts.filter(|part| part.has(context, least)).collect();
        let told: f64 = parts.iter().map(|part| totals(&part.aside, exchange).weight()).sum();
        if told < LEAST_ROWS * weights.one_row() { Self::Nobody } else { Self::Trials(parts) }
    }

    /// What is said of so many rounds of the main training, at a temperature sought from the last one; of trials it has been said. Nothing if
    /// nobody is asked: with patience, the best of all rounds is kept at the end.
    fn told(
        &self,
        context: RunContext<'_>,
        judge: &Judge<'_>,
        (rounds, last): (usize, f64),
        main: &Run<'_>,
        of_trials: Rung,
    ) -> Option<Rung> {
        Some(match self {
            Self::Nobody => return None,
            Self::Valid(valid) => {
                let scores = main.valid_scores().filter(|_| context.plan.patience.is_none())?;
                judge.rung(rounds, &[Seen::of_valid(valid, scores)], last)
            }
            Self::Spared(parted) => judge.rung(rounds, &[Seen::of_run(context, &parted.aside, main)], last),
            Self::Trials(_) => of_trials,
        })
    }

    fn trials<'b>(&'b self, context: RunContext<'b>) -> Result<Vec<Trial<'b>>> {
        let Self::Trials(parts) = self else { return Ok(Vec::new()) };
        let without = |part: &'b HoldOut| {
            let rest = RunContext { weights: &part.rest, ..context };
            Ok(Trial { run: Run::new(rest, Watched::default(), None)?, aside: &part.aside })
        };
        parts.iter().map(without).collect()
    }

    /// The weights that the main training has, if not those of all rows.
    pub(crate) fn main_weights(&self) -> Option<&Weights> {
        match self {
            Self::Spared(parted) => Some(&parted.rest),
            _ => None,
        }
    }
}

/// Trains the main model, with whatever trials it takes.
pub(crate) fn train<'a>(
    context: RunContext<'a>,
    jury: &'a Jury<'a>,
    mut main: Run<'a>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let RunContext { plan, exchange, .. } = context;
    let most = context.most_rounds();
    let finds_rounds = plan.finds_rounds() && !matches!(jury, Jury::Nobody);
    let judge = Judge::new(context);
    let hastened = if let Jury::Trials(_) = jury { plan.booster.paced(HASTE as f64) } else { None };
    let haste = if hastened.is_some() { HASTE } else { 1 };
    let trial_plan = RunPlan {
        booster: hastened.as_deref().unwrap_or(plan.booster),
        learner: plan.learner.clone(),
        members: Members::default(),
        text: None,
        ..*plan
    };
    let mut trials = jury.trials(RunContext { plan: &trial_plan, ..context })?;
    let weights = jury.main_weights().unwrap_or(context.weights);
    let all_rows = RunContext { weights, ..context };
    let cast = Cast::new(plan, finds_rounds);
    let cast_plans = cast.plans(plan);
    let mut beside = Beside::new(all_rows, &cast_plans);
    let mut course = Course::new(context.rows());
    if most == 0 {
        main.keep(0, Stop::Found);
        return Ok(main.finish(observer));
    }
    if finds_rounds && context.head.is_some() {
        // No tree may be better than any: the texts alone are the first rung.
        let seen: Vec<Seen<'_>> =
            trials.iter().map(|trial| Seen::of_run(context, trial.aside, &trial.run)).collect();
        let told = jury.told(context, &judge, (0, 1.0), &main, judge.rung(0, &seen, 1.0));
        course.rungs.extend(told);
    }
    for rounds in if finds_rounds { rungs(most, haste) } else { vec![most] } {
        // Without trials the main training is its own.
        let best = course.best().map(|best| best.rounds);
        let goal = best.filter(|_| !trials.is_empty()).map_or(rounds, |best| worth(best).min(rounds));
        let catch_up = CATCH_UP * (rounds - course.rungs.last().map_or(0, |rung| rung.rounds));
        let last = course.factor();
        let mut others = || {
            let each = |trial: &mut Trial<'_>| trial.run.train_to(rounds.div_ceil(haste), interrupt, &mut ());
            if exchange.alone() {
                trials.par_iter_mut().try_for_each(each)?;
            } else {
                trials.iter_mut().try_for_each(each)?;
            }
            let seen: Vec<Seen<'_>> =
                trials.iter().map(|trial| Seen::of_run(context, trial.aside, &trial.run)).collect();
            Ok(judge.rung(rounds, &seen, last))
        };
        let mut own = || main.train_to(goal, interrupt, observer);
        let rises = best == course.rungs.last().map(|rung| rung.rounds);
        let mut companions = || beside.catch_up((best, rises), catch_up, goal, interrupt);
        let (told, (own, companions)) = if exchange.alone() {
            rayon::join(others, || rayon::join(own, companions))
        } else {
            (others(), (own(), companions()))
        };
        let (told, (), ()) = (told?, own?, companions?);
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        let Some(told) = jury.told(context, &judge, (rounds, last), &main, told) else { break };
        course.rungs.push(told);
        observer.rung(&told, course.best().unwrap_or(told));
        let goes_on =
            if trials.is_empty() { main.goes_on() } else { trials.iter().any(|trial| trial.run.goes_on()) };
        if course.is_over() || !goes_on {
            break;
        }
    }
    drop(trials);
    let best = course.best();
    if let (true, Some(best)) = (finds_rounds, best) {
        let rounds = if matches!(jury, Jury::Trials(_)) { worth(best.rounds).min(most) } else { best.rounds };
        main.train_to(rounds, interrupt, observer)?;
        let interrupted = interrupt.load(Ordering::Relaxed);
        main.keep(rounds, if interrupted { Stop::Interrupted } else { Stop::Found });
    }
    if !interrupt.load(Ordering::Relaxed) {
        main = beside.mean(best.map(|best| best.rounds), all_rows, main, interrupt)?;
    }
    let mut outcome = main.finish(observer);
    let rounds = outcome.history.len();
    if rounds > 0 && matches!(plan.calibration, Calibration::Auto(_)) {
        let kept = || match jury {
            Jury::Valid(valid) => {
                let scores = Predictor::new(&outcome.ensemble, rounds).raw_scores(&valid.frame);
                Some(judge.rung(rounds, &[Seen::of_valid(valid, &scores)], 1.0))
            }
            _ => None,
        };
        let factor = best.or_else(kept).map_or(1.0, |best| best.factor);
        outcome.ensemble.reading.link = judge.reading.link.times(factor);
    }
    Ok(outcome)
}

/// The rounds for all rows where so many were best for some of them: more rows are worth more rounds.
fn worth(rounds: usize) -> usize {
    rounds + rounds / 8
}

/// A training without some rows.
struct Trial<'a> {
    run: Run<'a>,
    aside: &'a Weights,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_rise_to_the_most() {
        assert_eq!(rungs(3, 1), [3]);
        let all = rungs(600, 2);
        assert_eq!((all[0], all[all.len() - 1]), (FIRST_RUNG, 600));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn the_best_rung_ends_the_course_after_a_while() {
        let mut course = Course::new(1e4);
        for (rounds, loss) in [(10, 3.0), (20, 2.0), (30, 1.99), (59, 2.5)] {
            course.rungs.push(Rung { rounds, loss, factor: 1.0 });
            assert!(!course.is_over());
        }
        course.rungs.push(Rung { rounds: 60, loss: 2.1, factor: 1.0 });
        assert!(course.is_over());
        assert_eq!(course.best().map(|best| best.rounds), Some(30));
    }
}
