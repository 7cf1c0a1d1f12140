//! `polyboost certify`: values as they are in JSON, words as they are printed, and what is refused.

mod common;

use std::fs;
use std::path::Path;

use common::{fine, good, run};
use serde_json::Value;
use tempfile::tempdir;

fn certified(folder: &Path, arguments: &str) -> Value {
    serde_json::from_str(&fine(folder, &format!("certify {arguments} --json")).stdout).unwrap()
}

fn close(value: &Value, expected: f64) {
    assert!((value.as_f64().unwrap() - expected).abs() < 1e-6, "{value}, not {expected}");
}

/// Three classes one after the other on a line. Four stumps err on one class each: b taken for a or c (weight μ each), a or c taken for b (λ each).
/// Margins 2μ of a and c, and 2λ − μ of b, are equal at μ = 1/5; accuracies λ + 2μ and 2λ at μ = 1/6; wrong votes at μ = λ = 1/4.
#[test]
fn values_of_a_line() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("line.csv"), "x,class\n1,a\n2,a\n3,b\n4,b\n5,c\n6,c\n").unwrap();
    let found = certified(folder.path(), "line.csv");
    assert_eq!((&found["boostable"], &found["exact"]), (&true.into(), &true.into()));
    close(&found["margin"], 0.4);
    close(&found["margin_at_most"], 0.4);
    close(&found["conditions"]["mr"], 0.4);
    close(&found["conditions"]["samme"], 2.0 / 3.0 - 1.0 / 3.0);
    close(&found["conditions"]["m1"], 1.0 / 3.0);
    close(&found["conditions"]["mh"], 1.0 / 3.0);
    close(&found["conditions"]["edge_over_random"], 0.25);
    assert_eq!(found["subsets"].as_array().unwrap().len(), 4);
    let deep = certified(folder.path(), "line.csv --learner tree --depth 2");
    close(&deep["margin"], 1.0);
    assert_eq!(deep["space"], "all trees of depth 2");
    let grown = certified(folder.path(), "line.csv --learner tree --leaves 3");
    close(&grown["margin"], 1.0);
    assert_eq!(grown["exact"], false);
}

#[test]
fn verdicts_are_words() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    let text = fine(folder.path(), "certify d.csv").stdout;
    assert!(text.starts_with("90 rows, 3 classes; all stumps\n"), "{text}");
    assert!(text.contains("mm, mr, m2, os --condition minimal: "), "{text}");
    fs::write(folder.path().join("same.csv"), "x,class\n1,a\n1,b\n2,a\n").unwrap();
    let text = fine(folder.path(), "certify same.csv").stdout;
    assert!(text.contains("rows 1 and 2 look the same and have different classes"), "{text}");
    assert!(text.contains("No booster that adds up answers"), "{text}");
}

#[test]
fn what_cannot_be_certified_is_refused() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("one.csv"), "x,class\n1,a\n2,a\n").unwrap();
    fs::write(folder.path().join("sets.csv"), "x,label:a,label:b\n1,1,0\n2,0,1\n").unwrap();
    fs::write(folder.path().join("line.csv"), "x,class\n1,a\n2,b\n").unwrap();
    for (arguments, words) in [
        ("one.csv", "one class"),
        ("sets.csv", "sets of labels"),
        ("line.csv --tolerance 0", "--tolerance 0"),
        ("line.csv --subsets 0", "--subsets 0"),
        ("line.csv --effort -1", "--effort -1"),
        ("line.csv --leaves 4", "does not use --leaves"),
        ("none.csv", "none.csv"),
    ] {
        let done = run(folder.path(), &format!("certify {arguments}"));
        assert_eq!(done.status, Some(2), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(words), "{arguments}: {}", done.stderr);
    }
}
