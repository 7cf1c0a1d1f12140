//! The order in which levels of a category are visited, so that a prefix of it is a good group.
//!
//! Where cuts are random, so is the order of more than a few levels. The best of all groups of many levels with few rows
//! each is mostly luck, and the order along which they differ most finds it; the best prefix of a random order is one of
//! as many groups as there are levels.

use crate::numbers::cpu::by_width;
use crate::numbers::seed::Seed;
use crate::search::source::Sum;

/// Rows' worth of the region's mean that is mixed into the mean of each level before ordering.
const SMOOTHING: f64 = 10.0;

/// So few levels have too few groups for the best of them to be luck.
pub(crate) const FEW_LEVELS: usize = 4;

/// Buffers of ordering levels.
#[derive(Debug, Default)]
pub(crate) struct LevelScratch {
    vectors: Vec<f64>,
    keyed: Vec<(f64, u32)>,
    drawn: Vec<(u64, u32)>,
}

/// Puts the levels of a category into a random order: that of what is drawn for each, whichever others there are.
pub(crate) fn shuffle_levels(levels: &mut [u32], seed: Seed, LevelScratch { drawn, .. }: &mut LevelScratch) {
    drawn.clear();
    drawn.extend(levels.iter().map(|&level| (seed.part(u64::from(level)).bits(), level)));
    drawn.sort_unstable();
    levels.iter_mut().zip(drawn).for_each(|(slot, (_, level))| *slot = *level);
}

/// Orders the levels of a category along the direction in which their mean channels differ most (three steps of the
/// power method).
pub(crate) fn order_levels<S: Sum>(
    sums: &[S],
    steps: &[f64],
    total: &[S],
    levels: &mut [u32],
    scratch: &mut LevelScratch,
) {
    // Without channels nothing differs.
    if steps.len() > 1 {
        by_width!(steps.len(), order<S>(sums, steps, total, levels, scratch));
    }
}

/// As [`order_levels`]. `W` is the number of sums in a cell, or 0 if it is not known when compiled.
fn order<const W: usize, S: Sum>(
    sums: &[S],
    steps: &[f64],
    total: &[S],
    levels: &mut [u32],
    scratch: &mut LevelScratch,
) {
    let width = if W == 0 { steps.len() } else { W };
    let channels = width - 1;
    let LevelScratch { vectors, keyed, .. } = scratch;
    vectors.clear();
    vectors.resize((3 + levels.len()) * channels + levels.len(), 0.0);
    let (mean, rest) = vectors.split_at_mut(channels);
    let (mut direction, rest) = rest.split_at_mut(channels);
    let (mut next, rest) = rest.split_at_mut(channels);
    let (weights, apart) = rest.split_at_mut(levels.len());
    // `direction` is all zero as yet.
    mean_of(&total[..width], &steps[..width], 0.0, direction, mean);
    // Means of thin levels are pulled to the region's mean: they should not lead the order by accident.
    let mut most = 0.0;
    for ((&level, weight), own) in levels.iter().zip(&mut *weights).zip(apart.chunks_exact_mut(channels)) {
        let cell = &sums[level as usize * width..][..width];
        mean_of(cell, &steps[..width], SMOOTHING, mean, own);
        own.iter_mut().zip(&*mean).for_each(|(x, m)| *x -= m);
        *weight = cell[0].float() * steps[0];
        let strength = *weight * dot(own, own);
        if strength > most {
            most = strength;
            direction.copy_from_slice(own);
        }
    }
    for _ in 0..3 {
        next.fill(0.0);
        for (&weight, own) in weights.iter().zip(apart.chunks_exact(channels)) {
            let along = weight * dot(own, direction);
            next.iter_mut().zip(own).for_each(|(n, x)| *n += along * x);
        }
        let length = dot(next, next).sqrt();
        if !(length > 0.0 && length.is_finite()) {
            break;
        }
        for x in &mut *next {
            *x /= length;
        }
        std::mem::swap(&mut direction, &mut next);
    }
    keyed.clear();
    let keys = apart.chunks_exact(channels).map(|own| dot(own, direction));
    keyed.extend(keys.zip(levels.iter().copied()));
    keyed.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    levels.iter_mut().zip(keyed).for_each(|(slot, (_, level))| *slot = *level);
}

/// The mean channels of a cell, with so many rows' worth of others mixed in.
#[inline(always)]
fn mean_of<S: Sum>(cell: &[S], steps: &[f64], smoothing: f64, toward: &[f64], mean: &mut [f64]) {
    let weight = cell[0].float() * steps[0];
    for (((mean, sum), step), toward) in mean.iter_mut().zip(&cell[1..]).zip(&steps[1..]).zip(toward) {
        *mean = (sum.float() * step + smoothing * toward) / (weight + smoothing).max(f64::MIN_POSITIVE);
    }
}

