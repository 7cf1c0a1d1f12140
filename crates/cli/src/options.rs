//! Options of boosters and learners: passed on by name, and only those that were given.
//!
//! The library decides which booster takes what, and refuses the rest; this list only makes them known to the parser
//! and to `--help`.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

/// Heading, name, value, help.
type Known = (&'static str, &'static str, &'static str, &'static str);

const BOOSTING: &str = "Boosting";
const LEARNER: &str = "Weak learner";

/// Every option of a booster or a learner.
const KNOWN: &[Known] = &[
    (BOOSTING, "rounds", "N", "Most rounds of boosting"),
    (BOOSTING, "shrinkage", "X", "The part of each step that is taken, above 0, up to 1"),
    (
        BOOSTING,
        "temperature",
        "X",
        "What scores are divided by before they become probabilities (auto = found on the rows of --valid or, without any, on some kept aside)",
    ),
    (BOOSTING, "step", "WAY", "How step sizes are found (edge, exact, printed, opt, odds, unit)"),
    (BOOSTING, "loss", "NAME", "The loss (exponential, logistic, savage, zero-one)"),
    (BOOSTING, "codewords", "SET", "Codewords of the classes (simplex, canonical, max-min, random, FILE)"),
    (BOOSTING, "dim", "D", "Dimension of the codewords"),
    (
        BOOSTING,
        "smoothing",
        "X",
        "Smoothing of confidence-rated answers, a share of all weight (auto = 1 / (2 rows · labels))",
    ),
    (
        BOOSTING,
        "answers",
        "KIND",
        "What hypotheses answer (sign, class, factored, abstain, confidence, mean, …)",
    ),
    (BOOSTING, "costs", "FILE", "What mistakes cost: a line for each true class, a column for each answer"),
    (BOOSTING, "start", "WEIGHTS", "First weights (uniform, skewed)"),
    (BOOSTING, "code", "CODE", "Code matrix (random, exhaustive, max-cut, FILE)"),
    (BOOSTING, "decode", "WAY", "How codes are decoded (hamming, loss)"),
    (BOOSTING, "votes", "N", "Votes per round (one, two)"),
    (BOOSTING, "edge", "X", "The edge that is counted on; or one for each round: X,Y,…"),
    (BOOSTING, "condition", "NAME", "The weak-learning condition (uniform, minimal)"),
    (
        BOOSTING,
        "horizon",
        "N",
        "Rounds that the potentials of the zero-one game look ahead to [default: --rounds]",
    ),
    (BOOSTING, "epoch", "N", "Rounds of an epoch"),
    (BOOSTING, "relabel", "WAY", "How an epoch relabels (restrict, position)"),
    (BOOSTING, "eliminate", "WAY", "Which class an epoch drops (argmin, last-negative)"),
    (BOOSTING, "drop", "N", "Classes that an epoch drops"),
    (LEARNER, "learner", "NAME", "The weak learner (see `manyboost learners`)"),
    (LEARNER, "leaves", "N", "Most leaves of a tree, grown best cut first"),
    (LEARNER, "depth", "N", "Most cuts on the way to a leaf; alone: grow level by level"),
    (LEARNER, "factors", "N", "Most stumps of a product"),
    (LEARNER, "min-rows", "N", "Least rows (by weight) of a leaf"),
    (LEARNER, "subsample", "X", "Share of the rows that a tree (or a regression) sees"),
    (LEARNER, "features", "X", "Share of the features that a node may use"),
    (LEARNER, "cuts", "N", "Random cuts tried on a feature (0 = all)"),
    (
        LEARNER,
        "precision",
        "WHICH",
        "Bits that split search works on: auto, wide (up to 50), narrow (14 to 24)",
    ),
    (LEARNER, "sketch", "N", "Projections on which cuts are searched when there are many classes (0 = off)"),
    (
        LEARNER,
        "regression",
        "WAY",
        "Linear learner: least squares by weight, or on rows drawn by weight (weighted, resampled)",
    ),
    (LEARNER, "criterion", "NAME", "What cuts minimise (cost, gini, entropy)"),
];

/// The options that were given.
#[derive(Clone, Debug, Default)]
pub struct Given(Vec<(String, String)>);

impl Given {
    /// Names and values.
    pub fn pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// For the library.
    pub fn options(self) -> manyboost::spec::options::Options {
        manyboost::spec::options::Options::new(self.0)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |(_, name, ..): &Known| {
            let value = matches.get_one::<String>(name)?;
            Some(((*name).to_string(), value.clone()))
        };
        Ok(Self(KNOWN.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        KNOWN.iter().fold(command, |command, &(heading, name, value, help)| {
            command.arg(
                Arg::new(name)
                    .long(name)
                    .value_name(value)
                    .help(help)
                    .help_heading(heading)
                    .allow_hyphen_values(true),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
