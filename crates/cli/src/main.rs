//! The `polyboost` command.
//!
//! Results go to stdout, everything else to stderr. A command either does its work (exit status 0), fails at it (1), or
//! refuses its arguments or its input (2); an error is one line that says what is wrong and one that says what to do.

mod args;
mod commands;
mod failure;
mod inputs;
mod interrupt;
mod margins;
mod options;
mod output;
mod progress;
mod say;
mod terminal;
mod text_table;
mod threads;
mod trace;
mod trial;

use std::process::ExitCode;

use clap::Parser;
use polyboost::write::abandon;
use polyboost_kernel::net::Net;

use crate::args::Cli;
use crate::failure::Failure;

/// Memory that runs out ends the program like any other failure.
#[global_allocator]
static NET: Net = Net;

fn main() -> ExitCode {
    hear_of_large_files();
    let cli = Cli::parse();
    say::quiet(cli.quiet);
    interrupt::install();
    let done = failure::caught(|| commands::run(cli.command));
    abandon();
    match done {
        Ok(()) | Err(Failure::Quiet) => ExitCode::SUCCESS,
        Err(Failure::Error(error)) => failure::report(&error),
    }
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
