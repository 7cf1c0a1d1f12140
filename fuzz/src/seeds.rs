//! Files that are right: what changed files begin as. They are made, not kept, so that they never grow old.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::case::Case;
use crate::mutate;
use crate::training::POOLS;

const CSV: &[&str] = &[
    "x,y,colour,class\n1,2.5,red,a\n2,NA,blue,b\n3,-1e3,\"re\"\"d\",a\n,0,red,c\n",
    "x,text,label:a,label:b\r\n1,the cat sat,0,1\r\n2,a dog barks,1,0\r\n3,the dog,1,1\r\n",
    "f,class\nfoo bar,a\nbaz qux,b\n",
    "\u{feff}a,b,class\r1,2,x\r\"q\n\",3,y\r",
];

const DIALECTS: &[&str] = &[
    "x;y;stra\u{df}e;class\n1,5;1.234,5 \u{20ac};a;u\n2,25;12 \u{20ac};b;v\n3,5;0,5;a;u\n",
    "x|y|class\n12 %|1,234|a\n3.5%|1,000,000|b\n",
    "x\ty\tclass\r\n5 kg\tq r\ta\r\n6 kg\tz\tb\r\n",
];

const ARFF: &[&str] = &[
    "% one\n@relation r\n@attribute x numeric\n@attribute 'c d' {a,'b c',\"e\"}\n@attribute class {p,q}\n@data\n1,a,p\n?,'b c',q\n{0 3, 2 q}\n",
    "@relation t\n@attribute s string\n@attribute class {1,2}\n@data\n'it\\'s',1\nplain,2\n",
];

const LIBSVM: &[&str] = &["1 1:0.5 3:2\n2 2:-1e-3 # note\n1 1:1 2:2 3:3\n", "0,2 1:1\n1 2:1\n\n0,1 3:4\n"];

/// The files of a target to begin with.
pub(crate) fn text(target: &str) -> Vec<Vec<u8>> {
    let with =
        |before: &[u8], texts: &[&str]| texts.iter().map(|text| [before, text.as_bytes()].concat()).collect();
    match target {
        "csv" => with(&[0, 7], CSV),
        "dialect" => with(&[0, 0, 0, 0, 0, 0, 7], DIALECTS),
        "arff" => with(&[7], ARFF),
        "libsvm" => with(&[7], LIBSVM),
        _ => Vec::new(),
    }
}

/// Models of all kinds: what came of the first cases of random training.
///
/// # Panics
/// If too few of them can be trained.
pub(crate) fn models() -> Vec<Vec<u8>> {
    let target = crate::target("train").expect("there is one");
    let model = |number: u64| {
        let case = Case::draw(&target.case(mutate::MODELS, number, &[]));
        POOLS[1].install(|| case.run(&case.file(), None)?.model.to_bytes()).ok()
    };
    let models: Vec<Vec<u8>> = (0..200).filter_map(model).filter(|file| file.len() < 8192).take(60).collect();
    assert!(models.len() == 60, "models to begin with");
    models
}

/// Parquet files of all types, encodings and packings.
pub(crate) fn parquet() -> Vec<Vec<u8>> {
    let plain = || WriterProperties::builder().set_dictionary_enabled(false);
    let by_delta = |encoding: Encoding| {
        let second = plain().set_writer_version(WriterVersion::PARQUET_2_0);
        let words = second.set_column_encoding("s".into(), encoding);
        words.set_column_encoding("l".into(), Encoding::DELTA_BINARY_PACKED).build()
    };
    let forms = [
        WriterProperties::builder().build(),
        plain().build(),
        plain().set_column_encoding("d".into(), Encoding::BYTE_STREAM_SPLIT).build(),
        by_delta(Encoding::DELTA_BYTE_ARRAY),
        by_delta(Encoding::DELTA_LENGTH_BYTE_ARRAY),
        WriterProperties::builder().set_compression(Compression::SNAPPY).build(),
        WriterProperties::builder().set_compression(Compression::GZIP(GzipLevel::default())).build(),
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build(),
    ];
    forms.into_iter().map(written).collect()
}

const SCHEMA: &str = "message m { required boolean b; required int32 i; optional int64 l; required float f; \
                      optional double d; optional binary s (UTF8); required int32 class; }";

fn written(properties: WriterProperties) -> Vec<u8> {
    let made: parquet::errors::Result<Vec<u8>> = (|| {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        let mut out = Vec::new();
        let mut writer = SerializedFileWriter::new(&mut out, schema, Arc::new(properties))?;
        let mut group = writer.next_row_group()?;
        while let Some(mut column) = group.next_column()? {
            fill(column.untyped())?;
            column.close()?;
        }
        group.close()?;
        writer.close()?;
        Ok(out)
    })();
    made.expect("a file")
}

/// Nine rows; every third value is NULL where there may be some.
fn fill(writer: &mut ColumnWriter<'_>) -> parquet::errors::Result<()> {
    const ROWS: i32 = 9;
    let levels: Vec<i16> = (0..ROWS).map(|row| i16::from(row % 3 != 1)).collect();
    let some = || (0..ROWS).filter(|row| row % 3 != 1);
    match writer {
        ColumnWriter::BoolColumnWriter(w) => {
            w.write_batch(&(0..ROWS).map(|row| row % 2 == 0).collect::<Vec<_>>(), None, None)?
        }
        ColumnWriter::Int32ColumnWriter(w) => {
            w.write_batch(&(0..ROWS).map(|row| row % 3).collect::<Vec<_>>(), None, None)?
        }
        ColumnWriter::Int64ColumnWriter(w) => {
            w.write_batch(&some().map(|row| i64::from(row) << 33).collect::<Vec<_>>(), Some(&levels), None)?
        }
        ColumnWriter::FloatColumnWriter(w) => {
            w.write_batch(&(0..ROWS).map(|row| row as f32 / 4.0).collect::<Vec<_>>(), None, None)?
        }
        ColumnWriter::DoubleColumnWriter(w) => {
            w.write_batch(&some().map(|row| f64::from(row) / 10.0).collect::<Vec<_>>(), Some(&levels), None)?
        }
        ColumnWriter::ByteArrayColumnWriter(w) => {
            let words: Vec<ByteArray> =
                some().map(|row| format!("word {}", row % 4).as_str().into()).collect();
            w.write_batch(&words, Some(&levels), None)?
        }
        _ => 0,
    };
    Ok(())
}
