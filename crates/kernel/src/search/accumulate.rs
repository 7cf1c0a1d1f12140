//! The row loops: adding rows to cells. Everything the engine does with data is one of these passes.
//!
//! Each pass is written once, over any [`Source`], and compiled for each width and number type, with AVX2 and without.
//! Nothing is allocated, locked or looked up inside.

use std::ops::Range;

use crate::bins::sparse::Sparse;
use crate::bins::{Bins, Place, TILE};
use crate::numbers::cpu::{prefetch, vectorised};
use crate::search::source::{AHEAD, Any, Fixed, OneHot, Source, StoredUnit, Sum};

/// The codes of one feature, wherever they are kept.
#[derive(Clone, Copy)]
pub(crate) enum Column<'a> {
    Bytes(&'a [u8]),
    Whole(&'a [u32]),
}

impl<'a> Column<'a> {
    /// The codes of a feature that is not sparse.
    pub(crate) fn of(bins: &'a Bins, feature: usize) -> Option<Self> {
        match bins.place(feature) {
            Place::Tile { .. } => bins.bytes(feature).map(Self::Bytes),
            Place::Column(index) => Some(Self::Whole(bins.column(index as usize))),
            Place::Sparse(_) => None,
        }
    }

    /// The code of a row.
    #[inline(always)]
    pub(crate) fn at(self, row: u32) -> u32 {
        match self {
            Self::Bytes(codes) => u32::from(codes[row as usize]),
            Self::Whole(codes) => codes[row as usize],
        }
    }

    /// The same, without a look whether it is there.
    ///
    /// # Safety
    /// The row exists.
    #[inline(always)]
    pub(crate) unsafe fn code(self, row: usize) -> usize {
        // SAFETY: promised by the caller.
        unsafe {
            match self {
                Self::Bytes(codes) => *codes.get_unchecked(row) as usize,
                Self::Whole(codes) => *codes.get_unchecked(row) as usize,
            }
        }
    }

    /// Asks for a code that will be read soon.
    #[inline(always)]
    pub(crate) fn prefetch(self, row: usize) {
        match self {
            Self::Bytes(codes) => prefetch(codes.as_ptr().wrapping_add(row)),
            Self::Whole(codes) => prefetch(codes.as_ptr().wrapping_add(row)),
        }
    }
}

/// Some lanes of a tile, and where their cells are.
pub(crate) struct TileLanes<'a> {
    /// The codes of the whole tile, row after row.
    pub codes: &'a [u8],
    pub lanes: Range<usize>,
    /// Where each lane's cells begin among the sums.
    pub starts: &'a [usize; TILE],
}

/// Makes sure that rows exist: the passes do not look. One quick sweep, next to nothing beside any pass.
///
/// # Panics
/// If a row does not exist: a bug of ours.
pub(crate) fn check_rows(rows: &[u32], count: usize) {
    let most = rows.iter().fold(0, |most, &row| row.max(most));
    assert!(rows.is_empty() || (most as usize) < count, "row {most} of {count}");
}

