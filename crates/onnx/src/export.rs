//! From a model to a file that was laid beside it.

use manyboost::model::Model;
use manyboost_data::{Error, ErrorKind, Result, Table};

use crate::build::{ClassNames, build};
use crate::probe::{Difference, probe};

/// Larger files are not ONNX any more.
const LARGEST: usize = i32::MAX as usize;
/// A probability that is farther off is a bug of ours.
const ALLOWED: f64 = 1e-5;

/// The file of a model, and how far it is from the model on these rows: refused if that is more than rounding.
pub fn export(model: &Model, names: ClassNames, rows: &Table) -> Result<(Vec<u8>, Difference)> {
    let graph = build(model, names)?;
    let difference = probe(model, &graph, rows)?;
    let Difference { probabilities, rows, .. } = difference;
    if probabilities > ALLOWED {
        let what =
            format!("the graph is not the model: probabilities differ by {probabilities:.1e} in {rows} rows");
        return Err(Error::new(ErrorKind::Failed, what, "please report it together with the model"));
    }
    let bytes = graph.to_bytes();
    if bytes.len() > LARGEST {
        let what = format!("the file would have {} bytes, and ONNX allows {LARGEST}", bytes.len());
        return Err(Error::new(ErrorKind::Failed, what, "train fewer rounds or smaller trees"));
    }
    Ok((bytes, difference))
}
