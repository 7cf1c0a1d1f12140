//! Searches of some regions at a time, by one worker or by several.
//!
//! One worker searches one region after the other. Several count the rows that each has, give one another the sums of the features that
//! each has (`shares`), look for cuts among their own, and agree on the best of all (`offers`): two exchanges for all
//! regions, and every worker keeps and scans only its part of the histograms.

use std::borrow::Cow;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use crate::exchange::Scattered;
use crate::numbers::seed::Seed;
use crate::search::candidates::Candidate;
use crate::search::cells::{Counted, Region, Slots};
use crate::search::cut::Cut;
use crate::search::histogram::Histogram;
use crate::search::offers::{Offer, Reader, taken, worth_telling, write};
use crate::search::shares::Shares;
use crate::search::{Search, Searchable};

/// Bytes of sums that are counted before they are exchanged: they take memory beside what is kept.
const AT_ONCE: usize = 1 << 24;

/// From so many bytes on, half of the regions are counted while the sums of the others travel.
const WORTH_OVERLAP: usize = 1 << 20;

/// A region to be searched.
#[derive(Debug)]
pub struct Sought<'a, S> {
    /// Its rows.
    pub rows: &'a [u32],
    /// Its sums.
    pub total: &'a [S],
    /// Its histogram, if there is one.
    pub histogram: &'a Histogram<S>,
    /// What draws depend on.
    pub seed: Seed,
}

/// A region that was cut, with its histogram if there is one, and both sides.
#[derive(Debug)]
pub struct Family<'a, S> {
    /// The histogram, which is used up.
    pub parent: Histogram<S>,
    /// The rows of the lighter side.
    pub smaller: &'a [u32],
    /// The rows of the other one.
    pub larger: &'a [u32],
}

/// A region to be counted.
type ToCount<'a> = (&'a [u32], &'a Shares);

