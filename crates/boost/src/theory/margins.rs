//! Margins of a trained model on rows with answers, as each paper defines them, and what they say of other rows.
//!
//! | margin | of | definition |
//! |---|---|---|
//! | vote | a row (Mukherjee & Schapire; Cho, Libgober & Ding; MR) | (f(x, y) − max_{l ≠ y} f(x, l)) / s, s the most that the terms can set two classes apart |
//! | label | a row and a label (MH of 002) | Y f(x, l) / b, b the most that the terms can add up to, and Y = ±1 |
//! | bit | a row and a bit of an output code (MO of 002) | Y f(x, b) / most, Y = ±1 the bit of the row's class; under `label` |
//! | codeword | a row (Saberian & Vasconcelos 2019) | ½ (f(x, y) − max_{l ≠ y} f(x, l)), not scaled |
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
//! Lee (1998), to which the papers refer, for k classes and with all constants. |H| counts hypotheses as if thresholds
//! had been chosen before the rows were seen. Codewords may set classes apart by many amounts: then θ is one of the 100 that are tried,
//! and 100 stands in the place of 2n + 1.

use manyboost_data::{Labels, Weights};
use manyboost_kernel::numbers::math::{exp, ln};

use super::space::Space;
use crate::codes::code::Code;
use crate::engine::scores::{Scores, applied};
use crate::model::ensemble::{Ensemble, Term};
use crate::model::reading::Decode;

/// The margins θ that are tried: so many, evenly spaced up to 1.
const THETAS: u32 = 100;

/// Margins, smallest first, with the weight of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Margins {
    sorted: Vec<(f64, f64)>,
    weight: f64,
}

