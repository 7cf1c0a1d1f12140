//! The best cut of one feature, given the sums of each of its codes.
//!
//! Cells are visited in an order (numbers: ascending; categories: along one direction, or at random), and every boundary
//! is scored from exact prefix sums. Missing values go with the side where they cost less, and with the heavier side on a tie.

use crate::numbers::cpu::vectorised;
use crate::search::listed::boundaries as list_boundaries;
use crate::search::score::{Listed, Score};
use crate::search::source::Sum;
use crate::words::prune::PruneBounds;

/// Scores closer than this, relatively, are ties: the first one found wins.
pub(crate) const TIE: f64 = 1e-12;

/// The cells of one feature in a region.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a, S> {
    /// Cell after cell, `width` sums each.
    pub sums: &'a [S],
    /// The cells to visit, by number, in order; those of codes that occur in the region.
    pub order: &'a [u32],
    /// The cell of the missing values, if there are any in the region.
    pub missing: Option<&'a [S]>,
    /// The whole region.
    pub total: &'a [S],
    /// What a unit of each sum is worth.
    pub steps: &'a [f64],
    /// The least weight, in units, of either side. No side may be empty, even where this is 0.
    pub min_weight: i64,
    /// Cut off one cell at a time instead of a prefix.
    pub single: bool,
}

/// A boundary and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// Sum of both sides' scores.
    pub score: f64,
    /// The left side is `order[..=at]`, or `order[at]` alone; of a random cut, all codes up to `at`.
    pub at: usize,
    /// Whether missing values go left.
    pub missing_left: bool,
}

/// Buffers of one scan.
#[derive(Debug, Default)]
pub(crate) struct Buffers<S> {
    left: Vec<S>,
    floats: Vec<f64>,
}

/// Whether `score` beats `best` by more than a tie.
#[inline(always)]
pub(crate) fn beats(score: f64, best: f64) -> bool {
    // Mostly it is not even below.
    score < best && score < best - TIE * best.abs().max(score.abs())
}

