//! `manyboost completions`: what a shell needs to complete our commands.

use clap::CommandFactory;

use super::print;
use crate::args::{Cli, CompletionArgs};
use crate::failure::Outcome;

pub fn run(args: &CompletionArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "manyboost", &mut script);
    print(&String::from_utf8_lossy(&script))
}
