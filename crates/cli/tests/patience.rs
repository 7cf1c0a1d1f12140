//! What takes long says so before it begins, and ends soon after it is asked to.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{command, fine};
use tempfile::tempdir;

/// Begins, waits for the word that it will take long, interrupts; how long it took to end then, and what it said.
fn interrupted(folder: &Path, arguments: &str) -> (Duration, Vec<String>) {
    let mut child = command(folder)
        .args(arguments.split(' '))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut lines = Vec::new();
    for line in said.by_ref() {
        lines.push(line);
        if lines.last().is_some_and(|line| line.contains("Ctrl-C stops it")) {
            break;
        }
    }
    std::thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "{arguments}: it did not take long: {lines:?}");
    let began = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    lines.extend(said);
    child.wait().unwrap();
    (began.elapsed(), lines)
}

#[test]
fn what_takes_long_ends_when_it_is_asked_to() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    let mut text = "x,y,class\n".to_string();
    for i in 0..80 {
        text.extend([format!("{},{},c{}\n", i * 7 % 40, i * 11 % 17, i % 20)]);
    }
    fs::write(folder.join("d.csv"), text).unwrap();
    for arguments in [
        "train d.csv --out m.model --booster gd-mcboost --dim 7 --rounds 2",
        "train d.csv --out m.model --booster cd-mcboost --dim 7 --rounds 2",
        "train d.csv --out m.model --booster os --loss zero-one --rounds 2 --horizon 10000",
        "codewords --classes 20 --dim 7",
        "game potentials --classes 6 --edge 0.1 --rounds 9000",
    ] {
        let (time, lines) = interrupted(folder, arguments);
        assert!(
            lines.iter().any(|line| line.starts_with("note: ") && line.contains("may take")),
            "{arguments}: {lines:?}"
        );
        assert!(time < Duration::from_secs(5), "{arguments}: it went on for {time:?}: {lines:?}");
    }
    // What is quick is not announced.
    let done = fine(folder, "train d.csv --out m.model --booster gd-mcboost --dim 2 --rounds 2");
    assert!(!done.stderr.contains("Ctrl-C"), "{}", done.stderr);
}

/// A round whose potentials were cut short is not kept, and what is kept is what so many rounds are.
#[test]
fn an_interrupted_game_keeps_whole_rounds() {
    let folder = tempdir().unwrap();
    let folder = folder.path();
    fine(folder, "generate blobs --rows 300 --out d.csv");
    let options = "--booster os --loss zero-one --horizon 300 --learner tree --leaves 6 -q --json";
    let mut child = command(folder)
        .args(format!("train d.csv --out m.model --rounds 300 --checkpoint c --every 1 {options}").split(' '))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.join("c").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert!(child.wait().unwrap().success());
    let shown = |model: &str| -> serde_json::Value {
        serde_json::from_str(&fine(folder, &format!("inspect {model} --json")).stdout).unwrap()
    };
    let cut = shown("m.model");
    let rounds = cut["rounds"].as_u64().unwrap();
    assert!((1..300).contains(&rounds), "{rounds} rounds");
    fine(folder, &format!("train d.csv --out n.model --rounds {rounds} {options}"));
    let whole = shown("n.model");
    assert_eq!((&cut["last"], &cut["importances"]), (&whole["last"], &whole["importances"]));
}
