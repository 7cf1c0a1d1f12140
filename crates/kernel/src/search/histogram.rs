//! Histograms: the sums of every code of every feature over a region.
//!
//! A region's histogram is its parent's less its sibling's, so only the smaller child's rows are ever counted; and where
//! the smaller child is too small for a histogram of its own, its rows are taken out of the parent's one by one.
//! Buffers go back to a pool and are used again.

pub(crate) mod combined;

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::bins::combined::Combined;
use crate::bins::sparse::Sparse;
use crate::bins::{Bins, Place, TILE};
use crate::search::accumulate::{Column, Passes, Sign, TileLanes, check_rows};
use crate::search::histogram::combined::Spread;
use crate::search::source::Sum;

/// Work (rows × codes per row × sums) from which a region is worth several threads.
pub(crate) const PARALLEL: usize = 1 << 17;

/// Memory that histograms of open regions may take; beyond it regions do without.
pub(crate) const MOST_BYTES: usize = 1 << 30;

/// Cells set aside for a feature: an odd number. Else the cells of one code in many features would lie a multiple of
/// 4096 bytes apart, where a processor takes a load for one of what another feature has just stored, and waits.
fn room(codes: usize) -> usize {
    codes | 1
}

/// Where each feature's cells are in a histogram, counted in cells.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// First cell of each feature: tiles first, then whole columns, then the slots of sparse features.
    pub starts: Vec<usize>,
    /// Where the slots of sparse features begin.
    pub slots: usize,
    /// All cells.
    pub cells: usize,
    /// Codes that a row adds: its dense features and its slots.
    pub entries: usize,
    /// The most codes of one feature.
    pub most: usize,
    /// Features that are not sparse, ascending.
    pub dense: Vec<u32>,
    /// Those with a column of their own, ascending.
    pub columns: Vec<u32>,
    /// Sparse features by their index, ascending.
    pub sparse: Vec<u32>,
    /// Features that may be cut, ascending: those that are not sparse, and those that have slots.
    pub able: Vec<u32>,
    /// The sparse features without the slots of those that no region can cut, if these are most.
    slim: Option<Sparse>,
    /// Where the sums of combinations go, if there are any.
    spread: Option<Spread>,
}

/// Fewer slots than these are not worth leaving any out.
const MANY_SLOTS: usize = 1 << 14;

/// The sparse features of bins without the slots of those whose rows weigh less than `least`, if these are most slots.
fn slim(bins: &Bins, units: &[u32], least: i64) -> Option<Sparse> {
    let sparse = bins.sparse();
    if sparse.slots() < MANY_SLOTS {
        return None;
    }
    let light = (0..sparse.len()).filter(|&feature| sparse.is_light(feature, units, least));
    let slots: usize = light.map(|feature| sparse.slots_of(feature).len()).sum();
    (2 * slots > sparse.slots()).then(|| sparse.without_light(units, least))
}

impl Layout {
    /// For all features of these bins.
    pub(crate) fn new(bins: &Bins) -> Self {
        Self::of(bins, None)
    }

    /// For those features that rows of at least this weight are listed for: a side of any cut of the others would weigh less.
    pub(crate) fn of_weight(bins: &Bins, units: &[u32], least: i64) -> Self {
        Self::of(bins, slim(bins, units, least))
    }

    fn of(bins: &Bins, slim: Option<Sparse>) -> Self {
        let features = bins.features().len();
        let codes = |f: usize| bins.features()[f].codes() as usize;
        let tiled = bins.lanes().iter().flatten().map(|&f| f as usize);
        let is_column = |&f: &u32| matches!(bins.place(f as usize), Place::Column(_));
        let columns: Vec<u32> = (0..features as u32).filter(is_column).collect();
        let mut starts = vec![0; features];
        let (mut next, mut entries) = (0, 0);
        for feature in tiled.chain(columns.iter().map(|&f| f as usize)) {
            starts[feature] = next;
            next += room(codes(feature));
            entries += 1;
        }
        let sparse = slim.as_ref().unwrap_or(bins.sparse());
        let most = (0..features).map(codes).max().unwrap_or(0);
        let listed = slim.as_ref().map_or(bins.listed(), Sparse::listed);
        let is_able = |&f: &u32| match bins.place(f as usize) {
            Place::Sparse(index) => !sparse.slots_of(index as usize).is_empty(),
            _ => true,
        };
        let able = (0..features as u32).filter(is_able).collect();
        let is_sparse = |&f: &u32| matches!(bins.place(f as usize), Place::Sparse(_));
        let (sparse_features, dense): (Vec<u32>, Vec<u32>) = (0..features as u32).partition(is_sparse);
        for (index, &feature) in sparse_features.iter().enumerate() {
            starts[feature as usize] = next + sparse.slots_of(index).start;
        }
        let combined = bins.combined().filter(|_| slim.is_none());
        let spread = combined.map(|combined| Spread::new(bins, combined, &starts));
        Self {
            starts,
            slots: next,
            cells: next + sparse.slots(),
            entries: entries + listed,
            most,
            dense,
            columns,
            sparse: sparse_features,
            able,
            slim,
            spread,
        }
    }

