//! Pages in a real browser: everything is there, nothing complains, and the controls do what they say.
//!
//! Chromium loads a copy of the page with one more script in it (`browser/drive.js`), which uses every control and writes what it finds
//! into the page; the page as it is then is what we get back. Without Chromium there is nothing to test: `cargo test` ignores these tests, and
//! `cargo xtask test` runs them where there is one.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{fine, good};
use serde_json::{Value, json};
use tempfile::tempdir;

const DRIVE: &str = include_str!("browser/drive.js");

/// The Chromium that is there.
fn browser() -> &'static str {
    let works =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|done| done.status.success());
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works);
    found.expect("chromium is not installed (apt install chromium)")
}

/// Drives a page at a width; panics with what the page says unless all is fine.
fn drive(browser: &str, folder: &Path, page: &str, sections: &[&str], width: usize) {
    let html = fs::read_to_string(folder.join(page)).unwrap();
    let wanted = format!("const WANTED = {sections:?};\n");
    let script = format!("<head>\n<script>\n{wanted}{DRIVE}</script>");
    let driven = folder.join("driven.html");
    fs::write(&driven, html.replacen("<head>", &script, 1)).unwrap();
    let profile = tempdir().unwrap();
    let done = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--dump-dom"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=20000"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", driven.display()))
        .output()
        .unwrap();
    let (page_after, log) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    let console: Vec<&str> = log.lines().filter(|line| line.contains(":CONSOLE")).collect();
    assert!(console.is_empty(), "{page} at {width}: {console:#?}");
    let outcome = page_after.split("data-outcome=\"").nth(1).and_then(|rest| rest.split('"').next());
    assert_eq!(outcome, Some("fine"), "{page} at {width}");
}

#[test]
#[ignore = "needs Chromium"]
fn every_section_and_control_of_a_model_works() {
    let browser = browser();
    let folder = tempdir().unwrap();
    let common = [
        "summary",
        "curves",
        "margins",
        "classes",
        "thresholds",
        "calibration",
        "importance",
        "trees",
        "reproduce",
    ];
    // Names that would be markup if they were not escaped.
    let odd = good()
        .replace("colour", "<b>colour</b>")
        .replace("ant", "<script>alert(1)</script>")
        .replace("bee", "a&b'\"c");
    fs::write(folder.path().join("d.csv"), odd).unwrap();
    let stumps =
        "train d.csv --out s.pb --booster mm --learner stump --rounds 30 --valid 0.3 --report s.html";
    fine(folder.path(), stumps);
    let sections = [&common[..], &["plane", "confusion", "shapes"]].concat();
    drive(browser, folder.path(), "s.html", &sections, 1200);
    drive(browser, folder.path(), "s.html", &sections, 500);
    fine(folder.path(), "generate mixed --rows 400 --out m.csv");
    fine(folder.path(), "train m.csv --out m.pb --rounds 12");
    fine(folder.path(), "report m.pb --data m.csv");
    drive(
        browser,
        folder.path(),
        "m.html",
        &[&common[..], &["plane", "confusion", "explorer"]].concat(),
        1200,
    );
}

/// A table of which some columns have the same value in all rows.
fn changed(table: &str, changes: &[(&str, &str)]) -> String {
    let names: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let line = |(at, line): (usize, &str)| {
        let mut fields: Vec<&str> = line.split(',').collect();
        for (name, value) in changes.iter().filter(|_| at > 0) {
            fields[names.iter().position(|other| other == name).unwrap()] = value;
        }
        fields.join(",") + "\n"
    };
    table.lines().enumerate().map(line).collect()
}

/// What `predict` and `explain` say of the rows of a table with these changes.
fn case(folder: &Path, table: &str, changes: &[(&str, &str)]) -> Value {
    fs::write(folder.join("case.csv"), changed(table, changes)).unwrap();
    let numbers = |fields: &[&str]| fields.iter().map(|x| x.parse().unwrap()).collect::<Vec<f64>>();
    let predicted = fine(folder, "predict m.pb case.csv --proba").stdout;
    let probabilities: Vec<Vec<f64>> =
        predicted.lines().skip(1).map(|line| numbers(&line.split(',').collect::<Vec<_>>()[1..])).collect();
    fine(folder, "explain m.pb case.csv --out why.csv");
    let mut reasons = vec![serde_json::Map::new(); probabilities.len()];
    for line in fs::read_to_string(folder.join("why.csv")).unwrap().lines().skip(1) {
        let [row, column, _, adds @ ..] = &line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        reasons[row.parse::<usize>().unwrap() - 1].insert((*column).into(), json!(numbers(adds)));
    }
    json!({"changes": changes, "probabilities": probabilities, "reasons": reasons})
}

