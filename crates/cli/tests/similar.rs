//! `similar`: rows are most like themselves, and what makes no sense is refused.

mod common;

use common::{fine, run};
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn rows_are_most_like_themselves() {
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 120 --seed 1 --out d.csv");
    fine(folder.path(), "train d.csv --out m.pb --rounds 10 --leaves 6 --members 1");
    let out = fine(folder.path(), "similar m.pb d.csv --among d.csv --rows 3,7-9 --top 200 --json").stdout;
    let found: Value = serde_json::from_str(&out).unwrap();
    let found = found.as_array().unwrap();
    assert_eq!(found.iter().map(|row| row["row"].as_u64().unwrap()).collect::<Vec<_>>(), [3, 7, 8, 9]);
    for row in found {
        let alike = row["similar"].as_array().unwrap();
        assert_eq!(alike.len(), 120);
        let shares: Vec<f64> = alike.iter().map(|other| other["share"].as_f64().unwrap()).collect();
        assert!(shares.is_sorted_by(|a, b| a >= b) && shares[0] == 1.0);
        let own = alike.iter().find(|other| other["row"] == row["row"]).unwrap();
        assert_eq!((&own["share"], &own["answer"]), (&Value::from(1.0), &row["answer"]));
    }
    for (arguments, said) in [
        ("similar m.pb d.csv --among d.csv --top 0", "--top"),
        ("similar m.pb d.csv --among d.csv --rows 500", "500"),
        ("similar m.pb - --among -", "stdin"),
        ("similar m.pb d.csv", "--among"),
    ] {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status, Some(2), "{arguments}");
        assert!(done.stderr.contains(said), "{}", done.stderr);
    }
}
