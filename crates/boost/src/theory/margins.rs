//! Margins of a trained model on rows with answers, as each paper defines them, and what they say of other rows.
//!
//! | margin | of | definition |
//! |---|---|---|
//! | vote | a row (papers 000 and 001, and MR of 002) | (f(x, y) − max_{l ≠ y} f(x, l)) / s, s the most that the terms can set two classes apart |
//! | label | a row and a label (MH of 002) | Y f(x, l) / b, b the most that the terms can add up to, and Y = ±1 |
//! | codeword | a row (paper 004) | ½ (f(x, y) − max_{l ≠ y} f(x, l)), not scaled |
//!
//! The first two are between −1 and 1, and not positive where the model is wrong.
//!
//! **What they say of other rows.** Let a classifier be drawn from a model by its weights, n times: the average of the draws is one of
//! |H|ⁿ. By Hoeffding's inequality its vote margin is more than θ/2 away from the model's, to the wrong side, with probability
//! exp(−nθ²/8) for each wrong class. So with probability 1 − δ over m training rows, for all models, θ and n,
//!
//! ```text
//! P[vote margin ≤ 0] ≤ P_S[vote margin ≤ θ] + k exp(−nθ²/8) + √((n ln|H| + ln(n (n + 1)(2n + 1)/δ)) / 2m)
//! ```
//!
//! where a draw's margin takes at most 2n + 1 values, and Σ 1/(n (n + 1)) = 1 over all n. This is Theorem 1 of Schapire, Freund, Bartlett and
//! Lee (1998), to which papers 000 to 002 refer, for k classes and with all constants. |H| counts hypotheses as if thresholds
//! had been chosen before the rows were seen.

use polyboost_data::{Labels, Weights};
use polyboost_kernel::math::{exp, ln};

use crate::answers::Answers;
use crate::ensemble::{Ensemble, Term};
use crate::hypothesis::Cells;
use crate::scores::Scores;

/// Margins, smallest first, with the weight of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Margins {
    sorted: Vec<(f64, f64)>,
    weight: f64,
}

impl Margins {
    fn new(mut margins: Vec<(f64, f64)>) -> Self {
        margins.sort_by(|a, b| a.0.total_cmp(&b.0));
        let weight = margins.iter().map(|(_, weight)| weight).sum();
        Self { sorted: margins, weight }
    }

    /// The smallest.
    pub fn least(&self) -> f64 {
        self.sorted.first().map_or(0.0, |first| first.0)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.sorted.iter().map(|(margin, weight)| margin * weight).sum::<f64>() / self.weight
    }

    /// The share of all weight with a margin of at most θ.
    pub fn share_at_most(&self, theta: f64) -> f64 {
        let end = self.sorted.partition_point(|(margin, _)| *margin <= theta);
        self.sorted[..end].iter().map(|(_, weight)| weight).sum::<f64>() / self.weight
    }

    /// The smallest margin that at least this share of the weight does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sum = 0.0;
        for (margin, weight) in &self.sorted {
            sum += weight;
            if sum >= share * self.weight {
                return *margin;
            }
        }
        self.sorted.last().map_or(0.0, |last| last.0)
    }

    /// The best bound on the error on other rows from the same source, over a grid of θ and n; `None` where there is nothing to learn from.
    pub fn generalisation(&self, classes: usize, ln_space: f64, delta: f64) -> Option<Generalisation> {
        let m = self.sorted.len() as f64;
        let bound = |theta: f64, draws: f64| {
            let drawn = classes as f64 * exp(-draws * theta * theta / 8.0);
            let counted = draws * ln_space + ln(draws * (draws + 1.0) * (2.0 * draws + 1.0) / delta);
            let share = self.share_at_most(theta);
            Generalisation { theta, draws, share, term: drawn + (counted / (2.0 * m)).sqrt() }
        };
        let thetas = (1..=100).map(|percent| f64::from(percent) / 100.0);
        let draws = || (0..60).map(|power| exp(f64::from(power) * 0.25).round());
        let all = thetas.flat_map(|theta| draws().map(move |draws| (theta, draws)));
        all.map(|(theta, draws)| bound(theta, draws)).min_by(|a, b| a.bound().total_cmp(&b.bound()))
    }
}

/// A bound on the error on other rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generalisation {
    /// θ.
    pub theta: f64,
    /// n.
    pub draws: f64,
    /// The share of the rows with a vote margin of at most θ.
    pub share: f64,
    /// The rest of the bound.
    pub term: f64,
}

impl Generalisation {
    /// The bound; 1 or more says nothing.
    pub fn bound(&self) -> f64 {
        self.share + self.term
    }
}

/// The margins of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginsOf {
    /// Vote margins (classes only).
    pub vote: Option<Margins>,
    /// Label margins, one for each row and label.
    pub label: Margins,
    /// Codeword margins (classes only).
    pub codeword: Option<Margins>,
}

/// The margins of a model whose scores of rows these are; `None` if its scores are not read as they are (codes, epochs), or it has no terms.
pub fn margins(
    ensemble: &Ensemble,
    scores: &Scores,
    labels: &Labels,
    weights: &Weights,
) -> Option<MarginsOf> {
    let (apart, most) = scale(ensemble);
    if !ensemble.reading.is_plain()
        || scores.rows() == 0
        || apart <= 0.0
        || scores.width() != labels.classes()
    {
        return None;
    }
    let weight = |row: usize| f64::from(weights.units()[row]);
    let lead = |row: usize| {
        let (f, y) = (scores.row(row), labels.class(row)? as usize);
        let others = f.iter().enumerate().filter(|&(l, _)| l != y).map(|(_, &f)| f);
        Some(f[y] - others.fold(f64::NEG_INFINITY, f64::max))
    };
    let leads = |by: f64| {
        let one = |row: usize| Some((lead(row).filter(|lead| lead.is_finite())? * by, weight(row)));
        let leads: Vec<(f64, f64)> = (0..scores.rows()).filter_map(one).collect();
        if labels.is_sets() || leads.is_empty() { None } else { Some(Margins::new(leads)) }
    };
    let label = |row: usize| {
        let sign = move |l: usize| if labels.has(row, l as u32) { 1.0 } else { -1.0 };
        scores.row(row).iter().enumerate().map(move |(l, f)| (sign(l) * f / most, weight(row)))
    };
    Some(MarginsOf {
        vote: leads(1.0 / apart),
        label: Margins::new((0..scores.rows()).flat_map(label).collect()),
        codeword: leads(0.5),
    })
}

