//! `effects` and `importance`: what is written fits together, and what makes no sense is refused.

mod common;

use std::fs;

use common::{fine, run};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 120 --seed 1 --out d.csv");
    fine(folder.path(), "train d.csv --out m.pb --rounds 10 --leaves 6");
    folder
}

fn json(folder: &TempDir, arguments: &str) -> Value {
    serde_json::from_str(&fine(folder.path(), arguments).stdout).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn curves_have_the_mean_of_their_rows() {
    let folder = folder();
    let partial = json(&folder, "effects m.pb d.csv --feature x7 --points 5 --json");
    let each = json(&folder, "effects m.pb d.csv --feature x7 --points 5 --kind individual --json");
    let rows = each["values"].as_array().unwrap();
    assert_eq!(rows.len(), 120);
    for point in 0..5 {
        let mean = numbers(&partial["values"][point]);
        assert!((mean.iter().sum::<f64>() - 1.0).abs() < 1e-9, "probabilities");
        for (class, mean) in mean.iter().enumerate() {
            let own: f64 = rows.iter().map(|row| row[point][class].as_f64().unwrap()).sum();
            assert!((own / 120.0 - mean).abs() < 1e-9);
        }
    }
    fine(folder.path(), "effects m.pb d.csv --feature x7 --points 5 --out e.csv --svg e.svg");
    let table = fs::read_to_string(folder.path().join("e.csv")).unwrap();
    assert_eq!(table.lines().count(), 6);
    assert!(table.starts_with("x7,"), "{table}");
    for (line, values) in table.lines().skip(1).zip(partial["values"].as_array().unwrap()) {
        let line: Vec<f64> = line.split(',').skip(1).map(|field| field.parse().unwrap()).collect();
        let wanted = numbers(values);
        assert_eq!(line.len(), wanted.len());
        assert!(line.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{line:?}, not {wanted:?}");
    }
    assert!(fs::read_to_string(folder.path().join("e.svg")).unwrap().matches("<polyline").count() == 3);
    let both =
        "effects m.pb d.csv --feature x7,x11 --points 4 --kind accumulated --scores --svg b.svg --json";
    assert_eq!(json(&folder, both)["values"].as_array().unwrap().len(), 16);
    let drawn = fs::read_to_string(folder.path().join("b.svg")).unwrap();
    assert!(drawn.matches("<rect x=").count() == 3 * 16);
    fine(folder.path(), "effects m.pb d.csv --feature x7 --kind individual --out rows.csv");
    assert!(fs::read_to_string(folder.path().join("rows.csv")).unwrap().starts_with("row,x7,"));
}

#[test]
fn importance_lists_what_matters_first() {
    let folder = folder();
    let found = json(&folder, "importance m.pb d.csv --repeats 2 --json");
    let columns = found["columns"].as_array().unwrap();
    assert_eq!((columns.len(), &found["trained_on"]), (21, &Value::from("all")));
    let rises: Vec<f64> = columns.iter().map(|c| c["log_loss"]["mean"].as_f64().unwrap()).collect();
    assert!(rises.windows(2).all(|pair| pair[0] >= pair[1]) && rises[0] > 0.01, "{rises:?}");
    let shown = fine(folder.path(), "importance m.pb d.csv --repeats 2 --top 3 --classes").stdout;
    assert_eq!(shown, fine(folder.path(), "importance m.pb d.csv --repeats 2 --top 3 --classes").stdout);
    assert!(shown.contains("log loss"), "{shown}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder();
    for (arguments, said) in [
        ("effects m.pb d.csv --feature nothing", "no column"),
        ("effects m.pb d.csv --feature x7,x7", "twice"),
        ("effects m.pb d.csv --feature x7,x8,x9", "3 columns"),
        ("effects m.pb d.csv --feature x7 --kind individual", "--out FILE"),
        ("effects m.pb d.csv --feature x7 --points 1", "--points"),
        ("effects m.pb d.csv --feature x7 --out d.csv", "overwrite"),
        ("importance m.pb d.csv --repeats 0", "--repeats"),
    ] {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status, Some(2), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(said), "{arguments}: {}", done.stderr);
    }
}
