//! Which worker has which features of a region.
//!
//! The cells of features follow one another, and every worker has a run of them of about the same length: it gets the sums of these over all
//! workers, keeps them, and looks for cuts among them.

use std::ops::Range;

use rayon::prelude::*;

use crate::search::accumulate::{Column, Sign, check_rows};
use crate::search::histogram::{Layout, PARALLEL};
use crate::search::source::Sum;
use crate::search::{Search, Searchable, Searcher};

/// The features of a region, dealt out.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    /// Those that were drawn for the region, ascending, with their numbers of cells; if not, all are as in the layout.
    drawn: Option<Vec<(u32, usize)>>,
    /// Those of this worker, ascending.
    pub(crate) own: Vec<u32>,
    /// The first cell of each of these within the worker's part, by feature.
    pub(crate) starts: Vec<usize>,
    /// The part of each worker, in sums.
    pub(crate) parts: Vec<Range<usize>>,
}

impl Shares {
    /// All features.
    pub(crate) fn all(layout: &Layout, width: usize, seat: Seat) -> Self {
        let mut order: Vec<u32> = (0..layout.starts.len() as u32).collect();
        order.sort_by_key(|&feature| layout.starts[feature as usize]);
        let starts = order.iter().map(|&feature| layout.starts[feature as usize]);
        let ends = starts.clone().skip(1).chain([layout.cells]);
        let cells: Vec<usize> = starts.zip(ends).map(|(start, end)| end - start).collect();
        let features = order.into_iter().zip(cells);
        Self::deal(features, layout.starts.len(), width, seat, None)
    }

    /// Some features, which ascend.
    fn drawn(features: Vec<(u32, usize)>, count: usize, width: usize, seat: Seat) -> Self {
        Self::deal(features.iter().copied(), count, width, seat, Some(features.clone()))
    }

    /// Deals out features with so many cells each: all cells before a feature say whose it is.
    fn deal(
        features: impl Iterator<Item = (u32, usize)> + Clone,
        count: usize,
        width: usize,
        Seat { rank, workers }: Seat,
        drawn: Option<Vec<(u32, usize)>>,
    ) -> Self {
        let all: usize = features.clone().map(|(_, cells)| cells).sum();
        let (mut own, mut starts, mut lengths) = (Vec::new(), vec![0; count], vec![0; workers]);
        let mut before = 0;
        for (feature, cells) in features {
            let worker = (before * workers / all.max(1)).min(workers - 1);
            if worker == rank {
                starts[feature as usize] = lengths[rank];
                own.push(feature);
            }
            lengths[worker] += cells;
            before += cells;
        }
        own.sort_unstable();
        let mut end = 0;
        let parts = lengths.into_iter().map(|cells| {
            let start = end;
            end += cells * width;
            start..end
        });
        Self { drawn, own, starts, parts: parts.collect() }
    }

    /// Sums of all features.
    pub(crate) fn sums(&self) -> usize {
        self.parts.last().map_or(0, |part| part.end)
    }
}

/// Which worker of how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub(crate) rank: usize,
    pub(crate) workers: usize,
}

impl<S: Sum> Searcher<'_, S> {
    /// Cells that a drawn feature takes.
    fn cells_of(&self, feature: u32) -> usize {
        match Column::of(self.bins, feature as usize) {
            Some(_) => self.bins.features()[feature as usize].codes() as usize,
            None => self.slots_of(feature).len(),
        }
    }

    /// The slots of a sparse feature.
    fn slots_of(&self, feature: u32) -> Range<usize> {
        let index = self.layout.sparse.binary_search(&feature).unwrap_or_default();
        self.layout.sparse_of(self.bins).slots_of(index)
    }
}

impl<S: Searchable> Search<'_, S> {
    /// The features that were drawn for a region, dealt out.
    pub(crate) fn share_drawn(&self, drawn: Vec<u32>) -> Shares {
        let seat = Seat { rank: self.exchange.rank(), workers: self.exchange.workers() };
        let features = drawn.into_iter().map(|feature| (feature, self.searcher.cells_of(feature)));
        Shares::drawn(features.collect(), self.searcher.bins.features().len(), self.steps.len(), seat)
    }

    /// Counts the rows of a region that this worker has, whoever gets the sums.
    pub(crate) fn count_shares(&self, rows: &[u32], shares: &Shares) -> Vec<S> {
        let Some(drawn) = &shares.drawn else { return self.builder.build(rows) };
        check_rows(rows, self.searcher.bins.rows());
        let width = self.steps.len();
        let features: Vec<u32> = drawn.iter().map(|&(feature, _)| feature).collect();
        let slots = self.count_slots(rows, Some(&features));
        let mut sums = self.searcher.histograms.take();
        sums.clear();
        sums.resize(shares.sums(), S::default());
        let mut rest = sums.as_mut_slice();
        let own = drawn
            .iter()
            .map(|&(feature, cells)| (feature, rest.split_off_mut(..cells * width).unwrap_or_default()));
        let count = |(feature, cells): (u32, &mut [S])| match Column::of(self.searcher.bins, feature as usize)
        {
            // SAFETY: the rows were checked; there is a cell for each code.
            Some(column) => unsafe { self.builder.passes.column(Sign::Plus, rows, column, cells) },
            None => {
                if let Some(slots) = &slots {
                    let Range { start, end } = self.searcher.slots_of(feature);
                    cells.copy_from_slice(&slots.cells[start * width..end * width]);
                }
            }
        };
        if rayon::current_num_threads() > 1 && rows.len() * drawn.len() * width >= PARALLEL {
            let own: Vec<(u32, &mut [S])> = own.collect();
            own.into_par_iter().for_each(count);
        } else {
            own.for_each(count);
        }
        if let Some(slots) = slots {
            self.clear_slots(slots);
        }
        sums
    }
}
