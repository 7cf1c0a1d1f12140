//! The search for the best cut of a region, over all features.
//!
//! Large regions keep a [`Histogram`](crate::histogram). Small ones need none: each feature is counted into one small
//! buffer, of which only the touched cells are visited and cleared. With random cuts a region is not counted by code at
//! all, only by side. All ways give the same integers, so which one runs never shows in the result.

use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::accumulate::{Column, Passes, Sign, check_rows};
use crate::bins::{Bins, Order, Place};
use crate::channels::{BLOCK, Channels};
use crate::histogram::{Builder, Histogram, Layout, PARALLEL, Pool};
use crate::scan::{Buffers, Cells, Criterion, Found, ScanInput, ScanOutput, beats, order_levels};
use crate::seed::Seed;
use crate::source::Sum;

/// What a search may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The least weight, in units, of either side of a cut.
    pub min_weight: i64,
    /// Categories are cut off one level at a time (stumps) instead of in groups.
    pub equality: bool,
    /// The least weight, in units, with which a level counts in a group; lighter ones go with the missing values.
    pub min_level: i64,
    /// Share of the features that each region may use.
    pub features: f64,
    /// Random cuts to try on each numeric feature instead of all; 0 = all.
    pub cuts: u32,
}

/// Which codes of a feature go left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Codes up to `low`; `high` is the next one that occurs in the region, if any. (A random cut is drawn from all codes
    /// between the region's least and largest: there, `high` is `low + 1`, and neither need occur.)
    AtMost {
        /// The last code on the left.
        low: u32,
        /// The first code on the right.
        high: Option<u32>,
    },
    /// These levels, ascending.
    Levels(Vec<u32>),
}

/// A cut of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The feature.
    pub feature: u32,
    /// Which codes go left.
    pub sides: Sides,
    /// Whether missing values go left; where the region has none, the heavier side takes them.
    pub missing_left: bool,
    /// The score of both sides.
    pub score: f64,
}

impl Cut {
    /// The side of one row.
    pub fn goes_left(&self, bins: &Bins, row: usize) -> bool {
        let code = bins.code(row, self.feature as usize);
        if code == bins.features()[self.feature as usize].bins {
            return self.missing_left;
        }
        match &self.sides {
            Sides::AtMost { low, .. } => code <= *low,
            Sides::Levels(levels) => levels.binary_search(&code).is_ok(),
        }
    }
}

/// Number types that a search can run on.
pub trait Searchable: Sum {
    #[doc(hidden)]
    fn passes(channels: &Channels) -> PassesOf<'_, Self>;
    #[doc(hidden)]
    fn scan(criterion: &dyn Criterion, input: ScanInput<'_, Self>) -> ScanOutput;
}

/// Opaque passes over channels.
pub struct PassesOf<'a, S>(Box<dyn Passes<S> + 'a>);

impl Searchable for i32 {
    fn passes(channels: &Channels) -> PassesOf<'_, Self> {
        PassesOf(channels.narrow())
    }
    fn scan(criterion: &dyn Criterion, input: ScanInput<'_, Self>) -> ScanOutput {
        criterion.scan_narrow(input)
    }
}

impl Searchable for i64 {
    fn passes(channels: &Channels) -> PassesOf<'_, Self> {
        PassesOf(channels.wide())
    }
    fn scan(criterion: &dyn Criterion, input: ScanInput<'_, Self>) -> ScanOutput {
        criterion.scan_wide(input)
    }
}

/// Buffers of one search, kept for the next.
#[derive(Debug, Default)]
struct Scratch<S> {
    /// Cells of one feature; all zero between uses.
    column: Vec<S>,
    /// Codes that occur.
    touched: Vec<u64>,
    /// Cells of one sparse feature, by code.
    codes: Vec<S>,
    order: Vec<u32>,
    missing: Vec<S>,
    /// Cells of the two sides of a random cut, and of the missing values between them.
    sides: Vec<S>,
    scan: Buffers<S>,
}

/// Cells of all slots of a small region; all zero between uses.
#[derive(Debug, Default)]
struct SlotScratch<S> {
    cells: Vec<S>,
    touched: Vec<u32>,
}

/// What the search needs to know of the data: prepared once, used in every round.
#[derive(Debug)]
pub struct Searcher<'a, S> {
    bins: &'a Bins,
    layout: Layout,
    /// Sparse features by their index among the sparse ones.
    sparse: Vec<u32>,
    histograms: Pool<Vec<S>>,
    open: AtomicUsize,
    scratch: Pool<Scratch<S>>,
    slots: Pool<SlotScratch<S>>,
}

