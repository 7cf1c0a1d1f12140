//! Which rows a hypothesis sees, and how often.
//!
//! What is drawn are copies: a row of weight 2 is there twice. Whether a copy is drawn depends on what is in its row, on its number
//! among equal ones and on the seed, never on where the row is: the order of rows does not matter, nor whether they are
//! repeated or weighted. Of equal copies every so manieth is drawn, from a random one on: each with the same probability, and those of a
//! row of any weight are counted in one step.
//!
//! Copies are numbered among the rows of all workers (see `copies.rs`).

use manyboost_data::{Dataset, Weights, contents};
use manyboost_kernel::{Exchange, Seed, Totals};
use rayon::prelude::*;

use crate::engine::copies::Copies;

/// Bits of a share.
const BITS: u32 = 32;

/// Rows that a thread looks at.
const SOME: usize = 4096;

/// What draws depend on.
pub(crate) struct Draws<'a> {
    weights: &'a Weights,
    /// What is in each row.
    contents: Vec<u64>,
    /// Copies of equal rows that come before those of each row.
    before: Vec<u64>,
    /// Rows of which no equal one comes before, with the units of all equal ones.
    firsts: Vec<(u32, u64)>,
}

/// Copies that were drawn.
pub(crate) struct Drawn {
    /// The rows that have any, ascending.
    pub(crate) rows: Vec<u32>,
    /// The units of those of each row.
    pub(crate) units: Vec<u32>,
    /// Whether some row has a part of its copies.
    pub(crate) partly: bool,
}

impl<'a> Draws<'a> {
    /// From the rows of a data set, of which a run may have some copies only.
    pub(crate) fn new(data: &'a Dataset, totals: &Totals<'_>) -> Self {
        Self::of(&data.weights, totals.weights().units, contents(data), totals.exchange())
    }

    /// From the weights of rows, the units of them that a run has, and what is in them.
    pub(crate) fn of(
        weights: &'a Weights,
        units: &[u32],
        contents: Vec<u64>,
        exchange: &dyn Exchange,
    ) -> Self {
        let Copies { before, firsts } = Copies::new(weights, units, &contents, exchange);
        Self { weights, contents, before, firsts }
    }

    /// How often a row is there.
    fn copies(&self, row: usize, totals: &Totals<'_>) -> u64 {
        u64::from(totals.weights().units[row] / self.weights.copy(row))
    }

    /// A share of the copies of the rows that count, which are all unless a list is given. There is always one.
    pub(crate) fn share(
        &self,
        counted: Option<&[u32]>,
        share: f64,
        totals: &Totals<'_>,
        seed: Seed,
    ) -> Drawn {
        let counts = counted.map(|rows| self.marked(rows));
        let there = |row: usize| counts.as_ref().is_none_or(|counts| counts[row]);
        let step = (share * (1u64 << BITS) as f64).round() as u128;
        let mut units: Vec<u32> = vec![0; self.contents.len()];
        units.par_iter_mut().enumerate().with_min_len(SOME).filter(|&(row, _)| there(row)).for_each(
            |(row, units)| {
                let late = (1 << BITS) - 1 - u128::from(self.late(row, seed));
                let drawn = |copies: u64| ((u128::from(copies) * step + late) >> BITS) as u64;
                let end = self.before[row] + self.copies(row, totals);
                *units = (drawn(end) - drawn(self.before[row])) as u32 * self.weights.copy(row);
            },
        );
        let mut any = [i64::from(units.iter().any(|&units| units > 0))];
        totals.exchange().max(&mut any);
        if any == [0] {
            self.draw_one(&there, &mut units, totals, seed);
        }
        let whole = totals.weights().units;
        let rows: Vec<u32> = (0..units.len() as u32).filter(|&row| units[row as usize] > 0).collect();
        let partly = rows.iter().any(|&row| units[row as usize] != whole[row as usize]);
        Drawn { rows, units, partly }
    }

    /// Draws the copy that would have been drawn first.
    fn draw_one(&self, there: &dyn Fn(usize) -> bool, units: &mut [u32], totals: &Totals<'_>, seed: Seed) {
        let late = |row: usize| {
            let counts = there(row) && self.before[row] == 0 && self.copies(row, totals) > 0;
            if counts { -i64::from(self.late(row, seed)) } else { i64::MIN }
        };
        let mut first = [(0..units.len()).map(late).max().unwrap_or(i64::MIN)];
        totals.exchange().max(&mut first);
        for row in (0..units.len()).filter(|&row| late(row) > i64::MIN && late(row) == first[0]) {
            units[row] = self.weights.copy(row);
        }
    }

