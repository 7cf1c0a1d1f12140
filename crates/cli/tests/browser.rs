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

/// The probabilities of each row, as `predict` gives them.
fn predicted(folder: &Path, model: &str, rows: &str) -> Vec<Vec<f64>> {
    let done = fine(folder, &format!("predict {model} {rows} --proba"));
    let numbers = |line: &str| line.split(',').skip(1).map(|p| p.parse().unwrap()).collect();
    done.stdout.lines().skip(1).map(numbers).collect()
}

#[test]
#[ignore = "needs Chromium"]
fn the_model_in_the_page_is_the_model() {
    let browser = browser();
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate mixed --rows 300 --out m.csv");
    // The same rows with another number in the first column.
    let table = fs::read_to_string(folder.path().join("m.csv")).unwrap();
    let other = |(at, line): (usize, &str)| match line.split_once(',') {
        Some((_, rest)) if at > 0 => format!("0.25,{rest}\n"),
        _ => format!("{line}\n"),
    };
    fs::write(folder.path().join("o.csv"), table.lines().enumerate().map(other).collect::<String>()).unwrap();
    for booster in ["mcboost", "samme", "mm", "mh", "gradient"] {
        let made = common::run(
            folder.path(),
            &format!("train m.csv --out m.pb --booster {booster} --rounds 12 --report m.html"),
        );
        if made.status != Some(0) {
            panic!("{booster}: {}", made.stderr);
        }
        let wanted = [predicted(folder.path(), "m.pb", "m.csv"), predicted(folder.path(), "m.pb", "o.csv")];
        let page = folder.path().join("m.html");
        let html = fs::read_to_string(&page).unwrap();
        assert!(html.len() < 2_000_000, "{booster}: {} bytes", html.len());
        fs::write(
            &page,
            html.replacen(
                "<head>",
                &format!("<head>\n<meta id=\"probabilities\" content=\"{wanted:?}\">"),
                1,
            ),
        )
        .unwrap();
        drive(browser, folder.path(), "m.html", &["explorer"], 1200);
    }
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
