//! The one seam through which sums leave a worker.
//!
//! Everything that crosses rows is an integer sum or a maximum. A single process uses [`Alone`]; training on many
//! machines is another implementation of the same two functions (an all-reduce), and nothing else changes.

/// Combines integers over all workers, in place.
pub trait Exchange: Sync {
    /// Replaces each number by its sum over all workers.
    fn sum(&self, numbers: &mut [i64]);
    /// Replaces each number by its maximum over all workers.
    fn max(&self, numbers: &mut [i64]);
}

/// One worker has all rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn sum(&self, _: &mut [i64]) {}
    fn max(&self, _: &mut [i64]) {}
}
