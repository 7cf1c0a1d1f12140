//! The values of training rows as hyperplanes and lines see them: by their distance from the mean of their column.

use manyboost_data::encode::Codec;
use manyboost_data::{Dataset, Encoder, Error, ErrorKind, Frame, Result};
use manyboost_kernel::Totals;
use manyboost_kernel::numbers::math::{floor_log2, pow2};
use rayon::prelude::*;

use crate::model::linear::{MOST_EXPONENT, Slope, clamped, distance};

/// Rows that are read at a time.
const BLOCK: usize = 256;

/// The values of rows that have nothing but numbers, for a learner that takes `most` of them.
pub(super) fn values<'a>(
    data: &'a Dataset,
    encoder: &Encoder,
    learner: &str,
    most: usize,
) -> Result<&'a Frame> {
    let refuse = |what: String, remedy: String| Err(Error::new(ErrorKind::Parameter, what, remedy));
    let columns = encoder.column_encoders();
    for column in columns {
        let kind = match &column.codec {
            Codec::Number(_) => continue,
            Codec::Category(_) => "categories",
            Codec::Text(_) => "text",
            Codec::Time(codec) if codec.width() == 1 => continue,
            Codec::Time(_) => "dates, of which the calendar has several numbers",
        };
        let name = &column.name;
        let what = format!("`learner={learner}` takes numbers only, and column {name:?} is {kind}");
        return refuse(
            what,
            format!("leave it out (`ignore={name}`), or choose `learner=stump` or `learner=tree`"),
        );
    }
    if columns.len() > most {
        let what = format!("`learner={learner}` takes up to {most} features, not {}", columns.len());
        return refuse(what, "leave some out (`ignore`), or choose `learner=stump` or `learner=tree`".into());
    }
    let Some(values) = &data.values else {
        let what =
            format!("the {learner} learner needs the values of the rows, and the data were prepared without");
        return refuse(what, "prepare them with PrepareOptions { values: true, .. }".into());
    };
    Ok(values)
}

/// Distances from the mean, at most 1, row after row.
pub(super) struct Columns {
    rows: usize,
    /// Mean and power of two of each column.
    units: Vec<(f64, i16)>,
    values: Vec<f64>,
}

impl Columns {
    /// Of all columns of a frame; what crosses rows does so by way of `totals`.
    pub(super) fn new(frame: &Frame, width: usize, totals: &Totals<'_>) -> Self {
        let all: Vec<u32> = (0..width as u32).collect();
        let mut values = vec![0.0; frame.rows() * width];
        values.par_chunks_mut(BLOCK * width.max(1)).enumerate().for_each_init(
            Vec::new,
            |block, (at, out)| {
                frame.fill(at * BLOCK..at * BLOCK + out.len() / width, &all, block);
                out.copy_from_slice(block);
            },
        );
        let column = |j: usize| {
            let value = |row: usize| values[row * width + j];
            unit(value, totals)
        };
        let units: Vec<(f64, i16)> = (0..width).map(column).collect();
        let scales: Vec<(f64, f64)> = units.iter().map(|&(mean, e)| (mean, pow2(i32::from(e)))).collect();
        values.par_chunks_mut(width.max(1)).for_each(|row| {
            for (x, &(mean, scale)) in row.iter_mut().zip(&scales) {
                *x = distance(*x, mean, scale);
            }
        });
        Self { rows: frame.rows(), units, values }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub(super) fn width(&self) -> usize {
        self.units.len()
    }

    /// The distances of all rows, row after row.
    pub(super) fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// The distances of a row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.units.len()..(row + 1) * self.units.len()]
    }

    /// The part of a column in a hyperplane.
    pub(super) fn slope(&self, column: usize, slope: f64) -> Slope {
        let (mean, exponent) = self.units[column];
        Slope { feature: column as u32, mean, exponent, slope }
    }
}

/// The mean of a column's values that are there, and the power of two that makes the largest distance from it at most 1, and
/// more than ½.
fn unit(value: impl Fn(usize) -> f64 + Sync, totals: &Totals<'_>) -> (f64, i16) {
    let there = |row: usize, x: fn(f64) -> f64| {
        let value = value(row);
        if value.is_nan() { f64::NEG_INFINITY } else { x(clamped(value)) }
    };
    let (most, least) = (totals.max(|row| there(row, |x| x)), -totals.max(|row| there(row, |x| -x)));
    if most == f64::NEG_INFINITY || most - least < pow2(1 - i32::from(MOST_EXPONENT)) {
        // Nothing, or nothing that differs: a distance of 0 everywhere, as far as rounding can tell.
        return (if most == f64::NEG_INFINITY { 0.0 } else { most }, 0);
    }
    let large = pow2(floor_log2(most.abs().max(least.abs())) + 1);
    let [sum, count] = totals.sums_within([1.0; 2], |row| {
        let value = value(row);
        if value.is_nan() { [0.0; 2] } else { [clamped(value) / large, 1.0] }
    });
    let mean = (sum / count * large).clamp(least, most);
    let farthest = (most - mean).max(mean - least);
    (mean, -(floor_log2(farthest) as i16 + 1))
}
