//! Copies of equal rows, numbered.
//!
//! A row of weight 2 is there twice, and draws and splits are between copies. Copies of equal rows are numbered whoever has them: each
//! worker tells the owner of a content (by the content itself) how many copies it has, and is told how many come before.

use manyboost_data::{Weights, agree};
use manyboost_kernel::Exchange;
use rayon::prelude::*;

/// The numbers of copies.
pub(crate) struct Copies {
    /// Copies of equal rows that come before those of each row.
    pub(crate) before: Vec<u64>,
    /// Rows of which no equal one comes before, here or elsewhere, with the units of all equal ones.
    pub(crate) firsts: Vec<(u32, u64)>,
}

/// Rows of a worker that are equal and weigh the same: what is in them, what one weighs, their copies and units.
type Equal = (u64, u32, u64, u64);

impl Copies {
    /// Of rows of these weights, of which there are so many units, with this in them.
    pub(crate) fn new(weights: &Weights, units: &[u32], contents: &[u64], exchange: &dyn Exchange) -> Self {
        let mut order: Vec<u32> = (0..contents.len() as u32).collect();
        // Equal rows of whole weights may change places; of other weights, the lightest comes first.
        let key = |&row: &u32| (contents[row as usize], weights.units()[row as usize]);
        order.par_sort_unstable_by_key(key);
        let mut copies = Self { before: vec![0; contents.len()], firsts: Vec::new() };
        let own = |row: u32| u64::from(units[row as usize] / weights.copy(row as usize));
        let all = |rows: &[u32]| rows.iter().map(|&row| u64::from(units[row as usize])).sum::<u64>();
        if exchange.alone() {
            for equal in order.chunk_by(|a, b| key(a).0 == key(b).0) {
                copies.number(equal, 0, &own);
                copies.firsts.push((equal[0], all(equal)));
            }
            return copies;
        }
        let equal: Vec<&[u32]> = order.chunk_by(|a, b| key(a) == key(b)).collect();
        let told = |rows: &&[u32]| -> Equal {
            let (content, weight) = key(&rows[0]);
            (content, weight, rows.iter().map(|&row| own(row)).sum(), all(rows))
        };
        let answers = ask(equal.iter().map(told), exchange);
        for (rows, (before, whole)) in equal.into_iter().zip(answers) {
            copies.number(rows, before, &own);
            copies.firsts.extend(whole.map(|units| (rows[0], units)));
        }
        copies
    }

    /// Numbers the copies of some equal rows.
    fn number(&mut self, rows: &[u32], mut before: u64, own: &impl Fn(u32) -> u64) {
        for &row in rows {
            self.before[row as usize] = before;
            before += own(row);
        }
    }
}

/// For each entry how many copies come before its own, and the units of all equal rows if it is their first one. Entries ascend.
fn ask(entries: impl Iterator<Item = Equal>, exchange: &dyn Exchange) -> Vec<(u64, Option<u64>)> {
    let workers = exchange.workers();
    let mut asked: Vec<Vec<Equal>> = vec![Vec::new(); workers];
    for entry in entries {
        // By the first bits, so that entries that ascend stay in their order.
        asked[((u128::from(entry.0) * workers as u128) >> 64) as usize].push(entry);
    }
    let asked: Vec<Vec<Equal>> = agree::deal(exchange, &asked);
    let mut answers: Vec<Vec<(u64, Option<u64>)>> =
        asked.iter().map(|entries| vec![(0, None); entries.len()]).collect();
    let places =
        asked.iter().enumerate().flat_map(|(rank, entries)| (0..entries.len()).map(move |at| (rank, at)));
    let mut places: Vec<(usize, usize)> = places.collect();
    let entry = |&(rank, at): &(usize, usize)| asked[rank][at];
    places.par_sort_unstable_by_key(|place| (entry(place).0, entry(place).1, *place));
    for equal in places.chunk_by(|a, b| entry(a).0 == entry(b).0) {
        let mut before = 0;
        for place in equal {
            answers[place.0][place.1].0 = before;
            before += entry(place).2;
        }
        let (rank, at) = equal[0];
        answers[rank][at].1 = Some(equal.iter().map(|place| entry(place).3).sum());
    }
    agree::deal(exchange, &answers).into_iter().flatten().collect()
}