/// The most that the terms can set two scores of a row apart, and the most that they can add up to.
fn scale(ensemble: &Ensemble) -> (f64, f64) {
    let width = ensemble.start.len();
    let reach = |vector: &[f64]| {
        let (low, high) = vector
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        (high - low, high.abs().max(low.abs()))
    };
    let of_term = |term: &Term| {
        let answers = &term.hypothesis.answers;
        let (mut apart, mut most) = (0.0f64, 0.0f64);
        for cell in 0..answers.len() {
            let (a, b) = reach(&answers.vector(cell, width));
            (apart, most) = (apart.max(a), most.max(b));
        }
        (term.alpha.abs() * apart, term.alpha.abs() * most)
    };
    let terms = ensemble.terms().map(of_term);
    terms.fold(reach(&ensemble.start), |(apart, most), (a, b)| (apart + a, most + b))
}

/// ln |H| of trees of the sizes in a model, on features with so many cuts altogether: shapes, cuts, and what leaves say. `None` where
/// hypotheses are not trees that name classes or signs: those are not finitely many.
pub fn ln_space(ensemble: &Ensemble, cuts: usize) -> Option<f64> {
    let classes = ensemble.start.len() as f64;
    let of_term = |term: &Term| {
        let Cells::Tree(tree) = &term.hypothesis.cells else { return None };
        let says = match &term.hypothesis.answers {
            Answers::Labels(_) => ln(classes.max(1.0)),
            Answers::Vectors { values, .. } if values.iter().all(|x| x.abs() == 1.0) => classes * ln(2.0),
            _ => return None,
        };
        let nodes = tree.nodes.len() as f64;
        Some(nodes * (ln(4.0) + ln(cuts.max(1) as f64)) + (nodes + 1.0) * says)
    };
    ensemble.terms().map(of_term).try_fold(0.0f64, |most, ln_space| Some(most.max(ln_space?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypothesis::Hypothesis;
    use crate::reading::Link;
    use crate::tree::Tree;

    /// Constant classifiers that name these classes with these weights.
    fn voters(votes: &[(f64, u32)]) -> Ensemble {
        let term = |&(alpha, class): &(f64, u32)| {
            let (cells, answers) = (Cells::Tree(Tree::default()), Answers::Labels(vec![class]));
            vec![Term { alpha, hypothesis: Hypothesis { cells, answers } }]
        };
        let reading = Link::Softmax(1.0).into();
        Ensemble { start: vec![0.0; 3], rounds: votes.iter().map(term).collect(), reading }
    }

    #[test]
    fn margins_follow_their_definitions() {
        let ensemble = voters(&[(1.0, 0), (2.0, 1), (5.0, 0)]);
        let scores = Scores::new(3, &[6.0, 2.0, 0.0]);
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let labels = Labels::Classes { names, of: vec![0, 1, 2] };
        let found = margins(&ensemble, &scores, &labels, &Weights::ones(3)).unwrap();
        let vote = found.vote.unwrap();
        assert_eq!(vote.sorted.iter().map(|m| m.0).collect::<Vec<_>>(), [-0.75, -0.5, 0.5]);
        assert_eq!((vote.least(), vote.quantile(0.5), vote.share_at_most(-0.5)), (-0.75, -0.5, 2.0 / 3.0));
        assert!((vote.mean() + 0.25).abs() < 1e-15);
        assert_eq!(found.codeword.unwrap().least(), -3.0);
        assert_eq!(found.label.least(), -0.75);
        assert_eq!(found.label.sorted.len(), 9);
    }

    #[test]
    fn large_margins_on_many_rows_bound_the_error() {
        let margins = |rows: usize| Margins::new(vec![(0.8, 1.0); rows]);
        let bound = |rows: usize| margins(rows).generalisation(3, 10.0, 0.05).unwrap().bound();
        assert!(bound(100) > 0.5 && bound(1_000_000) < 0.05, "{} {}", bound(100), bound(1_000_000));
        // The same with all constants written out.
        let best = margins(50_000).generalisation(3, 10.0, 0.05).unwrap();
        let n = best.draws;
        let counted = n * 10.0 + (n * (n + 1.0) * (2.0 * n + 1.0) / 0.05).ln();
        let term = 3.0 * (-n * best.theta * best.theta / 8.0).exp() + (counted / 100_000.0).sqrt();
        assert!((best.term - term).abs() < 1e-12 && best.share == 0.0);
    }

    #[test]
    fn only_finitely_many_hypotheses_are_counted() {
        let ensemble = voters(&[(1.0, 0)]);
        assert!((ln_space(&ensemble, 10).unwrap() - 3f64.ln()).abs() < 1e-12);
        let mut free = ensemble;
        free.rounds[0][0].hypothesis.answers = Answers::Vectors { width: 3, values: vec![0.5, 1.0, 0.0] };
        assert_eq!(ln_space(&free, 10), None);
    }
}
