//! Threads, or workers, that cut the regions of one tree side by side.

use std::sync::{Mutex, MutexGuard, PoisonError};

use manyboost_kernel::{Cut, Searchable, Seed};
use rayon::Scope;

use super::super::tree_parameters::{Growth, TreeParameters};
use super::Settled;
use super::order::{Ahead, Next, Order, Rank};
use super::pace::{Made, Pace};
use super::region::{Ground, Looked, Phase, Region, Uncut, cut, root};

/// The threads that grow a tree, and what they share.
pub(super) struct Crew<'a, 'b, S> {
    ground: Ground<'a, S>,
    parameters: &'a TreeParameters,
    hands: Hands<'a>,
    state: Mutex<State<'b, S>>,
}

/// What is known of the tree. It is locked once a region.
struct State<'b, S> {
    order: Order,
    regions: Vec<Known<'b, S>>,
    /// Threads at work, or called.
    busy: usize,
    /// Regions that wait for their cuts.
    waiting: usize,
}

/// A region, by its number in the [`Order`].
struct Known<'b, S> {
    /// Away while its cut is being made.
    region: Option<Region<S>>,
    uncut: Option<Uncut<'b, S>>,
    cut: Option<Cut>,
}

/// A region to be cut.
pub(super) struct Job<'b, S> {
    number: usize,
    region: Region<S>,
    uncut: Uncut<'b, S>,
    search_on: bool,
}

/// A region that was cut.
pub(super) struct Done<'b, S> {
    number: usize,
    region: Region<S>,
    cut: Cut,
    sides: [Looked<'b, S>; 2],
}

impl<S: Searchable> Job<'_, S> {
    pub(super) fn rows(&self) -> usize {
        self.region.rows.len()
    }
}

/// Cuts some regions.
pub(super) fn run<'b, S: Searchable>(
    jobs: Vec<Job<'b, S>>,
    ground: Ground<'_, S>,
    passed: impl FnMut(Phase),
) -> Vec<Done<'b, S>> {
    let (mut known, mut uncut) = (Vec::with_capacity(jobs.len()), Vec::with_capacity(jobs.len()));
    for job in jobs {
        known.push((job.number, job.region));
        uncut.push((job.uncut, job.search_on));
    }
    let regions = uncut.into_iter().zip(&known).map(|((uncut, on), (_, region))| (uncut, region, on));
    let cut = cut(ground, regions.collect(), passed);
    let done = known.into_iter().zip(cut);
    done.map(|((number, region), (cut, sides))| Done { number, region, cut, sides }).collect()
}

/// Who cuts.
#[derive(Clone, Copy)]
pub(super) enum Hands<'a> {
    /// So many threads, each a region at a time.
    Threads(usize),
    /// Several workers, who cut the same regions at a time.
    Workers(&'a Pace),
}

impl<'a, 'b, S: Searchable> Crew<'a, 'b, S> {
    /// For a tree on some rows. As much room again is needed for sorting them.
    pub(super) fn plant(
        ground: Ground<'a, S>,
        parameters: &'a TreeParameters,
        (rows, spare): (&'b mut [u32], &'b mut [u32]),
        seed: Seed,
        hands: Hands<'a>,
    ) -> Self {
        let (region, uncut) = root(ground, rows, spare, seed);
        let order = Order::new(parameters.leaves);
        let mut state = State { order, regions: Vec::new(), busy: 1, waiting: 0 };
        state.order.plant(rank(parameters, &region), uncut.is_some());
        state.add((region, uncut));
        Self { ground, parameters, hands, state: Mutex::new(state) }
    }

    /// Grows the tree.
    pub(super) fn grow(&self) {
        match self.hands {
            Hands::Threads(1) | Hands::Workers(_) => self.work(|| ()),
            Hands::Threads(_) => rayon::scope(|scope| self.work(|| self.call(scope))),
        }
    }

