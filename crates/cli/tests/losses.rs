//! Workers that are killed, or stopped, at any moment: the others fail in time with its name, and whoever goes on from the checkpoint
//! writes the file of an undisturbed run.
#![cfg(unix)]

mod common;

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Done, command, fine};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::{TempDir, tempdir};

const WORKERS: usize = 3;

/// Seconds of silence that are a loss.
const DEADLINE: u64 = 4;

/// So long a busy machine may take to say what it knows.
const SLACK: Duration = Duration::from_secs(5);

/// Rows in several files, and the file of an undisturbed run, which finds its number of rounds.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate blobs --rows 150 --out whole.csv");
    let whole = fs::read_to_string(path.join("whole.csv")).unwrap();
    let (head, rows) = whole.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    for (at, part) in rows.chunks(rows.len().div_ceil(4)).enumerate() {
        fs::write(path.join(format!("part-{at}.csv")), format!("{head}\n{}\n", part.join("\n"))).unwrap();
    }
    fs::write(path.join("token"), "0123456789abcdef0123456789abcdef\n").unwrap();
    fine(path, &format!("train whole.csv --out whole.mb {OPTIONS}"));
    folder
}

const OPTIONS: &str = "--leaves 4 --members 1 --shrinkage 0.5";

/// Starts the workers; each has a port that was free a moment ago.
fn start(folder: &Path, options: &str) -> Vec<Child> {
    let free: Vec<TcpListener> = (0..WORKERS).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let hosts: Vec<String> = free.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    fs::write(folder.join("hosts"), hosts.join("\n")).unwrap();
    drop(free);
    let start = |rank: usize| {
        let words = format!(
            "train part-0.csv part-1.csv part-2.csv part-3.csv --out m.mb --threads 1 \
             --workers hosts --rank {rank} --token-file token --deadline {DEADLINE} {options}"
        );
        let mut command = command(folder);
        command.args(words.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    (0..WORKERS).map(start).collect()
}

/// What each worker says at its end, and how long that took.
fn ends(workers: Vec<Child>) -> (Vec<Done>, Duration) {
    let began = Instant::now();
    let done = workers.into_iter().map(|worker| worker.wait_with_output().unwrap().into()).collect();
    (done, began.elapsed())
}

/// A kill at so many thousandths of a run, and a start again.
fn killed_at(path: &Path, thousandths: u32, length: Duration) {
    let _ = (fs::remove_file(path.join("m.mb")), fs::remove_file(path.join("c")));
    let checked = &format!("{OPTIONS} --checkpoint c --every 5 --resume");
    let mut workers = start(path, checked);
    let moment = length.mul_f64(f64::from(thousandths) / 1000.0);
    std::thread::sleep(moment);
    let which = thousandths as usize % WORKERS;
    let running = workers[which].try_wait().unwrap().is_none();
    workers[which].kill().unwrap();
    let (done, took) = ends(workers);
    // Before they are together, the time to come is waited for.
    assert!(took < Duration::from_secs(DEADLINE) + SLACK, "killed after {moment:?}: {took:?}");
    for (rank, one) in done.iter().enumerate().filter(|(rank, _)| running && *rank != which) {
        // The last one may be killed after all that it has to say.
        let named = one.stderr.contains(&format!("worker {which}"));
        assert!(named || one.status == Some(0), "{rank} after {moment:?}: {}", one.stderr);
    }
    let (done, _) = ends(start(path, checked));
    for one in done {
        assert_eq!(one.status, Some(0), "killed after {moment:?}: {}", one.stderr);
    }
    let same = fs::read(path.join("m.mb")).unwrap() == fs::read(path.join("whole.mb")).unwrap();
    assert!(same, "worker {which} killed after {moment:?}");
}

/// Kills that are spread over a run and are not a multiple of anything in it.
fn kills(count: u32) {
    let folder = folder();
    let began = Instant::now();
    for one in ends(start(folder.path(), OPTIONS)).0 {
        assert_eq!(one.status, Some(0), "{}", one.stderr);
    }
    let length = began.elapsed();
    for kill in 0..count {
        killed_at(folder.path(), (kill * 0x9e37 + 61) % 1009, length);
    }
}

#[test]
fn killed_and_started_again_is_undisturbed() {
    kills(4);
}

#[test]
#[ignore = "slow: for cargo xtask test --all"]
fn killed_at_forty_moments() {
    kills(40);
}

#[test]
fn a_worker_that_is_stopped_is_lost_after_the_deadline() {
    let folder = folder();
    let path = folder.path();
    let workers = start(path, "--booster mh --learner stump --rounds 10000000 --checkpoint c --every 1");
    let began = Instant::now();
    while !path.join("c").exists() && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let process = Pid::from_raw(workers[1].id() as i32);
    kill(process, Signal::SIGSTOP).unwrap();
    let stopped = Instant::now();
    let mut workers = workers;
    let silent = workers.remove(1);
    let (done, _) = ends(workers);
    let took = stopped.elapsed();
    assert!(took < Duration::from_secs(DEADLINE) + SLACK, "{took:?}");
    for one in done {
        assert_eq!(one.status, Some(1), "{}", one.stderr);
        assert!(one.stderr.contains("worker 1 was silent for 4 seconds"), "{}", one.stderr);
    }
    // It finds itself alone.
    kill(process, Signal::SIGCONT).unwrap();
    let (late, took) = ends(vec![silent]);
    assert!(took < Duration::from_secs(DEADLINE) + SLACK, "{took:?}");
    assert_eq!(late[0].status, Some(1), "{}", late[0].stderr);
    assert!(!path.join("m.mb").exists());
}
