//! The corpus of bad input, through the command: one row a case in `cases`, made by `make.rs`.
//!
//! Every row says which files there are, what is run, how it must end and which words must be shown. Besides, always: no
//! panic, no backtrace, a refusal in two lines ("error: …", then what to do), inputs unchanged, and after a refusal
//! nothing new in the folder.

#[path = "../common/mod.rs"]
mod common;

mod cases;
mod dated;
mod make;
mod same;
mod twins;

use std::collections::BTreeMap;
use std::path::Path;

use cases::Case;
use common::{Done, files, fine, run};

fn faults(case: &Case, folder: &Path) -> Vec<String> {
    for (name, bytes) in (case.files)() {
        let path = folder.join(name);
        if name.ends_with('/') {
            std::fs::create_dir(path).expect("a folder");
        } else {
            std::fs::write(path, bytes).expect("a file");
        }
    }
    for arguments in case.before {
        fine(folder, arguments);
    }
    if let Some(change) = case.change {
        change(folder);
    }
    let before = files(folder);
    let done = run(folder, case.run);
    let mut faults = ended(case, &done);
    let after = files(folder);
    for (name, bytes) in &before {
        if after.get(name) != Some(bytes) && !case.run.contains(&format!("--out {name}")) {
            faults.push(format!("{name} was changed"));
        }
    }
    for name in after.keys().filter(|name| !before.contains_key(*name)) {
        let asked = case.status == 0 && case.run.split_whitespace().any(|argument| argument == name);
        if !asked {
            faults.push(format!("{name} was left behind"));
        }
    }
    faults
}

fn ended(case: &Case, done: &Done) -> Vec<String> {
    let mut faults = Vec::new();
    if done.status != Some(case.status) {
        faults.push(format!("status {:?} instead of {}", done.status, case.status));
    }
    let all = format!("{}{}", done.stdout, done.stderr);
    for words in case.words {
        if !all.to_lowercase().contains(&words.to_lowercase()) {
            faults.push(format!("does not say {words:?}"));
        }
    }
    for words in ["panicked", "backtrace", "has a bug"] {
        if all.contains(words) {
            faults.push(format!("says {words:?}"));
        }
    }
    if case.status != 0 {
        let lines: Vec<&str> = done.stderr.lines().collect();
        let error = lines.iter().position(|line| line.starts_with("error: "));
        let remedy = error.and_then(|at| lines[at + 1..].iter().find(|line| !line.trim().is_empty()));
        if remedy.is_none() {
            faults.push("has no line that says what to do".into());
        }
        if !done.stdout.is_empty() {
            faults.push("prints a result".into());
        }
    }
    if !faults.is_empty() {
        faults.push(format!("it said: {}", all.chars().take(600).collect::<String>()));
    }
    faults
}

#[test]
fn the_corpus() {
    let mut wrong = Vec::new();
    let mut passed: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for case in cases::all() {
        let folder = tempfile::tempdir().expect("a folder");
        let faults = faults(case, folder.path());
        let count = passed.entry(case.number).or_default();
        count.1 += 1;
        if faults.is_empty() {
            count.0 += 1;
        } else {
            wrong.push(format!("case {} `{}`:\n    {}", case.number, case.run, faults.join("\n    ")));
        }
    }
    let table: Vec<String> =
        passed.iter().map(|(case, (good, all))| format!("{case}: {good}/{all}")).collect();
    println!("{}", table.join("  "));
    assert!(
        wrong.is_empty(),
        "{} of {} rows are wrong\n{}",
        wrong.len(),
        cases::all().count(),
        wrong.join("\n")
    );
}
