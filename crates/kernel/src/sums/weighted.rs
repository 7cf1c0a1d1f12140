//! Weighted sums of rows of numbers, group by group and for several sets of weights side by side: a small matrix product with a sparse
//! left side. A vector of the machine has the same weight of each set, so that how many numbers a row has does not matter.

use crate::numbers::cpu::widened;

/// Sets of weights that are summed side by side.
pub const SIDES: usize = 8;

/// Numbers of a row that are summed in one pass over its group.
const MOST: usize = 6;

widened! {
    /// Adds to each of some outputs, side by side, what groups come to: from the place of a group on the sum of weight · row over its lines.
    /// Groups are `(place, end)`: the lines of a group begin where those of the one before end. `rows` says for each line which row it
    /// weighs, and `weights` by how much, for each output. Rows have `width` numbers, and outputs `stride`; there are at most [`SIDES`].
    pub fn add_weighted = add_weighted_body<>(
        groups: &[(usize, usize)],
        rows: &[u32],
        weights: &[[f64; SIDES]],
        values: &[f64],
        width: usize,
        stride: usize,
        out: &mut [f64],
    )
}

#[inline(always)]
fn add_weighted_body(
    groups: &[(usize, usize)],
    rows: &[u32],
    weights: &[[f64; SIDES]],
    values: &[f64],
    width: usize,
    stride: usize,
    out: &mut [f64],
) {
    let mut first = 0;
    for &(place, end) in groups {
        let own = (&rows[first..end], &weights[first..end]);
        first = end;
        let mut from = 0;
        while from < width {
            let left = width - from;
            let some = left.div_ceil(left.div_ceil(MOST));
            let at = (width, from);
            let to = (stride, place + from);
            match some {
                1 => add_some::<1>(own, values, at, to, out),
                2 => add_some::<2>(own, values, at, to, out),
                3 => add_some::<3>(own, values, at, to, out),
                4 => add_some::<4>(own, values, at, to, out),
                5 => add_some::<5>(own, values, at, to, out),
                _ => add_some::<MOST>(own, values, at, to, out),
            }
            from += some;
        }
    }
}

/// The numbers of rows of so many from one of them on.
#[inline(always)]
fn add_some<const W: usize>(
    (rows, weights): (&[u32], &[[f64; SIDES]]),
    values: &[f64],
    (width, from): (usize, usize),
    (stride, place): (usize, usize),
    out: &mut [f64],
) {
    let mut sums = [[0.0; SIDES]; W];
    for (&row, weights) in rows.iter().zip(weights) {
        let values = &values[row as usize * width + from..][..W];
        for (sums, value) in sums.iter_mut().zip(values) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight * value;
            }
        }
    }
    hand_out(&sums, stride, place, out);
}

/// Adds sums to outputs. Not part of the loop above, which would then be compiled for vectors of one output's numbers.
#[inline(never)]
fn hand_out(sums: &[[f64; SIDES]], stride: usize, place: usize, out: &mut [f64]) {
    for (side, out) in out.chunks_mut(stride).take(SIDES).enumerate() {
        for (out, sums) in out[place..].iter_mut().zip(sums) {
            *out += sums[side];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_plain_loop() {
        for width in [1, 2, 5, 6, 7, 12, 13, 27] {
            for sides in [1, 3, SIDES] {
                let values: Vec<f64> = (0..4 * width).map(|i| (i as f64 * 0.7).sin()).collect();
                let rows = [1, 0, 3, 2, 2, 1];
                let weight = |line: usize, side: usize| (line as f64 - 2.5) * (side as f64 + 0.3);
                let weights: Vec<[f64; SIDES]> =
                    (0..6).map(|line| std::array::from_fn(|side| weight(line, side))).collect();
                let (groups, stride) = ([(2 * width, 2), (1, 5), (0, 5), (width, 6)], 3 * width + 1);
                let mut found = vec![1.0; sides * stride];
                add_weighted(&groups, &rows, &weights, &values, width, stride, &mut found);
                let mut wanted = vec![1.0; sides * stride];
                for (place, lines) in [(2 * width, 0..2), (1, 2..5), (width, 5..6)] {
                    for line in lines {
                        for (side, i) in (0..sides).flat_map(|side| (0..width).map(move |i| (side, i))) {
                            wanted[side * stride + place + i] +=
                                weight(line, side) * values[rows[line] as usize * width + i];
                        }
                    }
                }
                let near = found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12);
                assert!(near, "width {width}, {sides} sides");
            }
        }
    }
}
