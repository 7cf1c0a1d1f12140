//! The games whose values are weak-learning conditions.
//!
//! A player mixes classifiers; V(i, l) is the share of the mixture that says l of example i. The other player chooses a
//! row of the game, and with it an example i (and a wrong class l), and pays:
//!
//! | game | row | payoff | value |
//! |---|---|---|---|
//! | margin | (i, l) | V(i, y) − V(i, l) | the largest margin γ: boostable if positive (Theorem 6 of Mukherjee & Schapire 2013) |
//! | accuracy | i | V(i, y) | the accuracy on the hardest weights of examples |
//! | mistakes | (i, l) | −V(i, l) | minus the smallest largest vote for a wrong class |
//! | baseline | (i, l) | B(i, l) − V(i, l) | what is left below a baseline B: its condition holds if that is not negative (proof of Theorem 3) |
//! | pairs | (i, l) | V(i, y) − V(i, l) | the same of classifiers that answer with sets of classes: MR's condition for them |
//! | labels | (i, l) | V(i, y), or 1 − V(i, l) | the share of answers to single classes that are right on the hardest weights: MH's condition for sets |
//!
//! In the last two, V(i, l) is the share of the mixture whose set of classes has l. One class more than there are is in every set: its share is 1.
//!
//! Votes, weights and payoffs are whole numbers, so that what is said of them is exact.

/// Which game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameKind {
    /// The lead of the own class over each other one.
    Margin,
    /// The vote of the own class.
    Accuracy,
    /// Minus the vote of each other class.
    Mistakes,
    /// What a baseline has more for each other class.
    Baseline,
    /// The lead of the own class over each other one, where answers are sets.
    Pairs,
    /// Whether a class is in the answer as it should be.
    Labels,
}

impl GameKind {
    /// Whether classifiers answer with sets.
    pub(crate) fn has_sets(self) -> bool {
        matches!(self, Self::Pairs | Self::Labels)
    }
}

/// Payoffs of baselines are whole multiples of one part in so many.
const PARTS: i64 = 1 << 20;

/// A game on some examples.
#[derive(Clone, Debug)]
pub struct Game {
    kind: GameKind,
    /// The class of each example.
    y: Vec<u32>,
    /// Number of classes.
    k: usize,
    /// B(i, l) of each row, in parts; empty if there is none.
    baseline: Vec<i64>,
}

impl Game {
    /// On examples of these classes, of which there are k.
    pub fn new(kind: GameKind, y: Vec<u32>, k: usize) -> Self {
        Self { kind, y, k, baseline: Vec::new() }
    }

    /// Against a baseline, k numbers for each example.
    pub fn against(baseline: &[f64], y: Vec<u32>, k: usize) -> Self {
        let mut game = Self::new(GameKind::Baseline, y, k);
        let parts = |row: usize| {
            let (i, _, l) = game.row(row);
            (baseline[i * k + l as usize] * PARTS as f64).round() as i64
        };
        game.baseline = (0..game.rows()).map(parts).collect();
        game
    }

    /// Payoffs are whole multiples of one part in so many.
    pub fn parts(&self) -> i64 {
        if self.kind == GameKind::Baseline { PARTS } else { 1 }
    }

    fn is_of_mistakes(&self) -> bool {
        matches!(self.kind, GameKind::Mistakes | GameKind::Baseline)
    }

    fn baseline(&self, row: usize) -> i64 {
        self.baseline.get(row).copied().unwrap_or(0)
    }

    /// Number of examples.
    pub fn examples(&self) -> usize {
        self.y.len()
    }

    /// The class of an example.
    pub fn class(&self, example: usize) -> u32 {
        self.y[example]
    }

    /// Number of classes, and of sets one more, which is in all of them.
    pub fn classes(&self) -> usize {
        self.k + usize::from(self.kind.has_sets())
    }

    /// Rows that an example has.
    fn each(&self) -> usize {
        match self.kind {
            GameKind::Accuracy => 1,
            GameKind::Labels => self.k,
            _ => self.k - 1,
        }
    }

    /// The classes of an answer.
    fn said(&self, says: u32) -> impl Iterator<Item = usize> {
        let (one, set) = if self.kind.has_sets() { (None, says) } else { (Some(says as usize), 0) };
        one.into_iter().chain((0..u32::BITS as usize).filter(move |l| set >> l & 1 == 1))
    }

    /// Adds a classifier to votes, as many for each example as there are classes.
    pub fn vote(&self, votes: &mut [i64], says: &[u32], weight: i64) {
        for (votes, &says) in votes.chunks_exact_mut(self.classes()).zip(says) {
            self.said(says).for_each(|l| votes[l] += weight);
        }
    }

