//! Processes that train together: the model file is that of one process, and whoever is lost is named.
#![cfg(unix)]

mod common;

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Done, command, fine, run};
use tempfile::{TempDir, tempdir};

/// A table in four files, of very different lengths, of which the first lacks a class.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let mut parts: Vec<Vec<String>> = vec![Vec::new(); 4];
    let mut whole = vec!["x,y,colour,class".to_string()];
    for row in 0..420u32 {
        let x = if row % 11 == 0 { "?".to_string() } else { format!("{}", row * 37 % 101) };
        let class = ["a", "b", "c"][((row * 37 % 101) / 40) as usize];
        let colour = ["red", "green", "blue", "no"][(row % 7 % 4) as usize];
        let line = format!("{x},{},{colour},{class}", f64::from(row % 13) * 0.25 - 1.0);
        let part = if row < 10 && class != "c" { 0 } else { [1, 2, 1, 3][(row % 4) as usize] };
        parts[part].push(line);
    }
    for (at, rows) in parts.iter().enumerate() {
        let lines = [vec![whole[0].clone()], rows.clone()].concat();
        fs::write(folder.path().join(format!("part-{at}.csv")), lines.join("\n") + "\n").unwrap();
    }
    whole.extend(parts.concat());
    fs::write(folder.path().join("whole.csv"), whole.join("\n") + "\n").unwrap();
    fs::write(folder.path().join("token"), "0123456789abcdef0123456789abcdef\n").unwrap();
    folder
}

const FILES: &str = "part-0.csv part-1.csv part-2.csv part-3.csv";

