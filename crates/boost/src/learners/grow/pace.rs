//! How far several workers cut ahead.
//!
//! Whenever they cut, workers wait for one another, so they cut several regions at a time: the next one of the tree and those that
//! it is likely to take. Two things say which. Trees of one training resemble each other: a region that gains as much as the last
//! cut of the tree before needed is worth it. And a tree that lacks many cuts takes the best of those that wait, whatever
//! their sides gain: so many regions are cut that all of them are taken even if each is followed by some better ones. How many these are is learnt
//! from what was cut for nothing. A tree is the same whatever was.

/// The most that are cut at a time: what is counted for them takes memory.
const MOST: usize = 64;

/// What a region gains that the next tree takes for sure, in what the last cut of this one gained: trees need less and less.
const SURE: f64 = 1.02;

/// The part of its cuts that a tree has before it takes regions that gain less than that.
const BEGUN: f64 = 0.25;

/// Shares of cuts that were made for nothing: fewer are few, more are many.
const WASTE: [f64; 2] = [0.04, 0.1];

/// Better regions that may follow each one that is cut: as few as can be learnt, at first, and as many.
const RIVALS: [usize; 3] = [2, 4, 8];

/// What was learnt from the trees before.
#[derive(Debug)]
pub(crate) struct Pace {
    /// What the cut of the last tree gained that gained least.
    least: Option<f64>,
    rivals: usize,
}

/// What has become of the cuts of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Made {
    /// Cuts.
    pub all: usize,
    /// Those that are in the tree.
    pub taken: usize,
    /// Whether there are as many as the tree may have.
    pub full: bool,
    /// What the one that gained least gained.
    pub least: f64,
}

/// A region that may be cut ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    /// The least that is gained on the way to it, itself included.
    pub gain: f64,
    /// Regions that the tree takes before it, as far as they are known.
    pub better: usize,
    /// Regions that the tree may take.
    pub most: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { least: None, rivals: RIVALS[1] }
    }
}

impl Pace {
    /// Whether to cut a region too, beside so many.
    pub(super) fn takes(&self, beside: usize, prospect: Prospect) -> bool {
        let Prospect { gain, better, most } = prospect;
        let sure = self.least.is_some_and(|least| gain >= SURE * least);
        let begun = self.least.is_none() || better as f64 >= BEGUN * most as f64;
        beside < MOST && (sure || (begun && better + self.rivals * beside <= most))
    }

    /// Learns from a tree that has grown.
    pub(super) fn learn(&mut self, made: Made) {
        let Made { all, taken, full, least } = made;
        if all < RIVALS[1] {
            return;
        }
        let wasted = (all - taken) as f64 / all as f64;
        if wasted < WASTE[0] {
            self.rivals = (self.rivals - 1).max(RIVALS[0]);
        } else if wasted > WASTE[1] {
            self.rivals = (self.rivals + 1).min(RIVALS[2]);
        }
        // A tree that could have had more takes whatever gains.
        self.least = Some(if full { least } else { 0.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_last_tree_needed_is_cut_and_what_a_tree_still_lacks() {
        let of = |gain: f64, better: usize| Prospect { gain, better, most: 100 };
        let mut pace = Pace::default();
        // Nothing is known: a quarter of what is lacking.
        assert!(pace.takes(25, of(0.1, 0)) && !pace.takes(26, of(0.1, 0)) && !pace.takes(25, of(0.1, 1)));
        pace.learn(Made { all: 107, taken: 100, full: true, least: 2.0 });
        assert!(pace.takes(63, of(2.05, 99)) && !pace.takes(MOST, of(9.0, 0)));
        assert!(!pace.takes(1, of(1.9, 24)) && pace.takes(1, of(1.9, 25)) && pace.takes(2, of(1.9, 92)));
        assert!(!pace.takes(3, of(1.9, 92)));
        // Much was cut for nothing: more is expected to come.
        pace.learn(Made { all: 120, taken: 100, full: true, least: 2.0 });
        assert!(!pace.takes(2, of(1.9, 92)) && pace.takes(2, of(1.9, 90)));
        // The tree could have had more.
        pace.learn(Made { all: 50, taken: 50, full: false, least: 2.0 });
        assert!(pace.takes(9, of(1e-9, 3)));
    }
}
