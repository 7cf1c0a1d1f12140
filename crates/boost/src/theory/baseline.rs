//! Potentials of any fixed baseline (Mukherjee & Schapire 2013, section 6): a guesser that names the own class with probability b(1) and
//! each other class l with b(l).
//!
//! With t rounds to go the potential of a state is the expected loss of a walk of t steps, each to class l with probability b(l)
//! (Theorem 12), as long as b(1) is the largest:
//!
//! | loss | potential |
//! |---|---|
//! | exponential | Σ_{l > 1} `a_l`ᵗ exp(η (s(l) − s(1))), `a_l` = 1 − (b(1) + b(l)) + exp(η) b(l) + exp(−η) b(1) (Theorem 13, with its exponent put right) |
//! | hinge | a [`LeadWalk`] for each wrong class |
//! | zero-one | as under the uniform condition, but that each class has a share of its own: O(t³ k) |

use manyboost_kernel::numbers::math::{exp, ln};

use super::uniform::poisson;
use super::{GameLoss, LeadWalk};

/// A distribution over the classes, the own one first.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline(Vec<f64>);

/// How far from 1 the sum of probabilities may be.
const ROUNDED: f64 = 1e-9;

impl Baseline {
    /// From probabilities that add up to 1, of which the first is not below any other.
    pub fn new(b: Vec<f64>) -> Option<Self> {
        let (own, others) = b.split_first()?;
        let whole = (b.iter().sum::<f64>() - 1.0).abs() <= ROUNDED && b.iter().all(|p| *p >= 0.0);
        (whole && others.iter().all(|p| p <= own)).then_some(Self(b))
    }

    /// `U_γ`: all classes alike, but for the edge of the own one.
    pub fn uniform(classes: usize, gamma: f64) -> Self {
        let each = (1.0 - gamma) / classes.max(1) as f64;
        let own = |l: usize| if l == 0 { each + gamma } else { each };
        Self((0..classes.max(1)).map(own).collect())
    }

    /// Number of classes.
    pub fn classes(&self) -> usize {
        self.0.len()
    }

    /// γ: by how much the own class is ahead of every other.
    pub fn edge(&self) -> f64 {
        self.0[0] - self.0[1..].iter().fold(0.0f64, |most, &p| most.max(p))
    }

    /// The factors `a_l` by which the exponentials of the wrong classes fall in a round (Theorem 13).
    pub fn factors(&self, eta: f64) -> Vec<f64> {
        let own = self.0[0];
        self.0[1..].iter().map(|&l| 1.0 - (own + l) + exp(eta) * l + exp(-eta) * own).collect()
    }

    /// The potential of a state with so many rounds to go, given the leads s(1) − s(l) of the own class over the others.
    pub fn potential(&self, rounds: usize, loss: GameLoss, leads: &[i64]) -> f64 {
        debug_assert_eq!(leads.len() + 1, self.0.len());
        match loss {
            GameLoss::ZeroOne => self.zero_one(rounds, leads),
            GameLoss::Exponential { eta } => {
                let of_class = |(a, &lead): (&f64, &i64)| a.powi(rounds as i32) * exp(-eta * lead as f64);
                self.factors(eta).iter().zip(leads).map(of_class).sum()
            }
            GameLoss::Hinge => {
                let walk = |down: f64| LeadWalk::new(std::iter::repeat_n((self.0[0], down), rounds));
                self.0[1..].iter().zip(leads).map(|(&down, &lead)| walk(down).hinge(lead)).sum()
            }
        }
    }

    fn zero_one(&self, rounds: usize, leads: &[i64]) -> f64 {
        let p = self.0[0];
        let mut own = vec![0.0; rounds + 1];
        own[0] = 1.0;
        for done in 1..=rounds {
            for j in (0..=done).rev() {
                own[j] = (1.0 - p) * own[j] + if j > 0 { p * own[j - 1] } else { 0.0 };
            }
        }
        let mut ln_factorials = vec![0.0];
        for x in 1..=rounds {
            ln_factorials.push(ln_factorials[x - 1] + ln(x as f64));
        }
        let likely = own.iter().enumerate().filter(|(_, chance)| **chance > 0.0);
        let right: f64 =
            likely.map(|(j, chance)| chance * self.all_behind(leads, j, rounds - j, &ln_factorials)).sum();
        (1.0 - right).clamp(0.0, 1.0)
    }

    /// The probability that no other class catches up, given that the own class gets `j` votes and the others `n` together.
    fn all_behind(&self, leads: &[i64], j: usize, n: usize, ln_factorials: &[f64]) -> f64 {
        let rooms: Vec<i64> = leads.iter().map(|lead| j as i64 + lead - 1).collect();
        if rooms.iter().any(|&room| room < 0) {
            return 0.0;
        }
        if n == 0 {
            return 1.0;
        }
        let others: f64 = self.0[1..].iter().sum();
        let means: Vec<f64> = self.0[1..].iter().map(|l| n as f64 * l / others).collect();
        let free: f64 = means.iter().zip(&rooms).filter(|(_, room)| **room >= n as i64).map(|(m, _)| m).sum();
        let (mut sums, mut one) = (Vec::new(), Vec::new());
        poisson(ln_factorials, free, n, &mut sums);
        for (&mean, &room) in means.iter().zip(&rooms).filter(|(_, room)| **room < n as i64) {
            poisson(ln_factorials, mean, n, &mut one);
            let with = |sum: usize| {
                let some = &sums[sum - (room as usize).min(sum)..=sum];
                some.iter().rev().zip(&one).map(|(a, b)| a * b).sum::<f64>()
            };
            sums = (0..=n).map(with).collect();
        }
        poisson(ln_factorials, n as f64, n, &mut one);
        sums[n] / one[n]
    }
}
