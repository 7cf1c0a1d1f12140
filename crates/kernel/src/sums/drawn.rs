//! Channels of rows that count with a part of their weight only: of some copies that they stand for, others were not drawn.

use rayon::prelude::*;

use crate::search::source::{StoredUnit, Sum};
use crate::sums::channels::{BLOCK, Channels};
use crate::sums::quantise::CellKind;

impl Channels {
    /// Writes the same channels to `out`, on the same grids, for rows that have `drawn` of their `whole` units.
    pub fn draw(&self, whole: &[u32], drawn: &[u32], out: &mut Self) {
        out.copy_shape(self);
        let (own, width) = (&self.cells, self.width());
        match own.kind {
            CellKind::I16 => draw_cells(&own.i16s, width, whole, drawn, &mut out.cells.i16s),
            CellKind::I32 => draw_cells(&own.i32s, width, whole, drawn, &mut out.cells.i32s),
            CellKind::I64 => draw_cells(&own.i64s, width, whole, drawn, &mut out.cells.i64s),
            CellKind::NarrowPairs => draw_pairs(&own.narrow_pairs, whole, drawn, &mut out.cells.narrow_pairs),
            CellKind::WidePairs => draw_pairs(&own.wide_pairs, whole, drawn, &mut out.cells.wide_pairs),
        }
        out.cells.labels.clone_from(&own.labels);
    }
}

/// A sum of `whole` equal parts becomes one of `drawn`.
#[inline]
fn part(sum: i64, whole: u32, drawn: u32) -> i64 {
    if whole == drawn { sum } else { sum / i64::from(whole.max(1)) * i64::from(drawn) }
}

fn draw_cells<T: StoredUnit>(cells: &[T], width: usize, whole: &[u32], drawn: &[u32], out: &mut Vec<T>) {
    out.resize(cells.len(), T::default());
    let rows = out.par_chunks_mut(width).zip(cells.par_chunks(width)).zip(whole.par_iter().zip(drawn));
    rows.with_min_len(BLOCK).for_each(|((out, cell), (&whole, &drawn))| {
        for (out, x) in out.iter_mut().zip(cell) {
            *out = T::narrow(part(x.widen().to_i64(), whole, drawn));
        }
    });
}

fn draw_pairs<S: Sum>(pairs: &[(S, S)], whole: &[u32], drawn: &[u32], out: &mut Vec<(S, S)>) {
    out.resize(pairs.len(), (S::default(), S::default()));
    let rows = out.par_iter_mut().zip(pairs).zip(whole.par_iter().zip(drawn));
    rows.with_min_len(BLOCK).for_each(|((out, pair), (&whole, &drawn))| {
        let of = |x: S| S::from_i64(part(x.to_i64(), whole, drawn));
        *out = (of(pair.0), of(pair.1));
    });
}
