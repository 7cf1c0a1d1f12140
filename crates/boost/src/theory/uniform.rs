//! Zero-one potentials under the uniform condition (section 6.2).
//!
//! With t rounds to go, every step of the walk goes to the own class with probability (1 − γ)/k + γ and else to any other
//! class, all alike. So the number j of steps to the own class comes first; given j, the other n = t − j steps are spread
//! evenly over k − 1 classes, and the answer is right if class l gets at most j − 1 + s(1) − s(l) of them. Such counts are
//! independent Poisson numbers given their sum: one convolution for each class that can overtake at all, O(t³ k) together.

use polyboost_kernel::math::{exp, ln};

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
        debug_assert_eq!(leads.len() + 1, self.classes.max(1));
        let t = self.rounds() as i64;
        let least = leads.iter().copied().min().unwrap_or(i64::MAX);
        if least > t {
            return 0.0;
        }
        if least + t <= 0 {
            return 1.0;
        }
        let mut right = 0.0;
        let mut buffers = [Vec::new(), Vec::new()];
        for (j, p) in self.own.iter().enumerate() {
            right += p * self.all_behind(leads, j as i64, &mut buffers);
        }
        (1.0 - right).clamp(0.0, 1.0)
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
        for room in tight() {
            next.clear();
            next.extend((0..=n).map(|sum| {
                let some = &sums[sum - room.min(sum)..=sum];
                some.iter().rev().zip(&one).map(|(a, b)| a * b).sum::<f64>()
            }));
            std::mem::swap(sums, next);
        }
        let behind = sums[n];
        self.poisson(n as f64, n, next);
        behind / next[n]
    }

    /// Probabilities of 0, …, n under Poisson's law: exact ratios, away from the likeliest number.
    fn poisson(&self, mean: f64, n: usize, out: &mut Vec<f64>) {
        out.clear();
        out.resize(n + 1, 0.0);
        if mean <= 0.0 {
            out[0] = 1.0;
            return;
        }
        let mode = (mean as usize).min(n);
        out[mode] = exp(mode as f64 * ln(mean) - mean - self.ln_factorials[mode]);
        for x in (0..mode).rev() {
            out[x] = out[x + 1] * (x + 1) as f64 / mean;
        }
        for x in mode + 1..=n {
            out[x] = out[x - 1] * mean / x as f64;
        }
    }
}
