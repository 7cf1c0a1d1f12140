//! The cells of one feature in one region, however they come about: from the region's histogram, by counting its rows,
//! or from lists of slots.

use crate::bins::{Order, Place};
use crate::numbers::seed::Seed;
use crate::search::accumulate::{Column, Sign};
use crate::search::lanes::LaneScratch;
use crate::search::levels::{FEW_LEVELS, LevelScratch, order_levels, shuffle_levels};
use crate::search::scan::{Buffers, Cells};
use crate::search::source::Sum;
use crate::search::{Search, Searchable};
use crate::words::coarse::CoarseSums;

/// Buffers of one search, kept for the next.
#[derive(Debug, Default)]
pub(crate) struct Scratch<S> {
    /// Cells of one feature; all zero between uses.
    pub(crate) column: Vec<S>,
    /// Codes that occur.
    pub(crate) touched: Vec<u64>,
    /// Cells of one sparse feature, by slot, where they are not at hand.
    pub(crate) slots: Vec<S>,
    /// Cells of one sparse feature, by code.
    pub(crate) codes: Vec<S>,
    pub(crate) order: Vec<u32>,
    pub(crate) missing: Vec<S>,
    /// Cells of the two sides of a random cut, and of the missing values between them.
    pub(crate) sides: Vec<S>,
    /// Rows by side, and rows with missing values.
    pub(crate) listed: Vec<u32>,
    pub(crate) gone: Vec<u32>,
    pub(crate) lanes: LaneScratch,
    pub(crate) levels: LevelScratch,
    pub(crate) scan: Buffers<S>,
}

/// A region of rows and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Region<'a, S> {
    pub(crate) rows: &'a [u32],
    pub(crate) total: &'a [S],
    /// Cells of dense features.
    pub(crate) histogram: Option<Counted<'a, S>>,
    pub(crate) slots: Slots<'a, S>,
    pub(crate) seed: Seed,
}

/// Cells that are at hand.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'a, S> {
    pub(crate) sums: &'a [S],
    /// The first cell of each feature that is among them.
    pub(crate) starts: &'a [usize],
}

/// The cells of the slots of sparse features in a region.
#[derive(Clone, Copy)]
pub(crate) enum Slots<'a, S> {
    /// All are at hand, slot after slot.
    All(&'a [S]),
    /// They are at hand with the cells of other features.
    Counted(Counted<'a, S>),
    /// The region is all rows, and a slot is counted when it is asked for.
    OnDemand {
        /// The weight of each slot.
        weights: &'a [i64],
        rough: &'a CoarseSums,
    },
}

/// Where the cells of a feature are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// In the region's histogram, from this sum on.
    Histogram(usize),
    /// In the scratch's column.
    Column,
    /// In the scratch's cells by code.
    Codes,
}

impl At {
    pub(crate) fn sums<'b, S: Copy>(
        self,
        region: &Region<'b, S>,
        column: &'b [S],
        codes: &'b [S],
    ) -> &'b [S] {
        match (self, region.histogram) {
            (Self::Histogram(start), Some(histogram)) => &histogram.sums[start..],
            (Self::Codes, _) => codes,
            _ => column,
        }
    }
}

/// Adds a cell to sums.
pub(crate) fn add_cell<S: Sum>(sums: &mut [S], cell: &[S]) {
    sums.iter_mut().zip(cell).for_each(|(sum, &x)| *sum += x);
}

