//! SIGKILL at any moment, and disks that are full: nothing is lost that was there before.
#![cfg(unix)]

mod common;

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{command, files, fine};
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
    let mut ended = 0;
    for kill in 0..KILLS {
        let _ = (fs::remove_file(path.join("m.pb")), fs::remove_file(path.join("c")));
        // Moments that are spread over the run and are not a multiple of anything in it.
        let moment = length.mul_f64(f64::from(kill * 0x9e37 % 1009) / 1009.0);
        let mut child = command(path)
            .args(checked.split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(moment.max(Duration::from_millis(2)));
        ended += u32::from(child.try_wait().unwrap().is_some());
        let _ = child.kill();
        child.wait().unwrap();
        fine(path, &checked);
        assert!(whole == fs::read(path.join("m.pb")).unwrap(), "killed after {moment:?} of {length:?}");
    }
    assert!(
        ended < KILLS / 2,
        "{ended} of {KILLS} runs had ended before they were killed: they are too short"
    );
}

/// Runs with room for so many blocks of 512 bytes in any file; the signal that says so is ignored, as writers want to hear of it themselves.
fn with_room(path: &std::path::Path, blocks: usize, arguments: &str) -> std::process::Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {arguments}");
    Command::new("bash")
        .arg("-c")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_polyboost"))
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
    fine(path, "compare d.csv --boosters samme --rounds 2");
    let before = files(path);
    for arguments in [
        "train d.csv --out m.pb --rounds 60",
        "train d.csv --out other.pb --rounds 60 --checkpoint c --every 20",
        "report m.pb --data d.csv --out r.html",
        "export m.pb --out m.onnx",
        "compare d.csv --boosters samme --rounds 3",
        "predict m.pb d.csv --proba --out t.jsonl",
    ] {
        let done = with_room(path, 8, arguments);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{arguments}: {said}");
        assert!(said.contains("cannot be written") || said.contains("written"), "{arguments}: {said}");
        assert!(files(path) == before, "{arguments} left something else behind");
    }
}