    /// How many copies there are of some rows of all workers.
    pub(crate) fn count(&self, rows: &[u32], totals: &Totals<'_>) -> f64 {
        let copies = |&row: &u32| self.copies(row as usize, totals) as i64;
        let mut count = [rows.iter().map(copies).sum::<i64>()];
        totals.exchange().sum(&mut count);
        count[0] as f64
    }

    /// How often equal rows are drawn together, which the first of them has: a function of the units of all of them, of one of
    /// them, and of a random number.
    pub(crate) fn together(
        &self,
        totals: &Totals<'_>,
        seed: Seed,
        often: impl Fn(f64, usize, Seed) -> f64,
    ) -> Vec<u32> {
        let mut counts = vec![0; totals.weights().units.len()];
        for &(first, units) in &self.firsts {
            let first = first as usize;
            counts[first] = often(units as f64, first, seed.part(self.contents[first])) as u32;
        }
        counts
    }

    /// When the first copy of a row would be drawn.
    #[inline]
    fn late(&self, row: usize, seed: Seed) -> u32 {
        (seed.part(self.contents[row]).bits() >> (64 - BITS)) as u32
    }

    fn marked(&self, rows: &[u32]) -> Vec<bool> {
        let mut marked = vec![false; self.contents.len()];
        for &row in rows {
            marked[row as usize] = true;
        }
        marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manyboost_kernel::{Alone, RowWeights};

    fn share(weights: &Weights, contents: Vec<u64>, counted: Option<&[u32]>, share: f64) -> Drawn {
        let totals = Totals::new(RowWeights { units: weights.units(), step: 1.0 }, &Alone);
        Draws::of(weights, weights.units(), contents, &Alone).share(counted, share, &totals, Seed::new(3))
    }

    #[test]
    fn about_the_share_is_drawn_and_other_rows_by_another_seed() {
        let ones = Weights::ones(20_000);
        for part in [0.01, 0.3, 0.9] {
            let drawn = share(&ones, (0..20_000).collect(), None, part);
            assert!((drawn.rows.len() as f64 / 20_000.0 - part).abs() < 0.02, "{part}: {}", drawn.rows.len());
            assert!(!drawn.partly && drawn.rows.iter().all(|&row| drawn.units[row as usize] == 1));
        }
        let totals = Totals::new(RowWeights { units: ones.units(), step: 1.0 }, &Alone);
        let draws = Draws::of(&ones, ones.units(), (0..20_000).collect(), &Alone);
        let rows = |seed| draws.share(None, 0.5, &totals, Seed::new(seed)).rows;
        assert!(rows(1) == rows(1) && rows(1) != rows(2));
    }

    #[test]
    fn copies_of_a_row_are_drawn_evenly() {
        let (heavy, _) = Weights::from_values(&[100.0, 7.0, 1.0, 4e6]).unwrap();
        let drawn = share(&heavy, vec![1, 2, 3, 4], None, 0.3);
        assert!(drawn.partly && drawn.units[0] == 30 && (2..=3).contains(&drawn.units[1]));
        assert!(drawn.units[2] <= 1 && drawn.units[3].abs_diff(1_200_000) <= 1);
        // As many as of rows that are there once each, in any order.
        let contents: Vec<u64> = [vec![1; 50], vec![2; 7], vec![1; 50]].concat();
        let (apart, _) = Weights::from_values(&vec![1.0; 107]).unwrap();
        let once = share(&apart, contents.clone(), None, 0.3);
        let of =
            |content: u64| once.rows.iter().filter(|&&row| contents[row as usize] == content).count() as u32;
        assert_eq!((of(1), of(2)), (30, drawn.units[1]));
    }

    #[test]
    fn rows_of_other_weights_are_drawn_whole() {
        let values: Vec<f64> = (0..1000).map(|row| 0.3 + f64::from(row % 10)).collect();
        let (weights, _) = Weights::from_values(&values).unwrap();
        let drawn = share(&weights, (0..1000).map(|row| row % 500).collect(), None, 0.4);
        assert!(!drawn.partly && (350..450).contains(&drawn.rows.len()), "{}", drawn.rows.len());
    }

    #[test]
    fn there_is_always_one_and_only_of_rows_that_count() {
        let ones = Weights::ones(50);
        let few: Vec<u32> = (10..20).collect();
        let drawn = share(&ones, (0..50).map(|row| row * 7 % 50).collect(), Some(&few), 1e-6);
        assert_eq!(drawn.rows.len(), 1);
        assert!(few.contains(&drawn.rows[0]));
        let drawn = share(&ones, (0..50).collect(), Some(&few), 0.99);
        assert!(drawn.rows.len() > 5 && drawn.rows.iter().all(|row| few.contains(row)));
    }
}
