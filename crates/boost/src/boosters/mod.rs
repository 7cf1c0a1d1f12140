//! The boosting algorithms, one short file each.

pub(crate) mod adaboost;
pub(crate) mod cd_mcboost;
mod colouring;
mod costly;
mod descent;
pub(crate) mod ecc;
mod feedback;
pub(crate) mod gd_mcboost;
mod hamming;
pub(crate) mod iter;
pub(crate) mod line_search;
pub(crate) mod logitboost;
pub(crate) mod lp;
pub(crate) mod mcboost;
pub(crate) mod mh;
pub(crate) mod mm;
pub(crate) mod mo;
pub(crate) mod mr;
pub(crate) mod os;
mod os_options;
mod os_states;
pub(crate) mod ova;
mod ranking;
pub(crate) mod samme;
mod threshold;

pub use adaboost::{AdaAnswers, AdaBoost, AdaStep};
pub use cd_mcboost::{CdAnswers, CdMcBoost};
pub use colouring::Colouring;
pub use ecc::{Ecc, EccVotes};
pub use gd_mcboost::{GdAnswers, GdMcBoost};
pub use hamming::{Hamming, LabelAnswers};
pub use iter::{Iter, IterStep, Relabel};
pub use logitboost::LogitBoost;
pub use lp::Lp;
pub use mcboost::McBooster;
pub use mh::{Mh, MhStart};
pub use mm::Mm;
pub use mo::{Mo, MoCode, MoDecode};
pub use mr::{Mr, MrAnswers};
pub use os::Os;
pub use os_options::{Edges, OsGame, PlayedLoss};
pub use ova::Ova;
pub use samme::{Rival, Samme};

use std::ops::Range;

use rayon::prelude::*;

use crate::engine::scores::Scores;
use crate::spec::option::{Number, Range as Interval};

// What options that several boosters have decide, each with words and ranges of its own.
const ANSWERS_HELP: &str = "What hypotheses answer";
const CODE_HELP: &str = "The code matrix of the classes";
pub(crate) const LOSS_HELP: &str = "The loss";
const SHRINKAGE_HELP: &str = "The part of each step that is taken";
const STEP_HELP: &str = "How step sizes are found";

/// How the step size is chosen; each booster says by which equation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepSize {
    /// From the edge.
    #[default]
    Edge,
    /// Where the loss, or its bound, is least.
    Exact,
}

/// The part of a Newton step that is taken.
const SHRINKAGE: Number<f64> = Number::new("shrinkage", SHRINKAGE_HELP, Interval::above_to(0.0, 1.0));

/// Rows a task handles.
pub(crate) const BLOCK: usize = 1024;

/// Fills a block: gets its first row, its scores, its channels and one more number per row.
type Fill<'a> = dyn Fn(usize, &[f64], &mut [f64], &mut [f64]) + Sync + 'a;

/// Fills `width` channels of every row from its scores, in parallel, and one more number per row (a loss).
fn fill_blocks(scores: &Scores, width: usize, channels: &mut Vec<f64>, fill: &Fill<'_>) -> Vec<f64> {
    channels.resize(scores.rows() * width, 0.0);
    let mut numbers = vec![0.0; scores.rows()];
    channels
        .par_chunks_mut(BLOCK * width)
        .zip(scores.values().par_chunks(BLOCK * scores.width()))
        .zip(numbers.par_chunks_mut(BLOCK))
        .enumerate()
        .for_each(|(block, ((channels, scores), numbers))| fill(block * BLOCK, scores, channels, numbers));
    numbers
}

/// The stretches between the labels that a row has: all labels that it has not. Its own are ascending.
fn gaps(own: &[u32], labels: usize) -> impl Iterator<Item = Range<usize>> {
    let ends = own.iter().map(|&l| l as usize).chain([labels]);
    let mut start = 0;
    ends.map(move |end| std::mem::replace(&mut start, end + 1)..end)
}

/// Half the logarithm of (1 + r)/(1 − r): the step of an edge r, equation (3.1) of Schapire & Singer 1999. An edge closer to 1 than
/// [`LEAST_LOSS`] would make it infinite.
fn half_log_odds(r: f64) -> f64 {
    let r = r.min(1.0 - LEAST_LOSS);
    0.5 * manyboost_kernel::numbers::math::ln((1.0 + r) / (1.0 - r))
}

/// What is lost with an edge that counts as 1.
const LEAST_LOSS: f64 = 1.0 / (1u64 << 40) as f64;

/// A smaller edge is none: scores are multiples of 2⁻³⁶, and so the hypothesis of the last round, whose edge is 0 after its step,
/// may seem to have one.
const LEAST_EDGE: f64 = 1.0 / (1u64 << 36) as f64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_a_row_has_not() {
        let absent = |own: &[u32]| gaps(own, 5).flatten().collect::<Vec<usize>>();
        assert_eq!(absent(&[]), [0, 1, 2, 3, 4]);
        assert_eq!(absent(&[0, 4]), [1, 2, 3]);
        assert_eq!(absent(&[2, 3]), [0, 1, 4]);
        assert_eq!(absent(&[0, 1, 2, 3, 4]), [0usize; 0]);
    }
}
