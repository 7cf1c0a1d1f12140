//! Rows that a training does without, so that they can tell how it fares on others.
//!
//! Which rows these are depends on what is in them alone, so that the order of rows does not matter. Of rows that are equal, answers
//! and all, each copy is dealt to another part: a row of weight 3 is the row three times, and may lie in three parts.

use manyboost_data::{Dataset, Weights, contents, row_hashes};
use manyboost_kernel::{Exchange, Seed};
use rayon::prelude::*;

use crate::engine::copies::Copies;
use crate::engine::train::{RunContext, totals};

/// Rows in two parts, each by the weights of all rows: those of the other part have none.
pub(crate) struct HoldOut {
    pub(crate) aside: Weights,
    pub(crate) rest: Weights,
}

impl HoldOut {
    /// Whether so many rows are left in both parts.
    pub(crate) fn has(&self, RunContext { weights, exchange, .. }: RunContext<'_>, rows: f64) -> bool {
        let enough = |part: &Weights| totals(part, exchange).weight() >= rows * weights.one_row();
        enough(&self.aside) && enough(&self.rest)
    }
}

/// How rows are dealt out.
pub(crate) struct Dealt<'a> {
    weights: &'a Weights,
    seed: Seed,
    /// A number for what is in each row.
    hashes: Vec<u64>,
    /// How many copies of each row come before its own.
    before: Vec<u64>,
}

impl<'a> Dealt<'a> {
    /// Looks at the rows.
    pub(crate) fn new(data: &Dataset, weights: &'a Weights, seed: u64, exchange: &dyn Exchange) -> Self {
        let hashes = row_hashes(&data.bins);
        let Copies { before, .. } = Copies::new(weights, weights.units(), &contents(data), exchange);
        Self { weights, seed: Seed::new(seed), hashes, before }
    }

    /// One part of so many kept aside.
    pub(crate) fn part(&self, parts: u64, part: u64) -> HoldOut {
        let aside = |row: usize| {
            let copies = u64::from(self.weights.copies(row));
            // Copy i of equal rows is dealt to part (first + i) mod parts.
            let first = self.seed.part(self.hashes[row]).below(parts) + self.before[row] % parts;
            let ahead = (part + 2 * parts - first) % parts;
            (copies + parts - 1 - ahead) / parts * u64::from(self.weights.copy(row))
        };
        let aside: Vec<u32> = (0..self.hashes.len()).into_par_iter().map(|row| aside(row) as u32).collect();
        let rest = self.weights.units().iter().zip(&aside).map(|(all, aside)| all - aside).collect();
        HoldOut { aside: self.weights.with_units(aside), rest: self.weights.with_units(rest) }
    }
}

#[cfg(test)]
mod tests {
    use manyboost_data::generate::gaussians::gaussians;
    use manyboost_data::{PrepareOptions, prepare};

    use super::*;

    #[test]
    fn copies_are_dealt_out_in_turn() {
        let rows: Vec<u32> = (0..30).chain(std::iter::repeat_n(3, 70)).collect();
        let prepared = prepare(gaussians(30, 1).select(&rows), &PrepareOptions::default()).unwrap();
        let Dataset { weights, .. } = &prepared.dataset;
        let dealt = Dealt::new(&prepared.dataset, weights, 1, &manyboost_kernel::Alone);
        let mut seen = vec![0; 100];
        for part in 0..5 {
            let HoldOut { aside, rest } = dealt.part(5, part);
            for (row, seen) in seen.iter_mut().enumerate() {
                assert_eq!(aside.units()[row] + rest.units()[row], weights.units()[row]);
                *seen += aside.units()[row];
            }
            // Of the 71 that are equal each part has its share.
            let equal: u32 = (30..100).chain([3]).map(|row| aside.units()[row]).sum();
            assert!((14..=15).contains(&equal), "{equal}");
        }
        assert_eq!(seen, weights.units());
    }
}
