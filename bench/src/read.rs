//! Reading a file, and reading plus binning: seconds and bytes per value.

use std::time::Instant;

use manyboost_data::prepare;
use serde_json::json;

use crate::args::{Args, Failure, table};
use crate::memory;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let path = args.file.as_ref().or(args.train.as_ref()).ok_or("which file?")?;
    let before = memory::peak();
    let start = Instant::now();
    let table = table(path)?;
    let read = start.elapsed().as_secs_f64();
    let read_peak = memory::peak();
    let (rows, columns) = (table.rows, table.columns.len());
    let start = Instant::now();
    let prepared = prepare(table, &args.prepare())?;
    let bin = start.elapsed().as_secs_f64();
    let peak = memory::peak();
    let values = (rows * columns).max(1) as f64;
    let result = json!({
        "rows": rows,
        "columns": columns,
        "features": prepared.dataset.bins.features().len(),
        "seconds": read,
        "bin": bin,
        "rss_start": before,
        "rss_read": read_peak,
        "rss": peak,
        "bytes_per_value": peak as f64 / values,
    });
    println!("{result}");
    Ok(())
}
