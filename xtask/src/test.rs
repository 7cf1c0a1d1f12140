//! `cargo xtask test`: everything that a fresh machine needs to check, step by step.

use std::time::Instant;

use crate::python::{self, Problem};
use crate::shell::{cargo, program, root, run as execute, run_and_read, works};
use crate::unsafe_code;

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    passed: usize,
    failed: usize,
}

/// A step that went well: what there is to say about it, and the tests that it ran.
#[derive(Default)]
struct Done {
    note: Option<String>,
    count: Count,
}

type Outcome = Result<Done, (String, Count)>;

/// A step and how it is done.
type Step = (&'static str, fn() -> Outcome);

const STEPS: &[Step] = &[
    ("unsafe code", unsafe_step),
    ("format", format_step),
    ("lints", lint_step),
    ("tools", tool_step),
    ("tests", test_step),
    ("doc tests", doc_test_step),
    ("documentation", document_step),
    ("without Parquet", lean_step),
    ("Python", python_step),
];

pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let begin = Instant::now();
    let mut total = Count::default();
    let mut broken = Vec::new();
    for (number, (name, step)) in (1..).zip(STEPS) {
        println!("── {number}/{} {name}", STEPS.len());
        let start = Instant::now();
        let (word, note, count) = match step() {
            Ok(done) => ("ok", done.note, done.count),
            Err((what, count)) => {
                broken.push(*name);
                ("FAILED", Some(what), count)
            }
        };
        total.passed += count.passed;
        total.failed += count.failed;
        if let Some(note) = note {
            println!("   {note}");
        }
        println!("   {name}: {word} in {:.1} s", start.elapsed().as_secs_f64());
    }
    println!("{} passed, {} failed, in {:.0} s", total.passed, total.failed, begin.elapsed().as_secs_f64());
    if broken.is_empty() { Ok(()) } else { Err(format!("not well: {}", broken.join(", "))) }
}

/// The outcome of a step that runs no tests.
fn plain(result: Result<(), String>) -> Outcome {
    result.map(|()| Done::default()).map_err(|what| (what, Count::default()))
}

fn note(words: impl Into<String>) -> Done {
    Done { note: Some(words.into()), ..Done::default() }
}

fn unsafe_step() -> Outcome {
    unsafe_code::check().map(note).map_err(|what| (what, Count::default()))
}

fn format_step() -> Outcome {
    if !works(cargo().args(["fmt", "--version"])) {
        return Ok(note("skipped: rustfmt is not installed (rustup component add rustfmt)"));
    }
    plain(execute(cargo().args(["fmt", "--all", "--check"])))
}

fn lint_step() -> Outcome {
    if !works(cargo().args(["clippy", "--version"])) {
        return Ok(note("skipped: clippy is not installed (rustup component add clippy)"));
    }
    let clippy = ["clippy", "--locked", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    plain(execute(cargo().args(clippy)))
}

/// Programs that some tests need; those tests do nothing where they are not there, and this says so.
#[expect(clippy::unnecessary_wraps, reason = "every step has an outcome")]
fn tool_step() -> Outcome {
    let browser = ["chromium", "chromium-browser", "google-chrome"];
    let browser = if browser.iter().any(|name| works(program(name).arg("--version"))) {
        "pages are tried in chromium"
    } else {
        "skipped: pages are not tried, because chromium is not installed (apt install chromium)"
    };
    let python = root().join("target/onnx-venv/bin/python").display().to_string();
    let there = || works(program(&python).args(["-c", "import onnxruntime"]));
    if !there() {
        let pip = ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "20"];
        let _ = works(program("python3").args(["-m", "venv", "target/onnx-venv"]))
            && works(program(&python).args(pip).args(["onnxruntime>=1.19,<2", "numpy"]));
    }
    let runtime = if there() {
        "exports are run in onnxruntime (target/onnx-venv)"
    } else {
        "skipped: exports are run by our own evaluator only, because onnxruntime cannot be installed (python3 with venv and \
         a package index are needed)"
    };
    Ok(note(format!("{browser}\n   {runtime}")))
}

