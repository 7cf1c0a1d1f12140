//! Parquet as other programs pack and encode it, and files that claim more than they hold.
#![cfg(feature = "parquet")]

mod common;

use std::sync::Arc;

use common::{PLAN, cells, dump, refused};
use manyboost_data::read::{read, read_parquet_from};
use manyboost_data::{ErrorKind, Limits, Result, Table};
use parquet::basic::{Compression, Encoding, GzipLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

fn parquet(bytes: &[u8], limits: &Limits) -> Result<Table> {
    read_parquet_from(bytes.to_vec(), "d.parquet", &PLAN, limits)
}

/// A file of pyarrow's.
fn packed(name: &str) -> Table {
    let path = format!("{}/tests/packed/{name}.parquet", env!("CARGO_MANIFEST_DIR"));
    let table = read(&path, &PLAN, &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    Table { source: "d.parquet".into(), ..table }
}

#[test]
fn every_packing_and_encoding_is_read() {
    let plain = packed("plain");
    assert_eq!(plain.rows, 60);
    assert_eq!(cells(&plain, "id")[7].as_deref(), Some("row-007-of-60"));
    assert_eq!((cells(&plain, "x")[3].as_deref(), cells(&plain, "x")[4].as_deref()), (None, Some("0.5")));
    for name in ["lz4-1", "lz4-2", "brotli-1", "brotli-2", "gzip-1", "gzip-2", "delta", "delta-2"] {
        assert_eq!(dump(&packed(name)), dump(&plain), "{name}");
    }
}

/// Writes a file of one column, which `fill` fills.
fn written(field: &str, properties: WriterPropertiesBuilder, fill: impl Fn(&mut ColumnWriter)) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(&format!("message m {{ required {field}; }}")).unwrap());
    let mut out = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut out, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    fill(column.untyped());
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    out
}

fn texts(values: &[String], properties: WriterPropertiesBuilder) -> Vec<u8> {
    let values: Vec<ByteArray> = values.iter().map(|text| ByteArray::from(text.as_str())).collect();
    written("binary c! (UTF8)", properties, |writer| match writer {
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            writer.write_batch(&values, None, None).unwrap();
        }
        _ => panic!("texts"),
    })
}

fn plain() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_dictionary_enabled(false)
}

#[test]
fn the_framing_of_hadoop_is_read() {
    let values: Vec<String> = (0..500).map(|i| format!("text {i}")).collect();
    let want = dump(&parquet(&texts(&values, plain()), &Limits::default()).unwrap());
    for packing in [Compression::LZ4, Compression::LZ4_RAW] {
        let file = texts(&values, plain().set_compression(packing));
        assert_eq!(dump(&parquet(&file, &Limits::default()).unwrap()), want, "{packing}");
    }
}

/// 300 numbers in blocks of 128, of four miniblocks: how the delta-encoded lengths of 300 texts begin.
const LENGTHS: [u8; 5] = [0x80, 0x01, 4, 0xAC, 0x02];

#[test]
fn counts_inside_of_pages_are_not_believed() {
    let values: Vec<String> = (0..300).map(|i| format!("{}{i}", "x".repeat(i % 7))).collect();
    for (encoding, streams) in [(Encoding::DELTA_LENGTH_BYTE_ARRAY, 1), (Encoding::DELTA_BYTE_ARRAY, 2)] {
        let file = texts(&values, plain().set_encoding(encoding));
        assert_eq!(parquet(&file, &Limits::default()).unwrap().rows, 300);
        let places: Vec<usize> = (0..file.len() - 5).filter(|&at| file[at..at + 5] == LENGTHS).collect();
        assert_eq!(places.len(), streams, "{encoding}");
        for at in places {
            // A few too many, and two thousand millions: room for these was asked for.
            for count in [&[0xAD, 0x02][..], &[0xFF, 0xFF, 0xFF, 0xFF, 0x07]] {
                let mut hostile = file.clone();
                hostile[at + 3..at + 3 + count.len()].copy_from_slice(count);
                refused(parquet(&hostile, &Limits::default()), &["damaged", "other values than it claims"]);
            }
        }
    }
}

#[test]
fn texts_that_share_all_but_nothing_stay_small() {
    // A thousand times 100,000 bytes, of which a page has but one.
    let values = vec!["x".repeat(100_000); 1000];
    let properties = plain().set_encoding(Encoding::DELTA_BYTE_ARRAY).set_data_page_size_limit(1 << 30);
    let file = texts(&values, properties);
    assert!(file.len() < 200_000, "{} bytes", file.len());
    let error = refused(parquet(&file, &Limits::default()), &["100,000,000 bytes of text"]);
    assert_eq!(error.kind(), ErrorKind::Limit);
}

/// Rows of one number.
fn constant(rows: usize, properties: WriterPropertiesBuilder) -> Vec<u8> {
    written("double x", properties, |writer| match writer {
        ColumnWriter::DoubleColumnWriter(writer) => {
            writer.write_batch(&vec![0.1; rows], None, None).unwrap();
        }
        _ => panic!("numbers"),
    })
}

#[test]
fn a_file_grows_in_proportion() {
    let file = constant(300_000, WriterProperties::builder());
    assert!(file.len() < 2000, "{} bytes", file.len());
    assert_eq!(parquet(&file, &Limits::default()).unwrap().rows, 300_000);
    // A byte for each value would do, but eight are too many.
    let limits = Limits { expansion_from: 1 << 20, ..Limits::default() };
    let error = refused(parquet(&file, &limits), &["d.parquet", "unpack beyond the limit"]);
    assert_eq!(error.kind(), ErrorKind::Limit);
    // Words are four bytes each at least, whatever they are: that is known before anything is read.
    let words = texts(&vec!["a".into(); 300_000], WriterProperties::builder());
    refused(parquet(&words, &limits), &["unpack beyond the limit"]);
    assert_eq!(parquet(&words, &Limits::default()).unwrap().rows, 300_000);
}

#[test]
fn gzip_gives_what_the_page_claims() {
    let properties = plain().set_compression(Compression::GZIP(GzipLevel::default()));
    let file = constant(100_000, properties.set_data_page_row_count_limit(1_000_000));
    assert!(parquet(&file, &Limits::default()).is_ok());
    // The size 800,000 as the page's header has it, and another one.
    let at = file.windows(3).position(|bytes| bytes == [0x80, 0xD4, 0x61]).expect("a page of 800,000 bytes");
    let mut hostile = file.clone();
    hostile[at + 1] -= 1;
    refused(parquet(&hostile, &Limits::default()), &["does not unpack to what it claims"]);
}
