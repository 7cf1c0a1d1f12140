//! From coefficients of leaves to what parts add to scores: the only place where classes come in.

use manyboost_kernel::sums::weighted::{SIDES, add_weighted};

use crate::model::answers::ScoreUpdate;

/// A leaf, and the slot that each of its coefficients is summed in.
pub(super) struct Slots<'a> {
    pub(super) updates: &'a ScoreUpdate,
    pub(super) leaf: usize,
    pub(super) of: Vec<usize>,
}

/// What the leaves of some trees add to scores, laid out to be summed by the slots that their features belong to: coefficients are given
/// in lines, those that are summed in one place beside each other.
#[derive(Clone, Debug)]
pub(super) struct LeafSums {
    /// The line of each coefficient.
    lines: Vec<u32>,
    /// Of leaves that add to all scores.
    whole: Sums,
    /// Of leaves that add to one.
    single: Sums,
}

/// Lines that weigh rows of as many numbers.
#[derive(Clone, Debug)]
struct Sums {
    width: usize,
    /// Where sums go, and where their lines end.
    groups: Vec<(usize, usize)>,
    /// The row of numbers of each line.
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Sums {
    /// Adds a row of numbers and gives its number.
    fn row(&mut self, values: &[f64]) -> u32 {
        let row = self.values.len() / self.width.max(1);
        self.values.extend(values);
        self.values.resize((row + 1) * self.width, 0.0);
        row as u32
    }

    /// Adds lines for coefficients, given with the places of their sums and their rows; `lines` learns where they are.
    fn lay_out(&mut self, mut entries: Vec<(usize, usize, u32)>, from: usize, lines: &mut [u32]) {
        entries.sort_unstable();
        for (line, &(place, coefficient, row)) in entries.iter().enumerate() {
            lines[coefficient] = (from + line) as u32;
            self.rows.push(row);
            match self.groups.last_mut() {
                Some(group) if group.0 == place => group.1 = line + 1,
                _ => self.groups.push((place, line + 1)),
            }
        }
    }
}

impl LeafSums {
    /// Of leaves, whose coefficients are numbered one after the other; there are `width` scores.
    pub(super) fn new<'a>(leaves: impl Iterator<Item = Slots<'a>>, width: usize) -> Self {
        let sums = |width| Sums { width, groups: Vec::new(), rows: Vec::new(), values: Vec::new() };
        let (mut whole, mut single) = (sums(width), sums(1));
        let (mut of_whole, mut of_single, mut count) = (Vec::new(), Vec::new(), 0);
        for Slots { updates, leaf, of: slots } in leaves {
            let (entries, row, score) = match updates {
                ScoreUpdate::All { width, values } => {
                    (&mut of_whole, whole.row(&values[leaf * width..][..*width]), 0)
                }
                ScoreUpdate::One { labels, value } => {
                    (&mut of_single, single.row(&[*value]), labels[leaf] as usize)
                }
                ScoreUpdate::At { at, values } => (&mut of_single, single.row(&values[leaf..=leaf]), *at),
                // Models with elections are refused before.
                ScoreUpdate::Election(_) => (&mut of_single, single.row(&[0.0]), 0),
            };
            entries.extend(slots.iter().zip(count..).map(|(slot, at)| (slot * width + score, at, row)));
            count += slots.len();
        }
        let mut lines = vec![0; count];
        let wholes = of_whole.len();
        whole.lay_out(of_whole, 0, &mut lines);
        single.lay_out(of_single, wholes, &mut lines);
        Self { lines, whole, single }
    }

    /// The line of each coefficient.
    pub(super) fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// Adds to rows of so many numbers what coefficients come to, given line by line for at most [`SIDES`] rows.
    pub(super) fn add(&self, coefficients: &[[f64; SIDES]], stride: usize, out: &mut [f64]) {
        let (whole, single) = coefficients.split_at(self.whole.rows.len());
        for (sums, own) in [(&self.whole, whole), (&self.single, single)] {
            add_weighted(&sums.groups, &sums.rows, own, &sums.values, sums.width, stride, out);
        }
    }
}
