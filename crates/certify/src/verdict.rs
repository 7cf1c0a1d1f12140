//! What the values mean for boosters: what is proved, in words, and the options with which it is.

use manyboost::theory::minimal::states;
use manyboost::theory::{Condition, GameLoss, first_potential, kappa, plain_eta};

use crate::conditions::{Findings, Interval};

/// The most rounds that a command asks for; training takes no more.
const MOST_ROUNDS: f64 = 1e7;
/// States of the drifting game that are looked at to see how long it is.
const MOST_STATES: u64 = 200_000;

/// What a booster's own condition says of its training error.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The boosters, by name, with what is asked of them.
    pub boosters: &'static str,
    /// Whether it is proved that the training error can be driven to zero; `None` if that is not known.
    pub promised: Option<bool>,
    /// Why.
    pub why: String,
    /// How, if it is proved.
    pub runs: Vec<ProvedRun>,
}

/// A booster, and the options for which something is proved. Those of the weak learner are the ones that were asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct ProvedRun {
    /// The booster's name.
    pub booster: &'static str,
    /// Names and values.
    pub options: Vec<(&'static str, String)>,
}

impl ProvedRun {
    fn new<const N: usize>(booster: &'static str, options: [(&'static str, String); N]) -> Self {
        Self { booster, options: options.into() }
    }

    fn of_rounds(booster: &'static str, rounds: Option<f64>) -> Self {
        Self::new(booster, [("rounds", whole(rounds))])
    }
}

/// A number of rounds as an option.
fn whole(rounds: Option<f64>) -> String {
    rounds.unwrap_or(MOST_ROUNDS).min(MOST_ROUNDS).to_string()
}

/// An edge as an option: a little less, but never 0.
fn less(edge: f64) -> f64 {
    let rounded = (edge * 1e6).floor() / 1e6;
    if rounded > 0.0 { rounded.min(1.0 - 1e-6) } else { edge }
}