    /// Another thread joins in, as soon as one is free.
    fn call<'s>(&'s self, scope: &Scope<'s>) {
        scope.spawn(move |scope| self.work(|| self.call(scope)));
    }

    /// Cuts regions until nothing is left to do. `call` is for help.
    fn work(&self, call: impl Fn()) {
        let mut done = Vec::new();
        loop {
            let mut state = self.state();
            for done in done {
                self.hand_in_to(&mut state, done);
            }
            let jobs = self.next_jobs(&mut state);
            let most = if let Hands::Threads(most) = self.hands { most } else { 1 };
            let help = !jobs.is_empty() && state.busy < most && state.waiting > 0;
            state.busy = state.busy + usize::from(help) - usize::from(jobs.is_empty());
            drop(state);
            if help {
                call();
            }
            if jobs.is_empty() {
                break;
            }
            done = run(jobs, self.ground, |_| ());
        }
    }

    /// The next region to cut.
    pub(super) fn next(&self) -> Option<Job<'b, S>> {
        self.next_jobs(&mut self.state()).pop()
    }

    /// Takes in a region that was cut.
    pub(super) fn hand_in(&self, done: Done<'b, S>) {
        self.hand_in_to(&mut self.state(), done);
    }

    fn state(&self) -> MutexGuard<'_, State<'b, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The regions to cut next: one, or as many as workers cut at a time.
    fn next_jobs(&self, state: &mut State<'b, S>) -> Vec<Job<'b, S>> {
        // Where many are equally good none is given up; but those that wait take memory.
        let some_wait = |state: &State<'b, S>| state.waiting < self.parameters.leaves;
        let pace = match self.hands {
            Hands::Threads(most) => {
                let ahead = (most > 1 && some_wait(state)).then_some(Ahead::Any);
                return state.next_job(ahead).into_iter().collect();
            }
            Hands::Workers(pace) => pace,
        };
        // All regions of a level are taken before those of the next.
        let by_level = self.parameters.growth == Growth::DepthWise;
        let mut jobs: Vec<Job<'b, S>> = state.next_job(None).into_iter().collect();
        while !jobs.is_empty() && some_wait(state) {
            let takes = |prospect| pace.takes(jobs.len(), prospect);
            let Some(job) = state.next_job(Some(if by_level { Ahead::Any } else { Ahead::If(&takes) }))
            else {
                break;
            };
            jobs.push(job);
        }
        jobs
    }

    fn hand_in_to(&self, state: &mut State<'b, S>, done: Done<'b, S>) {
        let Done { number, region, cut, sides } = done;
        let ranks = sides.each_ref().map(|(region, uncut)| (rank(self.parameters, region), uncut.is_some()));
        state.regions[number] = Known { region: Some(region), uncut: None, cut: Some(cut) };
        for side in sides {
            state.add(side);
        }
        for dropped in state.order.cut(number, ranks) {
            if let Some(uncut) = state.regions[dropped].uncut.take() {
                uncut.drop(self.ground.search);
                state.waiting -= 1;
            }
        }
    }

    /// What has become of all cuts.
    pub(super) fn made(&self) -> Made {
        self.state().order.made()
    }

    /// What has become of all regions.
    pub(super) fn settle(self) -> Vec<Settled> {
        let State { order, regions, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let settled = |(number, known): (usize, Known<'b, S>)| {
            if let Some(uncut) = known.uncut {
                uncut.drop(self.ground.search);
            }
            let (taken, sides) = order.fate(number);
            let region = known.region?;
            let total = region.total.iter().map(|sum| sum.to_i64()).collect();
            Some(Settled { rows: region.rows, total, cut: known.cut.zip(sides), taken })
        };
        regions.into_iter().enumerate().filter_map(settled).collect()
    }
}

fn rank<S>(parameters: &TreeParameters, region: &Region<S>) -> Option<Rank> {
    region.gain.map(|gain| Rank::new(parameters, region.depth, gain))
}

impl<'b, S> State<'b, S> {
    /// The region to cut next.
    fn next_job(&mut self, ahead: Option<Ahead<'_>>) -> Option<Job<'b, S>> {
        let Next { region: number, last } = self.order.next(ahead)?;
        let known = &mut self.regions[number];
        let (region, uncut) = known.region.take().zip(known.uncut.take())?;
        self.waiting -= 1;
        Some(Job { number, region, uncut, search_on: !last })
    }

    fn add(&mut self, (region, uncut): Looked<'b, S>) {
        self.waiting += usize::from(uncut.is_some());
        self.regions.push(Known { region: Some(region), uncut, cut: None });
    }
}
