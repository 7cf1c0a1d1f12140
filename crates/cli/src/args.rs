//! What may be written behind `manyboost`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use manyboost_data::TrainingPlan;

use crate::inputs::dialect;
use crate::options::Given;

mod certify;
mod game;
mod help;
mod model;
mod reading;
mod team;

pub use certify::CertifyArgs;
pub use game::{
    BoundArgs, DegreeArgs, FigureArgs, GameArgs, GameCommand, GameOutput, LossArgs, PlayArgs, PotentialArgs,
};
use help::{AFTER, CODEWORDS, COMPARE, COMPLETIONS, CV, GENERATE, TRAIN};
pub use model::{
    EffectKind, EffectsArgs, EvaluateArgs, ExplainArgs, ExportArgs, ImportanceArgs, InspectArgs, PredictArgs,
    ReportArgs, SimilarArgs, WhyNotArgs,
};
pub use reading::ReadingArgs;
pub use team::TeamArgs;

/// Multiclass and multi-label boosting.
#[derive(Debug, Parser)]
#[command(name = "manyboost", version, max_term_width = 110, after_help = AFTER)]
pub struct Cli {
    /// Print results and errors only: no progress, no notes
    #[arg(long, short, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Generate a data set, compare boosters on it, write demo.html
    Demo(DemoArgs),
    /// Train a model
    Train(Box<TrainArgs>),
    /// Predict the rows of a file
    Predict(PredictArgs),
    /// Measure a model on rows with answers
    Evaluate(EvaluateArgs),
    /// Train several boosters on the same rows and lay them side by side
    Compare(Box<CompareArgs>),
    /// Measure a booster by cross-validation
    Cv(Box<CvArgs>),
    /// Show what a model is made of
    Inspect(InspectArgs),
    /// What each column of a row adds to the scores of all classes (exact Shapley values)
    Explain(ExplainArgs),
    /// What a column does to the answers: partial dependence, individual curves, accumulated local effects
    Effects(EffectsArgs),
    /// What columns are worth: how much error and log loss rise when their values are shuffled
    Importance(ImportanceArgs),
    /// The smallest changes of rows after which the answer is another one
    WhyNot(WhyNotArgs),
    /// Rows that the model treats most like others: those that share most leaves with them
    Similar(SimilarArgs),
    /// Write a page (HTML) that explains a model
    Report(ReportArgs),
    /// Write a model in another format
    Export(ExportArgs),
    /// Potentials and bounds of the game between a booster and its weak learner; no data needed
    #[command(subcommand)]
    Game(GameCommand),
    /// Whether a weak learner is strong enough for a data set, and for which boosters
    Certify(Box<CertifyArgs>),
    /// List the boosters, or show one with its options
    Boosters(ListArgs),
    /// List the weak learners, or show one with its options
    Learners(ListArgs),
    /// List the losses
    Losses(LossesArgs),
    /// Show codewords of classes, their minimum distance and margin capacity
    Codewords(CodewordsArgs),
    /// Generate a data set as CSV
    Generate(GenerateArgs),
    /// Print a script that completes commands and options in a shell
    Completions(CompletionArgs),
    /// Print the manual page
    Man,
}

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Makes every random choice
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = TRAIN)]
pub struct TrainArgs {
    /// The rows to learn from; of several files, those of one after those of the other
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<String>,
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    pub out: PathBuf,
    /// The boosting algorithm (see `manyboost boosters`)
    #[arg(long, value_name = "NAME", default_value = "mcboost")]
    pub booster: String,
    /// Other rows, to report the test error
    #[arg(long, value_name = "DATA")]
    pub test: Option<String>,
    /// Write each round as a line of JSON
    #[arg(long, value_name = "FILE.jsonl")]
    pub trace: Option<PathBuf>,
    /// Write a page that explains the model; it is shown on the test rows, else those to validate on, else DATA
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Print the summary as one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub watch: WatchArgs,
    #[command(flatten)]
    pub learn: LearnArgs,
    #[command(flatten)]
    pub team: TeamArgs,
}

/// What all commands that train have in common.
#[derive(Debug, Args)]
pub struct LearnArgs {
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// How much rows weigh by their class: balanced (all classes the same together), or CLASS=WEIGHT,…
    #[arg(long, value_name = "WEIGHTS", help_heading = "Columns")]
    pub class_weight: Option<String>,
    #[command(flatten)]
    pub encode: EncodeArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
    #[command(flatten)]
    pub given: Given,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// Makes every random choice
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// Threads, 1 to 1,024 (default: all cores); models do not depend on it
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub threads: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = COMPARE)]
pub struct CompareArgs {
    /// The rows to learn from
    pub data: String,
    /// The boosting algorithms, each with options of its own if it has any: NAME:OPTION=VALUE:…
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', default_value = "mcboost,mm,samme")]
    pub boosters: Vec<String>,
    /// Rows to measure on: a fraction of DATA to hold out, or another file
    #[arg(long, value_name = "FRACTION|DATA", default_value = "0.25", allow_hyphen_values = true)]
    pub test: String,
    /// Where the page with all learning curves goes
    #[arg(long, value_name = "FILE.html", default_value = "compare.html")]
    pub report: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub learn: LearnArgs,
}

