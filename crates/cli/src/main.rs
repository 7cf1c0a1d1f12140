//! The `manyboost` command.
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

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Command, CommandFactory, FromArgMatches};
use manyboost::files::abandon;
use manyboost_kernel::net::Net;

use crate::args::Cli;
use crate::failure::{Failure, Outcome};

/// Memory that runs out ends the program like any other failure.
#[global_allocator]
static NET: Net = Net;

fn main() -> ExitCode {
    hear_of_large_files();
    let parsed = command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        Err(help) => return status(show(&help)),
    };
    messages::quiet(cli.quiet);
    interrupt::install();
    let done = failure::caught(|| commands::run(cli.command));
    abandon();
    status(done)
}

/// The command line; where help is asked for and a booster named, it has the options of that booster only.
fn command() -> Command {
    let command = Cli::command();
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let asks = words.iter().any(|word| word == "--help" || word == "-h");
    let names = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| *word == "--booster");
    let named = names
        .map(|(_, name)| name.as_str())
        .chain(words.iter().filter_map(|word| word.strip_prefix("--booster=")));
    let booster = named.last().filter(|_| asks).and_then(manyboost::spec::registry::booster);
    match (booster, words.iter().find(|word| ["train", "cv"].contains(&word.as_str()))) {
        (Some(booster), Some(name)) => {
            command.mut_subcommand(name, |command| options::only_of(booster, command))
        }
        _ => command,
    }
}

/// The exit status of what was done; an error is printed.
fn status(done: Outcome) -> ExitCode {
    match done {
        Ok(()) | Err(Failure::Quiet) => ExitCode::SUCCESS,
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
