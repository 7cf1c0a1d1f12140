//! Pages in a real browser: everything is there, nothing complains, and the controls do what they say.
//!
//! `browser/drive.js` uses every control of a page and says what is wrong. Without Chromium there is nothing to test: `cargo test` ignores these tests, and
//! `cargo xtask test` runs them where there is one.

#[path = "browser/chromium.rs"]
mod chromium;
mod common;

use std::fs;
use std::path::Path;

use chromium::{Chromium, WIDTHS};
use common::{fine, good};
use serde_json::{Value, json};
use tempfile::tempdir;

const DRIVE: &str = include_str!("browser/drive.js");
/// Bytes of a page.
const MOST: u64 = 2_000_000;

/// Drives a page at the width of a desktop and of a phone, in light and dark; panics with what the page says unless all is fine.
fn drive(browser: &mut Chromium, folder: &Path, page: &str, sections: &[&str]) {
    for (width, dark) in WIDTHS.into_iter().zip([false, true]) {
        drive_at(browser, &folder.join(page), sections, width, dark, &json!([]));
    }
}

fn drive_at(browser: &mut Chromium, page: &Path, sections: &[&str], width: u32, dark: bool, cases: &Value) {
    browser.open(page, width, dark);
    let wrong = browser.run(&format!("({DRIVE})({}, {cases})", json!(sections)));
    assert_eq!(wrong, json!([]), "{} at {width}", page.display());
    assert_eq!(browser.complaints(), Vec::<String>::new(), "{} at {width}", page.display());
    let size = fs::metadata(page).unwrap().len();
    assert!(size < MOST, "{}: {size} bytes", page.display());
}

#[test]
#[ignore = "needs Chromium"]
fn every_section_and_control_of_a_model_works() {
    let mut browser = Chromium::start();
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
    drive(&mut browser, folder.path(), "s.html", &sections);
    fine(folder.path(), "generate mixed --rows 400 --out m.csv");
    fine(folder.path(), "train m.csv --out m.pb --rounds 12");
    fine(folder.path(), "report m.pb --data m.csv");
    let sections =
        [&common[..], &["plane", "confusion", "explorer", "shapley", "effects", "columns"]].concat();
    drive(&mut browser, folder.path(), "m.html", &sections);
    fine(folder.path(), "explain m.pb m.csv --page w.html --words");
    drive(&mut browser, folder.path(), "w.html", &["reasons", "shapley", "reproduce"]);
}

/// Names that would be markup, code or a mess, if they were not taken for what they are.
const HOSTILE: [&str; 7] = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "a \"quoted\" 'name' & more",
    "\u{202e}desrever \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{645}\u{631}\u{62d}\u{628}\u{627}",
    "__proto__",
    "${alert(1)}\u{2028}\\u003c",
    "",
];