impl<S: Searchable> Search<'_, S> {
    /// Into how many parts the counting of so many rows is divided for so many threads.
    #[doc(hidden)]
    pub fn parts(&self, rows: usize, threads: usize) -> usize {
        self.builder.parts(rows, threads)
    }

    /// Fills the scratch with the cells of a feature and the order in which to visit them.
    pub(crate) fn prepare(&self, feature: usize, region: &Region<'_, S>, scratch: &mut Scratch<S>) -> At {
        let at = self.count(feature, region, scratch);
        self.arrange(feature, at, region, scratch);
        at
    }

    /// Fills the scratch with the cells of a feature and the codes that occur, ascending.
    pub(crate) fn count(&self, feature: usize, region: &Region<'_, S>, scratch: &mut Scratch<S>) -> At {
        let bins = self.searcher.bins;
        let width = self.steps.len();
        let codes = bins.features()[feature].codes() as usize;
        scratch.order.clear();
        match (Column::of(bins, feature), region.histogram) {
            (Some(_), Some(histogram)) => {
                let start = histogram.starts[feature] * width;
                let occurs = |&c: &u32| histogram.sums[start + c as usize * width] != S::default();
                scratch.order.extend((0..codes as u32).filter(occurs));
                At::Histogram(start)
            }
            (Some(column), None) => {
                self.count_column(region.rows, column, codes, scratch);
                At::Column
            }
            (None, _) => {
                self.gather(feature, region, scratch);
                At::Codes
            }
        }
    }

    /// Counts one column of a region without histogram.
    pub(crate) fn count_column(
        &self,
        rows: &[u32],
        column: Column<'_>,
        codes: usize,
        scratch: &mut Scratch<S>,
    ) {
        let width = self.steps.len();
        if scratch.column.len() < codes * width {
            scratch.column.resize(codes * width, S::default());
        }
        scratch.touched.clear();
        scratch.touched.resize(codes.div_ceil(64), 0);
        // SAFETY: rows are those of the bins; there is a cell for each code.
        unsafe { self.builder.passes.column(Sign::Plus, rows, column, &mut scratch.column) };
        if rows.len() < codes {
            for &row in rows {
                let code = column.at(row);
                scratch.touched[code as usize / 64] |= 1 << (code % 64);
            }
        } else {
            // Weights are positive, so a cell that has rows has weight.
            for (code, cell) in scratch.column.chunks_exact(width).take(codes).enumerate() {
                scratch.touched[code / 64] |= u64::from(cell[0] != S::default()) << (code % 64);
            }
        }
        for (i, &word) in scratch.touched.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                scratch.order.push(64 * i as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// The sums of a sparse feature's slots in a region.
    fn slot_sums<'b>(&self, index: usize, region: &Region<'b, S>, buffer: &'b mut Vec<S>) -> &'b [S] {
        let (sparse, width) = (self.searcher.sparse(), self.steps.len());
        if let Some(sums) = self.slots_at_hand(index, region) {
            return sums;
        }
        let slots = sparse.slots_of(index);
        buffer.clear();
        buffer.resize(slots.len() * width, S::default());
        let cells = slots.zip(buffer.chunks_exact_mut(width));
        cells.for_each(|(slot, cell)| self.add_rows(sparse.posting(slot), cell));
        buffer
    }

    /// The same, if they need not be counted.
    fn slots_at_hand<'b>(&self, index: usize, region: &Region<'b, S>) -> Option<&'b [S]> {
        let (slots, width) = (self.searcher.sparse().slots_of(index), self.steps.len());
        let (sums, start) = match region.slots {
            Slots::All(sums) => (sums, slots.start),
            Slots::Counted(Counted { sums, starts }) => {
                (sums, starts[self.searcher.layout.sparse[index] as usize])
            }
            Slots::OnDemand { .. } => return None,
        };
        Some(&sums[start * width..][..slots.len() * width])
    }

    /// Whether a sparse feature is at its default for all but too few rows of a region: no cut could have two sides.
    pub(crate) fn is_light(&self, feature: usize, region: &Region<'_, S>) -> bool {
        let Place::Sparse(index) = self.searcher.bins.place(feature) else { return false };
        let listed: i64 = if let Slots::OnDemand { weights, .. } = region.slots {
            weights[self.searcher.sparse().slots_of(index as usize)].iter().sum()
        } else {
            let sums = self.slots_at_hand(index as usize, region).unwrap_or_default();
            sums.iter().step_by(self.steps.len()).map(|weight| weight.to_i64()).sum()
        };
        listed < self.rules.min_weight.max(1)
    }

    /// Gathers the cells of a sparse feature by code; the default code has what its slots leave of the total.
    pub(crate) fn gather(&self, feature: usize, region: &Region<'_, S>, scratch: &mut Scratch<S>) {
        let Place::Sparse(index) = self.searcher.bins.place(feature) else { return };
        let (sparse, index, width) = (self.searcher.sparse(), index as usize, self.steps.len());
        let slots = sparse.slots_of(index);
        let Scratch { codes, order, slots: buffer, .. } = scratch;
        let sums = self.slot_sums(index, region, buffer);
        let default = sparse.default_code(index) as usize;
        codes.clear();
        codes.resize((slots.len() + 1) * width, S::default());
        codes[default * width..][..width].copy_from_slice(region.total);
        for (slot, cell) in slots.zip(sums.chunks_exact(width)) {
            if cell[0] != S::default() {
                let code = sparse.code_of(index, slot);
                for (i, &x) in cell.iter().enumerate() {
                    codes[code as usize * width + i] = x;
                    codes[default * width + i] -= x;
                }
            }
        }
        let occurs = |&code: &u32| codes[code as usize * width] != S::default();
        order.extend((0..(codes.len() / width) as u32).filter(occurs));
    }

    /// The cell of a sparse feature that has but one code besides its default, and none of them missing (a word): its one cut
    /// is between that cell and the rest. Also whether the left side, that of code 0, is the heavier one.
    pub(crate) fn word<'b>(
        &'b self,
        feature: usize,
        region: &Region<'b, S>,
        buffer: &'b mut Vec<S>,
    ) -> Option<(Cells<'b, S>, bool)> {
        let Place::Sparse(index) = self.searcher.bins.place(feature) else { return None };
        let (sparse, index) = (self.searcher.sparse(), index as usize);
        let spec = self.searcher.bins.features()[feature];
        let grouped = spec.order == Order::Nominal && !self.rules.equality;
        if sparse.slots_of(index).len() != 1 || spec.bins < 2 || grouped {
            return None;
        }
        let sums = self.slot_sums(index, region, buffer);
        let (listed, rest) = (sums[0].to_i64(), region.total[0].to_i64() - sums[0].to_i64());
        let heavier_left = if sparse.default_code(index) == 0 { rest > listed } else { listed > rest };
        let cells = Cells {
            sums,
            order: &[0],
            missing: None,
            total: region.total,
            steps: self.steps,
            min_weight: self.rules.min_weight,
            single: true,
        };
        Some((cells, heavier_left))
    }

    /// Takes missing values and thin levels out of the order, and puts levels in order.
    pub(crate) fn arrange(&self, feature: usize, at: At, region: &Region<'_, S>, scratch: &mut Scratch<S>) {
        let Scratch { column, codes, order, missing, levels, .. } = scratch;
        let sums = at.sums(region, column, codes);
        let width = self.steps.len();
        let spec = self.searcher.bins.features()[feature];
        let grouped = spec.order == Order::Nominal && !self.rules.equality;
        missing.clear();
        missing.resize(width, S::default());
        order.retain(|&code| {
            let cell = &sums[code as usize * width..][..width];
            let gone = code == spec.bins || (grouped && cell[0].to_i64() < self.rules.min_level);
            if gone {
                missing.iter_mut().zip(cell).for_each(|(sum, &x)| *sum += x);
            }
            !gone
        });
        if grouped && order.len() > 2 {
            if self.rules.cuts > 0 && order.len() > FEW_LEVELS {
                shuffle_levels(order, region.seed.part(3).part(feature as u64), levels);
            } else {
                order_levels(sums, self.steps, region.total, order, levels);
            }
        }
    }

    /// The prepared cells, for a scan.
    pub(crate) fn cells<'b>(
        &'b self,
        feature: usize,
        at: At,
        region: &'b Region<'_, S>,
        scratch: &'b Scratch<S>,
    ) -> Cells<'b, S> {
        let missing = scratch.missing.as_slice();
        Cells {
            sums: at.sums(region, &scratch.column, &scratch.codes),
            order: &scratch.order,
            missing: (missing[0] != S::default()).then_some(missing),
            total: region.total,
            steps: self.steps,
            min_weight: self.rules.min_weight,
            single: self.searcher.bins.features()[feature].order == Order::Nominal && self.rules.equality,
        }
    }

    /// Leaves the scratch clean for the next feature.
    pub(crate) fn release(&self, at: At, scratch: &mut Scratch<S>) {
        let width = self.steps.len();
        if at == At::Column {
            for (i, &word) in scratch.touched.iter().enumerate() {
                let mut bits = word;
                while bits != 0 {
                    let code = 64 * i + bits.trailing_zeros() as usize;
                    scratch.column[code * width..][..width].fill(S::default());
                    bits &= bits - 1;
                }
            }
        }
    }
}