/// Starts so many workers; each has a port that was free a moment ago.
fn start(folder: &Path, workers: usize, options: &str) -> Vec<Child> {
    let free: Vec<TcpListener> = (0..workers).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let hosts: Vec<String> = free.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    fs::write(folder.join("hosts"), hosts.join("\n")).unwrap();
    drop(free);
    let start = |rank: usize| {
        let words = format!(
            "train {FILES} --out m.pb --threads 1 --workers hosts --rank {rank} --token-file token --deadline 20 {options}"
        );
        let mut command = command(folder);
        command.args(words.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    (0..workers).map(start).collect()
}

fn ends(workers: Vec<Child>) -> Vec<Done> {
    workers.into_iter().map(|worker| worker.wait_with_output().unwrap().into()).collect()
}

#[test]
fn any_number_of_processes_writes_the_file_of_one() {
    let folder = folder();
    let path = folder.path();
    let held = "--rounds 9 --leaves 6 --valid 0.3 --patience 3 --trace t";
    for options in
        ["--rounds 5 --leaves 6", "--booster mh --learner tree --rounds 4 --class-weight balanced", held]
    {
        fine(path, &format!("train whole.csv --out whole.pb {options}"));
        let (whole, rounds) = (fs::read(path.join("whole.pb")).unwrap(), traced(path));
        fine(path, &format!("train {FILES} --out m.pb {options}"));
        assert!(fs::read(path.join("m.pb")).unwrap() == whole, "files one after the other, {options}");
        for workers in [1, 2, 3, 4, 7] {
            fs::remove_file(path.join("m.pb")).unwrap();
            for done in ends(start(path, workers, options)) {
                assert_eq!(done.status, Some(0), "{workers} workers, {options}: {}", done.stderr);
                // Whether several are told so depends on the machine.
                let told = done.stderr.contains("rounds are too short to share");
                assert!(!told || workers > 1, "{workers} workers: {}", done.stderr);
            }
            assert!(fs::read(path.join("m.pb")).unwrap() == whole, "{workers} workers, {options}");
            assert!(options != held || traced(path) == rounds, "{workers} workers");
        }
    }
}

/// The rounds of a trace, without what depends on the time; margins are those of all rows, which no worker has.
fn traced(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("t")).unwrap_or_default();
    let timeless = |line: &str| line.split("\"seconds\"").next().unwrap_or_default().to_string();
    let after = |line: &str| line.split("\"hypothesis\"").nth(1).unwrap_or_default().to_string();
    text.lines().map(|line| timeless(line) + &after(line)).collect()
}

/// Started as a launcher does, with nothing but a number each; what an earlier run has left behind is in nobody's way.
#[test]
fn workers_that_were_started_together_find_one_another() {
    let folder = folder();
    let path = folder.path();
    let train = |out: &str, more: &str| format!("train {FILES} --out {out} --rounds 4 --threads 1 {more}");
    fine(path, &train("whole.pb", ""));
    fs::create_dir(path.join("m.pb.workers")).unwrap();
    fs::write(path.join("m.pb.workers/run"), "0123\n0123456789abcdef").unwrap();
    for [rank, size] in [["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], ["PMI_RANK", "PMI_SIZE"]] {
        let start = |at: usize| {
            let mut command = command(path);
            let words = train("m.pb", "--workers mpi --deadline 20");
            command.args(words.split_whitespace()).env(rank, at.to_string()).env(size, "3");
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        for done in ends((0..3).rev().map(start).collect()) {
            assert_eq!(done.status, Some(0), "{}", done.stderr);
        }
        assert!(fs::read(path.join("m.pb")).unwrap() == fs::read(path.join("whole.pb")).unwrap());
        assert!(!path.join("m.pb.workers").exists());
        fs::remove_file(path.join("m.pb")).unwrap();
    }
}

#[test]
fn a_worker_that_is_killed_ends_all_and_they_go_on_from_the_checkpoint() {
    let folder = folder();
    let path = folder.path();
    let options = "--rounds 400 --leaves 12 --checkpoint c --every 1 --resume";
    fine(path, "train whole.csv --out whole.pb --rounds 400 --leaves 12");
    let whole = fs::read(path.join("whole.pb")).unwrap();
    let mut workers = start(path, 3, options);
    let began = Instant::now();
    while !path.join("c").exists() && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    workers[1].kill().unwrap();
    let killed = Instant::now();
    let done = ends(workers);
    assert!(killed.elapsed() < Duration::from_secs(5), "{:?}", killed.elapsed());
    for rank in [0, 2] {
        assert_eq!(done[rank].status, Some(1), "{}", done[rank].stderr);
        assert!(done[rank].stderr.contains("worker 1 was lost"), "{}", done[rank].stderr);
    }
    assert!(!path.join("m.pb").exists());
    // Another number of workers may go on.
    for done in ends(start(path, 2, options)) {
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert!(done.stderr.contains("going on after round"), "{}", done.stderr);
    }
    assert!(fs::read(path.join("m.pb")).unwrap() == whole);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = folder();
    let path = folder.path();
    let team = "--workers 127.0.0.1:1,127.0.0.1:2 --token-file token";
    for (options, words) in [
        (format!("{team} --rank 2"), "--rank 2"),
        (format!("{team} --rank 0 --report t.html"), "--report cannot be written"),
        (team.to_string(), "--rank is missing"),
        ("--workers mpi --rank 0".to_string(), "with --workers mpi it is known"),
        ("--workers mpi".to_string(), "no launcher says"),
        ("--workers nowhere --rank 0 --token-file token".to_string(), "no HOST:PORT"),
        ("--workers 127.0.0.1:1 --rank 0 --token-file whole.pb".to_string(), "token cannot be read"),
    ] {
        let done = run(path, &format!("train {FILES} --out m.pb {options}"));
        assert_eq!(done.status, Some(2), "{options}: {}", done.stderr);
        assert!(done.stderr.contains(words), "{options}: {}", done.stderr);
    }
    // One has other options than the others.
    let mut workers = start(path, 2, "--rounds 3");
    workers[1].kill().unwrap();
    workers[1].wait().unwrap();
    let hosts = "--workers hosts --rank 1 --token-file token";
    let other = run(path, &format!("train {FILES} --out m.pb --rounds 4 {hosts}"));
    assert_eq!(other.status, Some(1), "{}", other.stderr);
    assert!(
        other.stderr.contains("has other options") || other.stderr.contains("worker 0"),
        "{}",
        other.stderr
    );
    let first = ends(workers).swap_remove(0);
    assert_eq!(first.status, Some(1), "{}", first.stderr);
    assert!(first.stderr.contains("worker 1"), "{}", first.stderr);
}
