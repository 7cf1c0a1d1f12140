//! Every multiclass boosting algorithm on one engine.
//!
//! All of them keep a matrix of scores, one row for each example, and repeat:
//!
//! ```text
//! scores ──booster──▶ channels + a vote ──weak learner──▶ hypothesis h
//!    ▲                                                        │
//!    └─────────── scores += α · h ◀──────── step α ◀──────────┘
//! ```
//!
//! A [`Booster`](booster::Booster) turns scores into **channels** (the numbers of each row whose sums over a region are all
//! that a learner must know of it), says what a region may answer (its [`Vote`](votes::Vote)), and how far to go with the
//! hypothesis that was found. It keeps no state: weights, costs and residuals are functions of the scores. The loop in
//! [`train`](mod@train) owns everything else, and the [`registry`] is the only list of names.
//!
//! The one design choice: every sum over rows is an exact integer sum, and scores are multiples of 2⁻³⁶. So a model is the same
//! to the bit for any order of rows and any number of threads, a row of weight 2 is the row twice, and a run that
//! goes on where another ended gives what one long run gives.
//!
//! # Example
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use manyboost::data::{PrepareOptions, apply, generate, prepare};
//! use manyboost::metrics::quality;
//! use manyboost::options::Options;
//! use manyboost::predict::Predictor;
//! use manyboost::registry::Setup;
//! use manyboost::train::{Watched, train};
//!
//! # fn main() -> manyboost::data::Result<()> {
//! // Three overlapping Gaussians; no classifier does better than about 11 % error. (A file: `data::read`.)
//! let (_, _, gaussians) = generate::generator("gaussians").expect("there is one");
//! let prepared = prepare(gaussians(1000, 1), &PrepareOptions::default())?;
//! let test = apply(gaussians(1000, 2), &prepared.schema, &prepared.encoder)?;
//!
//! // A booster and its options by name; whatever is unknown or out of range is an error that says so.
//! let options = [("rounds", "40"), ("leaves", "4")].map(|(name, value)| (name.into(), value.into()));
//! let setup = Setup::new("mcboost", Options::new(options))?.for_data(&prepared.dataset)?;
//! let plan = setup.plan(1, None);
//! let watched = Watched { test: Some(&test), ..Watched::default() };
//! let never = AtomicBool::new(false);
//! let outcome = train(&plan, &prepared.dataset, &prepared.encoder, watched, None, &never, &mut ())?;
//!
//! let predictor = Predictor::new(&outcome.ensemble, usize::MAX);
//! let scores = predictor.scores(&test.frame);
//! let error = quality(&scores, outcome.ensemble.reading.link, &test.labels, &test.weights).error;
//! assert!(error < 0.15, "error {error}");
//! // The history knew it already.
//! assert_eq!(outcome.history.last().and_then(|round| round.test_error), Some(error));
//!
//! let probabilities = predictor.probabilities(&test.frame);
//! assert!((probabilities.row(0).iter().sum::<f64>() - 1.0).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```

pub mod answers;
pub mod background;
pub mod booster;
pub mod boosters;
pub mod bounds;
pub mod by_rows;
pub mod code;
pub mod codewords;
pub mod costs;
pub mod counts;
mod draws;
pub mod ensemble;
pub mod epochs;
pub mod history;
pub mod hypothesis;
pub mod importance;
pub mod intake;
pub mod learners;
pub mod linear;
pub mod losses;
pub mod margins;
pub mod matrix;
pub mod memory;
pub mod metrics;
pub mod model;
pub mod options;
pub mod predict;
pub mod reading;
pub mod registry;
mod run;
pub mod scores;
pub mod search;
mod seen;
mod temperature;
pub mod theory;
pub mod train;
pub mod tree;
pub mod votes;
pub mod write;

pub use manyboost_data as data;
