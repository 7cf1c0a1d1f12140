//! Games with more classifiers than can be listed, by column generation.
//!
//! A small game of some classifiers and some rows is solved; its weights of rows are a question to the oracle, whose answer
//! joins the game; rows that the mixture treats worse than those in the game join too. Between two solutions a few rounds of boosting
//! start from the weights, so that not one but many classifiers join.
//!
//! Nothing that is said depends on the solver. Its mixture and its weights are rounded to whole numbers, and then
//!
//! - the mixture's payoff in the worst of **all** rows is a value that the player of classifiers has for sure: `lower`;
//! - the payoff of the oracle's best answer to the weights is one that nobody can exceed: `upper` (for an exact oracle).
//!
//! Both are sums of whole numbers, exact but for one division.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_kernel::numbers::math::exp;
use ndarray::{Array1, Array2};

use crate::game::Game;
use crate::interior::{Play, play};
use crate::oracle::{Oracle, Says};

/// Strategies are whole numbers that add up to about this.
const ONE: f64 = (1u64 << 40) as f64;

/// Classifiers that join between two solutions, at most.
const MANY: usize = 60;

/// Steps that a solution takes, more or less.
const STEPS: f64 = 20.0;

/// Rows that join at a time, at most.
const JOIN: usize = 400;

/// A classifier out of use for so many turns leaves.
const IDLE: usize = 4;

/// After so many turns without anything new it is over.
const STILL: usize = 3;

/// A row or classifier that does not leave.
const STAYS: usize = usize::MAX;

/// Weights that are tried as small whole numbers: where the value is a simple fraction, they are exact.
const SIMPLE: i64 = 12;

/// How much is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// How close both bounds shall be.
    pub tolerance: f64,
    /// Multiplications after which no other small game is begun. (A clock would make the answer depend on the machine.)
    pub work: f64,
    /// Somebody wants an end.
    pub stop: &'a AtomicBool,
}

/// What is certain of a game's value, and why.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The value is at least this: so much the mixture has in every row.
    pub lower: f64,
    /// The value is at most this: no classifier has more on these weights (that the oracle finds).
    pub upper: f64,
    /// Whole weights of classifiers.
    pub mixture: Vec<(i64, Says)>,
    /// Whole weights of all rows.
    pub weights: Vec<i64>,
    /// Questions to the oracle.
    pub asked: usize,
    /// Solutions of small games.
    pub turns: usize,
}

impl Certificate {
    /// Nothing is known yet.
    pub fn nothing() -> Self {
        Self {
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            mixture: Vec::new(),
            weights: Vec::new(),
            asked: 0,
            turns: 0,
        }
    }
}

/// What a solution begins with.
#[derive(Clone, Copy, Default)]
pub struct Start<'a> {
    /// Classifiers.
    pub says: &'a [Says],
    /// Weights of rows.
    pub weights: Option<&'a [i64]>,
}

/// Finds the value of a game to a tolerance, if it can be done.
pub fn solve(
    game: &Game,
    oracle: &mut dyn Oracle,
    exact: bool,
    start: Start<'_>,
    wish: Wish<'_>,
) -> Certificate {
    let mut run = Run::new(game, oracle, exact, wish);
    for says in start.says {
        run.join(says.clone());
    }
    run.mix(&vec![1.0; start.says.len()]);
    if let Some(weights) = start.weights {
        run.question(weights);
    }
    let first = 2 * run.oracle.patience();
    run.boost(&vec![1.0; game.rows()], first);
    run.first_rows();
    while run.open() && run.work < wish.work && run.still < STILL {
        run.turn();
    }
    run.found
}

/// A classifier in the small game.
struct Joined {
    says: Says,
    idle: usize,
}

struct Run<'a> {
    game: &'a Game,
    oracle: &'a mut dyn Oracle,
    exact: bool,
    wish: Wish<'a>,
    /// Work so far.
    work: f64,
    /// Turns in a row in which nothing new joined: only rounding keeps bounds apart.
    still: usize,
    classifiers: Vec<Joined>,
    /// Classifiers that left.
    gone: HashSet<Says>,
    /// The rows in the small game.
    rows: Vec<usize>,
    inside: Vec<bool>,
    /// For how many turns each row has had much more than the least.
    easy: Vec<usize>,
    found: Certificate,
}

impl<'a> Run<'a> {
    fn new(game: &'a Game, oracle: &'a mut dyn Oracle, exact: bool, wish: Wish<'a>) -> Self {
        let (inside, easy) = (vec![false; game.rows()], vec![0; game.rows()]);
        let (classifiers, rows, found) = (Vec::new(), Vec::new(), Certificate::nothing());
        Self {
            game,
            oracle,
            exact,
            wish,
            work: 0.0,
            still: 0,
            classifiers,
            gone: HashSet::new(),
            rows,
            inside,
            easy,
            found,
        }
    }

