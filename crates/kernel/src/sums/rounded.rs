//! Sums of groups of rows from channels that are already rounded: for answers that need no more digits than the search.

use crate::numbers::cpu::{by_width, prefetch, widened};
use crate::search::Searchable;
use crate::search::accumulate::check_rows;
use crate::search::source::StoredUnit;
use crate::sums::channels::Channels;
use crate::sums::quantise::CellKind;
use crate::sums::totals::Totals;

impl Channels {
    /// The weight and summed channels of each group of rows: `groups × (1 + width)` numbers.
    pub fn by_group(&self, totals: &Totals<'_>, groups: &[&[u32]]) -> Vec<f64> {
        if self.is_wide() { self.sums::<i64>(totals, groups) } else { self.sums::<i32>(totals, groups) }
    }

    fn sums<S: Searchable>(&self, totals: &Totals<'_>, groups: &[&[u32]]) -> Vec<f64> {
        let passes = S::passes(self).0;
        totals.grouped_units(groups, self.steps(), &|rows, sums| {
            check_rows(rows, self.rows());
            let mut cell = vec![S::default(); self.width()];
            // SAFETY: the rows exist; there is one cell.
            unsafe { passes.total(rows, &mut cell) };
            sums.iter_mut().zip(cell).for_each(|(sum, x)| *sum += x.to_i64());
        })
    }

    /// For each group of rows its weight, its sums of the last `width` channels, which are in [−1, 1], and its sums of their
    /// variances |x| (1 − |x|).
    ///
    /// # Panics
    /// If the channels are not dense and narrow, or do not share one grid: a bug of ours.
    pub fn with_variances(&self, totals: &Totals<'_>, width: usize, groups: &[&[u32]]) -> Vec<f64> {
        match self.cells.kind {
            CellKind::I16 => self.variances(&self.cells.i16s, totals, width, groups),
            CellKind::I32 => self.variances(&self.cells.i32s, totals, width, groups),
            other => panic!("variances of channels that are {other:?}"),
        }
    }

    fn variances<T: StoredUnit<Sum = i32>>(
        &self,
        cells: &[T],
        totals: &Totals<'_>,
        width: usize,
        groups: &[&[u32]],
    ) -> Vec<f64> {
        let own = &self.steps()[self.width() - width..];
        assert!(own.iter().all(|&step| step == own[0]), "one grid");
        let (weight, step) = (self.steps()[0], own[0] / self.steps()[0]);
        let one = (1.0 / step) as i32;
        let steps = [vec![weight], vec![step * weight; width], vec![step * step * weight; width]].concat();
        totals.grouped_units(groups, &steps, &|rows, sums| {
            add_variances(rows, cells, self.width(), one, sums);
        })
    }
}

widened! { fn add_variances = add_variances_body<T: StoredUnit<Sum = i32>>(rows: &[u32], cells: &[T], stride: usize, one: i32, sums: &mut [i64]) }

#[inline(always)]
fn add_variances_body<T: StoredUnit<Sum = i32>>(
    rows: &[u32],
    cells: &[T],
    stride: usize,
    one: i32,
    sums: &mut [i64],
) {
    let width = sums.len() / 2;
    if width < MANY {
        return by_width!(width, add(width, rows, cells, stride, one, sums));
    }
    // Half as wide as long as the sums of variances, which are up to one²/4 each, fit: twice as many at a time.
    let fit = (i32::MAX / (one * one / 4).max(1)).max(1) as usize;
    let mut short = vec![0i32; 2 * width];
    for rows in rows.chunks(fit) {
        let weight = |&row: &u32| cells[row as usize * stride].widen();
        if rows.iter().any(|row| weight(row) > 1) {
            add::<0>(width, rows, cells, stride, one, sums);
            continue;
        }
        add_short(rows, cells, stride, one, &mut short);
        sums[0] += rows.iter().map(|row| i64::from(weight(row))).sum::<i64>();
        for (sum, x) in sums[1..].iter_mut().zip(&mut short) {
            *sum += i64::from(*x);
            *x = 0;
        }
    }
}

