//! The steps of `cargo xtask test`, in order.

use std::process::Command;

use super::count::{Count, NEXTEST, PLAIN, PYTEST, counted};
use super::{Outcome, Step, Tier, missing, note, plain};
use crate::shell::{cargo, ci, run as execute, works};
use crate::tools::{self, Problem};
use crate::{deny, fuzz, python, toy, unsafe_code};

pub(super) const STEPS: &[Step] = &[
    Step { name: "unsafe code", from: Tier::Quick, run: |_| said(unsafe_code::check()) },
    Step { name: "format", from: Tier::Quick, run: |_| format() },
    Step { name: "lints", from: Tier::Quick, run: |_| lints() },
    Step { name: "dependencies", from: Tier::Plain, run: |_| checked(deny::check()) },
    Step { name: "tests", from: Tier::Quick, run: tests },
    Step { name: "pages in a browser", from: Tier::Plain, run: |_| with(tools::browser(), "browser") },
    Step { name: "pages for everyone", from: Tier::Plain, run: |_| with(tools::axe(), "accessible") },
    Step { name: "exports in onnxruntime", from: Tier::Plain, run: |_| with(tools::onnxruntime(), "onnx") },
    Step { name: "doc tests", from: Tier::Plain, run: |_| doc_tests() },
    Step { name: "documentation", from: Tier::Plain, run: |_| documentation() },
    Step { name: "features one by one", from: Tier::Plain, run: |_| features() },
    Step { name: "Python", from: Tier::Plain, run: |_| package(&[]) },
    Step { name: "a toy booster", from: Tier::Plain, run: |_| said(toy::run_toy()) },
    Step { name: "tests from other seeds", from: Tier::All, run: |_| other_seeds() },
    Step { name: "every estimator", from: Tier::All, run: |_| plain(python::estimators(&[])) },
    Step { name: "Python at length", from: Tier::All, run: |_| package(&["-m", "night"]) },
    Step { name: "faults at length", from: Tier::All, run: |_| with(Ok(()), "faults") },
    Step { name: "losses at length", from: Tier::All, run: |_| with(Ok(()), "losses") },
    Step { name: "random cases", from: Tier::All, run: |_| plain(fuzz::many()) },
    Step { name: "fuzzing", from: Tier::All, run: |_| plain(fuzz::all(120)) },
    Step { name: "the kernel in Miri", from: Tier::All, run: |_| miri() },
    Step { name: "another processor", from: Tier::All, run: |_| emulated() },
];

/// Tests that `--quick` leaves out, as nextest says it: those that take long without telling much of a small change.
const SLOW: &str = "binary(=exact) | binary(=temperature) | binary(=again) | binary(=documents) | binary(=certify) | binary(=kill) | test(the_estimate_is_near) \
                    | test(labellings_are_judged_rightly) | test(the_end_is_the_same_with_patience) | test(of_every_booster_and_learner) \
                    | test(a_batch_is_one_row_at_a_time) | test(long_games)";

/// Seeds of property tests, beside the one of every run.
const SEEDS: std::ops::RangeInclusive<u32> = 2..=9;

fn said(result: Result<String, String>) -> Outcome {
    result.map(note).map_err(|what| (what, Count::default()))
}

/// The outcome of something for which a program may be missing.
fn checked(result: Result<String, Problem>) -> Outcome {
    match result {
        Ok(words) => Ok(note(words)),
        Err(Problem::Missing(what)) => missing(ci(), &what),
        Err(Problem::Failed(what)) => Err((what, Count::default())),
    }
}

fn format() -> Outcome {
    if !works(cargo().args(["fmt", "--version"])) {
        return missing(ci(), "rustfmt is not installed (rustup component add rustfmt)");
    }
    plain(execute(cargo().args(["fmt", "--all", "--check"])))
}

