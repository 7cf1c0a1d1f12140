//! Work without the interpreter's lock, on the pool, while the calling thread listens to signals.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use manyboost_data::{Error, ErrorKind};
use pyo3::prelude::*;
use rayon::ThreadPool;

use crate::errors::{bug, exception, no_threads};

/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(20);

/// Whether the user wants an end.
pub type Flag = AtomicBool;

/// What work says that saw the flag and ended early; nobody reads it.
pub fn interrupted() -> Error {
    Error::new(ErrorKind::Failed, "interrupted", "start again")
}

/// Does work that may look at memory of the caller. It must end soon after `stop` is set, which a signal does.
pub fn borrowed<T: Send>(
    py: Python<'_>,
    pool: &ThreadPool,
    stop: &Flag,
    work: impl FnOnce() -> manyboost_data::Result<T> + Send,
) -> PyResult<T> {
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (send, receive) = channel();
            let run = move || send.send(catch_unwind(AssertUnwindSafe(|| pool.install(work))));
            thread::Builder::new().spawn_scoped(scope, run).map_err(|error| no_threads(&error))?;
            let ended = next(&receive);
            stop.store(true, Ordering::Relaxed);
            ended
        })
    });
    result?.map_err(|panic| bug(&*panic))?.map_err(|error| exception(&error))
}

/// Does work that owns all that it looks at. After an interrupt control goes back at once; `stop` is set, and the work ends by
/// itself.
pub fn owned<T: Send + 'static>(
    py: Python<'_>,
    pool: Arc<ThreadPool>,
    work: impl FnOnce(&Flag) -> manyboost_data::Result<T> + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(Flag::new(false));
    let flag = Arc::clone(&stop);
    let result = py.detach(move || {
        let (send, receive) = channel();
        // Nobody listens any more after an interrupt.
        spawn(move || {
            let _ = send.send(catch_unwind(AssertUnwindSafe(|| pool.install(|| work(&flag)))));
        })?;
        let ended = next(&receive);
        stop.store(true, Ordering::Relaxed);
        ended
    });
    result?.map_err(|panic| bug(&*panic))?.map_err(|error| exception(&error))
}

/// Waits for something that others do, with an open ear for signals. After an interrupt control goes back at once.
pub fn waited<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> manyboost_data::Result<T> + Send + 'static,
) -> PyResult<T> {
    let result = py.detach(move || {
        let (send, receive) = channel();
        // Nobody listens any more after an interrupt.
        spawn(move || {
            let _ = send.send(catch_unwind(AssertUnwindSafe(work)));
        })?;
        next(&receive)
    });
    result?.map_err(|panic| bug(&*panic))?.map_err(|error| exception(&error))
}

/// Starts a thread, which the system may refuse.
pub fn spawn(run: impl FnOnce() + Send + 'static) -> PyResult<()> {
    thread::Builder::new().spawn(run).map(drop).map_err(|error| no_threads(&error))
}

/// Waits for a message, with an open ear for signals.
pub fn next<T>(receive: &Receiver<T>) -> PyResult<T> {
    loop {
        match receive.recv_timeout(TICK) {
            Ok(message) => return Ok(message),
            Err(RecvTimeoutError::Timeout) => Python::attach(signals)?,
            Err(RecvTimeoutError::Disconnected) => return Err(bug(&"a thread ended without a word")),
        }
    }
}

fn signals(py: Python<'_>) -> PyResult<()> {
    py.check_signals()
}
