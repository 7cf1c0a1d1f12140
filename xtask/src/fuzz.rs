//! `cargo xtask fuzz [TARGET] [--seconds N]`: looks for bytes that break a law of `fuzz`, guided by coverage (libFuzzer, on a stable toolchain).
//! `--cases N [--seed S]` runs numbered cases instead and counts; `--case NUMBER` shows one of them, `--file PATH` one that was found.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::shell::{cargo, program, root, run, target};

const USAGE: &str = "usage: cargo xtask fuzz [TARGET] [--seconds N], or TARGET --cases N | --case NUMBER | --file PATH [--seed S]";

/// Coverage for libFuzzer. These flags are stable: what they ask LLVM for is not, so a new toolchain may need others.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Clink-arg=-Wl,-z,nostart-stop-gc";

/// Seconds for each target, if nothing is said.
const SECONDS: u32 = 60;

pub(crate) fn fuzz(args: &[String]) -> Result<(), String> {
    let names = targets()?;
    let (name, rest) = match args.split_first() {
        Some((first, rest)) if !first.starts_with("--") => (Some(first), rest),
        _ => (None, args),
    };
    if let Some(unknown) = name.filter(|name| !names.contains(name)) {
        return Err(format!("there is no target {unknown}: there are {}", names.join(", ")));
    }
    match (name, rest) {
        (None, []) => all(SECONDS),
        (Some(name), []) => guided(std::slice::from_ref(name), SECONDS),
        (_, [option, seconds]) if option == "--seconds" => {
            let seconds = seconds.parse().map_err(|_| USAGE.to_string())?;
            guided(&name.map_or(names, |name| vec![name.clone()]), seconds)
        }
        (Some(name), rest) => cases(name, rest),
        _ => Err(USAGE.into()),
    }
}

/// Every target has a folder in the corpus.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/corpus");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

/// All targets, guided, so many seconds each.
pub(crate) fn all(seconds: u32) -> Result<(), String> {
    guided(&targets()?, seconds)
}

/// Many numbered cases of random training, and of every other target.
pub(crate) fn many() -> Result<(), String> {
    targets()?.iter().try_for_each(|name| cases(name, &["--cases".to_string(), "20000".to_string()]))
}

/// Numbered cases; findings are kept in `target/fuzz`.
fn cases(name: &str, options: &[String]) -> Result<(), String> {
    let mut command = cargo();
    command.args([
        "run",
        "--quiet",
        "--locked",
        "--release",
        "-p",
        "manyboost-fuzz",
        "--bin",
        "cases",
        "--",
        name,
    ]);
    run(command.args(options).arg("--keep").arg(folder(name)))
}

/// What is found on the way stays here.
fn folder(name: &str) -> PathBuf {
    target().join("fuzz").join(name)
}

fn guided(names: &[String], seconds: u32) -> Result<(), String> {
    let binary = build()?;
    let mut broken = Vec::new();
    for name in names {
        println!("── {name}: {seconds} s");
        let found = folder(name);
        let corpus = found.join("corpus");
        fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        let mut command = Command::new(&binary);
        command.current_dir(root()).env("MANYBOOST_FUZZ_TARGET", name).env("MANYBOOST_FUZZ_SEEDS", &corpus);
        command.arg(&corpus).arg(root().join("fuzz/corpus").join(name));
        command
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", found.display()));
        command.args([
            "-max_len=8192",
            "-timeout=20",
            "-rss_limit_mb=4096",
            "-print_final_stats=1",
            "-verbosity=1",
        ]);
        if run(&mut command).is_err() {
            broken.push(name.clone());
            println!("   found: see {}; when it is mended, it goes to fuzz/corpus/{name}", found.display());
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(format!("findings: {}", broken.join(", "))) }
}

/// The targets with coverage. Only what is fuzzed is built with the flags, not the programs that build it.
fn build() -> Result<PathBuf, String> {
    let host = host()?;
    let build =
        ["build", "--quiet", "--locked", "--profile", "fuzz", "-p", "manyboost-fuzz", "--bin", "guided"];
    let mut command = cargo();
    command.args(build).args(["--features", "guided", "--target", &host]);
    run(command.env("RUSTFLAGS", FLAGS))
        .map_err(|what| format!("{what}\nlibFuzzer needs a C++ compiler (apt install g++)"))?;
    Ok(target().join(host).join("fuzz").join("guided"))
}

/// The platform that this runs on.
fn host() -> Result<String, String> {
    let said = program("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_string).ok_or_else(|| "rustc does not say its host".into())
}
