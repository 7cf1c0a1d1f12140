//! Growing one tree.
//!
//! What a cut does to a region does not depend on when it is made, so threads cut regions in any order that keeps them busy,
//! without waiting for one another; the [`Order`] decides which of the cuts are in the tree. It is the same tree for any
//! number of threads, and one thread makes no cut for nothing. Several workers cut some regions at a time, all the same ones.

mod crew;
mod order;
mod pace;
mod region;
mod rehearsal;
#[cfg(test)]
mod tests;

use std::ops::Range;

use manyboost_kernel::{Bins, Cut, Search, Searchable, Seed};

use self::crew::{Crew, Hands};
pub(crate) use self::pace::Pace;
use self::region::Ground;
pub use self::rehearsal::{Rehearsal, rehearse};
use super::tree_parameters::TreeParameters;
use crate::model::tree::Child;

/// A tree over codes, before thresholds and answers.
#[derive(Debug)]
pub(super) struct Grown {
    /// Each cut with where its sides lead; parents before children.
    pub cuts: Vec<(Cut, [Child; 2])>,
    /// The rows, leaf by leaf; those of a leaf ascend.
    pub rows: Vec<u32>,
    /// The part of `rows` in each leaf.
    pub leaves: Vec<Range<usize>>,
    /// The sums of each leaf, in units, leaf after leaf.
    pub sums: Vec<i64>,
    /// The leaves that answer for themselves, where sides of a cut would otherwise answer together.
    pub settled: Vec<bool>,
}

/// Grows a tree on some rows. `pace` is for several workers, from tree to tree.
pub(super) fn grow<S: Searchable>(
    search: &Search<'_, S>,
    bins: &Bins,
    mut rows: Vec<u32>,
    parameters: &TreeParameters,
    seed: Seed,
    pace: &mut Pace,
) -> Grown {
    let mut spare = vec![0; rows.len()];
    let ground = Ground { search, bins, depth: parameters.depth };
    let hands =
        if search.alone() { Hands::Threads(rayon::current_num_threads()) } else { Hands::Workers(pace) };
    let crew = Crew::plant(ground, parameters, (&mut rows, &mut spare), seed, hands);
    crew.grow();
    let made = (!search.alone()).then(|| crew.made());
    let settled = crew.settle();
    made.into_iter().for_each(|made| pace.learn(made));
    finish(settled, rows)
}

/// A region of the tree, when it has grown.
struct Settled {
    rows: Range<usize>,
    /// Its sums, in units.
    total: Vec<i64>,
    /// Its cut, if one was made, and its sides.
    cut: Option<(Cut, [usize; 2])>,
    /// Whether the tree took it.
    taken: bool,
}

/// Numbers cuts and leaves from the root down, left before right.
fn finish(mut regions: Vec<Settled>, rows: Vec<u32>) -> Grown {
    let mut grown =
        Grown { cuts: Vec::new(), rows, leaves: Vec::new(), sums: Vec::new(), settled: Vec::new() };
    let mut stack: Vec<(usize, Option<(usize, usize)>)> = vec![(0, None)];
    while let Some((region, hook)) = stack.pop() {
        let Settled { rows, total, cut, taken } = &mut regions[region];
        let child = match cut.take() {
            Some((cut, [left, right])) if *taken => {
                let number = grown.cuts.len();
                grown.cuts.push((cut, [Child::Leaf(0); 2]));
                stack.push((right, Some((number, 1))));
                stack.push((left, Some((number, 0))));
                Child::Node(number as u32)
            }
            untaken => {
                if untaken.is_some() {
                    // Cut in vain: its rows shall ascend again.
                    merge_sides(&mut grown.rows[rows.clone()]);
                }
                grown.leaves.push(rows.clone());
                grown.sums.append(total);
                grown.settled.push(*taken);
                Child::Leaf(grown.leaves.len() as u32 - 1)
            }
        };
        if let Some((parent, side)) = hook {
            grown.cuts[parent].1[side] = child;
        }
    }
    grown
}

#[expect(clippy::stable_sort_primitive, reason = "rows in a few ascending runs: a stable sort merges them")]
fn merge_sides(rows: &mut [u32]) {
    rows.sort();
}
