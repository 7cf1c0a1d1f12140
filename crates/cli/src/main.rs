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
mod text_table;
mod trace;
mod trial;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::failure::Failure;

fn main() -> ExitCode {
    let cli = Cli::parse();
    say::quiet(cli.quiet);
    interrupt::install();
    let done = failure::caught(|| commands::run(cli.command));
    output::clean();
    match done {
        Ok(()) | Err(Failure::Quiet) => ExitCode::SUCCESS,
        Err(Failure::Error(error)) => failure::report(&error),
    }
}
