//! Growing one tree: which region is cut next, and where its rows go.
//!
//! Best-first and depth-wise growth differ only in the order of the queue. What a cut does to a region does not depend
//! on when it is made, so regions that are likely to be next are cut ahead of time, one on each thread; the queue
//! then decides as if they had been cut one by one. The tree is the same for any number of threads.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::Range;

use manyboost_kernel::{Bins, Cut, Histogram, Search, Searchable, Seed, partition};
use rayon::prelude::*;

use super::tree_parameters::{Growth, TreeParameters};
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

/// A region of rows.
struct Region<S> {
    rows: Range<usize>,
    depth: usize,
    total: Vec<S>,
    histogram: Histogram<S>,
    seed: Seed,
    /// What the best that can be done with the region gains: to cut it or, without a cut, to let it answer for itself.
    gain: Option<f64>,
    cut: Option<Cut>,
    /// Its sides, once it has been cut (perhaps ahead of time).
    children: Option<[usize; 2]>,
    /// Whether it was done.
    taken: bool,
}

/// A region in the queue.
#[derive(Clone, Copy, PartialEq)]
struct Queued {
    region: usize,
    depth: usize,
    gain: f64,
    /// When it joined the tree: breaks ties.
    place: usize,
    growth: Growth,
}

impl Eq for Queued {}

impl Ord for Queued {
    /// The largest is cut first.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_gain = self.gain.total_cmp(&other.gain).then(other.place.cmp(&self.place));
        match self.growth {
            Growth::BestFirst => by_gain,
            Growth::DepthWise => other.depth.cmp(&self.depth).then(by_gain),
        }
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Grows a tree on some rows.
pub(super) fn grow<S: Searchable>(
    search: &Search<'_, S>,
    bins: &Bins,
    rows: Vec<u32>,
    parameters: &TreeParameters,
    seed: Seed,
) -> Grown {
    let mut grower =
        Grower { search, bins, spare: vec![0; rows.len()], rows, regions: Vec::new(), parameters, places: 0 };
    grower.plant(seed);
    grower.run();
    grower.finish()
}

struct Grower<'a, S> {
    search: &'a Search<'a, S>,
    bins: &'a Bins,
    rows: Vec<u32>,
    spare: Vec<u32>,
    regions: Vec<Region<S>>,
    parameters: &'a TreeParameters,
    places: usize,
}

