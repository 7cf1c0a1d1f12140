//! The commands, one file each.

mod boosters;
mod certify;
mod codewords;
mod compare;
mod completions;
mod cv;
mod demo;
mod evaluate;
mod export;
mod game;
mod generate;
mod inspect;
mod learners;
mod losses;
mod man;
mod predict;
mod report;
mod train;

use crate::args::Command;
use crate::failure::Outcome;
use crate::output::Output;

/// Does what was asked for.
pub fn run(command: Command) -> Outcome {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Compare(args) => compare::run(&args),
        Command::Cv(args) => cv::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Game(command) => game::run(&command),
        Command::Certify(args) => certify::run(&args),
        Command::Boosters(args) => boosters::run(&args),
        Command::Learners(args) => learners::run(&args),
        Command::Losses(args) => losses::run(&args),
        Command::Codewords(args) => codewords::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man => man::run(),
    }
}

/// Prints a result.
fn print(text: &str) -> Outcome {
    let mut out = Output::new(None)?;
    out.write(|out| out.write_all(text.as_bytes()))?;
    out.finish()
}

/// Prints a result as one JSON document.
fn print_json(value: &serde_json::Value) -> Outcome {
    print(&format!("{value:#}\n"))
}