    /// The sparse features of the bins that this is the layout of, as they are searched.
    pub(crate) fn sparse_of<'a>(&'a self, bins: &'a Bins) -> &'a Sparse {
        self.slim.as_ref().unwrap_or(bins.sparse())
    }
}

/// An estimate of the bytes that histograms of `width` channels take at a time while a tree of so many leaves grows, each sum
/// being of 4 bytes.
pub fn histogram_bytes(bins: &Bins, width: usize, leaves: usize) -> usize {
    let layout = Layout::new(bins);
    let threads = rayon::current_num_threads();
    let one = layout.cells.saturating_mul(width + 1).saturating_mul(size_of::<i32>()).max(1);
    // Regions whose rows are fewer do without, and all rows are in one region each; halves of rows are counted side by side.
    let worth = bins.rows() * layout.entries / layout.cells.max(1) + 1;
    // After the last cut nothing is searched.
    let ahead = if leaves > 2 { 2 * threads } else { 0 };
    let open = worth.min(leaves - 1 + ahead).min(MOST_BYTES / one) + threads;
    open.saturating_mul(one)
}

/// Buffers that are used again.
#[derive(Debug)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T: Default> Pool<T> {
    pub(crate) fn take(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(crate) fn give(&self, item: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(item);
    }
}

/// A region's histogram, if it keeps one.
pub type Histogram<S> = Option<Vec<S>>;

/// Builds histograms of one round's channels.
pub(crate) struct Builder<'a, S> {
    pub bins: &'a Bins,
    pub layout: &'a Layout,
    pub pool: &'a Pool<Vec<S>>,
    pub passes: Box<dyn Passes<S> + 'a>,
    pub width: usize,
    /// Most histograms at a time.
    pub most: usize,
}

impl<'a, S: Sum> Builder<'a, S> {
    pub(crate) fn new(
        bins: &'a Bins,
        layout: &'a Layout,
        pool: &'a Pool<Vec<S>>,
        passes: Box<dyn Passes<S> + 'a>,
        width: usize,
    ) -> Self {
        let bytes = layout.cells * width * size_of::<S>();
        Self { bins, layout, pool, passes, width, most: MOST_BYTES / bytes.max(1) }
    }

    /// Whether counting a region of so many rows into all cells is cheaper than visiting only what it touches.
    pub(crate) fn pays(&self, rows: usize, open: usize) -> bool {
        open < self.most && rows * self.layout.entries >= self.layout.cells
    }

    /// The histogram of some rows.
    pub(crate) fn build(&self, rows: &[u32]) -> Vec<S> {
        let mut histogram = self.empty();
        self.count(Sign::Plus, rows, &mut histogram);
        histogram
    }

    fn empty(&self) -> Vec<S> {
        let mut histogram = self.pool.take();
        histogram.clear();
        histogram.resize(self.layout.cells * self.width, S::default());
        histogram
    }

    /// Adds rows to a histogram, or takes them away.
    pub(crate) fn count(&self, sign: Sign, rows: &[u32], histogram: &mut [S]) {
        check_rows(rows, self.bins.rows());
        assert_eq!(histogram.len(), self.layout.cells * self.width, "a histogram of these channels");
        let threads = rayon::current_num_threads();
        match self.parts(rows.len(), threads) {
            1 => self.count_features(sign, rows, histogram, threads > 1 && self.is_worth_threads(rows.len())),
            parts => self.count_halves(sign, rows, histogram, parts),
        }
    }

    fn is_worth_threads(&self, rows: usize) -> bool {
        rows * self.work(rows).0 * self.width >= PARALLEL
    }

    /// Into how many parts so many rows are divided for so many threads, each with sums of its own: as long as these cost next
    /// to nothing.
    pub(crate) fn parts(&self, rows: usize, threads: usize) -> usize {
        let mut parts = 1;
        if threads > 1 && self.is_worth_threads(rows) {
            let (entries, cells) = self.work(rows);
            while parts < 2 * threads && rows / parts * entries >= 16 * cells {
                parts *= 2;
            }
        }
        parts
    }

    /// Counts both halves of the rows side by side, and so on up to so many parts.
    fn count_halves(&self, sign: Sign, rows: &[u32], histogram: &mut [S], parts: usize) {
        if parts < 2 {
            return self.count_features(sign, rows, histogram, false);
        }
        let (here, there) = rows.split_at(rows.len() / 2);
        let mut other = self.empty();
        rayon::join(
            || self.count_halves(sign, here, histogram, parts / 2),
            || self.count_halves(sign, there, &mut other, parts / 2),
        );
        histogram.iter_mut().zip(&other).for_each(|(sum, &x)| *sum += x);
        self.pool.give(other);
    }

