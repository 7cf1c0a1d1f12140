//! Running the command in a folder of its own.
#![allow(dead_code, missing_docs)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a run came to.
#[derive(Debug)]
pub struct Done {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { status: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// The command in a folder. Backtraces are asked for, and must not come.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manyboost"));
    command.current_dir(folder).env("RUST_BACKTRACE", "1").env("COLUMNS", "110").stdin(Stdio::null());
    command
}

/// Gives a line to a shell that finds the command.
pub fn shell(folder: &Path, line: &str) -> Done {
    let program = Path::new(env!("CARGO_BIN_EXE_manyboost"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["--norc", "-c", line]).current_dir(folder).env("PATH", path);
    shell.output().expect("bash starts").into()
}

/// Runs the command with arguments parted by spaces (`␣` stands for a space within one).
pub fn run(folder: &Path, arguments: &str) -> Done {
    let arguments = arguments.split_whitespace().map(|argument| argument.replace('␣', " "));
    command(folder).args(arguments).output().expect("the command starts").into()
}

/// Runs the command, which must succeed.
pub fn fine(folder: &Path, arguments: &str) -> Done {
    let done = run(folder, arguments);
    assert_eq!(done.status, Some(0), "{arguments}: {}", done.stderr);
    done
}

/// All files of a folder with their bytes.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        // A folder is its name; a file that cannot be read is not looked into.
        files.insert(name, std::fs::read(entry.path()).unwrap_or_default());
    }
    files
}

/// A small table of three classes: 90 rows, two numbers and a colour.
pub fn good() -> String {
    let mut text = "x,y,colour,class\n".to_string();
    for i in 0..90 {
        let class = ["ant", "bee", "cat"][i % 3];
        let (x, y) = ((i * 7 % 30) + 10 * (i % 3), (i * 11 % 17) as f64 / 4.0);
        let colour = ["red", "green", "blue"][(i / 2) % 3];
        text.extend([&format!("{x},{y},{colour},"), class, "\n"]);
    }
    text
}
