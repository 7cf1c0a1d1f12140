//! What may be written behind `polyboost`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use polyboost_data::TrainingPlan;

use crate::options::Given;

/// Multiclass and multi-label boosting.
#[derive(Debug, Parser)]
#[command(name = "polyboost", version, max_term_width = 110, after_help = AFTER)]
pub struct Cli {
    /// Print results and errors only: no progress, no notes
    #[arg(long, short, global = true)]
    pub quiet: bool,
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Results go to stdout, everything else to stderr; --json makes a result one JSON document.
Exit status: 0 done, 1 the work failed, 2 the arguments or the input are wrong.
Start with `polyboost demo`, or `polyboost train DATA.csv --out model.pb`.";

/// Text of help, and what DATA may be.
macro_rules! with_data {
    ($text:literal) => {
        concat!(
            $text,
            "\n\nDATA is .csv, .tsv, .arff, .libsvm or .svm (each also .gz or .zst), .parquet, or - for CSV from stdin."
        )
    };
}

const TRAIN: &str = with_data!(
    "\
Examples:
  polyboost train letter.csv --out letter.pb --test letter-test.csv
  polyboost train letter.csv --out letter.pb --valid 0.2 --patience 30 --report letter.html
  polyboost train votes.csv --out votes.pb --booster mm --learner stump --rounds 200 --trace votes.jsonl
  polyboost train big.parquet --out big.pb --checkpoint big.ckpt --every 20 --resume"
);

const EVALUATE: &str = with_data!(
    "\
Examples:
  polyboost evaluate letter.pb letter-test.csv
  polyboost evaluate letter.pb letter-test.csv --json"
);

const COMPARE: &str = with_data!(
    "\
Options of boosters and learners go to all boosters; those behind a colon to one of them.

Examples:
  polyboost compare letter.csv --boosters mcboost,samme,mm --test letter-test.csv --rounds 200
  polyboost compare letter.csv --boosters mcboost,samme:learner=tree:depth=10,mm:learner=tree:leaves=32
  polyboost compare letter.csv --test 0.3 --report letters.html --json"
);

const CV: &str = with_data!(
    "\
Examples:
  polyboost cv vehicle.csv
  polyboost cv vehicle.csv --booster samme --learner tree --depth 4 --folds 10 --repeats 3 --json"
);

const REPORT: &str = with_data!(
    "\
The page is one file that opens by a double click, on a phone too, and asks the network for nothing.

Examples:
  polyboost report letter.pb --data letter-test.csv
  polyboost report letter.pb --data letter-test.csv --out letter.html"
);

const EXPORT: &str = "\
onnx: inputs are `numbers` (double, a column for each column of numbers in the order of training; missing
is NaN) and `categories` (strings, likewise; missing is empty), as far as there are such columns; outputs
are `label`, `scores` and `probabilities`. Names of columns and classes are in the file's metadata.
Before the file is written its graph is run beside the model, and the largest difference is shown.
Refused, with the reason: text, hyperplanes, long products, and models that were trained with costs.

Examples:
  polyboost export letter.pb --out letter.onnx
  polyboost export letter.pb --out letter.onnx --check letter-test.csv --json";

const COMPLETIONS: &str = "\
Examples:
  polyboost completions bash > ~/.local/share/bash-completion/completions/polyboost
  polyboost completions zsh > ~/.zfunc/_polyboost
  polyboost completions fish > ~/.config/fish/completions/polyboost.fish";

const INSPECT: &str = "\
Examples:
  polyboost inspect letter.pb --top 20
  polyboost inspect letter.pb --trees 2";

const CODEWORDS: &str = "\
Examples:
  polyboost codewords --classes 4
  polyboost codewords --classes 26 --dim 8 --json";

const GENERATE: &str = "\
Examples:
  polyboost generate --list
  polyboost generate waveform --rows 5000 --out waveform.csv";

const POTENTIALS: &str = "\
Examples:
  polyboost game potentials --classes 6 --edge 0.1 --rounds 20
  polyboost game potentials --classes 6 --edge 0 --rounds 20 --condition minimal --json";

const DEGREES: &str = "\
Examples:
  polyboost game degrees --edge 0 --rounds 10";

const BOUND: &str = "\
Examples:
  polyboost game bound --classes 6 --edge 0.1 --rounds 500";

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
    /// Write a page (HTML) that explains a model
    Report(ReportArgs),
    /// Write a model in another format
    Export(ExportArgs),
    /// Potentials and bounds of the game between a booster and its weak learner; no data needed
    #[command(subcommand)]
    Game(GameCommand),
    /// Whether a weak learner is strong enough for a data set, and for which boosters
    Certify(Box<CertifyArgs>),
    /// List the boosters
    Boosters(ListArgs),
    /// List the weak learners
    Learners(ListArgs),
    /// List the losses
    Losses(ListArgs),
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
    /// The rows to learn from
    pub data: String,
    /// Where the model goes
    #[arg(long, short, value_name = "MODEL")]
    pub out: PathBuf,
    /// The boosting algorithm (see `polyboost boosters`)
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
    pub run: RunArgs,
    #[command(flatten)]
    pub watch: WatchArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub encode: EncodeArgs,
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
    pub run: RunArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub encode: EncodeArgs,
    #[command(flatten)]
    pub given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = CV)]