    /// Whether there is more to find out.
    fn open(&self) -> bool {
        self.found.upper - self.found.lower > self.wish.tolerance && !self.wish.stop.load(Ordering::Relaxed)
    }

    fn join(&mut self, says: Says) {
        let new = self.classifiers.iter().all(|joined| joined.says != says);
        if new {
            if !self.exact {
                self.heed(&says);
            }
            // Whoever left and came back stays.
            let idle = if self.gone.contains(&says) { STAYS } else { 0 };
            self.classifiers.push(Joined { says, idle });
        }
    }

    /// A learner may find only later what it should have answered: then less is certain than it seemed.
    fn heed(&mut self, says: &Says) {
        let all: i64 = self.found.weights.iter().sum();
        if all > 0 {
            let costs = self.game.costs(&self.found.weights);
            let paid = -self.game.cost(says, &costs) as f64 / self.whole(all);
            self.found.upper = self.found.upper.max(paid);
        }
    }

    /// Asks the oracle; returns its answer and how much it is paid, of 1. The value is at most what the best of all is paid.
    fn question(&mut self, weights: &[i64]) -> (Says, f64) {
        let all: i64 = weights.iter().sum();
        let costs = self.game.costs(weights);
        let says = self.oracle.query(&costs);
        self.found.asked += 1;
        let own = self.game.cost(&says, &costs);
        let mut least = own;
        if !self.exact {
            // A learner may miss what is already there.
            let joined = self.classifiers.iter().map(|joined| self.game.cost(&joined.says, &costs));
            least = joined.fold(own, i64::min);
        }
        let upper = -least as f64 / self.whole(all);
        if upper < self.found.upper {
            self.found.upper = upper;
            self.found.weights = weights.to_vec();
        }
        (says, -own as f64 / self.whole(all))
    }

    /// What weights that add up to so much pay at a payoff of 1.
    fn whole(&self, all: i64) -> f64 {
        all as f64 * self.game.parts() as f64
    }

    /// A guess of the oracle and how much it is paid, of 1.
    fn guess(&mut self, weights: &[i64]) -> Option<(Says, f64)> {
        let costs = self.game.costs(weights);
        let says = self.oracle.guess(&costs)?;
        let paid = -self.game.cost(&says, &costs) as f64 / self.whole(weights.iter().sum::<i64>());
        Some((says, paid))
    }

    /// What is certain of a mixture of the classifiers that joined; returns what it is paid in each row, of 1.
    fn mix(&mut self, parts: &[f64]) -> Vec<f64> {
        let whole = whole(parts);
        let (k, all) = (self.game.classes(), whole.iter().sum::<i64>());
        let mut votes = vec![0; self.game.examples() * k];
        for (joined, &part) in self.classifiers.iter().zip(&whole) {
            if part > 0 {
                self.game.vote(&mut votes, &joined.says, part);
            }
        }
        let paid: Vec<i64> = self.game.payoffs(&votes).collect();
        if all > 0 {
            let lower = paid.iter().copied().min().unwrap_or(0) as f64 / self.whole(all);
            if lower > self.found.lower {
                self.found.lower = lower;
                let used = self.classifiers.iter().zip(&whole).filter(|(_, part)| **part > 0);
                self.found.mixture = used.map(|(joined, &part)| (part, joined.says.clone())).collect();
            }
        }
        paid.into_iter().map(|paid| paid as f64 / self.whole(all.max(1))).collect()
    }

    /// Rounds of boosting that start from weights: classifiers that are paid more than the mixture is sure of join, and
    /// weights move to where they are not. (This is `AdaBoost` with the lower bound as the margin to reach.)
    ///
    /// The first question is to prove something; after it a guess will do as long as it is paid enough.
    fn boost(&mut self, weights: &[f64], rounds: usize) {
        let mut weights = weights.to_vec();
        let most = self.classifiers.len() + MANY;
        for round in 0..rounds {
            let sum: f64 = weights.iter().sum();
            for weight in &mut weights {
                *weight = (*weight / sum).max(1e-18);
            }
            let (enough, asked) = (self.found.lower + 0.1 * self.wish.tolerance, whole(&weights));
            let guess = if round > 0 { self.guess(&asked) } else { None };
            let (says, edge) =
                guess.filter(|(_, paid)| *paid > enough).unwrap_or_else(|| self.question(&asked));
            if edge <= enough || !self.open() || self.classifiers.len() >= most {
                break;
            }
            let logit = |x: f64| 0.5 * ((1.0 + x) / (1.0 - x)).ln();
            let limit = |x: f64| x.clamp(-0.999, 0.999);
            let step = logit(limit(edge)) - logit(limit(self.found.lower));
            for (row, weight) in weights.iter_mut().enumerate() {
                let paid = self.game.payoff(row, says[self.game.row(row).0]);
                *weight *= exp(-step * paid as f64 / self.game.parts() as f64);
            }
            self.join(says);
        }
    }

