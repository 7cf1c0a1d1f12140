//! What may be written behind the commands that look at a model.

use std::path::PathBuf;

use clap::Args;

use super::ReadingArgs;
use super::help::{
    EFFECTS, EVALUATE, EXPLAIN, EXPORT, IMPORTANCE, INSPECT, PREDICT, REPORT, SIMILAR, WHY_NOT,
};

#[derive(Debug, Args)]
#[command(after_help = PREDICT)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line are bools")]
pub struct PredictArgs {
    /// The model
    pub model: PathBuf,
    /// The rows to predict: columns are matched by name, the target is not needed
    pub data: String,
    /// Add the probability of each class
    #[arg(long, group = "what")]
    pub proba: bool,
    /// Add the score of each class
    #[arg(long, group = "what")]
    pub scores: bool,
    /// With --scores: the highest is 0, and none is below -X (the clamped scores of Theorem 29 of Mukherjee & Schapire 2013)
    #[arg(long, value_name = "X", requires = "scores", allow_hyphen_values = true)]
    pub clamp: Option<String>,
    /// Add f(x) in the dimensions of the codewords (gd-mcboost, cd-mcboost)
    #[arg(long, group = "what")]
    pub embed: bool,
    /// The N likeliest classes with their probabilities; with --proba, behind those of all classes
    #[arg(long, value_name = "N", conflicts_with_all = ["scores", "embed", "staged"], allow_hyphen_values = true)]
    pub top: Option<String>,
    /// The answer after each round, a column a round
    #[arg(long, group = "what")]
    pub staged: bool,
    /// Answer the class that costs least, given the probabilities: a line for each true class, a column for each answer
    #[arg(long, value_name = "FILE", conflicts_with_all = ["top", "staged"])]
    pub costs: Option<String>,
    /// Answer a class or a label where its probability is at least X; CLASS=X says which one (of two classes: the second)
    #[arg(long, value_name = "[CLASS=]X,…", value_delimiter = ',', conflicts_with_all = ["costs", "top", "staged"], allow_hyphen_values = true)]
    pub threshold: Vec<String>,
    /// Columns of the data that stand before the answers, in this order, whether the model uses them or not
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// All columns of the data before the answers
    #[arg(long, conflicts_with = "keep")]
    pub append: bool,
    /// Write to a file instead of stdout: .csv, .tsv, .jsonl (each also .gz, .zst) or .parquet
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON document instead of CSV
    #[arg(long, conflicts_with = "out")]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = EVALUATE)]
pub struct EvaluateArgs {
    /// The model
    pub model: PathBuf,
    /// Rows with answers
    pub data: String,
    /// The column of the class, if its name differs from that in training
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// The column of row weights
    #[arg(long, value_name = "NAME")]
    pub weight: Option<String>,
    /// What mistakes cost: a line for each true class, a column for each answer
    #[arg(long, value_name = "FILE")]
    pub costs: Option<String>,
    /// The standard deviation of the error over N draws of as many rows, with replacement, 2 to 100,000
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub bootstrap: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = INSPECT)]
pub struct InspectArgs {
    /// The model
    pub model: PathBuf,
    /// Print the first N trees as text
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub trees: usize,
    /// Draw the first trees, as many as --trees says or one, as a picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write them in the language of Graphviz
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Rows with answers, such as those of training: adds the margins of the model on them, and what they say of its error
    #[arg(long, value_name = "DATA")]
    pub data: Option<String>,
    /// Features in the list of importances
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = EXPLAIN)]
pub struct ExplainArgs {
    /// The model
    pub model: PathBuf,
    /// The rows to explain: columns are matched by name, the target is not needed
    pub data: String,
    /// Which rows, counted from 1: numbers and ranges such as 1,5-7 [default: all; the first 3 where they are printed]
    #[arg(long, value_name = "ROWS", allow_hyphen_values = true)]
    pub rows: Option<String>,
    /// The N columns that add most to the answer, or take most from it [default: all; 8 where they are printed]
    #[arg(long, value_name = "N", conflicts_with = "out", allow_hyphen_values = true)]
    pub top: Option<String>,
    /// Tell the words of text columns apart
    #[arg(long)]
    pub words: bool,
    /// Compare with these rows instead of with what is expected by the shares of training rows; a few hundred are enough
    #[arg(long, value_name = "DATA")]
    pub background: Option<String>,
    /// Write a table to a file instead of printing
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page with a figure for each row instead of printing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "top"])]
    pub page: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long, conflicts_with_all = ["out", "page"])]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = WHY_NOT)]
