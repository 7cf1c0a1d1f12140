//! CSV: the corpus of bad input, case by case, and the readings that must not differ.

mod common;

use std::io::{Read, Write};

use common::{PLAN, cells, dump, kind, refused};
use manyboost_data::read::{read, read_csv_from, read_tsv_from};
use manyboost_data::{ErrorKind, Kind, Limits, Numbers, Result, Role, Table, Values};

fn csv(text: impl AsRef<[u8]>) -> Result<Table> {
    read_csv_from(text.as_ref(), "d.csv", &PLAN, &Limits::default())
}

fn some(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|t| Some((*t).to_owned()).filter(|t| !t.is_empty())).collect()
}

#[test]
fn a_small_table() {
    let table = csv("x,colour,class\n1,red,a\n2.5,green, a\n,NA,b\n").unwrap();
    assert_eq!(cells(&table, "x"), some(&["1", "2.5", ""]));
    assert_eq!(cells(&table, "colour"), some(&["red", "green", ""]));
    assert_eq!(cells(&table, "class"), some(&["a", " a", "b"]));
    assert_eq!((kind(&table, "x"), kind(&table, "colour")), (Kind::Number, Kind::Category));
    assert_eq!(table.column("class").unwrap().role, Role::Target);
    assert_eq!(table.source, "d.csv");
}

#[test]
fn roles_decide_the_reading() {
    let table = csv("i!,w!,l!,c!,t!,class\nx,0.5,1,07,1,1.0\ny,2,0,7,2,2\n").unwrap();
    assert!(table.column("i!").is_none());
    assert_eq!(cells(&table, "w!"), some(&["0.5", "2"]));
    assert_eq!(cells(&table, "c!"), some(&["07", "7"]));
    assert_eq!(cells(&table, "t!"), some(&["1", "2"]));
    assert_eq!(cells(&table, "class"), some(&["1.0", "2"]));
    refused(csv("w!,class\n1,a\nmuch,b\n"), &["d.csv, line 3", "'w!'", "'much'"]);
    refused(csv("l!,class\nyes,a\n"), &["line 2", "'yes' is not a number"]);
}

#[test]
fn missing_is_alike_everywhere() {
    let tokens = ["", "NA", "N/A", "?", "nan", "NaN", "null", "\"\"", " ? "];
    for token in tokens {
        let table = csv(format!("x,c!,class\n1,a,b\n{token},{token},{token}\n")).unwrap();
        for name in ["x", "c!", "class"] {
            assert_eq!(cells(&table, name)[1], None, "{token:?} in {name}");
        }
    }
}

#[test]
fn case_1_to_5_files() {
    let limits = Limits::default();
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    refused(read(&path("none.csv"), &PLAN, &limits), &["no such file"]);
    std::fs::create_dir(path("dir.csv")).unwrap();
    refused(read(&path("dir.csv"), &PLAN, &limits), &["directory"]);
    std::fs::write(path("empty.csv"), "").unwrap();
    refused(read(&path("empty.csv"), &PLAN, &limits), &["empty"]);
    std::fs::write(path("x.txt"), "a,b\n").unwrap();
    let error = refused(read(&path("x.txt"), &PLAN, &limits), &["x.txt"]);
    assert!(error.remedy().contains(".parquet"));
    refused(csv("\n\r\n"), &["empty"]);
    refused(csv("x,class\n"), &["no rows"]);
    refused(csv("x,class"), &["no rows"]);
}

