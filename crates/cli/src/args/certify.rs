//! What may be written behind `manyboost certify`.

use std::path::PathBuf;

use clap::Args;

use super::help::CERTIFY;
use super::{ColumnArgs, EncodeArgs, ReadingArgs};

#[derive(Debug, Args)]
#[command(after_help = CERTIFY)]
pub struct CertifyArgs {
    /// The rows to learn from
    pub data: String,
    /// The weak learner: stump, tree or linear
    #[arg(long, value_name = "NAME", default_value = "stump", value_parser = ["stump", "tree", "linear"])]
    pub learner: String,
    /// Most leaves of a tree, grown best cut first
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub leaves: Option<String>,
    /// Most cuts on the way to a leaf; alone: grow level by level
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub depth: Option<String>,
    /// Least rows of a leaf
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub min_rows: Option<String>,
    /// How close lower and upper bounds shall be, 1e-9 to 0.1
    #[arg(long, value_name = "X", default_value = "1e-6", allow_hyphen_values = true)]
    pub tolerance: String,
    /// Look at iterative weak learnability on all sets of up to N classes (1: on all classes together only)
    #[arg(long, value_name = "N", default_value = "2", allow_hyphen_values = true)]
    pub subsets: String,
    /// Work to spend, 0.01 to 1,000; 1 is some minutes at most, after which bounds may still be apart
    #[arg(long, value_name = "X", default_value = "1", allow_hyphen_values = true)]
    pub effort: String,
    /// Ask about a baseline too: a line of class names, then one for each row, with the share that a guesser gives each class
    #[arg(long, value_name = "FILE.csv")]
    pub baseline: Option<PathBuf>,
    /// Ask about cost matrices too: a line of class names, then for each matrix a line for each row, with what it costs to name each class; classifiers shall cost
    /// no more than the baseline, or than uniform guessing
    #[arg(long, value_name = "FILE.csv")]
    pub costs: Option<PathBuf>,
    /// Write the votes of the best mixture: a line for each row, a share for each class
    #[arg(long, value_name = "FILE.csv")]
    pub mixture: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Threads, 1 to 1,024 (default: all cores); the result does not depend on it
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub threads: Option<String>,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub encode: EncodeArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
}
