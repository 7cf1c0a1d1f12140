//! Cases from a seed: random bytes, or files that are right but for a few places.

use manyboost_kernel::Seed;

use crate::Target;

/// The seed of the models that changed models begin as.
pub(crate) const MODELS: u64 = 21;

/// Numbers that break things, as eight bytes.
const NUMBERS: [u64; 8] = [
    0,
    u64::MAX,
    i64::MAX as u64,
    0x7ff0_0000_0000_0000, // infinity
    0x7fef_ffff_ffff_ffff, // the largest number
    0x7ff8_0000_0000_0000, // not a number
    1,
    0x8000_0000,
];

/// Letters that mean something in one of the formats.
const LETTERS: &[u8] = b",;:\t\n\r\"'{}?%@#. -+eE019aN\\\0\x7f\x80\xff";

impl Target {
    /// The case of a number, from a seed; `files` are those to begin with.
    pub fn case(&self, seed: u64, number: u64, files: &[Vec<u8>]) -> Vec<u8> {
        let mut random = Random(Seed::new(seed).part(number), 0);
        if files.is_empty() {
            let length = self.most_bytes as u64;
            return (0..length).map(|_| random.below(256) as u8).collect();
        }
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..=random.below(6) {
            change(&mut bytes, files, &mut random);
        }
        bytes.truncate(self.most_bytes.max(files.iter().map(Vec::len).max().unwrap_or(0)));
        bytes
    }
}

/// Numbers from a seed, one after the other.
struct Random(Seed, u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.1 += 1;
        self.0.part(self.1).below(n.max(1) as u64) as usize
    }
}

/// Changes one place.
fn change(bytes: &mut Vec<u8>, files: &[Vec<u8>], random: &mut Random) {
    let at = random.below(bytes.len());
    let length = (1 + random.below(16)).min(bytes.len() - at);
    match random.below(8) {
        _ if bytes.is_empty() => bytes.push(random.below(256) as u8),
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.below(256) as u8,
        2 => bytes[at] = LETTERS[random.below(LETTERS.len())],
        3 => {
            let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
            bytes[at..].iter_mut().zip(number).for_each(|(byte, new)| *byte = new);
        }
        4 => drop(bytes.drain(at..at + length)),
        5 => {
            let copy = bytes[at..at + length].to_vec();
            bytes.splice(at..at, copy);
        }
        6 => bytes.insert(at, LETTERS[random.below(LETTERS.len())]),
        _ => {
            let other = &files[random.below(files.len())];
            let from = random.below(other.len());
            let part = other.iter().skip(from).take(length).copied().collect::<Vec<u8>>();
            bytes.splice(at..at + length, part);
        }
    }
}
