//! Threads that cut the regions of one tree side by side.

use std::sync::{Mutex, MutexGuard, PoisonError};

use manyboost_kernel::{Cut, Searchable, Seed};
use rayon::Scope;

use super::super::tree_parameters::TreeParameters;
use super::Settled;
use super::order::{Next, Order, Rank};
use super::region::{Ground, Looked, Phase, Region, Uncut, root};

/// The threads that grow a tree, and what they share.
pub(super) struct Crew<'a, 'b, S> {
    ground: Ground<'a, S>,
    parameters: &'a TreeParameters,
    /// Regions that are cut at a time.
    most: usize,
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

impl<'b, S: Searchable> Job<'b, S> {
    pub(super) fn rows(&self) -> usize {
        self.region.rows.len()
    }

    /// Cuts the region.
    pub(super) fn run(self, ground: Ground<'_, S>, passed: impl FnMut(Phase)) -> Done<'b, S> {
        let Self { number, region, uncut, search_on } = self;
        let (cut, sides) = uncut.cut(ground, &region, search_on, passed);
        Done { number, region, cut, sides }
    }
}

impl<'a, 'b, S: Searchable> Crew<'a, 'b, S> {
    /// For a tree on some rows, of which at most so many regions are cut at a time. As much room again is needed for sorting
    /// the rows.
    pub(super) fn plant(
        ground: Ground<'a, S>,
        parameters: &'a TreeParameters,
        (rows, spare): (&'b mut [u32], &'b mut [u32]),
        seed: Seed,
        most: usize,
    ) -> Self {
        let (region, uncut) = root(ground, rows, spare, seed);
        let order = Order::new(parameters.leaves);
        let mut state = State { order, regions: Vec::new(), busy: 1, waiting: 0 };
        state.order.plant(rank(parameters, &region), uncut.is_some());
        state.add((region, uncut));
        Self { ground, parameters, most, state: Mutex::new(state) }
    }

    /// Grows the tree.
    pub(super) fn grow(&self) {
        if self.most == 1 {
            self.work(|| ());
        } else {
            rayon::scope(|scope| self.work(|| self.call(scope)));
        }
    }

    /// Another thread joins in, as soon as one is free.
    fn call<'s>(&'s self, scope: &Scope<'s>) {
        scope.spawn(move |scope| self.work(|| self.call(scope)));
    }

    /// Cuts one region after the other until nothing is left to do. `call` is for help.
    fn work(&self, call: impl Fn()) {
        let mut done = None;
        loop {
            let mut state = self.state();
            if let Some(done) = done {
                self.hand_in_to(&mut state, done);
            }
            let job = self.next_of(&mut state);
            let help = job.is_some() && state.busy < self.most && state.waiting > 0;
            state.busy = state.busy + usize::from(help) - usize::from(job.is_none());
            drop(state);
            if help {
                call();
            }
            let Some(job) = job else { break };
            done = Some(job.run(self.ground, |_| ()));
        }
    }

    /// The next region to cut.
    pub(super) fn next(&self) -> Option<Job<'b, S>> {
        self.next_of(&mut self.state())
    }

    /// Takes in a region that was cut.
    pub(super) fn hand_in(&self, done: Done<'b, S>) {
        self.hand_in_to(&mut self.state(), done);
    }

    fn state(&self) -> MutexGuard<'_, State<'b, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_of(&self, state: &mut State<'b, S>) -> Option<Job<'b, S>> {
        // Where many are equally good none is given up; but those that wait take memory.
        let ahead = self.most > 1 && state.waiting < self.parameters.leaves;
        let Next { region: number, last } = state.order.next(ahead)?;
        let known = &mut state.regions[number];
        let (region, uncut) = known.region.take().zip(known.uncut.take())?;
        state.waiting -= 1;
        Some(Job { number, region, uncut, search_on: !last })
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
    fn add(&mut self, (region, uncut): Looked<'b, S>) {
        self.waiting += usize::from(uncut.is_some());
        self.regions.push(Known { region: Some(region), uncut, cut: None });
    }
}
