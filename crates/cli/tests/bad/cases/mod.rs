//! The table: cases 1 to 67 of the corpus as far as a command line can express them.
//!
//! Cases 6, 10, 42 and 50 (the same model or predictions) are in `same.rs`; case 3 (no permission), the second half of
//! case 25 (nobody reads stdout) and case 63 on a read-only place are in `tests/system.rs`; case 22's and 27's bounds on memory
//! are tested with the readers.

mod columns;
mod commands;
mod files;

use std::path::Path;

use crate::common::good;
use crate::make::{self, Files, csv, gzip, rows};

/// One row of the table.
pub struct Case {
    /// Its number in the corpus.
    pub number: u32,
    /// The files that are there.
    pub files: fn() -> Files,
    /// Commands that come before and succeed.
    pub before: &'static [&'static str],
    /// What happens then.
    pub change: Option<fn(&Path)>,
    /// The command.
    pub run: &'static str,
    /// Its exit status.
    pub status: i32,
    /// What it must say, on stdout or stderr.
    pub words: &'static [&'static str],
}

/// A command on some files.
const fn case(
    number: u32,
    files: fn() -> Files,
    run: &'static str,
    status: i32,
    words: &'static [&'static str],
) -> Case {
    Case { number, files, before: &[], change: None, run, status, words }
}

/// A command on some files, after others.
const fn after(
    number: u32,
    files: fn() -> Files,
    before: &'static [&'static str],
    run: &'static str,
    status: i32,
    words: &'static [&'static str],
) -> Case {
    Case { number, files, before, change: None, run, status, words }
}

/// A command with a model that was changed.
const fn model(number: u32, change: fn(&Path), words: &'static [&'static str]) -> Case {
    Case {
        number,
        files: plain,
        before: TRAINED,
        change: Some(change),
        run: "predict m.pb d.csv",
        status: 2,
        words,
    }
}

const TRAIN: &str = "train d.csv --out m.pb --rounds 3";
const TRAINED: &[&str] = &[TRAIN];
const LABELS: &str = "train d.csv --out m.pb --rounds 3 --labels l_";
const WEIGHTED: &str = "train d.csv --out m.pb --rounds 3 --weight w";

fn none() -> Files {
    Vec::new()
}

fn plain() -> Files {
    csv(good())
}

/// The good table and another one.
fn with(other: impl AsRef<[u8]>) -> Files {
    vec![("d.csv", good().into_bytes()), ("e.csv", other.as_ref().to_vec())]
}

/// Three rows with these weights.
fn weights(all: [&str; 3]) -> Files {
    csv(format!("w,x,class\n{},1,a\n{},2,b\n{},3,a\n", all[0], all[1], all[2]))
}

/// Two texts without a word in common.
fn rare_words() -> Files {
    csv("f,class\nfoo bar,a\nbaz qux,b\n")
}

/// 500 texts without a word in common, long enough to be told from categories.
fn unique_words() -> Files {
    csv(rows("f,class", 500, |i| {
        format!("some{i} text{i} that{i} is{i} only{i} here{i},{}", ["a", "b"][i % 2])
    }))
}

fn libsvm(text: &str) -> Files {
    vec![("d.svm", text.as_bytes().to_vec())]
}

/// All rows.
pub fn all() -> impl Iterator<Item = &'static Case> {
    [files::CASES, columns::CASES, commands::CASES].into_iter().flatten()
}
