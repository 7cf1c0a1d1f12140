//! What an option is: its name, what it may be, what it means. Declared once, as a constant beside the code that takes it.
//!
//! ```text
//! const STEP: Choice<Step> = Choice::new("step", "How step sizes are found", &[
//!     ("edge", Step::Edge, "from the edge"),
//!     ("exact", Step::Exact, "where the loss is least"),
//! ]);
//! let step = options.take(&STEP, Step::Edge)?;
//! ```
//!
//! Everything else that is known about the option comes from this constant: parsing and its errors, `--help`, completions, the
//! manual page, signatures and docstrings in Python, the table in the documentation, the check of model files.

mod choice;
mod matrix;
mod number;
mod rounds;

pub use choice::{Choice, ChoiceWords};
pub use matrix::{CostsOption, WordOrMatrix};
pub use number::{Number, NumberOrAuto, Numeric, Range};
pub use rounds::{AskedRounds, ROUNDS, RoundsOption};

/// What an option decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// How the algorithm boosts.
    Boosting,
    /// What hypotheses are, and how they are found.
    Learner,
}

impl Group {
    /// The heading of such options.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Boosting => "Boosting",
            Self::Learner => "Weak learner",
        }
    }
}

/// What the values of an option are, beside words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A whole number.
    Whole,
    /// A number.
    Number,
    /// Numbers, with commas between them.
    Numbers,
    /// A formula of v.
    Formula,
    /// Nothing but words.
    Word,
    /// A matrix with a row for each class: in memory or in a file.
    Matrix,
    /// What mistakes cost, by the names of the classes: in memory or in a file.
    Costs,
}

impl OptionKind {
    /// The word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Number => "number",
            Self::Numbers => "numbers",
            Self::Formula => "formula",
            Self::Word => "word",
            Self::Matrix => "matrix",
            Self::Costs => "costs",
        }
    }
}

/// All that there is to know about an option but for its default, which whoever takes it decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// Its name, without dashes in front.
    pub name: &'static str,
    /// What it decides, in a line.
    pub help: &'static str,
    /// Under which heading it stands.
    pub group: Group,
    /// What its values are, beside words.
    pub kind: OptionKind,
    /// Words that it takes, and what they mean.
    pub words: Vec<(&'static str, &'static str)>,
    /// What it takes, in words: "a number above 0, up to 1".
    pub allowed: String,
}

/// An option, whatever its values are.
pub trait Describe: Sync {
    /// Its name, without dashes in front.
    fn name(&self) -> &'static str;

    /// What there is to know about it.
    fn info(&self) -> OptionInfo;
}

/// An option whose values have a type of their own.
pub trait Declaration: Describe {
    /// What a value is.
    type Value;

    /// The value that a text stands for, if it is one.
    fn parse(&self, text: &str) -> Option<Self::Value>;

    /// The text that stands for a value: what models remember.
    fn text(&self, value: &Self::Value) -> String;
}
