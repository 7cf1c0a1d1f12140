//! Random projections of many channels to a few, on which splits are searched.
//!
//! The squared length of a projected vector is, on average, that of the vector itself; so regions in which many channels
//! agree stand out in a few projections too. Leaves are filled from all channels.

use polyboost_kernel::{Seed, Statistics};
use rayon::prelude::*;

/// Rows a task handles.
const BLOCK: usize = 1024;

/// Writes the first `kept` channels of each row and `count` random projections of the others.
pub(super) fn project(
    statistics: &Statistics<'_>,
    kept: usize,
    count: usize,
    seed: Seed,
    out: &mut Vec<f64>,
) {
    let channels = match *statistics {
        Statistics::Dense { width, .. } | Statistics::OneHot { width, .. } => width - kept,
    };
    let signs = signs(channels, count, seed);
    let stride = kept + count;
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

/// For each channel, a vector of ±1/√count.
fn signs(channels: usize, count: usize, seed: Seed) -> Vec<f64> {
    let size = 1.0 / (count as f64).sqrt();
    (0..channels * count).map(|i| if seed.part(i as u64).bits() & 1 == 0 { size } else { -size }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projections_keep_lengths_on_average() {
        let row: Vec<f64> = (0..50).map(|i| f64::from(i % 7) - 3.0).collect();
        let length: f64 = row[1..].iter().map(|x| x * x).sum();
        let mut out = Vec::new();
        let mean: f64 = (0..2000)
            .map(|round| {
                project(&Statistics::Dense { values: &row, width: 50 }, 1, 4, Seed::new(round), &mut out);
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
        project(
            &Statistics::OneHot { values: &values, labels: &labels, width: 6 },
            0,
            3,
            Seed::new(1),
            &mut a,
        );
        project(&Statistics::Dense { values: &dense, width: 6 }, 0, 3, Seed::new(1), &mut b);
        assert_eq!(a, b);
    }
}
