//! Parquet: values and NULLs by type, and the hostile files of the corpus.
#![cfg(feature = "parquet")]

mod common;

use std::cell::Cell;
use std::panic::{set_hook, take_hook};
use std::sync::{Arc, Once};

use common::{PLAN, cells, dump, kind, refused};
use manyboost_data::read::{KNOWN_PANICS, read, read_parquet_from};
use manyboost_data::{ErrorKind, Kind, Limits, Result, Table, Values};
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use proptest::prelude::*;

const ROWS: usize = 3000;

thread_local! {
    /// Panics on this thread that nobody knows of, also where the reader catches them.
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

/// Runs something that must not panic: the net under the decoder is there for what nobody knows of, and reaching it is a failure here.
fn without_panics<T>(run: impl FnOnce() -> T) -> T {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let (file, words) = (info.location().map_or("", |place| place.file()), info.to_string());
            if KNOWN_PANICS.iter().any(|(place, known)| file.ends_with(place) && words.contains(known)) {
                return;
            }
            PANICS.with(|panics| panics.set(panics.get() + 1));
            before(info);
        }));
    });
    let before = PANICS.get();
    let done = run();
    assert_eq!(PANICS.get(), before, "the decoder panicked");
    done
}

#[test]
#[should_panic(expected = "the decoder panicked")]
fn panics_that_are_caught_are_seen() {
    without_panics(|| std::panic::catch_unwind(|| panic!("deep inside")).is_err());
}

fn parquet(bytes: &[u8]) -> Result<Table> {
    without_panics(|| read_parquet_from(bytes.to_vec(), "d.parquet", &PLAN, &Limits::default()))
}

/// Writes one batch into a column; every third value is NULL where the column is optional.
fn fill(writer: &mut ColumnWriter, rows: usize) {
    let levels: Vec<i16> = (0..rows).map(|i| i16::from(i % 3 != 1)).collect();
    let kept = |optional: bool| (0..rows).filter(move |i| !optional || i % 3 != 1);
    match writer {
        ColumnWriter::BoolColumnWriter(w) => {
            w.write_batch(&kept(false).map(|i| i % 2 == 0).collect::<Vec<_>>(), None, None).unwrap()
        }
        ColumnWriter::Int32ColumnWriter(w) => {
            w.write_batch(&kept(false).map(|i| i as i32 % 100).collect::<Vec<_>>(), None, None).unwrap()
        }
        ColumnWriter::Int64ColumnWriter(w) => {
            let values: Vec<i64> = kept(true).map(|i| i as i64 * 1000).collect();
            w.write_batch(&values, Some(&levels), None).unwrap()
        }
        ColumnWriter::FloatColumnWriter(w) => {
            w.write_batch(&kept(false).map(|i| i as f32 / 4.0).collect::<Vec<_>>(), None, None).unwrap()
        }
        ColumnWriter::DoubleColumnWriter(w) => {
            let values: Vec<f64> = kept(true).map(|i| i as f64 / 10.0).collect();
            w.write_batch(&values, Some(&levels), None).unwrap()
        }
        ColumnWriter::ByteArrayColumnWriter(w) => {
            let values: Vec<ByteArray> =
                kept(true).map(|i| ByteArray::from(&*format!("w{}", i % 5))).collect();
            w.write_batch(&values, Some(&levels), None).unwrap()
        }
        _ => panic!("no such column here"),
    };
}

fn written(schema: &str, groups: usize, rows: usize, properties: WriterProperties) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut out = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut out, schema, Arc::new(properties)).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        while let Some(mut column) = group.next_column().unwrap() {
            fill(column.untyped(), rows);
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    out
}

const SCHEMA: &str = "message m { required boolean b; required int32 i; optional int64 l; required float f; \
                      optional double d; optional binary s (UTF8); optional binary class (UTF8); }";

fn plain() -> WriterProperties {
    WriterProperties::builder().build()
}

#[test]
fn all_types_and_nulls() {
    let forms = [
        plain(),
        WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_data_page_row_count_limit(100)
            .build(),
        WriterProperties::builder().set_compression(Compression::GZIP(GzipLevel::default())).build(),
        WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_dictionary_enabled(false)
            .build(),
    ];
    let mut dumps = Vec::new();
    for form in forms {
        let table = parquet(&written(SCHEMA, 2, ROWS, form)).unwrap();
        assert_eq!(table.rows, 2 * ROWS);
        let row = |name: &str, row: usize| cells(&table, name)[row].clone();
        assert_eq!(row("b", 0).as_deref(), Some("1"));
        assert_eq!(row("i", 250).as_deref(), Some("50"));
        assert_eq!(row("l", 1), None);
        assert_eq!(row("l", ROWS + 2).as_deref(), Some("2000"));
        assert_eq!(row("f", 3).as_deref(), Some("0.75"));
        assert_eq!(row("d", 3).as_deref(), Some("0.3"));
        assert_eq!(row("s", 4), None);
        assert_eq!(row("class", 8).as_deref(), Some("w3"));
        assert_eq!((kind(&table, "b"), kind(&table, "s")), (Kind::Number, Kind::Category));
        dumps.push(dump(&table));
    }
    dumps.dedup();
    assert_eq!(dumps.len(), 1);
}