impl<S: Searchable> Grower<'_, S> {
    /// The first region: all rows.
    fn plant(&mut self, seed: Seed) {
        let histogram = self.search.histogram(&self.rows);
        let total = self.search.total_of(&histogram).unwrap_or_else(|| self.search.total(&self.rows));
        let root = Region {
            rows: 0..self.rows.len(),
            depth: 0,
            total,
            histogram,
            seed,
            gain: None,
            cut: None,
            children: None,
            taken: false,
        };
        let now = self.search.score(&root.total);
        self.regions.push(look(self.search, &self.rows, root, now));
    }

    fn run(&mut self) {
        let mut queue = BinaryHeap::new();
        let mut leaves = 1;
        self.enqueue(&mut queue, 0);
        while leaves < self.parameters.leaves {
            let Some(next) = queue.pop() else { break };
            if self.regions[next.region].cut.is_none() {
                self.regions[next.region].taken = true;
                leaves += 1;
                continue;
            }
            if self.regions[next.region].children.is_none() {
                self.cut_ahead(next, &mut queue, self.parameters.leaves - leaves);
            }
            let Some(children) = self.regions[next.region].children else { break };
            self.regions[next.region].taken = true;
            leaves += 1;
            for child in children {
                self.enqueue(&mut queue, child);
            }
        }
    }

    fn enqueue(&mut self, queue: &mut BinaryHeap<Queued>, region: usize) {
        let place = self.places;
        self.places += 1;
        let Region { depth, gain, .. } = self.regions[region];
        if let Some(gain) = gain {
            queue.push(Queued { region, depth, gain, place, growth: self.parameters.growth });
        }
    }

    /// Cuts a region, and with it those that are next in the queue if there are threads for them.
    fn cut_ahead(&mut self, first: Queued, queue: &mut BinaryHeap<Queued>, left: usize) {
        // Level by level, every region of a level will be cut; best first, the next few most likely.
        let threads = if self.search.alone() { rayon::current_num_threads() } else { 1 };
        let ahead = match (threads, self.parameters.growth) {
            (1, _) => 1,
            (_, Growth::DepthWise) => left,
            (threads, Growth::BestFirst) => (2 * threads).min(left),
        };
        let mut batch = vec![first.region];
        let mut passed = Vec::new();
        while batch.len() < ahead {
            let Some(next) = queue.pop() else { break };
            passed.push(next);
            if self.parameters.growth == Growth::DepthWise && next.depth > first.depth {
                break;
            }
            let region = &self.regions[next.region];
            if region.cut.is_some() && region.children.is_none() {
                batch.push(next.region);
            }
        }
        queue.extend(passed);
        batch.sort_unstable_by_key(|&region| self.regions[region].rows.start);
        // After the last cut nothing is looked for in its sides.
        let search_on = left > 1;
        let cut: Vec<(usize, [Region<S>; 2])> = {
            let (search, bins, depth) = (self.search, self.bins, self.parameters.depth);
            let jobs = jobs(&batch, &mut self.regions, &mut self.rows, &mut self.spare);
            let run = |job: Job<'_, S>| (job.region, job.cut(search, bins, search_on, depth));
            if jobs.len() == 1 {
                jobs.into_iter().map(run).collect()
            } else {
                jobs.into_par_iter().with_max_len(1).map(run).collect()
            }
        };
        for (region, [left, right]) in cut {
            let first = self.regions.len();
            self.regions[region].children = Some([first, first + 1]);
            self.regions.push(left);
            self.regions.push(right);
        }
    }

    /// Numbers cuts and leaves from the root down, left before right.
    fn finish(mut self) -> Grown {
        for region in &mut self.regions {
            if let Some(histogram) = region.histogram.take() {
                self.search.give_back(histogram);
            }
        }
        let rows = std::mem::take(&mut self.rows);
        let mut grown =
            Grown { cuts: Vec::new(), rows, leaves: Vec::new(), sums: Vec::new(), settled: Vec::new() };
        let mut stack: Vec<(usize, Option<(usize, usize)>)> = vec![(0, None)];
        while let Some((region, hook)) = stack.pop() {
            let region = &mut self.regions[region];
            let taken = region.cut.take().zip(region.children).filter(|_| region.taken);
            let child = if let Some((cut, [left, right])) = taken {
                let number = grown.cuts.len();
                grown.cuts.push((cut, [Child::Leaf(0); 2]));
                stack.push((right, Some((number, 1))));
                stack.push((left, Some((number, 0))));
                Child::Node(number as u32)
            } else {
                if region.children.is_some() {
                    // Cut ahead in vain: its rows shall ascend again.
                    merge_sides(&mut grown.rows[region.rows.clone()]);
                }
                grown.leaves.push(region.rows.clone());
                grown.sums.extend(region.total.iter().map(|sum| sum.to_i64()));
                grown.settled.push(region.taken);
                Child::Leaf(grown.leaves.len() as u32 - 1)
            };
            if let Some((parent, side)) = hook {
                grown.cuts[parent].1[side] = child;
            }
        }
        grown
    }
}

#[expect(clippy::stable_sort_primitive, reason = "rows in a few ascending runs: a stable sort merges them")]
fn merge_sides(rows: &mut [u32]) {
    rows.sort();
}

/// A region about to be cut, with its rows.
struct Job<'a, S> {
    region: usize,
    cut: Cut,
    rows: &'a mut [u32],
    spare: &'a mut [u32],
    start: usize,
    depth: usize,
    total: Vec<S>,
    histogram: Histogram<S>,
    seed: Seed,
}

