//! Files for the corpus that are too big, too binary or too broken to be kept.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use manyboost::model::answers::Answers;
use manyboost::model::file::format;
use manyboost::model::hypothesis::Cells;
use manyboost::model::tree::{Child, Node, Test};
use manyboost::model::{Checkpoint, Model};
use parquet::column::writer::ColumnWriter;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

/// Names and bytes; a name that ends with a slash is a folder.
pub type Files = Vec<(&'static str, Vec<u8>)>;

/// One CSV file.
pub fn csv(text: impl AsRef<[u8]>) -> Files {
    vec![("d.csv", text.as_ref().to_vec())]
}

/// A header and so many rows.
pub fn rows(header: &str, rows: usize, row: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = format!("{header}\n");
    for i in 0..rows {
        text += &row(i);
        text.push('\n');
    }
    text.into_bytes()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// A small file that unpacks to 200 MB of empty lines.
pub fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(b"x,class\n1,a\n").expect("memory");
    let lines = vec![b'\n'; 1 << 20];
    for _ in 0..200 {
        encoder.write_all(&lines).expect("memory");
    }
    encoder.finish().expect("memory")
}

/// A Parquet file of one column of this field, beside a column `i`.
pub fn parquet(field: &str, groups: usize) -> Vec<u8> {
    let schema = Arc::new(
        parse_message_type(&format!("message m {{ {field} required int32 i; }}")).expect("a schema"),
    );
    let mut out = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut out, schema, Arc::new(WriterProperties::default())).expect("a writer");
    for _ in 0..groups {
        let mut group = writer.next_row_group().expect("a group");
        while let Some(mut column) = group.next_column().expect("a column") {
            match column.untyped() {
                ColumnWriter::Int32ColumnWriter(w) => w.write_batch(&[1, 2, 3], None, None).expect("values"),
                ColumnWriter::Int64ColumnWriter(w) => w.write_batch(&[1, 2, 3], None, None).expect("values"),
                _ => panic!("no such column here"),
            };
            column.close().expect("a column");
        }
        group.close().expect("a group");
    }
    writer.close().expect("a file");
    out
}

/// A footer whose list claims 2^27 elements.
pub fn list_bomb() -> Vec<u8> {
    let mut footer = vec![0x15, 2, 0x19, 0xFC, 0x80, 0x80, 0x80, 0x40];
    footer.resize(footer.len() + 100, 0);
    let mut file = b"PAR1".to_vec();
    file.extend_from_slice(&footer);
    file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    file.extend_from_slice(b"PAR1");
    file
}

/// Changes the bytes of the model `m.pb`.
fn bytes(folder: &Path, change: impl Fn(&mut Vec<u8>)) {
    let path = folder.join("m.pb");
    let mut bytes = std::fs::read(&path).expect("a model");
    change(&mut bytes);
    std::fs::write(&path, bytes).expect("a model");
}

pub fn truncate(folder: &Path) {
    bytes(folder, |bytes| bytes.truncate(bytes.len() / 2));
}

pub fn flip(folder: &Path) {
    bytes(folder, |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 16;
    });
}

/// The format's number comes right after the magic.
pub fn newer(folder: &Path) {
    bytes(folder, |bytes| bytes[8..12].copy_from_slice(&99u32.to_le_bytes()));
}

/// The first test of a model.
fn root(model: &mut Model) -> &mut Node {
    let Cells::Tree(tree) = &mut model.ensemble.rounds[0][0].hypothesis.cells else { panic!("a tree") };
    &mut tree.nodes[0]
}

/// Changes the content of the model `m.pb`; its checksums are right.
fn content(folder: &Path, change: impl Fn(&mut Model)) {
    let path = folder.join("m.pb");
    let mut model = Model::load(&path).expect("a model");
    change(&mut model);
    std::fs::write(&path, format::encode(&model).expect("bytes")).expect("a model");
}

pub fn child_out_of_range(folder: &Path) {
    content(folder, |model| root(model).left = Child::Node(1000));
}

pub fn cycle(folder: &Path) {
    content(folder, |model| root(model).left = Child::Node(0));
}

pub fn feature_out_of_range(folder: &Path) {
    content(folder, |model| root(model).feature = 1000);
}

pub fn threshold_not_a_number(folder: &Path) {
    content(folder, |model| root(model).test = Test::AtMost(f64::NAN));
}

pub fn answers_too_short(folder: &Path) {
    content(folder, |model| {
        if let Answers::Vectors { values, .. } = &mut model.ensemble.rounds[0][0].hypothesis.answers {
            values.pop();
        }
    });
}

pub fn trailing(folder: &Path) {
    bytes(folder, |bytes| bytes.push(0));
}

/// The checkpoint `c` as another version would have written it.
pub fn older_checkpoint(folder: &Path) {
    let path = folder.join("c");
    let mut checkpoint = Checkpoint::load(&path).expect("a checkpoint");
    checkpoint.model.version = "0.0.1".into();
    checkpoint.save(&path).expect("a checkpoint");
}
