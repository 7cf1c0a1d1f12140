//! Random training: whatever is trained on is finite, consistent with itself, and the same whatever has no meaning.

use std::sync::LazyLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::case::Case;
use crate::{Finding, Outcome, Verdict, alike, predicted, refused};

/// Pools of 1, 2 and 3 threads.
pub(crate) static POOLS: LazyLock<[ThreadPool; 3]> = LazyLock::new(|| {
    [1, 2, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("three threads"))
});

pub(crate) fn train(bytes: &[u8]) -> Outcome {
    let case = Case::draw(bytes);
    let usual = case.file();
    let run = match POOLS[1].install(|| case.run(&usual, None)) {
        Ok(run) => run,
        Err(error) => return refused(&error),
    };
    let file = run.model.to_bytes();
    let file = file.map_err(|error| Finding::mismatch(format!("a trained model has no file: {error}")))?;
    POOLS[1].install(|| predicted::check(&case, &run, &file))?;
    alike::check(&case, &run, &file)?;
    Ok(Verdict::Accepted)
}
