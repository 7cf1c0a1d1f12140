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
    /// Whether this is the only worker. With others, all must ask for the same sums in the same order, so nothing is cut
    /// ahead of time and every region has a histogram.
    fn alone(&self) -> bool {
        false
    }
}

/// One worker has all rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn sum(&self, _: &mut [i64]) {}
    fn max(&self, _: &mut [i64]) {}
    fn alone(&self) -> bool {
        true
    }
}