/// So many channels are added up in two steps.
const MANY: usize = 64;

/// Rows that are added at a time: sums are read and written once for all of them.
const TOGETHER: usize = 4;

/// Cells of a cache line, if they are short.
const LINE: usize = 32;

/// Adds rows of weight 1, or 0, to the sums of their channels and of the variances.
#[inline(always)]
fn add_short(rows: &[u32], cells: &[impl StoredUnit<Sum = i32>], stride: usize, one: i32, sums: &mut [i32]) {
    let (groups, rest) = rows.as_chunks::<TOGETHER>();
    let next = groups.iter().skip(1).chain(groups.last());
    for (group, &next) in groups.iter().zip(next) {
        add_together(*group, next, cells, stride, one, sums);
    }
    for &row in rest {
        add_together([row], [row], cells, stride, one, sums);
    }
}

/// Adds some rows, and asks for those that are next.
#[inline(always)]
fn add_together<T: StoredUnit<Sum = i32>, const N: usize>(
    rows: [u32; N],
    next: [u32; N],
    cells: &[T],
    stride: usize,
    one: i32,
    sums: &mut [i32],
) {
    let width = sums.len() / 2;
    let start = |row: u32| row as usize * stride + stride - width;
    let rows = rows.map(|row| &cells[start(row)..][..width]);
    let next = next.map(|row| cells.as_ptr().wrapping_add(start(row)));
    let (firsts, seconds) = sums.split_at_mut(width);
    let (lines, last_firsts) = firsts.as_chunks_mut::<LINE>();
    let (second_lines, last_seconds) = seconds.as_chunks_mut::<LINE>();
    let last = LINE * lines.len();
    for (line, (firsts, seconds)) in lines.iter_mut().zip(second_lines).enumerate() {
        for next in next {
            prefetch(next.wrapping_add(line * LINE));
        }
        add_columns(rows.map(|row| &row[line * LINE..]), one, firsts, seconds);
    }
    add_columns(rows.map(|row| &row[last..]), one, last_firsts, last_seconds);
}

/// Adds the first columns of a few rows: as many as there are sums.
#[inline(always)]
fn add_columns<T: StoredUnit<Sum = i32>, const N: usize>(
    rows: [&[T]; N],
    one: i32,
    firsts: &mut [i32],
    seconds: &mut [i32],
) {
    let rows = rows.map(|row| &row[..firsts.len()]);
    for (c, (first, second)) in firsts.iter_mut().zip(seconds).enumerate() {
        let x = rows.map(|row| row[c].widen());
        *first += x.iter().sum::<i32>();
        *second += x.iter().map(|x| x.abs() * (one - x.abs())).sum::<i32>();
    }
}

/// Adds rows to their weight, the sums of their channels and of the variances: |x| (one − |x|), in units.
#[inline(always)]
fn add<const W: usize>(
    width: usize,
    rows: &[u32],
    cells: &[impl StoredUnit<Sum = i32>],
    stride: usize,
    one: i32,
    sums: &mut [i64],
) {
    let width = if W == 0 { width } else { W };
    let (weight, sums) = sums.split_at_mut(1);
    let (firsts, seconds) = sums.split_at_mut(width);
    let seconds = &mut seconds[..width];
    for &row in rows {
        let cell = &cells[row as usize * stride..][..stride];
        let unit = cell[0].widen();
        weight[0] += i64::from(unit);
        let both = firsts.iter_mut().zip(&mut *seconds).zip(&cell[stride - width..]);
        // Most rows have weight 1, and products of 64 bits are slow.
        if unit == 1 {
            for ((first, second), x) in both {
                let x = x.widen();
                *first += i64::from(x);
                *second += i64::from(x.abs() * (one - x.abs()));
            }
        } else if unit != 0 {
            for ((first, second), x) in both {
                let (x, own) = (x.widen(), x.widen().abs() / unit);
                *first += i64::from(x);
                *second += i64::from(own * (one - own)) * i64::from(unit);
            }
        }
    }
}
