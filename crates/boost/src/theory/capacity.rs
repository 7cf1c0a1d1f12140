//! Bounds on the error on other rows for hypotheses that answer real numbers, by how many patterns they can make.
//!
//! Trees of the sizes in a model cut feature space in one of |P| ways into L cells at most, and each cell answers a number for each score.
//!
//! **Pseudodimension.** If d points are shattered, then 2^d patterns above and below d numbers are made by |P| partitions with at most (ed/L)^L
//! patterns each (the VC dimension of numbers on L cells is L). So d is at most the largest number with d ln 2 ≤ ln|P| + L ln(ed/L).
//!
//! **Theorem 8** of Schapire & Singer 1999, for answers in [−1, 1] of pseudodimension d: with probability 1 − δ over m rows, for all θ in {1, ½, ¼, …},
//!
//! ```text
//! P[y f(x) ≤ 0] ≤ P_S[y f(x) ≤ θ] + ε(θ, δθ/2),   ε(θ, δ) = 16 √(ln(2/δ)/8m + (2d/mθ²) ln(8em/d) ln(em/d))      (B.5), (B.7)
//! ```
//!
//! Labels are told apart one by one: with δ/k for each, the mean over labels bounds the share of wrong labels. With two classes that is the error.
//!
//! **VC.** The answers of T trees are N = T L indicators of cells, and each of the k scores is a linear function of them. Which of two scores is
//! larger is a halfspace in Nk dimensions; on m rows with their k (k − 1)/2 pairs, M of them, these make Γ = |P|^T (eM/Nk)^(Nk) patterns at
//! most, and with probability 1 − δ the error is at most the training error + √(32 (ln Γ + ln(8/δ))/m) (Vapnik & Chervonenkis, as Freund &
//! Schapire 1997 use it, with the patterns counted after Baum & Haussler).

use manyboost_kernel::numbers::math::ln;

use super::margins::Margins;
use super::space::{ln_partitions, ln_tests};
use crate::model::Model;
use crate::model::hypothesis::Cells;

/// What the hypotheses of a model can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// ln |P|: ways to cut feature space.
    pub ln_partitions: f64,
    /// L: cells of a hypothesis.
    pub cells: f64,
    /// T: hypotheses.
    pub terms: f64,
    /// Scores of a row.
    pub scores: f64,
}

/// A bound on what is wrong on other rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RealBound {
    /// d.
    pub dimension: f64,
    /// θ.
    pub theta: f64,
    /// The share of margins up to θ.
    pub share: f64,
    /// ε.
    pub term: f64,
}

impl RealBound {
    /// The bound; 1 or more says nothing.
    pub fn bound(&self) -> f64 {
        self.share + self.term
    }
}

impl Capacity {
    /// Of a model that was trained on so many rows; `None` where hypotheses are not trees or products of stumps, or there are none.
    pub fn of(model: &Model, rows: usize) -> Option<Self> {
        let tests = ln_tests(model, rows);
        let scores = model.ensemble.start.len() as f64;
        let mut capacity = Self { ln_partitions: 0.0, cells: 1.0, terms: 0.0, scores };
        for term in model.ensemble.terms() {
            if matches!(term.hypothesis.cells, Cells::Linear(_)) {
                return None;
            }
            capacity.ln_partitions =
                capacity.ln_partitions.max(ln_partitions(&term.hypothesis.cells, tests)?);
            capacity.cells = capacity.cells.max(term.hypothesis.answers.len() as f64);
            capacity.terms += 1.0;
        }
        (capacity.terms > 0.0).then_some(capacity)
    }

    /// The most that the pseudodimension of the answers for one score can be.
    pub fn pseudodimension(&self) -> f64 {
        let fits = |d: f64| d * ln(2.0) <= self.ln_partitions + self.cells * (1.0 + ln(d / self.cells));
        let mut high = self.cells.max(1.0);
        while fits(high) {
            high *= 2.0;
        }
        // Concave less linear: it fits up to one number, and from `cells` on.
        let mut low = (0.5 * high).max(1.0);
        while high - low > 0.5 {
            let middle = 0.5 * (low + high);
            if fits(middle) { low = middle } else { high = middle }
        }
        low.floor().max(1.0)
    }

