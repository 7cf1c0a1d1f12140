//! The one seam through which anything leaves a worker.
//!
//! A single process uses [`Alone`]. Several workers, each with rows of its own, deal out bytes to one another
//! ([`Exchange::deal`]), and everything that crosses rows is made of that: sums and maxima of integers, sums of which every worker
//! gets a part, and copies in the order of the workers. All workers ask for the same things in the same order.
//!
//! Nothing here returns an error, because hardly anybody could go on after one. A worker that cannot exchange any more, or
//! was asked for something else than the others, [raises](Failure::raise) a [`Failure`], which [`guarded`] turns into a value again where
//! the work was begun.

mod meeting;
mod recorder;
mod wire;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

pub use meeting::{Attendee, Meeting};
pub use recorder::{Recorder, Traffic};

use wire::{Wire, add_cells, append_cells, bytes, fold};

/// What another message costs, in bytes that could be sent instead: 100 microseconds at 10 Gbit a second are twice as many.
const MESSAGE: usize = 1 << 16;

/// What workers do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Sums that all get.
    Sum,
    /// Maxima that all get.
    Max,
    /// Sums of which each gets a part.
    ScatterSum,
    /// Copies of what each has.
    Gather,
    /// Something for each from each.
    Deal,
}

/// What a worker asks for: the same as the others, or they misunderstand one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    /// What is done.
    pub verb: Verb,
    /// With how many numbers; 0 where workers may have different numbers of bytes.
    pub numbers: u64,
}

impl std::fmt::Display for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.verb {
            Verb::Sum => "the sums",
            Verb::Max => "the maxima",
            Verb::ScatterSum => "parts of the sums",
            Verb::Gather => return write!(f, "copies"),
            Verb::Deal => return write!(f, "deals"),
        };
        write!(f, "{what} of {} numbers", self.numbers)
    }
}

/// Integers to be summed, in place.
#[derive(Debug)]
pub enum Sums<'a> {
    /// Whose sums over all workers fit too.
    Narrow(&'a mut [i32]),
    /// Of eight bytes.
    Wide(&'a mut [i64]),
}

impl Sums<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Narrow(numbers) => numbers.len(),
            Self::Wide(numbers) => numbers.len(),
        }
    }
}

/// Integers of which each worker gets the sums of a part.
#[derive(Debug)]
pub struct Scattered<'a> {
    /// All of them.
    pub sums: Sums<'a>,
    /// So many follow one another that are often all zero together; a part has a whole number of them.
    pub cell: usize,
    /// The part of each worker.
    pub parts: &'a [Range<usize>],
}

/// Why workers cannot go on together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The worker on whose account.
    pub worker: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Failure {
    /// Ends the work of this worker. Nothing is printed; [`guarded`] has the failure.
    pub fn raise(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

/// Does some work in which workers exchange something.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    // What was under way is given up as a whole: nobody sees it half done.
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| match cause.downcast::<Failure>() {
        Ok(failure) => *failure,
        Err(other) => resume_unwind(other),
    })
}

/// Combines what workers have.
pub trait Exchange: Sync {
    /// Which worker this is, counted from 0.
    fn rank(&self) -> usize;

    /// How many workers there are.
    fn workers(&self) -> usize;

