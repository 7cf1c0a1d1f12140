//! Threads that cut the regions of one tree side by side.

use std::mem::take;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manyboost_kernel::{Cut, Searchable, Seed};
use rayon::Scope;

use super::super::tree_parameters::TreeParameters;
use super::Settled;
use super::order::{Next, Order, Rank};
use super::region::{Ground, Looked, Region, Uncut, root};

/// The threads that grow a tree, and what they share.
pub(super) struct Crew<'a, 'b, S> {
    ground: Ground<'a, S>,
    parameters: &'a TreeParameters,
    /// Regions that are cut at a time.
    most: usize,
    state: Mutex<State<'b, S>>,
}

/// What is known of the tree. It is locked once or twice a region.
struct State<'b, S> {
    order: Order,
    regions: Vec<Known<'b, S>>,
    /// Threads at work.
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
struct Job<'b, S> {
    number: usize,
    region: Region<S>,
    uncut: Uncut<'b, S>,
    search_on: bool,
}

impl<'a, 'b, S: Searchable> Crew<'a, 'b, S> {
    /// Grows a tree on some rows. As much room again is needed for sorting them.
    pub(super) fn grow(
        ground: Ground<'a, S>,
        parameters: &'a TreeParameters,
        rows: &'b mut [u32],
        spare: &'b mut [u32],
        seed: Seed,
    ) -> Vec<Settled> {
        let order = Order::new(parameters.leaves);
        let state = State { order, regions: Vec::new(), busy: 1, waiting: 0 };
        // Several workers must make the same cuts in the same order.
        let most = if ground.search.alone() { rayon::current_num_threads() } else { 1 };
        let crew = Self { ground, parameters, most, state: Mutex::new(state) };
        let (region, uncut) = root(ground, rows, spare, seed);
        {
            let mut state = crew.state();
            state.order.plant(crew.rank(&region), uncut.is_some());
            state.add((region, uncut));
        }
        if most == 1 {
            crew.work(|| ());
        } else {
            rayon::in_place_scope(|scope| crew.work(|| crew.call(scope)));
        }
        crew.settle()
    }

    fn state(&self) -> MutexGuard<'_, State<'b, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rank(&self, region: &Region<S>) -> Option<Rank> {
        region.gain.map(|gain| Rank::new(self.parameters, region.depth, gain))
    }

    /// Another thread joins in, as soon as one is free.
    fn call<'s>(&'s self, scope: &Scope<'s>) {
        scope.spawn(move |scope| self.work(|| self.call(scope)));
    }

    /// Cuts one region after the other until nothing is left to do. `call` is for help.
    fn work(&self, call: impl Fn()) {
        let mut job = self.state().begin(self.most);
        while let Some(Job { number, region, uncut, search_on }) = job {
            let (cut, sides) = uncut.cut(self.ground, &region, search_on);
            let mut state = self.state();
            state.hand_in(self, number, region, cut, sides);
            job = state.begin(self.most);
            let help = job.is_some() && state.busy < self.most && state.waiting > 0;
            state.busy += usize::from(help);
            drop(state);
            if help {
                call();
            }
        }
    }

    /// What has become of all regions.
    fn settle(self) -> Vec<Settled> {
        let State { order, regions, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let search = self.ground.search;
        let settled = |(number, known): (usize, Known<'b, S>)| {
            if let Some(uncut) = known.uncut {
                uncut.drop(search);
            }
            let (taken, sides) = order.fate(number);
            let region = known.region?;
            let total = region.total.iter().map(|sum| sum.wide()).collect();
            Some(Settled { rows: region.rows, total, cut: known.cut.zip(sides), taken })
        };
        regions.into_iter().enumerate().filter_map(settled).collect()
    }
}

impl<'b, S: Searchable> State<'b, S> {
    fn add(&mut self, (region, uncut): Looked<'b, S>) {
        self.waiting += usize::from(uncut.is_some());
        self.regions.push(Known { region: Some(region), uncut, cut: None });
    }

    /// The next region to cut; without one a thread goes.
    fn begin(&mut self, most: usize) -> Option<Job<'b, S>> {
        let job = self.next(most > 1);
        self.busy -= usize::from(job.is_none());
        job
    }

    fn next(&mut self, ahead: bool) -> Option<Job<'b, S>> {
        let Next { region: number, last } = self.order.next(ahead)?;
        let known = &mut self.regions[number];
        let (region, uncut) = known.region.take().zip(known.uncut.take())?;
        self.waiting -= 1;
        Some(Job { number, region, uncut, search_on: !last })
    }

    /// A region was cut.
    fn hand_in(
        &mut self,
        crew: &Crew<'_, 'b, S>,
        number: usize,
        region: Region<S>,
        cut: Cut,
        sides: [Looked<'b, S>; 2],
    ) {
        let ranks = sides.each_ref().map(|(region, uncut)| (crew.rank(region), uncut.is_some()));
        self.regions[number].region = Some(region);
        self.regions[number].cut = Some(cut);
        sides.into_iter().for_each(|side| self.add(side));
        for dropped in self.order.cut(number, ranks) {
            if let Some(uncut) = take(&mut self.regions[dropped].uncut) {
                uncut.drop(crew.ground.search);
                self.waiting -= 1;
            }
        }
    }
}
