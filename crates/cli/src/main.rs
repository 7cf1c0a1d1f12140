//! The `manyboost` program.

use std::process::ExitCode;

use manyboost_kernel::net::Net;

/// Memory that runs out ends the program like any other failure.
#[global_allocator]
static NET: Net = Net;

fn main() -> ExitCode {
    manyboost_cli::run(std::env::args_os().skip(1).collect()).into()
}