    /// Rows for the first solution: all if they are few, else those with the smallest payoffs under boosting.
    fn first_rows(&mut self) {
        let paid = self.mix(&vec![1.0; self.classifiers.len()]);
        self.join_rows(&paid, 2 * JOIN);
    }

    /// The rows with the smallest payoffs join.
    fn join_rows(&mut self, paid: &[f64], most: usize) {
        let mut out: Vec<usize> = (0..paid.len()).filter(|&row| !self.inside[row]).collect();
        out.sort_by(|&a, &b| paid[a].total_cmp(&paid[b]).then(a.cmp(&b)));
        out.truncate(most);
        for &row in &out {
            self.inside[row] = true;
        }
        self.rows.extend(out);
    }

    fn turn(&mut self) {
        self.found.turns += 1;
        let gap = self.found.upper - self.found.lower;
        let payoffs = self.payoffs();
        let (r, n) = payoffs.dim();
        self.work += STEPS * (r * n * r.min(n)) as f64;
        let Play { columns, rows } = play(&payoffs, (0.05 * gap).clamp(0.1 * self.wish.tolerance, 0.01));
        let paid = self.mix(&columns);
        let mut weights = vec![0.0; self.game.rows()];
        for (&row, &weight) in self.rows.iter().zip(&rows) {
            weights[row] = weight;
        }
        let edges = payoffs.t().dot(&Array1::from(rows)).to_vec();
        let (known, asked) = (self.classifiers.len(), self.found.asked);
        self.boost(&weights, self.oracle.patience());
        let news = self.classifiers.len() > known;
        self.simple(&weights);
        self.leave(&edges, &paid);
        let sure = self.rows.iter().map(|&row| paid[row]).fold(f64::INFINITY, f64::min);
        let violated =
            (0..paid.len()).filter(|&row| !self.inside[row] && paid[row] < sure + 0.2 * gap).count();
        self.join_rows(&paid, violated.min(JOIN));
        self.still = if news || violated > 0 { 0 } else { self.still + 1 };
        // A question takes a few additions for each cost.
        self.work += 30.0 * ((self.found.asked - asked) * self.game.examples() * self.game.classes()) as f64;
    }

    fn payoffs(&self) -> Array2<f64> {
        let rows: Vec<(usize, usize)> = self.rows.iter().map(|&row| (row, self.game.row(row).0)).collect();
        Array2::from_shape_fn((rows.len(), self.classifiers.len()), |(r, c)| {
            let (row, example) = rows[r];
            self.game.payoff(row, self.classifiers[c].says[example]) as f64 / self.game.parts() as f64
        })
    }

    /// Tries the weights as small whole numbers.
    fn simple(&mut self, weights: &[f64]) {
        let gap = self.found.upper - self.found.lower;
        if gap > 1e-3 || !self.exact {
            return;
        }
        let most = weights.iter().fold(0.0f64, |most, &w| w.max(most));
        for largest in 1..=SIMPLE {
            let whole: Vec<i64> =
                weights.iter().map(|w| (w / most * largest as f64).round() as i64).collect();
            // If a guess is paid as much as the upper bound, these weights prove nothing new.
            if self.guess(&whole).is_none_or(|(_, paid)| paid < self.found.upper) {
                self.question(&whole);
            }
        }
    }

    /// Classifiers that are paid little and rows that pay much leave after a while.
    fn leave(&mut self, edges: &[f64], paid: &[f64]) {
        let gap = (self.found.upper - self.found.lower).max(self.wish.tolerance);
        let most = edges.iter().fold(f64::NEG_INFINITY, |most, &edge| edge.max(most));
        for (joined, &edge) in self.classifiers.iter_mut().zip(edges) {
            joined.idle = match joined.idle {
                STAYS => STAYS,
                _ if edge > most - 2.0 * gap => 0,
                turns => turns + 1,
            };
        }
        let leaves = |joined: &mut Joined| joined.idle != STAYS && joined.idle >= IDLE;
        self.gone.extend(self.classifiers.extract_if(.., leaves).map(|joined| joined.says));
        let sure = self.rows.iter().map(|&row| paid[row]).fold(f64::INFINITY, f64::min);
        for &row in &self.rows {
            // Whoever left and came back stays.
            let easy = &mut self.easy[row];
            *easy = match *easy {
                STAYS => STAYS,
                _ if paid[row] < sure + 2.0 * gap => 0,
                turns => turns + 1,
            };
        }
        let easy = &mut self.easy;
        let inside = &mut self.inside;
        self.rows.retain(|&row| {
            let leaves = easy[row] != STAYS && easy[row] >= IDLE;
            if leaves {
                (inside[row], easy[row]) = (false, STAYS);
            }
            !leaves
        });
    }
}

/// Strategies as whole numbers.
fn whole(parts: &[f64]) -> Vec<i64> {
    let sum: f64 = parts.iter().sum();
    parts.iter().map(|part| (part / sum * ONE).round() as i64).collect()
}
