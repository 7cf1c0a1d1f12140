//! Developer commands: `cargo xtask test | fuzz | estimators | notices | models | kernel | bench | figures | papers`.
//!
//! The standard library only, so that a fresh machine compiles this in a second.

mod deny;
mod fuzz;
mod kernel;
mod notices;
mod python;
mod shell;
mod test;
mod tools;
mod toy;
mod unsafe_code;

use std::process::ExitCode;

/// A command: its name, what it does, and how.
type Command = (&'static str, &'static str, fn(&[String]) -> Result<(), String>);

const COMMANDS: &[Command] = &[
    ("test", "everything that must hold (--quick: before every commit; --all: for a night)", test::run),
    (
        "fuzz",
        "looks for input that breaks a law ([TARGET] --seconds N; TARGET --cases N --seed S)",
        fuzz::fuzz,
    ),
    ("estimators", "scikit-learn's checks of every estimator, booster and learner", python::estimators),
    (
        "notices",
        "the licences of the crates in the wheel, as one file (after a change of Cargo.lock)",
        notices::run,
    ),
    ("models", "whether models have kept their bits (--record: from now on they are these)", |args| {
        script("models.py", args)
    }),
    ("toy", "whether a new booster with a new option is one file and one line", |_| {
        toy::run_toy().map(|said| println!("{said}"))
    }),
    ("kernel", "the kernel's micro-benchmark [part of a name]", kernel::run),
    ("bench", "the default booster beside the peers on whole data sets ([SET…] --data DIR)", |args| {
        script("against.py", args)
    }),
    ("figures", "single figures beside a peer's, in one run (--data DIR [--only PART,…])", |args| {
        script("side_by_side.py", args)
    }),
    ("papers", "ours beside the figures of the papers (--data DIR [--only PART,…])", |args| {
        script("papers.py", args)
    }),
];

/// Hands the options to a script of `bench`.
fn script(file: &str, args: &[String]) -> Result<(), String> {
    shell::run(shell::program("python3").arg(format!("bench/{file}")).args(args))
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let Some((_, _, run)) = COMMANDS.iter().find(|command| command.0 == name) else {
        eprintln!("usage: cargo xtask COMMAND");
        for (name, what, _) in COMMANDS {
            eprintln!("  {name:10} {what}");
        }
        return ExitCode::from(2);
    };
    match run(&rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}