fn lints() -> Outcome {
    if !works(cargo().args(["clippy", "--version"])) {
        return missing(ci(), "clippy is not installed (rustup component add clippy)");
    }
    let clippy = ["clippy", "--locked", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    plain(execute(cargo().args(clippy)))
}

/// Property tests draw the same cases every time here, so that what fails for one fails for all. A plain `cargo test`
/// draws new ones, and so does a seed of one's own in the environment.
fn seeded() -> Command {
    let seed = std::env::var(SEED).unwrap_or_else(|_| "1".into());
    let mut command = cargo();
    command.env(SEED, seed);
    command
}

const SEED: &str = "PROPTEST_RNG_SEED";

fn nextest() -> bool {
    works(cargo().args(["nextest", "--version"]))
}

fn tests(tier: Tier) -> Outcome {
    all_tests(&mut seeded(), tier)
}

fn all_tests(command: &mut Command, tier: Tier) -> Outcome {
    if nextest() {
        command.args([
            "nextest",
            "run",
            "--locked",
            "--workspace",
            "--no-fail-fast",
            "--status-level",
            "fail",
        ]);
        if tier == Tier::Quick {
            command.args(["--filterset", &format!("not ({SLOW})")]);
        }
        return counted(command, NEXTEST);
    }
    // Each test target by itself: documentation tests are a step of their own.
    let targets = ["--lib", "--bins", "--tests", "--examples"];
    counted(
        command.args(["test", "--locked", "--workspace", "--no-fail-fast", "--quiet"]).args(targets),
        PLAIN,
    )
}

/// The tests of a file that need a program, or long, and are ignored elsewhere.
fn with(program: Result<(), Problem>, file: &str) -> Outcome {
    if let Err(problem) = program {
        return checked(Err(problem));
    }
    if nextest() {
        let ignored =
            ["nextest", "run", "--locked", "--workspace", "--no-fail-fast", "--status-level", "fail"];
        let filter = format!("binary({file})");
        counted(cargo().args(ignored).args(["--run-ignored", "only", "--filterset", &filter]), NEXTEST)
    } else {
        counted(cargo().args(["test", "--locked", "--workspace", "--test", file, "--", "--ignored"]), PLAIN)
    }
}

fn doc_tests() -> Outcome {
    counted(cargo().args(["test", "--locked", "--workspace", "--doc", "--no-fail-fast", "--quiet"]), PLAIN)
}

fn documentation() -> Outcome {
    let flags = format!("{} -D warnings", std::env::var("RUSTDOCFLAGS").unwrap_or_default());
    let mut command = cargo();
    command.args([
        "doc",
        "--locked",
        "--workspace",
        "--no-deps",
        "--quiet",
        "--features",
        "manyboost/arrow,manyboost/ndarray",
    ]);
    plain(execute(command.env("RUSTDOCFLAGS", flags.trim())))
}

/// The library without any feature, and with each alone; tests have all of them.
fn features() -> Outcome {
    let check = |features| {
        let check =
            ["check", "--locked", "--quiet", "-p", "manyboost", "--no-default-features", "--features"];
        execute(cargo().args(check).arg(features))
    };
    plain(["", "arrow", "ndarray"].into_iter().try_for_each(check))
}

/// The tests of the Python package; `-m night` for the slow ones alone.
fn package(which: &[&str]) -> Outcome {
    tools::java();
    match python::pytest() {
        Ok(mut command) => counted(command.args(which), PYTEST),
        Err(problem) => checked(Err(problem)),
    }
}

/// All tests again, with other cases of the property tests.
fn other_seeds() -> Outcome {
    let mut total = Count::default();
    for seed in SEEDS {
        println!("   seed {seed}");
        let (count, failed) = match all_tests(cargo().env(SEED, seed.to_string()), Tier::Plain) {
            Ok(done) => (done.count, None),
            Err((what, count)) => (count, Some(what)),
        };
        total.passed += count.passed;
        total.failed += count.failed;
        if let Some(what) = failed {
            return Err((format!("{SEED}={seed}: {what}"), total));
        }
    }
    Ok(super::Done { note: None, count: total })
}

/// Miri follows every pointer of the unsafe code; it needs a nightly toolchain, and takes some hundred times as long.
fn miri() -> Outcome {
    let nightly = || {
        let mut command = crate::shell::program("cargo");
        command.arg("+nightly").arg("miri").env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        command
    };
    if !works(nightly().arg("--version")) {
        return missing(false, "there is no nightly toolchain with Miri");
    }
    let test = ["test", "--locked", "-p", "manyboost-kernel", "--lib", "--quiet"];
    counted(
        nightly().args(test).env("PROPTEST_CASES", "4").env("MIRIFLAGS", "-Zmiri-disable-isolation"),
        PLAIN,
    )
}

/// The kernel, the golden traces and what must be exact, on an emulated 64-bit ARM.
fn emulated() -> Outcome {
    const TARGET: &str = "aarch64-unknown-linux-gnu";
    let there = works(crate::shell::program("qemu-aarch64").arg("--version"))
        && works(crate::shell::program("aarch64-linux-gnu-gcc").arg("--version"))
        && works(cargo().args(["check", "--quiet", "--locked", "-p", "xtask", "--target", TARGET]));
    if !there {
        let what = "qemu-aarch64, aarch64-linux-gnu-gcc or Rust's standard library for it is not there (apt install qemu-user \
                    gcc-aarch64-linux-gnu; rustup target add aarch64-unknown-linux-gnu)";
        return missing(false, what);
    }
    let mut command = seeded();
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", "qemu-aarch64 -L /usr/aarch64-linux-gnu");
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    let tests = ["--test", "golden", "--test", "golden_iter", "--test", "same_bits", "--test", "rounded"];
    let all =
        ["test", "--locked", "--quiet", "-p", "manyboost-kernel", "-p", "manyboost", "--target", TARGET];
    counted(command.args(all).args(tests), PLAIN)
}