    /// What a classifier costs.
    pub fn cost(&self, says: &[u32], costs: &[i64]) -> i64 {
        let of = |(&says, costs): (&u32, &[i64])| self.said(says).map(|l| costs[l]).sum::<i64>();
        says.iter().zip(costs.chunks_exact(self.classes())).map(of).sum()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.y.len() * self.each()
    }

    /// The example of a row, its class, and the wrong class that it is about (its own where it is about none).
    pub fn row(&self, row: usize) -> (usize, u32, u32) {
        let i = row / self.each();
        let (y, l) = (self.y[i], (row % self.each()) as u32);
        match self.kind {
            GameKind::Accuracy => (i, y, y),
            GameKind::Labels => (i, y, l),
            _ => (i, y, l + u32::from(l >= y)),
        }
    }

    /// What a row pays to a classifier that says `class` of its example, in parts.
    pub fn payoff(&self, row: usize, says: u32) -> i64 {
        let (_, y, l) = self.row(row);
        if self.kind.has_sets() {
            let has = |class: u32| i64::from(says >> class & 1);
            return match self.kind {
                GameKind::Labels if l == y => has(l),
                GameKind::Labels => 1 - has(l),
                _ => has(y) - has(l),
            };
        }
        let right = i64::from(says == y && !self.is_of_mistakes());
        self.baseline(row) + self.parts() * (right - i64::from(says == l && l != y))
    }

    /// What each row pays to votes, k for each example, in parts.
    pub fn payoffs<'a>(&'a self, votes: &'a [i64]) -> impl Iterator<Item = i64> + 'a {
        (0..self.rows()).map(|row| {
            let (i, y, l) = self.row(row);
            let votes = &votes[i * self.classes()..][..self.classes()];
            match self.kind {
                GameKind::Labels if l == y => votes[y as usize],
                GameKind::Labels => votes[self.k] - votes[l as usize],
                GameKind::Margin | GameKind::Pairs => votes[y as usize] - votes[l as usize],
                GameKind::Accuracy => votes[y as usize],
                GameKind::Mistakes => -votes[l as usize],
                GameKind::Baseline => {
                    self.baseline(row) * votes.iter().sum::<i64>() - self.parts() * votes[l as usize]
                }
            }
        })
    }

    /// What it costs to say each class of each example, k numbers each, when rows have these weights: a classifier of cost −c
    /// is paid c, in parts.
    pub fn costs(&self, weights: &[i64]) -> Vec<i64> {
        let mut costs = vec![0; self.y.len() * self.classes()];
        for (row, &weight) in weights.iter().enumerate() {
            let (i, y, l) = self.row(row);
            let costs = &mut costs[i * self.classes()..][..self.classes()];
            if self.kind == GameKind::Labels && l != y {
                // 1 for all, and nothing for those that say l.
                costs[self.k] -= weight;
                costs[l as usize] += weight;
                continue;
            }
            if !self.is_of_mistakes() {
                costs[y as usize] -= weight;
            }
            if l != y {
                costs[l as usize] += self.parts() * weight;
            }
            let left = self.baseline(row) * weight;
            for cost in costs.iter_mut() {
                *cost -= left;
            }
        }
        costs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_payoffs() {
        let y = || vec![2, 0, 1];
        let baseline: Vec<f64> = (0..9).map(|at| f64::from(at) / 16.0).collect();
        let mut games =
            [GameKind::Margin, GameKind::Accuracy, GameKind::Mistakes, GameKind::Pairs, GameKind::Labels]
                .map(|kind| Game::new(kind, y(), 3))
                .to_vec();
        games.push(Game::against(&baseline, y(), 3));
        for game in games {
            let weights: Vec<i64> = (1..=game.rows() as i64).collect();
            let costs = game.costs(&weights);
            // Classes; as sets, each with the fourth class that is in all of them.
            for says in [[0, 0, 0], [2, 0, 1], [1, 2, 0], [7, 4, 2]] {
                let says = if game.kind.has_sets() { says.map(|set| set | 8) } else { says.map(|l| l % 3) };
                let row = |(row, weight): (usize, &i64)| weight * game.payoff(row, says[game.row(row).0]);
                assert_eq!(-game.cost(&says, &costs), weights.iter().enumerate().map(row).sum::<i64>());
                let mut votes = vec![0; 3 * game.classes()];
                game.vote(&mut votes, &says, 1);
                let paid: Vec<i64> = (0..game.rows()).map(|r| game.payoff(r, says[game.row(r).0])).collect();
                assert_eq!(game.payoffs(&votes).collect::<Vec<_>>(), paid);
            }
        }
    }
}
