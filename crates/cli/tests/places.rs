//! Where results go: devices, pipes, links, names that say how a file is packed, and a stdout that is closed.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{Done, files, fine, good, run};
use tempfile::{TempDir, tempdir};

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    fine(folder.path(), "train d.csv --out m.pb --rounds 5");
    folder
}

/// Every command that writes a file, with the option before the name of the file.
const WRITERS: [(&str, &str); 10] = [
    ("predict m.pb d.csv --proba --out", ""),
    ("explain m.pb d.csv --out", ""),
    ("effects m.pb d.csv --feature x --out", ""),
    ("generate blobs --rows 20 --out", ""),
    ("train d.csv --rounds 3 --out other.pb --trace", "seconds"),
    ("train d.csv --rounds 3 --out other.pb --every 1 --checkpoint", ""),
    ("train d.csv --rounds 3 --out", ""),
    ("export m.pb --out", ""),
    ("report m.pb --data d.csv --out", ""),
    ("compare d.csv --boosters samme --rounds 2 --report", "seconds"),
];

fn sh(folder: &Path, script: &str) -> Done {
    let mut shell = Command::new("bash");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_manyboost")]).current_dir(folder).stdin(Stdio::null());
    shell.output().unwrap().into()
}

#[test]
fn devices_stay_devices() {
    let folder = folder();
    let before = files(folder.path());
    for (command, _) in WRITERS {
        fine(folder.path(), &format!("{command} /dev/null"));
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device(), "{command}");
        let done = run(folder.path(), &format!("{command} /dev/full"));
        assert_eq!(done.status, Some(1), "{command}: {}", done.stderr);
        assert!(done.stderr.contains("/dev/full: cannot be written"), "{command}: {}", done.stderr);
        let _ = fs::remove_file(folder.path().join("other.pb"));
        assert!(files(folder.path()) == before, "{command}");
    }
}

#[test]
fn pipes_are_written_through() {
    let folder = folder();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (command, varies) in WRITERS.into_iter().filter(|(command, _)| !command.contains("--checkpoint")) {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        fine(folder.path(), &format!("{command} pipe"));
        let through = reader.join().unwrap();
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{command}");
        fine(folder.path(), &format!("{command} plain"));
        // Clocks and the names of files differ.
        let same = through == fs::read(folder.path().join("plain")).unwrap();
        assert!(same || (!varies.is_empty() || command.contains("report")), "{command}");
        assert!(!through.is_empty(), "{command}");
        fs::remove_file(folder.path().join("plain")).unwrap();
    }
}

#[test]
fn links_stay_and_lead_to_what_is_written() {
    let folder = folder();
    let (far, link) = (folder.path().join("far"), folder.path().join("link"));
    fs::create_dir(&far).unwrap();
    symlink("far/end", &link).unwrap();
    for (command, _) in WRITERS {
        // To nothing at first, then to a file.
        for _ in 0..2 {
            fine(folder.path(), &format!("{command} link"));
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{command}");
            assert!(!fs::read(far.join("end")).unwrap().is_empty(), "{command}");
        }
        assert_eq!(files(&far).into_keys().collect::<Vec<_>>(), ["end"], "{command}");
        fs::remove_file(far.join("end")).unwrap();
    }
    // A link is the file that it leads to.
    let done = run(folder.path(), "train d.csv --out link --trace far/end");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    assert!(done.stderr.contains("would overwrite"), "{}", done.stderr);
}

/// The names of files under way were once a function of the process: a link of that name was followed.
#[test]
fn nobody_can_lay_a_link_under_a_file_that_is_under_way() {
    let folder = folder();
    fs::write(folder.path().join("victim"), "precious").unwrap();
    let script = "ln -s victim .p.csv.$$.part; exec \"$0\" predict m.pb d.csv --out p.csv";
    assert_eq!(sh(folder.path(), script).status, Some(0));
    assert_eq!(fs::read(folder.path().join("victim")).unwrap(), b"precious");
}

