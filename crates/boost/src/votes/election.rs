//! A region votes for a class on each row's list of classes: by place, or by its weights of classes.

use polyboost_kernel::Criterion;
use polyboost_kernel::score::{Gini, LeastSquares, Listed};

use super::{Halves, LabelVote, Sketch, Vote};
use crate::answers::Answers;
use crate::epochs::{Ballot, Election};

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

    fn halves(&self, _: usize) -> Option<Halves<'_>> {
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
    /// The lists, if channels are apart for each of them; else there is one channel a class, and regions should be pure.
    pub lists: Option<Listed>,
}

impl Vote for ListVote {
    fn criterion(&self) -> &dyn Criterion {
        match &self.lists {
            Some(lists) => lists,
            None => &Gini,
        }
    }

    fn sketch(&self) -> Sketch<'_> {
        Sketch { kept: 0, criterion: &LeastSquares }
    }

    fn halves(&self, _: usize) -> Option<Halves<'_>> {
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
}
