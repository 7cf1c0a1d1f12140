//! What a run is told beside its rows, checked.

use manyboost::engine::job::Choices;
use manyboost::evaluate::metric::Metric;
use manyboost_data::{PrepareOptions, Split};

use crate::args::TrainArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, number};

/// Rounds between two checkpoints, if nothing is said.
const EVERY: usize = 50;

/// The numbers among the arguments, checked.
pub struct RunOptions {
    pub fraction: Option<f64>,
    pub patience: Option<usize>,
    pub metric: Metric,
    pub split: Split,
    pub every: usize,
    pub prepare: PrepareOptions,
}

impl RunOptions {
    pub fn new(args: &TrainArgs) -> Outcome<Self> {
        let watch = &args.watch;
        let whole = "a whole number of at least 1";
        let patience =
            watch.patience.as_deref().map(|n| number("--patience", n, |n| *n >= 1, whole)).transpose()?;
        if patience.is_some() && watch.valid.is_none() {
            return Err(wrong(
                "--patience needs rows to validate on",
                "add --valid 0.2 (a fraction) or --valid DATA",
            ));
        }
        let every = watch.every.as_deref().map(|n| number("--every", n, |n| *n >= 1, whole)).transpose()?;
        if (every.is_some() || watch.resume) && watch.checkpoint.is_none() {
            let option = if watch.resume { "--resume" } else { "--every" };
            return Err(wrong(format!("{option} needs a checkpoint"), "add --checkpoint FILE"));
        }
        let metric = watch.metric.as_deref().map(str::parse).transpose()?.unwrap_or_default();
        let prepare = inputs::learning_options(&args.learn)?;
        let fraction =
            watch.valid.as_deref().map(|valid| inputs::fraction("--valid", valid)).transpose()?.flatten();
        let split = watch.split.as_deref().map(str::parse).transpose()?;
        if split.is_some() && fraction.is_none() {
            let what = "--split is for a fraction of the rows, and --valid names a file";
            return Err(wrong(what, "leave --split out, or give --valid 0.2"));
        }
        let split = split.unwrap_or_default();
        Ok(Self { fraction, patience, metric, split, every: every.unwrap_or(EVERY), prepare })
    }

    /// What a run is, beside its rows and the options of its booster.
    pub fn choices(&self, seed: u64) -> Choices {
        let Self { patience, metric, split, fraction: held_out, .. } = *self;
        Choices { seed, patience, metric, split, held_out, encode: self.prepare.encode }
    }
}
