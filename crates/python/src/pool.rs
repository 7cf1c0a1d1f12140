//! The threads that work for this process.
//!
//! A fork copies the memory of a process but none of its threads: a child that waited for those of its parent would wait for
//! ever. So each process has pools of its own, told apart by its number.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::no_threads;
use crate::numbers::{Any, count};

/// The pool of a process with so many threads.
struct Entry {
    process: u32,
    threads: usize,
    pool: Arc<ThreadPool>,
}

static POOLS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Most threads that may be asked for.
const MOST: usize = 1024;

/// A pool of so many threads; if nothing is said, as many as `OMP_NUM_THREADS` says (joblib sets it in its workers, so that
/// all of them together do not have more threads than there are cores), else one for each core.
///
/// Whoever calls holds the interpreter's lock, and so does whoever forks: no child finds `POOLS` locked.
pub fn pool(_: Python<'_>, threads: Option<Any<'_, '_>>) -> PyResult<Arc<ThreadPool>> {
    let threads = number_of(threads)?;
    let process = std::process::id();
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.iter().any(|entry| entry.process != process) {
        // The parent's threads are not here: waking them to end would wait for nobody.
        std::mem::forget(std::mem::take(&mut *pools));
    }
    if let Some(entry) = pools.iter().find(|entry| entry.threads == threads) {
        return Ok(Arc::clone(&entry.pool));
    }
    let pool = started(threads)?;
    pools.push(Entry { process, threads, pool: Arc::clone(&pool) });
    Ok(pool)
}

/// A pool that nobody else has: workers of one process wait for one another, and must not wait for one another's threads.
pub fn own_pool(threads: Option<Any<'_, '_>>) -> PyResult<Arc<ThreadPool>> {
    started(number_of(threads)?)
}

/// Threads that were asked for; 0 is one for each core.
fn number_of(threads: Option<Any<'_, '_>>) -> PyResult<usize> {
    let threads = threads.map(|threads| count("threads", threads, 1..=MOST as u64)).transpose()?;
    let usual = || std::env::var("OMP_NUM_THREADS").ok()?.parse().ok().filter(|n| (1..=MOST).contains(n));
    Ok(threads.or_else(usual).unwrap_or(0))
}

fn started(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(Arc::new(pool.map_err(|error| no_threads(&error))?))
}
