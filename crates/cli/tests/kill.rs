//! SIGKILL at any moment, and disks that are full: nothing is lost that was there before.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Done, command, files, fine};
use tempfile::tempdir;

/// Kills.
const KILLS: u32 = 40;

#[test]
fn killed_and_resumed_is_uninterrupted() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate blobs --rows 1200 --out d.csv");
    let train =
        "train d.csv --out m.pb --quiet --rounds 30 --leaves 24 --subsample 0.8 --valid 0.2 --patience 100";
    fine(path, train);
    let whole = fs::read(path.join("m.pb")).unwrap();
    let checked = format!("{train} --checkpoint c --every 1 --resume");
    let began = Instant::now();
    fine(path, &checked);
    let length = began.elapsed();
    for kill in 0..KILLS {
        // Moments that are spread over the run and are not a multiple of anything in it.
        let mut moment =
            length.mul_f64(f64::from(kill * 0x9e37 % 1009) / 1009.0).max(Duration::from_millis(2));
        while !killed(path, &checked, moment) {
            moment /= 2;
        }
        fine(path, &checked);
        assert!(whole == fs::read(path.join("m.pb")).unwrap(), "killed after {moment:?} of {length:?}");
    }
}

/// Begins anew and kills the run at a moment; whether it was still running then.
fn killed(path: &Path, arguments: &str, moment: Duration) -> bool {
    let _ = (fs::remove_file(path.join("m.pb")), fs::remove_file(path.join("c")));
    let quiet = || Stdio::null();
    let mut child = command(path).args(arguments.split(' ')).stdout(quiet()).stderr(quiet()).spawn().unwrap();
    std::thread::sleep(moment);
    let running = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    running
}

/// Runs with room for so many blocks of 1024 bytes in any file; the signal that says so must not end the process.
fn with_room(path: &Path, blocks: usize, arguments: &str) -> std::process::Output {
    let script = format!("ulimit -f {blocks}; exec \"$0\" {arguments}");
    Command::new("bash")
        .arg("-c")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_manyboost"))
        .current_dir(path)
        .output()
        .unwrap()
}

#[test]
fn a_write_that_fails_part_way_keeps_the_old_file() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate blobs --rows 500 --out d.csv");
    fine(path, "train d.csv --out m.pb --rounds 3 --report r.html --checkpoint c --every 1 --trace t.jsonl");
    fine(path, "export m.pb --out m.onnx");
    fine(path, "predict m.pb d.csv --out p.csv");
    fine(path, "compare d.csv --boosters samme --rounds 2");
    let before = files(path);
    for arguments in [
        "train d.csv --out m.pb --rounds 60",
        "train d.csv --out other.pb --rounds 60 --checkpoint c --every 20",
        "report m.pb --data d.csv --out r.html",
        "export m.pb --out m.onnx",
        "compare d.csv --boosters samme --rounds 3",
        "predict m.pb d.csv --proba --out p.csv",
    ] {
        let done = with_room(path, 8, arguments);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{arguments}: {said}");
        assert!(said.contains("cannot be written") || said.contains("written"), "{arguments}: {said}");
        assert!(files(path) == before, "{arguments} left something else behind");
    }
}

/// What cannot be written beside the model does not cost the model.
#[test]
fn a_trace_or_a_checkpoint_that_cannot_be_written_keeps_the_model() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate blobs --rows 500 --out d.csv");
    let train = "train d.csv --rounds 60 --booster samme --learner stump";
    fine(path, &format!("{train} --out whole.pb"));
    let whole = fs::read(path.join("whole.pb")).unwrap();
    // Room for the model, not for the trace.
    let blocks = whole.len() / 1024 + 2;
    let done = with_room(path, blocks, &format!("{train} --out m.pb --trace t.jsonl --json"));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("t.jsonl: cannot be written") && said.contains("training goes on"), "{said}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("\"rounds\": 60"));
    assert!(whole == fs::read(path.join("m.pb")).unwrap());
    // Devices stand for disks that are full: the checkpoint goes there, the model elsewhere.
    let done: Done = command(path)
        .args(format!("{train} --out n.pb --checkpoint /dev/full --every 7").split(' '))
        .output()
        .unwrap()
        .into();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert_eq!(done.stderr.matches("/dev/full: cannot be written").count(), 2, "{}", done.stderr);
    assert!(whole == fs::read(path.join("n.pb")).unwrap());
    let left: Vec<String> = files(path).into_keys().collect();
    assert_eq!(left, ["d.csv", "m.pb", "n.pb", "whole.pb"]);
}

/// Two signals that come at once are one: the rounds are kept.
#[test]
fn two_signals_within_milliseconds_keep_the_model() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate blobs --rows 400 --out d.csv");
    for turn in 0..40 {
        let _ = fs::remove_file(path.join("m.pb"));
        let mut child = command(path)
            .args("train d.csv --out m.pb --rounds 10000000".split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        // What was inferred is told right before training.
        assert!(lines.by_ref().any(|line| line.unwrap().contains("numbers")));
        std::thread::sleep(Duration::from_millis(30));
        let pause = [0, 1, 5, 20, 100][turn % 5];
        let process = child.id().to_string();
        let script =
            format!("kill -TERM {process}; sleep {}; kill -TERM {process}", f64::from(pause) / 1000.0);
        // The second may find nobody.
        let _ = Command::new("bash").args(["-c", &script]).stderr(Stdio::null()).status().unwrap();
        let rest: Vec<String> = lines.map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{pause} ms: {rest:?}");
        assert!(path.join("m.pb").exists());
    }
}

/// A kill in the middle of a checkpoint leaves a file that the next run removes; one that is under way elsewhere stays.
#[test]
fn what_a_kill_left_is_removed_by_the_next_run() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate blobs --rows 300 --out d.csv");
    let temporaries =
        || files(path).into_keys().filter(|name| name.starts_with(".manyboost-")).collect::<Vec<_>>();
    let train = "train d.csv --out m.pb --quiet --rounds 100000 --leaves 8 --checkpoint c --every 1";
    // Killed in the moment in which one is seen.
    let left = (0..50).find_map(|_| {
        let mut child = command(path).args(train.split(' ')).stdout(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while temporaries().is_empty() && began.elapsed() < Duration::from_secs(10) {}
        let _ = child.kill();
        child.wait().unwrap();
        temporaries().pop()
    });
    let left = left.expect("one of fifty kills leaves a file");
    // Another one, as if its writer were still at work.
    let (kind, _) = left.rsplit_once('-').unwrap();
    let busy = format!("{kind}-busy.tmp");
    let file = fs::File::create(path.join(&busy)).unwrap();
    file.lock().unwrap();
    fine(path, &train.replace("100000", "3"));
    assert_eq!(temporaries(), std::slice::from_ref(&busy));
    drop(file);
    fine(path, &train.replace("100000", "3"));
    assert_eq!(temporaries(), [""; 0]);
}
