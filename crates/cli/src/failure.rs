//! How a command ends when it does not succeed.

use std::io::{self, IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Mutex;

use manyboost_data::{Error, ErrorKind, visible};

use crate::messages::parameter;

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// Something is wrong, and the user is told what.
    Error(Error),
    /// Nobody reads the results any more: nothing to say.
    Quiet,
}

/// Result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<io::Error> for Failure {
    /// A fault of stdout: whoever read it may be gone.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Quiet;
        }
        let what = format!("the result cannot be written to stdout ({error})");
        Self::Error(Error::new(ErrorKind::Failed, what, "check where stdout leads"))
    }
}

/// A wrong argument.
pub fn wrong(what: impl Into<String>, remedy: impl Into<String>) -> Failure {
    Failure::Error(Error::new(ErrorKind::Parameter, what, remedy))
}

/// Prints an error in two lines; gives the exit status that it stands for.
pub fn report(error: &Error) -> u8 {
    let mut stderr = io::stderr().lock();
    let colour = stderr.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let word = if colour { "\u{1b}[1;31merror:\u{1b}[0m" } else { "error:" };
    // Without stderr there is nobody to tell.
    let [what, remedy] = error.told(parameter).map(|line| visible(&line));
    let _ = writeln!(stderr, "{word} {what}\n  {remedy}");
    if matches!(error.kind(), ErrorKind::Failed | ErrorKind::Memory | ErrorKind::Worker) { 1 } else { 2 }
}

/// Where a panic happened and what it said.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs a command; a panic, which is a bug of ours, becomes an error without a backtrace.
pub fn caught(run: impl FnOnce() -> Outcome) -> Outcome {
    set_hook(Box::new(|info| {
        if let Ok(mut panic) = PANIC.lock() {
            panic.get_or_insert_with(|| info.to_string().replace('\n', " "));
        }
    }));
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let said = PANIC.lock().ok().and_then(|mut panic| panic.take()).unwrap_or_default();
        let what = format!("manyboost has a bug and cannot go on: {said}");
        Err(Error::new(ErrorKind::Failed, what, "please report it together with the command and the data")
            .into())
    })
}