#[test]
fn roles_decide_the_reading() {
    let schema = "message m { required int32 class; required int32 c!; required float i!; optional binary n! (UTF8); }";
    let file = written(&schema.replace("n! (UTF8)", "s (UTF8)"), 1, 3, plain());
    let table = parquet(&file).unwrap();
    assert_eq!(cells(&table, "class")[2].as_deref(), Some("2"));
    assert!(matches!(table.column("c!").unwrap().values, Values::Words(_)));
    assert!(table.column("i!").is_none());
    refused(parquet(&written(schema, 1, 3, plain())), &["row 1", "'n!'", "'w0' is not a number"]);
}

#[test]
fn from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.parquet").to_str().unwrap().to_owned();
    let file = written(SCHEMA, 2, ROWS, plain());
    std::fs::write(&path, &file).unwrap();
    let table = read(&path, &PLAN, &Limits::default()).unwrap();
    assert_eq!(dump(&table), dump(&parquet(&file).unwrap()));
}

#[test]
fn case_26_truncated() {
    let file = written(SCHEMA, 1, 10, plain());
    for length in 0..file.len() {
        refused(parquet(&file[..length]), &["d.parquet"]);
    }
    let mut long = file.clone();
    let at = long.len() - 8;
    long[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    refused(parquet(&long), &["footer"]);
}

#[test]
fn case_27_a_list_bomb() {
    // Version 1, then a schema that claims 2^27 elements, backed by that many bytes or not.
    for backed in [0, 1 << 20] {
        let mut footer = vec![0x15, 2, 0x19, 0xFC];
        footer.extend_from_slice(if backed == 0 { &[0x80, 0x80, 0x80, 0x40] } else { &[0x80, 0x80, 0x40] });
        footer.resize(footer.len() + backed + 100, 0);
        let mut file = b"PAR1".to_vec();
        file.extend_from_slice(&footer);
        file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
        file.extend_from_slice(b"PAR1");
        refused(parquet(&file), &["footer"]);
    }
}

#[test]
fn case_28_types_that_are_not_read() {
    let error = |field: &str, words: &[&str]| {
        let schema = format!("message m {{ {field} required int32 i; }}");
        let error = refused(parquet(&written(&schema, 1, 3, plain())), words);
        assert_eq!(error.kind(), ErrorKind::Column);
    };
    error("required group g { required int32 a; }", &["'g'", "nested"]);
}

#[test]
fn decimals_are_numbers() {
    let schema = "message m { required int32 a (DECIMAL(9,2)); required int64 b (DECIMAL(18,3)); \
                  required fixed_len_byte_array(2) c (DECIMAL(4,1)); required binary d (DECIMAL(9,0)); required int32 class (DECIMAL(5,1)); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut out = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut out, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        let wrote = match column.untyped() {
            ColumnWriter::Int32ColumnWriter(w) => w.write_batch(&[-1250, 7], None, None),
            ColumnWriter::Int64ColumnWriter(w) => w.write_batch(&[1, i64::MAX], None, None),
            ColumnWriter::FixedLenByteArrayColumnWriter(w) => {
                let digits = |bytes: [u8; 2]| FixedLenByteArray::from(ByteArray::from(bytes.to_vec()));
                w.write_batch(&[digits([0xFF, 0xFB]), digits([1, 0])], None, None)
            }
            ColumnWriter::ByteArrayColumnWriter(w) => {
                w.write_batch(&[vec![0x80].into(), vec![0, 0x80].into()], None, None)
            }
            _ => panic!("another column"),
        };
        wrote.unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    let table = parquet(&out).unwrap();
    let values = ["a", "b", "c", "d", "class"]
        .map(|name| cells(&table, name).into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>());
    assert_eq!(
        values,
        [
            ["-12.5", "0.07"],
            ["0.001", "9223372036854776"],
            ["-0.5", "25.6"],
            ["-128", "128"],
            ["-125.0", "0.7"]
        ]
    );
}

#[test]
fn case_29_and_30() {
    refused(parquet(b"x,class\n1,a\n2,b\n3,c\n"), &["not Parquet"]);
    refused(parquet(b"x"), &["not Parquet"]);
    refused(parquet(b""), &["empty"]);
    refused(parquet(&written(SCHEMA, 0, 0, plain())), &["no rows"]);
    refused(parquet(&written(SCHEMA, 1, 0, plain())), &["no rows"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    /// Flipped bytes end as a table or an error, never as a panic or an abort.
    #[test]
    fn flipped_bytes(flips in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..6), tail in any::<bool>()) {
        let mut file = written(SCHEMA, 1, 20, plain());
        let length = file.len();
        for (index, byte) in flips {
            // Half of the cases aim at the footer.
            let at = if tail { length / 2 + index.index(length / 2) } else { index.index(length) };
            file[at] = byte;
        }
        let _ = parquet(&file);
    }

    #[test]
    fn random_footers(footer in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut file = b"PAR1".to_vec();
        file.extend_from_slice(&footer);
        file.extend_from_slice(&(footer.len() as u32).to_le_bytes());
        file.extend_from_slice(b"PAR1");
        let _ = parquet(&file);
        let _ = parquet(&footer);
    }
}
