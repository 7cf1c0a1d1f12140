//! The search for the best cut of a region, over all features.
//!
//! Large regions keep a [`Histogram`]. Small ones need none: each feature is counted into one small buffer, of which only
//! the touched cells are visited and cleared. With random cuts a region is not counted by code at all, only by side. All
//! ways give the same integers, so which one runs never shows in the result.

pub(crate) mod accumulate;
pub(crate) mod candidates;
pub(crate) mod cells;
pub mod cut;
pub(crate) mod histogram;
pub(crate) mod lanes;
pub(crate) mod levels;
pub(crate) mod listed;
pub mod odds;
pub(crate) mod offers;
pub(crate) mod partition;
pub(crate) mod random;
pub(crate) mod scan;
pub mod score;
pub(crate) mod shares;
pub(crate) mod slots;
pub(crate) mod source;
pub mod together;
pub(crate) mod worth;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::bins::Bins;
use crate::bins::sparse::Sparse;
use crate::exchange::{Exchange, Sums};
use crate::numbers::seed::Seed;
use crate::search::accumulate::{Passes, Sign, check_rows};
use crate::search::cells::{Counted, Region, Scratch, Slots, add_cell};
use crate::search::cut::Cut;
use crate::search::histogram::{Builder, Histogram, Layout, PARALLEL, Pool};
use crate::search::scan::{Criterion, ScanInput, ScanOutput, beats};
use crate::search::shares::{Seat, Shares};
use crate::search::slots::SlotScratch;
use crate::search::source::Sum;
use crate::search::together::{Family, Sought};
use crate::sums::channels::{BLOCK, Channels};
use crate::words::cached::CachedChannels;

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
    /// Random cuts to try on each numeric feature instead of all, and many levels in a random order; 0 = all.
    pub cuts: u32,
}

/// Number types that a search can run on.
pub trait Searchable: Sum {
    #[doc(hidden)]
    fn passes(channels: &Channels) -> PassesOf<'_, Self>;
    #[doc(hidden)]
    fn scan(criterion: &dyn Criterion, input: ScanInput<'_, Self>) -> ScanOutput;
    #[doc(hidden)]
    fn sums(numbers: &mut [Self]) -> Sums<'_>;
}

/// Opaque passes over channels.
pub struct PassesOf<'a, S>(pub(crate) Box<dyn Passes<S> + 'a>);

impl Searchable for i32 {
    fn passes(channels: &Channels) -> PassesOf<'_, Self> {
        PassesOf(channels.narrow())
    }
    fn scan(criterion: &dyn Criterion, input: ScanInput<'_, Self>) -> ScanOutput {
        criterion.scan_narrow(input)
    }
    fn sums(numbers: &mut [Self]) -> Sums<'_> {
        Sums::Narrow(numbers)
    }
}

impl Searchable for i64 {
    fn passes(channels: &Channels) -> PassesOf<'_, Self> {
        PassesOf(channels.wide())
    }
    fn scan(criterion: &dyn Criterion, input: ScanInput<'_, Self>) -> ScanOutput {
        criterion.scan_wide(input)
    }
    fn sums(numbers: &mut [Self]) -> Sums<'_> {
        Sums::Wide(numbers)
    }
}

/// Features that are laid out for searches.
#[derive(Clone, Debug)]
pub struct Searched<'a> {
    bins: &'a Bins,
    layout: Arc<Layout>,
}

impl<'a> Searched<'a> {
    /// All features.
    pub fn new(bins: &'a Bins) -> Self {
        Self { bins, layout: Arc::new(Layout::new(bins)) }
    }

    /// For rows of at most this weight each, where neither side of a cut may weigh less than `least`: a sparse feature with
    /// fewer rows can nowhere be cut, and of millions of features most may be such. Not for one of several workers, who must
    /// have one layout.
    ///
    /// # Panics
    /// If there is not a weight for each row.
    pub fn of_weight(bins: &'a Bins, units: &[u32], least: i64) -> Self {
        assert_eq!(units.len(), bins.rows(), "a weight for each row");
        Self { bins, layout: Arc::new(Layout::of_weight(bins, units, least)) }
    }
}

/// What the search needs to know of the data: prepared once, used in every round.
#[derive(Debug)]
pub struct Searcher<'a, S> {
    pub(crate) bins: &'a Bins,
    pub(crate) layout: Arc<Layout>,
    pub(crate) histograms: Pool<Vec<S>>,
    /// Parts of histograms, where several workers have one each.
    pub(crate) parts: Pool<Vec<S>>,
    pub(crate) open: AtomicUsize,
    pub(crate) scratch: Pool<Scratch<S>>,
    pub(crate) slots: Pool<SlotScratch<S>>,
}

