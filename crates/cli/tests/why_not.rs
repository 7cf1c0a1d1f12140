//! `why-not`: rows that are changed as it says get the other answer; what makes no sense is refused.

mod common;

use std::fs;

use common::{fine, run};
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn changed_rows_get_the_other_answer() {
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 120 --seed 1 --out d.csv");
    fine(folder.path(), "train d.csv --out m.pb --rounds 10 --leaves 6 --members 1");
    let text = fs::read_to_string(folder.path().join("d.csv")).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
    let (names, rows): (Vec<String>, Vec<Vec<String>>) = (lines.next().unwrap(), lines.collect());
    let found: Value =
        serde_json::from_str(&fine(folder.path(), "why-not m.pb d.csv --rows 1-12 --fixed x7 --json").stdout)
            .unwrap();
    let found = found.as_array().unwrap();
    let mut changed = names.join(",") + "\n";
    for (row, found) in rows.iter().zip(found) {
        let mut row = row.clone();
        assert_eq!(found["complete"], true);
        for change in found["changes"].as_array().unwrap() {
            assert_ne!(change["column"], "x7");
            let at = names.iter().position(|name| change["column"] == name.as_str()).unwrap();
            assert!((row[at].parse::<f64>().unwrap() - change["from"].as_f64().unwrap()).abs() < 1e-9);
            row[at] = change["to"].to_string();
        }
        changed.extend([row.join(",").as_str(), "\n"]);
    }
    fs::write(folder.path().join("c.csv"), changed).unwrap();
    let answers = fine(folder.path(), "predict m.pb c.csv").stdout;
    for (answer, found) in answers.lines().skip(1).zip(found) {
        assert_ne!(found["answer"], found["class"]);
        assert_eq!(answer.split(',').next(), found["class"].as_str(), "{found}");
    }
    for (arguments, said) in [
        ("why-not m.pb d.csv --class nothing", "no class"),
        ("why-not m.pb d.csv --fixed nothing", "no column"),
        ("why-not m.pb d.csv --seconds 0", "--seconds"),
        ("why-not m.pb d.csv --rows 500", "500"),
    ] {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status, Some(2), "{arguments}");
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
}
