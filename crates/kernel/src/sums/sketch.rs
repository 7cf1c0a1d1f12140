//! Random projections of many channels to a few, on which cuts are searched, beside the channels themselves, from which
//! leaves are filled.
//!
//! The squared length of a projected vector is, on average, that of the vector itself; so regions in which many channels
//! agree stand out in a few projections too. Projections are sums of rounded channels with signs: whole numbers again, and
//! no less exact.

use rayon::prelude::*;

use crate::numbers::cpu::widened;
use crate::numbers::grid::Grid;
use crate::numbers::seed::Seed;
use crate::search::source::StoredUnit;
use crate::sums::channels::{Channels, Within};
use crate::sums::quantise::{ENOUGH_BITS, NARROW_BITS, Rounding, fill_computed, rows_at_hand};

/// Vectors of ±1, for channels after the first few, which are kept as they are.
#[derive(Clone, Debug)]
pub struct Directions {
    kept: usize,
    count: usize,
    channels: usize,
    signs: Vec<i16>,
}

impl Directions {
    /// So many random directions for `width` channels, of which the first `kept` are not projected.
    pub fn new(kept: usize, width: usize, count: usize, seed: Seed) -> Self {
        let channels = width - kept;
        let sign = |at: usize| {
            let (direction, channel) = (at / channels, at % channels);
            if seed.part((channel * count + direction) as u64).bits() & 1 == 0 { 1 } else { -1 }
        };
        Self { kept, count, channels, signs: (0..channels * count).map(sign).collect() }
    }

    /// Numbers that a row has afterwards.
    pub fn width(&self) -> usize {
        self.kept + self.count
    }

    /// Channels that are kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// How long each entry of a direction must be for lengths to be kept.
    pub fn size(&self) -> f64 {
        1.0 / (self.count as f64).sqrt()
    }

    /// For each projected channel its part in all directions, channel after channel.
    pub fn by_channel(&self) -> Vec<f64> {
        let part = |channel: usize| {
            (0..self.count).map(move |direction| {
                f64::from(self.signs[direction * self.channels + channel]) * self.size()
            })
        };
        (0..self.channels).flat_map(part).collect()
    }
}

impl Channels {
    /// Replaces the contents by statistics that `write` computes, as [`Channels::write_within`], and those of `sketch` by the
    /// channels that are kept and the projections of the others, whose absolute values sum to no more than `spread` in
    /// a row.
    ///
    /// `None`, and nothing is written, where sums must be wide or too few bits would be left.
    pub fn write_projected(
        &mut self,
        sketch: &mut Self,
        within: &Within<'_>,
        directions: &Directions,
        spread: f64,
        write: impl Fn(usize, &mut [f32]) -> i64 + Sync,
    ) -> Option<i64> {
        let Within { bounds, weights, seed, .. } = *within;
        let total = within.narrow_units()? as f64;
        let largest = bounds[directions.kept..].iter().fold(0.0, |most: f64, &bound| most.max(bound));
        // The most that a projection may be: each unit is rounded by less than one.
        let reach =
            |bits: u32| spread * Grid::for_largest(largest, bits).per_one() + directions.channels as f64;
        let fits = |bits: &u32, most: f64| total * reach(*bits) < f64::from(i32::MAX) && reach(*bits) < most;
        let best = |most: f64| (ENOUGH_BITS..=NARROW_BITS).rev().find(|bits| fits(bits, most));
        // The bits depend on the data alone, not on whether weights are given or rows repeated.
        let bits = best(f64::from(i16::MAX)).or_else(|| best(f64::INFINITY))?;
        let short = weights.are_light() && reach(bits) < f64::from(i16::MAX);
        let grid = |(at, &bound): (usize, &f64)| {
            Grid::for_largest(if at < directions.kept { bound } else { largest }, bits)
        };
        let grids: Vec<Grid> = bounds.iter().enumerate().map(grid).collect();
        let rounding = Rounding::new(&grids, true, seed);
        let whole = self.set_narrow(&grids, weights);
        let projected = sketch.set_narrow(&grids[..directions.width()], weights);
        let seen = if short {
            fill(whole.short(), projected.short(), weights.units, &rounding, directions, write)
        } else {
            fill(whole.long(), projected.long(), weights.units, &rounding, directions, write)
        };
        sketch.scale_from(directions.kept, directions.size());
        Some(seen)
    }
}

/// Writes cells and their projections.
fn fill<T: StoredUnit<Sum = i32>>(
    cells: &mut Vec<T>,
    projected: &mut Vec<T>,
    units: &[u32],
    rounding: &Rounding<f32>,
    directions: &Directions,
    write: impl Fn(usize, &mut [f32]) -> i64 + Sync,
) -> i64 {
    let (width, stride) = (directions.kept + directions.channels, directions.width() + 1);
    projected.resize(units.len() * stride, T::default());
    let beside = projected.par_chunks_mut(rows_at_hand(width) * stride);
    let then = |sketch: &mut [T], cells: &[T]| project(cells, directions, sketch);
    fill_computed(cells, width, units, rounding, beside, write, then)
}

widened! { fn project = project_body<T: StoredUnit<Sum = i32>>(cells: &[T], directions: &Directions, sketch: &mut [T]) }

/// Writes the projections of some rows' cells.
#[inline(always)]
fn project_body<T: StoredUnit<Sum = i32>>(cells: &[T], directions: &Directions, sketch: &mut [T]) {
    let Directions { kept, channels, ref signs, .. } = *directions;
    let stride = 1 + kept + channels;
    for (cell, sketch) in cells.chunks_exact(stride).zip(sketch.chunks_exact_mut(directions.width() + 1)) {
        let (same, others) = cell.split_at(1 + kept);
        let (first, projections) = sketch.split_at_mut(1 + kept);
        first.copy_from_slice(same);
        for (projection, signs) in projections.iter_mut().zip(signs.chunks_exact(channels)) {
            let mut sum = 0;
            for (x, &sign) in others.iter().zip(signs) {
                sum += x.widen() * i32::from(sign);
            }
            *projection = StoredUnit::narrow(i64::from(sum));
        }
    }
}
