//! Do stumps beat guessing whatever the rows are called?
//!
//! AdaBoost.Iter with `--relabel position` gives rows other labels in every epoch, namely the places of their classes on lists that
//! nobody knows before. Its theorem (6.2 of Cho, Libgober & Ding 2024) holds if on any weights of rows, for any labels of n kinds, some classifier
//! is right on more than 1/n. For stumps that can be decided. Say that on some weights none is. A constant answer has 1/n at least, so each
//! label has the weight 1/n; and a cut with the weights wₗ of labels on its left side has max wₗ + max (1/n − wₗ), so all wₗ are equal, for every cut. Take the
//! weights of one label from those of another: numbers u, not all 0, whose sum is 0 on each side of every cut. So if no such u is there
//! (the rows, as vectors that say on which side of each cut they are, are **linearly independent**) stumps beat guessing under every labelling. And if there is
//! one, its positive and its negative rows are two labels that no stump tells apart: for n = 2 it is the same.
//!
//! Independence modulo a prime is independence. Rows that are alone in a cell of some column are taken away first, again and again:
//! they depend on nothing that is left. Mostly nothing is.

use std::sync::atomic::{AtomicBool, Ordering};

/// The largest prime below 2³¹.
const PRIME: u64 = (1 << 31) - 1;
/// Multiplications that are spent on elimination at most.
const MOST_WORK: f64 = 4e9;

/// Whether rows are linearly independent, given the cell of each row in each column; `None` if it takes too long to know.
pub(crate) fn independent(columns: &[Vec<u32>], stop: &AtomicBool) -> Option<bool> {
    let rows = columns.first().map_or(0, Vec::len);
    if rows < 2 {
        return Some(true);
    }
    let left = not_alone(columns, rows);
    if left.is_empty() {
        return Some(true);
    }
    // Cells that are left, one after the other; a column's cells add up to all rows, so one of each column but the first says nothing.
    let mut width = 0;
    let mut matrix: Vec<Vec<u32>> = vec![Vec::with_capacity(columns.len()); left.len()];
    for (at, column) in columns.iter().enumerate() {
        let mut cells: Vec<u32> = left.iter().map(|&row| column[row]).collect();
        cells.sort_unstable();
        cells.dedup();
        let spare = usize::from(at > 0);
        for (row, &of) in matrix.iter_mut().zip(&left) {
            let cell = cells.partition_point(|&cell| cell < column[of]);
            row.extend((cell >= spare).then(|| (width + cell - spare) as u32));
        }
        width += cells.len() - spare;
    }
    if width < left.len() {
        return Some(false);
    }
    if left.len() as f64 * left.len() as f64 * width as f64 > MOST_WORK {
        return None;
    }
    full_rank(&matrix, width, stop)
}

/// The rows that stay when rows that are alone in a cell of some column are taken away, again and again.
fn not_alone(columns: &[Vec<u32>], rows: usize) -> Vec<usize> {
    // How many rows a cell has, and the sum of their numbers: of one row, that is its number.
    let cells = |column: &Vec<u32>| column.iter().max().map_or(0, |&most| most as usize + 1);
    let mut counts: Vec<Vec<(usize, usize)>> = columns.iter().map(|c| vec![(0, 0); cells(c)]).collect();
    for (column, counts) in columns.iter().zip(&mut counts) {
        for (row, &cell) in column.iter().enumerate() {
            let (count, sum) = &mut counts[cell as usize];
            (*count, *sum) = (*count + 1, *sum + row);
        }
    }
    let mut alone: Vec<usize> =
        counts.iter().flatten().filter(|(n, _)| *n == 1).map(|&(_, row)| row).collect();
    let mut there = vec![true; rows];
    while let Some(row) = alone.pop() {
        if !std::mem::replace(&mut there[row], false) {
            continue;
        }
        for (column, counts) in columns.iter().zip(&mut counts) {
            let (count, sum) = &mut counts[column[row] as usize];
            (*count, *sum) = (*count - 1, *sum - row);
            if *count == 1 {
                alone.push(*sum);
            }
        }
    }
    (0..rows).filter(|&row| there[row]).collect()
}

/// Whether rows of zeros and ones, given by the places of the ones, are independent modulo the prime; `None` if it was stopped.
fn full_rank(rows: &[Vec<u32>], width: usize, stop: &AtomicBool) -> Option<bool> {
    // Rows so far, each divided by its first number, and where that is.
    let mut basis: Vec<(usize, Vec<u64>)> = Vec::with_capacity(rows.len());
    for ones in rows {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut row = vec![0u64; width];
        for &at in ones {
            row[at as usize] = 1;
        }
        for (first, other) in &basis {
            let times = PRIME - row[*first];
            if times < PRIME {
                row[*first..]
                    .iter_mut()
                    .zip(&other[*first..])
                    .for_each(|(x, y)| *x = (*x + times * y) % PRIME);
            }
        }
        let Some(first) = row.iter().position(|&x| x != 0) else { return Some(false) };
        let inverse = power(row[first], PRIME - 2);
        for x in &mut row {
            *x = *x * inverse % PRIME;
        }
        basis.push((first, row));
    }
    Some(true)
}

fn power(mut x: u64, mut by: u64) -> u64 {
    let mut out = 1;
    while by > 0 {
        if by & 1 == 1 {
            out = out * x % PRIME;
        }
        (x, by) = (x * x % PRIME, by >> 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    #[test]
    fn what_is_independent() {
        // Four corners of a square: + − − + sums to 0 on every side of every cut.
        assert_eq!(independent(&[vec![0, 0, 1, 1], vec![0, 1, 0, 1]], &GO_ON), Some(false));
        // Three of them, and any rows on a line.
        assert_eq!(independent(&[vec![0, 0, 1], vec![0, 1, 0]], &GO_ON), Some(true));
        assert_eq!(independent(&[vec![4, 2, 3, 0]], &GO_ON), Some(true));
        assert_eq!(independent(&[vec![0, 0]], &GO_ON), Some(false));
        assert_eq!(independent(&[], &GO_ON), Some(true));
        // No row is alone anywhere: six rows, and only 2 + 1 + 1 + 1 + 1 cells that count; a seventh column of cells does it.
        let cube = |bit: u32| (0..8u32).map(|row| row >> bit & 1).collect::<Vec<_>>();
        assert_eq!(independent(&[cube(0), cube(1), cube(2)], &GO_ON), Some(false));
        let pairs = [vec![0, 0, 1, 1], vec![0, 1, 0, 1], vec![0, 1, 1, 0]];
        assert!(not_alone(&pairs, 4).len() == 4);
        assert_eq!(independent(&pairs, &GO_ON), Some(true));
    }
}
