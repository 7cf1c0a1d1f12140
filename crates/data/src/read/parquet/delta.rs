//! Numbers in delta encoding (`DELTA_BINARY_PACKED`), as the lengths of texts are kept: the texts of a page are one
//! after the other behind their lengths, and where texts share beginnings, before these comes how much of it.
//!
//! The parquet crate makes room for as many lengths as a page claims, and for texts as long as they say. Both are
//! added up here before.

use crate::read::parquet::compact::{Compact, Malformed, Walk};

/// What comes before the numbers.
struct Header<'a> {
    numbers: usize,
    /// Blocks are parted into so many miniblocks …
    parts: usize,
    /// … of so many numbers.
    size: usize,
    first: i64,
    rest: &'a [u8],
}

fn header(bytes: &[u8], most: usize) -> Walk<Header<'_>> {
    let mut walk = Compact::new(bytes);
    let mut number = || u32::try_from(walk.varint()?).map(|n| n as usize).map_err(|_| Malformed);
    let (block, parts, numbers) = (number()?, number()?, number()?);
    let first = walk.integer()?;
    let size = block.checked_div(parts).ok_or(Malformed)?;
    let whole = block.is_multiple_of(128) && size * parts == block && size > 0 && size.is_multiple_of(32);
    let rest = bytes.get(walk.at..).unwrap_or_default();
    if whole && numbers <= most { Ok(Header { numbers, parts, size, first, rest }) } else { Err(Malformed) }
}

/// Checks that a page has at most so many numbers.
pub(crate) fn check_numbers(bytes: &[u8], most: usize) -> Walk<()> {
    header(bytes, most).map(drop)
}

/// Checks that there are at most so many texts, and that they are all there.
pub(crate) fn check_texts(bytes: &[u8], most: usize) -> Walk<()> {
    let mut lengths = Lengths::new(bytes, most)?;
    let mut total = 0;
    while let Some(length) = lengths.next()? {
        total += u64::from(length);
    }
    if total <= lengths.rest.len() as u64 { Ok(()) } else { Err(Malformed) }
}

/// Checks that there are at most so many texts that share beginnings, and that they are all there; gives the bytes that
/// they come to.
pub(crate) fn check_shared_texts(bytes: &[u8], most: usize) -> Walk<u64> {
    let mut shared = Lengths::new(bytes, most)?;
    while shared.next()?.is_some() {}
    check_texts(shared.rest, most)?;
    let (mut shared, mut own) = (Lengths::new(bytes, most)?, Lengths::new(shared.rest, most)?);
    let (mut total, mut last) = (0_u64, 0_u64);
    loop {
        match (shared.next()?, own.next()?) {
            (Some(shared), Some(own)) if u64::from(shared) <= last => {
                last = u64::from(shared) + u64::from(own);
                total = total.saturating_add(last);
            }
            (None, None) => return Ok(total),
            _ => return Err(Malformed),
        }
    }
}

/// Lengths, one after the other.
struct Lengths<'a> {
    /// Numbers that are still to come.
    left: usize,
    parts: usize,
    size: usize,
    /// The first number, as long as it was not given.
    first: Option<i32>,
    last: i32,
    /// Added to all differences of the block.
    least: i32,
    /// Bits of a difference in the block's miniblocks that are still to come.
    widths: &'a [u8],
    /// The miniblock at hand: its differences, the bits of each, and the next one.
    packed: &'a [u8],
    width: usize,
    at: usize,
    /// Everything after it.
    rest: &'a [u8],
}

impl<'a> Lengths<'a> {
    fn new(bytes: &'a [u8], most: usize) -> Walk<Self> {
        let Header { numbers, parts, size, first, rest } = header(bytes, most)?;
        let first = i32::try_from(first).map_err(|_| Malformed)?;
        Ok(Self {
            left: numbers,
            parts,
            size,
            first: Some(first),
            last: first,
            least: 0,
            widths: &[],
            packed: &[],
            width: 0,
            at: size,
            rest,
        })
    }

