//! What looks like a mistake is said, with `-q` and in JSON too, and changes nothing else.

mod common;

use std::fs;
use std::path::Path;

use common::{Done, fine, good};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn folder(text: impl AsRef<[u8]>) -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), text).unwrap();
    folder
}

/// A table of 60 rows: what `cell` says, and a class.
fn table(header: &str, cell: impl Fn(usize) -> String) -> String {
    let rows = (0..60).map(|i| format!("{},{}\n", cell(i), ["a", "b"][i % 2]));
    format!("{header},class\n{}", rows.collect::<String>())
}

/// The warnings of a run, as stderr and JSON have them.
fn warnings(folder: &Path, arguments: &str) -> Vec<String> {
    let Done { stdout, stderr, .. } = fine(folder, &format!("{arguments} --json -q"));
    let said: Vec<String> = stderr
        .lines()
        .map(|line| line.strip_prefix("warning: ").expect("nothing else").to_string())
        .collect();
    let document: Value = serde_json::from_str(&stdout).unwrap();
    let listed: Vec<String> = serde_json::from_value(document["warnings"].clone()).unwrap();
    assert_eq!(said, listed);
    said
}

const TRAIN: &str = "train d.csv --out m.pb --rounds 3";

/// The only warning, which must hold some words.
fn only(text: String, words: &[&str]) {
    let folder = folder(text);
    let said = warnings(folder.path(), TRAIN);
    assert_eq!(said.len(), 1, "{said:?}");
    for words in words {
        assert!(said[0].contains(words), "{words:?} is not in: {}", said[0]);
    }
}

#[test]
fn good_tables_have_none() {
    assert_eq!(warnings(folder(good()).path(), TRAIN), [""; 0]);
    let numbered = table("0,1", |i| format!("{i},{}", i % 2));
    assert_eq!(warnings(folder(numbered).path(), TRAIN), [""; 0]);
}

#[test]
fn numbers_in_ordinary_dress_are_numbers() {
    for (price, taken) in [("€{}", "'€'"), ("{} %", "'%'"), ("{},000.50", "thousands separators ','")] {
        let text =
            table("x,price", |i| format!("{},\"{}\"", i % 2, price.replace("{}", &(10 + i % 5).to_string())));
        let folder = folder(text);
        assert_eq!(warnings(folder.path(), TRAIN), [""; 0]);
        let said = fine(folder.path(), TRAIN).stderr;
        assert!(said.contains(&format!("{taken} taken off in \"price\"")), "{said}");
    }
}

#[test]
fn the_dress_of_numbers_is_named() {
    let cases: [(&str, &dyn Fn(usize) -> String); 3] = [
        ("thousands separators", &|i| format!("\"1{}00{}.5\"", [',', '\''][i % 2], i % 10)),
        ("a unit", &|i| format!("{i}.5 {}", ["kg", "g"][i % 2])),
        ("a currency", &|i| format!("{} {i}", ["USD", "EUR"][i % 2])),
    ];
    for (dress, cell) in cases {
        let text = table("x,price", |i| format!("{},{}", i % 2, cell(i)));
        let with = format!("numbers with {dress}, and taken for categories, not for numbers");
        only(text, &["\"price\"", &with, "write plain numbers"]);
    }
    // "3 or more" is no number.
    assert_eq!(
        warnings(
            folder(table("x,n", |i| format!("{},{}", i % 2, ["0", "1", "2", "3+"][i % 4]))).path(),
            TRAIN
        ),
        [""; 0]
    );
}

#[test]
fn values_of_single_rows() {
    only(table("x,id", |i| format!("{},k{i}", i % 2)), &["\"id\"", "60 of 60 rows", "--ignore", "--text"]);
}

#[test]
fn a_first_row_that_is_taken_for_names() {
    let rows: Vec<String> = (0..60).map(|i| format!("{}.5,{}\n", i % 2, ["a", "b"][i % 2])).collect();
    only(rows.concat(), &["d.csv", "\"0.5\"", "1 column", "--no-header"]);
    // Without names of their own, columns often share one.
    let folder = folder("1.5,1.5,a\n2,3,b\n");
    let done = common::run(folder.path(), TRAIN);
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("in a line before the first row"), "{}", done.stderr);
}

#[test]
fn nothing_learnt_is_no_quiet_success() {
    let constant = table("x", |_| "5".into());
    only(constant.clone(), &["nothing was learnt", "check that"]);
    for booster in ["samme", "mh", "os", "logitboost"] {
        let said = warnings(folder(&constant).path(), &format!("{TRAIN} --booster {booster}"));
        assert!(said.len() == 1 && said[0].contains("nothing was learnt"), "{booster}: {said:?}");
    }
    let folder = folder(&constant);
    let said = warnings(folder.path(), "cv d.csv --folds 3 --rounds 3");
    assert!(said.len() == 1 && said[0].contains("in 3 of 3 folds: nothing was learnt"), "{said:?}");
    let compare = "compare d.csv --test 0.3 --boosters samme,mm --rounds 3 --report r.html";
    let said = warnings(folder.path(), compare);
    assert!(said.len() == 2 && said[0].contains("samme: nothing was learnt"), "{said:?}");
    // Prices in words are why, and both are said.
    let prices = table("price", |i| format!("{}{i}", ["€", "$"][i / 2 % 2]));
    let folder = self::folder(prices);
    let said = warnings(folder.path(), TRAIN);
    assert!(said.len() == 2 && said[0].contains("\"price\"") && said[1].contains("nothing"), "{said:?}");
}

#[test]
fn rare_is_not_missing() {
    let colours = |other: &'static str| {
        table("x,colour", move |i| {
            format!("{},{}", i % 2, if i == 30 { other } else { ["red", "blue"][i / 3 % 2] })
        })
    };
    let told = |text: String| fine(folder(text).path(), TRAIN).stderr;
    let rare = told(colours("mauve"));
    assert!(
        rare.contains("in too few rows for a level of their own: 1 value of categories")
            && !rare.contains("missing"),
        "{rare}"
    );
    let missing = told(colours(""));
    assert!(
        missing.contains("values are missing in 1 column") && !missing.contains("too few rows"),
        "{missing}"
    );
    let neither = told(colours("red"));
    assert!(!neither.contains("missing") && !neither.contains("too few rows"), "{neither}");
}
