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
//! A [`Booster`](spec::booster::Booster) turns scores into **channels** (the numbers of each row whose sums over a region are all
//! that a learner must know of it), says what a region may answer (its [`Vote`](votes::Vote)), and how far to go with the
//! hypothesis that was found. It keeps no state: weights, costs and residuals are functions of the scores. The loop in
//! [`train`](engine::train) owns everything else, and the [`registry`](spec::registry) is the only list of names.
//!
//! The one design choice: every sum over rows is an exact integer sum, and scores are multiples of 2⁻³⁶. So a model is the same
//! to the bit for any order of rows and any number of threads, a row of weight 2 is the row twice, and a run that
//! goes on where another ended gives what one long run gives.
//!
//! # Quick start
//!
//! ```
//! use manyboost::prelude::*;
//!
//! # fn main() -> manyboost::data::Result<()> {
//! # let folder = tempfile::tempdir().expect("a folder");
//! # std::env::set_current_dir(&folder).expect("a folder");
//! # let gaussians = manyboost::data::generate::generator("gaussians").expect("there is one").2;
//! # for (name, seed) in [("train.csv", 1), ("test.csv", 2)] {
//! #     let file = std::fs::File::create(name).expect("a file");
//! #     manyboost::data::write_csv(&gaussians(1000, seed), &mut std::io::BufWriter::new(file)).expect("rows");
//! # }
//! let table = Table::read("train.csv")?;
//! let model = McBoost::new().rounds(200).leaves(64).valid(0.2).patience(20).fit(&table)?;
//! let votes = Boost::named("mm").rounds(50).option("step", "exact").fit(&table)?; // any booster, options by name
//! println!("{}", model.evaluate(&Table::read("test.csv")?)?);
//! model.save("letter.model")?;
//! let answers = Model::load("letter.model")?.predict(&table)?;
//! # assert_eq!(answers.len(), 1000);
//! # assert!(model.evaluate(&Table::read("test.csv")?)?.error < 0.15);
//! # assert!(votes.evaluate(&table)?.error < 0.15);
//! # Ok(())
//! # }
//! ```
//!
//! The [`guide`] has pages on data and boosters; on a booster, a learner and a loss of your own, and reproducibility. Below this door, [`data::prepare`] turns a table into what training works on, a [`Setup`](spec::registry::Setup) resolves a
//! booster and its options by name, and a [`Job`](engine::job::Job) trains.

pub mod boosters;
mod builder;
pub mod codes;
pub mod corrective;
pub mod engine;
pub mod evaluate;
pub mod explain;
pub mod files;
pub mod guide;
pub mod learners;
pub mod losses;
pub mod model;
pub mod predict;
pub mod spec;
mod text;
pub mod theory;
pub mod votes;

pub use builder::{Boost, McBoost};
pub use manyboost_data as data;
pub use manyboost_kernel as kernel;

/// What most programs need: `use manyboost::prelude::*;`.
pub mod prelude {
    pub use manyboost_data::{Cell, ClassWeights, Table, TrainingPlan};

    pub use crate::builder::{Boost, McBoost};
    pub use crate::engine::train::{Observer, Round};
    pub use crate::evaluate::metric::Metric;
    pub use crate::model::{Checkpoint, Model};
}
