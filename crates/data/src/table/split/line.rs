//! Places in one line of the copies of all workers.
//!
//! Copies stand by what is in their rows. Each worker tells the owner of a content (by the content itself: owners have runs of the
//! line, one after the other) how many copies it has, and is told how many come before.

use manyboost_kernel::Exchange;
use rayon::prelude::*;

use crate::agree::{deal, gather};

/// Copies of a worker that may change places: what is in them, what one weighs, and how many they are.
pub(super) type Alike = (u64, u32, u64);

/// How many copies of all workers come before some of this worker's, which ascend; and how many there are.
pub(super) fn number(own: &[Alike], exchange: &dyn Exchange) -> (Vec<u64>, u64) {
    let workers = exchange.workers();
    let mut asked: Vec<Vec<Alike>> = vec![Vec::new(); workers];
    for alike in own {
        asked[((u128::from(alike.0) * workers as u128) >> 64) as usize].push(*alike);
    }
    let asked: Vec<Vec<Alike>> = deal(exchange, &asked);
    let copies = |alike: &Alike| alike.2;
    let counts: Vec<u64> = gather(exchange, &asked.iter().flatten().map(copies).sum::<u64>());
    let places = asked.iter().enumerate().flat_map(|(rank, all)| (0..all.len()).map(move |at| (rank, at)));
    let mut places: Vec<(usize, usize)> = places.collect();
    let alike = |&(rank, at): &(usize, usize)| asked[rank][at];
    places.par_sort_unstable_by_key(|place| (alike(place).0, alike(place).1, *place));
    let mut answers: Vec<Vec<u64>> = asked.iter().map(|all| vec![0; all.len()]).collect();
    let mut before = counts[..exchange.rank()].iter().sum::<u64>();
    for (rank, at) in places {
        answers[rank][at] = before;
        before += asked[rank][at].2;
    }
    (deal(exchange, &answers).into_iter().flatten().collect(), counts.iter().sum())
}
