//! Margins of epochs (Cho, Libgober & Ding 2024, Theorem 6.3 and Corollary 6.4), and what they say of other rows.
//!
//! The margin of a row in an epoch with lists of n classes is ψ = Σ β (n [h(x) = y] − 1), where β are the epoch's weights of votes, scaled to
//! add up to 1; it is between −1 and n − 1. A classifier drawn N times by β is off by θ/2 to the wrong side with probability exp(−Nθ²/2n²)
//! (Hoeffding, for numbers in a range of n). So with probability 1 − δ over m rows, for all θ and N,
//!
//! ```text
//! P[ψ ≤ 0] ≤ P_S[ψ ≤ θ] + 2 exp(−Nθ²/2n²) + √(ln(N (N + 1)² |H|^N / δ) / 2m)
//! ```
//!
//! where an average of N draws takes N + 1 values, and Σ 1/(N (N + 1)) = 1. Rows that have lost their class are not counted again. A row with ψ > 0
//! in all epochs is right where each took off one class and the last had two: the sum of the bounds of all epochs, each with an equal part
//! of δ, bounds the error. As in the paper, |H| counts the classifiers of an epoch as if its lists had been there before the rows were seen.

use manyboost_data::{Frame, Labels, Weights};
use manyboost_kernel::numbers::math::{exp, ln};
use rayon::prelude::*;

use super::margins::Margins;
use crate::engine::scores::applied;
use crate::model::answers::{Answers, ScoreUpdate};
use crate::model::ensemble::{Ensemble, Term};
use crate::model::epochs::tally;
use crate::model::reading::Decode;

/// The margins θ that are tried, as parts of the largest, n − 1.
const THETAS: u32 = 100;

/// An epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Epoch {
    /// n: classes on the list of every row.
    pub classes: usize,
    /// How many of them it takes off; `None` for an epoch under way.
    pub drops: Option<u32>,
    /// The share of all weight whose class is on its list.
    pub listed: f64,
    /// The margins of these rows.
    pub margins: Margins,
}

/// A bound of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochBound {
    /// θ.
    pub theta: f64,
    /// N.
    pub draws: f64,
    /// The share of rows with a margin of at most θ.
    pub share: f64,
    /// The rest of the bound.
    pub term: f64,
}

impl Epoch {
    /// The best bound on the share of other rows that lose their class in it, or have no lead, over a grid of θ and N.
    pub fn bound(&self, ln_space: f64, rows: usize, delta: f64) -> EpochBound {
        let (n, m) = (self.classes as f64, rows as f64);
        let of = |theta: f64, draws: f64| {
            let drawn = 2.0 * exp(-draws * theta * theta / (2.0 * n * n));
            let counted = draws * ln_space + ln(draws * (draws + 1.0) * (draws + 1.0) / delta);
            let share = if self.listed > 0.0 { self.listed * self.margins.share_at_most(theta) } else { 0.0 };
            EpochBound { theta, draws, share, term: drawn + (counted / (2.0 * m)).sqrt() }
        };
        let thetas = (1..=THETAS).map(|part| f64::from(part) / f64::from(THETAS) * (n - 1.0));
        let draws = || (0..60).map(|power| exp(f64::from(power) * 0.25).round());
        let all = thetas.flat_map(|theta| draws().map(move |draws| of(theta, draws)));
        let least = |best: EpochBound, next: EpochBound| {
            if next.share + next.term < best.share + best.term { next } else { best }
        };
        all.fold(EpochBound { theta: 0.0, draws: 0.0, share: 1.0, term: f64::INFINITY }, least)
    }
}

/// Whether epochs that all had ψ > 0 end with the right class: each took off one, and the last had two.
pub fn is_decided(epochs: &[Epoch]) -> bool {
    epochs.iter().all(|epoch| epoch.drops.is_none_or(|drops| drops == 1))
        && epochs.last().is_some_and(|last| last.classes == 2)
}