/// Jobs for some regions in the order of their rows.
fn jobs<'a, S: Searchable>(
    batch: &[usize],
    regions: &mut [Region<S>],
    mut rows: &'a mut [u32],
    mut spare: &'a mut [u32],
) -> Vec<Job<'a, S>> {
    let mut jobs = Vec::with_capacity(batch.len());
    let mut at = 0;
    for &number in batch {
        let region = &mut regions[number];
        let Some(cut) = region.cut.clone() else { continue };
        let (start, length) = (region.rows.start, region.rows.len());
        #[expect(clippy::mut_mut, reason = "the slice itself moves on")]
        let take = |slice: &mut &'a mut [u32]| {
            let _passed = slice.split_off_mut(..start - at);
            slice.split_off_mut(..length).unwrap_or_default()
        };
        let (own, own_spare) = (take(&mut rows), take(&mut spare));
        at = start + length;
        jobs.push(Job {
            region: number,
            cut,
            rows: own,
            spare: own_spare,
            start,
            depth: region.depth,
            total: region.total.clone(),
            histogram: region.histogram.take(),
            seed: region.seed,
        });
    }
    jobs
}

impl<S: Searchable> Job<'_, S> {
    /// Divides the rows and finds the best cut of each side.
    fn cut(self, search: &Search<'_, S>, bins: &Bins, search_on: bool, deepest: usize) -> [Region<S>; 2] {
        let Self { cut, rows, spare, start, depth, total, histogram, seed, .. } = self;
        let middle = partition(bins, &cut, rows, spare);
        let (left, right) = rows.split_at(middle);
        let left_total: Vec<S> = cut.left.iter().map(|&sum| S::from_i64(sum)).collect();
        let mut right_total = total;
        right_total.iter_mut().zip(&left_total).for_each(|(a, &b)| *a -= b);
        // By weight, not by rows: several workers must agree.
        let left_is_smaller = left_total[0].to_i64() <= right_total[0].to_i64();
        let (smaller, larger) = if left_is_smaller { (left, right) } else { (right, left) };
        let search_on = search_on && depth + 1 < deepest;
        let (small_histogram, large_histogram) = if search_on {
            search.children(histogram, smaller, larger)
        } else {
            if let Some(histogram) = histogram {
                search.give_back(histogram);
            }
            (None, None)
        };
        let region = |rows: Range<usize>, total, histogram, side| Region {
            rows: start + rows.start..start + rows.end,
            depth: depth + 1,
            total,
            histogram,
            seed: seed.part(side),
            gain: None,
            cut: None,
            children: None,
            taken: false,
        };
        let (left_histogram, right_histogram) = if left_is_smaller {
            (small_histogram, large_histogram)
        } else {
            (large_histogram, small_histogram)
        };
        let now = search_on
            .then(|| [search.side(&left_total, &right_total), search.side(&right_total, &left_total)]);
        let [left, right] = [
            region(0..middle, left_total, left_histogram, 10),
            region(middle..rows.len(), right_total, right_histogram, 11),
        ];
        match now {
            Some([now_left, now_right]) => {
                let (low, high) = rows.split_at(middle);
                [look(search, low, left, now_left), look(search, high, right, now_right)]
            }
            None => [left, right],
        }
    }
}

/// Finds the best that can be done with a region whose rows these are and whose score is `now`.
fn look<S: Searchable>(search: &Search<'_, S>, rows: &[u32], mut region: Region<S>, now: f64) -> Region<S> {
    let alone = search.score(&region.total);
    let cut = search.best(rows, &region.total, &region.histogram, region.seed);
    region.cut = cut.filter(|cut| gains(alone, cut.score));
    let best = region.cut.as_ref().map_or(alone, |cut| cut.score);
    region.gain = gains(now, best).then_some(now - best);
    if region.cut.is_none()
        && let Some(histogram) = region.histogram.take()
    {
        search.give_back(histogram);
    }
    region
}

/// Whether something with this score is better than nothing.
fn gains(now: f64, score: f64) -> bool {
    now - score > 1e-12 * now.abs().max(score.abs())
}
