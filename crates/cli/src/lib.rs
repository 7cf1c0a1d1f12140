//! The `manyboost` command, as a library: the program calls it, and so does the command that comes with the Python package.
//!
//! Results go to stdout, everything else to stderr. A command either does its work (exit status 0), fails at it (1), or
//! refuses its arguments or its input (2); an error is one line that says what is wrong and one that says what to do.

mod args;
mod commands;
mod failure;
mod inputs;
mod interrupt;
mod looked;
mod margins;
mod messages;
mod options;
mod output;
mod progress;
mod terminal;
mod text_table;
mod threads;
mod trace;
mod trial;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::OnceLock;

use clap::{Command, CommandFactory, FromArgMatches};
use manyboost::files::abandon;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};

/// The words of the command that is running, without the program's name.
static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs the command that these words are, once in a process; gives its exit status.
pub fn run(words: Vec<OsString>) -> u8 {
    hear_of_large_files();
    let words = WORDS.get_or_init(|| words);
    let named = std::iter::once(OsString::from("manyboost")).chain(words.iter().cloned());
    let parsed = command(words).try_get_matches_from(named);
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(wrong) if wrong.use_stderr() => {
            // Without stderr there is nobody to tell.
            let _ = wrong.print();
            return 2;
        }
        Err(help) => return status(show(&help)),
    };
    messages::quiet(cli.quiet);
    interrupt::install();
    let done = failure::caught(|| commands::run(cli.command));
    abandon();
    status(done)
}

/// The command line; where help is asked for and a booster named, it has the options of that booster only.
fn command(words: &[OsString]) -> Command {
    let command = Cli::command();
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let asks = words.iter().any(|word| word == "--help" || word == "-h");
    let names = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| *word == "--booster");
    let named = names
        .map(|(_, name)| name.as_ref())
        .chain(words.iter().filter_map(|word| word.strip_prefix("--booster=")));
    let booster = named.last().filter(|_| asks).and_then(manyboost::spec::registry::booster);
    match (booster, words.iter().find(|word| ["train", "cv"].contains(&word.as_ref()))) {
        (Some(booster), Some(name)) => {
            command.mut_subcommand(name, |command| options::only_of(booster, command))
        }
        _ => command,
    }
}

/// The exit status of what was done; an error is printed.
fn status(done: Outcome) -> u8 {
    match done {
        Ok(()) | Err(Failure::Quiet) => 0,
        Err(Failure::Error(error)) => failure::report(&error),
    }
}

/// Prints the help or the version that was asked for: a result like any other.
fn show(help: &clap::Error) -> Outcome {
    output::check_stdout()?;
    help.print()?;
    Ok(io::stdout().flush()?)
}

/// A write beyond the limit on the size of files is an error where it happens, as on a full disk, not the end of the process:
/// the signal is blocked in this thread, and so in all that it starts.
fn hear_of_large_files() {
    #[cfg(unix)]
    {
        let mut signals = nix::sys::signal::SigSet::empty();
        signals.add(nix::sys::signal::SIGXFSZ);
        // Without it the process ends as it would have.
        let _ = signals.thread_block();
    }
}
