//! Zero-one potentials under the uniform condition (section 6.2).
//!
//! With t rounds to go, every step of the walk goes to the own class with probability (1 − γ)/k + γ and else to any other
//! class, all alike. So the number j of steps to the own class comes first; given j, the other n = t − j steps are spread
//! evenly over k − 1 classes, and the answer is right if class l gets at most j − 1 + s(1) − s(l) of them. Such counts are
//! independent Poisson numbers given their sum: one convolution for each class that can overtake at all but two, O(t³ k) together.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_kernel::numbers::math::{exp, ln};

/// The walk of the rounds to go.
#[derive(Clone, Debug)]
pub struct Walk {
    classes: usize,
    /// The probability of each number of steps to the own class.
    own: Vec<f64>,
    /// Logarithms of factorials.
    ln_factorials: Vec<f64>,
}

impl Walk {
    /// Rounds with these edges (their order does not matter).
    pub fn new(classes: usize, edges: &[f64]) -> Self {
        let mut own = vec![1.0];
        for gamma in edges {
            let p = (1.0 - gamma) / classes.max(1) as f64 + gamma;
            own.push(0.0);
            for j in (0..own.len()).rev() {
                own[j] = (1.0 - p) * own[j] + if j > 0 { p * own[j - 1] } else { 0.0 };
            }
        }
        let mut ln_factorials = vec![0.0];
        for x in 1..own.len() {
            ln_factorials.push(ln_factorials[x - 1] + ln(x as f64));
        }
        Self { classes, own, ln_factorials }
    }

    /// Rounds to go.
    pub fn rounds(&self) -> usize {
        self.own.len() - 1
    }

    /// The potential of a state, given the leads s(1) − s(l) of the own class over the others.
    pub fn zero_one(&self, leads: &[i64]) -> f64 {
        self.zero_one_until(leads, &AtomicBool::new(false)).unwrap_or(1.0)
    }

    /// The same, if `stop` is not set meanwhile.
    pub fn zero_one_until(&self, leads: &[i64], stop: &AtomicBool) -> Option<f64> {
        debug_assert_eq!(leads.len() + 1, self.classes.max(1));
        let t = self.rounds() as i64;
        let least = leads.iter().copied().min().unwrap_or(i64::MAX);
        if least > t {
            return Some(0.0);
        }
        if least + t <= 0 {
            return Some(1.0);
        }
        let mut right = 0.0;
        let mut buffers = [Vec::new(), Vec::new()];
        // What is too unlikely for a number adds nothing.
        for (j, p) in self.own.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            right += p * self.all_behind(leads, j as i64, &mut buffers);
        }
        Some((1.0 - right).clamp(0.0, 1.0))
    }

    /// About how many seconds a potential takes at most.
    pub fn seconds(classes: usize, rounds: usize) -> f64 {
        const EACH: f64 = 8e-11;
        EACH * (rounds as f64).powi(3) * classes.saturating_sub(3) as f64
    }

    /// The probability that no other class catches up, given that the own class gets `j` votes.
    fn all_behind(&self, leads: &[i64], j: i64, buffers: &mut [Vec<f64>; 2]) -> f64 {
        let n = self.rounds() - j as usize;
        let room = |lead: i64| j + lead - 1;
        if leads.iter().any(|&lead| room(lead) < 0) {
            return 0.0;
        }
        let tight = || leads.iter().map(|&lead| room(lead) as usize).filter(|&room| room < n);
        let free = leads.len() - tight().count();
        if free == leads.len() {
            return 1.0;
        }
        let mean = n as f64 / leads.len() as f64;
        let [sums, next] = buffers;
        self.poisson(free as f64 * mean, n, sums);
        let mut one = Vec::new();
        self.poisson(mean, n, &mut one);
        let several = leads.len() - free;
        let mut behind = 0.0;
        for (at, room) in tight().enumerate() {
            let with = |sum: usize| {
                let some = &sums[sum - room.min(sum)..=sum];
                some.iter().rev().zip(&one).map(|(a, b)| a * b).sum::<f64>()
            };
            if at + 1 == several {
                // Nobody asks for the other sums of all classes.
                behind = with(n);
                break;
            }
            next.clear();
            if at == 0 && free == 0 {
                // The first class alone.
                next.extend((0..=n).map(|sum| if sum <= room { one[sum] } else { 0.0 }));
            } else {
                next.extend((0..=n).map(with));
            }
            std::mem::swap(sums, next);
        }
        self.poisson(n as f64, n, next);
        behind / next[n]
    }

    fn poisson(&self, mean: f64, n: usize, out: &mut Vec<f64>) {
        poisson(&self.ln_factorials, mean, n, out);
    }
}

/// Probabilities of 0, …, n under Poisson's law: exact ratios, away from the likeliest number. Logarithms of factorials up to n are given.
pub(super) fn poisson(ln_factorials: &[f64], mean: f64, n: usize, out: &mut Vec<f64>) {
    out.clear();
    out.resize(n + 1, 0.0);
    if mean <= 0.0 {
        out[0] = 1.0;
        return;
    }
    let mode = (mean as usize).min(n);
    out[mode] = exp(mode as f64 * ln(mean) - mean - ln_factorials[mode]);
    for x in (0..mode).rev() {
        out[x] = out[x + 1] * (x + 1) as f64 / mean;
    }
    for x in mode + 1..=n {
        out[x] = out[x - 1] * mean / x as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every convolution in full.
    fn plainly(walk: &Walk, leads: &[i64]) -> f64 {
        let mut right = 0.0;
        for (j, p) in walk.own.iter().enumerate() {
            let n = walk.rounds() - j;
            let rooms: Vec<i64> = leads.iter().map(|lead| j as i64 + lead - 1).collect();
            let tight: Vec<usize> =
                rooms.iter().filter(|&&room| room < n as i64).map(|&room| room.max(0) as usize).collect();
            right += p * if rooms.iter().any(|&room| room < 0) {
                0.0
            } else if tight.is_empty() {
                1.0
            } else {
                let (mut sums, mut one, mut all) = (Vec::new(), Vec::new(), Vec::new());
                let mean = n as f64 / leads.len() as f64;
                walk.poisson((leads.len() - tight.len()) as f64 * mean, n, &mut sums);
                walk.poisson(mean, n, &mut one);
                walk.poisson(n as f64, n, &mut all);
                for room in tight {
                    let with = |sum: usize| {
                        let some = &sums[sum - room.min(sum)..=sum];
                        some.iter().rev().zip(&one).map(|(a, b)| a * b).sum::<f64>()
                    };
                    sums = (0..=n).map(with).collect();
                }
                sums[n] / all[n]
            };
        }
        (1.0 - right).clamp(0.0, 1.0)
    }

    #[test]
    fn what_is_left_out_changes_no_bit() {
        for (k, rounds) in [(2, 30), (3, 40), (4, 25), (7, 12), (2, 1100)] {
            let walk = Walk::new(k, &vec![0.2; rounds]);
            for seed in 0..if rounds > 500 { 2 } else { 8 } {
                let leads: Vec<i64> = (1..k as i64).map(|l| (seed * l * 7 + seed) % 11 - 4).collect();
                assert_eq!(walk.zero_one(&leads), plainly(&walk, &leads), "{k} classes, {leads:?}");
            }
        }
    }

    #[test]
    fn an_end_that_is_asked_for_comes() {
        let walk = Walk::new(5, &vec![0.1; 10_000]);
        assert_eq!(walk.zero_one_until(&[0; 4], &AtomicBool::new(true)), None);
    }
}
