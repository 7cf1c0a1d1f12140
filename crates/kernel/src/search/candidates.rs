//! The best boundary of each of some features of a region.

use rayon::prelude::*;

use crate::search::cells::{Region, Scratch};
use crate::search::histogram::PARALLEL;
use crate::search::scan::{Found, ScanInput};
use crate::search::{Search, Searchable};

/// The best boundary of a feature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) feature: u32,
    pub(crate) found: Found,
}

impl<S: Searchable> Search<'_, S> {
    /// The best boundaries of some features (ascending), in their order; side by side where that is worth it.
    pub(crate) fn candidates_of(&self, features: &[u32], region: &Region<'_, S>) -> Vec<Candidate> {
        let (rows, width, threads) = (region.rows.len(), self.steps.len(), rayon::current_num_threads());
        let work = rows.min(self.searcher.layout.most) * features.len() * width;
        let direct = region.histogram.is_none() && rows * features.len() * width >= PARALLEL;
        if (work < PARALLEL && !direct) || threads == 1 {
            return self.candidates(features, region);
        }
        // A few features a task: some are much more work than others. Random cuts of a tile share some of it.
        let tasks = if self.rules.cuts > 0 { 2 } else { 32 } * threads;
        let some = features.len().div_ceil(tasks);
        features.par_chunks(some).flat_map_iter(|group| self.candidates(group, region)).collect()
    }

    /// The same, one after the other.
    fn candidates(&self, features: &[u32], region: &Region<'_, S>) -> Vec<Candidate> {
        let mut scratch = self.searcher.scratch.take();
        let mut searched = None;
        let best = |(i, &feature): (usize, &u32)| {
            let found = if let Some((tile, lane)) = self.random_lane(feature as usize, region) {
                if searched.replace(tile) != Some(tile) {
                    self.search_lanes(tile, &features[i..], region, &mut scratch);
                }
                scratch.lanes.found[lane]?
            } else {
                self.boundary_of(feature as usize, region, &mut scratch)?
            };
            Some(Candidate { feature, found })
        };
        let candidates = features.iter().enumerate().filter_map(best).collect();
        self.searcher.scratch.give(scratch);
        candidates
    }

    /// The best boundary of one feature.
    pub(crate) fn boundary_of(
        &self,
        feature: usize,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
    ) -> Option<Found> {
        if self.is_light(feature, region) {
            return None;
        }
        let mut buffers = std::mem::take(&mut scratch.scan);
        let found = if self.is_random(feature) {
            self.best_random(feature, region, scratch, &mut buffers)
        } else if let Some((cells, heavier_left)) = self.word(feature, region, &mut scratch.slots) {
            let found = S::scan(self.criterion, ScanInput(cells, &mut buffers)).0;
            found.map(|found| Found { missing_left: heavier_left, ..found })
        } else {
            let place = self.prepare(feature, region, scratch);
            let cells = self.cells(feature, place, region, scratch);
            let found = S::scan(self.criterion, ScanInput(cells, &mut buffers)).0;
            self.release(place, scratch);
            found
        };
        scratch.scan = buffers;
        found
    }
}