impl Margins {
    pub(super) fn new(mut margins: Vec<(f64, f64)>) -> Self {
        // No margin is −0, which reads like a mistake: added to 0 it is 0.
        for (margin, _) in &mut margins {
            *margin += 0.0;
        }
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
        // The sum of nothing is −0.
        (self.sorted[..end].iter().map(|(_, weight)| weight).sum::<f64>() + 0.0) / self.weight
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
    pub fn generalisation(&self, classes: usize, space: Space, delta: f64) -> Option<Generalisation> {
        let m = self.sorted.len() as f64;
        let bound = |theta: f64, draws: f64| {
            let drawn = classes as f64 * exp(-draws * theta * theta / 8.0);
            let values = if space.all_or_nothing { 2.0 * draws + 1.0 } else { f64::from(THETAS) };
            let counted = draws * space.ln_size + ln(draws * (draws + 1.0) * values / delta);
            let share = self.share_at_most(theta);
            Generalisation { theta, draws, share, term: drawn + (counted / (2.0 * m)).sqrt() }
        };
        let thetas = (1..=THETAS).map(|at| f64::from(at) / f64::from(THETAS));
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

/// The margins of a model whose scores of rows these are; `None` if its scores are of [epochs](super::epochs) or begin with
/// texts, or it has no terms. Where they
/// are of the bits of a code, label margins are those of bits, and there are no others.
pub fn margins(
    ensemble: &Ensemble,
    scores: &Scores,
    labels: &Labels,
    weights: &Weights,
) -> Option<MarginsOf> {
    if ensemble.text.is_some() {
        // What a text can add has no bound that is near.
        return None;
    }
    let (apart, most) = scale(ensemble);
    if let Decode::Hamming(code) | Decode::Loss(code) = &ensemble.reading.decode {
        return bits(code, scores, labels, weights, most);
    }
    if !ensemble.reading.ranks_by_scores()
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
    // All terms are multiples of one number and their sums exact, up to sizes that nothing is said of: only those could leave [−1, 1].
    let within = |x: f64| x.clamp(-1.0, 1.0);
    let leads = |of: &dyn Fn(f64) -> f64| {
        let one = |row: usize| Some((of(lead(row).filter(|lead| lead.is_finite())?), weight(row)));
        let leads: Vec<(f64, f64)> = (0..scores.rows()).filter_map(one).collect();
        if labels.is_sets() || leads.is_empty() { None } else { Some(Margins::new(leads)) }
    };
    let label = |row: usize| {
        let sign = move |l: usize| if labels.has(row, l as u32) { 1.0 } else { -1.0 };
        scores.row(row).iter().enumerate().map(move |(l, f)| (within(sign(l) * f / most), weight(row)))
    };
    Some(MarginsOf {
        vote: leads(&|lead| within(lead / apart)),
        label: Margins::new((0..scores.rows()).flat_map(label).collect()),
        codeword: leads(&|lead| 0.5 * lead),
    })
}

/// The margins of bits.
fn bits(code: &Code, scores: &Scores, labels: &Labels, weights: &Weights, most: f64) -> Option<MarginsOf> {
    let fits = code.classes() == labels.classes() && code.bits() == scores.width();
    if labels.is_sets() || scores.rows() == 0 || most <= 0.0 || !fits {
        return None;
    }
    let words: Vec<&[i8]> = code.words().collect();
    let of_row = |row: usize| {
        let weight = f64::from(weights.units()[row]);
        let word = labels.class(row).map(|y| words[y as usize]).unwrap_or_default();
        let bit = move |(sign, f): (&i8, &f64)| ((f64::from(*sign) * f / most).clamp(-1.0, 1.0), weight);
        word.iter().zip(scores.row(row)).filter(|(sign, _)| **sign != 0).map(bit)
    };
    let label = Margins::new((0..scores.rows()).flat_map(of_row).collect());
    Some(MarginsOf { vote: None, label, codeword: None })
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
            // As scores have it, to the last bit.
            let added: Vec<f64> =
                answers.vector(cell, width).iter().map(|&x| applied(term.alpha, x)).collect();
            let (a, b) = reach(&added);
            (apart, most) = (apart.max(a), most.max(b));
        }
        (apart, most)
    };
    let terms = ensemble.terms().map(of_term);
    terms.fold(reach(&ensemble.start), |(apart, most), (a, b)| (apart + a, most + b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::answers::Answers;
    use crate::model::hypothesis::{Cells, Hypothesis};
    use crate::model::reading::Link;
    use crate::model::tree::Tree;

    /// Constant classifiers that name these classes with these weights.
    fn voters(votes: &[(f64, u32)]) -> Ensemble {
        let term = |&(alpha, class): &(f64, u32)| {
            let (cells, answers) = (Cells::Tree(Tree::default()), Answers::Labels(vec![class]));
            vec![Term { alpha, hypothesis: Hypothesis { cells, answers } }]
        };
        let reading = Link::Softmax(1.0).into();
        Ensemble { start: vec![0.0; 3], text: None, rounds: votes.iter().map(term).collect(), reading }
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
        let space = |all_or_nothing| Space { ln_size: 10.0, all_or_nothing };
        let bound = |rows: usize| margins(rows).generalisation(3, space(true), 0.05).unwrap().bound();
        assert!(bound(100) > 0.5 && bound(1_000_000) < 0.05, "{} {}", bound(100), bound(1_000_000));
        // The same with all constants written out.
        for all_or_nothing in [true, false] {
            let best = margins(50_000).generalisation(3, space(all_or_nothing), 0.05).unwrap();
            let n = best.draws;
            let values = if all_or_nothing { 2.0 * n + 1.0 } else { 100.0 };
            let counted = n * 10.0 + (n * (n + 1.0) * values / 0.05).ln();
            let term = 3.0 * (-n * best.theta * best.theta / 8.0).exp() + (counted / 100_000.0).sqrt();
            assert!((best.term - term).abs() < 1e-12 && best.share == 0.0);
        }
    }

    /// Votes whose sum is not what it should be to the last bit: 0.1 + 0.2 is above 0.3.
    #[test]
    fn margins_stay_within_one() {
        let votes: Vec<(f64, u32)> = (0..2000).map(|i| (0.1 + f64::from(i % 7) / 3.0, 1)).collect();
        let ensemble = voters(&votes);
        let mut scores = Scores::new(2, &[0.0; 3]);
        for term in ensemble.terms() {
            let applied = term.hypothesis.answers.applied(term.alpha, 3);
            scores.values_mut().chunks_exact_mut(3).for_each(|row| applied.add(0, row));
        }
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let labels = Labels::Classes { names, of: vec![1, 0] };
        let found = margins(&ensemble, &scores, &labels, &Weights::ones(2)).unwrap();
        let vote = found.vote.unwrap();
        assert_eq!((vote.least(), vote.quantile(1.0)), (-1.0, 1.0));
        assert_eq!((found.label.least(), found.label.quantile(1.0)), (-1.0, 1.0));
    }

    #[test]
    fn nothing_is_less_than_zero_by_its_sign_alone() {
        let margins = Margins::new(vec![(-0.0, 1.0), (0.5, 1.0)]);
        let figures = [margins.least(), margins.quantile(0.1), margins.share_at_most(-0.5)];
        assert!(figures.iter().all(|figure| figure.to_bits() == 0), "{figures:?}");
        assert_eq!(margins.share_at_most(0.0), 0.5);
    }
}
