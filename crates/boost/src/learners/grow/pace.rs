//! How far several workers cut ahead.
//!
//! Whenever they cut, workers wait for one another, so they cut several regions at a time: the next one of the tree and those that
//! it is likely to take. Trees of one training resemble each other: what the last cut of the tree before gained tells how much a region must
//! gain to be worth it now. A tree is the same whatever was cut for nothing.

use std::ops::ControlFlow;

/// So many regions are cut at a time where nothing is known yet.
const FEW: usize = 4;

/// The most that are cut at a time: what is counted for them takes memory.
const MOST: usize = 64;

/// Shares of cuts that were made for nothing: fewer are few, more are many.
const WASTE: [f64; 2] = [0.04, 0.08];

/// What was learnt from the trees before.
#[derive(Debug)]
pub(crate) struct Pace {
    /// What a region must gain.
    least: Option<f64>,
    /// Of what the last tree needed.
    margin: f64,
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

impl Default for Pace {
    fn default() -> Self {
        Self { least: None, margin: 1.0 }
    }
}

impl Pace {
    /// Whether to cut more than so many regions at a time, and if so, how much another one must gain.
    pub(super) fn ahead(&self, regions: usize) -> ControlFlow<(), f64> {
        match self.least {
            _ if regions >= MOST => ControlFlow::Break(()),
            None if regions >= FEW => ControlFlow::Break(()),
            None => ControlFlow::Continue(f64::NEG_INFINITY),
            Some(least) => ControlFlow::Continue(least),
        }
    }

    /// Learns from a tree that has grown.
    pub(super) fn learn(&mut self, made: Made) {
        let Made { all, taken, full, least } = made;
        if all < FEW {
            return;
        }
        let wasted = (all - taken) as f64 / all as f64;
        if wasted < WASTE[0] {
            self.margin = (self.margin * 0.8).max(1.0 / 64.0);
        } else if wasted > WASTE[1] {
            self.margin = (self.margin * 1.25).min(64.0);
        }
        // A tree that could have had more takes whatever gains.
        self.least = Some(if full { self.margin * least } else { 0.0 });
    }
}