    /// Gives each worker its part, and returns what each has given this one, its own part included.
    fn deal(&self, ask: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>>;

    /// Whether this is the only worker. With others, all must ask for the same sums in the same order.
    fn alone(&self) -> bool {
        self.workers() == 1
    }

    /// Replaces each number by its sum over all workers.
    fn sum(&self, numbers: &mut [i64]) {
        self.total(Sums::Wide(numbers));
    }

    /// Replaces each number by its sum over all workers.
    fn total(&self, sums: Sums<'_>) {
        match sums {
            Sums::Narrow(numbers) => total(self, numbers),
            Sums::Wide(numbers) => total(self, numbers),
        }
    }

    /// Replaces each number by its maximum over all workers.
    fn max(&self, numbers: &mut [i64]) {
        let ask = Ask { verb: Verb::Max, numbers: numbers.len() as u64 };
        let own = bytes(numbers);
        for (worker, others) in self.deal(ask, &vec![own.as_slice(); self.workers()]).iter().enumerate() {
            fold(numbers, others, worker, i64::max);
        }
    }

    /// Replaces each number of the worker's own part of each array by its sum over all workers; the others are left as they are. An
    /// array has a part for each worker, and all travel together.
    fn scatter_sum(&self, arrays: &mut [Scattered<'_>]) {
        scatter(self, arrays);
    }

    /// What each worker has, in their order.
    fn gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        self.deal(Ask { verb: Verb::Gather, numbers: 0 }, &vec![own; self.workers()])
    }
}

/// One worker has all rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn rank(&self) -> usize {
        0
    }
    fn workers(&self) -> usize {
        1
    }
    fn deal(&self, _: Ask, parts: &[&[u8]]) -> Vec<Vec<u8>> {
        parts.iter().map(|part| part.to_vec()).collect()
    }
    fn alone(&self) -> bool {
        true
    }
    fn total(&self, _: Sums<'_>) {}
    fn sum(&self, _: &mut [i64]) {}
    fn max(&self, _: &mut [i64]) {}
    fn scatter_sum(&self, _: &mut [Scattered<'_>]) {}
}

/// Sums that all get: few of them from copies, many from parts that workers sum for one another.
fn total<W: Wire>(exchange: &(impl Exchange + ?Sized), numbers: &mut [W]) {
    let (rank, workers) = (exchange.rank(), exchange.workers());
    // Of copies each worker sends one to each other; of parts, one to each and then the sums of its own to each.
    let [copies, parts] = [workers * (workers - 1), 2 * (workers - 1)];
    if (copies - parts.min(copies)) * numbers.len() * W::BYTES <= MESSAGE * workers {
        let own = bytes(numbers);
        let ask = Ask { verb: Verb::Sum, numbers: numbers.len() as u64 };
        let all = exchange.deal(ask, &vec![own.as_slice(); workers]);
        for (worker, others) in all.iter().enumerate().filter(|&(worker, _)| worker != rank) {
            fold(numbers, others, worker, W::plus);
        }
        return;
    }
    let parts = even_parts(numbers.len(), workers);
    exchange.scatter_sum(&mut [Scattered { sums: W::sums(numbers), cell: 1, parts: &parts }]);
    let all = exchange.gather(&bytes(&numbers[parts[rank].clone()]));
    for (worker, (others, part)) in all.iter().zip(parts).enumerate() {
        fold(&mut numbers[part], others, worker, |_, sum| sum);
    }
}

fn scatter(exchange: &(impl Exchange + ?Sized), arrays: &mut [Scattered<'_>]) {
    let rank = exchange.rank();
    let part_of = |worker: usize| {
        let mut bytes = Vec::new();
        for Scattered { sums, cell, parts } in arrays.iter().filter(|_| worker != rank) {
            match sums {
                Sums::Narrow(numbers) => append_cells(&numbers[parts[worker].clone()], *cell, &mut bytes),
                Sums::Wide(numbers) => append_cells(&numbers[parts[worker].clone()], *cell, &mut bytes),
            }
        }
        bytes
    };
    let own: Vec<Vec<u8>> = (0..exchange.workers()).map(part_of).collect();
    let dealt: Vec<&[u8]> = own.iter().map(Vec::as_slice).collect();
    let numbers = arrays.iter().map(|array| array.sums.len() as u64).sum();
    let all = exchange.deal(Ask { verb: Verb::ScatterSum, numbers }, &dealt);
    for (worker, mut rest) in all.iter().map(Vec::as_slice).enumerate().filter(|&(worker, _)| worker != rank)
    {
        for Scattered { sums, cell, parts } in &mut *arrays {
            let part = parts[rank].clone();
            match sums {
                Sums::Narrow(numbers) => add_cells(&mut numbers[part], *cell, &mut rest, worker),
                Sums::Wide(numbers) => add_cells(&mut numbers[part], *cell, &mut rest, worker),
            }
        }
        if !rest.is_empty() {
            Failure { worker, what: format!("gave {} bytes too many", rest.len()) }.raise();
        }
    }
}

/// Parts of about the same length, one for each worker.
pub fn even_parts(length: usize, workers: usize) -> Vec<Range<usize>> {
    (0..workers).map(|worker| length * worker / workers..length * (worker + 1) / workers).collect()
}
