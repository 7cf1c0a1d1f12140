//! What must hold for any bytes: a table, a model or a training run drawn from them ends as it should, or as an error.
//!
//! A [`Target`] is a function of bytes. The same functions are driven three ways: guided by coverage (`bin/guided.rs`, libFuzzer), by
//! numbers from a seed (`bin/cases.rs`, which counts and needs no more than stable Rust), and over the files in `corpus` (`tests/corpus.rs`,
//! with every run of the tests). Whatever was found once is a file there.

mod alike;
mod case;
mod draw;
mod loader;
pub mod mutate;
mod options;
pub mod panics;
mod predicted;
mod readers;
mod rows;
mod seeds;
mod training;

pub use case::Case;
pub use draw::Draw;

use manyboost_data::Error;

/// What came of bytes that nothing is wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are something: a table, a model, a training run.
    Accepted,
    /// They are refused, with words.
    Refused,
}

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A panic, also one that somebody caught.
    Panic,
    /// A number that is not finite.
    NotFinite,
    /// Two ways to the same thing, and two things; or a law that does not hold.
    Mismatch,
    /// An error that does not say what to do.
    Words,
}

/// A finding: its kind, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub wrong: Wrong,
    /// What it is.
    pub what: String,
}

impl Finding {
    fn new(wrong: Wrong, what: impl Into<String>) -> Self {
        Self { wrong, what: what.into() }
    }

    fn mismatch(what: impl Into<String>) -> Self {
        Self::new(Wrong::Mismatch, what)
    }
}

/// What came of bytes.
pub type Outcome = Result<Verdict, Finding>;

/// A law for any bytes.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it is about, in a line.
    pub summary: &'static str,
    /// Most bytes that are of use.
    pub most_bytes: usize,
    /// Files to begin with; where there are none, any bytes are a good case.
    pub seeds: fn() -> Vec<Vec<u8>>,
    run: fn(&[u8]) -> Outcome,
}

/// All targets.
pub static TARGETS: &[Target] = &[
    Target {
        name: "csv",
        summary: "delimited text, plain or packed, any size of blocks; what is read is trained on",
        most_bytes: 4096,
        seeds: || seeds::text("csv"),
        run: readers::csv,
    },
    Target {
        name: "dialect",
        summary: "delimited text in other encodings, with other delimiters, decimals and quotes, said or found",
        most_bytes: 4096,
        seeds: || seeds::text("dialect"),
        run: readers::dialect,
    },
    Target {
        name: "arff",
        summary: "ARFF text",
        most_bytes: 4096,
        seeds: || seeds::text("arff"),
        run: readers::arff,
    },
    Target {
        name: "libsvm",
        summary: "LibSVM text",
        most_bytes: 4096,
        seeds: || seeds::text("libsvm"),
        run: readers::libsvm,
    },
    Target {
        name: "parquet",
        summary: "Parquet files",
        most_bytes: 8192,
        seeds: seeds::parquet,
        run: readers::parquet,
    },
    Target {
        name: "model",
        summary: "model files with changed content and right checksums: loaded, written, predicted with",
        most_bytes: 8192,
        seeds: seeds::models,
        run: loader::model,
    },
    Target {
        name: "train",
        summary: "boosters × learners × options on tiny data: finite, exact, the same whatever has no meaning",
        most_bytes: 2048,
        seeds: Vec::new,
        run: training::train,
    },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

impl Target {
    /// Runs it; panics are findings, whoever caught them.
    pub fn run(&self, bytes: &[u8]) -> Outcome {
        let (outcome, panics) = panics::counted(|| (self.run)(bytes));
        match panics.first() {
            Some(first) => Err(Finding::new(Wrong::Panic, first.clone())),
            None => outcome.unwrap_or_else(|| Err(Finding::new(Wrong::Panic, "a panic without words"))),
        }
    }
}

/// A refusal, if its words are as they should be: what is wrong and what to do, a line each.
fn refused(error: &Error) -> Outcome {
    let line = |text: &str| !text.trim().is_empty() && !text.chars().any(char::is_control);
    if line(&error.what()) && line(&error.remedy()) {
        return Ok(Verdict::Refused);
    }
    Err(Finding::new(Wrong::Words, format!("{:?} / {:?}", error.what(), error.remedy())))
}
