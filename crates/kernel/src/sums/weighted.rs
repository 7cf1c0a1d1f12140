//! Weighted sums of rows of numbers, group by group: a small matrix product with a sparse left side.

use crate::numbers::cpu::{by_width, vectorised};

/// Numbers that are summed side by side where the width of rows is not known when compiled.
const LANES: usize = 8;

vectorised! {
    /// Adds to each row `slot` of `out` the sum of `coefficients[c] · rows[r]` over the pairs `(c, r)` of its group. Groups are
    /// `(slot, end)`: a group's pairs begin where those of the one before end. Rows have `width` numbers.
    pub fn add_weighted = add_weighted_body<>(
        groups: &[(u32, u32)],
        pairs: &[(u32, u32)],
        coefficients: &[f64],
        rows: &[f64],
        width: usize,
        out: &mut [f64],
    )
}

#[inline(always)]
fn add_weighted_body(
    groups: &[(u32, u32)],
    pairs: &[(u32, u32)],
    coefficients: &[f64],
    rows: &[f64],
    width: usize,
    out: &mut [f64],
) {
    let mut first = 0;
    for &(slot, end) in groups {
        let own = &pairs[first..end as usize];
        first = end as usize;
        let out = &mut out[slot as usize * width..][..width];
        by_width!(width, add_group(own, coefficients, rows, out));
    }
}

#[inline(always)]
fn add_group<const W: usize>(pairs: &[(u32, u32)], coefficients: &[f64], rows: &[f64], out: &mut [f64]) {
    let width = out.len();
    if W > 0 {
        return add_lanes::<W>(pairs, coefficients, rows, (width, 0), out);
    }
    let whole = width - width % LANES;
    let (lanes, rest) = out.split_at_mut(whole);
    for (at, out) in lanes.chunks_exact_mut(LANES).enumerate() {
        add_lanes::<LANES>(pairs, coefficients, rows, (width, at * LANES), out);
    }
    for (at, out) in rest.iter_mut().enumerate() {
        add_lanes::<1>(pairs, coefficients, rows, (width, whole + at), std::slice::from_mut(out));
    }
}

/// The numbers of rows of so many from one of them on.
#[inline(always)]
fn add_lanes<const W: usize>(
    pairs: &[(u32, u32)],
    coefficients: &[f64],
    rows: &[f64],
    (width, from): (usize, usize),
    out: &mut [f64],
) {
    let mut sums = [0.0; W];
    for &(coefficient, row) in pairs {
        let c = coefficients[coefficient as usize];
        let row = &rows[row as usize * width + from..][..W];
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += c * x;
        }
    }
    out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_plain_loop() {
        for width in [1, 2, 5, 12, 13, 27] {
            let rows: Vec<f64> = (0..4 * width).map(|i| (i as f64 * 0.7).sin()).collect();
            let coefficients: Vec<f64> = (0..6).map(|i| f64::from(i) - 2.5).collect();
            let pairs = [(0, 1), (3, 0), (5, 3), (1, 2), (2, 2)];
            let groups = [(2, 2), (0, 5)];
            let mut found = vec![1.0; 3 * width];
            add_weighted(&groups, &pairs, &coefficients, &rows, width, &mut found);
            let mut wanted = vec![1.0; 3 * width];
            for (slot, own) in [(2, &pairs[..2]), (0, &pairs[2..])] {
                for &(c, row) in own {
                    for i in 0..width {
                        wanted[slot * width + i] += coefficients[c as usize] * rows[row as usize * width + i];
                    }
                }
            }
            assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "width {width}");
        }
    }
}
