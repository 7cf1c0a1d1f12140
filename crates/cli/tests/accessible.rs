//! Pages for everyone: nothing that axe-core knows to be in somebody's way, in light and dark, on a desktop and on a phone; and every control can be
//! reached and used with the keyboard alone, with a focus that can be seen.
//!
//! `cargo xtask test` installs axe-core under `target/axe` and runs these tests where there is a browser.

#[path = "browser/chromium.rs"]
mod chromium;
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use chromium::{Chromium, WIDTHS};
use common::{fine, good};
use serde_json::Value;
use tempfile::tempdir;

/// What is wrong with a page: the rule and where.
const AXE: &str = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => \
                   `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 120))}`))";

/// Things that can have the focus, numbered; those that are not shown do not count.
const CONTROLS: &str = "[...document.querySelectorAll('a[href], button, select, input, [tabindex=\"0\"]')]\
                        .filter((node) => node.checkVisibility()).map((node, at) => (node.dataset.control = at, at)).length";

/// The number of what has the focus, or why it cannot be seen.
const FOCUS: &str = "(() => { const node = document.activeElement; if (!node?.dataset.control) return null;\
                     const { outlineStyle, outlineWidth } = getComputedStyle(node), { top, bottom } = node.getBoundingClientRect();\
                     if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) return `${node.outerHTML.slice(0, 120)} shows no focus`;\
                     if (bottom < 0 || top > innerHeight) return `${node.outerHTML.slice(0, 120)} is out of sight`;\
                     return Number(node.dataset.control); })()";

fn axe() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let script = root.join("target/axe/node_modules/axe-core/axe.min.js");
    fs::read_to_string(script).expect("axe-core is not in target/axe (cargo xtask test installs it)")
}

/// Pages of all kinds: two, four and a hundred classes, label sets, several boosters.
fn pages(folder: &Path) -> Vec<PathBuf> {
    fs::write(folder.join("d.csv"), good()).unwrap();
    fine(folder, "train d.csv --out stumps.pb --booster mm --learner stump --rounds 20 --report stumps.html");
    fine(folder, "generate mixed --rows 300 --out m.csv");
    fine(folder, "train m.csv --out mixed.pb --rounds 10 --report mixed.html");
    fine(folder, "generate clusters --rows 500 --out c.csv");
    fine(folder, "train c.csv --out many.pb --members 1 --rounds 5 --report many.html");
    fine(folder, "generate gaussians --rows 200 --out g.csv");
    fine(folder, "compare g.csv --boosters mcboost,samme --rounds 8");
    let row = |i: usize| format!("{},{},{},{}\n", i % 7, i * 5 % 11, i % 2, usize::from(i % 7 > 3));
    let rows: String = (0..80).map(row).collect();
    fs::write(folder.join("l.csv"), format!("x,y,label:a,label:b\n{rows}")).unwrap();
    fine(folder, "train l.csv --out sets.pb --rounds 8 --report sets.html");
    fine(folder, "explain mixed.pb m.csv --rows 1-30 --page why.html");
    ["stumps", "mixed", "many", "compare", "sets", "why"]
        .map(|name| folder.join(name).with_extension("html"))
        .into()
}

#[test]
#[ignore = "needs Chromium and axe-core"]
fn nothing_is_in_the_way() {
    let (folder, axe) = (tempdir().unwrap(), axe());
    let mut browser = Chromium::start();
    for page in pages(folder.path()) {
        // Thousands of cells of a confusion matrix take long to look at: once on a desktop and once on a phone is enough there.
        let many = page.ends_with("many.html");
        let all = WIDTHS.into_iter().flat_map(|width| [(width, false), (width, true)]);
        for (width, dark) in all.filter(|&(width, dark)| !many || dark == (width == WIDTHS[1])) {
            browser.open(&page, width, dark);
            browser.run(&axe);
            let found = browser.run(AXE);
            assert_eq!(found, Value::Array(Vec::new()), "{} at {width}, dark: {dark}", page.display());
        }
    }
    // A page that is in the way is found out.
    let bad = folder.path().join("bad.html");
    fs::write(&bad, "<!doctype html><title>a</title><button></button>").unwrap();
    browser.open(&bad, 1280, false);
    browser.run(&axe);
    assert!(browser.run(AXE).to_string().contains("button-name"));
}

/// Goes through a page with the tab key, and says which controls had the focus.
fn visited(browser: &mut Chromium, controls: usize) -> Vec<u64> {
    let mut seen = Vec::new();
    for _ in 0..controls + 2 {
        browser.press("Tab");
        match browser.run(FOCUS) {
            Value::Number(at) => seen.extend(at.as_u64()),
            Value::Null => {}
            wrong => panic!("{wrong}"),
        }
    }
    seen
}

#[test]
#[ignore = "needs Chromium"]
fn every_control_can_be_reached_and_used_with_keys() {
    let folder = tempdir().unwrap();
    let mut browser = Chromium::start();
    for page in pages(folder.path()).into_iter().filter(|page| !page.ends_with("many.html")) {
        for width in WIDTHS {
            browser.open(&page, width, false);
            let controls = browser.run(CONTROLS).as_u64().unwrap() as usize;
            let mut seen = visited(&mut browser, controls);
            seen.sort_unstable();
            seen.dedup();
            let all: Vec<u64> = (0..controls as u64).collect();
            assert_eq!(seen, all, "{} at {width}: what the tab key comes to", page.display());
        }
        use_controls(&mut browser, &page);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

/// One control of each kind of each figure does with keys what it does with a pointer.
fn use_controls(browser: &mut Chromium, page: &Path) {
    let figures = browser.run("document.querySelectorAll('.figure').length").as_u64().unwrap();
    for (figure, (kind, key)) in (0..figures).flat_map(|figure| {
        [
            ("button[aria-pressed]:last-of-type", " "),
            ("select", "ArrowDown"),
            ("input[type=range]", "ArrowLeft"),
        ]
        .map(|control| (figure, control))
    }) {
        let node =
            format!("document.querySelectorAll('.figure')[{figure}].querySelector('.controls {kind}')");
        let state = format!("{node}.value + {node}.getAttribute('aria-pressed') + {node}.options?.length");
        let usable = format!("{node} !== null && !({node}.options?.length === 1)");
        if browser.run(&usable) != Value::Bool(true) {
            continue;
        }
        // From wherever it is, so that the key has something to do.
        browser.run(&format!("if ({node}.type === 'range') {{ {node}.value = {node}.max }}; {node}.focus()"));
        let before = browser.run(&state);
        browser.press(key);
        assert_ne!(browser.run(&state), before, "{}: {kind} of figure {figure}", page.display());
    }
}
