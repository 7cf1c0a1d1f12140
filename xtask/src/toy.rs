//! `cargo xtask toy`: a booster with options of its own is one file and its line in the list (with Rust's `mod`). A toy is added to a
//! copy of the tree in this way; then the command line, its help, completions and manual page, the page of options and Python have it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell::{cargo, program, root, run, target};

pub(crate) fn run_toy() -> Result<String, String> {
    let home = target().join("toy");
    let tree = home.join("tree");
    copy(&tree)?;
    let boosters = tree.join("crates/boost/src/boosters");
    fs::copy(root().join("xtask/toy/toy.rs"), boosters.join("toy.rs")).map_err(|error| error.to_string())?;
    add_line(&boosters.join("mod.rs"), "mod threshold;", "pub(crate) mod toy;")?;
    add_line(
        &tree.join("crates/boost/src/spec/registry.rs"),
        "    boosters::cd_mcboost::ENTRY,",
        "    boosters::toy::ENTRY,",
    )?;
    let built = home.join("target");
    let mut build = cargo();
    let crates = ["build", "--locked", "--quiet", "-p", "manyboost-cli", "-p", "manyboost-python"];
    run(build.current_dir(&tree).env("CARGO_TARGET_DIR", &built).args(crates))?;
    let debug = built.join("debug");
    let shown = |arguments: &str| output(Command::new(debug.join("manyboost")).args(arguments.split(' ')));
    let all = ["--nudge", "--mood"];
    for (arguments, words) in [
        ("boosters", &["toy"][..]),
        ("boosters toy", &["--nudge", "0.25", "--mood", "calm", "eager", "a vote counts twice", "--learner"]),
        ("train --help", &all),
        ("train --booster toy --help", &all),
        ("completions bash", &["--nudge", "--mood", "calm eager"]),
        ("completions fish", &["nudge", "mood"]),
        ("man", &["nudge", "How the toy feels"]),
        ("boosters --json", &["\"nudge\"", "\"toy\""]),
    ] {
        let text = shown(arguments)?;
        if let Some(word) = words.iter().find(|word| !text.contains(**word)) {
            return Err(format!("manyboost {arguments} does not say {word}"));
        }
    }
    if shown("train --booster toy --help")?.contains("--shrinkage") {
        return Err("help of the toy has options of others".into());
    }
    let data = home.join("data.csv");
    let (data, model) = (data.display().to_string(), home.join("toy.model").display().to_string());
    shown(&format!("generate gaussians --rows 200 --out {data}"))?;
    shown(&format!("train {data} --booster toy --nudge 0.5 --mood eager --out {model} --quiet"))?;
    if !shown(&format!("inspect {model}"))?.contains("toy") {
        return Err("a model of the toy does not say so".into());
    }
    let python = python(&tree, &debug)?;
    Ok(format!("one file and its line: in help, completions, manual page, models{python}"))
}

/// The package of the copy, in the environment that the tests of Python have, if it is there.
fn python(tree: &Path, debug: &Path) -> Result<&'static str, String> {
    let interpreter = target().join("python/bin/python");
    if !interpreter.exists() {
        return Ok("; no environment for Python is there to look at it");
    }
    let module = debug.join(format!("{}_core{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX));
    fs::copy(module, tree.join("python/manyboost/_core.abi3.so")).map_err(|error| error.to_string())?;
    let code = "import inspect, manyboost; m = manyboost.BoostClassifier; \
                assert 'nudge' in inspect.signature(m.__init__).parameters and 'How the toy feels' in m.__doc__; \
                assert m('toy', nudge=0.5, mood='eager').fit([[0], [1], [2], [3]], [0, 0, 1, 1]).score([[0], [3]], [0, 1]) == 1";
    let mut command = Command::new(interpreter);
    run(command.env("PYTHONPATH", tree.join("python")).current_dir(tree).args(["-c", code]))?;
    Ok(", Python's signature and documentation")
}

/// The tracked files, and those that are about to be.
fn copy(tree: &Path) -> Result<(), String> {
    let listed = output(program("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    for file in listed.lines().filter(|file| root().join(file).is_file()) {
        let to = tree.join(file);
        fs::create_dir_all(to.parent().unwrap_or(tree)).map_err(|error| error.to_string())?;
        let new = fs::read(root().join(file)).map_err(|error| error.to_string())?;
        // What did not change keeps its time, so that it is not built again.
        if fs::read(&to).is_ok_and(|old| old == new) {
            continue;
        }
        fs::write(&to, new).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn add_line(path: &Path, after: &str, line: &str) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if !text.contains(after) {
        return Err(format!("{} has no line {after:?}", path.display()));
    }
    fs::write(path, text.replacen(after, &format!("{after}\n{line}"), 1)).map_err(|error| error.to_string())
}

/// What a command prints.
fn output(command: &mut Command) -> Result<String, String> {
    let done = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr)));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
