//! Potentials under the minimal condition: the recurrence (44).
//!
//! ```text
//! φₜ(s) = max_{2 ≤ a ≤ k} γ φₜ₋₁(s + e₁) + (1 − γ) (φₜ₋₁(s + e₁) + the a − 1 largest φₜ₋₁(s + e_l)) / a
//! ```
//!
//! A potential does not depend on the order of the wrong classes. So a layer, all states after n rounds, holds one number
//! for each way to give at most n votes to k − 1 classes, most votes first; the own class has the rest. States are
//! ranked without looking them up, and a layer needs the next one only. The number of states still grows like
//! T^(k − 1): this is for small k or small T, and what is too large is refused.

use manyboost_data::{Error, ErrorKind, Result};
use rayon::prelude::*;

use super::GameLoss;

/// The most states of a layer.
const MOST_STATES: u64 = 1 << 26;

/// The most states of all layers that are kept.
const MOST_KEPT: u64 = 1 << 27;

/// Ranks ways to give at most so many votes to some classes, most votes first.
#[derive(Clone, Debug)]
struct Ranks {
    classes: usize,
    votes: usize,
    /// Ways to give at most n votes to c classes, none more than m: at `(c (V + 1) + m) (V + 1) + n`.
    ways: Vec<u64>,
}

impl Ranks {
    /// For so many (wrong) classes and up to so many votes.
    fn new(classes: usize, votes: usize) -> Result<Self> {
        let side = votes + 1;
        let table = (classes as u64 + 1).saturating_mul((side as u64).saturating_mul(side as u64));
        if table > MOST_STATES {
            return Err(too_large(classes + 1, votes));
        }
        let mut ranks = Self { classes, votes, ways: vec![1; (classes + 1) * side * side] };
        for c in 1..=classes {
            for most in 1..side {
                for n in 0..side {
                    let with = if n >= most { ranks.ways[ranks.at(c - 1, most, n - most)] } else { 0 };
                    let at = ranks.at(c, most, n);
                    ranks.ways[at] = ranks.ways[ranks.at(c, most - 1, n)].saturating_add(with);
                }
            }
        }
        Ok(ranks)
    }

    #[inline]
    fn at(&self, classes: usize, most: usize, votes: usize) -> usize {
        (classes * (self.votes + 1) + most) * (self.votes + 1) + votes
    }

    /// The number of states after `n` rounds.
    fn states(&self, n: usize) -> u64 {
        self.ways[self.at(self.classes, n, n)]
    }

    /// How many states are before those in which class `c` (from the most voted one) has `votes`, where `left` votes may
    /// still be given.
    #[inline]
    fn before(&self, c: usize, votes: usize, left: usize) -> usize {
        if votes == 0 { 0 } else { self.ways[self.at(self.classes - c, votes - 1, left)] as usize }
    }

    /// The rank of a state after `n` rounds.
    #[inline]
    fn rank(&self, state: &[usize], n: usize) -> usize {
        let mut left = n;
        let mut rank = 0;
        for (c, &votes) in state.iter().enumerate() {
            rank += self.before(c, votes, left);
            left -= votes;
        }
        rank
    }

    /// Moves on to the next state after `n` rounds in which the first class keeps its votes.
    fn next(state: &mut [usize], n: usize) -> bool {
        let mut sum: usize = state.iter().sum();
        for c in (1..state.len()).rev() {
            if state[c] < state[c - 1] && sum < n {
                state[c] += 1;
                return true;
            }
            sum -= state[c];
            state[c] = 0;
        }
        false
    }
}

fn too_large(classes: usize, rounds: usize) -> Error {
    let what =
        format!("{classes} classes and {rounds} rounds have too many states for the minimal condition");
    Error::new(ErrorKind::Limit, what, "take fewer classes or rounds, or the uniform condition")
}

/// The number of states after all rounds of a game: what potentials under the minimal condition cost, for each round.
pub fn states(classes: usize, rounds: usize) -> Result<u64> {
    Ok(Ranks::new(classes.saturating_sub(1), rounds)?.states(rounds))
}

/// The potentials of all states after some round.
#[derive(Clone, Debug)]
pub struct Layers {
    ranks: Ranks,
    rounds: usize,
    /// The last layer first, down to the first that was asked for.
    kept: Vec<Vec<f64>>,
}

impl Layers {
    /// Every layer of a game with these edges, one for each round.
    pub fn all(classes: usize, edges: &[f64], loss: GameLoss) -> Result<Self> {
        let ranks = Ranks::new(classes.saturating_sub(1), edges.len())?;
        let states = (0..=edges.len()).fold(0u64, |sum, n| sum.saturating_add(ranks.states(n)));
        if states > MOST_KEPT {
            return Err(too_large(classes, edges.len()));
        }
        Self::down_to(ranks, classes, edges, loss, usize::MAX)
    }

    /// The layer before the first round.
    pub fn last(classes: usize, edges: &[f64], loss: GameLoss) -> Result<Self> {
        let ranks = Ranks::new(classes.saturating_sub(1), edges.len())?;
        Self::down_to(ranks, classes, edges, loss, 1)
    }

