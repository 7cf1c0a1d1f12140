//! What `explain` writes sums up to what `predict --scores` writes, and what cannot be explained is refused with the reason.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{fine, run};
use serde_json::Value;
use tempfile::tempdir;

/// The fields of a table without quoted ones, with its header.
fn lines(text: &str) -> (Vec<&str>, Vec<Vec<&str>>) {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    (lines.next().unwrap(), lines.collect())
}

/// The scores of each row, from the lines of an explanation.
fn sums(text: &str, before: usize) -> BTreeMap<usize, Vec<f64>> {
    let mut sums: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for line in lines(text).1 {
        let adds: Vec<f64> = line[before..].iter().map(|field| field.parse().unwrap()).collect();
        let sum = sums.entry(line[0].parse().unwrap()).or_insert_with(|| vec![0.0; adds.len()]);
        sum.iter_mut().zip(adds).for_each(|(sum, x)| *sum += x);
    }
    sums
}

fn scores(folder: &Path) -> Vec<Vec<f64>> {
    let text = fine(folder, "predict m.pb d.csv --scores").stdout;
    let scores = lines(&text).1;
    scores.iter().map(|line| line[1..].iter().map(|field| field.parse().unwrap()).collect()).collect()
}

fn near(found: &BTreeMap<usize, Vec<f64>>, wanted: &[Vec<f64>]) {
    for (row, sum) in found {
        let wanted = &wanted[row - 1];
        assert!(
            sum.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9),
            "row {row}: {sum:?}, not {wanted:?}"
        );
    }
}

#[test]
fn tables_sum_up_to_scores() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate mixed --rows 3000 --seed 5 --out d.csv");
    fine(path, "train d.csv --out m.pb --rounds 8 --leaves 8");
    let scores = scores(path);
    fine(path, "explain m.pb d.csv --out e.csv");
    let all = fs::read_to_string(path.join("e.csv")).unwrap();
    assert_eq!(lines(&all).0[..3], ["row", "column", "value"]);
    let found = sums(&all, 3);
    assert_eq!(found.len(), 3000);
    near(&found, &scores);
    fine(path, "explain m.pb d.csv --out w.csv --words --rows 2,2999-3000");
    let words = fs::read_to_string(path.join("w.csv")).unwrap();
    assert_eq!(lines(&words).0[..4], ["row", "column", "word", "value"]);
    assert!(lines(&words).1.iter().any(|line| !line[2].is_empty() && line[3] == "yes"));
    let found = sums(&words, 4);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), [2, 2999, 3000]);
    near(&found, &scores);
    // As Parquet: the same lines, read back by the program's own reader.
    fine(path, "explain m.pb d.csv --out e.parquet --rows 1-40");
    let table = manyboost_data::Table::read(path.join("e.parquet")).unwrap();
    let width = lines(&all).0.len();
    assert_eq!((table.columns.len(), table.rows % 40), (width, 0));
    let wanted = lines(&all).1;
    for (at, column) in table.columns.iter().enumerate().skip(3) {
        let manyboost_data::Values::Numbers(numbers) = &column.values else { continue };
        for (row, line) in wanted.iter().enumerate().take(table.rows) {
            assert_eq!(numbers.get(row), line[at].parse::<f64>().unwrap(), "line {row}");
        }
    }
    fine(path, "generate mixed --rows 50 --seed 6 --out b.csv");
    fine(path, "explain m.pb d.csv --out b.tsv --background b.csv --rows 7");
    let beside = fs::read_to_string(path.join("b.tsv")).unwrap().replace('\t', ",");
    near(&sums(&beside, 3), &scores);
    assert_ne!(lines(&beside).1[0][3..], lines(&all).1[0][3..], "another expectation");
}

#[test]
fn documents_have_the_same() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("d.csv"), common::good()).unwrap();
    fine(path, "train d.csv --out m.pb --rounds 5 --leaves 4");
    let scores = scores(path);
    let text = fine(path, "explain m.pb d.csv --json --rows 4-5").stdout;
    let document: Value = serde_json::from_str(&text).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(document["classes"], serde_json::json!(["ant", "bee", "cat"]));
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| number(&row["row"])).collect::<Vec<_>>(), [4.0, 5.0]);
    for row in rows {
        let parts = row["parts"].as_array().unwrap();
        assert_eq!(parts.len(), 3);
        for class in 0..3 {
            let sum: f64 = parts.iter().map(|part| number(&part["adds"][class])).sum();
            let score = scores[number(&row["row"]) as usize - 1][class];
            assert!((sum + number(&document["expected"][class]) - score).abs() < 1e-9);
            assert!((number(&row["scores"][class]) - score).abs() < 1e-12);
        }
    }
    let one = fine(path, "explain m.pb d.csv --json --rows 4 --top 1").stdout;
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["rows"][0]["parts"].as_array().unwrap()[..], rows[0]["parts"].as_array().unwrap()[..1]);
    let shown = fine(path, "explain m.pb d.csv");
    assert!(shown.stdout.contains("row 3") && !shown.stdout.contains("row 4"));
    assert!(shown.stderr.contains("--rows"));
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate gaussians --rows 200 --out d.csv");
    for (options, words) in [
        ("--booster iter --epoch 3", "epochs"),
        ("--booster samme --learner linear", "hyperplanes"),
        ("--booster mh --learner product --start skewed", "products"),
        ("--booster mo --decode hamming", "signs of bits"),
    ] {
        fine(path, &format!("train d.csv --out m.pb --rounds 4 {options}"));
        let done = run(path, "explain m.pb d.csv --out e.csv");
        assert_eq!(done.status, Some(2), "{options}");
        assert!(done.stderr.contains(words) && done.stderr.contains("train a model with"), "{}", done.stderr);
        assert!(!path.join("e.csv").exists());
    }
    fine(path, "train d.csv --out m.pb --rounds 2");
    for (arguments, words) in [
        ("--rows 0", "not numbers of rows"),
        ("--rows 201", "there are 200 rows"),
        ("--top 0", "--top"),
        ("--out d.csv", "overwrite"),
        ("--out m.pb", "overwrite"),
        ("--background none.csv", "none.csv"),
    ] {
        let done = run(path, &format!("explain m.pb d.csv {arguments}"));
        assert_eq!(done.status, Some(2), "{arguments}");
        assert!(done.stderr.contains(words), "{arguments}: {}", done.stderr);
    }
}