/// Whether a pass adds rows or takes them away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// Passes over rows for one kind of channels. One dynamic call a pass, static inside.
///
/// # Safety
/// All functions trust their arguments: rows exist in the bins and the channels, and cells exist for every code that
/// occurs. The histogram module, their only caller, lays cells out from the same bins.
pub(crate) trait Passes<S: Sum>: Sync {
    /// How many sums of a cell a row adds to.
    fn sums_of_a_row(&self) -> usize;
    /// Adds `rows` to the cells of some lanes of a tile.
    unsafe fn tile(&self, sign: Sign, rows: &[u32], tile: TileLanes<'_>, sums: &mut [S]);
    /// Adds `rows` to the cells of one column.
    unsafe fn column(&self, sign: Sign, rows: &[u32], column: Column<'_>, sums: &mut [S]);
    /// Adds `rows` to the cells of all slots.
    unsafe fn slots(&self, sign: Sign, rows: &[u32], sparse: &Sparse, sums: &mut [S]);
    /// Adds `rows` to the cells of slots and lists the slots that were empty before. If there are any bits, only slots whose
    /// bit is set count.
    unsafe fn slots_listed(
        &self,
        rows: &[u32],
        sparse: &Sparse,
        bits: &[u64],
        sums: &mut [S],
        touched: &mut Vec<u32>,
    );
    /// Adds all rows of some slots, one cell a slot.
    unsafe fn postings(&self, sparse: &Sparse, slots: Range<usize>, sums: &mut [S]);
    /// Adds all `rows` to one cell.
    unsafe fn total(&self, rows: &[u32], sums: &mut [S]);
    /// Adds those of `rows` whose bits are set to one cell: the lowest bit of the first word is the first row's.
    unsafe fn marked(&self, rows: &[u32], marks: &[u64], sums: &mut [S]);
}

#[inline(always)]
unsafe fn tile_body<X: Source>(source: X, rows: &[u32], tile: TileLanes<'_>, sums: *mut X::Sum) {
    // SAFETY: promised by the caller. A full tile is a loop of its own, unrolled.
    unsafe {
        if tile.lanes == (0..TILE) {
            lanes_body(source, rows, TileLanes { lanes: 0..TILE, ..tile }, sums);
        } else {
            lanes_body(source, rows, tile, sums);
        }
    }
}

#[inline(always)]
unsafe fn lanes_body<X: Source>(source: X, rows: &[u32], tile: TileLanes<'_>, sums: *mut X::Sum) {
    let TileLanes { codes: tile, lanes, starts } = tile;
    let width = source.width();
    for (i, &row) in rows.iter().enumerate() {
        let row = row as usize;
        if let Some(&ahead) = rows.get(i + AHEAD) {
            prefetch(tile.as_ptr().wrapping_add(ahead as usize * TILE));
            source.prefetch(ahead as usize);
        }
        // SAFETY: rows exist in the tile and the source; codes are below each lane's number of cells.
        unsafe {
            let codes = tile.as_ptr().add(row * TILE);
            let loaded = source.load(row);
            for lane in lanes.clone() {
                let code = *codes.add(lane) as usize;
                source.add(loaded, sums.add(*starts.get_unchecked(lane) + code * width));
            }
        }
    }
}

#[inline(always)]
unsafe fn column_body<X: Source>(source: X, rows: &[u32], column: Column<'_>, sums: *mut X::Sum) {
    let width = source.width();
    for (i, &row) in rows.iter().enumerate() {
        if let Some(&ahead) = rows.get(i + AHEAD) {
            column.prefetch(ahead as usize);
            source.prefetch(ahead as usize);
        }
        // SAFETY: rows exist; codes are below the number of cells.
        unsafe {
            let code = column.code(row as usize);
            source.add(source.load(row as usize), sums.add(code * width));
        }
    }
}

#[inline(always)]
unsafe fn slots_body<X: Source>(source: X, rows: &[u32], sparse: &Sparse, sums: *mut X::Sum) {
    let width = source.width();
    for (i, &row) in rows.iter().enumerate() {
        if let Some(&ahead) = rows.get(i + AHEAD) {
            sparse.prefetch(ahead as usize);
            source.prefetch(ahead as usize);
        }
        // SAFETY: rows exist; slots are below the number of cells.
        unsafe {
            let loaded = source.load(row as usize);
            for &slot in sparse.row(row as usize) {
                source.add(loaded, sums.add(slot as usize * width));
            }
        }
    }
}

#[inline(always)]
unsafe fn slots_listed_body<X: Source>(
    source: X,
    rows: &[u32],
    sparse: &Sparse,
    bits: &[u64],
    sums: *mut X::Sum,
    touched: &mut Vec<u32>,
) {
    let width = source.width();
    let counts = |slot: u32| bits.get(slot as usize / 64).is_none_or(|word| word >> (slot % 64) & 1 == 1);
    for &row in rows {
        // SAFETY: rows exist; slots are below the number of cells. Weights are positive, so a cell that has rows has weight.
        unsafe {
            let loaded = source.load(row as usize);
            for &slot in sparse.row(row as usize).iter().filter(|&&slot| counts(slot)) {
                let cell = sums.add(slot as usize * width);
                if *cell == X::Sum::default() {
                    touched.push(slot);
                }
                source.add(loaded, cell);
            }
        }
    }
}

#[inline(always)]
unsafe fn total_body<X: Source>(source: X, rows: &[u32], sums: *mut X::Sum) {
    let asked = rows.iter().enumerate().map(|(i, &row)| {
        if let Some(&ahead) = rows.get(i + AHEAD) {
            source.prefetch(ahead as usize);
        }
        row
    });
    // SAFETY: rows exist; `sums` is one cell.
    unsafe { source.add_all(asked, sums) }
}

#[inline(always)]
unsafe fn marked_body<X: Source>(source: X, rows: &[u32], marks: &[u64], sums: *mut X::Sum) {
    let marked = Marked { rows, words: marks.iter().enumerate(), rest: 0, first: 0 };
    // SAFETY: rows exist; `sums` is one cell.
    unsafe { source.add_all(marked, sums) }
}

/// Those of some rows whose bits are set.
struct Marked<'a> {
    rows: &'a [u32],
    /// Words that were not looked at yet.
    words: std::iter::Enumerate<std::slice::Iter<'a, u64>>,
    /// What is left of the present word, and its first row.
    rest: u64,
    first: usize,
}

impl Iterator for Marked<'_> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        while self.rest == 0 {
            let (i, &word) = self.words.next()?;
            (self.rest, self.first) = (word, 64 * i);
        }
        let bit = self.rest.trailing_zeros() as usize;
        self.rest &= self.rest - 1;
        Some(self.rows[self.first + bit])
    }
}

