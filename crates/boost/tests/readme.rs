//! The Rust quick start of the README is the example `quickstart`, and it runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use manyboost::data::{generate, write_csv};
use manyboost::prelude::*;

/// The example, which is built with the tests.
fn example() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(Path::parent).unwrap();
    folder.join("examples").join(format!("quickstart{}", std::env::consts::EXE_SUFFIX))
}

#[test]
fn the_quick_start_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (_, _, waveform) = generate::generator("waveform").unwrap();
    for (name, seed) in [("train.csv", 1), ("test.csv", 2)] {
        let file = std::fs::File::create(folder.path().join(name)).unwrap();
        write_csv(&waveform(600, seed), &mut std::io::BufWriter::new(file)).unwrap();
    }
    let done = Command::new(example()).current_dir(&folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(String::from_utf8_lossy(&done.stdout).contains("first answer: "));

    let [train, test] = ["train.csv", "test.csv"].map(|name| Table::read(folder.path().join(name)).unwrap());
    let model = Model::load(folder.path().join("waveform.model")).unwrap();
    assert!(model.evaluate(&test).unwrap().error < 0.25);
    let probabilities = model.predict_proba(&test).unwrap();
    assert!((probabilities.row(0).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!(model.staged(&test, usize::MAX).unwrap(), model.predict(&test).unwrap());
    assert!((model.importance().iter().map(|one| one.share).sum::<f64>() - 1.0).abs() < 1e-9);
    // The same choices give the same file.
    let again = McBoost::new().rounds(200).leaves(64).valid(0.2).patience(20).fit(&train).unwrap();
    assert_eq!(again.to_bytes().unwrap(), model.to_bytes().unwrap());
}

#[test]
fn the_example_is_the_one_of_the_readme() {
    let readme = include_str!("../../../README.md");
    let shown = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(include_str!("../examples/quickstart.rs").ends_with(shown), "examples/quickstart.rs differs");
}
