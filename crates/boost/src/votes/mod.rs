//! Votes: what a region may answer, and what the answer costs.

mod label;
mod newton;

pub use label::{LabelCriterion, LabelVote};
pub use newton::NewtonVote;

use polyboost_kernel::{Criterion, Statistics, Totals};

use crate::tree::Answers;

/// How split search works on random projections of the channels.
pub struct Sketch<'a> {
    /// The first channels, which are kept as they are.
    pub kept: usize,
    /// What the search minimises on the weight, the kept channels and the projections.
    pub criterion: &'a dyn Criterion,
}

/// What a region may answer.
pub trait Vote: Send + Sync {
    /// What split search minimises.
    fn criterion(&self) -> &dyn Criterion;

    /// How to search on projections of the channels.
    fn sketch(&self) -> Sketch<'_>;

    /// The sums that [`Vote::answer`] wants of each group of rows: the weight first, then the channels.
    fn leaf_sums(&self, totals: &Totals<'_>, statistics: &Statistics<'_>, groups: &[&[u32]]) -> Vec<f64> {
        totals.by_group(statistics, groups)
    }

    /// An empty list of answers.
    fn answers(&self) -> Answers;

    /// Appends the best answer of a region with these sums; returns what it costs.
    fn answer(&self, sums: &[f64], answers: &mut Answers) -> f64;
}