/// Compiled scans for one score: one dynamic call a feature, static inside.
pub trait Criterion: Send + Sync {
    /// The score of a region.
    fn of(&self, sums: &[f64]) -> f64;
    /// The score of one side of a cut, given the other.
    fn of_side(&self, own: &[f64], other: &[f64]) -> f64;
    /// Bounds below the scores of cutting off single slots, where there are any; see [`Score::screen`].
    fn screen(&self, total: Vec<i32>, steps: &[f64]) -> Option<Box<dyn PruneBounds>>;
    #[doc(hidden)]
    fn scan_narrow(&self, input: ScanInput<'_, i32>) -> ScanOutput;
    #[doc(hidden)]
    fn scan_wide(&self, input: ScanInput<'_, i64>) -> ScanOutput;
}

/// Opaque input of a scan.
pub struct ScanInput<'a, S>(pub(crate) Cells<'a, S>, pub(crate) &'a mut Buffers<S>);

/// Opaque output of a scan.
pub struct ScanOutput(pub(crate) Option<Found>);

impl<F: Score> Criterion for F {
    fn of(&self, sums: &[f64]) -> f64 {
        self.score(sums)
    }
    fn of_side(&self, own: &[f64], other: &[f64]) -> f64 {
        self.side(own, other)
    }
    fn screen(&self, total: Vec<i32>, steps: &[f64]) -> Option<Box<dyn PruneBounds>> {
        Score::screen(self, total, steps)
    }
    fn scan_narrow(&self, input: ScanInput<'_, i32>) -> ScanOutput {
        let ScanInput(cells, buffers) = input;
        let one_step = || cells.steps[1..].iter().all(|step| *step == cells.steps[1]);
        match self.lists() {
            Some(lists) if !cells.single && one_step() => {
                ScanOutput(scan_lists(lists, cells, &mut buffers.left))
            }
            _ => ScanOutput(scan(self, cells, buffers)),
        }
    }
    fn scan_wide(&self, input: ScanInput<'_, i64>) -> ScanOutput {
        ScanOutput(scan(self, input.0, input.1))
    }
}

vectorised! { fn scan_lists = list_boundaries<>(lists: &Listed, cells: Cells<'_, i32>, left: &mut Vec<i32>) -> Option<Found> }

vectorised! { fn scan = by_width or any_width<F: Score, S: Sum>(score: &F, cells: Cells<'_, S>, buffers: &mut Buffers<S>) -> Option<Found> }

/// Every usual width has code of its own, where the score wants it.
#[inline(always)]
fn by_width<F: Score, S: Sum>(score: &F, cells: Cells<'_, S>, buffers: &mut Buffers<S>) -> Option<Found> {
    if !F::BY_WIDTH {
        return any_width(score, cells, buffers);
    }
    macro_rules! widths {
        ($($w:literal)*) => {
            match cells.steps.len() {
                $($w => boundaries::<F, S, $w>(score, cells, buffers),)*
                _ => any_width(score, cells, buffers),
            }
        };
    }
    widths!(2 3 4 5 6 7 8 9 10 11 12)
}

#[inline(always)]
fn any_width<F: Score, S: Sum>(score: &F, cells: Cells<'_, S>, buffers: &mut Buffers<S>) -> Option<Found> {
    boundaries::<F, S, 0>(score, cells, buffers)
}

/// Scores every boundary. `W` is the number of sums in a cell, or 0 if it is not known when compiled.
#[inline(always)]
fn boundaries<F: Score, S: Sum, const W: usize>(
    score: &F,
    cells: Cells<'_, S>,
    buffers: &mut Buffers<S>,
) -> Option<Found> {
    let width = if W == 0 { cells.steps.len() } else { W };
    let cells = Cells { total: &cells.total[..width], steps: &cells.steps[..width], ..cells };
    // Where their number is known, sums stay in registers.
    let (mut few_left, mut few_low, mut few_high) = ([S::default(); W], [0.0; W], [0.0; W]);
    let (left, low, high) = if W == 0 {
        let Buffers { left, floats } = buffers;
        left.clear();
        left.resize(if cells.single { 0 } else { width }, S::default());
        floats.resize(2 * width, 0.0);
        let (low, high) = floats.split_at_mut(width);
        (left.as_mut_slice(), low, &mut high[..width])
    } else {
        (few_left.as_mut_slice(), few_low.as_mut_slice(), few_high.as_mut_slice())
    };
    let all = cells.total[0].to_i64();
    let gone = cells.missing.map_or(0, |cell| cell[0].to_i64());
    // A prefix of every cell is a cut only if missing values are on the other side.
    let boundaries = cells.order.len().saturating_sub(usize::from(!cells.single && gone == 0));
    let least = cells.min_weight.max(1);
    let mut best: Option<Found> = None;
    for at in 0..boundaries {
        let cell = &cells.sums[cells.order[at] as usize * width..][..width];
        let left = if cells.single {
            cell
        } else {
            left.iter_mut().zip(cell).for_each(|(sum, &x)| *sum += x);
            &*left
        };
        let weight = left[0].to_i64();
        // Missing values go right first unless the left side is heavier; the other way must then be better.
        let heavier_left = weight > all - gone - weight;
        for missing_left in [heavier_left, !heavier_left] {
            let left_weight = if missing_left { weight + gone } else { weight };
            if left_weight >= least && all - left_weight >= least {
                sides(left, missing_left, &cells, low, high);
                let score = score.pair(low, high);
                if best.is_none_or(|b| beats(score, b.score)) {
                    best = Some(Found { score, at, missing_left });
                }
            }
            if gone == 0 {
                break;
            }
        }
    }
    best
}

/// The sums of both sides as floats.
#[inline(always)]
fn sides<S: Sum>(left: &[S], missing_left: bool, cells: &Cells<'_, S>, low: &mut [f64], high: &mut [f64]) {
    match cells.missing {
        Some(missing) if missing_left => {
            for i in 0..left.len() {
                let (mut a, mut b) = (left[i], cells.total[i]);
                a += missing[i];
                b -= a;
                low[i] = a.float() * cells.steps[i];
                high[i] = b.float() * cells.steps[i];
            }
        }
        _ => {
            for ((((low, high), &left), &total), &step) in
                low.iter_mut().zip(high).zip(left).zip(cells.total).zip(cells.steps)
            {
                let mut right = total;
                right -= left;
                *low = left.float() * step;
                *high = right.float() * step;
            }
        }
    }
}
