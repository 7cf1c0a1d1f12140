//! What the bounds of a history are bounds of.
//!
//! A [`Record`] has one number, as the paper of its booster has it. What it is proved to bound, and when, is said by the booster's entry
//! in the registry, once and for all who show it:
//!
//! | what is proved | boosters |
//! |---|---|
//! | `Proved::Error` | `adaboost`, `m1`, `samme` with two classes, `mh`, `mh-real`, `mo`, `mm`, `ova`, `ecc`, `os` with the exponential loss under the uniform condition |
//! | `Proved::Ranking` | `mr`, `m2` |
//! | `Proved::After` | `os` with the zero-one or the hinge loss, or under the minimal condition |
//! | `Proved::LastEpoch` | `iter` |
//! | `Proved::Nothing` | `lp`, `logitboost`, `mcboost`, `gd-mcboost`, `cd-mcboost` |

use std::collections::BTreeMap;

use crate::engine::history::{Record, Told};
use crate::engine::train::Outcome;
use crate::model::answers::Answers;
use crate::model::ensemble::Term;
use crate::spec::registry;

/// What a booster's numbers are proved to bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proved {
    /// Nothing: there are none.
    Nothing,
    /// The training error after the round; for label sets the Hamming loss.
    Error,
    /// The ranking loss after the round (Theorem 6 of Schapire & Singer 1999). With one class per row, a wrong answer puts at least one of k − 1 pairs
    /// in the wrong order, and k − 1 times the number bounds the training error (Theorem 7).
    Ranking,
    /// The training error after so many rounds, and of no round before.
    After(usize),
    /// The training error, once two classes are left of lists that lost one class an epoch: rows that had Ψ(x, y) ≤ 0 in no epoch
    /// are then right. Before, others may be wrong too; and of several classes that an epoch takes off, one may have Ψ > 0.
    LastEpoch,
}

/// What theory says of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bound {
    /// The training error after it (for label sets: the Hamming loss) is at most this.
    pub error: Option<f64>,
    /// The ranking loss after it is at most this.
    pub ranking_loss: Option<f64>,
    /// The training error will be at most this after the last round, if every promise is kept until then.
    pub at_end: Option<f64>,
}

/// Reads the bounds of a run, round after round.
#[derive(Clone, Debug)]
pub struct Bounds {
    proved: Proved,
    classes: usize,
    sets: bool,
    /// The rounds whose epochs were looked at.
    seen: usize,
    /// The classes that these leave on every list, if none took off several at once.
    left: Option<usize>,
}

impl Bounds {
    /// For a booster with these options, and so many classes (or labels, of which rows have sets).
    pub fn new(booster: &str, parameters: &BTreeMap<String, String>, classes: usize, sets: bool) -> Self {
        let proved = registry::booster(booster).map_or(Proved::Nothing, |entry| (entry.proved)(parameters));
        Self { proved, classes, sets, seen: 0, left: Some(classes) }
    }

    /// What is proved of the last of these rounds, whose record is given. Rounds are looked at once: each call has all rounds of the one before.
    pub fn after(&mut self, rounds: &[Vec<Term>], record: &Record) -> Bound {
        self.follow(&rounds[..rounds.len().saturating_sub(1)]);
        let (bound, nothing) = (record.bound, Bound::default());
        match self.proved {
            Proved::Nothing => nothing,
            Proved::Error => Bound { error: bound, ..nothing },
            Proved::Ranking if self.sets => Bound { ranking_loss: bound, ..nothing },
            Proved::Ranking => {
                let wrong = self.classes.saturating_sub(1) as f64;
                Bound { error: bound.map(|pairs| wrong * pairs), ..nothing }
            }
            Proved::After(end) => {
                Bound { error: bound.filter(|_| rounds.len() == end), at_end: bound, ..nothing }
            }
            Proved::LastEpoch => {
                Bound { error: bound.filter(|_| self.left.is_some_and(|left| left <= 2)), ..nothing }
            }
        }
    }

    /// Counts the classes that epochs took off the lists.
    fn follow(&mut self, rounds: &[Vec<Term>]) {
        for term in rounds.get(self.seen..).unwrap_or_default().iter().flatten() {
            if let Answers::Election(election) = &term.hypothesis.answers
                && let Some(close) = election.close
            {
                self.left = self.left.filter(|_| close.drop == 1).and_then(|left| left.checked_sub(1));
            }
        }
        self.seen = self.seen.max(rounds.len());
    }

    /// All rounds of a run.
    pub fn of_run(mut self, run: &Outcome) -> Vec<Told> {
        self.of_rounds(&run.ensemble.rounds, &run.history)
    }

    /// All rounds, with what is proved of each.
    pub fn of_rounds(&mut self, rounds: &[Vec<Term>], history: &[Record]) -> Vec<Told> {
        let shown = |(at, &record): (usize, &Record)| Told {
            record,
            bound: self.after(&rounds[..rounds.len().min(at + 1)], &record),
        };
        history.iter().enumerate().map(shown).collect()
    }
}
