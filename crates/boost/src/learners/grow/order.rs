//! In which order regions are cut, and which of them are in the tree.
//!
//! A tree takes the first region of a queue, again and again, until it has its leaves. The region must be cut by then, but it
//! may have been cut long before, so threads cut what is likely to be taken while the queue waits for the region at its head.
//!
//! What is never taken is soon known. A region is not taken before any other whose worst step on the way from the root is
//! better than its own: when the worst step of the one is taken, a step on the way to the other would have stood before it in the
//! queue. So the tree is, ties aside, those regions whose worst steps are the best, and a region is given up as soon as
//! as many better ones are known as the tree can take.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::super::tree_parameters::{Growth, TreeParameters};
use super::pace::{Made, Prospect};

/// How good it is to cut a region: the best comes first in the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank {
    /// Counts level by level only.
    depth: usize,
    gain: f64,
}

impl Rank {
    pub(super) fn new(parameters: &TreeParameters, depth: usize, gain: f64) -> Self {
        match parameters.growth {
            Growth::BestFirst => Self { depth: 0, gain },
            Growth::DepthWise => Self { depth, gain },
        }
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        other.depth.cmp(&self.depth).then(self.gain.total_cmp(&other.gain))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}

/// What becomes of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It has no cut: it is taken to answer for itself, or never.
    Whole,
    /// It waits for its cut.
    Uncut,
    /// Its cut is being made.
    Begun,
    /// It was cut into these.
    Cut([usize; 2]),
    /// It was given up.
    Dropped,
}

struct Region {
    /// Nothing if nothing is gained by any treatment of it.
    rank: Option<Rank>,
    /// The worst rank on the way to it from the root, itself included.
    worst: Option<Rank>,
    stage: Stage,
    taken: bool,
}

/// A region to be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub region: usize,
    /// Whether the tree has no leaf left for its sides to be cut.
    pub last: bool,
}

/// Which regions may be cut ahead of time.
#[derive(Clone, Copy)]
pub(super) enum Ahead<'a> {
    /// Any that the tree may take.
    Any,
    /// Those of which this is said.
    If(&'a dyn Fn(Prospect) -> bool),
}

/// The order of the regions of one tree. They are numbered as they come.
pub(super) struct Order {
    regions: Vec<Region>,
    /// Cuts that the tree may take.
    most: usize,
    taken: usize,
    /// Regions whose parents were taken, by rank; ties go to the one that came first.
    queue: BinaryHeap<(Rank, Reverse<usize>, usize)>,
    places: usize,
    /// Regions that wait for their cuts, or did, by their worst ranks and then by their own.
    waiting: BinaryHeap<(Rank, Rank, Reverse<usize>)>,
    /// As many regions as the tree can take: those whose worst ranks are best.
    best: BinaryHeap<Reverse<(Rank, usize)>>,
}

impl Order {
    /// For trees of so many leaves.
    pub(super) fn new(leaves: usize) -> Self {
        Self {
            regions: Vec::new(),
            most: leaves.saturating_sub(1),
            taken: 0,
            queue: BinaryHeap::new(),
            places: 0,
            waiting: BinaryHeap::new(),
            best: BinaryHeap::new(),
        }
    }

    /// The first region.
    pub(super) fn plant(&mut self, rank: Option<Rank>, is_cut: bool) {
        self.add(None, rank, is_cut);
        self.enqueue(0);
        self.advance();
    }

    /// A region was cut into two with these ranks; says which regions were given up for them. Its sides have the next two numbers.
    pub(super) fn cut(&mut self, region: usize, sides: [(Option<Rank>, bool); 2]) -> Vec<usize> {
        let first = self.regions.len();
        self.regions[region].stage = Stage::Cut([first, first + 1]);
        let dropped = sides.into_iter().filter_map(|(rank, has_cut)| self.add(Some(region), rank, has_cut));
        let dropped = dropped.collect();
        self.advance();
        dropped
    }

