//! The slots of sparse features in a region without histogram: counted row by row or list by list, whichever is less work,
//! and only those of features that were drawn, where it is known which.

use crate::bins::Place;
use crate::search::cells::add_cell;
use crate::search::{Search, Searchable};

/// Cells of the slots of a small region, and what it takes to count them.
#[derive(Debug, Default)]
pub(crate) struct SlotScratch<S> {
    /// All zero between uses.
    pub(crate) cells: Vec<S>,
    /// The slots that have rows.
    pub(crate) touched: Vec<u32>,
    /// A bit for each slot of a feature that was drawn.
    wanted: Vec<u64>,
    /// A bit for each row of the region; all zero between uses.
    members: Vec<u64>,
    /// Rows of one slot in the region.
    listed: Vec<u32>,
}

impl<S: Searchable> Search<'_, S> {
    /// Counts the slots of a region that has no histogram: those of `drawn` features, or all. Where it is all, those that have
    /// rows are listed in ascending order.
    pub(crate) fn count_slots(&self, rows: &[u32], drawn: Option<&[u32]>) -> Option<SlotScratch<S>> {
        let sparse = self.searcher.sparse();
        if sparse.slots() == 0 {
            return None;
        }
        let listed =
            |drawn: &[u32]| self.sparse_among(drawn).map(|index| sparse.listed_of(index)).sum::<usize>();
        Some(match drawn {
            Some(drawn) if listed(drawn) + rows.len() < rows.len() * sparse.listed() => {
                self.count_lists(rows, drawn)
            }
            _ => {
                let parts = self.parts(rows.len(), rayon::current_num_threads());
                let mut scratch = self.count_rows(rows, drawn, parts);
                if drawn.is_none() {
                    scratch.touched.sort_unstable();
                }
                scratch
            }
        })
    }

    /// Cells that are all zero.
    fn slot_scratch(&self) -> SlotScratch<S> {
        let mut scratch = self.searcher.slots.take();
        scratch.cells.resize(self.searcher.sparse().slots() * self.steps.len(), S::default());
        scratch
    }

    /// The sparse features among some, by index.
    fn sparse_among(&self, features: &[u32]) -> impl Iterator<Item = usize> {
        features.iter().filter_map(|&feature| match self.searcher.bins.place(feature as usize) {
            Place::Sparse(index) => Some(index as usize),
            _ => None,
        })
    }

    /// Looks through the slots of each row, so many parts of the rows side by side.
    fn count_rows(&self, rows: &[u32], drawn: Option<&[u32]>, parts: usize) -> SlotScratch<S> {
        let (sparse, width) = (self.searcher.sparse(), self.steps.len());
        if parts > 1 {
            let (here, there) = rows.split_at(rows.len() / 2);
            let half = |rows| move || self.count_rows(rows, drawn, parts / 2);
            let (mut sum, other) = rayon::join(half(here), half(there));
            for &slot in &other.touched {
                let at = slot as usize * width;
                if sum.cells[at] == S::default() {
                    sum.touched.push(slot);
                }
                add_cell(&mut sum.cells[at..at + width], &other.cells[at..at + width]);
            }
            self.clear_slots(other);
            return sum;
        }
        let mut scratch = self.slot_scratch();
        let SlotScratch { cells, touched, wanted, .. } = &mut scratch;
        wanted.clear();
        if let Some(drawn) = drawn {
            wanted.resize(sparse.slots().div_ceil(64), 0);
            for slot in self.sparse_among(drawn).flat_map(|index| sparse.slots_of(index)) {
                wanted[slot / 64] |= 1 << (slot % 64);
            }
        }
        // SAFETY: rows and slots are those of the bins.
        unsafe { self.builder.passes.slots_listed(rows, sparse, wanted, cells, touched) };
        scratch
    }

    /// Looks through the rows of each slot.
    fn count_lists(&self, rows: &[u32], drawn: &[u32]) -> SlotScratch<S> {
        let (sparse, width) = (self.searcher.sparse(), self.steps.len());
        let mut scratch = self.slot_scratch();
        let SlotScratch { cells, touched, members, listed, .. } = &mut scratch;
        members.resize(self.searcher.bins.rows().div_ceil(64), 0);
        for &row in rows {
            members[row as usize / 64] |= 1 << (row % 64);
        }
        for slot in self.sparse_among(drawn).flat_map(|index| sparse.slots_of(index)) {
            let list = sparse.posting(slot);
            listed.resize(list.len().max(listed.len()), 0);
            let mut count = 0;
            // Every row is written and some move on: no branch to predict.
            for &row in list {
                listed[count] = row;
                count += (members[row as usize / 64] >> (row % 64) & 1) as usize;
            }
            if count > 0 {
                touched.push(slot as u32);
                self.add_rows(&listed[..count], &mut cells[slot * width..][..width]);
            }
        }
        for &row in rows {
            members[row as usize / 64] = 0;
        }
        scratch
    }

    pub(crate) fn clear_slots(&self, mut scratch: SlotScratch<S>) {
        let width = self.steps.len();
        for &slot in &scratch.touched {
            scratch.cells[slot as usize * width..][..width].fill(S::default());
        }
        scratch.touched.clear();
        self.searcher.slots.give(scratch);
    }
}