#[test]
#[ignore = "needs Chromium"]
fn hostile_names_are_names() {
    let mut browser = Chromium::start();
    let folder = tempdir().unwrap();
    let names = HOSTILE
        .map(|name| if name.is_empty() { "very long ".repeat(40) + &"x".repeat(300) } else { name.into() });
    let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
    let mut table = names.iter().map(|name| quoted(name) + ",").collect::<String>() + "class\n";
    for row in 0..350usize {
        // A number in each column but the last, whose values are the names; the class depends on the first.
        let number = |column: usize| (row * (7 + column) + row / 5) % 23;
        let fields: Vec<String> = (0..6).map(|column| number(column).to_string()).collect();
        let class = &names[number(0) * 7 / 23];
        table.extend([&fields.join(","), ",", &quoted(&names[row % 7]), ",", &quoted(class), "\n"]);
    }
    fs::write(folder.path().join("h.csv"), table).unwrap();
    for (page, options) in [("t.html", "--rounds 10"), ("s.html", "--booster mm --learner stump --rounds 15")]
    {
        fine(folder.path(), &format!("train h.csv --out h.pb --valid 0.3 --report {page} {options}"));
        for (width, dark) in WIDTHS.into_iter().zip([true, false]) {
            drive_at(
                &mut browser,
                &folder.path().join(page),
                &["summary", "confusion"],
                width,
                dark,
                &json!([]),
            );
        }
    }
    fine(folder.path(), "explain h.pb h.csv --rows 1-20 --page w.html");
    drive(&mut browser, folder.path(), "w.html", &["reasons", "shapley"]);
    fine(folder.path(), "compare h.csv --boosters samme,mm --rounds 5");
    drive(&mut browser, folder.path(), "compare.html", &["boosters"]);
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
fn explore(browser: &mut Chromium, folder: &Path, table: &str, options: &str, cases: &[&[(&str, &str)]]) {
    fs::write(folder.join("m.csv"), table).unwrap();
    fine(folder, &format!("train m.csv --out m.pb --report m.html {options}"));
    let cases: Vec<Value> = cases.iter().map(|changes| case(folder, table, changes)).collect();
    drive_at(browser, &folder.join("m.html"), &["explorer"], WIDTHS[0], false, &json!(cases));
}

#[test]
#[ignore = "needs Chromium"]
fn the_model_in_the_page_is_the_model() {
    let mut browser = Chromium::start();
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
    // The page knows trees only.
    let trees = |booster: &str| if booster == "mcboost" { "--text-as words" } else { "" };
    for booster in ["mcboost", "m1", "mh", "mh-real", "mm", "mr", "m2", "samme", "ova", "ecc", "logitboost"] {
        let options = format!("--booster {booster} --rounds 12 {}", trees(booster));
        explore(&mut browser, folder, &mixed, &options, cases);
    }
    explore(&mut browser, folder, &mixed, "--booster gd-mcboost --loss savage --rounds 12", cases);
    let two = ["2", "3", "4"].iter().fold(mixed, |table, n| table.replace(&format!("kind {n}"), "other"));
    for booster in ["mcboost", "adaboost", "samme"] {
        let options = format!("--booster {booster} --rounds 12 {}", trees(booster));
        explore(&mut browser, folder, &two, &options, cases);
    }
    let hundred = made("clusters", 600);
    explore(&mut browser, folder, &hundred, "--members 1 --rounds 8", &[&[], &[("x1", "0.5"), ("x2", "")]]);
    // The default model, deep trees, and one that is too large.
    let waveform = made("waveform", 400);
    explore(&mut browser, folder, &waveform, "", &[&[], &[("x7", "3"), ("x15", "")]]);
    explore(
        &mut browser,
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
    let mut browser = Chromium::start();
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
    drive(&mut browser, folder.path(), "l.html", &common);
    fine(folder.path(), "generate gaussians --rows 200 --out g.csv");
    fine(
        folder.path(),
        "train g.csv --out p.pb --booster mh --learner product --answers factored --rounds 9 --report p.html",
    );
    drive(&mut browser, folder.path(), "p.html", &common);
    fine(folder.path(), "train g.csv --out i.pb --booster iter --learner linear --epoch 3 --report i.html");
    drive(&mut browser, folder.path(), "i.html", &common);
}

#[test]
#[ignore = "needs Chromium"]
fn comparisons_are_drawn() {
    let mut browser = Chromium::start();
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 300 --out w.csv");
    fine(folder.path(), "compare w.csv --boosters mcboost,samme:learner=tree:leaves=4,mm --rounds 10");
    let sections = ["boosters", "curves", "stopped", "reproduce"];
    drive(&mut browser, folder.path(), "compare.html", &sections);
    // Two columns of numbers: the plane is drawn, side by side and of a model alone.
    fine(folder.path(), "generate gaussians --rows 300 --out g.csv");
    fine(folder.path(), "compare g.csv --boosters samme,mm,mcboost --rounds 10");
    drive(&mut browser, folder.path(), "compare.html", &["boosters", "regions"]);
    fine(folder.path(), "train g.csv --out g.pb --booster mo --rounds 30 --valid 0.3 --report g.html");
    drive(&mut browser, folder.path(), "g.html", &["regions", "columns"]);
}

#[test]
#[ignore = "needs Chromium"]
fn pages_of_many_classes_stay_small() {
    let mut browser = Chromium::start();
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate clusters --rows 4000 --out c.csv");
    fine(folder.path(), "train c.csv --out c.pb --valid 0.3 --members 1 --rounds 12 --report c.html");
    let sections = ["confusion", "thresholds", "calibration", "shapley", "effects", "columns", "explorer"];
    drive(&mut browser, folder.path(), "c.html", &sections);
    fine(
        folder.path(),
        "train c.csv --out s.pb --booster mm --learner stump --valid 0.3 --rounds 120 --report s.html",
    );
    drive(&mut browser, folder.path(), "s.html", &["shapley", "shapes", "columns", "explorer"]);
    // Rows that are not like those of training are told from them.
    let moved = fs::read_to_string(folder.path().join("c.csv")).unwrap();
    let mut lines = moved.lines();
    let mut table = lines.next().unwrap().to_string() + "\n";
    for line in lines.take(500) {
        let (first, rest) = line.split_once(',').unwrap();
        let first = first.parse::<f64>().unwrap() + 1.5;
        table.extend([&first.to_string(), ",", rest, "\n"]);
    }
    fs::write(folder.path().join("moved.csv"), table).unwrap();
    fine(folder.path(), "report c.pb --data moved.csv --training c.csv --out d.html");
    browser.open(&folder.path().join("d.html"), 1280, false);
    let drifting = "[...document.querySelectorAll('#columns tbody tr')].filter((row) => row.textContent.includes('!'))\
                    .map((row) => row.firstChild.textContent)";
    assert_eq!(browser.run(drifting), json!(["x1"]));
}

/// The README's picture is of the page of the README's model. `UPDATE_PICTURE=1` draws it anew; look at it then.
#[test]
#[ignore = "needs Chromium"]
fn the_picture_of_the_readme_can_be_drawn() {
    let mut browser = Chromium::start();
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate waveform --rows 5000 --seed 1 --out train.csv");
    fine(
        folder.path(),
        "train train.csv --out waveform.model --valid 0.2 --patience 20 --report waveform.html",
    );
    browser.open(&folder.path().join("waveform.html"), 1240, false);
    let part = browser.run(&format!("({})()", include_str!("browser/picture.js")));
    let part: [f64; 4] = serde_json::from_value(part).unwrap();
    let picture = browser.picture(part, 1.0);
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000, "{} bytes", picture.len());
    if std::env::var_os("UPDATE_PICTURE").is_some() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        fs::write(root.join("docs/report.png"), picture).unwrap();
    }
}