/// The epochs of a model on rows with answers; `None` if it has none.
pub fn epochs(ensemble: &Ensemble, frame: &Frame, labels: &Labels, weights: &Weights) -> Option<Vec<Epoch>> {
    if ensemble.reading.decode != Decode::Epochs || labels.is_sets() || labels.rows() == 0 {
        return None;
    }
    let width = ensemble.start.len();
    let mut scores: Vec<f64> = ensemble.start.repeat(labels.rows());
    let (mut found, mut votes) = (Vec::new(), 0.0);
    let terms: Vec<&Term> = ensemble.terms().collect();
    for (at, term) in terms.iter().enumerate() {
        let Answers::Election(election) = &term.hypothesis.answers else { return None };
        votes = if election.alone { 0.0 } else { votes } + applied(term.alpha, 1.0);
        let mut open = election.clone();
        let close = open.close.take();
        let ScoreUpdate::Election(vote) = Answers::Election(open).applied(term.alpha, width) else {
            return None;
        };
        scores.par_chunks_mut(width).enumerate().with_min_len(256).for_each(|(row, scores)| {
            let cell = term.hypothesis.cells.cell(|feature| frame.value(row, feature as usize));
            vote.add(cell, scores);
        });
        if close.is_some() || at + 1 == terms.len() {
            found.push(epoch(&scores, width, labels, weights, votes, close.map(|close| close.drop)));
        }
        if let Some(close) = close {
            scores.par_chunks_mut(width).with_min_len(256).for_each(|scores| close.end_epoch(scores));
            votes = 0.0;
        }
    }
    Some(found)
}

fn epoch(
    scores: &[f64],
    width: usize,
    labels: &Labels,
    weights: &Weights,
    votes: f64,
    drops: Option<u32>,
) -> Epoch {
    let (mut margins, mut all, mut classes) = (Vec::new(), 0.0, 0.0f64);
    for (row, scores) in scores.chunks_exact(width).enumerate() {
        let (f, standing) = scores.split_at(width / 2);
        let (n, sum) = tally(f, standing);
        let weight = f64::from(weights.units()[row]);
        (all, classes) = (all + weight, classes.max(n));
        let Some(y) = labels.class(row).map(|y| y as usize).filter(|&y| standing[y] >= 0.0) else { continue };
        let margin = if votes > 0.0 { (n * f[y] - sum) / votes } else { 0.0 };
        margins.push((margin, weight));
    }
    let listed = margins.iter().map(|(_, weight)| weight).sum::<f64>() / all;
    Epoch { classes: classes as usize, drops, listed, margins: Margins::new(margins) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_margins_on_many_rows_bound_the_error() {
        let epoch = |classes: usize, margin: f64| Epoch {
            classes,
            drops: Some(1),
            listed: 0.5,
            margins: Margins::new(vec![(margin, 1.0), (margin + 0.1, 1.0)]),
        };
        let sure = epoch(3, 1.5).bound(10.0, 10_000_000, 0.05);
        assert!(sure.share == 0.0 && sure.term < 0.05, "{sure:?}");
        // The same with all constants written out.
        let n = sure.draws;
        let counted = n * 10.0 + (n * (n + 1.0).powi(2) / 0.05).ln();
        let term = 2.0 * (-n * sure.theta.powi(2) / 18.0).exp() + (counted / 2e7).sqrt();
        assert!((sure.term - term).abs() < 1e-12);
        // More classes make the same margin a smaller one; few rows say nothing.
        assert!(epoch(6, 1.5).bound(10.0, 10_000_000, 0.05).term > sure.term);
        assert!(epoch(3, 1.5).bound(10.0, 20, 0.05).term > 0.5);
        assert!(is_decided(&[epoch(3, 1.0), epoch(2, 0.5)]));
        assert!(!is_decided(&[epoch(3, 1.0)]) && !is_decided(&[]));
        assert!(!is_decided(&[Epoch { drops: Some(2), ..epoch(4, 1.0) }, epoch(2, 0.5)]));
    }
}