/// Summed in order.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, with a vector for everything.
    fn plain<S: Sum>(sums: &[S], steps: &[f64], total: &[S], levels: &[u32]) -> Vec<u32> {
        let width = steps.len();
        let mean_of = |cell: &[S], smoothing: f64, toward: &[f64]| -> Vec<f64> {
            let weight = (cell[0].float() * steps[0] + smoothing).max(f64::MIN_POSITIVE);
            (1..width).map(|i| (cell[i].float() * steps[i] + smoothing * toward[i - 1]) / weight).collect()
        };
        let mean = mean_of(total, 0.0, &vec![0.0; width - 1]);
        let apart = |&level: &u32| {
            let cell = &sums[level as usize * width..][..width];
            let own = mean_of(cell, SMOOTHING, &mean);
            (cell[0].float() * steps[0], own.iter().zip(&mean).map(|(x, m)| x - m).collect())
        };
        let apart: Vec<(f64, Vec<f64>)> = levels.iter().map(apart).collect();
        let (mut most, mut direction) = (0.0, vec![0.0; width - 1]);
        for (weight, own) in &apart {
            if weight * dot(own, own) > most {
                most = weight * dot(own, own);
                direction.clone_from(own);
            }
        }
        for _ in 0..3 {
            let mut next = vec![0.0; width - 1];
            for (weight, own) in &apart {
                let along = weight * dot(own, &direction);
                next.iter_mut().zip(own).for_each(|(n, x)| *n += along * x);
            }
            let length = dot(&next, &next).sqrt();
            if !(length > 0.0 && length.is_finite()) {
                break;
            }
            direction = next.iter().map(|x| x / length).collect();
        }
        let mut order = levels.to_vec();
        let key = |level: u32| {
            let at = levels.iter().position(|&other| other == level).unwrap();
            dot(&apart[at].1, &direction)
        };
        order.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
        order
    }

    fn check<S: Sum>(width: usize, codes: u32, seed: Seed) {
        let draw = |i: usize, below: u64| seed.part(i as u64).below(below) as i64;
        let sum =
            |i: usize| S::from_i64(if i.is_multiple_of(width) { 1 + draw(i, 50) } else { draw(i, 9) - 4 });
        let sums: Vec<S> = (0..width * codes as usize).map(sum).collect();
        let mut total = vec![S::default(); width];
        sums.iter().enumerate().for_each(|(i, &x)| total[i % width] += x);
        let steps: Vec<f64> = (0..width).map(|i| 0.25 * (1 + i % 3) as f64).collect();
        let levels: Vec<u32> = (0..codes).filter(|&code| draw(1000 + code as usize, 5) > 0).collect();
        let mut scratch = LevelScratch::default();
        // Twice: buffers that were used before are as good as new ones.
        for _ in 0..2 {
            let mut order = levels.clone();
            order_levels(&sums, &steps, &total, &mut order, &mut scratch);
            assert_eq!(order, plain(&sums, &steps, &total, &levels), "{width} sums, {codes} levels");
        }
    }

    #[test]
    fn the_order_is_that_of_the_definition() {
        for width in [1, 2, 3, 5, 8, 12, 13, 30] {
            for codes in [0, 1, 2, 3, 4, 7, 40] {
                for seed in (0..20).map(Seed::new) {
                    check::<i32>(width, codes, seed);
                    check::<i64>(width, codes, seed);
                }
            }
        }
    }

    #[test]
    fn a_random_order_is_one_of_all_and_leaves_out_what_is_not_there() {
        let mut scratch = LevelScratch::default();
        let mut shuffled = |levels: &[u32], seed| {
            let mut levels = levels.to_vec();
            shuffle_levels(&mut levels, Seed::new(seed), &mut scratch);
            levels
        };
        let orders: std::collections::BTreeSet<Vec<u32>> =
            (0..200).map(|seed| shuffled(&[0, 1, 2, 3], seed)).collect();
        assert_eq!(orders.len(), 24);
        let all = shuffled(&[0, 1, 2, 3, 4, 5, 6], 3);
        let some: Vec<u32> = all.into_iter().filter(|level| level % 2 == 0).collect();
        assert_eq!(shuffled(&[6, 4, 2, 0], 3), some);
    }

    #[test]
    fn equal_levels_stay_in_their_order() {
        let (sums, steps) = ([2, 0, 2, 0, 2, 0], [1.0, 1.0]);
        let mut levels = [0, 1, 2];
        order_levels(&sums, &steps, &[6, 0], &mut levels, &mut LevelScratch::default());
        assert_eq!(levels, [0, 1, 2]);
    }
}
