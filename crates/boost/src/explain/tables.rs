//! The numbers of leaves for many rows: a row comes in by its pattern only, so that what a leaf's numbers are for each pattern is
//! computed once, where there are fewer patterns than rows.
//!
//! Whether a leaf has a table depends on the number of rows, its numbers do not: they are computed by the same function.

use manyboost_kernel::sums::weighted::SIDES;
use rayon::prelude::*;

use super::leaf_sums::{LeafSums, Slots};
use super::patterns::{Bits, Patterns};
use super::{Laid, SlotsOf};

/// Most numbers of the table of a leaf.
const LEAF_NUMBERS: usize = 1 << 13;

/// Most numbers of all tables of a tree: a megabyte.
const TREE_NUMBERS: usize = 1 << 17;

/// What the numbers of a leaf are.
pub(super) trait Rule: Sync {
    /// Writes the numbers of a leaf for several patterns side by side: of rows that fit the features of its path which have their bit set.
    /// Higher bits are zero. What a pattern's numbers are does not depend on the others.
    fn numbers(&self, leaf: usize, patterns: &[u64; SIDES], out: &mut [[f64; SIDES]]);
}

/// Room that is used again.
pub(super) struct Room {
    few: Patterns<u16>,
    many: Patterns<u64>,
    found: Found,
}

/// The numbers of a leaf, and of all leaves line by line, of several rows.
struct Found {
    leaf: Vec<[f64; SIDES]>,
    lines: Vec<[f64; SIDES]>,
}

impl Room {
    pub(super) const fn new() -> Self {
        let found = Found { leaf: Vec::new(), lines: Vec::new() };
        Self { few: Patterns::new(), many: Patterns::new(), found }
    }
}

/// A leaf among those of some trees.
struct Leaf {
    tree: usize,
    /// Its number in its tree.
    number: usize,
    /// The bits of its features.
    whole: u64,
    /// Where its numbers begin, and how many it has.
    start: usize,
    size: usize,
    /// Its numbers for each pattern, if they are kept.
    table: Option<Vec<f64>>,
}

/// Some trees that are ready for rows.
pub(super) struct Tables<'a, R> {
    trees: Vec<(&'a Laid<'a>, R)>,
    sums: LeafSums,
    leaves: Vec<Leaf>,
}

impl<'a, R: Rule + Send> Tables<'a, R> {
    /// For so many rows; there are `width` scores.
    pub(super) fn new(
        trees: Vec<(&'a Laid<'a>, R)>,
        slots_of: &SlotsOf<'_>,
        width: usize,
        rows: usize,
    ) -> Self {
        let (mut leaves, mut slots, mut start) = (Vec::new(), Vec::new(), 0);
        for (tree, (Laid { paths, updates, .. }, _)) in trees.iter().enumerate() {
            let mut kept = 0;
            for number in 0..paths.leaves() {
                let (features, own) = (paths.features(number).len(), slots_of(paths, number));
                let size = own.len();
                let patterns = 1usize.checked_shl(features as u32).unwrap_or(usize::MAX);
                let numbers = patterns.saturating_mul(size);
                let fits = patterns <= rows && numbers <= LEAF_NUMBERS && kept + numbers <= TREE_NUMBERS;
                kept += if fits { numbers } else { 0 };
                let table = fits.then(|| Vec::with_capacity(numbers));
                leaves.push(Leaf { tree, number, whole: whole(features), start, size, table });
                slots.push(Slots { updates, leaf: number, of: own });
                start += size;
            }
        }
        let sums = LeafSums::new(slots.into_iter(), width);
        leaves.par_iter_mut().for_each_init(Vec::new, |found, leaf| {
            let Leaf { tree, number, whole, size, table: Some(table), .. } = leaf else { return };
            found.resize(*size, [0.0; SIDES]);
            for first in (0..=*whole).step_by(SIDES) {
                let patterns = std::array::from_fn(|side| (first + side as u64).min(*whole));
                trees[*tree].1.numbers(*number, &patterns, found);
                let sides = SIDES.min((*whole - first) as usize + 1);
                (0..sides).for_each(|side| table.extend(found.iter().map(|found| found[side])));
            }
        });
        Self { trees, sums, leaves }
    }

    /// Adds what the trees say of rows, given their values column by column.
    pub(super) fn add(&self, columns: &[f64], rows: usize, room: &mut Room, out: &mut [f64]) {
        let Room { few, many, found } = room;
        if self.trees.iter().all(|(tree, _)| tree.paths.longest() <= u16::BITS as usize) {
            self.add_by(few, columns, rows, found, out);
        } else {
            self.add_by(many, columns, rows, found, out);
        }
    }

    fn add_by<B: Bits>(
        &self,
        patterns: &mut Patterns<B>,
        columns: &[f64],
        rows: usize,
        found: &mut Found,
        out: &mut [f64],
    ) {
        patterns.begin(rows);
        self.trees.iter().for_each(|(tree, _)| patterns.find(&tree.paths, columns));
        found.lines.resize(self.sums.lines().len(), [0.0; SIDES]);
        let stride = out.len() / rows;
        for (tile, out) in out.chunks_mut(SIDES * stride).enumerate() {
            for (at, leaf) in self.leaves.iter().enumerate() {
                // Where fewer rows are left, the last stands in for others.
                let row = |side: usize| (tile * SIDES + side).min(rows - 1);
                let own = std::array::from_fn(|side| patterns.of(row(side), at) & leaf.whole);
                self.look_up(leaf, &own, found);
            }
            self.sums.add(&found.lines, stride, out);
        }
    }

    /// Writes the numbers of a leaf for several patterns into their lines.
    #[inline]
    fn look_up(&self, leaf: &Leaf, patterns: &[u64; SIDES], found: &mut Found) {
        let lines = &self.sums.lines()[leaf.start..][..leaf.size];
        let Some(table) = &leaf.table else {
            found.leaf.resize(leaf.size, [0.0; SIDES]);
            self.trees[leaf.tree].1.numbers(leaf.number, patterns, &mut found.leaf);
            lines.iter().zip(&found.leaf).for_each(|(line, own)| found.lines[*line as usize] = *own);
            return;
        };
        let own = patterns.map(|pattern| &table[pattern as usize * leaf.size..][..leaf.size]);
        for (at, line) in lines.iter().enumerate() {
            found.lines[*line as usize] = own.map(|own| own[at]);
        }
    }
}

/// As many bits as there are features.
pub(super) fn whole(features: usize) -> u64 {
    if features == 0 { 0 } else { u64::MAX >> (64 - features) }
}
