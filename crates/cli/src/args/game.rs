//! What may be written behind `manyboost game`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::help::{BOUND, DEGREES, FIGURE, PLAY, POTENTIALS};

/// What to compute of the game.
#[derive(Debug, Subcommand)]
pub enum GameCommand {
    /// The potential of the first state: the loss that the best booster ends with against the worst weak learner
    Potentials(PotentialArgs),
    /// In how many directions the worst walk of three classes goes on from each state, with all rounds to go
    Degrees(DegreeArgs),
    /// Bounds on the training error, round by round
    Bound(BoundArgs),
    /// A figure of the paper, redrawn: 2 to 6
    Figure(FigureArgs),
    /// A game round by round: a booster against the worst weak learner that keeps its promise, or against a lazy one
    Play(PlayArgs),
}

#[derive(Debug, Args)]
pub struct GameArgs {
    /// The edge that the weak learner promises, 0 to 1, or one for each round: 0.3,0.2,0.1
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub edge: String,
    /// Rounds of the game
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub rounds: String,
    #[command(flatten)]
    pub out: GameOutput,
}

#[derive(Debug, Args)]
pub struct GameOutput {
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
    #[arg(long, value_name = "NAME", default_value = "zero-one", value_parser = ["zero-one", "exponential", "hinge"])]
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
    /// Instead of a condition: how often a guesser names the own class, then each other one: 0.5,0.3,0.2
    #[arg(long, value_name = "X,…", conflicts_with = "condition", allow_hyphen_values = true)]
    pub baseline: Option<String>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub loss: LossArgs,
}

#[derive(Debug, Args)]
#[command(after_help = PLAY)]
pub struct PlayArgs {
    /// Who plays: os or mm against the adversary, samme or mm against the lazy learner
    #[arg(value_name = "BOOSTER", value_parser = ["os", "mm", "samme"])]
    pub booster: String,
    /// The weak learner: the adversary of Theorem 9, or the lazy one of section 9.1 on the two rows of figure 1
    #[arg(long, value_name = "NAME", default_value = "adversary", value_parser = ["adversary", "lazy"])]
    pub learner: String,
    /// Adversary: number of classes [default: 3]
    #[arg(long, value_name = "K", allow_hyphen_values = true)]
    pub classes: Option<String>,
    /// Adversary: number of examples [default: 1,000]
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub examples: Option<String>,
    /// os: what a wrong end costs [default: zero-one]
    #[arg(long, value_name = "NAME", value_parser = ["zero-one", "exponential", "hinge"])]
    pub loss: Option<String>,
    /// os, exponential loss: the weight of a vote [default: ln(1 + edge)]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub eta: Option<String>,
    /// os: what the weak learner promises [default: uniform]
    #[arg(long, value_name = "NAME", value_parser = ["uniform", "minimal"])]
    pub condition: Option<String>,
    #[command(flatten)]
    pub game: GameArgs,
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
#[command(after_help = FIGURE)]
pub struct FigureArgs {
    /// The figure of "A Theory of Multiclass Boosting" (2013): 2 potentials by rounds and by classes, 3 degrees under the
    /// zero-one loss, 4 potentials by state, 5 both conditions, 6 degrees under the exponential loss
    #[arg(value_name = "N", value_parser = ["2", "3", "4", "5", "6"])]
    pub figure: String,
    #[command(flatten)]
    pub out: GameOutput,
}
