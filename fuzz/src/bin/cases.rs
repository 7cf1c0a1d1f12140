//! Cases by number from a seed: `cases TARGET [--cases N] [--seed S] [--from NUMBER] [--case NUMBER] [--file PATH] [--keep FOLDER]`.
//!
//! Prints how many were accepted and refused, and how many findings there were of each kind, with the number of each; `--case` runs one again and shows
//! it, `--keep` writes the bytes of findings (or of that case) to a folder.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use manyboost_fuzz::{Case, Finding, Target, Verdict, Wrong, target};

/// Findings that are shown.
const SHOWN: usize = 20;

/// A case that takes longer is worth a line.
const SLOW: f64 = 5.0;

struct RunOptions {
    target: &'static Target,
    seed: u64,
    from: u64,
    cases: u64,
    one: Option<u64>,
    file: Option<PathBuf>,
    keep: Option<PathBuf>,
}

impl RunOptions {
    fn read(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let name = args.next().unwrap_or_default();
        let target = target(&name).ok_or_else(|| format!("there is no target {name:?}"))?;
        let mut options = Self { target, seed: 1, from: 0, cases: 1000, one: None, file: None, keep: None };
        while let Some(option) = args.next() {
            let value = args.next().ok_or_else(|| format!("{option} gives no value"))?;
            let number = || value.parse::<u64>().map_err(|_| format!("{option} {value}: not a number"));
            match option.as_str() {
                "--seed" => options.seed = number()?,
                "--from" => options.from = number()?,
                "--cases" => options.cases = number()?,
                "--case" => options.one = Some(number()?),
                "--file" => options.file = Some(value.into()),
                "--keep" => options.keep = Some(value.into()),
                _ => return Err(format!("there is no option {option}")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let options = match RunOptions::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(what) => {
            eprintln!("{what}");
            return ExitCode::from(2);
        }
    };
    let files = (options.target.seeds)();
    let one = options.file.as_ref().map(|path| std::fs::read(path).expect("the file can be read"));
    if let Some(bytes) = one {
        return show(options.target, &bytes);
    }
    let Some(number) = options.one else { return count(&options, &files) };
    let bytes = options.target.case(options.seed, number, &files);
    keep(&options, number, &bytes);
    show(options.target, &bytes)
}

/// Runs one case, and shows it.
fn show(target: &Target, bytes: &[u8]) -> ExitCode {
    if target.name == "train" {
        println!("{}", Case::draw(bytes));
    } else {
        println!("{}", String::from_utf8_lossy(bytes));
    }
    let outcome = target.run(bytes);
    println!("{outcome:?}");
    if outcome.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs many, and counts.
fn count(options: &RunOptions, files: &[Vec<u8>]) -> ExitCode {
    let RunOptions { target, seed, from, cases, .. } = options;
    let begin = Instant::now();
    let (mut accepted, mut refused) = (0, 0);
    let mut found: BTreeMap<Wrong, Vec<(u64, Finding)>> = BTreeMap::new();
    println!("{}: {cases} cases from number {from}, seed {seed}", target.name);
    for number in *from..from + cases {
        if number > *from && number % 1000 == 0 {
            let findings: usize = found.values().map(Vec::len).sum();
            eprintln!("{number}: {findings} findings, {:.0} s", begin.elapsed().as_secs_f64());
        }
        let bytes = target.case(*seed, number, files);
        let start = Instant::now();
        match target.run(&bytes) {
            Ok(Verdict::Accepted) => accepted += 1,
            Ok(Verdict::Refused) => refused += 1,
            Err(finding) => {
                keep(options, number, &bytes);
                found.entry(finding.wrong).or_default().push((number, finding));
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds > SLOW {
            println!("case {number} took {seconds:.1} s");
        }
    }
    for (number, finding) in found.values().flat_map(|some| some.iter().take(SHOWN)) {
        println!("case {number}: {:?}: {}", finding.wrong, finding.what);
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, finding) in found.values().flatten() {
        // What it is, without the figures of the case.
        *kinds.entry(finding.what.split([':', '[']).next().unwrap_or_default()).or_default() += 1;
    }
    for (what, times) in &kinds {
        println!("{times:6} × {what}");
    }
    let of = |wrong: Wrong| found.get(&wrong).map_or(0, Vec::len);
    println!(
        "{accepted} accepted, {refused} refused, {} panics, {} not finite, {} mismatches, {} without words, in {:.0} s",
        of(Wrong::Panic),
        of(Wrong::NotFinite),
        of(Wrong::Mismatch),
        of(Wrong::Words),
        begin.elapsed().as_secs_f64()
    );
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn keep(options: &RunOptions, number: u64, bytes: &[u8]) {
    if let Some(folder) = &options.keep {
        let path = folder.join(format!("seed-{}-case-{number}", options.seed));
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, bytes)).expect("a file");
    }
}