impl<'a, S: Searchable> Searcher<'a, S> {
    /// For these features.
    pub fn new(bins: &'a Bins) -> Self {
        Self::of(Searched::new(bins))
    }

    /// For features that are laid out already.
    pub fn of(Searched { bins, layout }: Searched<'a>) -> Self {
        Self {
            bins,
            layout,
            histograms: Pool::default(),
            parts: Pool::default(),
            open: AtomicUsize::new(0),
            scratch: Pool::default(),
            slots: Pool::default(),
        }
    }

    /// The sparse features that are searched.
    pub(crate) fn sparse(&self) -> &Sparse {
        self.layout.sparse_of(self.bins)
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
        exchange: &'b dyn Exchange,
    ) -> Search<'b, S> {
        assert_eq!(channels.rows(), self.bins.rows(), "channels of the same rows");
        let passes = S::passes(channels).0;
        let builder = Builder::new(self.bins, &self.layout, &self.histograms, passes, channels.width());
        let seat = Seat { rank: exchange.rank(), workers: exchange.workers() };
        let shares = (!exchange.alone()).then(|| Shares::all(&self.layout, channels.width(), seat));
        let steps = channels.steps();
        Search { searcher: self, builder, steps, criterion, rules, exchange, shares, kept: None }
    }
}

/// The search of one round: data, channels and what to minimise.
pub struct Search<'a, S> {
    pub(crate) searcher: &'a Searcher<'a, S>,
    pub(crate) builder: Builder<'a, S>,
    pub(crate) steps: &'a [f64],
    pub(crate) criterion: &'a dyn Criterion,
    pub(crate) rules: Rules,
    pub(crate) exchange: &'a dyn Exchange,
    /// Who has which features, where there are several workers.
    pub(crate) shares: Option<Shares>,
    kept: Option<AtHand<'a, S>>,
}

/// Sums that need not be counted.
#[derive(Clone, Copy)]
struct AtHand<'a, S> {
    /// Those of all rows by code, of dense features.
    dense: &'a [S],
    /// Those of all rows.
    total: &'a [S],
    /// Those of slots.
    slots: Slots<'a, S>,
}

impl<'a> Search<'a, i64> {
    /// The same, with sums of all rows that need not be counted.
    #[must_use]
    pub fn with(self, kept: &'a CachedChannels) -> Self {
        let CachedChannels { dense, total, weights, rough, .. } = kept;
        Self { kept: Some(AtHand { dense, total, slots: Slots::OnDemand { weights, rough } }), ..self }
    }
}

