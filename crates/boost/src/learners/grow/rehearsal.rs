//! How long it would take to grow a tree on cores that are not there.
//!
//! The regions are cut for real, one at a time on this thread, but in the order in which so many cores would begin with them: a
//! core that is free takes the next region, and its cut is handed in when its time is over. Cores for which there is no
//! region help with one, as far as its work is divided.

use std::time::{Duration, Instant};

use manyboost_kernel::sums::channels::BLOCK;
use manyboost_kernel::{Bins, Search, Searchable, Seed};

use super::super::tree_parameters::TreeParameters;
use super::crew::{Crew, Done, Hands, run};
use super::region::{Ground, Phase};

/// A tree that was grown on cores that are not there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rehearsal {
    /// Cuts that were made.
    pub made: usize,
    /// Cuts that are in the tree.
    pub taken: usize,
    /// What all cuts took together, and the first histogram, in seconds.
    pub work: f64,
    /// When the last cut was handed in, in seconds.
    pub end: f64,
}

/// The part of dividing rows that one core does alone: it copies them.
const COPIED: f64 = 0.25;

/// The seconds that each phase takes one core, for a region of so many rows.
#[derive(Clone, Copy, Default)]
struct Times {
    rows: usize,
    divide: f64,
    count: f64,
    look: f64,
}

impl Times {
    fn alone(self) -> f64 {
        self.divide + self.count + self.look
    }

    /// On so many cores, for which counting is divided into so many parts.
    fn on(self, cores: usize, parts: usize) -> f64 {
        let blocks = if self.rows < 8 * BLOCK { 1 } else { self.rows.div_ceil(4 * BLOCK) };
        let shared = |time: f64, parts: usize| time * parts.div_ceil(cores.min(parts)) as f64 / parts as f64;
        COPIED * self.divide
            + shared((1.0 - COPIED) * self.divide, blocks)
            + shared(self.count, parts)
            // The sides are looked at one after the other.
            + self.look
    }
}

/// A cut that is being made.
struct Running<'b, S> {
    end: f64,
    cores: usize,
    done: Done<'b, S>,
}

/// Grows a tree on some rows on so many cores. To be called on a pool of one thread.
pub fn rehearse<S: Searchable>(
    search: &Search<'_, S>,
    bins: &Bins,
    parameters: &TreeParameters,
    seed: Seed,
    cores: usize,
) -> Rehearsal {
    let mut rows: Vec<u32> = (0..bins.rows() as u32).collect();
    let mut spare = vec![0; rows.len()];
    let ground = Ground { search, bins, depth: parameters.depth };
    let start = Instant::now();
    let crew = Crew::plant(ground, parameters, (&mut rows, &mut spare), seed, Hands::Threads(cores));
    let root = Times { rows: bins.rows(), count: start.elapsed().as_secs_f64(), ..Times::default() };
    let parts = |rows: usize| search.parts(rows, cores);
    let mut now = root.on(cores, parts(root.rows));
    let mut rehearsal = Rehearsal { work: root.alone(), ..Rehearsal::default() };
    let mut running: Vec<Running<'_, S>> = Vec::new();
    loop {
        let free = cores - running.iter().map(|one| one.cores).sum::<usize>();
        let jobs: Vec<_> = std::iter::from_fn(|| crew.next()).take(free).collect();
        let share = free / jobs.len().max(1);
        for job in jobs {
            let mut times = Times { rows: job.rows(), ..Times::default() };
            let mut last = Instant::now();
            let done = run(vec![job], ground, |phase| {
                let passed: Duration = last.elapsed();
                last = Instant::now();
                let into = match phase {
                    Phase::Divide => &mut times.divide,
                    Phase::Count => &mut times.count,
                    Phase::Look => &mut times.look,
                };
                *into = passed.as_secs_f64();
            });
            // The smaller side is counted, at most half of the rows.
            let parts = parts(times.rows / 2);
            let useful = share.min(parts.max(times.rows / (4 * BLOCK))).max(1);
            rehearsal.work += times.alone();
            rehearsal.made += 1;
            let end = now + times.on(useful, parts);
            running.extend(done.into_iter().map(|done| Running { end, cores: useful, done }));
        }
        let first = (0..running.len()).min_by(|&a, &b| running[a].end.total_cmp(&running[b].end));
        let Some(first) = first else { break };
        let one = running.swap_remove(first);
        now = one.end;
        crew.hand_in(one.done);
        rehearsal.end = now;
    }
    rehearsal.taken = crew.settle().iter().filter(|region| region.taken && region.cut.is_some()).count();
    rehearsal
}
