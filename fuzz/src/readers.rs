//! Readers: any bytes are a table or an error with words, whatever the size of blocks; and a table can be trained on.

use std::sync::LazyLock;

use manyboost::engine::train::Training;
use manyboost::model::Model;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::read::{
    read_arff_from, read_csv_from, read_libsvm_from, read_parquet_from, read_tsv_from,
};
use manyboost_data::{
    Decimal, Dialect, Frame, Limits, PrepareOptions, Prepared, Result, Table, TrainingPlan, prepare, read,
};
use tempfile::TempDir;

use crate::training::POOLS;
use crate::{Draw, Finding, Outcome, Verdict, predicted, refused};

/// Small enough that all limits are met, and that nothing takes long.
fn limits(block_bytes: usize) -> Limits {
    Limits {
        columns: 4096,
        rows: 1 << 16,
        expansion_from: 1 << 20,
        block_bytes,
        sample_bytes: 64,
        ..Limits::default()
    }
}

const PLAN: TrainingPlan = TrainingPlan {
    target: None,
    labels: None,
    weight: None,
    ignore: vec![],
    categorical: vec![],
    text: vec![],
    dialect: Dialect::USUAL,
};

/// Two bytes, how it is packed and the size of a block; then the file.
pub(crate) fn csv(bytes: &[u8]) -> Outcome {
    let mut draw = Draw::new(bytes);
    let ending = draw.of(&["csv", "tsv", "csv.gz", "csv.zst"]);
    let block = draw.within(1..=64);
    let content = draw.rest();
    if ending.len() > 3 {
        return used(packed(content, ending));
    }
    let read = |block_bytes: usize| match ending {
        "csv" => read_csv_from(content, "d.csv", &PLAN, &limits(block_bytes)),
        _ => read_tsv_from(content, "d.tsv", &PLAN, &limits(block_bytes)),
    };
    blocks_do_not_matter(block, read)
}

/// How a file is said to be written, two bytes, the size of a block; then the file.
pub(crate) fn dialect(bytes: &[u8]) -> Outcome {
    let mut draw = Draw::new(bytes);
    let encodings = ["", "latin1", "utf-16", "utf-16be", "shift_jis", "gb18030", "klingon"];
    let dialect = Dialect {
        delimiter: draw.of(&[None, Some(b','), Some(b';'), Some(b'\t'), Some(b'|'), Some(b' '), Some(b'"')]),
        decimal: draw.of(&[None, Some(Decimal::Point), Some(Decimal::Comma)]),
        no_header: draw.of(&[false, true]),
        encoding: Some(draw.of(&encodings)).filter(|name| !name.is_empty()).map(str::to_owned),
        quote: draw.of(&[None, Some(0), Some(b'\'')]),
        missing: if draw.one_in(2) { vec!["-".to_owned(), "999".to_owned()] } else { Vec::new() },
        dates: None,
    };
    let plan = TrainingPlan { dialect, ..PLAN };
    let block = draw.within(1..=64);
    let content = draw.rest();
    blocks_do_not_matter(block, |block_bytes| read_csv_from(content, "d.csv", &plan, &limits(block_bytes)))
}

pub(crate) fn arff(bytes: &[u8]) -> Outcome {
    let mut draw = Draw::new(bytes);
    let block = draw.within(1..=64);
    let content = draw.rest();
    blocks_do_not_matter(block, |block_bytes| read_arff_from(content, "d.arff", &PLAN, &limits(block_bytes)))
}

pub(crate) fn libsvm(bytes: &[u8]) -> Outcome {
    let mut draw = Draw::new(bytes);
    let block = draw.within(1..=64);
    let content = draw.rest();
    blocks_do_not_matter(block, |block_bytes| read_libsvm_from(content, "d.svm", &PLAN, &limits(block_bytes)))
}

pub(crate) fn parquet(bytes: &[u8]) -> Outcome {
    used(read_parquet_from(bytes.to_vec(), "d.parquet", &PLAN, &limits(1 << 20)))
}

/// Reads a file by its name.
fn packed(content: &[u8], ending: &str) -> Result<Table> {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));
    let path = FOLDER.path().join(format!("d.{ending}"));
    std::fs::write(&path, content).expect("a temporary file");
    read(&path.to_string_lossy(), &PLAN, &limits(1 << 20))
}

fn blocks_do_not_matter(block: usize, read: impl Fn(usize) -> Result<Table>) -> Outcome {
    let (whole, parts) = (read(1 << 20), read(block));
    let shown = |read: &Result<Table>| match read {
        Ok(table) => format!("{} rows {:?}", table.rows, table.columns),
        Err(error) => error.to_string(),
    };
    if shown(&whole) != shown(&parts) {
        let what = format!("blocks of {block}: {} / {}", shown(&whole), shown(&parts));
        return Err(Finding::mismatch(what));
    }
    used(whole)
}

/// Trains on what was read, if that takes no time, and predicts.
fn used(table: Result<Table>) -> Outcome {
    let table = match table {
        Ok(table) => table,
        Err(error) => return refused(&error),
    };
    if table.rows > 400 || table.columns.len() > 64 {
        return Ok(Verdict::Accepted);
    }
    match POOLS[1].install(|| trained(&table)) {
        Ok((model, frame)) => predicted::frame(&model, &frame).map(|()| Verdict::Accepted),
        Err(error) => refused(&error),
    }
}

fn trained(table: &Table) -> Result<(Model, Frame)> {
    let prepared = prepare(table.clone(), &PrepareOptions::default())?;
    let options = [("rounds".to_string(), "2".to_string())];
    let setup = Setup::new("mcboost", Options::new(options))?.for_data(&prepared.dataset)?;
    let Prepared { dataset, encoder, schema, .. } = prepared;
    let outcome = Training::new(&setup.plan(1, None), &dataset, &encoder).outcome()?;
    let frame = Frame::new(table.clone(), &encoder)?;
    Ok((Model::new(schema, encoder, &setup, 1, outcome), frame))
}