impl<S: Searchable> Search<'_, S> {
    /// The best cut of each region, if any is allowed. Ties go to the lowest feature, then the lowest code.
    pub fn best_of(&self, regions: &[Sought<'_, S>]) -> Vec<Option<Cut>> {
        match &self.shares {
            None => regions.iter().map(|region| self.best_alone(region)).collect(),
            Some(shares) => self.best_together(regions, shares),
        }
    }

    /// The histograms of both sides of each region, the lighter one first.
    pub fn children_of(&self, families: Vec<Family<'_, S>>) -> Vec<[Histogram<S>; 2]> {
        match &self.shares {
            None => families.into_iter().map(|family| self.children_alone(family)).collect(),
            Some(shares) => self.children_together(families, shares),
        }
    }

    /// The part of the histogram of a region without a parent that is this worker's.
    pub(crate) fn histogram_together(&self, rows: &[u32], shares: &Shares) -> Histogram<S> {
        self.keeps().then(|| self.sum_together(&[(rows, shares)])).and_then(|mut sums| sums.pop())
    }

    /// Whether there is room for another histogram; it is taken. Not where features are drawn: regions have different ones.
    fn keeps(&self) -> bool {
        let keeps =
            self.rules.features >= 1.0 && self.searcher.open.load(Ordering::Relaxed) < self.builder.most;
        self.searcher.open.fetch_add(usize::from(keeps), Ordering::Relaxed);
        keeps
    }

    fn children_together(&self, families: Vec<Family<'_, S>>, shares: &Shares) -> Vec<[Histogram<S>; 2]> {
        let mut to_count = Vec::new();
        let kept: Vec<[bool; 2]> = families
            .iter()
            .map(|Family { parent, smaller, larger }| {
                let kept = [self.keeps(), parent.is_some() || self.keeps()];
                // What the lighter side has is taken from its parent, whether it is kept or not.
                if kept[0] || parent.is_some() {
                    to_count.push((*smaller, shares));
                }
                if kept[1] && parent.is_none() {
                    to_count.push((*larger, shares));
                }
                kept
            })
            .collect();
        let mut counted = self.sum_together(&to_count).into_iter();
        let children = families.into_iter().zip(kept).map(|(Family { parent, .. }, kept)| {
            let Some(mut rest) = parent else {
                return kept.map(|kept| if kept { counted.next() } else { None });
            };
            let Some(small) = counted.next() else { return [None, Some(rest)] };
            rest.iter_mut().zip(&small).for_each(|(sum, &x)| *sum -= x);
            if kept[0] {
                return [Some(small), Some(rest)];
            }
            self.searcher.parts.give(small);
            [None, Some(rest)]
        });
        children.collect()
    }

    fn best_together(&self, regions: &[Sought<'_, S>], all: &Shares) -> Vec<Option<Cut>> {
        if regions.is_empty() {
            return Vec::new();
        }
        let share = |region: &Sought<'_, S>| {
            if self.rules.features >= 1.0 {
                Cow::Borrowed(all)
            } else {
                Cow::Owned(self.share_drawn(self.draw(region.seed, None)))
            }
        };
        let shares: Vec<Cow<'_, Shares>> = regions.par_iter().map(share).collect();
        let without = regions.iter().zip(&shares).filter(|(region, _)| region.histogram.is_none());
        let to_count: Vec<ToCount<'_>> = without.map(|(region, shares)| (region.rows, &**shares)).collect();
        let mut counted = self.sum_together(&to_count).into_iter();
        let own = |region: &Sought<'_, S>| if region.histogram.is_none() { counted.next() } else { None };
        let own: Vec<Option<Vec<S>>> = regions.iter().map(own).collect();
        let offer = |at: usize| {
            let (region, shares, own) = (&regions[at], &shares[at], &own[at]);
            let sums = region.histogram.as_deref().or(own.as_deref()).unwrap_or_default();
            let mut bytes = Vec::new();
            write(&self.offers(region, sums, shares), size_of::<S>(), &mut bytes);
            bytes
        };
        let offered: Vec<Vec<u8>> = (0..regions.len()).into_par_iter().with_max_len(1).map(offer).collect();
        own.into_iter().flatten().for_each(|sums| self.searcher.parts.give(sums));
        let told = self.exchange.gather(&offered.concat());
        let mut told: Vec<Reader<'_>> = told
            .iter()
            .enumerate()
            .map(|(worker, bytes)| Reader {
                bytes,
                worker,
                bins: self.searcher.bins,
                width: self.steps.len(),
                sum_bytes: size_of::<S>(),
            })
            .collect();
        let cut = |_| {
            let mut offers = Vec::new();
            for worker in &mut told {
                worker.next(&mut offers);
            }
            taken(offers)
        };
        regions.iter().map(cut).collect()
    }

    /// The boundaries among the features of this worker that the others should know of.
    fn offers(&self, region: &Sought<'_, S>, sums: &[S], shares: &Shares) -> Vec<Offer> {
        let counted = Counted { sums, starts: &shares.starts };
        let Sought { rows, total, seed, .. } = *region;
        let region = Region { rows, total, histogram: Some(counted), slots: Slots::Counted(counted), seed };
        let found = self.candidates_of(&shares.own, &region);
        let told = worth_telling(found.iter().map(|candidate| candidate.found.score));
        let offer = |(at, whole): (usize, bool)| {
            let candidate: Candidate = found[at];
            let cut = whole.then(|| self.cut(candidate, &region));
            Offer { feature: candidate.feature, score: candidate.found.score, cut }
        };
        told.into_iter().map(offer).collect()
    }

    /// The sums over all workers of this worker's part of each region. While the sums of some regions travel, others are
    /// counted.
    fn sum_together(&self, regions: &[ToCount<'_>]) -> Vec<Vec<S>> {
        let sizes = regions.iter().map(|(_, shares)| shares.sums() * size_of::<S>());
        let count = |some: Range<usize>| -> Vec<Vec<S>> {
            regions[some].par_iter().map(|(rows, shares)| self.count_shares(rows, shares)).collect()
        };
        let mut sums = Vec::new();
        let mut on_the_way: Option<(Range<usize>, Vec<Vec<S>>)> = None;
        for some in portions(sizes).into_iter().map(Some).chain([None]) {
            let next = if let Some((before, counted)) = on_the_way {
                std::thread::scope(|scope| {
                    let Some(some) = some else {
                        sums.extend(self.scatter(&regions[before], counted));
                        return None;
                    };
                    let sending = scope.spawn(|| self.scatter(&regions[before], counted));
                    let next = (some.clone(), count(some));
                    sums.extend(sending.join().unwrap_or_else(|cause| resume_unwind(cause)));
                    Some(next)
                })
            } else {
                some.map(|some| (some.clone(), count(some)))
            };
            on_the_way = next;
        }
        sums
    }

    /// Sums regions that have been counted, and keeps this worker's part.
    fn scatter(&self, regions: &[ToCount<'_>], mut counted: Vec<Vec<S>>) -> Vec<Vec<S>> {
        let arrays = counted.iter_mut().zip(regions);
        let mut arrays: Vec<Scattered<'_>> = arrays
            .map(|(sums, (_, shares))| Scattered {
                sums: S::sums(sums),
                cell: self.steps.len(),
                parts: &shares.parts,
            })
            .collect();
        self.exchange.scatter_sum(&mut arrays);
        let own = |(counted, (_, shares)): (Vec<S>, &ToCount<'_>)| {
            let mut own = self.searcher.parts.take();
            own.clear();
            own.extend_from_slice(&counted[shares.parts[self.exchange.rank()].clone()]);
            self.searcher.histograms.give(counted);
            own
        };
        counted.into_iter().zip(regions).map(own).collect()
    }
}

/// Which regions are counted at a time, given the bytes of their sums: about half of them where that is worth it, and never so many that they
/// take much memory.
fn portions(sizes: impl Iterator<Item = usize> + Clone) -> Vec<Range<usize>> {
    let all: usize = sizes.clone().sum();
    let most = if all < WORTH_OVERLAP { all } else { all.div_ceil(2).min(AT_ONCE) };
    let (mut portions, mut bytes): (Vec<Range<usize>>, usize) = (Vec::new(), 0);
    for (at, size) in sizes.enumerate() {
        match portions.last_mut() {
            Some(last) if bytes < most => last.end = at + 1,
            _ => {
                portions.push(at..at + 1);
                bytes = 0;
            }
        }
        bytes += size;
    }
    portions
}
