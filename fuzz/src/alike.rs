//! What has no meaning has no effect, to the last bit of the model's file: threads, a pause, the order of rows, a weight of 2 for
//! "twice" and of 0 for "not there".

use manyboost::model::Checkpoint;

use crate::Finding;
use crate::case::{Case, File, Run, Weighing};
use crate::training::POOLS;

pub(crate) fn check(case: &Case, run: &Run, file: &[u8]) -> Result<(), Finding> {
    let usual = case.file();
    for pool in [&POOLS[0], &POOLS[2]] {
        let threads = pool.current_num_threads();
        pool.install(|| same(case, &usual, None, file, &format!("{threads} threads")))?;
    }
    POOLS[1].install(|| {
        if let Some(paused) = &run.paused {
            let read = reread(paused)?;
            same(case, &usual, Some(&read), file, "a run that was resumed")?;
        }
        same(case, &reordered(&usual, &case.order), None, file, "another order of rows")?;
        match &case.weighing {
            Weighing::Counts(counts) => {
                let all = counts.iter().sum::<u32>() as usize;
                let repeated = repeated(counts, &case.order);
                debug_assert_eq!(repeated.rows.len(), all);
                same(case, &repeated, None, file, "rows repeated instead of weighed")
            }
            Weighing::Values(_) | Weighing::Alike => Ok(()),
        }
    })
}

/// A checkpoint, written and read.
fn reread(checkpoint: &Checkpoint) -> Result<Checkpoint, Finding> {
    let bytes = checkpoint.to_bytes();
    bytes
        .and_then(|bytes| Checkpoint::from_bytes(&bytes))
        .map_err(|error| Finding::mismatch(format!("a checkpoint is refused: {error}")))
}

fn reordered(file: &File, order: &[u32]) -> File {
    let rows = order.iter().map(|&at| file.rows[at as usize]).collect();
    let weights = file.weights.as_ref();
    let weights = weights.map(|weights| order.iter().map(|&at| weights[at as usize]).collect());
    File { rows, weights }
}

/// Every row as often as its count says, without weights.
fn repeated(counts: &[u32], order: &[u32]) -> File {
    let rows = order.iter().flat_map(|&row| std::iter::repeat_n(row, counts[row as usize] as usize));
    File { rows: rows.collect(), weights: None }
}

fn same(
    case: &Case,
    file: &File,
    earlier: Option<&Checkpoint>,
    wanted: &[u8],
    what: &str,
) -> Result<(), Finding> {
    let bytes = case.run(file, earlier).and_then(|run| run.model.to_bytes());
    match bytes {
        Ok(bytes) if bytes == wanted => Ok(()),
        Ok(_) => Err(Finding::mismatch(format!("{what}: another model"))),
        Err(error) => Err(Finding::mismatch(format!("{what}: {error}"))),
    }
}
