//! Counting tests by what their runners say.

use std::process::Command;

use super::{Done, Outcome};
use crate::shell::run_and_read;

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) passed: usize,
    pub(super) failed: usize,
}

/// How the summaries of `cargo test` begin.
pub(super) const PLAIN: &str = "test result:";

/// How the summary of nextest begins.
pub(super) const NEXTEST: &str = "Summary";

/// How the summary of pytest begins: "=== 3 passed, 1 failed in 4.56s ===".
pub(super) const PYTEST: &str = "=";

/// Runs tests and counts them.
pub(super) fn counted(command: &mut Command, summary: &str) -> Outcome {
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
        assert_eq!(count(nextest, NEXTEST), Count { passed: 28, failed: 2 });
        assert_eq!(count("nothing here: 3 passed", PLAIN), Count::default());
        let pytest = "===== FAILURES =====\n===== 1 failed, 12 passed, 2 warnings in 3.21s =====\n";
        assert_eq!(count(pytest, PYTEST), Count { passed: 12, failed: 1 });
    }
}
