//! Signals, pipes, permissions, threads, checkpoints: what a command does in the world.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{command, files, fine, good, run};
use tempfile::tempdir;

fn folder_with(text: &str) -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), text).unwrap();
    folder
}

fn model(folder: &Path, arguments: &str) -> Vec<u8> {
    fine(folder, &format!("train d.csv --out m.pb {arguments}"));
    fs::read(folder.join("m.pb")).unwrap()
}

#[test]
fn threads_do_not_matter() {
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate mixed --rows 3000 --out d.csv");
    let options = "--rounds 6 --leaves 9 --subsample 0.7 --features 0.6";
    let one = model(folder.path(), &format!("{options} --threads 1"));
    for threads in [2, 8] {
        assert!(one == model(folder.path(), &format!("{options} --threads {threads}")), "{threads} threads");
    }
}

#[test]
fn resumed_is_uninterrupted() {
    for options in
        ["--leaves 5", "--booster mm --learner tree --leaves 4", "--leaves 5 --valid 0.3 --patience 50"]
    {
        let folder = folder_with(&good());
        let whole = model(folder.path(), &format!("{options} --rounds 12"));
        model(folder.path(), &format!("{options} --rounds 5 --checkpoint c --every 2"));
        let done = fine(
            folder.path(),
            &format!("train d.csv --out m.pb {options} --rounds 12 --checkpoint c --resume --trace t.jsonl"),
        );
        assert!(done.stderr.contains("going on after round 4"), "{}", done.stderr);
        assert!(whole == fs::read(folder.path().join("m.pb")).unwrap(), "{options}");
        // The trace is whole too.
        let trace = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
        assert_eq!(trace.lines().count(), 13, "{options}");
    }
}

#[test]
fn resuming_without_a_checkpoint_begins() {
    let folder = folder_with(&good());
    let plain = model(folder.path(), "--rounds 4");
    let done = fine(folder.path(), "train d.csv --out m.pb --rounds 4 --checkpoint c --resume");
    assert!(done.stderr.contains("no checkpoint yet"));
    assert!(plain == fs::read(folder.path().join("m.pb")).unwrap());
}

#[cfg(unix)]
fn signal(process: u32, signal: &str) {
    let sent = std::process::Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_rounds() {
    for kind in ["-INT", "-TERM"] {
        let folder = folder_with(&good());
        let arguments =
            "train d.csv --out m.pb --rounds 10000000 --json --trace t.jsonl --checkpoint c --every 10000";
        let child = command(folder.path())
            .args(arguments.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(1));
        let asked = Instant::now();
        signal(child.id(), kind);
        let output = child.wait_with_output().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(20));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["stopped"], "interrupted");
        let rounds = summary["rounds"].as_u64().unwrap();
        assert!(rounds > 0);
        fine(folder.path(), "predict m.pb d.csv");
        let trace = fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
        assert!(trace.lines().last().unwrap().contains("\"stopped\":\"interrupted\""));
        assert_eq!(trace.lines().count() as u64, rounds + 1);
        assert_eq!(files(folder.path()).keys().filter(|name| name.starts_with('.')).count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once_and_leaves_nothing() {
    let folder = tempdir().unwrap();
    // Rounds that take long: many rows, large trees.
    fine(folder.path(), "generate blobs --rows 400000 --out d.csv");
    let arguments = "train d.csv --out m.pb --booster logitboost --learner tree --rounds 1000 --leaves 60000 --min-rows 1 --trace t.jsonl";
    let mut child = command(folder.path())
        .args(arguments.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // What was inferred is told right before training.
    assert!(lines.by_ref().any(|line| line.unwrap().contains("numbers")));
    std::thread::sleep(Duration::from_millis(300));
    signal(child.id(), "-INT");
    // Longer than the time in which two signals are one wish.
    std::thread::sleep(Duration::from_millis(1500));
    signal(child.id(), "-INT");
    let asked = Instant::now();
    let status = child.wait().unwrap();
    assert!(asked.elapsed() < Duration::from_secs(2));
    assert_eq!(status.code(), Some(130));
    assert_eq!(files(folder.path()).keys().collect::<Vec<_>>(), ["d.csv"]);
}

/// Case 25: nobody reads the results.
#[test]
fn case_25_a_closed_pipe_is_quiet() {
    let folder = tempdir().unwrap();
    let mut child = command(folder.path())
        .args(["generate", "blobs", "--rows", "200000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Case 3, and case 63 in a folder that may not be written: as root, the command runs as somebody else.
#[cfg(unix)]
#[test]
fn case_3_and_63_permissions() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = folder_with(&good());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let root = fs::File::create(folder.path().join("probe")).is_ok();
    let tool = folder.path().join("manyboost");
    let run = |arguments: &str| {
        let mut command =
            std::process::Command::new(if root { &tool } else { Path::new(env!("CARGO_BIN_EXE_manyboost")) });
        command.args(arguments.split(' ')).current_dir(folder.path());
        if root {
            command.uid(65_534).gid(65_534);
        }
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    if root {
        // Where it was built, somebody else may not look.
        fs::remove_file(folder.path().join("probe")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_manyboost"), &tool).unwrap();
    }
    let (status, said) = run("train d.csv --out m.pb");
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("m.pb") && said.to_lowercase().contains("permission denied"), "{said}");
    fs::set_permissions(folder.path().join("d.csv"), fs::Permissions::from_mode(0o0)).unwrap();
    let (status, said) = run("train d.csv --out /tmp/manyboost-never-written.pb");
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("d.csv") && said.contains("no permission"), "{said}");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_and_says_so() {
    let folder = folder_with(&good());
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = command(folder.path()).args(["generate", "blobs"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stdout"));
    let done = run(folder.path(), "train d.csv --out /dev/full");
    assert_eq!(done.status, Some(1), "{}", done.stderr);
}

/// Arguments need not be text, whatever is looked for among them.
#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"\xff.csv");
    for more in [&["--out", "m"][..], &["--booster", "mm", "--help"]] {
        let done = command(folder.path()).arg("train").arg(odd).args(more).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains("UTF-8"), "{said}");
    }
}