#[test]
fn case_6_7_and_10_encodings_and_line_ends() {
    let plain = dump(&csv("x,class\n1,a\n2,b\n").unwrap());
    for text in [
        "\u{FEFF}x,class\n1,a\n2,b\n",
        "x,class\r\n1,a\r\n2,b\r\n",
        "x,class\r1,a\r2,b\r",
        "x,class\n1,a\n2,b",
        "\n\nx,class\n\n1,a\n\n2,b\n\n",
        "\"x\",\"class\"\n\"1\",\"a\"\n\"2\",\"b\"",
    ] {
        assert_eq!(dump(&csv(text).unwrap()), plain, "{text:?}");
    }
    let utf16: Vec<u8> = "x,class\n1,a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let one = dump(&csv("x,class\n1,a\n").unwrap());
    for text in [utf16.clone(), [&b"\xFF\xFE"[..], &utf16].concat()] {
        let table = csv(text).unwrap();
        assert_eq!(dump(&table), one);
        assert_eq!(table.notes, ["d.csv: read as UTF-16LE text"]);
    }
}

#[test]
fn case_8_and_9_bytes_that_are_no_text() {
    refused(csv(b"x,c!,class\n1,a,b\n2,\xFF,c\n"), &["line 3", "'c!'", "offset 19", "0xFF"]);
    refused(csv(b"\xEF\xBB\xBFx,\xFF\n1,2\n"), &["line 1", "column 2", "offset 5", "0xFF"]);
    refused(csv(b"x,class\n1,a\n2\0,a\n3,a\n"), &["line 3", "'x'", r"'2\0'", "not a number"]);
    refused(csv(b"c!,class\nr\0d,a\n"), &["line 2", "NUL"]);
}

#[test]
fn case_11_to_15_shape_and_names() {
    let mut text = "a,b,c,d,e,class\n".to_owned();
    text.push_str(&"1,2,3,4,5,x\n".repeat(5));
    refused(csv(text.clone() + "1,2,3,4,x\n"), &["d.csv, line 7: 5 fields, expected 6"]);
    refused(csv(text + "1,2,3,4,5,6,x\n"), &["d.csv, line 7: 7 fields, expected 6"]);
    refused(csv("x,class\n1,a\n2,\"b\n3,c\n"), &["line 3", "not closed"]);
    refused(csv("x,class\n1,\"a\"b\n"), &["line 2", "'class'", "closing quote"]);
    let table = csv("x,class\n1,\"a,\"\"b\"\"\n\"\n2,c\n").unwrap();
    assert_eq!(cells(&table, "class"), some(&["a,\"b\"\n", "c"]));
    refused(csv("x,y,x\n1,2,3\n"), &["'x'", "columns 1 and 3"]);
    refused(csv("x,,z\n1,2,3\n"), &["column 2", "empty column name"]);
    refused(csv("x,class\n\"1\n\",a\nred,b\n5,c\n6,d\n7,e\n"), &["line 4", "'red'"]);
}

#[test]
fn case_16_a_stray_word_at_row_a_million() {
    let mut text = b"x,class\n".to_vec();
    for i in 1..1_000_000_u32 {
        writeln!(text, "{},{}", i % 100, i % 3).unwrap();
    }
    text.extend_from_slice(b"red,1\n5,2\n");
    let error = refused(csv(&text), &["d.csv, line 1000001, column 'x': 'red' is not a number"]);
    assert!(error.remedy().contains("--categorical x"));
}

#[test]
fn case_17_another_delimiter() {
    let table = csv("a;b;class\n1,5;2,5;x\n").unwrap();
    assert_eq!((cells(&table, "a"), cells(&table, "class")), (some(&["1.5"]), some(&["x"])));
    assert_eq!(table.notes.len(), 2, "{:?}", table.notes);
    refused(csv("a;b;class\n1,5;2,5\n"), &["line 1", "delimiter looks like ';'"]);
    assert_eq!(cells(&csv("a\tb\n1\t2\n").unwrap(), "b"), some(&["2"]));
    let tsv = |text: &str| read_tsv_from(text.as_bytes(), "d.tsv", &PLAN, &Limits::default());
    assert_eq!(cells(&tsv("a,b\n1,2\n").unwrap(), "b"), some(&["2"]));
    assert_eq!(cells(&tsv("x\tclass\n1\ta,b\n").unwrap(), "class"), some(&["a,b"]));
}

