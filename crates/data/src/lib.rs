//! Tables in, encoded data out.
//!
//! A reader gives a [`Table`]; a [`Plan`] told it what each column is for. [`prepare`] turns the table into what the
//! kernel works on (codes, labels, integer weights) together with the [`Schema`] and the [`Encoder`] that a model
//! keeps, so that [`apply`] can give other tables the same codes.

mod class_weights;
mod contents;
pub mod dataset;
mod dress;
pub mod encode;
pub mod error;
pub mod fingerprint;
pub mod frame;
pub mod generate;
pub mod labels;
pub mod memory;
mod names;
mod pack;
pub mod plan;
pub mod read;
pub mod role;
pub mod say;
mod scaled;
pub mod schema;
mod select;
pub mod source;
pub mod split;
mod suspect;
pub mod table;
mod table_builder;
pub mod weights;
pub mod write;

pub use class_weights::ClassWeights;
pub use contents::contents;
pub use dataset::{Applied, Dataset, PrepareOptions, Prepared, apply, prepare, prepare_columns};
pub use encode::{EncodeOptions, Encoder, Remarks};
pub use error::{Error, ErrorKind, Result};
pub use fingerprint::{fingerprint, row_hashes};
pub use frame::{Frame, FrameColumn};
pub use labels::Labels;
pub use pack::{Packer, Packing};
pub use plan::{PredictionPlan, TrainingPlan};
pub use read::{Limits, read, read_blocks};
pub use role::{Kind, Plan, Role};
pub use say::{nearest, visible, visible_lines};
pub use schema::{FeatureSpec, Schema, TargetSpec};
pub use source::{ColumnSource, RowSubset};
pub use split::{Line, Part};
pub use suspect::numbers_for_names;
pub use table::{Column, Numbers, Table, Values, Words};
pub use table_builder::TableBuilder;
pub use weights::Weights;
pub use write::{Form, write_csv, write_table, write_text};
