//! Tables in, encoded data out.
//!
//! A reader gives a [`Table`]; a [`Plan`] told it what each column is for. [`prepare`] turns the table into what the
//! kernel works on (codes, labels, integer weights) together with the [`Schema`] and the [`Encoder`] that a model
//! keeps, so that [`apply`] can give other tables the same codes.

pub mod agree;
pub mod dataset;
pub mod encode;
pub mod error;
pub mod generate;
pub mod labels;
pub mod memory;
pub mod read;
pub mod schema;
pub mod table;
pub mod text;
mod time;
pub mod weights;
pub mod wording;
pub mod write;

// In the versions whose arrays and batches tables are made of.
#[cfg(feature = "ndarray")]
pub use ndarray;
#[cfg(feature = "arrow")]
pub use {arrow_array, arrow_schema};

pub use dataset::{
    Applied, Dataset, PrepareOptions, Prepared, apply, apply_among, prepare, prepare_among, prepare_columns,
    prepare_columns_among,
};
pub use encode::{EncodeOptions, Encoder, Remarks};
pub use error::{Error, ErrorKind, Message, Result, with_parameters};
pub use labels::Labels;
pub use read::{Limits, read, read_blocks};
pub use schema::dialect::{Decimal, Dialect};
pub use schema::plan::{PredictionPlan, TrainingPlan};
pub use schema::role::{Clock, Kind, Plan, Role};
pub use schema::{FeatureSpec, Schema, TargetSpec};
pub use table::builder::TableBuilder;
pub use table::contents::contents;
pub use table::fingerprint::{fingerprint, row_hashes};
pub use table::frame::{Frame, FrameColumn};
pub use table::row::{Cell, RowReader};
pub use table::source::{ColumnSource, RowSubset};
pub use table::split::{Line, Part, Split};
pub use table::suspect::numbers_for_names;
pub use table::{Column, Numbers, Table, Values, Words};
pub use time::Part as TimePart;
pub use weights::Weights;
pub use weights::class_weights::ClassWeights;
pub use wording::{nearest, visible, visible_lines};
pub use write::pack::{Packer, Packing};
pub use write::{Form, write_csv, write_number, write_table, write_text};
