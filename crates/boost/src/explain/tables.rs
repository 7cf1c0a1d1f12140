//! The numbers of leaves for many rows: a row comes in by its pattern only, so that what a leaf's numbers are for each pattern is
//! computed once, where there are fewer patterns than rows.
//!
//! Whether a leaf has a table depends on the number of rows, its numbers do not: they are computed by the same function.

use super::leaf_sums::LeafSums;
use super::paths::Paths;
use super::patterns::{Bits, Patterns};

/// Most numbers of the table of a leaf.
const LEAF_NUMBERS: usize = 1 << 13;

/// Most numbers of all tables of a tree: a megabyte.
const TREE_NUMBERS: usize = 1 << 17;

/// What the numbers of a leaf are.
pub(super) trait Rule: Sync {
    /// Writes the numbers of a leaf for rows that fit the features of its path which have their bit set. Higher bits are zero.
    fn numbers(&self, leaf: usize, pattern: u64, out: &mut [f64]);
}

/// Room that is used again.
pub(super) struct Room {
    few: Patterns<u16>,
    many: Patterns<u64>,
    found: Vec<f64>,
}

impl Room {
    pub(super) const fn new() -> Self {
        Self { few: Patterns::new(), many: Patterns::new(), found: Vec::new() }
    }
}

/// A leaf among those of its tree.
struct Leaf {
    /// The bits of its features.
    whole: u64,
    /// Where its numbers begin, and how many it has.
    start: usize,
    size: usize,
    /// Where its table begins, if it has one.
    table: Option<usize>,
}

/// A tree that is ready for rows.
pub(super) struct Tables<'a, R> {
    paths: &'a Paths<'a>,
    sums: &'a LeafSums,
    rule: R,
    leaves: Vec<Leaf>,
    numbers: Vec<f64>,
}

impl<'a, R: Rule> Tables<'a, R> {
    /// For so many rows. `size` says how many numbers a leaf has whose path has so many features.
    pub(super) fn new(
        paths: &'a Paths<'a>,
        sums: &'a LeafSums,
        rule: R,
        size: impl Fn(usize) -> usize,
        rows: usize,
    ) -> Self {
        let (mut start, mut end) = (0, 0);
        let leaf = |leaf: usize| {
            let features = paths.features(leaf).len();
            let size = size(features);
            let patterns = 1usize.checked_shl(features as u32).unwrap_or(usize::MAX);
            let numbers = patterns.saturating_mul(size);
            let fits = patterns <= rows && numbers <= LEAF_NUMBERS && end + numbers <= TREE_NUMBERS;
            let table = fits.then_some(end);
            end += if fits { numbers } else { 0 };
            start += size;
            Leaf { whole: whole(features), start: start - size, size, table }
        };
        let leaves: Vec<Leaf> = (0..paths.leaves()).map(leaf).collect();
        let mut numbers = vec![0.0; end];
        for (number, leaf) in leaves.iter().enumerate() {
            let (Some(table), true) = (leaf.table, leaf.size > 0) else { continue };
            let own = numbers[table..].chunks_exact_mut(leaf.size);
            own.zip(0..=leaf.whole).for_each(|(out, pattern)| rule.numbers(number, pattern, out));
        }
        Self { paths, sums, rule, leaves, numbers }
    }

    /// Adds what the tree says of rows, given their values column by column.
    pub(super) fn add(&self, columns: &[f64], rows: usize, width: usize, room: &mut Room, out: &mut [f64]) {
        let Room { few, many, found } = room;
        if self.paths.longest() <= u16::BITS as usize {
            self.add_by(few, columns, rows, width, found, out);
        } else {
            self.add_by(many, columns, rows, width, found, out);
        }
    }

    fn add_by<B: Bits>(
        &self,
        patterns: &mut Patterns<B>,
        columns: &[f64],
        rows: usize,
        width: usize,
        found: &mut Vec<f64>,
        out: &mut [f64],
    ) {
        patterns.find(self.paths, columns, rows);
        found.resize(self.sums.coefficients(), 0.0);
        for (row, out) in out.chunks_exact_mut(out.len() / rows).enumerate() {
            for (number, leaf) in self.leaves.iter().enumerate() {
                let pattern = patterns.of(row, number) & leaf.whole;
                let found = &mut found[leaf.start..leaf.start + leaf.size];
                match leaf.table {
                    Some(table) => {
                        let own = &self.numbers[table + pattern as usize * leaf.size..][..leaf.size];
                        found.iter_mut().zip(own).for_each(|(found, number)| *found = *number);
                    }
                    None => self.rule.numbers(number, pattern, found),
                }
            }
            self.sums.add(found, width, out);
        }
    }
}

/// As many bits as there are features.
pub(super) fn whole(features: usize) -> u64 {
    if features == 0 { 0 } else { u64::MAX >> (64 - features) }
}
