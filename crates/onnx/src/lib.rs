//! Models as ONNX graphs.
//!
//! All trees of a model are one `TreeEnsembleRegressor` (`ai.onnx.ml`, version 3) with a target for each score, and a few plain operators
//! read classes and probabilities off its sums. Values, thresholds and answers are doubles, so every row takes the same way through
//! every tree as in the model, whatever its values; only the sums come out of the operator in single precision. So labels are equal unless two
//! scores are closer than that can tell, and probabilities differ by about 10⁻⁷.
//!
//! The graph is a small data structure of ours: [`Graph::to_bytes`] writes it in the wire format, [`Graph::run`] computes it, so an export
//! can be checked where it is made.

mod boundary_rows;
mod build;
mod calendar;
mod elections;
mod export;
mod graph;
mod probe;
mod protobuf;
mod reading;
mod run;
mod trees;
mod wire;

pub use boundary_rows::boundary_rows;
pub use build::{ClassNames, build};
pub use export::export;
pub use graph::Graph;
pub use probe::{Difference, probe};
pub use run::{Input, Output};
