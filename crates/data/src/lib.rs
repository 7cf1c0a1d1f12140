//! Tables in, encoded data out.
//!
//! A reader gives a [`Table`]; a [`Plan`] told it what each column is for. [`prepare`] turns the table into what the
//! kernel works on (codes, labels, integer weights) together with the [`Schema`] and the [`Encoder`] that a model
//! keeps, so that [`apply`] can give other tables the same codes.

mod class_weights;
pub mod dataset;
pub mod encode;
pub mod error;
pub mod fingerprint;
pub mod frame;
pub mod generate;
pub mod labels;
pub mod lent;
pub mod plan;
pub mod read;
pub mod role;
mod say;
pub mod schema;
mod select;
pub mod split;
pub mod table;
pub mod weights;
pub mod write;

pub use class_weights::ClassWeights;
pub use dataset::{Applied, Dataset, PrepareOptions, Prepared, apply, prepare, prepare_lent};
pub use encode::{EncodeOptions, Encoder};
pub use error::{Error, ErrorKind, Result};
pub use fingerprint::{fingerprint, row_hashes};
pub use frame::{Frame, FrameColumn};
pub use labels::Labels;
pub use lent::{Lent, SomeRows};
pub use plan::{PredictionPlan, TrainingPlan};
pub use read::{Limits, read};
pub use role::{Kind, Plan, Role};
pub use say::nearest;
pub use schema::{FeatureSpec, Schema, TargetSpec};
pub use split::{folds, split};
pub use table::{Column, Numbers, Table, Values, Words};
pub use weights::Weights;
pub use write::write_csv;