/// Property tests draw the same cases every time here, so that what fails for one fails for all. A plain `cargo test`
/// draws new ones, and so does a seed of one's own in the environment.
fn seeded() -> std::process::Command {
    const SEED: &str = "PROPTEST_RNG_SEED";
    let mut command = cargo();
    command.env(SEED, std::env::var(SEED).unwrap_or_else(|_| "1".into()));
    command
}

fn test_step() -> Outcome {
    if works(cargo().args(["nextest", "--version"])) {
        let nextest =
            ["nextest", "run", "--locked", "--workspace", "--no-fail-fast", "--status-level", "fail"];
        counted(seeded().args(nextest), "Summary")
    } else {
        // Each test target by itself: documentation tests are a step of their own.
        let targets = ["--lib", "--bins", "--tests", "--examples"];
        counted(
            seeded().args(["test", "--locked", "--workspace", "--no-fail-fast", "--quiet"]).args(targets),
            PLAIN,
        )
    }
}

fn doc_test_step() -> Outcome {
    counted(cargo().args(["test", "--locked", "--workspace", "--doc", "--no-fail-fast", "--quiet"]), PLAIN)
}

fn document_step() -> Outcome {
    let flags = format!("{} -D warnings", std::env::var("RUSTDOCFLAGS").unwrap_or_default());
    let mut command = cargo();
    command.args(["doc", "--locked", "--workspace", "--no-deps", "--quiet"]);
    plain(execute(command.env("RUSTDOCFLAGS", flags.trim())))
}

fn lean_step() -> Outcome {
    let check = ["check", "--locked", "--quiet", "-p", "polyboost-data", "--no-default-features"];
    plain(execute(cargo().args(check)))
}

fn python_step() -> Outcome {
    match python::pytest() {
        Ok(mut command) => counted(&mut command, PYTEST),
        Err(Problem::Skipped(why)) => Ok(note(format!("skipped: {why}"))),
        Err(Problem::Failed(what)) => Err((what, Count::default())),
    }
}

/// How the summary of pytest begins: "=== 3 passed, 1 failed in 4.56s ===".
const PYTEST: &str = "=";

/// How the summaries of `cargo test` begin; those of nextest begin with "Summary".
const PLAIN: &str = "test result:";

/// Runs tests and counts them.
fn counted(command: &mut std::process::Command, summary: &str) -> Outcome {
    let (text, result) = run_and_read(command);
    let count = count(&text, summary);
    match result {
        Ok(()) => Ok(Done { note: None, count }),
        Err(what) => Err((what, count)),
    }
}

/// Adds up summaries: "test result: ok. 3 passed; 0 failed; …", or "Summary [ 1.2s] 3 tests run: 3 passed, 0 skipped".
/// Nextest shows the output of tests that fail, which has summaries of the other kind.
fn count(text: &str, summary: &str) -> Count {
    let mut total = Count::default();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with(summary)) {
        let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<usize>() else { continue };
            match pair[1] {
                "passed" => total.passed += number,
                "failed" | "exec" | "timed" => total.failed += number,
                _ => {}
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_both_runners_add_up() {
        let plain = "test result: ok. 12 passed; 1 failed; 3 ignored; 0 measured; 7 filtered out\n\
                     running 4 tests\n\
                     test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(count(plain, PLAIN), Count { passed: 15, failed: 1 });
        let nextest = "    test result: FAILED. 0 passed; 1 failed; 0 ignored\n\
                       \x20    Summary [   1.234s] 30/33 tests run: 28 passed (1 slow), 2 failed, 5 skipped\n";
        assert_eq!(count(nextest, "Summary"), Count { passed: 28, failed: 2 });
        assert_eq!(count("nothing here: 3 passed", PLAIN), Count::default());
        let pytest = "===== FAILURES =====\n===== 1 failed, 12 passed, 2 warnings in 3.21s =====\n";
        assert_eq!(count(pytest, PYTEST), Count { passed: 12, failed: 1 });
    }
}
