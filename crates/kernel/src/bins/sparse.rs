//! Sparse features: lists of the rows that differ from a feature's default code.
//!
//! Each (feature, code other than the default) is one **slot**. A row is the ascending list of its slots; a slot is
//! the ascending list of its rows (a posting list). Sums per slot are all a histogram needs: the default
//! code has what is left of the total.

use crate::bins::Place;
use crate::numbers::cpu::prefetch;

/// Slots of a short row.
const SHORT: usize = 8;

/// One sparse feature: its slots are `first..first + slots` (every code but the default, in code order).
#[derive(Clone, Copy, Debug)]
struct Entry {
    first: u32,
    slots: u32,
    default: u32,
}

/// All sparse features of a set of rows.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    features: Vec<Entry>,
    slots: usize,
    row_starts: Vec<usize>,
    row_slots: Vec<u32>,
    slot_starts: Vec<usize>,
    slot_rows: Vec<u32>,
}

impl Sparse {
    /// Number of sparse features.
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// Number of slots of all features.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The slots of a row, ascending.
    #[inline]
    pub fn row(&self, row: usize) -> &[u32] {
        &self.row_slots[self.row_starts[row]..self.row_starts[row + 1]]
    }

    /// Asks for the slots of a row that will be read soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: usize) {
        if let Some(&start) = self.row_starts.get(row) {
            prefetch(self.row_slots.as_ptr().wrapping_add(start));
        }
    }

    /// The rows of a slot, ascending.
    #[inline]
    pub fn posting(&self, slot: usize) -> &[u32] {
        &self.slot_rows[self.slot_starts[slot]..self.slot_starts[slot + 1]]
    }

    /// The slots of a feature.
    #[inline]
    pub fn slots_of(&self, feature: usize) -> std::ops::Range<usize> {
        let Entry { first, slots, .. } = self.features[feature];
        first as usize..(first + slots) as usize
    }

    /// How many rows have another code of a feature than its default.
    #[inline]
    pub(crate) fn listed_of(&self, feature: usize) -> usize {
        let slots = self.slots_of(feature);
        self.slot_starts[slots.end] - self.slot_starts[slots.start]
    }

    /// The feature of a slot, which is not before the feature `from`.
    pub fn feature_of(&self, slot: usize, from: usize) -> usize {
        let before = |entry: &Entry| ((entry.first + entry.slots) as usize) <= slot;
        // Ever larger steps: slots that are asked for one after the other are often near.
        let rest = &self.features[from..];
        let mut step = 1;
        while step < rest.len() && before(&rest[step - 1]) {
            step *= 2;
        }
        from + step / 2 + rest[step / 2..step.min(rest.len())].partition_point(before)
    }

    /// The same features and rows, without the slots of features in which rows of this weight together are too few: `least` is
    /// what the rows of a feature's slots must weigh.
    pub(crate) fn without_light(&self, units: &[u32], least: i64) -> Self {
        let mut slim = SparseBuilder::default();
        for (feature, &Entry { slots, default, .. }) in self.features.iter().enumerate() {
            let first = slim.slots;
            let light = self.is_light(feature, units, least);
            slim.features.push(Entry { first, slots: if light { 0 } else { slots }, default });
            if light {
                continue;
            }
            slim.slots += slots;
            for slot in self.slots_of(feature) {
                slim.slot_starts.push(slim.slot_rows.len());
                slim.slot_rows.extend_from_slice(self.posting(slot));
            }
        }
        slim.finish(self.row_starts.len() - 1)
    }

    /// Whether the rows of all slots of a feature weigh less than `least`.
    pub(crate) fn is_light(&self, feature: usize, units: &[u32], least: i64) -> bool {
        let slots = self.slots_of(feature);
        let rows = &self.slot_rows[self.slot_starts[slots.start]..self.slot_starts[slots.end]];
        let mut weight = 0;
        // Features with many rows are seldom light.
        !rows.iter().any(|&row| {
            weight += i64::from(units[row as usize]);
            weight >= least
        })
    }

    /// Slots that a row has, on average.
    pub(crate) fn listed(&self) -> usize {
        self.slot_rows.len().div_ceil(self.row_starts.len().max(2) - 1)
    }

    /// The code of the rows that are not listed for a feature.
    #[inline]
    pub fn default_code(&self, feature: usize) -> u32 {
        self.features[feature].default
    }

    /// The code that a feature's slot stands for.
    #[inline]
    pub fn code_of(&self, feature: usize, slot: usize) -> u32 {
        let Entry { first, default, .. } = self.features[feature];
        let offset = slot as u32 - first;
        offset + u32::from(offset >= default)
    }

    /// The code of one value.
    #[inline]
    pub fn code(&self, row: usize, feature: usize) -> u32 {
        let Entry { first, slots, default } = self.features[feature];
        let row = self.row(row);
        let before = |slot: &&u32| **slot < first;
        // A short row is looked through faster than searched.
        let at = if row.len() <= SHORT {
            row.iter().filter(before).count()
        } else {
            row.partition_point(|slot| before(&slot))
        };
        match row.get(at) {
            Some(&slot) if slot < first + slots => self.code_of(feature, slot as usize),
            _ => default,
        }
    }
}

/// Collects sparse features.
#[derive(Debug, Default)]
pub(crate) struct SparseBuilder {
    features: Vec<Entry>,
    slots: u32,
    slot_starts: Vec<usize>,
    slot_rows: Vec<u32>,
}

impl SparseBuilder {
    /// Adds a feature with the codes `0..codes`.
    pub(crate) fn push(&mut self, codes: u32, default: u32, entries: &[(u32, u32)]) -> Place {
        let slots = codes.saturating_sub(1);
        let first = self.slots;
        let index = self.features.len() as u32;
        self.features.push(Entry { first, slots, default });
        self.slots += slots;
        let slot = |code: u32| (code - u32::from(code > default)) as usize;
        let base = self.slot_rows.len();
        if slots <= 1 {
            // Nothing to put in order.
            self.slot_starts.extend((0..slots).map(|_| base));
            self.slot_rows.extend(entries.iter().map(|&(row, _)| row));
            return Place::Sparse(index);
        }
        let mut next = vec![0usize; slots as usize + 1];
        for &(_, code) in entries {
            next[slot(code) + 1] += 1;
        }
        for s in 0..slots as usize {
            next[s + 1] += next[s];
        }
        self.slot_starts.extend(next[..slots as usize].iter().map(|offset| base + offset));
        self.slot_rows.resize(base + entries.len(), 0);
        for &(row, code) in entries {
            let at = &mut next[slot(code)];
            self.slot_rows[base + *at] = row;
            *at += 1;
        }
        Place::Sparse(index)
    }

    /// Adds the row lists.
    pub(crate) fn finish(mut self, rows: usize) -> Sparse {
        self.slot_starts.push(self.slot_rows.len());
        let mut starts = vec![0usize; rows + 1];
        for &row in &self.slot_rows {
            starts[row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut row_slots = vec![0u32; self.slot_rows.len()];
        for slot in 0..self.slots as usize {
            for &row in &self.slot_rows[self.slot_starts[slot]..self.slot_starts[slot + 1]] {
                let at = &mut next[row as usize];
                row_slots[*at] = slot as u32;
                *at += 1;
            }
        }
        Sparse {
            features: self.features,
            slots: self.slots as usize,
            row_starts: starts,
            row_slots,
            slot_starts: self.slot_starts,
            slot_rows: self.slot_rows,
        }
    }
}
