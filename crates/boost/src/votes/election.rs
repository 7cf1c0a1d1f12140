//! A region votes for a class on each row's list of classes: by place, or by its weights of classes.

use manyboost_kernel::Criterion;
use manyboost_kernel::search::score::{LeastSquares, Listed};

use super::{Halves, LabelCriterion, LabelVote, Sketch, Vote};
use crate::model::answers::Answers;
use crate::model::epochs::{Ballot, Election};

/// One place a region; channels are what naming each place would cost.
#[derive(Clone, Copy, Debug)]
pub struct PlaceVote(pub LabelVote);

impl Vote for PlaceVote {
    fn criterion(&self) -> &dyn Criterion {
        self.0.criterion()
    }

    fn sketch(&self) -> Sketch<'_> {
        self.0.sketch()
    }

    fn for_hyperplane(&self, _: usize) -> Option<Halves<'_>> {
        Some(Halves::Named(|places| Answers::Election(Ballot::Places(places).into())))
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        match self.0.answers(sums, stride) {
            (Answers::Labels(places), cost) => (Answers::Election(Ballot::Places(places).into()), cost),
            other => other,
        }
    }
}

/// The weights of all classes in a region.
#[derive(Clone, Debug)]
pub struct ListVote {
    /// Number of classes.
    pub classes: usize,
    /// What the weights of all rows sum to.
    pub norm: f64,
    /// The lists, if channels are apart for each of them; else there is one channel per class, and regions should be pure.
    pub lists: Option<Listed>,
    /// Classes on each list.
    pub length: usize,
    /// What makes a region pure.
    pub pure: LabelCriterion,
}

impl Vote for ListVote {
    fn criterion(&self) -> &dyn Criterion {
        match &self.lists {
            Some(lists) => lists,
            None => self.pure.criterion(),
        }
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    fn for_hyperplane(&self, _: usize) -> Option<Halves<'_>> {
        Some(Halves::FilledByClass(self.lists.as_ref().map(Listed::class_of)))
    }

    fn answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let mut values = vec![0.0; sums.len() / stride * self.classes];
        for (weights, sums) in values.chunks_exact_mut(self.classes).zip(sums.chunks_exact(stride)) {
            for (channel, &sum) in sums[1..].iter().enumerate() {
                let class = self.lists.as_ref().map_or(channel, |lists| lists.class_of()[channel] as usize);
                weights[class] -= sum / self.norm;
            }
        }
        let cost = sums.chunks_exact(stride).map(|sums| self.criterion().of(sums)).sum();
        let ballot = Ballot::Weights { classes: self.classes as u32, values };
        (Answers::Election(Election::from(ballot)), cost)
    }

    /// A side may also prefer light classes to heavy ones. Of two classes on every list, one of the two ways is right on half
    /// of the weight at least, so that the last epoch does not end for want of an edge.
    fn side_answers(&self, sums: &[f64], stride: usize) -> (Answers, f64) {
        let (mut answers, cost) = self.answers(sums, stride);
        let (Answers::Election(election), Some(lists)) = (&mut answers, &self.lists) else {
            return (answers, cost);
        };
        let Ballot::Weights { values, .. } = &mut election.ballot else { return (answers, cost) };
        let mut cost = 0.0;
        for (weights, sums) in values.chunks_exact_mut(self.classes).zip(sums.chunks_exact(stride)) {
            let turned: Vec<f64> = weights.iter().map(|w| -w).collect();
            let cost_of = |weights: &[f64]| cost_by(weights, &sums[1..], lists.class_of(), self.length);
            let (usual, other) = (cost_of(weights), cost_of(&turned));
            if other < usual {
                weights.copy_from_slice(&turned);
            }
            cost += usual.min(other);
        }
        (answers, cost)
    }
}

/// What it costs that every list takes its class of most weight, the first of equals.
fn cost_by(weights: &[f64], costs: &[f64], class_of: &[u32], length: usize) -> f64 {
    let of_list = |(costs, classes): (&[f64], &[u32])| {
        let (mut best, mut most) = (0.0, f64::NEG_INFINITY);
        for (&cost, &class) in costs.iter().zip(classes) {
            if weights[class as usize] > most {
                (best, most) = (cost, weights[class as usize]);
            }
        }
        best
    };
    costs.chunks_exact(length).zip(class_of.chunks_exact(length)).map(of_list).sum()
}
