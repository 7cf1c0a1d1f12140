//! `evaluate` says so when it measures a model on the rows that it was trained on, and only then; so does the page of `report`.

mod common;

use std::fs;
use std::path::Path;

use common::{fine, run};
use manyboost::spec::registry::BOOSTERS;
use serde_json::Value;
use tempfile::tempdir;

/// What `evaluate` says of the rows of a file: in JSON, and on stderr.
fn said(folder: &Path, data: &str) -> (Value, String) {
    let done = fine(folder, &format!("evaluate m.model {data} --json"));
    let shown: Value = serde_json::from_str(&done.stdout).unwrap();
    (shown["trained_on"].clone(), done.stderr)
}

fn check(folder: &Path, train: &str, options: &str, expected: &str) {
    fine(folder, &format!("train {train} --out m.model -q {options}"));
    let (which, note) = said(folder, train);
    assert_eq!(which, expected, "{train} {options}");
    let words = format!("note: the model was trained on {expected} of these rows: others will fare worse\n");
    assert!(note.contains(&words), "{train} {options}: {note}");
}

fn is_unknown(folder: &Path, data: &str, options: &str) {
    let (which, note) = said(folder, data);
    assert!(which.is_null() && !note.contains("trained on"), "{data} {options}: {which} {note}");
}

#[test]
fn rows_of_training_are_known_for_every_booster() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fine(folder, "generate gaussians --rows 80 --seed 1 --out train.csv");
    fine(folder, "generate gaussians --rows 80 --seed 2 --out test.csv");
    // The same rows in another order, and all but one of them.
    let text = fs::read_to_string(folder.join("train.csv")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    let turned: Vec<&str> = rows.lines().rev().collect();
    fs::write(folder.join("turned.csv"), format!("{header}\n{}\n", turned.join("\n"))).unwrap();
    fs::write(folder.join("fewer.csv"), format!("{header}\n{}\n", turned[1..].join("\n"))).unwrap();
    let two: Vec<&str> = rows.lines().filter(|line| !line.ends_with('3')).collect();
    fs::write(folder.join("two.csv"), format!("{header}\n{}\n", two.join("\n"))).unwrap();
    for booster in BOOSTERS {
        let data = if booster.name == "adaboost" { "two.csv" } else { "train.csv" };
        for learner in ["stump", "tree --leaves 5"] {
            let options = format!("--booster {} --rounds 7 --learner {learner}", booster.name);
            if run(folder, &format!("train {data} --out m.model -q {options}")).status == Some(2) {
                continue;
            }
            check(folder, data, &options, "all");
            if data == "train.csv" {
                assert_eq!(said(folder, "turned.csv").0, "all", "{options}");
                is_unknown(folder, "fewer.csv", &options);
                is_unknown(folder, "test.csv", &options);
            }
        }
    }
    check(folder, "train.csv", "--rounds 9 --valid 0.2 --patience 3", "most");
    is_unknown(folder, "test.csv", "--valid");
    check(folder, "train.csv", "--rounds 9 --booster mh --valid 0.5", "most");
    check(folder, "train.csv", "--rounds 9 --subsample 0.5 --features 0.5", "all");
}

#[test]
fn other_kinds_of_rows_are_known_too() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fine(folder, "generate mixed --rows 300 --out train.csv");
    fine(folder, "generate mixed --rows 300 --seed 2 --out test.csv");
    check(folder, "train.csv", "--rounds 5", "all");
    is_unknown(folder, "test.csv", "");
    let mut sets = "x,y,label:a,label:b\n".to_string();
    for i in 0..60 {
        let labels = [u8::from(i % 3 == 0), u8::from(i * 5 % 8 > 3)];
        sets.extend([format!("{},{},{},{}\n", i * 7 % 30, i * 11 % 17, labels[0], labels[1])]);
    }
    fs::write(folder.join("sets.csv"), sets).unwrap();
    for booster in ["mcboost", "mh", "mh-real", "mr", "ova"] {
        check(folder, "sets.csv", &format!("--rounds 5 --booster {booster}"), "all");
    }
}

#[test]
fn the_page_says_it_too() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fine(folder, "generate gaussians --rows 80 --seed 1 --out train.csv");
    fine(folder, "generate gaussians --rows 80 --seed 2 --out test.csv");
    for (options, which) in [("", "all"), ("--valid 0.2", "most")] {
        fine(folder, &format!("train train.csv --out m.model -q --rounds 5 {options}"));
        let page = |data: &str| {
            let done = fine(folder, &format!("report m.model --data {data} --out p.html --json"));
            let shown: Value = serde_json::from_str(&done.stdout).unwrap();
            let page = fs::read_to_string(folder.join("p.html")).unwrap();
            (shown["trained_on"].clone(), done.stderr, page)
        };
        let (said, note, text) = page("train.csv");
        let words =
            format!("80 rows of train.csv, {which} of which it was trained on: other rows will fare worse");
        assert!(said == which && text.contains(&words), "{options}: {said}");
        assert!(note.contains(&format!("trained on {which} of these rows")), "{note}");
        let (said, note, text) = page("test.csv");
        assert!(
            said.is_null() && !note.contains("trained on") && !text.contains("will fare worse"),
            "{options}"
        );
        assert!(text.contains("80 rows of test.csv"), "{options}");
    }
}

/// Of many rows mcboost keeps some aside for the temperature.
#[test]
fn many_rows_of_training_are_known() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fine(folder, "generate gaussians --rows 31000 --out train.csv");
    fine(folder, "generate gaussians --rows 31000 --seed 2 --out test.csv");
    check(folder, "train.csv", "--rounds 3", "most");
    is_unknown(folder, "test.csv", "");
}
