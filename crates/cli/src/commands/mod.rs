//! The commands, one file each.

mod boosters;
mod certify;
mod codewords;
mod compare;
mod completions;
mod cv;
mod demo;
mod effects;
mod evaluate;
mod explain;
mod export;
mod game;
mod generate;
mod importance;
mod inspect;
mod learners;
mod losses;
mod man;
mod options_of;
mod predict;
mod report;
mod similar;
mod train;
mod why_not;

use manyboost_data::wording::{visible_json, visible_lines};

use crate::args::{Command, ReadingArgs};
use crate::failure::Outcome;
use crate::inputs;
use crate::output::{Output, check_stdout};
use crate::threads;

/// Does what was asked for.
pub fn run(command: Command) -> Outcome {
    if prints(&command) {
        check_stdout()?;
    }
    threads::start(threads_of(&command))?;
    if let Some(reading) = reading_of(&command) {
        inputs::written(reading.dialect()?);
    }
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Evaluate(args) => evaluate::run(args),
        Command::Compare(args) => compare::run(&args),
        Command::Cv(args) => cv::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Effects(args) => effects::run(&args),
        Command::Importance(args) => importance::run(&args),
        Command::WhyNot(args) => why_not::run(&args),
        Command::Similar(args) => similar::run(&args),
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

/// Whether a command has a result for stdout, and does not only write a file.
fn prints(command: &Command) -> bool {
    match command {
        Command::Predict(args) => args.out.is_none(),
        Command::Explain(args) => args.out.is_none(),
        Command::Effects(args) => args.out.is_none(),
        Command::Generate(args) => args.list || args.out.is_none(),
        Command::Report(args) => args.json,
        _ => true,
    }
}

/// How the files with rows are written, where there are any.
fn reading_of(command: &Command) -> Option<&ReadingArgs> {
    Some(match command {
        Command::Train(args) => &args.learn.reading,
        Command::Compare(args) => &args.learn.reading,
        Command::Cv(args) => &args.learn.reading,
        Command::Certify(args) => &args.reading,
        Command::Predict(args) => &args.reading,
        Command::Evaluate(args) => &args.reading,
        Command::Inspect(args) => &args.reading,
        Command::Explain(args) => &args.reading,
        Command::WhyNot(args) => &args.reading,
        Command::Similar(args) => &args.reading,
        Command::Effects(args) => &args.reading,
        Command::Importance(args) => &args.reading,
        Command::Report(args) => &args.reading,
        Command::Export(args) => &args.reading,
        _ => return None,
    })
}

/// What `--threads` says, where there is one.
fn threads_of(command: &Command) -> Option<&str> {
    match command {
        Command::Train(args) => args.learn.run.threads.as_deref(),
        Command::Compare(args) => args.learn.run.threads.as_deref(),
        Command::Cv(args) => args.learn.run.threads.as_deref(),
        Command::Certify(args) => args.threads.as_deref(),
        _ => None,
    }
}

/// Prints a result; names in it come from files, and no terminal shall obey them.
fn print(text: &str) -> Outcome {
    print_bytes(visible_lines(text).as_bytes())
}

/// Prints a result as one JSON document.
fn print_json(value: &serde_json::Value) -> Outcome {
    print_bytes(visible_json(&format!("{value:#}\n")).as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Outcome {
    let mut out = Output::new(None)?;
    out.write(|out| out.write_all(bytes))?;
    out.finish()
}