pub struct CvArgs {
    /// The rows to learn from and to measure on by turns
    pub data: String,
    /// The boosting algorithm (see `polyboost boosters`)
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
    pub run: RunArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub encode: EncodeArgs,
    #[command(flatten)]
    pub given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = REPORT)]
pub struct ReportArgs {
    /// The model
    pub model: PathBuf,
    /// Rows with answers to show it on, best ones that it was not trained on
    #[arg(long, value_name = "DATA")]
    pub data: String,
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
    /// Stop after N rounds without a better log loss on the validation rows; keep the best round
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub patience: Option<String>,
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
    /// The N likeliest classes with their probabilities
    #[arg(long, value_name = "N", group = "what", allow_hyphen_values = true)]
    pub top: Option<String>,
    /// The answer after each round, a column a round
    #[arg(long, group = "what")]
    pub staged: bool,
    /// Answer the class that costs least, given the probabilities: a line for each true class, a column for each answer
    #[arg(long, value_name = "FILE", conflicts_with_all = ["top", "staged"])]
    pub costs: Option<String>,
    /// Write to a file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON document instead of CSV
    #[arg(long, conflicts_with = "out")]
    pub json: bool,
}

const PREDICT: &str = with_data!("\
The result is CSV with a header, one line a row:
  (default)   class
  --proba     class, then a column for each class by name
  --scores    class, then a column for each class by name
  --top N     class_1, probability_1, class_2, …
  --staged    round_1, round_2, …
Models of label sets answer one 0/1 column for each label, under the name that its column had in training (with
--proba and --scores: the probability or score instead); --top names labels, --staged joins them with spaces.

Examples:
  polyboost predict letter.pb letter-test.csv --proba --out answers.csv
  polyboost predict letter.pb letter-test.csv --top 3");

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
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = INSPECT)]
pub struct InspectArgs {
    /// The model
    pub model: PathBuf,
    /// Print the first N trees as text
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub trees: usize,
    /// Rows with answers, such as those of training: adds the margins of the model on them, and what they say of its error
    #[arg(long, value_name = "DATA")]
    pub data: Option<String>,
    /// Features in the list of importances
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

/// What to compute of the game.
#[derive(Debug, Subcommand)]
pub enum GameCommand {
    /// The potential of the first state: the loss that the best booster ends with against the worst weak learner
    Potentials(PotentialArgs),
    /// In how many directions the worst walk of three classes goes on from each state, with all rounds to go
    Degrees(DegreeArgs),
    /// Bounds on the training error, round by round
    Bound(BoundArgs),
}

#[derive(Debug, Args)]
pub struct GameArgs {
    /// The edge that the weak learner promises, 0 to 1
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub edge: String,
    /// Rounds of the game
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rounds: String,
    /// Draw a picture too
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct LossArgs {
    /// What a wrong end costs
    #[arg(long, value_name = "NAME", default_value = "zero-one", value_parser = ["zero-one", "exponential"])]
    pub loss: String,
    /// Exponential loss: the weight of a vote [default: ln(1 + edge)]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub eta: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = POTENTIALS)]
pub struct PotentialArgs {
    /// Number of classes
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub classes: String,
    /// What the weak learner promises: to beat guessing uniformly, or the least that makes boosting possible
    #[arg(long, value_name = "NAME", default_value = "uniform", value_parser = ["uniform", "minimal"])]
    pub condition: String,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub loss: LossArgs,
}

#[derive(Debug, Args)]
#[command(after_help = DEGREES)]
pub struct DegreeArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub loss: LossArgs,
}

#[derive(Debug, Args)]
#[command(after_help = BOUND)]
pub struct BoundArgs {
    /// Number of classes
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub classes: String,
    #[command(flatten)]
    pub game: GameArgs,
}

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
    /// Work to spend, 0.01 to 1,000; 1 is a minute or so of one core, after which bounds may still be apart
    #[arg(long, value_name = "X", default_value = "1", allow_hyphen_values = true)]
    pub effort: String,
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
}

const CERTIFY: &str = "\
Examples:
  polyboost certify iris.csv                              can stumps be boosted to zero training error?
  polyboost certify iris.csv --learner tree --depth 2     all trees of two levels, exhaustively
  polyboost certify iris.csv --learner tree --leaves 4    the trees that training would grow
  polyboost certify iris.csv --json                       the values of all conditions, for programs

Every value is an interval: the lower end is proved by a mixture of classifiers, the upper end by weights of rows on which no
classifier does better. For stumps, and trees of depth 2 on numbers, the upper end is about all of them; for larger trees it is
about those that the (greedy) learner finds. docs/theory.md says what the values mean. Row weights do not matter here.

DATA is .csv, .tsv, .arff, .libsvm or .svm (each also .gz or .zst), .parquet, or - for CSV from stdin.";

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
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
    /// Which (simplex, canonical, max-min, random, FILE); max-min if a dimension is given, else simplex
    #[arg(long, value_name = "SET")]
    pub codewords: Option<String>,
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
