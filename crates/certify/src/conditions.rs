//! The weak-learning conditions of the papers, by value.
//!
//! With V(i, l) the share of a mixture of classifiers that says l of example i, y its class, and all values those of the best mixture
//! for the hardest example (or weights of examples, which is the same by duality):
//!
//! | condition | value | holds if |
//! |---|---|---|
//! | boostable; MR's condition, and the minimal one (13) (Mukherjee & Schapire 2013, Theorem 6) | γ = V(i, y) − V(i, l) | γ > 0 |
//! | edge over random, baseline `U_γ` | 1 − k max V(i, l) over wrong classes l | positive |
//! | M1's and MH's (Lemma 2) | 2 V(i, y) − 1 | positive |
//! | MH's for sets of classes as answers | 2 V − 1, V the share of answers to single classes that are right | positive |
//! | MR's for sets of classes as answers | V(i, y) − V(i, l), V(i, l) the share of answers with l | positive |
//! | SAMME's | V(i, y) − 1/k | positive; does not make boosting possible |
//! | iterative weak learnability on the classes A (Cho, Libgober & Ding 2024) | 2 V(i, y) − 2/\|A\|, classifiers that say classes of A only | positive |
//!
//! Cho, Libgober & Ding 2024 asks for the last one on every A with all classes that occur. On data with examples of all classes these are all
//! classes together; we also look at smaller sets, with the examples of their classes only. That is about the classes as they
//! are. Epochs after the first relabel the rows, and what its theorem needs then is asked apart (`labellings`).

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::game::{Game, GameKind};
use crate::generate::{Certificate, Start, Wish, solve};
use crate::given;
use crate::oracle::{HypothesisSpace, Says};

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How close bounds shall be.
    pub tolerance: f64,
    /// Sets of so many classes at most are looked at one by one, and all classes together.
    pub subsets: usize,
    /// Multiplications to spend on the game of margins; the others get a tenth each.
    pub work: f64,
}

impl Default for Settings {
    /// Bounds within 10⁻⁶ of one another, all pairs of classes, and some minutes of work at most.
    fn default() -> Self {
        Self { tolerance: 1e-6, subsets: 2, work: 4e12 }
    }
}

impl Settings {
    fn of(self, kind: GameKind, classes: usize, stop: &AtomicBool) -> Wish<'_> {
        let (tolerance, work) = match kind {
            GameKind::Margin => (self.tolerance, self.work),
            // Twice the accuracy, and k times the largest vote for a mistake, shall be as close.
            GameKind::Accuracy | GameKind::Labels => (0.5 * self.tolerance, 0.1 * self.work),
            GameKind::Mistakes => (self.tolerance / classes as f64, 0.1 * self.work),
            GameKind::Baseline | GameKind::Pairs => (self.tolerance, 0.1 * self.work),
        };
        Wish { tolerance, work, stop }
    }
}

/// Between what a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// It is at least this.
    pub lower: f64,
    /// It is at most this.
    pub upper: f64,
}

impl Interval {
    /// a x + b for all of it; a is positive.
    fn mapped(self, a: f64, b: f64) -> Self {
        Self { lower: a * self.lower + b, upper: a * self.upper + b }
    }

    /// Whether it is positive: `None` if that is not known. What is too small to tell from 0 is not positive.
    pub fn holds(self, tolerance: f64) -> Option<bool> {
        if self.lower > 0.0 {
            Some(true)
        } else if self.upper <= tolerance {
            Some(false)
        } else {
            None
        }
    }
}

impl From<&Certificate> for Interval {
    fn from(found: &Certificate) -> Self {
        Self { lower: found.lower, upper: found.upper }
    }
}

/// Iterative weak learnability on a set of classes.
#[derive(Clone, Debug)]
pub struct Subset {
    /// The classes.
    pub classes: Vec<u32>,
    /// Examples of these classes.
    pub rows: usize,
    /// Whether all examples are among them.
    pub whole: bool,
    /// The value; `None` if no classifier says these classes only.
    pub value: Option<Interval>,
}