pub struct WhyNotArgs {
    /// The model
    pub model: PathBuf,
    /// The rows: columns are matched by name, the target is not needed
    pub data: String,
    /// Which rows, such as 1-3,7 (the first ones otherwise)
    #[arg(long, value_name = "ROWS")]
    pub rows: Option<String>,
    /// The answer that is wanted; any other than the model's own otherwise
    #[arg(long, value_name = "CLASS")]
    pub class: Option<String>,
    /// Columns that cannot be changed
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub fixed: Vec<String>,
    /// Most seconds to search for the changes of a row
    #[arg(long, value_name = "S", default_value = "10", allow_hyphen_values = true)]
    pub seconds: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = SIMILAR)]
pub struct SimilarArgs {
    /// The model
    pub model: PathBuf,
    /// The rows: columns are matched by name, the target is not needed
    pub data: String,
    /// The rows to search, such as those of training
    #[arg(long, value_name = "FILE")]
    pub among: String,
    /// Which rows, such as 1-3,7 (the first ones otherwise)
    #[arg(long, value_name = "ROWS")]
    pub rows: Option<String>,
    /// How many are shown for each row
    #[arg(long, value_name = "N", default_value = "5", allow_hyphen_values = true)]
    pub top: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = EFFECTS)]
pub struct EffectsArgs {
    /// The model
    pub model: PathBuf,
    /// Rows like those of training: columns are matched by name, the target is not needed
    pub data: String,
    /// The column, or two of them
    #[arg(long, value_name = "A[,B]", value_delimiter = ',', required = true)]
    pub feature: Vec<String>,
    /// What is computed
    #[arg(long, value_enum, value_name = "KIND", default_value = "partial")]
    pub kind: EffectKind,
    /// Most values of a column of numbers, 2 to 1,000
    #[arg(long, value_name = "N", default_value = "20", allow_hyphen_values = true)]
    pub points: String,
    /// Scores instead of probabilities
    #[arg(long)]
    pub scores: bool,
    /// Write a table to a file instead of printing
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw a picture too: a panel for each class
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long, conflicts_with = "out")]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

/// Which effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum EffectKind {
    /// The mean over all rows, each with the value (partial dependence)
    Partial,
    /// Each row with the value (individual curves)
    Individual,
    /// Differences between values near those of the rows, added up (accumulated local effects)
    Accumulated,
}

#[derive(Debug, Args)]
#[command(after_help = IMPORTANCE)]
pub struct ImportanceArgs {
    /// The model
    pub model: PathBuf,
    /// Rows with answers, best ones that it was not trained on
    pub data: String,
    /// How often the values of each column are shuffled, 1 to 1,000
    #[arg(long, value_name = "N", default_value = "5", allow_hyphen_values = true)]
    pub repeats: String,
    /// The rise of the log loss among the rows of each class too
    #[arg(long)]
    pub classes: bool,
    /// Columns that are listed
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub top: usize,
    /// Makes every random choice
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// The column of the class, if its name differs from that in training
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// The column of row weights
    #[arg(long, value_name = "NAME")]
    pub weight: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = REPORT)]
pub struct ReportArgs {
    /// The model
    pub model: PathBuf,
    /// Rows with answers to show it on, best ones that it was not trained on
    #[arg(long, value_name = "DATA")]
    pub data: String,
    /// Rows that it was trained on, to compare the columns of both
    #[arg(long, value_name = "DATA")]
    pub training: Option<String>,
    /// Where the page goes [default: the model's name with .html]
    #[arg(long, short, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
    /// Print where the page is as one JSON document
    #[arg(long)]
    pub json: bool,
    /// The column of the class, if its name differs from that in training
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// The column of row weights
    #[arg(long, value_name = "NAME")]
    pub weight: Option<String>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

#[derive(Debug, Args)]
#[command(after_help = EXPORT)]
pub struct ExportArgs {
    /// The model
    pub model: PathBuf,
    /// Which format
    #[arg(long, value_name = "NAME", default_value = "onnx", value_parser = ["onnx"])]
    pub format: String,
    /// Where it goes
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Rows on which the graph is run and laid beside the model; answers are not needed [default: rows made up at its thresholds]
    #[arg(long, value_name = "DATA")]
    pub check: Option<String>,
    /// Print what was checked as one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: ReadingArgs,
}
