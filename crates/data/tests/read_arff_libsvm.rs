//! ARFF and libsvm: what they mean, and the corpus cases that are theirs.

mod common;

use common::{PLAN, cells, kind, refused};
use manyboost_data::read::{read, read_arff_from, read_libsvm_from};
use manyboost_data::{ErrorKind, Kind, Limits, Result, Table, Values};

fn arff(text: &str) -> Result<Table> {
    read_arff_from(text.as_bytes(), "d.arff", &PLAN, &Limits::default())
}

fn libsvm(text: &str) -> Result<Table> {
    read_libsvm_from(text.as_bytes(), "d.svm", &PLAN, &Limits::default())
}

fn some(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|t| Some((*t).to_owned()).filter(|t| !t.is_empty())).collect()
}

const HEAD: &str = "% a comment\n@RELATION 'some name'\n\n@attribute x numeric\n@attribute 'the colour' {red, 'dark blue', NA}\n\
                    @attribute note string\n@attribute class {a,b}\n@DATA\n";

#[test]
fn arff_dense_and_sparse() {
    let text = format!(
        "{HEAD}1.5,red,'it\\'s, so',a\n% between\n?, 'dark blue' ,?,b\n{{0 7, 3 b}}\n{{}}\n2,NA,x,?\n"
    );
    let table = arff(&text).unwrap();
    assert_eq!(cells(&table, "x"), some(&["1.5", "", "7", "0", "2"]));
    assert_eq!(cells(&table, "the colour"), some(&["red", "dark blue", "red", "red", "NA"]));
    assert_eq!(cells(&table, "note"), some(&["it's, so", "", "", "", "x"]));
    assert_eq!(cells(&table, "class"), some(&["a", "b", "b", "a", ""]));
    assert_eq!(kind(&table, "the colour"), Kind::Category);
    assert_eq!(arff(&text.replace('\n', "\r\n")).unwrap().rows, 5);
}

#[test]
fn arff_kinds() {
    let rows = "'the cat sat on the mat',1\n'a dog ran up the hill',2\n";
    let table = arff(&format!("@attribute s string\n@attribute c! numeric\n@data\n{rows}")).unwrap();
    assert_eq!((kind(&table, "s"), kind(&table, "c!")), (Kind::Text, Kind::Category));
    let table = arff("@attribute l! {0,1}\n@attribute x real\n@data\n1,2\n0,3\n").unwrap();
    assert!(matches!(table.column("l!").unwrap().values, Values::Numbers(_)));
}

#[test]
fn arff_faults_name_their_line() {
    refused(
        arff(&format!("{HEAD}1,green,x,a\n")),
        &["d.arff, line 9", "'the colour'", "'green'", "declared"],
    );
    refused(arff(&format!("{HEAD}1,red,x\n")), &["line 9: 3 fields, expected 4"]);
    refused(arff(&format!("{HEAD}one,red,x,a\n")), &["line 9", "'x'", "'one' is not a number"]);
    refused(arff(&format!("{HEAD}1,red,'x,a\n")), &["line 9", "quote"]);
    refused(arff(&format!("{HEAD}{{0 1, 9 b}}\n")), &["line 9", "index 9"]);
    refused(arff(&format!("{HEAD}{{1 red, 0 1}}\n")), &["line 9", "sparse"]);
    refused(arff(&format!("{HEAD}inf,red,x,a\n")), &["line 9", "infinite"]);
    refused(arff(HEAD), &["no rows"]);
    refused(arff(""), &["empty"]);
    refused(arff("@attribute x numeric\n"), &["no @data"]);
    refused(arff("@attribute t date 'yyyy'\n@data\n"), &["line 1", "'t'", "date"]);
    refused(arff("@attribute x numeric\n@attribute x numeric\n@data\n1,2\n"), &["columns 1 and 2"]);
    refused(arff("x,class\n1,a\n"), &["line 1", "@relation"]);
}

#[test]
fn libsvm_stays_sparse() {
    let table = libsvm("# head\n1 1:0.5 3:2 # note\n-1\n\n1 2:-1 3:0 4:nan\n2:4\n").unwrap();
    assert_eq!(cells(&table, "class"), some(&["1", "-1", "1", ""]));
    assert_eq!(cells(&table, "f1"), some(&["0.5", "0", "0", "0"]));
    assert_eq!(cells(&table, "f2"), some(&["0", "0", "-1", "4"]));
    assert_eq!(cells(&table, "f4"), some(&["0", "0", "", "0"]));
    assert!(matches!(&table.column("f3").unwrap().values, Values::SparseNumbers(v) if *v == [(0, 2.0)]));
    assert_eq!(table.columns.len(), 5);
}

#[test]
fn case_23_libsvm_indices() {
    refused(libsvm("1 1:1\n1 0:1\n"), &["d.svm, line 2: index 0"]);
    refused(libsvm("1 3:1 2:1\n"), &["line 1", "index 2 after 3", "sorted"]);
    refused(libsvm("1 3:1 3:1\n"), &["line 1", "index 3 occurs twice"]);
    for index in ["2147483648", "99999999999999999999999"] {
        let error = refused(libsvm(&format!("1 {index}:1\n")), &["line 1", index, "33,554,432 columns"]);
        assert_eq!(error.kind(), ErrorKind::Limit);
    }
    refused(libsvm("1 a:1\n"), &["line 1", "'a' is not an index"]);
    refused(libsvm("1 -1:1\n"), &["line 1", "'-1'"]);
    refused(libsvm("1 2\n"), &["line 1", "'2' is not index:value"]);
    refused(libsvm("1 2:x\n"), &["line 1", "'f2'", "'x' is not a number"]);
    refused(libsvm("1 2:inf\n"), &["line 1", "infinite"]);
    refused(libsvm("# nothing\n"), &["no rows"]);
}

#[test]
fn libsvm_has_millions_of_columns() {
    // As many as the set news20 has.
    let table = libsvm("1 1:1 1355191:2\n-1 77:3\n").unwrap();
    assert_eq!((table.columns.len(), table.rows), (1_355_192, 2));
    assert_eq!(cells(&table, "f1355191"), some(&["2", "0"]));
    assert_eq!(cells(&table, "f77"), some(&["0", "3"]));
    // Columns cost memory, whatever they hold: many of them need a file that is not a few bytes.
    let error = refused(libsvm("1 30000000:1\n"), &["30,000,000 columns", "13 bytes"]);
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn packed_and_by_extension() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d.libsvm.zst").to_str().unwrap().to_owned();
    std::fs::write(&path, zstd::encode_all(&b"1 1:2\n"[..], 1).unwrap()).unwrap();
    assert_eq!(read(&path, &PLAN, &Limits::default()).unwrap().rows, 1);
    let path = dir.path().join("D.ARFF").to_str().unwrap().to_owned();
    std::fs::write(&path, "@attribute x real\n@data\n1\n").unwrap();
    assert_eq!(read(&path, &PLAN, &Limits::default()).unwrap().rows, 1);
}
