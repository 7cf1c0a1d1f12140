//! How trees are grown.

use manyboost_data::{Error, Result};
use manyboost_kernel::Precision;

/// The order in which regions are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Growth {
    /// The cut that gains most first.
    #[default]
    BestFirst,
    /// Level by level.
    DepthWise,
}

/// How trees are grown.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeParameters {
    /// Most leaves.
    pub leaves: usize,
    /// Most cuts on the way to a leaf.
    pub depth: usize,
    /// The order of growth.
    pub growth: Growth,
    /// The least weight of a leaf, in rows.
    pub min_rows: f64,
    /// Categories are cut off one level at a time.
    pub equality: bool,
    /// Share of the rows that each tree sees.
    pub subsample: f64,
    /// Share of the features that each region may use.
    pub feature_fraction: f64,
    /// Random cuts on each feature; 0 = all cuts.
    pub random_cuts: u32,
    /// Projections on which to search when there are more channels (and more than 16); 0 = search on all.
    pub sketch: usize,
    /// Bits that split search works on.
    pub precision: Precision,
}

impl TreeParameters {
    /// Two leaves.
    pub fn stump() -> Self {
        Self { leaves: 2, depth: 1, equality: true, ..Self::tree(2) }
    }

    /// Best-first trees of so many leaves.
    pub fn tree(leaves: usize) -> Self {
        Self {
            leaves,
            depth: MOST_DEPTH,
            growth: Growth::BestFirst,
            min_rows: 1.0,
            equality: false,
            subsample: 1.0,
            feature_fraction: 1.0,
            random_cuts: 0,
            sketch: 0,
            precision: Precision::Auto,
        }
    }

    /// Refuses what cannot be meant.
    pub fn validate(&self) -> Result<()> {
        let share = |x: f64| x > 0.0 && x <= 1.0;
        let checks: [(bool, &str, String, &str); 6] = [
            (
                (1..=MOST_LEAVES).contains(&self.leaves),
                "leaves",
                self.leaves.to_string(),
                "a whole number from 1 to 65,536",
            ),
            (
                (1..=MOST_DEPTH).contains(&self.depth),
                "depth",
                self.depth.to_string(),
                "a whole number from 1 to 64",
            ),
            (
                self.min_rows >= 0.0 && self.min_rows <= 1e15,
                "min-rows",
                self.min_rows.to_string(),
                "a number from 0 to 1e15",
            ),
            (share(self.subsample), "subsample", self.subsample.to_string(), "a number above 0, up to 1"),
            (
                share(self.feature_fraction),
                "features",
                self.feature_fraction.to_string(),
                "a number above 0, up to 1",
            ),
            (self.sketch <= 1024, "sketch", self.sketch.to_string(), "a whole number from 0 to 1,024"),
        ];
        for (fine, name, value, allowed) in checks {
            if !fine {
                return Err(Error::parameter(name, &value, allowed));
            }
        }
        Ok(())
    }
}

/// Deeper trees are refused.
pub(crate) const MOST_DEPTH: usize = 64;
/// Larger trees are refused.
pub(crate) const MOST_LEAVES: usize = 65_536;