impl<'a, S: Searchable> Searcher<'a, S> {
    /// For these features.
    pub fn new(bins: &'a Bins) -> Self {
        let is_sparse = |&f: &u32| matches!(bins.place(f as usize), Place::Sparse(_));
        Self {
            bins,
            layout: Layout::new(bins),
            sparse: (0..bins.features().len() as u32).filter(is_sparse).collect(),
            histograms: Pool::default(),
            open: AtomicUsize::new(0),
            scratch: Pool::default(),
            slots: Pool::default(),
        }
    }

    /// A search for one round.
    ///
    /// # Panics
    /// If the channels are of other rows or another number type: bugs of ours.
    pub fn round<'b>(
        &'b self,
        channels: &'b Channels,
        criterion: &'b dyn Criterion,
        rules: Rules,
    ) -> Search<'b, S> {
        assert_eq!(channels.rows(), self.bins.rows(), "channels of the same rows");
        let passes = S::passes(channels).0;
        let builder = Builder::new(self.bins, &self.layout, &self.histograms, passes, channels.width());
        Search { searcher: self, builder, steps: channels.steps(), criterion, rules }
    }
}

/// The search of one round: data, channels and what to minimise.
pub struct Search<'a, S> {
    searcher: &'a Searcher<'a, S>,
    builder: Builder<'a, S>,
    steps: &'a [f64],
    criterion: &'a dyn Criterion,
    rules: Rules,
}

/// The best boundary of a feature.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    feature: u32,
    found: Found,
}

/// A region of rows and what is known of it.
#[derive(Clone, Copy)]
struct Region<'a, S> {
    rows: &'a [u32],
    total: &'a [S],
    histogram: Option<&'a [S]>,
    /// Cells and touched slots of a region without histogram.
    slots: Option<&'a SlotScratch<S>>,
    seed: Seed,
}

