//! Exports: checked by the program itself, and in onnxruntime, which `cargo xtask test` installs; `cargo test` ignores what needs it.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{fine, good, run};
use serde_json::Value;
use tempfile::tempdir;

#[test]
fn the_graph_is_the_model() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("d.csv"), good()).unwrap();
    for options in [
        "--rounds 20",
        "--booster mo --learner tree --leaves 5 --decode loss --rounds 12",
        "--booster ova --rounds 9",
    ] {
        fine(folder.path(), &format!("train d.csv --out m.pb {options}"));
        for check in ["", "--check d.csv"] {
            let done = fine(folder.path(), &format!("export m.pb --out m.onnx --json {check}"));
            let said: Value = serde_json::from_str(&done.stdout).unwrap();
            assert_eq!(said["other_labels"], 0, "{options}");
            assert_eq!(said["rows"], if check.is_empty() { 500 } else { 90 });
            assert!(
                said["largest_difference"]["probabilities"].as_f64().unwrap() < 1e-6,
                "{options}: {said}"
            );
            assert_eq!(said["bytes"], fs::metadata(folder.path().join("m.onnx")).unwrap().len());
        }
    }
}

#[test]
fn what_has_no_such_form_is_refused() {
    let folder = tempdir().unwrap();
    fine(folder.path(), "generate mixed --rows 200 --out t.csv");
    fine(folder.path(), "generate gaussians --rows 200 --out g.csv");
    fs::write(folder.path().join("costs.csv"), "class,1,2,3\n1,0,1,5\n2,1,0,1\n3,1,1,0\n").unwrap();
    let cases = [
        ("t.csv", "--rounds 2", "text column"),
        ("g.csv", "--booster samme --learner linear --rounds 2", "hyperplanes"),
        ("g.csv", "--costs costs.csv --rounds 2", "costs"),
    ];
    for (data, options, words) in cases {
        fine(folder.path(), &format!("train {data} --out m.pb {options}"));
        let done = run(folder.path(), "export m.pb --out m.onnx");
        assert_eq!(done.status, Some(2), "{options}");
        assert!(done.stderr.contains(words), "{options}: {}", done.stderr);
        assert!(!folder.path().join("m.onnx").exists());
    }
}

/// The Python that has onnxruntime.
fn python() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let python = root.join("target/onnx-venv/bin/python");
    let done = Command::new(&python).args(["-c", "import onnxruntime"]).output();
    assert!(
        done.is_ok_and(|done| done.status.success()),
        "onnxruntime is not in target/onnx-venv (cargo xtask test installs it)"
    );
    python
}

#[test]
#[ignore = "needs onnxruntime"]
fn runtimes_agree() {
    let python = python();
    let folder = tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/onnx/beside_runtime.py");
    let done = Command::new(python)
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_manyboost"))
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    println!("{said}");
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
}
