//! The predictor behind the scores: f(x) in the dimensions of the codewords.
//!
//! Saberian & Vasconcelos 2019, section 5.4. Scores are s^k = ⟨y^k, f⟩: with codewords of few dimensions, f is a short description of a row that was learnt so that
//! rows of one class are alike. It follows from the scores, f = (YᵀY)⁻¹ Yᵀ s, as long as codewords span their space.

use crate::codes::codewords::{CodewordKind, Codewords};
use crate::model::Model;

/// From scores to f.
#[derive(Clone, Debug)]
pub struct Embedding {
    dim: usize,
    /// (YᵀY)⁻¹ Yᵀ, row after row: as many numbers each as there are classes.
    rows: Vec<f64>,
}

impl Embedding {
    /// Of a model; `None` if it was trained without codewords, or they do not span their space.
    pub fn of(model: &Model) -> Option<Self> {
        let classes = model.ensemble.start.len();
        let kind = CodewordKind::remembered(&model.parameters)?;
        kind.check(classes).ok()?;
        Self::new(&kind.drawn(classes, model.seed))
    }

    /// For codewords that span their space.
    pub fn new(words: &Codewords) -> Option<Self> {
        let (d, m) = (words.dim(), words.classes());
        // [YᵀY | Yᵀ], which elimination makes [1 | (YᵀY)⁻¹ Yᵀ].
        let mut rows: Vec<Vec<f64>> = (0..d)
            .map(|i| {
                let (own, dot) =
                    (words.column(i), |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum());
                let mut row: Vec<f64> = (0..d).map(|j| dot(&own, &words.column(j))).collect();
                row.extend(own);
                row
            })
            .collect();
        for at in 0..d {
            let best = (at..d).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs()))?;
            rows.swap(at, best);
            let pivot = rows[at][at];
            if pivot.abs() < 1e-9 {
                return None;
            }
            rows[at].iter_mut().for_each(|x| *x /= pivot);
            let own = rows[at].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != at) {
                let factor = row[at];
                row.iter_mut().zip(&own).for_each(|(x, o)| *x -= factor * o);
            }
        }
        Some(Self { dim: d, rows: rows.iter().flat_map(|row| row[d..d + m].to_vec()).collect() })
    }

    /// Dimensions of f.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// f, from the scores of a row.
    pub fn of_scores(&self, scores: &[f64]) -> Vec<f64> {
        let of_row = |row: &[f64]| row.iter().zip(scores).map(|(a, s)| a * s).sum();
        self.rows.chunks_exact(scores.len().max(1)).map(of_row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back() {
        for (kind, classes) in [
            (CodewordKind::Simplex, 5),
            (CodewordKind::Canonical, 4),
            (CodewordKind::MaxMin { dim: 2 }, 7),
            (CodewordKind::Random { dim: Some(4) }, 9),
        ] {
            let words = kind.drawn(classes, 3);
            let embedding = Embedding::new(&words).unwrap();
            let f: Vec<f64> = (0..words.dim()).map(|j| 0.3 * j as f64 - 0.7).collect();
            let dot = |k: usize| words.word(k).iter().zip(&f).map(|(a, b)| a * b).sum::<f64>();
            let scores: Vec<f64> = (0..classes).map(dot).collect();
            for (ours, theirs) in embedding.of_scores(&scores).iter().zip(&f) {
                assert!((ours - theirs).abs() < 1e-9, "{kind:?}");
            }
        }
        // Four classes cannot span ten dimensions.
        assert!(Embedding::new(&CodewordKind::Random { dim: Some(10) }.drawn(4, 1)).is_none());
    }
}
