//! Integers as the bytes in which they travel.
//!
//! Sums of regions with few rows are mostly zeros. Numbers come in cells, and where that takes less, a bit says of each cell whether
//! anything in it is not zero, and only such cells travel.

use super::{Failure, Sums};

/// Every cell travels.
const WHOLE: u8 = 0;

/// Cells that are not zero travel, after a bit for each cell.
const TOUCHED: u8 = 1;

/// Integers that travel.
pub(super) trait Wire: Copy + Default + PartialEq {
    const BYTES: usize;
    fn write(self, out: &mut [u8]);
    fn read(bytes: &[u8]) -> Self;
    /// Sums of hashes may go round.
    fn plus(self, other: Self) -> Self;
    fn sums(numbers: &mut [Self]) -> Sums<'_>;
}

macro_rules! wire {
    ($type:ty, $sums:ident) => {
        impl Wire for $type {
            const BYTES: usize = size_of::<$type>();
            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, Self::from_le_bytes)
            }
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn sums(numbers: &mut [Self]) -> Sums<'_> {
                Sums::$sums(numbers)
            }
        }
    };
}
wire!(i32, Narrow);
wire!(i64, Wide);

pub(super) fn bytes<W: Wire>(numbers: &[W]) -> Vec<u8> {
    let mut bytes = Vec::new();
    append(numbers, &mut bytes);
    bytes
}

fn append<W: Wire>(numbers: &[W], bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.resize(start + numbers.len() * W::BYTES, 0);
    for (number, out) in numbers.iter().zip(bytes[start..].chunks_exact_mut(W::BYTES)) {
        number.write(out);
    }
}

/// Joins what a worker has given to the numbers at hand.
pub(super) fn fold<W: Wire>(numbers: &mut [W], others: &[u8], worker: usize, join: impl Fn(W, W) -> W) {
    if others.len() != numbers.len() * W::BYTES {
        let what = format!("gave {} bytes instead of {}", others.len(), numbers.len() * W::BYTES);
        Failure { worker, what }.raise();
    }
    for (number, other) in numbers.iter_mut().zip(others.chunks_exact(W::BYTES)) {
        *number = join(*number, W::read(other));
    }
}

/// Appends numbers that come in cells of so many.
pub(super) fn append_cells<W: Wire>(numbers: &[W], cell: usize, bytes: &mut Vec<u8>) {
    let (cells, start) = (numbers.len() / cell, bytes.len());
    bytes.push(TOUCHED);
    bytes.resize(start + 1 + cells.div_ceil(8), 0);
    let (marks, mut touched) = (&mut bytes[start + 1..], 0);
    for (at, cell) in numbers.chunks_exact(cell).enumerate() {
        // The weight comes first: rarely is more than one number looked at in a cell with rows.
        let is_touched = cell.iter().any(|number| *number != W::default());
        marks[at / 8] |= u8::from(is_touched) << (at % 8);
        touched += usize::from(is_touched);
    }
    let whole = touched * cell * W::BYTES + marks.len() >= numbers.len() * W::BYTES;
    if whole || cells * cell != numbers.len() {
        bytes.truncate(start);
        bytes.push(WHOLE);
        append(numbers, bytes);
        return;
    }
    let mut end = bytes.len();
    bytes.resize(end + touched * cell * W::BYTES, 0);
    for (at, numbers) in numbers.chunks_exact(cell).enumerate() {
        if bytes[start + 1 + at / 8] >> (at % 8) & 1 == 1 {
            let out = &mut bytes[end..end + cell * W::BYTES];
            numbers.iter().zip(out.chunks_exact_mut(W::BYTES)).for_each(|(number, out)| number.write(out));
            end += out.len();
        }
    }
}

/// Adds what a worker has given to numbers that come in cells of so many; what is left of it afterwards is for others.
pub(super) fn add_cells<W: Wire>(numbers: &mut [W], cell: usize, given: &mut &[u8], worker: usize) {
    let mut take = |length: usize| {
        given.split_off(..length).unwrap_or_else(|| {
            Failure { worker, what: format!("gave {} bytes instead of {length}", given.len()) }.raise()
        })
    };
    if take(1) == [WHOLE] {
        let whole = take(numbers.len() * W::BYTES);
        return fold(numbers, whole, worker, W::plus);
    }
    let marks = take((numbers.len() / cell).div_ceil(8));
    for (at, numbers) in numbers.chunks_exact_mut(cell).enumerate() {
        if marks[at / 8] >> (at % 8) & 1 == 1 {
            fold(numbers, take(cell * W::BYTES), worker, W::plus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::guarded;
    use crate::numbers::seed::Seed;

    #[test]
    fn cells_arrive_and_zeros_take_a_bit() {
        for (cells, cell, share) in
            [(0, 3, 0.5), (1, 1, 0.0), (9, 4, 0.1), (64, 2, 0.5), (1000, 9, 0.02), (257, 3, 1.0)]
        {
            let number = |at: usize| Seed::new(at as u64 % 7).below(99) as i32 - 49;
            let touched = |at: usize| Seed::new(5).part((at / cell) as u64).unit() < share;
            let sent: Vec<i32> =
                (0..cells * cell).map(|at| if touched(at) { number(at) } else { 0 }).collect();
            let mut bytes = vec![];
            append_cells(&sent, cell, &mut bytes);
            let few = sent.iter().filter(|x| **x != 0).count() / cell * cell * 4;
            assert!(bytes.len() <= 1 + cells * cell * 4, "{} bytes", bytes.len());
            assert!(share > 0.5 || bytes.len() <= 2 + cells.div_ceil(8) + 2 * few + 8 * cell, "{cells}");
            let mut got = vec![3; sent.len()];
            let end = bytes.len();
            bytes.push(77);
            let mut rest = bytes.as_slice();
            add_cells(&mut got, cell, &mut rest, 1);
            assert_eq!((got, rest), (sent.iter().map(|x| x + 3).collect(), &[77][..]));
            for short in 0..end {
                let failed = guarded(|| add_cells(&mut vec![0; sent.len()], cell, &mut &bytes[..short], 1));
                assert_eq!(failed.unwrap_err().worker, 1);
            }
        }
    }
}