impl Findings {
    /// One verdict for each condition.
    pub fn verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = vec![self.minimal(), self.uniform(), self.one_class()];
        verdicts.extend(self.mh_of_sets.map(|value| self.of_sets(value)));
        verdicts.push(self.of_samme());
        if self.classes > 2 {
            verdicts.extend([self.of_iter_by_position(), Self::of_iter_by_restriction()]);
        } else {
            verdicts.push(self.of_iter_with_two_classes());
        }
        verdicts
    }

    fn judge(
        &self,
        boosters: &'static str,
        value: Interval,
        [yes, no]: [String; 2],
        runs: Vec<ProvedRun>,
    ) -> Verdict {
        let promised = value.holds(self.tolerance);
        let (why, runs) = match promised {
            Some(true) => (yes, runs),
            Some(false) => (no, Vec::new()),
            None => {
                let open =
                    format!("not decided: the value is between {:.6} and {:.6}", value.lower, value.upper);
                (open, Vec::new())
            }
        };
        Verdict { boosters, promised, why, runs }
    }

    /// What a promise is about, where classifiers are those that a learner finds.
    fn proviso(&self) -> &'static str {
        if self.exact { "" } else { "if the learner keeps this edge, " }
    }

    fn minimal(&self) -> Verdict {
        let gamma = self.margin.lower;
        let rounds = self.rounds_of_mm();
        let yes = format!(
            "boostable: some mixture leads by {gamma:.6} on every row; {}the bound of mm, mr and m2 is below one row after {:.0} rounds",
            self.proviso(),
            rounds.unwrap_or(f64::INFINITY)
        );
        let no = match self.alike {
            Some([a, b]) => format!(
                "not boostable: rows {} and {} look the same and have different classes",
                a + 1,
                b + 1
            ),
            None => format!(
                "not boostable: no mixture leads on every row by more than {:.1e}",
                self.margin.upper.max(0.0)
            ),
        };
        let mut runs: Vec<ProvedRun> =
            ["mm", "mr", "m2"].map(|name| ProvedRun::of_rounds(name, rounds)).into();
        let game = self.game();
        // The condition is the same, but a game of too many states is not played.
        let playable = game.is_some() || self.boostable() != Some(true);
        let boosters = if playable { "mm, mr, m2, os with the minimal condition" } else { "mm, mr, m2" };
        runs.extend(game);
        self.judge(boosters, self.margin_interval(), [yes, no], runs)
    }

    /// The drifting game under the minimal condition, if it is small enough to be played and its bound is below one row then.
    fn game(&self) -> Option<ProvedRun> {
        let gamma = less(self.margin.lower);
        let rounds = self.rounds_of_mm()?;
        if gamma <= 0.0 || rounds > 1e4 || states(self.classes, rounds as usize).ok()? > MOST_STATES {
            return None;
        }
        let edges = vec![gamma; rounds as usize];
        let bound = first_potential(self.classes, &edges, GameLoss::ZeroOne, Condition::Minimal).ok()?;
        (bound * (self.rows as f64) < 0.999).then(|| {
            ProvedRun::new(
                "os",
                [
                    ("loss", "zero-one".into()),
                    ("condition", "minimal".into()),
                    ("edge", gamma.to_string()),
                    ("rounds", rounds.to_string()),
                ],
            )
        })
    }

    fn uniform(&self) -> Verdict {
        let edge = self.edge_over_random;
        let gamma = less(edge.lower);
        let factor = kappa(self.classes, gamma, plain_eta(gamma));
        let needed = ((self.rows * (self.classes - 1)) as f64).ln();
        let rounds = (-needed / factor.ln()).floor() + 1.0;
        let yes = format!(
            "every wrong class can be held below uniform guessing, edge {:.6}; {}the bound is below one row after {rounds:.0} rounds",
            edge.lower,
            self.proviso()
        );
        let no = format!("the edge over uniform guessing is {:.6}, not positive", edge.upper);
        let runs = vec![ProvedRun::new("os", [("edge", gamma.to_string()), ("rounds", whole(Some(rounds)))])];
        self.judge("os with an edge over random", edge, [yes, no], runs)
    }

    fn one_class(&self) -> Verdict {
        let accuracy = self.accuracy;
        let yes = format!("accuracy above 1/2 on any weights of rows, at least {:.6}", accuracy.lower);
        let no = format!(
            "accuracy above 1/2 is asked for, and on the hardest weights of rows it is {:.6}",
            accuracy.upper
        );
        // MH's bound is that of the share of wrong labels, of which each row has k.
        let (m1, mh) = (self.rounds(self.m1().lower, 1), self.rounds(self.m1().lower, self.classes));
        let mh = ProvedRun::new("mh", [("answers", "class".into()), ("rounds", whole(mh))]);
        self.judge(
            "m1, mh with one class as an answer",
            self.m1(),
            [yes, no],
            vec![ProvedRun::of_rounds("m1", m1), mh],
        )
    }

    /// MH as Schapire & Singer have it: classifiers say yes or no to each class.
    fn of_sets(&self, value: Interval) -> Verdict {
        let yes = format!(
            "answers to single classes that are right on more than half of any weights of rows and classes, edge {:.6}",
            value.lower
        );
        let no = format!(
            "answers to single classes that are right on more than half of all weights are asked for, and on the hardest the edge is {:.6}",
            value.upper
        );
        let rounds = self.rounds(value.lower, self.classes);
        self.judge(
            "mh with a sign for each class",
            value,
            [yes, no],
            vec![ProvedRun::of_rounds("mh", rounds)],
        )
    }

    /// SAMME's condition is too weak for more than two classes: it may hold where nothing can be boosted.
    fn of_samme(&self) -> Verdict {
        let (accuracy, k) = (self.accuracy, self.classes);
        let beats = format!("accuracy above 1/{k} on any weights of rows, at least {:.6}", accuracy.lower);
        let no = format!(
            "accuracy above 1/{k} is asked for, and on the hardest weights it is {:.6}",
            accuracy.upper
        );
        let runs = vec![ProvedRun::of_rounds("samme", self.rounds(self.m1().lower, 1))];
        let mut verdict = self.judge("samme", self.samme(), [beats, no], runs);
        if k > 2 && verdict.promised == Some(true) {
            (verdict.promised, verdict.runs) = (Some(false), Vec::new());
            verdict.why += match self.boostable() {
                Some(false) => ": its condition holds, and yet nothing can be boosted",
                _ => {
                    ": its condition holds, but promises nothing (it also holds where nothing can be boosted)"
                }
            };
        }
        verdict
    }

    /// One epoch, which is `AdaBoost`: both relabellings do nothing.
    fn of_iter_with_two_classes(&self) -> Verdict {
        let accuracy = self.accuracy;
        let epoch = self.rounds(self.m1().lower, 1);
        let yes = format!(
            "accuracy above 1/2 on any weights of rows, at least {:.6}: the one epoch is AdaBoost's",
            accuracy.lower
        );
        let no = format!(
            "accuracy above 1/2 is asked for, and on the hardest weights it is {:.6}",
            accuracy.upper
        );
        let epoch = whole(epoch.map(|rounds| rounds.min(1e6)));
        self.judge("iter", self.m1(), [yes, no], vec![ProvedRun::new("iter", [("epoch", epoch)])])
    }

    /// Theorem 6.2 of Cho, Libgober & Ding 2024, whose proof asks for weak learnability under the labels that epochs make.
    fn of_iter_by_position(&self) -> Verdict {
        let (why, runs) = match self.beats_guessing {
            Some(true) => (
                "however epochs relabel the rows, accuracy above 1/n on any weights of rows (the rows are linearly independent by \
                 the cuts on them): long enough epochs (--epoch) rule out wrong classes only",
                vec![ProvedRun::new("iter", [("relabel", "position".into())])],
            ),
            Some(false) => (
                "the rows are linearly dependent by the cuts on them: there are labels and weights on which no classifier beats \
                 guessing, and an epoch may come to them",
                Vec::new(),
            ),
            None => {
                ("not decided: whether classifiers beat guessing however epochs relabel the rows", Vec::new())
            }
        };
        let boosters = "iter with --relabel position";
        Verdict { boosters, promised: self.beats_guessing, why: why.into(), runs }
    }

    /// Nothing is proved of it: there are data on which it errs for ever, with positive edges in all epochs of the theorem.
    fn of_iter_by_restriction() -> Verdict {
        let why = "after the first epoch a hypothesis ranks the classes, and each row takes the first one on its own list: the theorem \
                   of AdaBoost.Iter is not about such hypotheses";
        let boosters = "iter with --relabel restrict, its default";
        Verdict { boosters, promised: Some(false), why: why.into(), runs: Vec::new() }
    }
}
