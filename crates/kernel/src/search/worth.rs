//! What regions are worth: scores of their sums, without memory of their own for the usual few.

use crate::search::{Search, Searchable};

/// Sums of a region that need no memory of their own.
const FEW: usize = 32;

impl<S: Searchable> Search<'_, S> {
    /// The score of a region that is not cut.
    pub fn score(&self, total: &[S]) -> f64 {
        self.criterion.of(self.floats(total, &mut [0.0; FEW], &mut Vec::new()))
    }

    /// The score of one side of a cut, given the other.
    pub fn side(&self, own: &[S], other: &[S]) -> f64 {
        let (mut few, mut many) = ([[0.0; FEW]; 2], [Vec::new(), Vec::new()]);
        let ([own_few, other_few], [own_many, other_many]) = (&mut few, &mut many);
        self.criterion.of_side(self.floats(own, own_few, own_many), self.floats(other, other_few, other_many))
    }

    /// Sums as what they are worth; in memory of their own only where there are many.
    fn floats<'b>(&self, sums: &[S], few: &'b mut [f64; FEW], many: &'b mut Vec<f64>) -> &'b [f64] {
        let floats = if sums.len() <= FEW {
            &mut few[..sums.len()]
        } else {
            many.resize(sums.len(), 0.0);
            many.as_mut_slice()
        };
        for ((float, sum), step) in floats.iter_mut().zip(sums).zip(self.steps) {
            *float = sum.float() * step;
        }
        floats
    }
}
