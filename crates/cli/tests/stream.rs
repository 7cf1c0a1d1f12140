//! Predictions are made some rows after the other: the same bytes as all at once, in memory that does not grow.

mod common;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use common::{command, files, fine, run};
use tempfile::tempdir;

#[test]
fn answers_do_not_depend_on_blocks() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    // Many more than a block has.
    fine(path, "generate mixed --rows 120000 --seed 5 --out d.csv");
    let text = fs::read_to_string(path.join("d.csv")).unwrap();
    assert!(text.len() > 8 << 20);
    fine(path, "generate mixed --rows 2000 --seed 9 --out t.csv");
    fine(path, "train t.csv --out m.pb --rounds 8 --leaves 8");
    let (header, body) = text.split_once('\n').unwrap();
    let lines: Vec<&str> = body.lines().collect();
    // A few rows from the beginning, the middle and the end.
    let some: Vec<usize> = [0, 1, 59_999, 60_000, lines.len() - 1].into();
    let few: String = some.iter().flat_map(|&at| [lines[at], "\n"]).collect();
    fs::write(path.join("few.csv"), format!("{header}\n{few}")).unwrap();
    for options in ["", " --proba", " --scores", " --top 2", " --staged"] {
        let all = fine(path, &format!("predict m.pb d.csv{options}")).stdout;
        let all: Vec<&str> = all.lines().collect();
        assert_eq!(all.len(), lines.len() + 1);
        let few = fine(path, &format!("predict m.pb few.csv{options}")).stdout;
        let wanted: Vec<&str> = std::iter::once(all[0]).chain(some.iter().map(|&at| all[at + 1])).collect();
        assert_eq!(few.lines().collect::<Vec<_>>(), wanted, "{options}");
    }
    let document = fine(path, "predict m.pb d.csv --json").stdout;
    let parsed: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(parsed["rows"].as_array().unwrap().len(), lines.len());
    // Laid out as one document.
    assert!(document == format!("{parsed:#}\n"));
}

#[test]
fn notes_count_all_rows() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let row = |i: usize| format!("{},{},{}\n", ["red", "blue"][i % 2], i % 7, ["a", "b"][i % 2]);
    let text = format!("colour,x,class\n{}", (0..60).map(row).collect::<Vec<_>>().concat());
    fs::write(path.join("t.csv"), text).unwrap();
    fine(path, "train t.csv --out m.pb --rounds 3");
    let body = "green,1,more\nred,2,more\n".repeat(400_000);
    fs::write(path.join("d.csv"), format!("colour,x,extra\n{body}")).unwrap();
    let done = fine(path, "predict m.pb d.csv --out p.csv");
    assert!(done.stderr.contains("400,000 rows"), "{}", done.stderr);
    assert_eq!(done.stderr.matches("rare or unseen").count(), 1, "{}", done.stderr);
    assert_eq!(done.stderr.matches("columns that are not used").count(), 1, "{}", done.stderr);
    assert_eq!(fs::read_to_string(path.join("p.csv")).unwrap().lines().count(), 800_001);
    // An error at the end leaves nothing behind.
    let before = files(path).into_keys().filter(|name| name != "bad.csv").collect::<Vec<_>>();
    fs::write(path.join("bad.csv"), format!("colour,x\n{}red,one\n", "red,1\n".repeat(900_000))).unwrap();
    let done = run(path, "predict m.pb bad.csv --out q.csv");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    assert!(done.stderr.contains("line 900002"), "{}", done.stderr);
    assert_eq!(files(path).into_keys().filter(|name| name != "bad.csv").collect::<Vec<_>>(), before);
}

/// The largest memory that a process has had so far, in megabytes.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_depend_on_the_rows() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    fine(path, "generate waveform --rows 300 --out t.csv");
    fine(path, "train t.csv --out m.pb --rounds 3");
    let text = fs::read_to_string(path.join("t.csv")).unwrap();
    let (header, body) = text.split_once('\n').unwrap();
    let mut child = command(path)
        .args(["predict", "m.pb", "-", "--out", "p.csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{header}\n").as_bytes()).unwrap();
    let many = body.repeat(100);
    let mut send = |times: usize| (0..times).for_each(|_| stdin.write_all(many.as_bytes()).unwrap());
    // What is still in the pipe is little.
    send(3);
    let few = peak(child.id());
    send(12);
    let (more, rows) = (peak(child.id()), 300 * 100 * 15);
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(path.join("p.csv")).unwrap().lines().count(), rows + 1);
    // 360,000 rows of 21 numbers are 60 MB.
    assert!(more < few + 25, "{few} MB after 90,000 rows, {more} MB after {rows}");
}