/// Everything that is certain of a space of classifiers on some examples.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Number of classes.
    pub classes: usize,
    /// Number of examples.
    pub rows: usize,
    /// How close bounds were to be.
    pub tolerance: f64,
    /// Whether upper bounds are about all classifiers of the space, or about those that the learner finds.
    pub exact: bool,
    /// The game of margins, with the best mixture and the hardest weights.
    pub margin: Certificate,
    /// The accuracy on the hardest weights of examples.
    pub accuracy: Interval,
    /// The edge over random that the mixture with the smallest votes for wrong classes has.
    pub edge_over_random: Interval,
    /// MH's condition, where classifiers say yes or no to each class: twice the share of right answers on the hardest weights of rows and classes,
    /// less 1. `None` if the space has no such classifiers.
    pub mh_of_sets: Option<Interval>,
    /// MR's condition for the same classifiers.
    pub mr_of_sets: Option<Interval>,
    /// Iterative weak learnability, all classes last.
    pub subsets: Vec<Subset>,
    /// Two rows of different classes that no classifier tells apart.
    pub alike: Option<[u32; 2]>,
    /// Whether classifiers beat guessing however the rows are relabelled; `None` if that is not known.
    pub beats_guessing: Option<bool>,
    /// Whether every classifier is there under any other names of its classes (Cho, Libgober & Ding 2024, Definition 3.5).
    pub symmetric: bool,
    /// The separation property on these rows (Definition 3.8); a symmetric space that has it is iteratively weakly learnable (Corollary 3.9).
    pub separates: Option<bool>,
}

/// Finds the values of all conditions; there are k ≥ 2 classes, and y has the class of each row. Once `stop` is set, intervals
/// stay as wide as they are.
pub fn certify(
    space: &dyn HypothesisSpace,
    y: &[u32],
    k: usize,
    settings: Settings,
    stop: &AtomicBool,
) -> Findings {
    let alike = space.alike(y);
    let solved = |kind: GameKind| {
        let rows: Vec<u32> = (0..y.len() as u32).collect();
        let classes: Vec<u32> = (0..k as u32).collect();
        let game = Game::new(kind, y.to_vec(), k);
        let known = alike.filter(|_| kind == GameKind::Margin).map(|pair| opposed(&game, pair));
        value(space, &game, &rows, &classes, known.as_deref(), settings.of(kind, k, stop))
    };
    let of_sets = |kind: GameKind| {
        let game = Game::new(kind, y.to_vec(), k);
        let mut oracle = space.sets_oracle(k)?;
        let (exact, wish) = (space.is_exact(), settings.of(kind, k, stop));
        Some(Interval::from(&solve(&game, oracle.as_mut(), exact, Start::default(), wish)))
    };
    let (mh_of_sets, mr_of_sets) = rayon::join(|| of_sets(GameKind::Labels), || of_sets(GameKind::Pairs));
    let ((margin, mistakes), mut subsets) = rayon::join(
        || rayon::join(|| solved(GameKind::Margin), || solved(GameKind::Mistakes)),
        || subsets(space, y, k, settings, stop),
    );
    let beats_guessing = space.beats_guessing(y, stop);
    let nothing = Certificate::nothing();
    let (margin, mistakes) = (margin.unwrap_or_else(|| nothing.clone()), mistakes.unwrap_or(nothing));
    subsets.sort_by_key(|subset| subset.classes.len());
    let all = subsets.last().and_then(|all| all.value).unwrap_or(Interval { lower: 0.0, upper: 1.0 });
    Findings {
        classes: k,
        rows: y.len(),
        tolerance: settings.tolerance,
        exact: space.is_exact(),
        accuracy: all.mapped(0.5, 1.0 / k as f64),
        edge_over_random: Interval::from(&mistakes).mapped(k as f64, 1.0),
        margin,
        mh_of_sets: mh_of_sets.map(|share| share.mapped(2.0, -1.0)),
        mr_of_sets,
        subsets,
        alike,
        beats_guessing,
        symmetric: space.is_symmetric(),
        separates: space.separates(),
    }
}