vectorised! { unsafe fn tile_pass = tile_body<X: Source>(source: X, rows: &[u32], tile: TileLanes<'_>, sums: *mut X::Sum) }
vectorised! { unsafe fn column_pass = column_body<X: Source>(source: X, rows: &[u32], column: Column<'_>, sums: *mut X::Sum) }
vectorised! { unsafe fn slots_pass = slots_body<X: Source>(source: X, rows: &[u32], sparse: &Sparse, sums: *mut X::Sum) }
vectorised! { unsafe fn slots_listed_pass = slots_listed_body<X: Source>(source: X, rows: &[u32], sparse: &Sparse, bits: &[u64], sums: *mut X::Sum, touched: &mut Vec<u32>) }
vectorised! { unsafe fn total_pass = total_body<X: Source>(source: X, rows: &[u32], sums: *mut X::Sum) }
vectorised! { unsafe fn marked_pass = marked_body<X: Source>(source: X, rows: &[u32], marks: &[u64], sums: *mut X::Sum) }

/// Dense channels of a run-time width, passed on to code compiled for that width where there is some.
pub(crate) struct Dense<'a, T> {
    pub cells: &'a [T],
    pub width: usize,
}

macro_rules! by_width {
    ($dense:expr, $source:ident => $call:expr; $($w:literal)*) => {
        match $dense.width {
            $($w => { let $source = Fixed::<T, $w>::new($dense.cells); $call })*
            _ => { let $source = Any::new($dense.cells, $dense.width); $call }
        }
    };
    ($dense:expr, $source:ident => $call:expr) => {
        by_width!($dense, $source => $call;
            2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28)
    };
}

/// The passes of a type, each by code that picks the [`Source`] to run it on.
macro_rules! passes {
    ($call:ident!, $sum:ty) => {
        unsafe fn tile(&self, sign: Sign, rows: &[u32], tile: TileLanes<'_>, sums: &mut [$sum]) {
            // SAFETY: promised by the caller, as for all passes below.
            $call!(self, source => unsafe {
                tile_pass(source.negated(sign == Sign::Minus), rows, tile, sums.as_mut_ptr());
            });
        }
        unsafe fn column(&self, sign: Sign, rows: &[u32], column: Column<'_>, sums: &mut [$sum]) {
            // SAFETY: as above.
            $call!(self, source => unsafe {
                column_pass(source.negated(sign == Sign::Minus), rows, column, sums.as_mut_ptr());
            });
        }
        unsafe fn slots(&self, sign: Sign, rows: &[u32], sparse: &Sparse, sums: &mut [$sum]) {
            // SAFETY: as above.
            $call!(self, source => unsafe {
                slots_pass(source.negated(sign == Sign::Minus), rows, sparse, sums.as_mut_ptr());
            });
        }
        unsafe fn slots_listed(
            &self, rows: &[u32], sparse: &Sparse, bits: &[u64], sums: &mut [$sum], touched: &mut Vec<u32>,
        ) {
            // SAFETY: as above.
            $call!(self, source => unsafe {
                slots_listed_pass(source, rows, sparse, bits, sums.as_mut_ptr(), touched);
            });
        }
        unsafe fn postings(&self, sparse: &Sparse, slots: Range<usize>, sums: &mut [$sum]) {
            let cells = sums.chunks_exact_mut(self.width);
            $call!(self, source => for (slot, cell) in slots.zip(cells) {
                // SAFETY: as above.
                unsafe { total_pass(source, sparse.posting(slot), cell.as_mut_ptr()) }
            });
        }
        unsafe fn total(&self, rows: &[u32], sums: &mut [$sum]) {
            // SAFETY: as above.
            $call!(self, source => unsafe { total_pass(source, rows, sums.as_mut_ptr()) });
        }
        unsafe fn marked(&self, rows: &[u32], marks: &[u64], sums: &mut [$sum]) {
            // SAFETY: as above.
            $call!(self, source => unsafe { marked_pass(source, rows, marks, sums.as_mut_ptr()) });
        }
    };
}

macro_rules! itself {
    ($this:expr, $source:ident => $call:expr) => {{
        let $source = *$this;
        $call
    }};
}

impl<T: StoredUnit> Passes<T::Sum> for Dense<'_, T> {
    fn sums_of_a_row(&self) -> usize {
        self.width
    }
    passes!(by_width!, T::Sum);
}

impl<S: Sum> Passes<S> for OneHot<'_, S> {
    fn sums_of_a_row(&self) -> usize {
        2
    }
    passes!(itself!, S);
}
