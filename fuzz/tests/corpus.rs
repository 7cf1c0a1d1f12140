//! What was found once is found no more: every file of the corpus, and some cases of every target.

use std::fs;
use std::path::{Path, PathBuf};

use manyboost_fuzz::{TARGETS, Target, Verdict};

/// Cases of each target from a seed, beside the corpus.
const CASES: u64 = 60;

fn corpus(target: &Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// Runs a target over its corpus and the files that cases begin as.
fn replay(name: &str) -> &'static Target {
    let target = manyboost_fuzz::target(name).unwrap();
    for path in corpus(target) {
        let outcome = target.run(&fs::read(&path).unwrap());
        assert!(outcome.is_ok(), "{}: {outcome:?}", path.display());
    }
    let files = (target.seeds)();
    for (number, file) in files.iter().enumerate() {
        assert_eq!(target.run(file), Ok(Verdict::Accepted), "{name}, seed {number}");
    }
    target
}

/// The same, and some cases; how many were accepted.
fn replay_more(name: &str) -> usize {
    let target = replay(name);
    let files = (target.seeds)();
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..CASES {
        match target.run(&target.case(7, number, &files)) {
            Ok(Verdict::Accepted) => accepted += 1,
            Ok(Verdict::Refused) => refused += 1,
            Err(finding) => panic!("{name}, seed 7, case {number}: {finding:?}"),
        }
    }
    assert!(accepted + refused == CASES as usize && accepted > 0 && refused > 0, "{accepted} and {refused}");
    accepted
}

#[test]
fn csv() {
    replay_more("csv");
}

#[test]
fn dialect() {
    replay_more("dialect");
}

#[test]
fn arff() {
    replay_more("arff");
}

#[test]
fn libsvm() {
    replay_more("libsvm");
}

#[test]
fn parquet() {
    replay_more("parquet");
}

#[test]
fn models() {
    replay_more("model");
}

#[test]
fn training() {
    replay("train");
}

#[test]
fn every_folder_of_the_corpus_has_its_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let target = TARGETS.iter().find(|target| target.name == name);
        files += corpus(target.unwrap_or_else(|| panic!("there is no target {name}"))).len();
    }
    assert!(files > 0, "the corpus is there");
}
