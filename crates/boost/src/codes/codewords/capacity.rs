//! Codewords of large margin capacity (65) in fewer than M − 1 dimensions.
//!
//! Nothing is known of the best ones but that they exist. From those whose closest pair is farthest apart, single codewords are moved a little on the sphere, at
//! random; what has more capacity is kept. So the capacity is never below that of the max-min set, and where it is no more, the search found nothing better.

use std::sync::atomic::{AtomicBool, Ordering};

use manyboost_kernel::Seed;

use super::{Codewords, maxmin};
use crate::codes::matrix::Matrix;

/// Multiplications that may be spent, what one capacity takes of them for each number of all pairs, and the most trials.
const BUDGET: f64 = 1e9;
const EACH: f64 = 400.0;
const MOST: f64 = 2000.0;

/// The first and the least distance that a codeword is moved by.
const FAR: f64 = 0.3;
const NEAR: f64 = 1e-4;

/// Trials without a gain after which moves are shorter.
const PATIENCE: usize = 20;

/// The trials for so many codewords.
fn trials(m: usize, d: usize) -> usize {
    (BUDGET / (EACH * (m * m * m * d) as f64)).clamp(10.0, MOST) as usize
}

/// About how many seconds it takes.
pub(super) fn seconds(m: usize, d: usize) -> f64 {
    maxmin::seconds(m, d) + 1e-9 * EACH * (trials(m, d) * m * m * m * d) as f64
}

/// The codewords, or the best so far once `stop` is set.
pub(super) fn max_capacity(m: usize, d: usize, stop: &AtomicBool) -> Matrix {
    let mut best = Codewords(maxmin::max_min(m, d, stop));
    let mut most = best.capacity();
    let (mut far, mut failed) = (FAR, 0);
    for trial in 0..trials(m, d) as u64 {
        if far < NEAR || stop.load(Ordering::Relaxed) {
            break;
        }
        let seed = Seed::new(trial);
        let class = seed.part(0).below(m as u64) as usize;
        let mut values = best.0.values().to_vec();
        let word = &mut values[class * d..(class + 1) * d];
        for (place, x) in (1u64..).zip(word.iter_mut()) {
            *x += far * (2.0 * seed.part(place).unit() - 1.0);
        }
        let length = word.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length < NEAR {
            continue;
        }
        for x in word.iter_mut() {
            *x /= length;
        }
        let next = Codewords(Matrix::new(d, values));
        let capacity = next.capacity();
        if capacity > most {
            (best, most, failed) = (next, capacity, 0);
        } else {
            failed += 1;
            if failed == PATIENCE {
                (far, failed) = (0.5 * far, 0);
            }
        }
    }
    best.0
}