    /// Goes from the end to the beginning and keeps so many layers.
    fn down_to(ranks: Ranks, classes: usize, edges: &[f64], loss: GameLoss, kept: usize) -> Result<Self> {
        let rounds = edges.len();
        if ranks.states(rounds) > MOST_STATES {
            return Err(too_large(classes, rounds));
        }
        let mut layers = vec![layer(&ranks, rounds, |state, n, _| {
            let own = (n - state.iter().sum::<usize>()) as i64;
            loss.of(state.iter().map(|&votes| own - votes as i64))
        })];
        for (n, &gamma) in edges.iter().enumerate().rev() {
            let after = &layers[layers.len() - 1];
            let now = layer(&ranks, n, |state, n, values| {
                values.resize(classes.max(1), 0.0);
                if loss == GameLoss::ZeroOne
                    && let Some(decided) = decided(state, n, rounds - n)
                {
                    return decided;
                }
                neighbours(&ranks, after, state, n, values);
                worst(gamma, values).0
            });
            if layers.len() == kept {
                layers.clear();
            }
            layers.push(now);
        }
        Ok(Self { ranks, rounds, kept: layers })
    }

    /// The potential of a state, given the votes of the wrong classes, most first, in the layer before the first round.
    pub fn potential(&self, state: &[usize]) -> f64 {
        self.kept.last().map_or(0.0, |layer| layer[self.ranks.rank(state, 0)])
    }

    /// The potentials after round `n`, whose vote goes to the own class or to one of the others; their votes before the
    /// round are given, most first. Of all layers only.
    pub fn neighbours(&self, n: usize, state: &mut [usize], out: &mut [f64]) {
        neighbours(&self.ranks, &self.kept[self.rounds - n], state, n - 1, out);
    }

    /// The potential of a state after `n` rounds, given the votes of the wrong classes, most first; of all layers only.
    pub fn after(&self, n: usize, state: &[usize]) -> f64 {
        self.kept[self.rounds - n][self.ranks.rank(state, n)]
    }
}

/// A number for each state after `n` rounds; states with the same votes for the first class are one task.
fn layer(
    ranks: &Ranks,
    n: usize,
    potential: impl Fn(&mut [usize], usize, &mut Vec<f64>) -> f64 + Sync,
) -> Vec<f64> {
    let mut numbers = vec![0.0; ranks.states(n) as usize];
    if ranks.classes == 0 {
        numbers[0] = potential(&mut [], n, &mut Vec::new());
        return numbers;
    }
    let mut rest = numbers.as_mut_slice();
    let mut tasks = Vec::with_capacity(n + 1);
    for first in 0..=n {
        let count = ranks.ways[ranks.at(ranks.classes, first, n)] as usize - ranks.before(0, first, n);
        tasks.push((first, rest.split_off_mut(..count).unwrap_or_default()));
    }
    tasks.into_par_iter().with_max_len(1).for_each(|(first, numbers)| {
        let mut state = vec![0; ranks.classes];
        state[0] = first;
        let mut values = Vec::new();
        for number in numbers {
            *number = potential(&mut state, n, &mut values);
            Ranks::next(&mut state, n);
        }
    });
    numbers
}

/// The zero-one potential of a state that no vote can change any more.
fn decided(state: &[usize], n: usize, rounds: usize) -> Option<f64> {
    let own = n - state.iter().sum::<usize>();
    match state.first() {
        Some(&most) if most >= own + rounds => Some(1.0),
        Some(&most) if own > most + rounds => Some(0.0),
        None => Some(0.0),
        Some(_) => None,
    }
}

/// The potentials after one more vote: for the own class, then for each of the others.
fn neighbours(ranks: &Ranks, after: &[f64], state: &mut [usize], n: usize, values: &mut [f64]) {
    values[0] = after[ranks.rank(state, n + 1)];
    for c in 0..state.len() {
        // Classes with equal votes are alike; the first of them moves ahead of the others.
        values[c + 1] = if c > 0 && state[c] == state[c - 1] {
            values[c]
        } else {
            state[c] += 1;
            let value = after[ranks.rank(state, n + 1)];
            state[c] -= 1;
            value
        };
    }
}

/// The largest expectation of (44) and its degree a, the smallest of equals. The first value is that of the own class; the
/// others are put in descending order.
pub(crate) fn worst(gamma: f64, values: &mut [f64]) -> (f64, usize) {
    let Some((&mut own, others)) = values.split_first_mut() else { return (0.0, 0) };
    if others.is_empty() {
        return (own, 1);
    }
    others.sort_unstable_by(|a, b| b.total_cmp(a));
    let (mut sum, mut best, mut degree) = (own, f64::NEG_INFINITY, 0);
    for (at, value) in others.iter().enumerate() {
        sum += value;
        let mean = sum / (at + 2) as f64;
        if mean > best {
            (best, degree) = (mean, at + 2);
        }
    }
    (gamma * own + (1.0 - gamma) * best, degree)
}

/// How much more the worst guessing without an edge costs than a vote for the own class, which comes first.
pub(crate) fn worst_excess(values: &[f64]) -> f64 {
    worst(0.0, &mut values.to_vec()).0 - values[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_order_of_states() {
        let ranks = Ranks::new(3, 9).unwrap();
        for n in 0..=9 {
            let mut rank = 0;
            for first in 0..=n {
                let mut state = vec![first, 0, 0];
                loop {
                    assert_eq!(ranks.rank(&state, n), rank, "{state:?} of {n}");
                    rank += 1;
                    if !Ranks::next(&mut state, n) {
                        break;
                    }
                }
            }
            assert_eq!(rank as u64, ranks.states(n));
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        assert!(Layers::last(30, &[0.1; 200], GameLoss::ZeroOne).is_err());
        assert!(Layers::all(1000, &[0.1; 1000], GameLoss::ZeroOne).is_err());
        assert!(Layers::last(3, &vec![0.1; 100_000], GameLoss::ZeroOne).is_err());
    }
}