#[test]
fn names_say_how_a_table_is_written() {
    let folder = folder();
    let path = folder.path();
    for command in ["predict m.pb d.csv --proba", "generate mixed --rows 50"] {
        let plain = fine(path, command).stdout;
        let tabs = fine(path, &format!("{command} --out /dev/stdout")).stdout;
        assert_eq!(plain, tabs);
        for (name, unpack) in [("p.csv.gz", "gzip"), ("p.csv.zst", "zstd"), ("p.csv", ""), ("p", "")] {
            fine(path, &format!("{command} --out {name}"));
            let bytes = fs::read(path.join(name)).unwrap();
            let mut text = String::new();
            match unpack {
                "gzip" => flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap(),
                "zstd" => {
                    zstd::stream::read::Decoder::new(&bytes[..]).unwrap().read_to_string(&mut text).unwrap()
                }
                _ => (&bytes[..]).read_to_string(&mut text).unwrap(),
            };
            assert_eq!(text, plain, "{command} {name}");
        }
        fine(path, &format!("{command} --out p.tsv"));
        let text = fs::read_to_string(path.join("p.tsv")).unwrap();
        assert!(text.lines().next().unwrap().contains('\t') && text.lines().count() == plain.lines().count());
        for name in ["p.parquet", "p.arff", "p.json", "p.csv.bz2"] {
            if name == "p.parquet" && command.starts_with("predict") {
                continue;
            }
            let done = run(path, &format!("{command} --out {name}"));
            assert_eq!(done.status, Some(2), "{}", done.stderr);
            assert!(done.stderr.contains(name) && done.stderr.contains(".csv"), "{}", done.stderr);
            assert!(!path.join(name).exists());
        }
    }
    // What is written is read back, whatever it is packed with.
    fine(path, "generate blobs --rows 200 --out b.tsv.zst");
    fine(path, "generate blobs --rows 200 --out b.csv");
    fine(path, "train b.tsv.zst --out b1.pb --rounds 3");
    fine(path, "train b.csv --out b2.pb --rounds 3");
    assert!(fs::read(path.join("b1.pb")).unwrap() == fs::read(path.join("b2.pb")).unwrap());
    fine(path, "train d.csv --out t.pb --rounds 3 --trace t.jsonl.gz");
    let bytes = fs::read(path.join("t.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().count(), 4);
}

/// Plain files are not written under names that promise packed ones, and none is called `-` by mistake.
#[test]
fn names_that_promise_something_else_are_refused() {
    let folder = folder();
    let before = files(folder.path());
    let refused = |arguments: &str, words: &[&str]| {
        let done = run(folder.path(), arguments);
        assert_eq!(done.status, Some(2), "{arguments}: {}", done.stderr);
        for words in words {
            assert!(done.stderr.contains(words), "{arguments}: {}", done.stderr);
        }
        assert!(files(folder.path()) == before, "{arguments}");
    };
    let plain = [
        ("train d.csv --rounds 3 --out", "n.pb"),
        ("train d.csv --rounds 3 --out n.pb --checkpoint", "n.ckpt"),
        ("train d.csv --rounds 3 --out n.pb --report", "r.html"),
        ("report m.pb --data d.csv --out", "r.html"),
        ("compare d.csv --boosters samme --rounds 2 --report", "r.html"),
        ("export m.pb --out", "e.onnx"),
    ];
    for (command, name) in plain {
        for ending in ["gz", "zst", "bz2", "ZIP"] {
            let named = format!("{name}.{ending}: this file is not packed");
            refused(&format!("{command} {name}.{ending}"), &[&named, "give a name without ."]);
        }
        refused(&format!("{command} -"), &["cannot go to stdout", "give the name of a file"]);
    }
    for command in
        ["train d.csv --rounds 3 --out n.pb --trace", "game bound --classes 3 --edge 0.1 --rounds 9 --svg"]
    {
        refused(&format!("{command} t.bz2"), &["t.bz2: this file is not packed"]);
        refused(&format!("{command} -"), &["cannot go to stdout"]);
    }
    for command in ["predict m.pb d.csv --out", "generate blobs --rows 20 --out"] {
        refused(&format!("{command} -"), &["cannot go to stdout", "leave the option out"]);
    }
}

/// Help and version are results as others are.
#[test]
fn help_that_cannot_be_written_is_no_success() {
    let folder = folder();
    for arguments in ["--help", "--version", "train --help", "help train"] {
        let done = sh(folder.path(), &format!("exec \"$0\" {arguments} >&-"));
        assert_eq!(done.status, Some(1), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains("stdout is closed"), "{arguments}: {}", done.stderr);
        let done = sh(folder.path(), &format!("exec \"$0\" {arguments} >/dev/full"));
        assert_eq!(done.status, Some(1), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains("cannot be written to stdout"), "{arguments}: {}", done.stderr);
        assert_eq!(sh(folder.path(), &format!("exec \"$0\" {arguments}")).status, Some(0));
    }
    assert_eq!(sh(folder.path(), "exec \"$0\" --nonsense >&-").status, Some(2));
}

#[test]
fn a_closed_stdout_is_no_success() {
    let folder = folder();
    for arguments in [
        "predict m.pb d.csv",
        "predict m.pb d.csv --json",
        "explain m.pb d.csv",
        "evaluate m.pb d.csv",
        "boosters",
        "generate blobs",
    ] {
        let done = sh(folder.path(), &format!("exec \"$0\" {arguments} >&-"));
        assert_eq!(done.status, Some(1), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains("stdout is closed"), "{arguments}: {}", done.stderr);
        // Nothing is wrong with a stdout that was sent nowhere on purpose, in either way.
        for nowhere in [">/dev/null", "1<>/dev/null"] {
            assert_eq!(sh(folder.path(), &format!("exec \"$0\" {arguments} {nowhere}")).status, Some(0));
        }
    }
    let done = sh(folder.path(), "exec \"$0\" train d.csv --out never.pb >&-");
    assert_eq!(done.status, Some(1));
    assert!(!folder.path().join("never.pb").exists());
    assert_eq!(sh(folder.path(), "exec \"$0\" predict m.pb d.csv --out p.csv >&-").status, Some(0));
}

/// As many threads as there are: none at all, few, or all. The limit does not bind root, so that somebody else runs it.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_threads_is_no_panic() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = folder();
    let path = folder.path();
    let wanted = fs::read(path.join("m.pb")).unwrap();
    let root = fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
    let tool = path.join("manyboost");
    fs::copy(env!("CARGO_BIN_EXE_manyboost"), &tool).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    for limit in [1, 2, 3] {
        for arguments in ["train d.csv --out n.pb --rounds 5 --threads 8", "predict m.pb d.csv"] {
            let script = format!("ulimit -u {limit}; exec \"$0\" {arguments}");
            let mut shell = Command::new("bash");
            shell.args(["-c", &script]).arg(&tool).current_dir(path).stdin(Stdio::null());
            if root {
                // A number that nobody has, so that nobody else's processes count.
                shell.uid(45_861).gid(45_861);
            }
            let done: Done = shell.output().unwrap().into();
            assert_eq!(done.status, Some(0), "{limit}: {}", done.stderr);
            assert!(!done.stderr.contains("bug"), "{limit}: {}", done.stderr);
            if arguments.starts_with("train") {
                assert!(done.stderr.contains("of 8 threads"), "{limit}: {}", done.stderr);
                assert!(wanted == fs::read(path.join("n.pb")).unwrap());
            }
        }
    }
}
