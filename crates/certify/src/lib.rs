//! Is a weak learner strong enough for this data? Which boosters can, by their own weak-learning condition, drive the training error to
//! zero with it?
//!
//! Each condition of Mukherjee & Schapire 2013 and Cho, Libgober & Ding 2024 is the value of a game between somebody who mixes weak classifiers and somebody who weighs
//! examples ([`conditions`]). Values are found by column generation ([`generate`]): the learner is the [`oracle`], small games are
//! solved by an interior-point method ([`interior`]). The one design choice: **nobody has to trust the solver.** It only proposes a
//! mixture and weights; these are rounded to whole numbers, and an interval is computed from them in whole numbers. If
//! the solver were wrong, the interval would be wide, not false.
//!
//! What an upper bound is about depends on the oracle. Stumps and trees of depth 2 are searched exhaustively ([`stumps`]): the bound
//! is about all of them. Larger trees are what the greedy learner of training finds ([`learner`]): the bound is about the learner,
//! which has no more than this edge on the hardest weights, and better trees may exist. Lower bounds are always about an explicit mixture.
//!
//! [`Question`] is the door: options and data in, an [`Answer`] out.

pub mod conditions;
pub mod game;
pub mod generate;
pub mod interior;
pub mod learner;
pub mod oracle;
pub mod question;
pub mod stumps;
pub mod verdict;

mod cholesky;
mod column;
mod document;
mod given;
mod labellings;

pub use conditions::{Findings, Interval, Settings, Subset, certify, certify_baseline, certify_costs};
pub use learner::Learner;
pub use oracle::{HypothesisSpace, ListedClassifiers};
pub use question::{Answer, Question};
pub use stumps::{Depth, StumpSpace};
pub use verdict::{ProvedRun, Verdict};