#[test]
fn case_18_and_19_numbers_that_are_none() {
    for name in ["x", "n!"] {
        refused(csv(format!("{name},class\n1e400,a\n")), &["line 2", "'1e400'", "out of range"]);
        refused(csv(format!("{name},class\n1,a\n-inf,b\n")), &["line 3", "'-inf'", "infinite"]);
    }
    refused(csv("n!,class\nred,a\n"), &["line 2", "'red' is not a number"]);
}

/// A stream that repeats a text without end.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in &mut *buffer {
            *byte = self.0[self.1 % self.0.len()];
            self.1 += 1;
        }
        Ok(buffer.len())
    }
}

#[test]
fn case_12_and_20_limits_hold_without_end() {
    let limits = Limits::default();
    let endless = |head: &'static [u8], body: &'static [u8]| {
        read_csv_from(head.chain(Endless(body, 0)), "d.csv", &PLAN, &limits)
    };
    refused(endless(b"x,class\n1,\"", b"text\n"), &["line 2", "not closed"]);
    let error = refused(endless(b"x,class\n1,", b"text"), &["line 2", "field longer than 16,777,216 bytes"]);
    assert_eq!(error.kind(), ErrorKind::Limit);
    refused(endless(b"", b"column,"), &["line 1", "record longer than"]);
    let many = (0..1_000_000).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(refused(csv(many + "\n"), &["more than 100,000 columns"]).kind(), ErrorKind::Limit);
    let long = format!("c!,class\n\"{}\",a\n", "x".repeat(17 << 20));
    refused(csv(long), &["line 2"]);
}

#[test]
fn case_21_and_22_packed_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let text: String = (0..5000).fold("x,class\n".into(), |text, i| text + &format!("{},{}\n", i * i, i % 7));
    let gzip = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let plain = csv(&text).unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    for (name, packed) in [("a.csv.gz", gzip(text.as_bytes())), ("a.csv.zst", zstd)] {
        let path = path(name);
        std::fs::write(&path, &packed).unwrap();
        let table = read(&path, &PLAN, &Limits::default()).unwrap();
        assert_eq!(dump(&table), dump(&plain));
        std::fs::write(&path, &packed[..packed.len() - 5]).unwrap();
        refused(read(&path, &PLAN, &Limits::default()), &[name, "truncated"]);
        let mut bad = packed.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 0x55;
        std::fs::write(&path, &bad).unwrap();
        refused(read(&path, &PLAN, &Limits::default()), &[name]);
    }
    let bomb = gzip(&[b"x,class\n".to_vec(), b"1,2\n".repeat(20 << 20)].concat());
    std::fs::write(path("bomb.csv.gz"), bomb).unwrap();
    let error = refused(read(&path("bomb.csv.gz"), &PLAN, &Limits::default()), &["beyond the limit"]);
    assert_eq!(error.kind(), ErrorKind::Limit);
    std::fs::write(path("not.csv.gz"), "x,class\n1,a\n").unwrap();
    refused(read(&path("not.csv.gz"), &PLAN, &Limits::default()), &["not.csv.gz"]);
}

#[test]
fn case_24_a_colon_is_a_character() {
    let table = csv("c!,class\n1:0.5,a\n2:1,b\n").unwrap();
    assert_eq!(cells(&table, "c!"), some(&["1:0.5", "2:1"]));
}

#[test]
fn numbers_are_narrow() {
    let table = csv("a,b,c,d,e,class\n1,1000,100000,0.5,0.1,x\n-0.0,-1000,2,3,4,y\n").unwrap();
    let widths: Vec<&str> = table.columns[..5]
        .iter()
        .map(|c| match &c.values {
            Values::Numbers(Numbers::I8(_)) => "i8",
            Values::Numbers(Numbers::I16(_)) => "i16",
            Values::Numbers(Numbers::I32(_)) => "i32",
            Values::Numbers(Numbers::F32(_)) => "f32",
            Values::Numbers(Numbers::F64(_)) => "f64",
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(widths, ["i8", "i16", "i32", "f32", "f64"]);
}
