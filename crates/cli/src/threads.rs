//! The threads that work for this process: as many as were asked for, or as many as the system gives.
//!
//! The pool of rayon is made once, and a pool that cannot be made is a panic wherever it is first needed. So the threads are
//! started here, before anything else, and those that came are the pool. Models do not depend on how many they are.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use manyboost_data::{Error, ErrorKind};
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::failure::Outcome;
use crate::inputs::number;
use crate::messages;

/// Whether the system gave fewer threads than were wanted.
static SCARCE: AtomicBool = AtomicBool::new(false);

/// Whether no more threads should be asked for.
pub fn scarce() -> bool {
    SCARCE.load(Ordering::Relaxed)
}

/// Starts as many threads as `--threads` says, or one for each core.
pub fn start(option: Option<&str>) -> Outcome {
    let fine = |n: &usize| (1..=1024).contains(n);
    let wanted = match option {
        Some(text) => number("--threads", text, fine, "a whole number from 1 to 1,024")?,
        None => usual(),
    };
    let waiting: Vec<Waiting> = (0..wanted).map_while(|_| Waiting::new()).collect();
    let started = waiting.len();
    if started < wanted {
        SCARCE.store(true, Ordering::Relaxed);
        messages::note(&format!(
            "{started} of {wanted} threads could be started, which is all that the system allows (ulimit -u, memory): the result is the \
             same, later"
        ));
    }
    let pool = ThreadPoolBuilder::new().num_threads(started.max(1));
    let made = if started == 0 {
        pool.use_current_thread().build_global()
    } else {
        pool.spawn_handler(|worker| waiting[worker.index()].work(worker)).build_global()
    };
    made.map_err(|error| {
        let what = format!("the threads to work with cannot be made ready ({error})");
        Error::new(ErrorKind::Failed, what, "try again with --threads 1").into()
    })
}

/// As many as rayon would take: what its variable says, or one for each core.
fn usual() -> usize {
    let said = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    said.filter(|n| *n > 0).unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from))
}

/// A thread that waits for its place in the pool; without one it ends.
struct Waiting(SyncSender<ThreadBuilder>);

impl Waiting {
    fn new() -> Option<Self> {
        let (give, take) = sync_channel::<ThreadBuilder>(1);
        let run = move || {
            if let Ok(worker) = take.recv() {
                worker.run();
            }
        };
        thread::Builder::new().spawn(run).ok().map(|_| Self(give))
    }

    fn work(&self, worker: ThreadBuilder) -> io::Result<()> {
        self.0.send(worker).map_err(|_| io::Error::other("a thread has ended"))
    }
}