#[test]
fn pages_have_the_numbers_of_tables() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate mixed --rows 400 --seed 5 --out d.csv");
    fine(path, "train d.csv --out m.pb --rounds 8 --leaves 8");
    fine(path, "explain m.pb d.csv --page w.html");
    let page = fs::read_to_string(path.join("w.html")).unwrap();
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let (expected, rows) = (&data["figure1"]["expected"], data["figure1"]["rows"].as_array().unwrap());
    assert_eq!(rows.len(), 300);
    assert!(page.contains("The first 300 of 400 rows") && page.len() < 500_000);
    for (row, scores) in rows.iter().zip(scores(path)) {
        for class in row["classes"].as_array().unwrap() {
            let at = class["class"].as_u64().unwrap() as usize;
            let parts = class["parts"].as_array().unwrap().iter().map(|part| part[2].as_f64().unwrap());
            let sum = expected[at].as_f64().unwrap() + parts.sum::<f64>() + class["rest"].as_f64().unwrap();
            // Four digits of each.
            assert!((sum - scores[at]).abs() < 5e-3, "row {}: {sum}, not {}", row["number"], scores[at]);
        }
    }
    fine(path, "explain m.pb d.csv --rows 7 --page one.html");
    assert_eq!(run(path, "explain m.pb d.csv --page d.csv").status, Some(2));
    assert_eq!(run(path, "explain m.pb d.csv --page w.html --json").status, Some(2));
}

#[test]
fn trees_are_drawn() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate mixed --rows 400 --seed 5 --out d.csv");
    let odd = fs::read_to_string(path.join("d.csv")).unwrap().replace("kind 1", "\"<b>\"\"k\\1\"\"\"");
    fs::write(path.join("d.csv"), odd.replace("x1,", "\"a&b<i>\",")).unwrap();
    fine(path, "train d.csv --out m.pb --rounds 3 --leaves 6");
    let told = fine(path, "inspect m.pb --trees 2 --svg t.svg --dot t.dot").stdout;
    assert!(told.contains("round 2, step") && !told.contains("round 3, step"), "{told}");
    let [svg, dot] = ["t.svg", "t.dot"].map(|name| fs::read_to_string(path.join(name)).unwrap());
    // Six leaves and five tests for each tree, and a way to each but the root.
    let count = |text: &str, what: &str| text.matches(what).count();
    assert_eq!(
        [count(&svg, "class=\"leaf\""), count(&svg, "class=\"test\""), count(&svg, "<path")],
        [12, 10, 20]
    );
    assert_eq!([count(&dot, "digraph"), count(&dot, " [label=\""), count(&dot, " -> ")], [2, 22, 20]);
    assert_eq!([count(&dot, "[label=yes]"), count(&dot, "[label=no]")], [10, 10]);
    assert!(!svg.contains("<b>") && !svg.contains("<i>") && svg.contains("400 rows"), "{svg}");
    assert!(svg.contains("&lt;b&gt;&quot;k\\1&quot;") && dot.contains("<b>\\\"k\\\\1\\\""), "{dot}");
    fine(path, "inspect m.pb --dot one.dot");
    assert_eq!(count(&fs::read_to_string(path.join("one.dot")).unwrap(), "digraph"), 1);
    // Twice the same place, and what is no tree.
    assert_eq!(run(path, "inspect m.pb --svg m.pb").status, Some(2));
    fine(path, "generate gaussians --rows 100 --out g.csv");
    fine(path, "train g.csv --out l.pb --booster samme --learner linear --rounds 2");
    let refused = run(path, "inspect l.pb --svg l.svg");
    assert!(refused.status != Some(0) && refused.stderr.contains("no tree"), "{}", refused.stderr);
    assert!(!path.join("l.svg").exists());
}