#[derive(Debug, Args)]
#[command(after_help = CV)]
pub struct CvArgs {
    /// The rows to learn from and to measure on by turns
    pub data: String,
    /// The boosting algorithm (see `manyboost boosters`)
    #[arg(long, value_name = "NAME", default_value = "mcboost")]
    pub booster: String,
    /// Parts, each of which is measured once by a model of the others; classes are spread evenly over them
    #[arg(long, value_name = "K", default_value = "5", allow_hyphen_values = true)]
    pub folds: String,
    /// How often, each time with other parts
    #[arg(long, value_name = "N", default_value = "1", allow_hyphen_values = true)]
    pub repeats: String,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub learn: LearnArgs,
}

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub struct CompletionArgs {
    /// Which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Stopping and going on")]
pub struct WatchArgs {
    /// Rows to validate on: a fraction of DATA to hold out (such as 0.2), or another file
    #[arg(long, value_name = "FRACTION|DATA", allow_hyphen_values = true)]
    pub valid: Option<String>,
    /// Which rows --valid FRACTION holds out: drawn ones, or the last ones, for rows in the order of time (drawn, last)
    #[arg(long, value_name = "WORD", requires = "valid")]
    pub split: Option<String>,
    /// Stop after N rounds without a better log loss on the validation rows; keep the best round
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub patience: Option<String>,
    /// With --patience: what has to be better (log-loss, error, macro-f1, balanced-error, auc, or top-N such as top-3)
    #[arg(long, value_name = "METRIC", requires = "patience")]
    pub metric: Option<String>,
    /// Where to save the state of training from time to time
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Rounds between two checkpoints
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub every: Option<String>,
    /// Go on from the checkpoint, if it is there
    #[arg(long)]
    pub resume: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Columns")]
pub struct ColumnArgs {
    /// The column of the class (default: `class`, else the last)
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Label sets: what the names of the 0/1 columns begin with (default: `label:`)
    #[arg(long, value_name = "PREFIX")]
    pub labels: Option<String>,
    /// The column of row weights
    #[arg(long, value_name = "NAME")]
    pub weight: Option<String>,
    /// Columns to leave out
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Columns of categories, whatever they look like
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub categorical: Vec<String>,
    /// Columns of text
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub text: Vec<String>,
}

impl ColumnArgs {
    /// For the readers.
    pub fn plan(&self) -> TrainingPlan {
        TrainingPlan {
            target: self.target.clone(),
            labels: self.labels.clone(),
            weight: self.weight.clone(),
            ignore: self.ignore.clone(),
            categorical: self.categorical.clone(),
            text: self.text.clone(),
            dialect: dialect().clone(),
        }
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Columns")]
pub struct EncodeArgs {
    /// Most bins of a numeric column, 2 to 65,536 (0 = a cut between any two values) [default: 255]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub bins: Option<String>,
    /// Most words of an n-gram of text, 1 to 8 [default: 1]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub ngrams: Option<String>,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// One of them: all there is to know about it
    pub name: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct LossesArgs {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// Draw a picture too: what they cost a row of the first of three classes, by f in the plane of the codewords
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = CODEWORDS)]
pub struct CodewordsArgs {
    /// Number of classes, 2 to 4,096
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub classes: String,
    /// Dimension of the codewords
    #[arg(long, value_name = "D", allow_hyphen_values = true)]
    pub dim: Option<String>,
    /// Which (simplex, canonical, max-min, max-capacity, random, FILE); max-min if a dimension is given, else simplex
    #[arg(long, value_name = "SET")]
    pub codewords: Option<String>,
    /// Draw a picture too: the first two dimensions, or three of them seen from the side
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Makes every random choice
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = GENERATE)]
pub struct GenerateArgs {
    /// Which data set
    #[arg(required_unless_present = "list")]
    pub name: Option<String>,
    /// Number of rows, 1 to 100,000,000
    #[arg(long, value_name = "N", default_value = "1000", allow_hyphen_values = true)]
    pub rows: String,
    /// Makes every random choice
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true)]
    pub seed: u64,
    /// Write to a file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// List the data sets
    #[arg(long)]
    pub list: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_parser_is_sound() {
        super::Cli::command().debug_assert();
    }
}