    fn next(&mut self) -> Walk<Option<u32>> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        if self.first.take().is_none() {
            if self.at == self.size {
                self.miniblock()?;
            }
            let difference = bits(self.packed, self.at * self.width, self.width);
            self.at += 1;
            self.last = self.last.wrapping_add(self.least).wrapping_add(difference as i32);
        }
        u32::try_from(self.last).map(Some).map_err(|_| Malformed)
    }

    /// Goes to the next miniblock.
    fn miniblock(&mut self) -> Walk<()> {
        if self.widths.is_empty() {
            let mut walk = Compact::new(self.rest);
            self.least = i32::try_from(walk.integer()?).map_err(|_| Malformed)?;
            let rest = self.rest.get(walk.at..).unwrap_or_default();
            (self.widths, self.rest) = rest.split_at_checked(self.parts).ok_or(Malformed)?;
        }
        let (&width, widths) = self.widths.split_first().ok_or(Malformed)?;
        if width > 32 {
            return Err(Malformed);
        }
        (self.widths, self.width, self.at) = (widths, usize::from(width), 0);
        (self.packed, self.rest) = self.rest.split_at_checked(self.width * self.size / 8).ok_or(Malformed)?;
        Ok(())
    }
}

/// Up to 32 bits from a place on, the lowest first.
fn bits(bytes: &[u8], place: usize, width: usize) -> u32 {
    let mut word = [0; 8];
    for (to, from) in word.iter_mut().zip(bytes.iter().skip(place / 8)) {
        *to = *from;
    }
    (u64::from_le_bytes(word) >> (place % 8) & ((1 << width) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 128 numbers in four miniblocks; this many numbers from 3 on, each one more than the last.
    fn counting(numbers: u8) -> Vec<u8> {
        // 128, 4, the numbers, 3 as 6; then for each block the least difference 1 as 2, and four widths 0.
        let mut bytes = vec![0x80, 0x01, 4, numbers, 6];
        bytes.extend([2, 0, 0, 0, 0].repeat(usize::from(numbers.saturating_sub(1)).div_ceil(128)));
        bytes
    }

    fn all(bytes: &[u8]) -> Walk<Vec<u32>> {
        let mut lengths = Lengths::new(bytes, 1000)?;
        let mut all = Vec::new();
        while let Some(length) = lengths.next()? {
            all.push(length);
        }
        Ok(all)
    }

    #[test]
    fn numbers_come_back() {
        for numbers in [0, 1, 2, 33, 127] {
            assert_eq!(all(&counting(numbers)).unwrap(), (3..3 + u32::from(numbers)).collect::<Vec<_>>());
        }
        // 7, 5, 3, 1, then 2: differences of −2 and three times 0, then 3, in two bits each.
        let mut bytes = vec![0x80, 0x01, 4, 5, 14, 3, 2, 0, 0, 0, 0b1100_0000];
        bytes.extend([0; 7]);
        assert_eq!(all(&bytes).unwrap(), [7, 5, 3, 1, 2]);
        // The rest of a miniblock must be there, too.
        bytes.pop();
        assert_eq!(all(&bytes), Err(Malformed));
    }

    #[test]
    fn claims_are_checked() {
        assert!(check_numbers(&counting(20), 20).is_ok());
        assert_eq!(check_numbers(&counting(20), 19), Err(Malformed));
        // Blocks of nothing, of no miniblock, of miniblocks of other than 32s.
        for wrong in [[0, 0, 4, 1, 6], [0x80, 0x01, 0, 1, 6], [0x80, 0x01, 8, 1, 6], [0x81, 0x01, 4, 1, 6]] {
            assert_eq!(check_numbers(&wrong, 20), Err(Malformed), "{wrong:?}");
        }
        // 3 and 4 and 5 bytes of text.
        let mut texts = counting(3);
        texts.extend([b'x'; 12]);
        assert!(check_texts(&texts, 3).is_ok());
        assert_eq!(check_texts(&texts[..texts.len() - 1], 3), Err(Malformed));
    }

    #[test]
    fn shared_beginnings_add_up() {
        // Three texts share nothing, 3 bytes and 6 bytes with the one before them.
        let mut bytes = vec![0x80, 0x01, 4, 3, 0, 6, 0, 0, 0, 0];
        bytes.extend(counting(3));
        bytes.extend([b'x'; 12]);
        // 3 own bytes; 3 shared and 4 own; 6 shared and 5 own.
        assert_eq!(check_shared_texts(&bytes, 3), Ok(3 + 7 + 11));
        // There is nothing before the first.
        let first_shares = [&counting(3)[..], &counting(3), &[b'x'; 12]].concat();
        assert_eq!(check_shared_texts(&first_shares, 3), Err(Malformed));
    }
}