/// Regions are sets of rows: no row twice (weights are for that).
impl<S: Searchable> Search<'_, S> {
    /// The exact sums of some rows.
    pub fn total(&self, rows: &[u32]) -> Vec<S> {
        check_rows(rows, self.searcher.bins.rows());
        let width = self.steps.len();
        let sum = |rows: &[u32]| {
            let mut total = vec![S::default(); width];
            // SAFETY: rows are those of the bins; the total is one cell.
            unsafe { self.builder.passes.total(rows, &mut total) };
            total
        };
        if rows.len() * width < PARALLEL {
            return sum(rows);
        }
        let join = |mut a: Vec<S>, b: Vec<S>| {
            a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
            a
        };
        rows.par_chunks(8 * BLOCK).map(sum).reduce(|| vec![S::default(); width], join)
    }

    /// The score of a region that is not cut.
    pub fn score(&self, total: &[S]) -> f64 {
        let sums: Vec<f64> = total.iter().zip(self.steps).map(|(s, step)| s.float() * step).collect();
        self.criterion.of(&sums)
    }

    /// The histogram of a region without a parent.
    pub fn histogram(&self, rows: &[u32]) -> Histogram<S> {
        let open = self.searcher.open.load(Ordering::Relaxed);
        let pays = self.rules.features >= 1.0 && self.rules.cuts == 0 && self.builder.pays(rows.len(), open);
        pays.then(|| {
            self.searcher.open.fetch_add(1, Ordering::Relaxed);
            self.builder.build(rows)
        })
    }

    /// The histograms of both children of a region; its own is used up.
    pub fn children(
        &self,
        parent: Histogram<S>,
        smaller: &[u32],
        larger: &[u32],
    ) -> (Histogram<S>, Histogram<S>) {
        let small = self.histogram(smaller);
        let Some(mut rest) = parent else {
            return (small, self.histogram(larger));
        };
        if !self.builder.pays(larger.len(), 0) {
            self.give_back(rest);
            return (small, None);
        }
        match &small {
            Some(small) => rest.iter_mut().zip(small).for_each(|(a, &b)| *a -= b),
            None => self.builder.count(Sign::Minus, smaller, &mut rest),
        }
        (small, Some(rest))
    }

    /// Returns a histogram's memory for the next one.
    pub fn give_back(&self, histogram: Vec<S>) {
        self.searcher.open.fetch_sub(1, Ordering::Relaxed);
        self.searcher.histograms.give(histogram);
    }

    /// The best cut of a region, if any is allowed. Ties go to the lowest feature, then the lowest code.
    pub fn best(&self, rows: &[u32], total: &[S], histogram: &Histogram<S>, seed: Seed) -> Option<Cut> {
        if histogram.is_none() {
            check_rows(rows, self.searcher.bins.rows());
        }
        let slots = self.count_slots(rows, histogram.is_some());
        let region = Region { rows, total, histogram: histogram.as_deref(), slots: slots.as_ref(), seed };
        let features = self.draw(&region);
        let work = rows.len().min(self.searcher.layout.most) * features.len() * self.steps.len();
        let direct = histogram.is_none() && rows.len() * features.len() * self.steps.len() >= PARALLEL;
        let candidates: Vec<Option<Candidate>> =
            if (work >= PARALLEL || direct) && rayon::current_num_threads() > 1 {
                features.par_chunks(8).flat_map_iter(|group| self.candidates(group, &region)).collect()
            } else {
                self.candidates(&features, &region)
            };
        let best = candidates
            .into_iter()
            .flatten()
            .reduce(|best, next| if beats(next.found.score, best.found.score) { next } else { best });
        let cut = best.map(|best| self.cut(best, &region));
        if let Some(slots) = slots {
            self.clear_slots(slots);
        }
        cut
    }

    fn candidates(&self, features: &[u32], region: &Region<'_, S>) -> Vec<Option<Candidate>> {
        let mut scratch = self.searcher.scratch.take();
        let best = |&feature: &u32| {
            let found = self.best_of(feature as usize, region, &mut scratch)?;
            Some(Candidate { feature, found })
        };
        let candidates = features.iter().map(best).collect();
        self.searcher.scratch.give(scratch);
        candidates
    }

    /// The features that a region may use, ascending; sparse ones only where some row is not at the default.
    fn draw(&self, region: &Region<'_, S>) -> Vec<u32> {
        let bins = self.searcher.bins;
        let count = bins.features().len();
        let mut drawn: Vec<u32> = (0..count as u32).collect();
        if self.rules.features < 1.0 {
            let share = ((self.rules.features * count as f64).ceil() as usize).clamp(1, count);
            let seed = region.seed.part(1);
            for i in 0..share {
                let other = i + seed.part(i as u64).below((count - i) as u64) as usize;
                drawn.swap(i, other);
            }
            drawn.truncate(share);
            drawn.sort_unstable();
        }
        if let Some(slots) = region.slots {
            let mut seen = vec![false; self.searcher.sparse.len()];
            let mut feature = 0;
            for &slot in &slots.touched {
                while slot as usize >= bins.sparse().slots_of(feature).end {
                    feature += 1;
                }
                seen[feature] = true;
            }
            drawn.retain(|&f| match bins.place(f as usize) {
                Place::Sparse(index) => seen[index as usize],
                _ => true,
            });
        }
        drawn
    }

    /// Counts the slots of a region that has no histogram.
    fn count_slots(&self, rows: &[u32], has_histogram: bool) -> Option<SlotScratch<S>> {
        let sparse = self.searcher.bins.sparse();
        if has_histogram || sparse.is_empty() {
            return None;
        }
        let mut slots = self.searcher.slots.take();
        slots.cells.resize(sparse.slots() * self.steps.len(), S::default());
        // SAFETY: rows and slots are those of the bins.
        unsafe { self.builder.passes.slots_listed(rows, sparse, &mut slots.cells, &mut slots.touched) };
        slots.touched.sort_unstable();
        Some(slots)
    }

    fn clear_slots(&self, mut slots: SlotScratch<S>) {
        let width = self.steps.len();
        for &slot in &slots.touched {
            slots.cells[slot as usize * width..][..width].fill(S::default());
        }
        slots.touched.clear();
        self.searcher.slots.give(slots);
    }

    /// The best boundary of one feature.
    fn best_of(&self, feature: usize, region: &Region<'_, S>, scratch: &mut Scratch<S>) -> Option<Found> {
        let mut buffers = std::mem::take(&mut scratch.scan);
        let found = if self.is_random(feature) {
            self.best_random(feature, region, scratch, &mut buffers)
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

    /// Fills the scratch with the cells of a feature and the order in which to visit them.
    fn prepare(&self, feature: usize, region: &Region<'_, S>, scratch: &mut Scratch<S>) -> At {
        let bins = self.searcher.bins;
        let width = self.steps.len();
        let codes = bins.features()[feature].codes() as usize;
        scratch.order.clear();
        let at = match (Column::of(bins, feature), region.histogram) {
            (Some(_), Some(histogram)) => {
                let start = self.searcher.layout.starts[feature] * width;
                let occurs = |&c: &u32| histogram[start + c as usize * width] != S::default();
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
        };
        self.arrange(feature, at, region, scratch);
        at
    }

    /// Counts one column of a region without histogram.
    fn count_column(&self, rows: &[u32], column: Column<'_>, codes: usize, scratch: &mut Scratch<S>) {
        let width = self.steps.len();
        if scratch.column.len() < codes * width {
            scratch.column.resize(codes * width, S::default());
        }
        scratch.touched.clear();
        scratch.touched.resize(codes.div_ceil(64), 0);
        // SAFETY: rows are those of the bins; there is a cell and a bit for each code.
        unsafe {
            self.builder.passes.column(Sign::Plus, rows, column, &mut scratch.column);
            for &row in rows {
                let code = column.code(row as usize);
                *scratch.touched.get_unchecked_mut(code / 64) |= 1 << (code % 64);
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

    /// Gathers the cells of a sparse feature by code; the default code has what its slots leave of the total.
    fn gather(&self, feature: usize, region: &Region<'_, S>, scratch: &mut Scratch<S>) {
        let Place::Sparse(index) = self.searcher.bins.place(feature) else { return };
        let (sparse, index, width) = (self.searcher.bins.sparse(), index as usize, self.steps.len());
        let slots = sparse.slots_of(index);
        let sums = match (region.histogram, region.slots) {
            (Some(histogram), _) => &histogram[self.searcher.layout.slots * width..],
            (None, Some(slots)) => &slots.cells,
            (None, None) => return,
        };
        let default = sparse.default_code(index) as usize;
        scratch.codes.clear();
        scratch.codes.resize((slots.len() + 1) * width, S::default());
        scratch.codes[default * width..][..width].copy_from_slice(region.total);
        for slot in slots {
            let cell = &sums[slot * width..][..width];
            if cell[0] != S::default() {
                let code = sparse.code_of(index, slot);
                for (i, &x) in cell.iter().enumerate() {
                    scratch.codes[code as usize * width + i] = x;
                    scratch.codes[default * width + i] -= x;
                }
            }
        }
        let occurs = |&code: &u32| scratch.codes[code as usize * width] != S::default();
        scratch.order.extend((0..(scratch.codes.len() / width) as u32).filter(occurs));
    }

    /// Takes missing values and thin levels out of the order, and puts levels in order.
    fn arrange(&self, feature: usize, at: At, region: &Region<'_, S>, scratch: &mut Scratch<S>) {
        let Scratch { column, codes, order, missing, .. } = scratch;
        let sums = at.sums(region, column, codes);
        let width = self.steps.len();
        let spec = self.searcher.bins.features()[feature];
        let grouped = spec.order == Order::Nominal && !self.rules.equality;
        missing.clear();
        missing.resize(width, S::default());
        order.retain(|&code| {
            let cell = &sums[code as usize * width..][..width];
            let gone = code == spec.bins || (grouped && cell[0].wide() < self.rules.min_level);
            if gone {
                missing.iter_mut().zip(cell).for_each(|(sum, &x)| *sum += x);
            }
            !gone
        });
        if grouped && order.len() > 2 {
            order_levels(sums, self.steps, region.total, order);
        }
    }

    /// The prepared cells, for a scan.
    fn cells<'b>(
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
    fn release(&self, at: At, scratch: &mut Scratch<S>) {
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

    /// Whether random cuts of a feature are tried, instead of all.
    fn is_random(&self, feature: usize) -> bool {
        self.rules.cuts > 0 && self.searcher.bins.features()[feature].order == Order::Ordered
    }

    /// The least and the largest code in a region, not counting missing values, if they differ. For a sparse feature this
    /// leaves its cells and its codes in the scratch.
    fn code_range(
        &self,
        feature: usize,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
    ) -> Option<(u32, u32)> {
        let missing = self.searcher.bins.features()[feature].bins;
        let (mut least, mut most) = (u32::MAX, 0);
        let mut see = |code: u32| {
            if code != missing {
                least = least.min(code);
                most = most.max(code);
            }
        };
        if let Some(column) = Column::of(self.searcher.bins, feature) {
            // SAFETY: rows are those of the bins.
            region.rows.iter().for_each(|&row| see(unsafe { column.code(row as usize) } as u32));
        } else {
            scratch.order.clear();
            self.gather(feature, region, scratch);
            scratch.order.iter().for_each(|&code| see(code));
        }
        (least < most).then_some((least, most))
    }

    /// Sums three cells into the scratch: codes up to `cut`, missing values, other codes.
    fn count_sides(&self, feature: usize, cut: u32, region: &Region<'_, S>, scratch: &mut Scratch<S>) {
        let width = self.steps.len();
        let missing = self.searcher.bins.features()[feature].bins;
        let Scratch { codes, order, sides, .. } = scratch;
        sides.clear();
        sides.resize(3 * width, S::default());
        if let Some(column) = Column::of(self.searcher.bins, feature) {
            // SAFETY: rows are those of the bins; there are three cells.
            unsafe { self.builder.passes.below(region.rows, column, cut as usize, missing as usize, sides) };
            return;
        }
        for &code in order.iter() {
            let side = if code <= cut { 0 } else { 2 - usize::from(code == missing) };
            let cell = &codes[code as usize * width..][..width];
            sides[side * width..][..width].iter_mut().zip(cell).for_each(|(sum, &x)| *sum += x);
        }
    }

    /// The code of the `i`-th random cut of a feature in a region with codes from `least` to `most`.
    fn random_code(feature: usize, i: u32, (least, most): (u32, u32), seed: Seed) -> u32 {
        let draw = seed.part(2).part(feature as u64).part(u64::from(i));
        least + draw.below(u64::from(most - least)) as u32
    }

    fn best_random(
        &self,
        feature: usize,
        region: &Region<'_, S>,
        scratch: &mut Scratch<S>,
        buffers: &mut Buffers<S>,
    ) -> Option<Found> {
        let width = self.steps.len();
        let range = self.code_range(feature, region, scratch)?;
        let mut best: Option<Found> = None;
        for i in 0..self.rules.cuts {
            let cut = Self::random_code(feature, i, range, region.seed);
            self.count_sides(feature, cut, region, scratch);
            let gone = &scratch.sides[width..2 * width];
            let cells = Cells {
                sums: &scratch.sides,
                order: &[0],
                missing: (gone[0] != S::default()).then_some(gone),
                total: region.total,
                steps: self.steps,
                min_weight: self.rules.min_weight,
                // The one cell below the cut: a second boundary would be "missing or not", whatever the cut.
                single: true,
            };
            let found = S::scan(self.criterion, ScanInput(cells, buffers)).0;
            if let Some(found) = found.filter(|f| best.is_none_or(|b| beats(f.score, b.score))) {
                best = Some(Found { at: i as usize, ..found });
            }
        }
        best
    }

    /// The cut that a candidate stands for.
    fn cut(&self, Candidate { feature, found }: Candidate, region: &Region<'_, S>) -> Cut {
        let index = feature as usize;
        let mut scratch = self.searcher.scratch.take();
        let sides = if self.is_random(index) {
            let range = self.code_range(index, region, &mut scratch).unwrap_or((0, 1));
            let low = Self::random_code(index, found.at as u32, range, region.seed);
            Sides::AtMost { low, high: Some(low + 1) }
        } else {
            let at = self.prepare(index, region, &mut scratch);
            let sides = self.sides(index, found, &scratch.order);
            self.release(at, &mut scratch);
            sides
        };
        self.searcher.scratch.give(scratch);
        Cut { feature, sides, missing_left: found.missing_left, score: found.score }
    }

    fn sides(&self, feature: usize, found: Found, order: &[u32]) -> Sides {
        let spec = self.searcher.bins.features()[feature];
        let (left, right) = order.split_at(found.at + 1);
        match spec.order {
            Order::Ordered => Sides::AtMost { low: left[found.at], high: right.first().copied() },
            Order::Nominal if self.rules.equality => Sides::Levels(vec![left[found.at]]),
            // Levels that are not in the order (thin, or absent from this region) go with the missing values.
            Order::Nominal if found.missing_left => {
                let mut goes_left = vec![true; spec.bins as usize];
                for &level in right {
                    goes_left[level as usize] = false;
                }
                Sides::Levels((0..spec.bins).filter(|&level| goes_left[level as usize]).collect())
            }
            Order::Nominal => {
                let mut levels = left.to_vec();
                levels.sort_unstable();
                Sides::Levels(levels)
            }
        }
    }
}

/// Where the cells of a feature are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// In the region's histogram, from this sum on.
    Histogram(usize),
    /// In the scratch's column.
    Column,
    /// In the scratch's cells by code.
    Codes,
}

impl At {
    fn sums<'b, S>(self, region: &Region<'b, S>, column: &'b [S], codes: &'b [S]) -> &'b [S] {
        match (self, region.histogram) {
            (Self::Histogram(start), Some(histogram)) => &histogram[start..],
            (Self::Codes, _) => codes,
            _ => column,
        }
    }
}
