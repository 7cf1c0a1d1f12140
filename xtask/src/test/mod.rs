//! `cargo xtask test [--quick | --all]`: everything that must hold, step by step, in three tiers.
//!
//! `--quick` is for every commit, plain is what `.ci/run` does, `--all` is for a night. A program that a step needs and that is not there is noted;
//! with `CI` in the environment it is a failure, so that no check goes missing unnoticed.

mod count;
mod steps;

use std::time::Instant;

use count::Count;
use steps::STEPS;

/// How much is checked; each tier has all of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tier {
    Quick,
    Plain,
    All,
}

/// A step that went well: what there is to say about it, and the tests that it ran.
#[derive(Debug, Default)]
struct Done {
    note: Option<String>,
    count: Count,
}

/// What came of a step; a failure has words, and the tests that ran.
type Outcome = Result<Done, (String, Count)>;

/// A step, the least tier that has it, and how it is done.
struct Step {
    name: &'static str,
    from: Tier,
    run: fn(Tier) -> Outcome,
}

pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let tier = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Tier::Plain,
        ["--quick"] => Tier::Quick,
        ["--all"] => Tier::All,
        _ => return Err("usage: cargo xtask test [--quick | --all]".into()),
    };
    let begin = Instant::now();
    let mut total = Count::default();
    let mut broken = Vec::new();
    let steps: Vec<&Step> = STEPS.iter().filter(|step| step.from <= tier).collect();
    for (number, step) in (1..).zip(&steps) {
        let name = step.name;
        println!("── {number}/{} {name}", steps.len());
        let start = Instant::now();
        let (word, note, count) = match (step.run)(tier) {
            Ok(done) => ("ok", done.note, done.count),
            Err((what, count)) => {
                broken.push(name);
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

/// The outcome of a step for which something is missing: a note, or a failure in CI.
fn missing(in_ci: bool, what: &str) -> Outcome {
    if in_ci {
        return Err((format!("{what} (with CI set, what is missing is a failure)"), Count::default()));
    }
    Ok(note(format!("skipped: {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_a_failure_in_ci() {
        assert!(
            missing(false, "no browser").is_ok_and(|done| done.note.is_some_and(|n| n.contains("skipped")))
        );
        assert!(missing(true, "no browser").is_err_and(|(what, _)| what.contains("no browser")));
    }

    #[test]
    fn tiers_hold_those_before_them() {
        let of = |tier| STEPS.iter().filter(|step| step.from <= tier).count();
        assert!(of(Tier::Quick) > 0 && of(Tier::Quick) < of(Tier::Plain) && of(Tier::Plain) < of(Tier::All));
        assert!(run(&["--quik".to_string()]).is_err());
    }
}
