//! Work for which there is no memory is refused with figures, and never ends by a signal.
#![cfg(target_os = "linux")]

mod common;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Done, fine, run};
use tempfile::tempdir;

/// Runs with so many mebibytes of address space.
fn within(folder: &Path, mebibytes: u64, arguments: &str) -> Done {
    let script = format!("ulimit -v {}; exec \"$0\" {arguments}", mebibytes << 10);
    let program = env!("CARGO_BIN_EXE_manyboost");
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).arg(program).current_dir(folder).env("RUST_BACKTRACE", "1");
    // Where an arena for every thread does not fit, the C library tries again at every allocation, which takes its time.
    command.env("MALLOC_ARENA_MAX", "1");
    command.output().unwrap().into()
}

/// So many rows, each with a class of its own or with one of some.
fn many_classes(rows: usize, classes: usize) -> String {
    let mut text = "x,class\n".to_string();
    for row in 0..rows {
        writeln!(text, "{},c{}", row % 1000, row % classes).unwrap();
    }
    text
}

/// An error of two lines that says what is needed, what there is, and what to do.
fn is_refusal(done: &Done) -> bool {
    let lines: Vec<&str> = done.stderr.lines().skip_while(|line| !line.starts_with("error: ")).collect();
    matches!(lines[..], [what, remedy] if what.contains(" needs about ") && what.contains(", and ") && remedy.starts_with("  "))
}

#[test]
fn a_class_for_every_row_is_refused_with_both_figures() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), many_classes(400_000, 400_000)).unwrap();
    for booster in ["mcboost", "samme", "cd-mcboost"] {
        let began = Instant::now();
        let done = run(folder.path(), &format!("train d.csv --out m.pb --booster {booster}"));
        assert_eq!(done.status, Some(1), "{booster}: {}", done.stderr);
        assert!(is_refusal(&done), "{booster}: {}", done.stderr);
        assert!(done.stderr.contains("TB, and ") && done.stderr.contains("are left ("), "{}", done.stderr);
        assert!(done.stderr.contains("class of its own"), "{}", done.stderr);
        assert!(began.elapsed() < Duration::from_secs(60));
    }
    assert!(!folder.path().join("m.pb").exists());
}

#[test]
fn a_limit_below_the_estimate_is_named() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), many_classes(20_000, 2_000)).unwrap();
    // Scores alone are 320 MB.
    for booster in ["mcboost", "mh", "logitboost"] {
        let arguments = format!("train d.csv --out m.pb --threads 2 --rounds 2 --booster {booster}");
        let done = within(folder.path(), 600, &arguments);
        assert_eq!(done.status, Some(1), "{booster}: {}", done.stderr);
        assert!(is_refusal(&done) && done.stderr.contains("(ulimit -v)"), "{booster}: {}", done.stderr);
    }
}

#[test]
fn whatever_the_limit_it_works_or_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("d.csv"), many_classes(3_000, 150)).unwrap();
    fine(path, "generate mixed --rows 1000 --out n.csv");
    let commands = [
        "train d.csv --out m.pb --threads 2 --rounds 3",
        "train n.csv --out m.pb --threads 2 --rounds 3 --booster logitboost --valid 0.3",
        "cv n.csv --folds 3 --threads 2 --rounds 3",
    ];
    for arguments in commands {
        let (mut worked, mut refused) = (0, 0);
        // From what a program can hardly start in to more than enough.
        for mebibytes in [20, 28, 36, 44, 52, 60, 76, 100, 130, 170, 230, 330, 550] {
            let done = within(path, mebibytes, arguments);
            match done.status {
                Some(0) => worked += 1,
                // The program itself may not fit: then the system says so.
                Some(1) if done.stderr.contains("error: ") => refused += 1,
                Some(127) if mebibytes < 30 => {}
                status => panic!("{arguments}, {mebibytes} MiB: {status:?} {}", done.stderr),
            }
        }
        assert!(worked > 0 && refused > 0, "{arguments}: {worked} worked, {refused} refused");
    }
}

#[test]
fn tables_that_do_not_fit_are_not_begun() {
    let folder = tempdir().unwrap();
    let done = within(folder.path(), 1000, "generate mixed --rows 100000000 --out d.csv");
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(is_refusal(&done), "{}", done.stderr);
    assert!(!folder.path().join("d.csv").exists());
}
