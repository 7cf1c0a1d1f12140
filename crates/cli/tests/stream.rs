//! Predictions are made some rows after the other: the same bytes as all at once, in memory that does not grow.

mod common;

use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

use common::{command, files, fine, run};
use tempfile::{TempDir, tempdir};

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

/// Customers with a number and a name, which no model looks at, and what they bought.
fn customers(rows: usize, answered: bool) -> String {
    let row = |i: usize| {
        let (kind, name) = (["tea", "mate"][i % 2], ["Ann", "\"Lee, Bo\"", "Łucja"][i % 3]);
        let answer = if answered { format!(",{}", ["no", "yes"][i % 2]) } else { String::new() };
        format!("{:05},{name},{}.50,{kind}{answer}\n", 7 * i, i % 5 + 10 * (i % 2))
    };
    let answer = if answered { ",bought" } else { "" };
    format!("id,name,price,kind{answer}\n{}", (0..rows).map(row).collect::<String>())
}

/// A folder with a model of customers.
fn shop() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("train.csv"), customers(120, true)).unwrap();
    fs::write(folder.path().join("new.csv"), customers(6, false)).unwrap();
    fine(folder.path(), "train train.csv --target bought --ignore id,name --rounds 5 --out m.model");
    folder
}

#[test]
fn columns_are_kept_beside_the_answers() {
    let folder = shop();
    let path = folder.path();
    let kept = fine(path, "predict m.model new.csv --keep name,id,price").stdout;
    let wanted = "name,id,price,bought\nAnn,00000,0.5,no\n\"Lee, Bo\",00007,11.5,yes\nŁucja,00014,2.5,no\n";
    assert!(kept.starts_with(wanted), "{kept}");
    let all = fine(path, "predict m.model new.csv --append").stdout;
    assert!(all.starts_with("id,name,price,kind,bought\n00000,Ann,0.5,tea,no\n"), "{all}");
    // The data have answers of their own.
    let beside = fine(path, "predict m.model train.csv --append --proba").stdout;
    assert!(
        beside.starts_with("id,name,price,kind,bought,predicted_bought,no,yes\n00000,Ann,0.5,tea,no,no,"),
        "{beside}"
    );
    let done = run(path, "predict m.model new.csv --keep nam");
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("\"nam\"") && done.stderr.contains("name"), "{}", done.stderr);
    let both = fine(path, "predict m.model new.csv --keep id --proba --top 1").stdout;
    assert!(both.starts_with("id,bought,no,yes,class_1,probability_1\n00000,no,"), "{both}");
    assert_eq!(fine(path, "predict m.model new.csv --keep id").stderr.matches("\"id\"").count(), 0);
}

#[test]
fn the_name_of_the_file_says_how_answers_are_written() {
    let folder = shop();
    let path = folder.path();
    let ask = |out: &str| {
        fine(path, &format!("predict m.model new.csv --append --proba --out {out}"));
        fs::read(path.join(out)).unwrap()
    };
    let csv = ask("p.csv");
    assert_eq!(zstd::decode_all(&ask("p.csv.zst")[..]).unwrap(), csv);
    let lines = ask("p.jsonl");
    let rows: Vec<serde_json::Value> = String::from_utf8(lines.clone())
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((rows.len(), &rows[1]["name"], &rows[1]["price"]), (6, &"Lee, Bo".into(), &11.5.into()));
    assert!(rows[1]["yes"].as_f64().unwrap() > 0.5 && rows[1]["bought"] == "yes");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&ask("p.ndjson.gz")[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, lines);
    // Parquet is read again, by the same model.
    ask("p.parquet");
    let again = fine(path, "predict m.model p.parquet --append --proba").stdout;
    assert_eq!(again.lines().count(), 7);
    assert!(
        again.starts_with("id,name,price,kind,bought,no,yes,predicted_bought,predicted_no,predicted_yes\n"),
        "{again}"
    );
    for (line, row) in again.lines().zip(std::str::from_utf8(&csv).unwrap().lines()).skip(1) {
        assert!(line.starts_with(row), "{line} for {row}");
    }
    let done = run(path, "predict m.model new.csv --out p.xlsx");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
}

#[test]
fn thresholds_move_answers() {
    let folder = shop();
    let path = folder.path();
    let answers = |options: &str| fine(path, &format!("predict m.model new.csv {options}")).stdout;
    let every = |answer: &str| format!("bought\n{}", format!("{answer}\n").repeat(6));
    assert_eq!(answers("--threshold 0"), every("yes"));
    assert_eq!(answers("--threshold yes=1"), every("no"));
    assert_eq!(answers("--threshold no=0"), every("no"));
    assert_eq!(answers("--threshold 0.5"), answers(""));
    let refused = run(path, "predict m.model new.csv --threshold maybe=0.5");
    assert!(refused.status == Some(2) && refused.stderr.contains("maybe"), "{}", refused.stderr);
    assert_eq!(run(path, "predict m.model new.csv --threshold 1.5").status, Some(2));
    let sets = "1,1,0\n2,0,1\n3,1,1\n".repeat(20);
    fs::write(path.join("sets.csv"), format!("x,label:a,label:b\n{sets}")).unwrap();
    fine(path, "train sets.csv --rounds 5 --out s.model");
    let all = fine(path, "predict s.model sets.csv --threshold 0").stdout;
    assert!(all.lines().skip(1).all(|line| line == "1,1"));
    let one = fine(path, "predict s.model sets.csv --threshold label:a=1,b=0").stdout;
    assert!(one.lines().skip(1).all(|line| line == "0,1"), "{one}");
}