    /// Counts all features, side by side or one after the other.
    fn count_features(&self, sign: Sign, rows: &[u32], histogram: &mut [S], parallel: bool) {
        let combined = self.combined(rows.len());
        if let Some(combined) = combined {
            self.count_combined(sign, rows, histogram, combined);
        }
        let covered = combined.map(|(combined, _)| combined);
        let (dense, slots) = histogram.split_at_mut(self.layout.slots * self.width);
        let mut dense = || self.count_dense(sign, rows, dense, parallel, covered);
        let mut sparse = || {
            if !covered.is_some_and(|covered| covered.sparse) {
                self.count_sparse(sign, rows, slots, parallel);
            }
        };
        if parallel {
            rayon::join(dense, sparse);
        } else {
            dense();
            sparse();
        }
    }

    fn count_sparse(&self, sign: Sign, rows: &[u32], slots: &mut [S], parallel: bool) {
        let sparse = self.layout.sparse_of(self.bins);
        if sparse.slots() == 0 {
            return;
        }
        if sign == Sign::Minus || !parallel || rows.len() < self.bins.rows() {
            // SAFETY: rows and slots are those of the bins.
            return unsafe { self.passes.slots(sign, rows, sparse, slots) };
        }
        // All rows: slot by slot, in parallel.
        let group = sparse.slots().div_ceil(8 * rayon::current_num_threads()).max(1);
        slots.par_chunks_mut(group * self.width).enumerate().for_each(|(i, cells)| {
            let first = i * group;
            // SAFETY: as above.
            unsafe { self.passes.postings(sparse, first..first + cells.len() / self.width, cells) };
        });
    }

    /// Counts the features that are not sparse, but for those of tiles that are counted by combination.
    pub(crate) fn count_dense(
        &self,
        sign: Sign,
        rows: &[u32],
        sums: &mut [S],
        parallel: bool,
        covered: Option<&Combined>,
    ) {
        // Lanes of a tile stay together, for they share the loads of a row; but every thread should have some.
        let threads = if parallel { rayon::current_num_threads() } else { 1 };
        let lanes =
            if parallel { (TILE * self.bins.lanes().len() / (2 * threads)).clamp(4, TILE) } else { TILE };
        let mut tasks = Vec::new();
        let mut rest = sums;
        for (tile, features) in self.bins.lanes().iter().enumerate() {
            for from in (0..features.len()).step_by(lanes) {
                let range = from..(from + lanes).min(features.len());
                let cells: usize = features[range.clone()].iter().map(|&f| self.room(f as usize)).sum();
                let own = rest.split_off_mut(..cells * self.width).unwrap_or_default();
                if !covered.is_some_and(|covered| covered.covered[tile]) {
                    tasks.push((Task::Lanes(tile, range), own));
                }
            }
        }
        for feature in self.layout.columns.iter().map(|&f| f as usize) {
            let own = rest.split_off_mut(..self.room(feature) * self.width).unwrap_or_default();
            tasks.push((Task::Column(feature), own));
        }
        if parallel {
            tasks.into_par_iter().with_max_len(1).for_each(|(task, own)| self.run(sign, task, rows, own));
        } else {
            for (task, own) in tasks {
                self.run(sign, task, rows, own);
            }
        }
    }

    fn room(&self, feature: usize) -> usize {
        room(self.bins.features()[feature].codes() as usize)
    }

    fn run(&self, sign: Sign, task: Task, rows: &[u32], own: &mut [S]) {
        match task {
            Task::Lanes(tile, lanes) => {
                let features = &self.bins.lanes()[tile];
                let start = |lane: usize| self.layout.starts[features[lane] as usize];
                let mut starts = [0; TILE];
                for lane in lanes.clone() {
                    starts[lane] = (start(lane) - start(lanes.start)) * self.width;
                }
                let tile = TileLanes { codes: self.bins.tile(tile), lanes, starts: &starts };
                // SAFETY: rows are those of the bins; `own` has a cell for each code of each lane.
                unsafe { self.passes.tile(sign, rows, tile, own) };
            }
            Task::Column(feature) => {
                if let Some(column) = Column::of(self.bins, feature) {
                    // SAFETY: rows are those of the bins; `own` has a cell for each code.
                    unsafe { self.passes.column(sign, rows, column, own) };
                }
            }
        }
    }
}

/// One thread's part of a histogram.
enum Task {
    Lanes(usize, std::ops::Range<usize>),
    Column(usize),
}