    /// Theorem 8 for the margins of so many labels on m rows, with the best θ; `None` with fewer rows than dimensions.
    pub fn margin_bound(
        &self,
        margins: &Margins,
        labels: usize,
        rows: usize,
        delta: f64,
    ) -> Option<RealBound> {
        let (d, m) = (self.pseudodimension(), rows as f64);
        if m < d {
            return None;
        }
        let of = |power: i32| {
            let theta = 0.5f64.powi(power);
            let sure = delta * theta / 2.0 / labels as f64;
            let e = 1.0f64.exp();
            let covers = 2.0 * d / (m * theta * theta) * ln(8.0 * e * m / d) * ln(e * m / d);
            let term = 16.0 * (ln(2.0 / sure) / (8.0 * m) + covers).sqrt();
            RealBound { dimension: d, theta, share: margins.share_at_most(theta), term }
        };
        (0..20).map(of).min_by(|a, b| a.bound().total_cmp(&b.bound()))
    }

    /// By how much the error may exceed the training error of a model of so many classes on m rows; `None` with too few rows for the count.
    pub fn vc_term(&self, classes: usize, rows: usize, delta: f64) -> Option<f64> {
        let k = classes as f64;
        let (m, dimensions) = (rows as f64, self.terms * self.cells * self.scores);
        let pairs = m * (k * (k - 1.0) / 2.0).max(1.0);
        if pairs < dimensions {
            return None;
        }
        let patterns = self.terms * self.ln_partitions + dimensions * (1.0 + ln(pairs / dimensions));
        Some((32.0 * (patterns + ln(8.0 / delta)) / m).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUMPS: Capacity = Capacity { ln_partitions: 6.0, cells: 2.0, terms: 10.0, scores: 1.0 };

    #[test]
    fn no_more_points_are_shattered_than_there_are_patterns() {
        for (ln_partitions, cells) in [(0.0, 1.0), (6.0, 2.0), (100.0, 16.0), (1e4, 300.0)] {
            let capacity = Capacity { ln_partitions, cells, ..STUMPS };
            let d = capacity.pseudodimension();
            let patterns = |d: f64| ln_partitions + cells * (1.0 + (d / cells).ln());
            assert!(d >= cells && d * 2f64.ln() <= patterns(d) + 1e-9, "{d}");
            assert!((d + 1.0) * 2f64.ln() > patterns(d + 1.0), "{d} is not the largest");
        }
    }

    /// All constants once more.
    #[test]
    fn theorem_8_with_its_constants() {
        let (d, rows) = (STUMPS.pseudodimension(), 50_000_000);
        let margins = Margins::new(vec![(0.6, 1.0), (0.9, 3.0)]);
        let found = STUMPS.margin_bound(&margins, 1, rows, 0.05).unwrap();
        let m = rows as f64;
        let epsilon = |theta: f64, delta: f64| {
            let e = std::f64::consts::E;
            let covers = 2.0 * d / (m * theta * theta) * (8.0 * e * m / d).ln() * (e * m / d).ln();
            16.0 * ((2.0 / delta).ln() / (8.0 * m) + covers).sqrt()
        };
        assert_eq!((found.theta, found.share), (0.5, 0.0));
        assert!((found.term - epsilon(0.5, 0.05 * 0.5 / 2.0)).abs() < 1e-12);
        assert!(found.bound() < 0.5, "so many rows say something: {}", found.bound());
        assert!(STUMPS.margin_bound(&margins, 1, 3, 0.05).is_none());
        // More labels, less certain of each.
        assert!(STUMPS.margin_bound(&margins, 9, rows, 0.05).unwrap().term > found.term);
    }

    #[test]
    fn vc_terms_grow_with_rounds_and_fall_with_rows() {
        let term = |terms: f64, rows: usize| Capacity { terms, ..STUMPS }.vc_term(2, rows, 0.05).unwrap();
        assert!(term(10.0, 100_000) < term(20.0, 100_000) && term(10.0, 200_000) < term(10.0, 100_000));
        let patterns = 60.0 + 20.0 * (1.0 + (1e5f64 / 20.0).ln());
        assert!((term(10.0, 100_000) - (32.0 * (patterns + 160f64.ln()) / 1e5).sqrt()).abs() < 1e-12);
        assert!(STUMPS.vc_term(2, 10, 0.05).is_none());
    }
}