/// What the best mixture leaves below a baseline, k numbers for each row: the least of B(i, l) − V(i, l) over the wrong classes l. The weak-learning condition of
/// B against all cost matrices whose least entry is that of the own class holds if that is not negative. `None` if there are no classifiers.
pub fn certify_baseline(
    space: &dyn HypothesisSpace,
    y: &[u32],
    k: usize,
    baseline: &[f64],
    settings: Settings,
    stop: &AtomicBool,
) -> Option<Interval> {
    let rows: Vec<u32> = (0..y.len() as u32).collect();
    let classes: Vec<u32> = (0..k as u32).collect();
    let game = Game::against(baseline, y.to_vec(), k);
    let found = value(space, &game, &rows, &classes, None, settings.of(GameKind::Baseline, k, stop))?;
    Some(Interval::from(&found))
}

/// The weak-learning condition of cost matrices that are given, k numbers for each row, one matrix after the other, against a baseline (Mukherjee & Schapire 2013, (2)):
/// by how much, relative to the range of its costs, some classifier is cheaper than the baseline on the hardest mixture of them. `None` if there are no classifiers.
pub fn certify_costs(
    space: &dyn HypothesisSpace,
    k: usize,
    matrices: &[f64],
    baseline: &[f64],
    settings: Settings,
    stop: &AtomicBool,
) -> Option<Interval> {
    given::value(space, k, matrices, baseline, settings.of(GameKind::Baseline, k, stop))
}

/// Weights for which it does not matter what is said of two rows that look the same.
fn opposed(game: &Game, [a, b]: [u32; 2]) -> Vec<i64> {
    let class = |row: u32| game.class(row as usize);
    let wrong = |row: usize| {
        let (i, _, l) = game.row(row);
        (i == a as usize && l == class(b)) || (i == b as usize && l == class(a))
    };
    (0..game.rows()).map(|row| i64::from(wrong(row))).collect()
}

fn value(
    space: &dyn HypothesisSpace,
    game: &Game,
    rows: &[u32],
    classes: &[u32],
    known: Option<&[i64]>,
    wish: Wish<'_>,
) -> Option<Certificate> {
    let mut oracle = space.oracle(rows, classes)?;
    let constant = |class: usize| -> Says { vec![class as u32; rows.len()] };
    let start: Vec<Says> =
        if space.is_symmetric() { (0..classes.len()).map(constant).collect() } else { Vec::new() };
    let start = Start { says: &start, weights: known };
    Some(solve(game, oracle.as_mut(), space.is_exact(), start, wish))
}

/// Sets of classes, each with the classes' examples; all classes together are among them.
fn subsets(
    space: &dyn HypothesisSpace,
    y: &[u32],
    k: usize,
    settings: Settings,
    stop: &AtomicBool,
) -> Vec<Subset> {
    let mut sets = combinations(k, settings.subsets.min(k - 1));
    sets.push((0..k as u32).collect());
    let solved = |classes: Vec<u32>| {
        let rows: Vec<u32> =
            (0..y.len() as u32).filter(|&row| classes.binary_search(&y[row as usize]).is_ok()).collect();
        let place = |&row: &u32| classes.partition_point(|&class| class < y[row as usize]) as u32;
        let game = Game::new(GameKind::Accuracy, rows.iter().map(place).collect(), classes.len());
        let found = if rows.is_empty() {
            None
        } else {
            value(space, &game, &rows, &classes, None, settings.of(GameKind::Accuracy, k, stop))
        };
        let value = found.map(|found| Interval::from(&found).mapped(2.0, -2.0 / classes.len() as f64));
        Subset { rows: rows.len(), whole: rows.len() == y.len(), value, classes }
    };
    sets.into_par_iter().with_max_len(1).map(solved).collect()
}

