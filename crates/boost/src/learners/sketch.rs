//! Random projections of many channels to a few, on which splits are searched, where channels are real numbers. (Rounded
//! ones are projected by [`Channels::write_projected`](manyboost_kernel::Channels::write_projected).) Leaves are filled from all channels.

use manyboost_kernel::{Directions, Statistics};
use rayon::prelude::*;

/// Rows a task handles.
const BLOCK: usize = 1024;

/// Writes the channels that are kept of each row, and the projections of the others.
pub(super) fn project(statistics: &Statistics<'_>, directions: &Directions, out: &mut Vec<f64>) {
    let (signs, stride, kept) = (directions.by_channel(), directions.width(), directions.kept());
    let count = stride - kept;
    match *statistics {
        Statistics::Dense { values, width } => {
            out.resize(values.len() / width * stride, 0.0);
            out.par_chunks_mut(BLOCK * stride).zip(values.par_chunks(BLOCK * width)).for_each(
                |(out, values)| {
                    for (out, row) in out.chunks_exact_mut(stride).zip(values.chunks_exact(width)) {
                        let (same, projected) = out.split_at_mut(kept);
                        same.copy_from_slice(&row[..kept]);
                        projected.fill(0.0);
                        for (&x, signs) in row[kept..].iter().zip(signs.chunks_exact(count)) {
                            projected.iter_mut().zip(signs).for_each(|(p, s)| *p += x * s);
                        }
                    }
                },
            );
        }
        Statistics::OneHot { values, labels, .. } => {
            out.resize(values.len() * stride, 0.0);
            out.par_chunks_mut(stride).zip(values).zip(labels).with_min_len(BLOCK).for_each(
                |((out, &x), &label)| {
                    let signs = &signs[label as usize * count..][..count];
                    out.iter_mut().zip(signs).for_each(|(p, s)| *p = x * s);
                },
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use manyboost_kernel::Seed;

    use super::*;

    #[test]
    fn projections_keep_lengths_on_average() {
        let row: Vec<f64> = (0..50).map(|i| f64::from(i % 7) - 3.0).collect();
        let length: f64 = row[1..].iter().map(|x| x * x).sum();
        let mut out = Vec::new();
        let mean: f64 = (0..2000)
            .map(|round| {
                let directions = Directions::new(1, 50, 4, Seed::new(round));
                project(&Statistics::Dense { values: &row, width: 50 }, &directions, &mut out);
                assert_eq!(out[0], row[0]);
                out[1..].iter().map(|x| x * x).sum::<f64>()
            })
            .sum::<f64>()
            / 2000.0;
        assert!((mean / length - 1.0).abs() < 0.05, "{mean} and {length}");
    }

    #[test]
    fn one_hot_equals_dense() {
        let (values, labels) = ([2.0, -3.0], [4u32, 1]);
        let mut dense = vec![0.0; 12];
        dense[4] = 2.0;
        dense[6 + 1] = -3.0;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let directions = Directions::new(0, 6, 3, Seed::new(1));
        project(&Statistics::OneHot { values: &values, labels: &labels, width: 6 }, &directions, &mut a);
        project(&Statistics::Dense { values: &dense, width: 6 }, &directions, &mut b);
        assert_eq!(a, b);
    }
}
