//! Multiclass `LogitBoost`: Newton steps on the likelihood, one regression tree for each class per round.
//!
//! Friedman, Hastie & Tibshirani (2000), algorithm 6; Saberian & Vasconcelos 2019, appendix H.1.3. Round t, with p = softmax(F):
//!
//! ```text
//! w(i, l) = p(i, l) (1 − p(i, l)),   z(i, l) = ([yᵢ = l] − p(i, l)) / w(i, l), cut off at ±4
//! h_l = the tree that fits z(·, l) by least squares with weights w(·, l)
//! F(x, j) ← F(x, j) + (k − 1)/k (h_j(x) − (1/k) Σ_l h_l(x))
//! ```
//!
//! What `h_l` adds lies along one direction, `(k − 1)/k (1_l − 1/k)`; the shrinkage shortens the step.

use manyboost_kernel::loss::softmax::softmax;
use manyboost_kernel::numbers::math::ln;
use rayon::prelude::*;

use super::{SHRINKAGE, fill_blocks};
use crate::model::answers::Lift;
use crate::model::reading::{Link, Reading};
use crate::spec::booster::{
    Asks, Booster, Figures, Fits, Load, Problem, Query, RoundState, Shape, Step, Stop, Target,
};
use crate::spec::registry::BoosterEntry;
use crate::votes::MeanVote;

/// Working responses are cut off here, as section 4 of Friedman, Hastie & Tibshirani advises.
const Z_MAX: f64 = 4.0;

/// Multiclass `LogitBoost`.
#[derive(Clone, Copy, Debug)]
pub struct LogitBoost {
    /// The part of each step that is taken.
    pub shrinkage: f64,
}

pub(crate) const ENTRY: BoosterEntry = BoosterEntry {
    ..BoosterEntry::new(
        "logitboost",
        "multiclass LogitBoost: one weighted regression tree for each class per round",
        "Friedman, Hastie & Tibshirani 2000",
        |options| Ok(Box::new(LogitBoost { shrinkage: options.take(&SHRINKAGE, 1.0)? })),
    )
};

/// The weight w of a working response z, and w z, at probability `p`.
fn working(p: f64, own: bool) -> [f64; 2] {
    let (w, residual) = (p * (1.0 - p), f64::from(u8::from(own)) - p);
    [w, residual.clamp(-Z_MAX * w, Z_MAX * w)]
}

impl Booster for LogitBoost {
    fn target(&self, now: &RoundState<'_>, channels: &mut Vec<f64>) -> Target {
        let (y, k, rows) = (now.classes(), now.labels.classes(), now.scores.rows());
        let mut p = Vec::new();
        let losses = fill_blocks(now.scores, k, &mut p, &|first, scores, p, losses| {
            softmax(scores, k, p);
            for ((p, loss), &y) in p.chunks_exact(k).zip(losses).zip(&y[first..]) {
                *loss = -ln(p[y as usize].max(f64::MIN_POSITIVE));
            }
        });
        channels.resize(2 * rows * k, 0.0);
        channels.par_chunks_mut(2 * rows.max(1)).enumerate().for_each(|(l, own)| {
            for ((c, p), &y) in own.chunks_exact_mut(2).zip(p.chunks_exact(k)).zip(y) {
                c.copy_from_slice(&working(p[l], y as usize == l));
            }
        });
        let (norm, classes) = (now.totals.weight(), k as f64);
        let query = |l: usize| {
            let centred = |j: usize| f64::from(u8::from(j == l)) - 1.0 / classes;
            let direction = (0..k).map(|j| (classes - 1.0) / classes * centred(j)).collect();
            Query {
                lift: Lift::Along(direction),
                ..Query::new(Shape::Dense(2), MeanVote { most: Z_MAX }, norm)
            }
        };
        let loss = now.totals.sum(|i| losses[i]) / norm;
        Target { queries: (0..k).map(query).collect(), loss }
    }

    fn load(&self, width: usize) -> Load {
        // Probabilities, and two channels per class.
        Load::dense(3 * width + 1, 2)
    }

    fn step(&self, _: &RoundState<'_>, target: &Target, _: &[f64], fits: &mut Fits) -> Step {
        // What the trees explain of the responses.
        let explained: f64 = fits.iter().map(|fit| -fit.cost).sum();
        if explained <= 0.0 {
            return Step::Stop(Stop::NoEdge);
        }
        let edge = explained / target.queries[0].norm;
        let figures = Figures { edge: Some(edge), ..Figures::default() };
        Step::Take { alphas: vec![self.shrinkage; fits.len()], figures, last: None }
    }

    fn asks(&self) -> Asks {
        Asks::Numbers
    }

    /// The loss is the likelihood of p = softmax(F).
    fn reading(&self, _: &Problem<'_>) -> Reading {
        Link::Softmax(1.0).into()
    }
}