/// Trains with a page, and compares its row explorer with the program.
fn explore(folder: &Path, table: &str, options: &str, cases: &[&[(&str, &str)]]) {
    fs::write(folder.join("m.csv"), table).unwrap();
    fine(folder, &format!("train m.csv --out m.pb --report m.html {options}"));
    let cases: Vec<Value> = cases.iter().map(|changes| case(folder, table, changes)).collect();
    let cases = json!(cases).to_string().replace('&', "&amp;").replace('"', "&quot;");
    let html = fs::read_to_string(folder.join("m.html")).unwrap();
    assert!(html.len() < 1_500_000, "{options}: {} bytes", html.len());
    let html = html.replacen("<head>", &format!("<head>\n<meta id=\"cases\" content=\"{cases}\">"), 1);
    fs::write(folder.join("m.html"), html).unwrap();
    drive(browser(), folder, "m.html", &["explorer"], 1200);
}

#[test]
#[ignore = "needs Chromium"]
fn the_model_in_the_page_is_the_model() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let made = |name: &str, rows: usize| {
        fine(folder, &format!("generate {name} --rows {rows} --out made.csv"));
        fs::read_to_string(folder.join("made.csv")).unwrap()
    };
    // Numbers, categories and text, some missing; a level that the model does not know.
    let mixed = made("mixed", 300);
    let cases: &[&[(&str, &str)]] = &[
        &[],
        &[("x1", "0.25")],
        &[("x1", ""), ("x2", "-1e-3")],
        &[("colour", "grey"), ("x3", "2")],
        &[("colour", "")],
        &[("colour", "no colour"), ("x4", "-0.5")],
    ];
    for booster in ["mcboost", "m1", "mh", "mh-real", "mm", "mr", "m2", "samme", "ova", "ecc", "logitboost"] {
        explore(folder, &mixed, &format!("--booster {booster} --rounds 12"), cases);
    }
    explore(folder, &mixed, "--booster gd-mcboost --loss savage --rounds 12", cases);
    let two = ["2", "3", "4"].iter().fold(mixed, |table, n| table.replace(&format!("kind {n}"), "other"));
    for booster in ["mcboost", "adaboost", "samme"] {
        explore(folder, &two, &format!("--booster {booster} --rounds 12"), cases);
    }
    let hundred = made("clusters", 600);
    explore(folder, &hundred, "--members 1 --rounds 8", &[&[], &[("x1", "0.5"), ("x2", "")]]);
    // The default model, deep trees, and one that is too large.
    let waveform = made("waveform", 400);
    explore(folder, &waveform, "", &[&[], &[("x7", "3"), ("x15", "")]]);
    explore(
        folder,
        &waveform,
        "--booster samme --learner tree --leaves 60 --rounds 20",
        &[&[], &[("x11", "-1")]],
    );
    fine(folder, "train m.csv --out m.pb --members 1 --rounds 3000 --report m.html");
    let html = fs::read_to_string(folder.join("m.html")).unwrap();
    assert!(html.contains("too large to run in a page") && html.len() < 1_000_000);
}

#[test]
#[ignore = "needs Chromium"]
fn label_sets_products_and_planes_have_pages_too() {
    let browser = browser();
    let folder = tempdir().unwrap();
    let common = [
        "summary",
        "curves",
        "margins",
        "classes",
        "thresholds",
        "calibration",
        "importance",
        "trees",
        "reproduce",
    ];
    let row = |i: usize| {
        format!(
            "{},{},{},{},{}\n",
            i % 7,
            i * 5 % 11,
            i % 2,
            usize::from(i % 7 > 3),
            usize::from(i.is_multiple_of(3))
        )
    };
    let rows: String = (0..80).map(row).collect();
    fs::write(folder.path().join("l.csv"), format!("x,y,label:a,label:b,label:c\n{rows}")).unwrap();
    fine(folder.path(), "train l.csv --out l.pb --rounds 15 --report l.html");
    drive(browser, folder.path(), "l.html", &common, 1200);
    fine(folder.path(), "generate gaussians --rows 200 --out g.csv");
    fine(
        folder.path(),
        "train g.csv --out p.pb --booster mh --learner product --answers factored --rounds 9 --report p.html",
    );
    drive(browser, folder.path(), "p.html", &common, 1200);
    fine(folder.path(), "train g.csv --out i.pb --booster iter --learner linear --epoch 3 --report i.html");
    drive(browser, folder.path(), "i.html", &common, 1200);
}

#[test]
#[ignore = "needs Chromium"]
fn comparisons_are_drawn() {
    let browser = browser();
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 300 --out w.csv");
    fine(folder.path(), "compare w.csv --boosters mcboost,samme:learner=tree:leaves=4,mm --rounds 10");
    let sections = ["boosters", "curves", "stopped", "reproduce"];
    drive(browser, folder.path(), "compare.html", &sections, 1200);
    drive(browser, folder.path(), "compare.html", &sections, 500);
}