/// Regions are sets of rows: no row twice (weights are for that).
impl<S: Searchable> Search<'_, S> {
    /// The exact sums of some rows.
    pub fn total(&self, rows: &[u32]) -> Vec<S> {
        let width = self.steps.len();
        if let Some(kept) = self.kept_of(rows) {
            return kept.total.to_vec();
        }
        let sum = |rows: &[u32]| {
            let mut total = vec![S::default(); width];
            self.add_rows(rows, &mut total);
            total
        };
        let join = |mut a: Vec<S>, b: Vec<S>| {
            a.iter_mut().zip(b).for_each(|(x, y)| *x += y);
            a
        };
        let mut total = if rows.len() * width < PARALLEL {
            sum(rows)
        } else {
            rows.par_chunks(8 * BLOCK).map(sum).reduce(|| vec![S::default(); width], join)
        };
        self.exchanged(&mut total);
        total
    }

    /// Adds some rows to a cell.
    pub(crate) fn add_rows(&self, rows: &[u32], cell: &mut [S]) {
        self.add_some(rows, None, cell);
    }

    /// Adds some rows to a cell: all, or those whose bits are set.
    pub(crate) fn add_some(&self, rows: &[u32], marks: Option<&[u64]>, cell: &mut [S]) {
        check_rows(rows, self.searcher.bins.rows());
        assert_eq!(cell.len(), self.steps.len(), "one cell");
        // SAFETY: both were just checked.
        unsafe {
            match marks {
                None => self.builder.passes.total(rows, cell),
                Some(marks) => self.builder.passes.marked(rows, marks, cell),
            }
        }
    }

    /// Sums over all workers.
    fn exchanged(&self, sums: &mut [S]) {
        self.exchange.total(S::sums(sums));
    }

    /// Whether this is the only worker.
    pub fn alone(&self) -> bool {
        self.exchange.alone()
    }

    /// What is kept, if these are all rows of all workers.
    fn kept_of(&self, rows: &[u32]) -> Option<AtHand<'_, S>> {
        self.kept.filter(|_| self.alone() && rows.len() == self.searcher.bins.rows())
    }

    /// The histogram of a region without a parent, or of several workers the part of this one; none is made where one is kept.
    pub fn histogram(&self, rows: &[u32]) -> Histogram<S> {
        if self.kept_of(rows).is_some() {
            return None;
        }
        if let Some(shares) = &self.shares {
            return self.histogram_together(rows, shares);
        }
        let open = self.searcher.open.load(Ordering::Relaxed);
        let pays = self.rules.features >= 1.0 && self.rules.cuts == 0 && self.builder.pays(rows.len(), open);
        pays.then(|| {
            self.searcher.open.fetch_add(1, Ordering::Relaxed);
            self.builder.build(rows)
        })
    }

    /// The sums of a region with this histogram, if they are in it: those of all codes of any feature that has every row in its
    /// cells.
    pub fn total_of(&self, histogram: &Histogram<S>) -> Option<Vec<S>> {
        if self.shares.is_some() {
            return None;
        }
        let feature = *self.searcher.bins.lanes().first()?.first()? as usize;
        let histogram = histogram.as_ref()?;
        let width = self.steps.len();
        let start = self.searcher.layout.starts[feature] * width;
        let codes = self.searcher.bins.features()[feature].codes() as usize;
        let mut total = vec![S::default(); width];
        histogram[start..start + codes * width]
            .chunks_exact(width)
            .for_each(|cell| add_cell(&mut total, cell));
        Some(total)
    }

    /// The histograms of both sides of a region, where no other worker has rows of it.
    pub(crate) fn children_alone(
        &self,
        Family { parent, smaller, larger }: Family<'_, S>,
    ) -> [Histogram<S>; 2] {
        let small = self.histogram(smaller);
        let Some(mut rest) = parent else {
            return [small, self.histogram(larger)];
        };
        if !self.builder.pays(larger.len(), 0) {
            self.give_back(rest);
            return [small, None];
        }
        match &small {
            Some(small) => rest.iter_mut().zip(small).for_each(|(a, &b)| *a -= b),
            None => self.builder.count(Sign::Minus, smaller, &mut rest),
        }
        [small, Some(rest)]
    }

    /// Returns a histogram's memory for the next one.
    pub fn give_back(&self, histogram: Vec<S>) {
        self.searcher.open.fetch_sub(1, Ordering::Relaxed);
        let pool = if self.shares.is_some() { &self.searcher.parts } else { &self.searcher.histograms };
        pool.give(histogram);
    }

    /// The best cut of a region, if any is allowed. Ties go to the lowest feature, then the lowest code.
    pub fn best(&self, rows: &[u32], total: &[S], histogram: &Histogram<S>, seed: Seed) -> Option<Cut> {
        self.best_of(&[Sought { rows, total, histogram, seed }]).pop().flatten()
    }

    /// The best cut of a region, where no other worker has rows of it.
    pub(crate) fn best_alone(&self, region: &Sought<'_, S>) -> Option<Cut> {
        let Sought { rows, total, histogram, seed } = *region;
        if histogram.is_none() {
            check_rows(rows, self.searcher.bins.rows());
        }
        let kept = self.kept_of(rows);
        let without = histogram.is_none() && kept.is_none();
        let drawn = (without && self.draws_first(rows)).then(|| self.draw(seed, None));
        let counted = if without { self.count_slots(rows, drawn.as_deref()) } else { None };
        let at_hand = |sums| Counted { sums, starts: &self.searcher.layout.starts };
        let slots = match (histogram, kept, &counted) {
            (Some(histogram), ..) => Slots::Counted(at_hand(histogram)),
            (None, Some(kept), _) => kept.slots,
            (None, None, Some(counted)) => Slots::All(&counted.cells),
            (None, None, None) => Slots::All(&[]),
        };
        let histogram = histogram.as_deref().or(kept.map(|kept| kept.dense)).map(at_hand);
        let region = Region { rows, total, histogram, slots, seed };
        let touched = counted.as_ref().map(|counted| counted.touched.as_slice());
        let mut features = drawn.unwrap_or_else(|| self.draw(seed, touched));
        let promising = self.screen(&mut features, &region);
        let mut candidates = self.candidates_of(&features, &region);
        if let Some(promising) = promising {
            candidates.push(promising);
            candidates.sort_by_key(|candidate| candidate.feature);
        }
        let best = candidates
            .into_iter()
            .reduce(|best, next| if beats(next.found.score, best.found.score) { next } else { best });
        let cut = best.map(|best| self.cut(best, &region));
        if let Some(counted) = counted {
            self.clear_slots(counted);
        }
        cut
    }
}