/// All sets of 2 to `most` of k classes, each ascending.
fn combinations(k: usize, most: usize) -> Vec<Vec<u32>> {
    let mut sets: Vec<Vec<u32>> = (0..k as u32).map(|class| vec![class]).collect();
    let mut all = Vec::new();
    for _ in 2..=most {
        let longer = |set: &Vec<u32>| -> Vec<Vec<u32>> {
            let next = set.last().map_or(0, |last| last + 1);
            (next..k as u32).map(|class| [set.as_slice(), &[class]].concat()).collect()
        };
        sets = sets.iter().flat_map(longer).collect();
        all.extend(sets.iter().cloned());
    }
    all
}

impl Findings {
    /// V(i, l): the share of the best mixture that says l of example i, k numbers for each. As a baseline it is one that the space satisfies, with the
    /// margin as its edge (Mukherjee & Schapire 2013, Theorem 4).
    pub fn votes(&self) -> Vec<f64> {
        let all: i64 = self.margin.mixture.iter().map(|(weight, _)| weight).sum();
        let mut votes = vec![0.0; self.rows * self.classes];
        for (weight, says) in &self.margin.mixture {
            for (votes, &l) in votes.chunks_exact_mut(self.classes).zip(says) {
                votes[l as usize] += *weight as f64 / all as f64;
            }
        }
        votes
    }

    /// The largest margin.
    pub fn margin_interval(&self) -> Interval {
        Interval::from(&self.margin)
    }

    /// Whether some mixture is right on every example; `None` if that is not known.
    pub fn boostable(&self) -> Option<bool> {
        self.margin_interval().holds(self.tolerance)
    }

    /// SAMME's condition.
    pub fn samme(&self) -> Interval {
        self.accuracy.mapped(1.0, -1.0 / self.classes as f64)
    }

    /// The condition of M1, and of MH where hypotheses name one class.
    pub fn m1(&self) -> Interval {
        self.accuracy.mapped(2.0, -1.0)
    }

    /// Iterative weak learnability as Cho, Libgober & Ding 2024 has it: the least over all sets with every class that occurs. `None` if no
    /// classifier is there for one of them.
    pub fn iterative(&self) -> Option<Interval> {
        least(self.subsets.iter().filter(|subset| subset.whole))
    }

    /// The least over the smaller sets, which have the examples of their own classes only.
    pub fn iterative_on_parts(&self) -> Option<Interval> {
        least(self.subsets.iter().filter(|subset| !subset.whole))
    }

    /// Rounds after which MM's bound (k − 1) (1 − γ²)^(T/2) is less than one example, if the learner has the edge γ in all rounds.
    pub fn rounds_of_mm(&self) -> Option<f64> {
        self.rounds(self.margin.lower, self.classes - 1)
    }

    /// Rounds T after which `times` (1 − γ²)^(T/2) is less than one example.
    pub(crate) fn rounds(&self, gamma: f64, times: usize) -> Option<f64> {
        if gamma <= 0.0 {
            return None;
        }
        let needed = ((self.rows * times) as f64).ln();
        Some(if gamma < 1.0 { (-2.0 * needed / (-gamma * gamma).ln_1p()).floor() + 1.0 } else { 1.0 })
    }

    /// The hardest weights: (row, wrong class, share), the largest first.
    pub fn hardest(&self, y: &[u32]) -> Vec<(usize, u32, f64)> {
        let game = Game::new(GameKind::Margin, y.to_vec(), self.classes);
        let all = self.margin.weights.iter().sum::<i64>() as f64;
        let weighted = self.margin.weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
        let share = |(row, &weight): (usize, &i64)| {
            let (i, _, l) = game.row(row);
            (i, l, weight as f64 / all)
        };
        let mut rows: Vec<(usize, u32, f64)> = weighted.map(share).collect();
        rows.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        rows
    }
}

fn least<'a>(mut subsets: impl Iterator<Item = &'a Subset>) -> Option<Interval> {
    let first = subsets.next()?.value?;
    subsets.try_fold(first, |least, subset| {
        let value = subset.value?;
        Some(Interval { lower: least.lower.min(value.lower), upper: least.upper.min(value.upper) })
    })
}
