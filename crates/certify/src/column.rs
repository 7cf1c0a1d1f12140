//! A feature as stumps see it: the place of each row among the codes that occur.

use manyboost_kernel::{Bins, Feature, Order};

/// The codes of a feature that occur, as numbers from 0.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) order: Order,
    /// The place of each row; the last place may mean "missing".
    pub(crate) of: Vec<u32>,
    pub(crate) places: usize,
    pub(crate) missing: bool,
}

impl Column {
    /// Of a feature of a data set.
    pub(crate) fn new(bins: &Bins, feature: usize) -> Self {
        let mut of: Vec<u32> = (0..bins.rows()).map(|row| bins.code(row, feature)).collect();
        let mut codes = of.clone();
        codes.sort_unstable();
        codes.dedup();
        for code in &mut of {
            *code = codes.partition_point(|c| c < code) as u32;
        }
        let Feature { order, bins, .. } = bins.features()[feature];
        Self { order, of, places: codes.len(), missing: codes.last() == Some(&bins) }
    }

    /// The cell of each place, where places that no cut with so many rows on both sides parts are in one cell.
    pub(crate) fn cells(&self, least: usize) -> Vec<u32> {
        let mut rows = vec![0usize; self.places];
        self.of.iter().for_each(|&place| rows[place as usize] += 1);
        let present = self.places - usize::from(self.missing);
        let known: usize = rows[..present].iter().sum();
        let mut cells = vec![0u32; self.places];
        let (mut cell, mut before) = (0, 0);
        for (place, &here) in rows[..present].iter().enumerate() {
            let apart = match self.order {
                // Missing values may be on either side, so they help neither.
                Order::Ordered => before >= least && known - before >= least,
                Order::Nominal => here >= least && self.of.len() - here >= least,
            };
            if apart {
                cell += 1;
            }
            cells[place] = if apart || self.order == Order::Ordered { cell } else { 0 };
            before += here;
        }
        let apart = cell > 0 || (known >= least && self.of.len() - known >= least);
        if self.missing && apart && self.order == Order::Ordered {
            cells[present] = cell + 1;
        }
        cells
    }

    /// Marks the rows that one cut sets apart from all others: alone at either end, in their category, or (`between` two cuts) in their place.
    pub(crate) fn mark_alone(&self, between: bool, alone: &mut [bool]) {
        let mut rows = vec![0usize; self.places];
        self.of.iter().for_each(|&place| rows[place as usize] += 1);
        let present = self.places - usize::from(self.missing);
        // Missing values go with either side of a number, and are a category of their own where there are others.
        let reachable = |place: usize| match self.order {
            Order::Nominal => place < present || present == 1,
            Order::Ordered => between || place == 0 || place + 1 >= present,
        };
        for (row, &place) in self.of.iter().enumerate() {
            alone[row] |= rows[place as usize] == 1 && reachable(place as usize);
        }
    }
}