    fn add(&mut self, parent: Option<usize>, rank: Option<Rank>, has_cut: bool) -> Option<usize> {
        let number = self.regions.len();
        let above = parent.and_then(|parent| self.regions[parent].worst);
        let worst = rank.map(|rank| above.map_or(rank, |above| above.min(rank)));
        let stage = if has_cut { Stage::Uncut } else { Stage::Whole };
        self.regions.push(Region { rank, worst, stage, taken: false });
        let (rank, worst) = rank.zip(worst)?;
        if has_cut {
            self.waiting.push((worst, rank, Reverse(number)));
        }
        self.best.push(Reverse((worst, number)));
        if self.best.len() <= self.most {
            return None;
        }
        let Reverse((_, least)) = self.best.pop()?;
        (self.regions[least].stage == Stage::Uncut && self.is_hopeless(least)).then(|| {
            self.regions[least].stage = Stage::Dropped;
            least
        })
    }

    /// Whether the tree can take nothing but better ones.
    fn is_hopeless(&self, region: usize) -> bool {
        let full = self.best.len() >= self.most;
        full && self.best.peek().is_some_and(|Reverse((least, _))| self.regions[region].worst < Some(*least))
    }

    fn enqueue(&mut self, region: usize) {
        let place = self.places;
        self.places += 1;
        if let Some(rank) = self.regions[region].rank {
            self.queue.push((rank, Reverse(place), region));
        }
    }

    /// Takes what can be taken.
    fn advance(&mut self) {
        while let Some(region) = self.head() {
            let sides = match self.regions[region].stage {
                Stage::Whole => None,
                Stage::Cut(sides) => Some(sides),
                Stage::Uncut | Stage::Begun | Stage::Dropped => break,
            };
            self.queue.pop();
            self.regions[region].taken = true;
            self.taken += 1;
            sides.into_iter().flatten().for_each(|side| self.enqueue(side));
        }
    }

    /// The region that is taken next.
    fn head(&self) -> Option<usize> {
        self.queue.peek().filter(|_| self.taken < self.most).map(|&(_, _, region)| region)
    }

    /// The region to cut next: the one that is taken next or, if its cut is being made, the most promising one of those that may be cut
    /// ahead of time. The caller begins with it at once.
    pub(super) fn next(&mut self, ahead: Option<Ahead<'_>>) -> Option<Next> {
        let head = self.head()?;
        let last = self.taken + 1 == self.most;
        let region = if self.regions[head].stage == Stage::Uncut {
            head
        } else {
            self.promising(ahead.filter(|_| !last)?)?
        };
        self.regions[region].stage = Stage::Begun;
        Some(Next { region, last })
    }

    /// The best of those that wait, if it may be cut.
    fn promising(&mut self, ahead: Ahead<'_>) -> Option<usize> {
        while let Some(&(worst, _, Reverse(region))) = self.waiting.peek() {
            if self.regions[region].stage != Stage::Uncut {
                self.waiting.pop();
                continue;
            }
            let may = match ahead {
                Ahead::Any => true,
                Ahead::If(may) => may(self.prospect(worst)),
            };
            if !may || self.is_hopeless(region) {
                // So are all that are behind it.
                return None;
            }
            self.waiting.pop();
            return Some(region);
        }
        None
    }

    /// What is known of a region by the worst rank on the way to it.
    fn prospect(&self, worst: Rank) -> Prospect {
        let better = self.best.iter().filter(|Reverse((rank, _))| *rank > worst).count();
        Prospect { gain: worst.gain, better, most: self.most }
    }

    /// What has become of all cuts.
    pub(super) fn made(&self) -> Made {
        let cuts = self.regions.iter().filter(|region| matches!(region.stage, Stage::Cut(_)));
        let gains = cuts.clone().filter(|region| region.taken).filter_map(|region| region.rank);
        let (taken, least) =
            gains.fold((0, f64::INFINITY), |(taken, least), rank| (taken + 1, rank.gain.min(least)));
        Made { all: cuts.count(), taken, full: self.taken == self.most, least }
    }

    /// Whether the tree took a region, and its sides if it was cut.
    pub(super) fn fate(&self, region: usize) -> (bool, Option<[usize; 2]>) {
        let Region { taken, stage, .. } = self.regions[region];
        let sides = if let Stage::Cut(sides) = stage { Some(sides) } else { None };
        (taken, sides)
    }
}
